import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { methodsOf, propertiesOf, subtitleOf } from '../shared/operation/properties';
import { runOperations } from '../shared/operation/run';
import { operations } from './operations';

export class SecurityAwarenessDirectEmailSetting implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Direct Email Setting',
		name: 'securityAwarenessDirectEmailSetting',
		icon: { light: 'file:../../icons/directEmailSetting.svg', dark: 'file:../../icons/directEmailSetting.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitleOf(operations),
		description: 'Let the platform put mails directly into mailboxes: create, test and choose settings',
		defaults: { name: 'Security Awareness Direct Email Setting' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: propertiesOf({ name: 'Direct Email Setting', value: 'directEmailSetting' }, operations),
	};

	methods = methodsOf(operations);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, operations);
	}
}
