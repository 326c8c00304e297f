import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { toolOf } from '../core/run/aiTool';
import { methodsOf, propertiesOf, subtitleOf } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { operations } from './operations';

const RESOURCE = { name: 'API Client', value: 'apiClient' };

export class SecurityAwarenessApiClient implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness API Client',
		name: 'securityAwarenessApiClient',
		icon: { light: 'file:../../icons/apiClient.svg', dark: 'file:../../icons/apiClient.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitleOf(operations),
		description: 'Create, provision, read, change and delete the REST API clients of customers',
		defaults: { name: 'Security Awareness API Client' },
		usableAsTool: toolOf(RESOURCE, operations, 'List and read the REST API clients of customers'),
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
