import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { scimIntegrationResources } from './scimIntegrationResources';

export class SecurityAwarenessScimIntegration implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness SCIM Integration',
		name: 'securityAwarenessScimIntegration',
		icon: { light: 'file:../../icons/scimIntegration.svg', dark: 'file:../../icons/scimIntegration.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(scimIntegrationResources),
		description: 'Manage SCIM integrations, which let identity providers create and update users',
		defaults: { name: 'Security Awareness SCIM Integration' },
		usableAsTool: buildAiTool(
			'scimIntegration',
			scimIntegrationResources,
			'List and rename SCIM integrations, which let identity providers create and update users',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(scimIntegrationResources),
	};

	resources = scimIntegrationResources;

	methods = buildListMethods(scimIntegrationResources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, scimIntegrationResources);
	}
}
