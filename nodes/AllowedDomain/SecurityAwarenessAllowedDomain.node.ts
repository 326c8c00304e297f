import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { allowedDomainResources } from './allowedDomainResources';

export class SecurityAwarenessAllowedDomain implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Allowed Domain',
		name: 'securityAwarenessAllowedDomain',
		icon: { light: 'file:../../icons/allowedDomain.svg', dark: 'file:../../icons/allowedDomain.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(allowedDomainResources),
		description: 'Add, verify, list and delete the email domains of a customer that the platform may send emails to',
		defaults: { name: 'Security Awareness Allowed Domain' },
		usableAsTool: buildAiTool(
			'allowedDomain',
			allowedDomainResources,
			'Add, verify and list the email domains of a customer that the platform may send emails to',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(allowedDomainResources),
	};

	resources = allowedDomainResources;

	methods = buildListMethods(allowedDomainResources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, allowedDomainResources);
	}
}
