import {
	exportLeaderboardOperation,
	getManyLeaderboardUsersOperation,
	getTopPerformersOperation,
} from './leaderboardOperations';
import {
	exportUserTimelineOperation,
	getUserPerformanceOperation,
	getUserTimelineOperation,
} from './leaderboardUserOperations';

/** The operations of the Leaderboard node. The node's properties list their forms in this order. */
export const allLeaderboardOperations = [
	exportLeaderboardOperation,
	exportUserTimelineOperation,
	getManyLeaderboardUsersOperation,
	getTopPerformersOperation,
	getUserPerformanceOperation,
	getUserTimelineOperation,
];
