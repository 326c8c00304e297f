import { SEARCH, type EndpointTable } from '../endpointTraits';

/** The endpoints of system users. */
export const SYSTEM_USER_ENDPOINTS = {
	'POST /api/system-users': {},
	'DELETE /api/system-users/{resourceId}': { optional: true },
	'PUT /api/system-users/{resourceId}': { optional: true },
	'POST /api/system-users/search': { ...SEARCH, optional: true },
} satisfies EndpointTable;
