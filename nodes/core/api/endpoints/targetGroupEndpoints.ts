import { SEARCH_SORTED_BY_EMAIL, SEARCH_SORTED_BY_NAME, type EndpointTable } from '../endpointTraits';

/** The endpoints of target groups. */
export const TARGET_GROUP_ENDPOINTS = {
	'POST /api/target-groups': { optional: true },
	'DELETE /api/target-groups/{resourceId}': { optional: true },
	'GET /api/target-groups/{resourceId}': { optional: true },
	'PUT /api/target-groups/{resourceId}': { optional: true },
	'DELETE /api/target-groups/{resourceId}/users': { optional: true, hasBody: true },
	'POST /api/target-groups/{resourceId}/users': { ...SEARCH_SORTED_BY_EMAIL, optional: true },
	'POST /api/target-groups/search/current-company': SEARCH_SORTED_BY_NAME,
	'PUT /api/target-groups/users': { optional: true },
} satisfies EndpointTable;
