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

/** The operations of the Leaderboard node, in the order of its form fields. */
export const allLeaderboardOperations = [
	exportLeaderboardOperation,
	exportUserTimelineOperation,
	getManyLeaderboardUsersOperation,
	getTopPerformersOperation,
	getUserPerformanceOperation,
	getUserTimelineOperation,
];
