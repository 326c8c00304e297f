import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { quishingCampaignOperations } from './quishingCampaignOperations';

const RESOURCE = { name: 'Quishing Campaign', value: 'quishingCampaign' };

export class SecurityAwarenessQuishingCampaign implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Quishing Campaign',
		name: 'securityAwarenessQuishingCampaign',
		icon: { light: 'file:../../icons/quishingCampaign.svg', dark: 'file:../../icons/quishingCampaign.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: buildSubtitle(quishingCampaignOperations),
		description:
			'Create, start, list and export QR code simulations; the Campaign Trigger starts a workflow for new ones; not every platform has all of it',
		defaults: { name: 'Security Awareness Quishing Campaign' },
		usableAsTool: buildAiTool(
			RESOURCE,
			quishingCampaignOperations,
			'Create, start and list QR code simulations, and who opened, clicked and submitted',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(RESOURCE, quishingCampaignOperations),
	};

	operations = quishingCampaignOperations;

	methods = buildListMethods(quishingCampaignOperations);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, quishingCampaignOperations);
	}
}
