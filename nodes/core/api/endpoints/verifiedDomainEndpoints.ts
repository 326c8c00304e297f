import type { EndpointTable } from '../endpointTraits';

export const VERIFIED_DOMAIN_ENDPOINTS = {
	'GET /api/allow-list/search/verified': { isOptional: true },
} satisfies EndpointTable;
