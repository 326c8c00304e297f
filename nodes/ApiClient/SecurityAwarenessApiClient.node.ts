import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { apiClientResources } from './apiClientResources';

export class SecurityAwarenessApiClient implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness API Client',
		name: 'securityAwarenessApiClient',
		icon: { light: 'file:../../icons/apiClient.svg', dark: 'file:../../icons/apiClient.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(apiClientResources),
		description: 'Create, list, update and delete REST API clients, which give other systems access to a customer',
		defaults: { name: 'Security Awareness API Client' },
		usableAsTool: buildAiTool(
			'apiClient',
			apiClientResources,
			'List REST API clients, which give other systems access to a customer',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(apiClientResources),
	};

	resources = apiClientResources;

	methods = buildListMethods(apiClientResources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, apiClientResources);
	}
}
