import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { phishingCampaignResources } from './phishingCampaignResources';

export class SecurityAwarenessPhishingCampaign implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Phishing Campaign',
		name: 'securityAwarenessPhishingCampaign',
		icon: { light: 'file:../../icons/phishingCampaign.svg', dark: 'file:../../icons/phishingCampaign.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: buildSubtitle(phishingCampaignResources),
		description:
			'Create, start, list and export phishing simulations and their results, or use the Campaign Trigger to start a workflow for new campaigns',
		defaults: { name: 'Security Awareness Phishing Campaign' },
		usableAsTool: buildAiTool(
			'phishingCampaign',
			phishingCampaignResources,
			'Create, start, resend and list phishing simulations and their results',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(phishingCampaignResources),
	};

	resources = phishingCampaignResources;

	methods = buildListMethods(phishingCampaignResources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, phishingCampaignResources);
	}
}
