import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { companyOperations } from './companyOperations';

const RESOURCE = { name: 'Company', value: 'company' };

export class SecurityAwarenessCompany implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Company',
		name: 'securityAwarenessCompany',
		icon: { light: 'file:../../icons/company.svg', dark: 'file:../../icons/company.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(companyOperations),
		description:
			'List, export, read, create, change and delete the customer companies of a security awareness reseller; not every platform has all of it',
		defaults: { name: 'Security Awareness Company' },
		usableAsTool: buildAiTool(
			RESOURCE,
			companyOperations,
			'List, read, create and change the customer companies of a security awareness reseller',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(RESOURCE, companyOperations),
	};

	operations = companyOperations;

	methods = buildListMethods(companyOperations);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, companyOperations);
	}
}
