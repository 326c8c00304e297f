import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { enrollmentResources } from './enrollmentResources';

export class SecurityAwarenessEnrollment implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Enrollment',
		name: 'securityAwarenessEnrollment',
		icon: { light: 'file:../../icons/enrollment.svg', dark: 'file:../../icons/enrollment.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(enrollmentResources),
		description: 'Enroll people in trainings, and send, list, update and stop enrollments',
		defaults: { name: 'Security Awareness Enrollment' },
		usableAsTool: buildAiTool(
			'enrollment',
			enrollmentResources,
			'Enroll people in trainings, and send, list, update and restore enrollments',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(enrollmentResources),
	};

	resources = enrollmentResources;

	methods = buildListMethods(enrollmentResources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, enrollmentResources);
	}
}
