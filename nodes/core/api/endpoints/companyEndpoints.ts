import { SEARCH, type EndpointTable } from '../endpointTraits';

/** The endpoints of companies. */
export const COMPANY_ENDPOINTS = {
	'POST /api/companies': {},
	'DELETE /api/companies/{resourceId}': { optional: true },
	'GET /api/companies/{resourceId}': { isPlatformWide: true },
	'PUT /api/companies/{resourceId}': { optional: true },
	'GET /api/companies/{resourceId}/license-check': { optional: true },
	'PUT /api/companies/limited': { optional: true },
	'GET /api/companies/my': {},
	'POST /api/companies/search': SEARCH,
	'POST /api/companies/search/export': { ...SEARCH, isExport: true },
	'GET /api/custom-fields/company': { optional: true },
} satisfies EndpointTable;
