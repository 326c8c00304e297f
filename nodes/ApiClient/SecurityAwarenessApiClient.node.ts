import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { apiClientOperations } from './apiClientOperations';

const RESOURCE = { name: 'API Client', value: 'apiClient' };

export class SecurityAwarenessApiClient implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness API Client',
		name: 'securityAwarenessApiClient',
		icon: { light: 'file:../../icons/apiClient.svg', dark: 'file:../../icons/apiClient.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(apiClientOperations),
		description: 'Create, provision, read, change and delete the REST API clients of customers',
		defaults: { name: 'Security Awareness API Client' },
		usableAsTool: buildAiTool(RESOURCE, apiClientOperations, 'List and read the REST API clients of customers'),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(RESOURCE, apiClientOperations),
	};

	operations = apiClientOperations;

	methods = buildListMethods(apiClientOperations);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, apiClientOperations);
	}
}
