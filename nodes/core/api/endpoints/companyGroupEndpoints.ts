import { SEARCH_NEWEST_FIRST, type EndpointTable } from '../endpointTraits';

export const COMPANY_GROUP_ENDPOINTS = {
	'GET /api/company-groups': {},
	'POST /api/company-groups': {},
	'DELETE /api/company-groups/{resourceId}': { isOptional: true },
	'GET /api/company-groups/{resourceId}': {},
	'PUT /api/company-groups/{resourceId}': {},
	'POST /api/company-groups/{resourceId}/companies/search': { ...SEARCH_NEWEST_FIRST, isOptional: true },
	'DELETE /api/company-groups/{resourceId}/participants': { isOptional: true, hasBody: true },
	'PUT /api/company-groups/{resourceId}/participants': {},
	'POST /api/company-groups/search': SEARCH_NEWEST_FIRST,
	'POST /api/company-groups/search/export': { ...SEARCH_NEWEST_FIRST, isExport: true },
} satisfies EndpointTable;
