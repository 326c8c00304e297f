import {
	LATEST_ACTION_FIRST,
	LOWEST_RANK_FIRST,
	SEARCH,
	SEARCH_SORTED_BY_EMAIL,
	type EndpointTable,
} from '../endpointTraits';

/** The endpoints of the leaderboard. */
export const LEADERBOARD_ENDPOINTS = {
	'GET /api/leaderboard/form-details': { optional: true },
	'POST /api/leaderboard/get-all': {
		...SEARCH,
		optional: true,
		defaultOrder: LOWEST_RANK_FIRST,
		nestsPagination: true,
	},
	'POST /api/leaderboard/get-all/export': { ...SEARCH_SORTED_BY_EMAIL, nestsPagination: true, isExport: true },
	'POST /api/leaderboard/get-top-performers': {
		...SEARCH,
		optional: true,
		defaultOrder: LOWEST_RANK_FIRST,
		nestsPagination: true,
	},
	'POST /api/leaderboard/get-user-timeline': {
		...SEARCH,
		optional: true,
		defaultOrder: LATEST_ACTION_FIRST,
		nestsPagination: true,
	},
	'POST /api/leaderboard/get-user-timeline/export': {
		...SEARCH_SORTED_BY_EMAIL,
		nestsPagination: true,
		isExport: true,
	},
	'POST /api/leaderboard/user-performance': { ...SEARCH, optional: true },
} satisfies EndpointTable;
