import { SEARCH_NEWEST_FIRST, type EndpointTable } from '../endpointTraits';

export const SYSTEM_USER_ENDPOINTS = {
	'POST /api/system-users': {},
	'DELETE /api/system-users/{resourceId}': { isOptional: true },
	'PUT /api/system-users/{resourceId}': { isOptional: true },
	'POST /api/system-users/search': { ...SEARCH_NEWEST_FIRST, isOptional: true },
} satisfies EndpointTable;
