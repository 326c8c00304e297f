import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { phishingCampaignOperations } from './phishingCampaignOperations';

const RESOURCE = { name: 'Phishing Campaign', value: 'phishingCampaign' };

export class SecurityAwarenessPhishingCampaign implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Phishing Campaign',
		name: 'securityAwarenessPhishingCampaign',
		icon: { light: 'file:../../icons/phishingCampaign.svg', dark: 'file:../../icons/phishingCampaign.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: buildSubtitle(phishingCampaignOperations),
		description:
			'Create, start, list and export phishing simulations; the Campaign Trigger starts a workflow for new ones; not every platform has all of it',
		defaults: { name: 'Security Awareness Phishing Campaign' },
		usableAsTool: buildAiTool(
			RESOURCE,
			phishingCampaignOperations,
			'Create, start and resend phishing simulations, and list them and their results',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(RESOURCE, phishingCampaignOperations),
	};

	operations = phishingCampaignOperations;

	methods = buildListMethods(phishingCampaignOperations);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, phishingCampaignOperations);
	}
}
