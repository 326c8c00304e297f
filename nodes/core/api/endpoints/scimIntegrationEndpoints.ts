import { SEARCH, type EndpointTable } from '../endpointTraits';

/** The endpoints of SCIM integrations. */
export const SCIM_INTEGRATION_ENDPOINTS = {
	'POST /api/scim': {},
	'DELETE /api/scim/{resourceId}': { optional: true },
	'GET /api/scim/{resourceId}': {},
	'PUT /api/scim/{resourceId}': {},
	'POST /api/scim/{resourceId}/revoke': { hasBody: false },
	'GET /api/scim/fields': {},
	'POST /api/scim/search': SEARCH,
} satisfies EndpointTable;
