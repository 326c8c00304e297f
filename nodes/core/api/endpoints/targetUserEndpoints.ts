import { SEARCH_SORTED_BY_EMAIL, type EndpointTable } from '../endpointTraits';

/** The endpoints of target users. */
export const TARGET_USER_ENDPOINTS = {
	'POST /api/target-users': { optional: true },
	'DELETE /api/target-users/{resourceId}': { optional: true },
	'GET /api/target-users/{resourceId}': { optional: true },
	'PUT /api/target-users/{resourceId}': { optional: true },
	'POST /api/target-users/{resourceId}/groups': { ...SEARCH_SORTED_BY_EMAIL, optional: true },
	'POST /api/target-users/{transactionId}/import': { optional: true },
	'POST /api/target-users/{transactionId}/search': { ...SEARCH_SORTED_BY_EMAIL, optional: true },
	'GET /api/target-users/count-summary': { optional: true },
	'POST /api/target-users/create-mapping': { optional: true },
	'GET /api/target-users/mapping-job/{resourceId}': { optional: true },
	'POST /api/target-users/search': { ...SEARCH_SORTED_BY_EMAIL, optional: true },
	'POST /api/target-users/search/export': { ...SEARCH_SORTED_BY_EMAIL, optional: true, isExport: true },
	'POST /api/target-users/upload': { optional: true },
	'GET /api/target-users/upload/{transactionId}': { optional: true },
} satisfies EndpointTable;
