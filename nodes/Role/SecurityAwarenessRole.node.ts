import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { roleResources } from './roleResources';

export class SecurityAwarenessRole implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Role',
		name: 'securityAwarenessRole',
		icon: { light: 'file:../../icons/role.svg', dark: 'file:../../icons/role.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: buildSubtitle(roleResources),
		description: 'List the roles that system users and REST API clients of customers can have',
		defaults: { name: 'Security Awareness Role' },
		usableAsTool: buildAiTool(
			'role',
			roleResources,
			'List the roles that system users and REST API clients of customers can have',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(roleResources),
	};

	resources = roleResources;

	methods = buildListMethods(roleResources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, roleResources);
	}
}
