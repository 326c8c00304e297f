import type { EndpointTable } from '../endpointTraits';

export const ROLE_ENDPOINTS = {
	'GET /api/roles': {},
} satisfies EndpointTable;
