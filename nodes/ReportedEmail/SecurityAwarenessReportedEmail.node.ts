import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { reportedEmailOperations } from './reportedEmailOperations';

const RESOURCE = { name: 'Reported Email', value: 'reportedEmail' };

export class SecurityAwarenessReportedEmail implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Reported Email',
		name: 'securityAwarenessReportedEmail',
		icon: { light: 'file:../../icons/reportedEmail.svg', dark: 'file:../../icons/reportedEmail.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(reportedEmailOperations),
		description:
			'List, read and export the suspicious mails that people reported, and set their result and status; not every platform has it',
		defaults: { name: 'Security Awareness Reported Email' },
		usableAsTool: buildAiTool(
			RESOURCE,
			reportedEmailOperations,
			'List, read and answer the suspicious emails that people reported',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(RESOURCE, reportedEmailOperations),
	};

	operations = reportedEmailOperations;

	methods = buildListMethods(reportedEmailOperations);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, reportedEmailOperations);
	}
}
