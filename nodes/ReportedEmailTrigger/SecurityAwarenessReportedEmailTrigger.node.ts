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
		subtitle: '={{ $parameter["triggerOn"] === "new" ? "new" : "status changed" }}',
		// n8n's node panel shows this description also for the regular node 'Reported Email', so it describes both nodes.
		description:
			'List, read and export the suspicious mails that people reported; the trigger starts the workflow for each mail that somebody reports, or when its status changes; not every platform has it',
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
