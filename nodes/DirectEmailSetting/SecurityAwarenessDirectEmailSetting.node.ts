import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { directEmailSettingResources } from './directEmailSettingResources';

export class SecurityAwarenessDirectEmailSetting implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Direct Email Setting',
		name: 'securityAwarenessDirectEmailSetting',
		icon: { light: 'file:../../icons/directEmailSetting.svg', dark: 'file:../../icons/directEmailSetting.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(directEmailSettingResources),
		description:
			'Create, test, list and delete settings that deliver emails directly to the mailboxes of a customer, or list SMTP settings',
		defaults: { name: 'Security Awareness Direct Email Setting' },
		usableAsTool: buildAiTool(
			'directEmailSetting',
			directEmailSettingResources,
			'Create, test and list settings that deliver emails directly to the mailboxes of a customer',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(directEmailSettingResources),
	};

	resources = directEmailSettingResources;

	methods = buildListMethods(directEmailSettingResources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, directEmailSettingResources);
	}
}
