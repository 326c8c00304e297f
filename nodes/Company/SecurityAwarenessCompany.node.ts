import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { toolOf } from '../core/run/aiTool';
import { methodsOf, propertiesOf, subtitleOf } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { operations } from './operations';

const RESOURCE = { name: 'Company', value: 'company' };

export class SecurityAwarenessCompany implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Company',
		name: 'securityAwarenessCompany',
		icon: { light: 'file:../../icons/company.svg', dark: 'file:../../icons/company.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitleOf(operations),
		description:
			'List, export, read, create, change and delete the customer companies of a security awareness reseller; not every platform has all of it',
		defaults: { name: 'Security Awareness Company' },
		usableAsTool: toolOf(
			RESOURCE,
			operations,
			'List, read, create and change the customer companies of a security awareness reseller',
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
