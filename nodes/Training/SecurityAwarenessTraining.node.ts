import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { toolOf } from '../core/run/aiTool';
import { methodsOf, propertiesOf, subtitleOf } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { operations } from './operations';

const RESOURCE = { name: 'Training', value: 'training' };

export class SecurityAwarenessTraining implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Training',
		name: 'securityAwarenessTraining',
		icon: { light: 'file:../../icons/training.svg', dark: 'file:../../icons/training.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: subtitleOf(operations),
		description: 'List the trainings that customers can enroll people in',
		defaults: { name: 'Security Awareness Training' },
		usableAsTool: toolOf(RESOURCE, operations, 'List the trainings that customers can enroll people in'),
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
