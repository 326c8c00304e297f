import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { allAccountOperations } from './operations';

const RESOURCE = { name: 'Account', value: 'account' };

export class SecurityAwarenessAccount implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Account',
		name: 'securityAwarenessAccount',
		icon: { light: 'file:../../icons/account.svg', dark: 'file:../../icons/account.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(allAccountOperations),
		description:
			'Sign people in and out, exchange agent logins, read the audit log, and check what the credential may do; not every platform has all of it',
		defaults: { name: 'Security Awareness Account' },
		usableAsTool: buildAiTool(
			RESOURCE,
			allAccountOperations,
			'Read the audit log, and check what the credential may do',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(RESOURCE, allAccountOperations),
	};

	operations = allAccountOperations;

	methods = buildListMethods(allAccountOperations);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, allAccountOperations);
	}
}
