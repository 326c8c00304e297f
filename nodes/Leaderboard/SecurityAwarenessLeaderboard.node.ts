import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { toolOf } from '../core/run/aiTool';
import { methodsOf, propertiesOf, subtitleOf } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { operations } from './operations';

const RESOURCE = { name: 'Leaderboard', value: 'leaderboard' };

export class SecurityAwarenessLeaderboard implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Leaderboard',
		name: 'securityAwarenessLeaderboard',
		icon: { light: 'file:../../icons/leaderboard.svg', dark: 'file:../../icons/leaderboard.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: subtitleOf(operations),
		description:
			'Get or export the ranking of users by points and what they did, for one customer or for all; not every platform has all of it',
		defaults: { name: 'Security Awareness Leaderboard' },
		usableAsTool: toolOf(
			RESOURCE,
			operations,
			'Get the ranking of users by points and what they did, for one customer or for all',
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
