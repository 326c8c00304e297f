import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { allCompanyGroupOperations } from './operations';

const RESOURCE = { name: 'Company Group', value: 'companyGroup' };

export class SecurityAwarenessCompanyGroup implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Company Group',
		name: 'securityAwarenessCompanyGroup',
		icon: { light: 'file:../../icons/companyGroup.svg', dark: 'file:../../icons/companyGroup.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(allCompanyGroupOperations),
		description:
			'Put customer companies together in groups, and read, change, export and delete the groups; not every platform has all of it',
		defaults: { name: 'Security Awareness Company Group' },
		usableAsTool: buildAiTool(
			RESOURCE,
			allCompanyGroupOperations,
			'Put customer companies together in groups, and read and change the groups',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(RESOURCE, allCompanyGroupOperations),
	};

	operations = allCompanyGroupOperations;

	methods = buildListMethods(allCompanyGroupOperations);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, allCompanyGroupOperations);
	}
}
