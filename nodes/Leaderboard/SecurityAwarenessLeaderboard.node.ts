import { NodeConnectionTypes, type IExecuteFunctions, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { buildAiTool } from '../core/run/aiTool';
import { buildListMethods, buildNodeProperties, buildSubtitle } from '../core/operation/nodeProperties';
import { runOperations } from '../core/run/runOperations';
import { leaderboardResources } from './leaderboardResources';

export class SecurityAwarenessLeaderboard implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Security Awareness Leaderboard',
		name: 'securityAwarenessLeaderboard',
		icon: { light: 'file:../../icons/leaderboard.svg', dark: 'file:../../icons/leaderboard.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle: buildSubtitle(leaderboardResources),
		description: 'List and export the ranking of users by points, and the actions of each user',
		defaults: { name: 'Security Awareness Leaderboard' },
		usableAsTool: buildAiTool(
			'leaderboard',
			leaderboardResources,
			'List the ranking of users by points, and what each user did',
		),
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'securityAwarenessOAuth2Api', required: true }],
		properties: buildNodeProperties(leaderboardResources),
	};

	resources = leaderboardResources;

	methods = buildListMethods(leaderboardResources);

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, leaderboardResources);
	}
}
