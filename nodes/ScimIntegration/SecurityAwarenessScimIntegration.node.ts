import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { scimIntegrationOperations } from './scimIntegrationOperations';

const RESOURCE = { name: 'SCIM Integration', value: 'scimIntegration' };

export class SecurityAwarenessScimIntegration implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness SCIM Integration',
		name: 'securityAwarenessScimIntegration',
		icon: { light: 'file:../../icons/scimIntegration.svg', dark: 'file:../../icons/scimIntegration.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(scimIntegrationOperations),
		description:
			'Set up the provisioning of users, and read, rename, renew and delete connections to identity providers; not every platform has all of it',
		defaults: { name: 'Security Awareness SCIM Integration' },
		usableAsTool: buildAiTool(
			RESOURCE,
			scimIntegrationOperations,
			'Read and rename connections to identity providers that provision users',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(RESOURCE, scimIntegrationOperations),
	};

	operations = scimIntegrationOperations;

	methods = buildListMethods(scimIntegrationOperations);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, scimIntegrationOperations);
	}
}
