import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { directEmailSettingOperations } from './directEmailSettingOperations';

const RESOURCE = { name: 'Direct Email Setting', value: 'directEmailSetting' };

export class SecurityAwarenessDirectEmailSetting implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Direct Email Setting',
		name: 'securityAwarenessDirectEmailSetting',
		icon: { light: 'file:../../icons/directEmailSetting.svg', dark: 'file:../../icons/directEmailSetting.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(directEmailSettingOperations),
		description:
			'Let the platform put mails directly into mailboxes: create, read, test, choose and delete settings; not every platform has all of it',
		defaults: { name: 'Security Awareness Direct Email Setting' },
		usableAsTool: buildAiTool(
			RESOURCE,
			directEmailSettingOperations,
			'Let the platform put emails directly into mailboxes: create, read and test settings',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(RESOURCE, directEmailSettingOperations),
	};

	operations = directEmailSettingOperations;

	methods = buildListMethods(directEmailSettingOperations);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, directEmailSettingOperations);
	}
}
