import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { toolOf } from '../core/run/aiTool';
import { methodsOf, propertiesOf, subtitleOf } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { operations } from './operations';

const RESOURCE = { name: 'Role', value: 'role' };

export class SecurityAwarenessRole implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Role',
		name: 'securityAwarenessRole',
		icon: { light: 'file:../../icons/role.svg', dark: 'file:../../icons/role.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: subtitleOf(operations),
		description: 'List the roles that users and REST API clients of customers can have',
		defaults: { name: 'Security Awareness Role' },
		usableAsTool: toolOf(RESOURCE, operations, 'List the roles that users and REST API clients of customers can have'),
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
