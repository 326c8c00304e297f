import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { executiveReportResources } from './executiveReportResources';

export class SecurityAwarenessExecutiveReport implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Executive Report',
		name: 'securityAwarenessExecutiveReport',
		icon: { light: 'file:../../icons/executiveReport.svg', dark: 'file:../../icons/executiveReport.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: buildSubtitle(executiveReportResources),
		description: 'Get executive reports and the data of their charts and tables, and email reports on a schedule',
		defaults: { name: 'Security Awareness Executive Report' },
		usableAsTool: buildAiTool(
			'executiveReport',
			executiveReportResources,
			'Get executive reports and the data of their charts and tables, and email reports on a schedule',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(executiveReportResources),
	};

	resources = executiveReportResources;

	methods = buildListMethods(executiveReportResources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, executiveReportResources);
	}
}
