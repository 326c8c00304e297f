import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { quishingCampaignResources } from './quishingCampaignResources';

export class SecurityAwarenessQuishingCampaign implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Quishing Campaign',
		name: 'securityAwarenessQuishingCampaign',
		icon: { light: 'file:../../icons/quishingCampaign.svg', dark: 'file:../../icons/quishingCampaign.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: buildSubtitle(quishingCampaignResources),
		description:
			'Create, start, list and export quishing (QR code) simulations and their results, or use the Campaign Trigger to start a workflow for new campaigns',
		defaults: { name: 'Security Awareness Quishing Campaign' },
		usableAsTool: buildAiTool(
			'quishingCampaign',
			quishingCampaignResources,
			'Create, start, resend and list quishing (QR code) simulations and their results',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(quishingCampaignResources),
	};

	resources = quishingCampaignResources;

	methods = buildListMethods(quishingCampaignResources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, quishingCampaignResources);
	}
}
