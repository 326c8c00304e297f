import type { EndpointTable } from '../endpointTraits';

/** The endpoints of roles. */
export const ROLE_ENDPOINTS = {
	'GET /api/roles': {},
} satisfies EndpointTable;
