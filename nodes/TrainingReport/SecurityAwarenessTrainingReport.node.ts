import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { allTrainingReportOperations } from './operations';

const RESOURCE = { name: 'Training Report', value: 'trainingReport' };

export class SecurityAwarenessTrainingReport implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Training Report',
		name: 'securityAwarenessTrainingReport',
		icon: { light: 'file:../../icons/trainingReport.svg', dark: 'file:../../icons/trainingReport.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: buildSubtitle(allTrainingReportOperations),
		description:
			'Get and export the results of an enrollment: users, mails, certificates, figures; not every platform has all of it',
		defaults: { name: 'Security Awareness Training Report' },
		usableAsTool: buildAiTool(
			RESOURCE,
			allTrainingReportOperations,
			'Get the results of an enrollment: users, mails, certificates, figures',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(RESOURCE, allTrainingReportOperations),
	};

	operations = allTrainingReportOperations;

	methods = buildListMethods(allTrainingReportOperations);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, allTrainingReportOperations);
	}
}
