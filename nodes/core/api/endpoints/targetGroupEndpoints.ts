import { SEARCH_SORTED_BY_EMAIL, SEARCH_SORTED_BY_NAME, type EndpointTable } from '../endpointTraits';

export const TARGET_GROUP_ENDPOINTS = {
	'POST /api/target-groups': { isOptional: true },
	'DELETE /api/target-groups/{resourceId}': { isOptional: true },
	'GET /api/target-groups/{resourceId}': { isOptional: true },
	'PUT /api/target-groups/{resourceId}': { isOptional: true },
	'DELETE /api/target-groups/{resourceId}/users': { isOptional: true, hasBody: true },
	'POST /api/target-groups/{resourceId}/users': { ...SEARCH_SORTED_BY_EMAIL, isOptional: true },
	'POST /api/target-groups/search/current-company': SEARCH_SORTED_BY_NAME,
	'PUT /api/target-groups/users': { isOptional: true },
} satisfies EndpointTable;
