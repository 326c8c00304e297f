import {
	LATEST_ACTION_FIRST,
	LOWEST_RANK_FIRST,
	SEARCH_NEWEST_FIRST,
	SEARCH_SORTED_BY_EMAIL,
	type EndpointTable,
} from '../endpointTraits';

export const LEADERBOARD_ENDPOINTS = {
	'GET /api/leaderboard/form-details': { isOptional: true },
	'POST /api/leaderboard/get-all': {
		...SEARCH_NEWEST_FIRST,
		isOptional: true,
		defaultOrder: LOWEST_RANK_FIRST,
		paginationField: 'pagination',
	},
	'POST /api/leaderboard/get-all/export': { ...SEARCH_SORTED_BY_EMAIL, paginationField: 'pagination', isExport: true },
	'POST /api/leaderboard/get-top-performers': {
		...SEARCH_NEWEST_FIRST,
		isOptional: true,
		defaultOrder: LOWEST_RANK_FIRST,
		paginationField: 'pagination',
	},
	'POST /api/leaderboard/get-user-timeline': {
		...SEARCH_NEWEST_FIRST,
		isOptional: true,
		defaultOrder: LATEST_ACTION_FIRST,
		paginationField: 'pagination',
	},
	'POST /api/leaderboard/get-user-timeline/export': {
		...SEARCH_SORTED_BY_EMAIL,
		paginationField: 'pagination',
		isExport: true,
	},
	'POST /api/leaderboard/search-with-timeline': {
		...SEARCH_NEWEST_FIRST,
		isOptional: true,
		defaultOrder: LOWEST_RANK_FIRST,
		paginationField: 'userPagination',
	},
	'POST /api/leaderboard/user-performance': { ...SEARCH_NEWEST_FIRST, isOptional: true },
} satisfies EndpointTable;
