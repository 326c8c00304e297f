import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { builderHintOf, methodsOf, propertiesOf, subtitleOf } from '../shared/operation/properties';
import { runOperations } from '../shared/operation/run';
import { operations } from './operations';
import outputs from './outputs.json';

export class SecurityAwarenessQuishingCampaign implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Quishing Campaign',
		name: 'securityAwarenessQuishingCampaign',
		icon: { light: 'file:../../icons/quishingCampaign.svg', dark: 'file:../../icons/quishingCampaign.dark.svg' },
		group: ['input'],
		version: [1, 1.1],
		defaultVersion: 1.1,
		subtitle: subtitleOf(operations),
		description: 'List and export QR code simulations and results; the Campaign Trigger starts a workflow for new ones',
		defaults: { name: 'Security Awareness Quishing Campaign' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		builderHint: builderHintOf('quishingCampaign', outputs),
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: propertiesOf({ name: 'Quishing Campaign', value: 'quishingCampaign' }, operations),
	};

	methods = methodsOf(operations);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, operations);
	}
}
