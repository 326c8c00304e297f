import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { samlSettingOperations } from './samlSettingOperations';

const RESOURCE = { name: 'SAML Setting', value: 'samlSetting' };

export class SecurityAwarenessSamlSetting implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness SAML Setting',
		name: 'securityAwarenessSamlSetting',
		icon: { light: 'file:../../icons/samlSetting.svg', dark: 'file:../../icons/samlSetting.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(samlSettingOperations),
		description:
			'Set up, list, read and delete single sign-on with an identity provider; not every platform has all of it',
		defaults: { name: 'Security Awareness SAML Setting' },
		usableAsTool: buildAiTool(
			RESOURCE,
			samlSettingOperations,
			'List and read single sign-on with an identity provider',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(RESOURCE, samlSettingOperations),
	};

	operations = samlSettingOperations;

	methods = buildListMethods(samlSettingOperations);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, samlSettingOperations);
	}
}
