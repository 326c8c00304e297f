import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { allExecutiveReportOperations } from './operations';

const RESOURCE = { name: 'Executive Report', value: 'executiveReport' };

export class SecurityAwarenessExecutiveReport implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Executive Report',
		name: 'securityAwarenessExecutiveReport',
		icon: { light: 'file:../../icons/executiveReport.svg', dark: 'file:../../icons/executiveReport.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: buildSubtitle(allExecutiveReportOperations),
		description:
			'Get executive reports and the figures behind them, and schedule when and to whom they are mailed; not every platform has all of it',
		defaults: { name: 'Security Awareness Executive Report' },
		usableAsTool: buildAiTool(
			RESOURCE,
			allExecutiveReportOperations,
			'Get executive reports and the figures behind them, for one customer or for all, and email reports on a schedule',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(RESOURCE, allExecutiveReportOperations),
	};

	operations = allExecutiveReportOperations;

	methods = buildListMethods(allExecutiveReportOperations);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, allExecutiveReportOperations);
	}
}
