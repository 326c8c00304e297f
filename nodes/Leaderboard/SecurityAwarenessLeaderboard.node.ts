import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { allLeaderboardOperations } from './operations';

const RESOURCE = { name: 'Leaderboard', value: 'leaderboard' };

export class SecurityAwarenessLeaderboard implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Leaderboard',
		name: 'securityAwarenessLeaderboard',
		icon: { light: 'file:../../icons/leaderboard.svg', dark: 'file:../../icons/leaderboard.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: buildSubtitle(allLeaderboardOperations),
		description:
			'Get or export the ranking of users by points and what they did, for one customer or for all; not every platform has all of it',
		defaults: { name: 'Security Awareness Leaderboard' },
		usableAsTool: buildAiTool(
			RESOURCE,
			allLeaderboardOperations,
			'Get the ranking of users by points and what they did, for one customer or for all',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(RESOURCE, allLeaderboardOperations),
	};

	operations = allLeaderboardOperations;

	methods = buildListMethods(allLeaderboardOperations);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, allLeaderboardOperations);
	}
}
