import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { toolOf } from '../core/run/aiTool';
import { methodsOf, propertiesOf, subtitleOf } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { operations } from './operations';

const RESOURCE = { name: 'Direct Email Setting', value: 'directEmailSetting' };

export class SecurityAwarenessDirectEmailSetting implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Direct Email Setting',
		name: 'securityAwarenessDirectEmailSetting',
		icon: { light: 'file:../../icons/directEmailSetting.svg', dark: 'file:../../icons/directEmailSetting.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitleOf(operations),
		description:
			'Let the platform put mails directly into mailboxes: create, read, test, choose and delete settings; not every platform has all of it',
		defaults: { name: 'Security Awareness Direct Email Setting' },
		usableAsTool: toolOf(
			RESOURCE,
			operations,
			'Let the platform put emails directly into mailboxes: create, read and test settings',
		),
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
