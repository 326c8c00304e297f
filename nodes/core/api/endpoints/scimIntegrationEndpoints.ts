import { SEARCH_NEWEST_FIRST, type EndpointTable } from '../endpointTraits';

export const SCIM_INTEGRATION_ENDPOINTS = {
	'POST /api/scim': {},
	'DELETE /api/scim/{resourceId}': { isOptional: true },
	'GET /api/scim/{resourceId}': {},
	'PUT /api/scim/{resourceId}': {},
	'POST /api/scim/{resourceId}/revoke': { hasBody: false },
	'GET /api/scim/fields': {},
	'POST /api/scim/search': SEARCH_NEWEST_FIRST,
} satisfies EndpointTable;
