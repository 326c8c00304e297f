import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { toolOf } from '../core/run/aiTool';
import { methodsOf, propertiesOf, subtitleOf } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { operations } from './operations';

const RESOURCE = { name: 'Executive Report', value: 'executiveReport' };

export class SecurityAwarenessExecutiveReport implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Executive Report',
		name: 'securityAwarenessExecutiveReport',
		icon: { light: 'file:../../icons/executiveReport.svg', dark: 'file:../../icons/executiveReport.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: subtitleOf(operations),
		description:
			'Get executive reports and the figures behind them, and schedule when and to whom they are mailed; not every platform has all of it',
		defaults: { name: 'Security Awareness Executive Report' },
		usableAsTool: toolOf(
			RESOURCE,
			operations,
			'Get executive reports and the figures behind them, for one customer or for all, and email reports on a schedule',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: propertiesOf(RESOURCE, operations),
	};

	methods = methodsOf(operations);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, operations);
	}
}
