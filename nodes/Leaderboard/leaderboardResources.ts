import type { NodeResource } from '../core/operation/nodeResource';
import {
	exportLeaderboardOperation,
	getManyLeaderboardUsersOperation,
	getTopPerformersOperation,
} from './leaderboardOperations';
import {
	exportUserTimelineOperation,
	getManyUsersWithTimelineOperation,
	getUserPerformanceOperation,
	getUserTimelineOperation,
} from './leaderboardUserOperations';

/** The n8n resources of the Leaderboard node. The node opens on the first one. */
export const leaderboardResources: NodeResource[] = [
	{
		value: 'leaderboard',
		name: 'Leaderboard',
		defaultOperation: 'getMany',
		operations: [exportLeaderboardOperation, getManyLeaderboardUsersOperation, getTopPerformersOperation],
	},
	{
		value: 'user',
		name: 'User',
		defaultOperation: 'getTimeline',
		operations: [
			exportUserTimelineOperation,
			getManyUsersWithTimelineOperation,
			getUserPerformanceOperation,
			getUserTimelineOperation,
		],
	},
];
