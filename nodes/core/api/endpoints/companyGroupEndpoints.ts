import { SEARCH, type EndpointTable } from '../endpointTraits';

/** The endpoints of company groups. */
export const COMPANY_GROUP_ENDPOINTS = {
	'GET /api/company-groups': {},
	'POST /api/company-groups': {},
	'DELETE /api/company-groups/{resourceId}': { optional: true },
	'GET /api/company-groups/{resourceId}': {},
	'PUT /api/company-groups/{resourceId}': {},
	'POST /api/company-groups/{resourceId}/companies/search': { ...SEARCH, optional: true },
	'DELETE /api/company-groups/{resourceId}/participants': { optional: true, hasBody: true },
	'PUT /api/company-groups/{resourceId}/participants': {},
	'POST /api/company-groups/search': SEARCH,
	'POST /api/company-groups/search/export': { ...SEARCH, isExport: true },
} satisfies EndpointTable;
