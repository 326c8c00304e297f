import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { toolOf } from '../core/run/aiTool';
import { methodsOf, propertiesOf, subtitleOf } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { operations } from './operations';

const RESOURCE = { name: 'Company Group', value: 'companyGroup' };

export class SecurityAwarenessCompanyGroup implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Company Group',
		name: 'securityAwarenessCompanyGroup',
		icon: { light: 'file:../../icons/companyGroup.svg', dark: 'file:../../icons/companyGroup.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitleOf(operations),
		description:
			'Put customer companies together in groups, and read, change, export and delete the groups; not every platform has all of it',
		defaults: { name: 'Security Awareness Company Group' },
		usableAsTool: toolOf(
			RESOURCE,
			operations,
			'Put customer companies together in groups, and read and change the groups',
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
