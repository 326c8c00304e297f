import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { allEnrollmentOperations } from './operations';

const RESOURCE = { name: 'Enrollment', value: 'enrollment' };

export class SecurityAwarenessEnrollment implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Enrollment',
		name: 'securityAwarenessEnrollment',
		icon: { light: 'file:../../icons/enrollment.svg', dark: 'file:../../icons/enrollment.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(allEnrollmentOperations),
		description:
			'Enroll people in trainings, send enrollments, and list them for one customer or for all; not every platform has all of it',
		defaults: { name: 'Security Awareness Enrollment' },
		usableAsTool: buildAiTool(
			RESOURCE,
			allEnrollmentOperations,
			'Enroll people in trainings, and send, change, restore and list enrollments',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(RESOURCE, allEnrollmentOperations),
	};

	operations = allEnrollmentOperations;

	methods = buildListMethods(allEnrollmentOperations);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, allEnrollmentOperations);
	}
}
