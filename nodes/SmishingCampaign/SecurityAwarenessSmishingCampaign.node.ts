import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { smishingCampaignResources } from './smishingCampaignResources';

export class SecurityAwarenessSmishingCampaign implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Smishing Campaign',
		name: 'securityAwarenessSmishingCampaign',
		icon: { light: 'file:../../icons/smishingCampaign.svg', dark: 'file:../../icons/smishingCampaign.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: buildSubtitle(smishingCampaignResources),
		description:
			'Create, start, list and export smishing (text message) simulations and their results, or use the Campaign Trigger to start a workflow for new campaigns',
		defaults: { name: 'Security Awareness Smishing Campaign' },
		usableAsTool: buildAiTool(
			'smishingCampaign',
			smishingCampaignResources,
			'Create, start, resend and list smishing (text message) simulations and their results',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(smishingCampaignResources),
	};

	resources = smishingCampaignResources;

	methods = buildListMethods(smishingCampaignResources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, smishingCampaignResources);
	}
}
