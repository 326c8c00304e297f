import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { accountResources } from './accountResources';

export class SecurityAwarenessAccount implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Account',
		name: 'securityAwarenessAccount',
		icon: { light: 'file:../../icons/account.svg', dark: 'file:../../icons/account.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(accountResources),
		description: 'Check what the credential may do, list the audit log, and log users in and out',
		defaults: { name: 'Security Awareness Account' },
		usableAsTool: buildAiTool('account', accountResources, 'Check what the credential may do, and list the audit log'),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(accountResources),
	};

	resources = accountResources;

	methods = buildListMethods(accountResources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, accountResources);
	}
}
