import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { smishingCampaignOperations } from './smishingCampaignOperations';

const RESOURCE = { name: 'Smishing Campaign', value: 'smishingCampaign' };

export class SecurityAwarenessSmishingCampaign implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Smishing Campaign',
		name: 'securityAwarenessSmishingCampaign',
		icon: { light: 'file:../../icons/smishingCampaign.svg', dark: 'file:../../icons/smishingCampaign.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: buildSubtitle(smishingCampaignOperations),
		description:
			'Create, start, list and export text message simulations; the Campaign Trigger starts a workflow for new ones; not every platform has all of it',
		defaults: { name: 'Security Awareness Smishing Campaign' },
		usableAsTool: buildAiTool(
			RESOURCE,
			smishingCampaignOperations,
			'Create, start and list text message simulations, and who clicked and submitted',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(RESOURCE, smishingCampaignOperations),
	};

	operations = smishingCampaignOperations;

	methods = buildListMethods(smishingCampaignOperations);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, smishingCampaignOperations);
	}
}
