import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { methodsOf, propertiesOf, subtitleOf } from '../shared/operation/properties';
import { runOperations } from '../shared/operation/run';
import { operations } from './operations';

export class SecurityAwarenessSystemUser implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness System User',
		name: 'securityAwarenessSystemUser',
		icon: { light: 'file:../../icons/systemUser.svg', dark: 'file:../../icons/systemUser.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitleOf(operations),
		description: 'Add people who can sign in to the administration of the platform',
		defaults: { name: 'Security Awareness System User' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: propertiesOf({ name: 'System User', value: 'systemUser' }, operations),
	};

	methods = methodsOf(operations);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, operations);
	}
}
