import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { trainingReportResources } from './trainingReportResources';

export class SecurityAwarenessTrainingReport implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Training Report',
		name: 'securityAwarenessTrainingReport',
		icon: { light: 'file:../../icons/trainingReport.svg', dark: 'file:../../icons/trainingReport.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: buildSubtitle(trainingReportResources),
		description: 'Get and export the results of trainings: progress, users, emails and certificates',
		defaults: { name: 'Security Awareness Training Report' },
		usableAsTool: buildAiTool(
			'trainingReport',
			trainingReportResources,
			'Get the results of trainings: progress, users, emails and certificates',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(trainingReportResources),
	};

	resources = trainingReportResources;

	methods = buildListMethods(trainingReportResources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, trainingReportResources);
	}
}
