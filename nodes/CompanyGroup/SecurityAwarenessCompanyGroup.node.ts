import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { companyGroupResources } from './companyGroupResources';

export class SecurityAwarenessCompanyGroup implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Company Group',
		name: 'securityAwarenessCompanyGroup',
		icon: { light: 'file:../../icons/companyGroup.svg', dark: 'file:../../icons/companyGroup.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(companyGroupResources),
		description:
			'Organize customer companies in groups: create, update, list, export and delete groups, and change their members',
		defaults: { name: 'Security Awareness Company Group' },
		usableAsTool: buildAiTool(
			'companyGroup',
			companyGroupResources,
			'Organize customer companies in groups: create, update and list groups, and add members',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(companyGroupResources),
	};

	resources = companyGroupResources;

	methods = buildListMethods(companyGroupResources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, companyGroupResources);
	}
}
