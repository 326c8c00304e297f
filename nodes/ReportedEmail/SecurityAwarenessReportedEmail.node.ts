import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { reportedEmailResources } from './reportedEmailResources';

export class SecurityAwarenessReportedEmail implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Reported Email',
		name: 'securityAwarenessReportedEmail',
		icon: { light: 'file:../../icons/reportedEmail.svg', dark: 'file:../../icons/reportedEmail.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(reportedEmailResources),
		description: 'List, read and export the suspicious emails that people reported, and set their result and status',
		defaults: { name: 'Security Awareness Reported Email' },
		usableAsTool: buildAiTool(
			'reportedEmail',
			reportedEmailResources,
			'List and read the suspicious emails that people reported, and set their result and status',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(reportedEmailResources),
	};

	resources = reportedEmailResources;

	methods = buildListMethods(reportedEmailResources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, reportedEmailResources);
	}
}
