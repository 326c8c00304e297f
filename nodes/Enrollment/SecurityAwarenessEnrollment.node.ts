import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { toolOf } from '../core/run/aiTool';
import { methodsOf, propertiesOf, subtitleOf } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { operations } from './operations';

const RESOURCE = { name: 'Enrollment', value: 'enrollment' };

export class SecurityAwarenessEnrollment implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Enrollment',
		name: 'securityAwarenessEnrollment',
		icon: { light: 'file:../../icons/enrollment.svg', dark: 'file:../../icons/enrollment.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitleOf(operations),
		description:
			'Enroll people in trainings, send enrollments, and list them for one customer or for all; not every platform has all of it',
		defaults: { name: 'Security Awareness Enrollment' },
		usableAsTool: toolOf(
			RESOURCE,
			operations,
			'Enroll people in trainings, and send, change, restore and list enrollments',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: propertiesOf(RESOURCE, operations),
	};

	methods = methodsOf(operations);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, operations);
	}
}
