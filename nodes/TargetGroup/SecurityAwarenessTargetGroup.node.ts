import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { methodsOf, propertiesOf, subtitleOf } from '../shared/operation/properties';
import { runOperations } from '../shared/operation/run';
import { operations } from './operations';

export class SecurityAwarenessTargetGroup implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Target Group',
		name: 'securityAwarenessTargetGroup',
		icon: { light: 'file:../../icons/targetGroup.svg', dark: 'file:../../icons/targetGroup.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: subtitleOf(operations),
		description: 'List the groups of users that trainings and simulations are sent to, for one customer or for all',
		defaults: { name: 'Security Awareness Target Group' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: propertiesOf({ name: 'Target Group', value: 'targetGroup' }, operations),
	};

	methods = methodsOf(operations);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, operations);
	}
}
