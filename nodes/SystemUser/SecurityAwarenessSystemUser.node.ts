import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { systemUserResources } from './systemUserResources';

export class SecurityAwarenessSystemUser implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness System User',
		name: 'securityAwarenessSystemUser',
		icon: { light: 'file:../../icons/systemUser.svg', dark: 'file:../../icons/systemUser.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(systemUserResources),
		description: 'Create, list, update and delete the administrators who can sign in to the platform',
		defaults: { name: 'Security Awareness System User' },
		usableAsTool: buildAiTool(
			'systemUser',
			systemUserResources,
			'List the administrators who can sign in to the platform',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(systemUserResources),
	};

	resources = systemUserResources;

	methods = buildListMethods(systemUserResources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, systemUserResources);
	}
}
