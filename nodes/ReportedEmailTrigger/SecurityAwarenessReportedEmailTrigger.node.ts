import { NodeConnectionTypes, type INodeType, type INodeTypeDescription, type IPollFunctions } from 'n8n-workflow';

import { buildTriggerMethods, buildTriggerProperties } from '../core/trigger/triggerFields';
import { pollRecords } from '../core/trigger/poll';
import { reportedEmailTrigger } from './reportedEmailTrigger';

export class SecurityAwarenessReportedEmailTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Reported Email Trigger',
		name: 'securityAwarenessReportedEmailTrigger',
		icon: {
			light: 'file:../../icons/reportedEmailTrigger.svg',
			dark: 'file:../../icons/reportedEmailTrigger.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: '={{ ($parameter["triggerOn"] === "new" ? "New" : "Status Changed") + ": Reported Emails" }}',
		// n8n's node panel shows this description also for the regular node 'Reported Email', so it describes both nodes.
		description:
			'List, read and export suspicious emails that people reported, or start the workflow when people report an email or its status changes',
		defaults: { name: 'Security Awareness Reported Email Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildTriggerProperties(reportedEmailTrigger),
	};

	methods = buildTriggerMethods(reportedEmailTrigger);

	async poll(this: IPollFunctions) {
		return await pollRecords(this, reportedEmailTrigger);
	}
}
