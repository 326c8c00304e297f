import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { toolOf } from '../core/run/aiTool';
import { methodsOf, propertiesOf, subtitleOf } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { operations } from './operations';

const RESOURCE = { name: 'Account', value: 'account' };

export class SecurityAwarenessAccount implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Account',
		name: 'securityAwarenessAccount',
		icon: { light: 'file:../../icons/account.svg', dark: 'file:../../icons/account.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitleOf(operations),
		description:
			'Sign people in and out, exchange agent logins, read the audit log, and check what the credential may do; not every platform has all of it',
		defaults: { name: 'Security Awareness Account' },
		usableAsTool: toolOf(RESOURCE, operations, 'Read the audit log, and check what the credential may do'),
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
