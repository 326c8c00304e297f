import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { methodsOf, propertiesOf, subtitleOf } from '../shared/operation/properties';
import { runOperations } from '../shared/operation/run';
import { operations } from './operations';

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
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: propertiesOf({ name: 'Training', value: 'training' }, operations),
	};

	methods = methodsOf(operations);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, operations);
	}
}
