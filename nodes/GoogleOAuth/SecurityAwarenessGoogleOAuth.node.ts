import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { toolOf } from '../core/run/aiTool';
import { methodsOf, propertiesOf, subtitleOf } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { operations } from './operations';

const RESOURCE = { name: 'Google OAuth', value: 'googleOAuth' };

export class SecurityAwarenessGoogleOAuth implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Google OAuth',
		name: 'securityAwarenessGoogleOAuth',
		icon: { light: 'file:../../icons/googleOAuth.svg', dark: 'file:../../icons/googleOAuth.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitleOf(operations),
		description: 'Connect a company to Google: get the consent address, complete and revoke the connection',
		defaults: { name: 'Security Awareness Google OAuth' },
		usableAsTool: toolOf(RESOURCE, operations, 'Get the address where a person connects a company to Google'),
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
