import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { methodsOf, propertiesOf, subtitleOf } from '../shared/operation/properties';
import { runOperations } from '../shared/operation/run';
import { operations } from './operations';

export class SecurityAwarenessQuishingCampaign implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Quishing Campaign',
		name: 'securityAwarenessQuishingCampaign',
		icon: { light: 'file:../../icons/quishingCampaign.svg', dark: 'file:../../icons/quishingCampaign.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: subtitleOf(operations),
		description:
			'Create, start, list and export QR code simulations; the Campaign Trigger starts a workflow for new ones',
		defaults: { name: 'Security Awareness Quishing Campaign' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: propertiesOf({ name: 'Quishing Campaign', value: 'quishingCampaign' }, operations),
	};

	methods = methodsOf(operations);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, operations);
	}
}
