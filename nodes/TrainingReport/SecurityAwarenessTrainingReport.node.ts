import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { methodsOf, propertiesOf, subtitleOf } from '../shared/operation/properties';
import { runOperations } from '../shared/operation/run';
import { operations } from './operations';

export class SecurityAwarenessTrainingReport implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Training Report',
		name: 'securityAwarenessTrainingReport',
		icon: { light: 'file:../../icons/trainingReport.svg', dark: 'file:../../icons/trainingReport.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: subtitleOf(operations),
		description: 'Get and export the results of an enrollment: users, mails, certificates, figures',
		defaults: { name: 'Security Awareness Training Report' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: propertiesOf({ name: 'Training Report', value: 'trainingReport' }, operations),
	};

	methods = methodsOf(operations);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, operations);
	}
}
