import { NodeConnectionTypes, type INodeType, type INodeTypeDescription, type IPollFunctions } from 'n8n-workflow';

import { buildTriggerMethods, buildTriggerProperties } from '../core/trigger/triggerFields';
import { pollRecords } from '../core/trigger/poll';
import { campaignTrigger } from './campaignTrigger';

export class SecurityAwarenessCampaignTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Campaign Trigger',
		name: 'securityAwarenessCampaignTrigger',
		icon: { light: 'file:../../icons/campaignTrigger.svg', dark: 'file:../../icons/campaignTrigger.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle:
			'={{ ($parameter["triggerOn"] === "new" ? "New" : "Status Changed") + ": " + ($parameter["watch"] === "jobs" ? "Campaign Jobs" : "Campaigns") }}',
		description: 'Start the workflow for new phishing, smishing or quishing campaigns, or changes of their status',
		defaults: { name: 'Security Awareness Campaign Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildTriggerProperties(campaignTrigger),
	};

	methods = buildTriggerMethods(campaignTrigger);

	async poll(this: IPollFunctions) {
		return await pollRecords(this, campaignTrigger);
	}
}
