import { SEARCH_NEWEST_FIRST, type EndpointTable } from '../endpointTraits';

export const API_CLIENT_ENDPOINTS = {
	'POST /api/companies/clients': {},
	'DELETE /api/companies/clients/{resourceId}': {},
	'GET /api/companies/clients/{resourceId}': {},
	'PUT /api/companies/clients/{resourceId}': {},
	'GET /api/companies/clients/generate-client-credentials': { isReadOnly: false },
	'POST /api/companies/clients/search': SEARCH_NEWEST_FIRST,
} satisfies EndpointTable;
