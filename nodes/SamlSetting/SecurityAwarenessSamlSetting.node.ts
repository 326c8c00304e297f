import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { samlSettingResources } from './samlSettingResources';

export class SecurityAwarenessSamlSetting implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness SAML Setting',
		name: 'securityAwarenessSamlSetting',
		icon: { light: 'file:../../icons/samlSetting.svg', dark: 'file:../../icons/samlSetting.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(samlSettingResources),
		description: 'Set up, list and delete single sign-on (SAML) with an identity provider such as Okta',
		defaults: { name: 'Security Awareness SAML Setting' },
		usableAsTool: buildAiTool(
			'samlSetting',
			samlSettingResources,
			'List the settings of single sign-on (SAML) with an identity provider',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(samlSettingResources),
	};

	resources = samlSettingResources;

	methods = buildListMethods(samlSettingResources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, samlSettingResources);
	}
}
