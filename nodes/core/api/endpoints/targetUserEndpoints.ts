import { SEARCH_SORTED_BY_EMAIL, type EndpointTable } from '../endpointTraits';

export const TARGET_USER_ENDPOINTS = {
	'POST /api/target-users': { isOptional: true },
	'DELETE /api/target-users/{resourceId}': { isOptional: true },
	'GET /api/target-users/{resourceId}': { isOptional: true },
	'PUT /api/target-users/{resourceId}': { isOptional: true },
	'POST /api/target-users/{resourceId}/groups': { ...SEARCH_SORTED_BY_EMAIL, isOptional: true },
	'POST /api/target-users/{transactionId}/import': { isOptional: true },
	'POST /api/target-users/{transactionId}/search': { ...SEARCH_SORTED_BY_EMAIL, isOptional: true },
	'GET /api/target-users/count-summary': { isOptional: true },
	'POST /api/target-users/create-mapping': { isOptional: true },
	'GET /api/target-users/mapping-job/{resourceId}': { isOptional: true },
	'POST /api/target-users/search': { ...SEARCH_SORTED_BY_EMAIL, isOptional: true },
	'POST /api/target-users/search/export': { ...SEARCH_SORTED_BY_EMAIL, isOptional: true, isExport: true },
	'POST /api/target-users/upload': { isOptional: true },
	'GET /api/target-users/upload/{transactionId}': { isOptional: true },
} satisfies EndpointTable;
