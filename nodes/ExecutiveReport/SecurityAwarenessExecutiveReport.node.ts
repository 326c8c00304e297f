import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { methodsOf, propertiesOf, subtitleOf } from '../shared/operation/properties';
import { runOperations } from '../shared/operation/run';
import { operations } from './operations';

export class SecurityAwarenessExecutiveReport implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Executive Report',
		name: 'securityAwarenessExecutiveReport',
		icon: { light: 'file:../../icons/executiveReport.svg', dark: 'file:../../icons/executiveReport.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: subtitleOf(operations),
		description: 'Get executive reports, the figures behind them, and when they are sent, for one customer or for all',
		defaults: { name: 'Security Awareness Executive Report' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: propertiesOf({ name: 'Executive Report', value: 'executiveReport' }, operations),
	};

	methods = methodsOf(operations);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, operations);
	}
}
