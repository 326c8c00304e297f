import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { googleOAuthResources } from './googleOAuthResources';

export class SecurityAwarenessGoogleOAuth implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Google OAuth',
		name: 'securityAwarenessGoogleOAuth',
		icon: { light: 'file:../../icons/googleOAuth.svg', dark: 'file:../../icons/googleOAuth.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(googleOAuthResources),
		description: 'Connect a customer to Google, or revoke the connection',
		defaults: { name: 'Security Awareness Google OAuth' },
		usableAsTool: buildAiTool(
			'googleOAuth',
			googleOAuthResources,
			'Get the URL where a user connects a customer to Google',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(googleOAuthResources),
	};

	resources = googleOAuthResources;

	methods = buildListMethods(googleOAuthResources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, googleOAuthResources);
	}
}
