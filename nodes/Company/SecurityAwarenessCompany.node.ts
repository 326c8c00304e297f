import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { companyResources } from './companyResources';

export class SecurityAwarenessCompany implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Company',
		name: 'securityAwarenessCompany',
		icon: { light: 'file:../../icons/company.svg', dark: 'file:../../icons/company.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(companyResources),
		description: 'List, create, update, export and delete the customer companies of a security awareness reseller',
		defaults: { name: 'Security Awareness Company' },
		usableAsTool: buildAiTool(
			'company',
			companyResources,
			'List, create and update the customer companies of a security awareness reseller',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(companyResources),
	};

	resources = companyResources;

	methods = buildListMethods(companyResources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, companyResources);
	}
}
