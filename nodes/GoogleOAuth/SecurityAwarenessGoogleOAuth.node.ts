import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { googleOAuthOperations } from './googleOAuthOperations';

const RESOURCE = { name: 'Google OAuth', value: 'googleOAuth' };

export class SecurityAwarenessGoogleOAuth implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Google OAuth',
		name: 'securityAwarenessGoogleOAuth',
		icon: { light: 'file:../../icons/googleOAuth.svg', dark: 'file:../../icons/googleOAuth.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(googleOAuthOperations),
		description: 'Connect a company to Google: get the consent address, complete and revoke the connection',
		defaults: { name: 'Security Awareness Google OAuth' },
		usableAsTool: buildAiTool(
			RESOURCE,
			googleOAuthOperations,
			'Get the address where a person connects a company to Google',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(RESOURCE, googleOAuthOperations),
	};

	operations = googleOAuthOperations;

	methods = buildListMethods(googleOAuthOperations);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, googleOAuthOperations);
	}
}
