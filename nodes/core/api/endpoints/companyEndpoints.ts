import { SEARCH_NEWEST_FIRST, SEARCH_SORTED_BY_NAME, type EndpointTable } from '../endpointTraits';

export const COMPANY_ENDPOINTS = {
	'POST /api/companies': {},
	'DELETE /api/companies/{resourceId}': { isOptional: true },
	'GET /api/companies/{resourceId}': { isPlatformWide: true },
	'PUT /api/companies/{resourceId}': { isOptional: true },
	'GET /api/companies/{resourceId}/license-check': { isOptional: true },
	'PUT /api/companies/limited': { isOptional: true },
	'GET /api/companies/my': {},
	'GET /api/companies/privacy': { isOptional: true },
	'POST /api/companies/search': SEARCH_NEWEST_FIRST,
	'POST /api/companies/search/export': { ...SEARCH_NEWEST_FIRST, isExport: true },
	'POST /api/companies/smtp-settings/search': { ...SEARCH_SORTED_BY_NAME, isOptional: true },
	'GET /api/custom-fields/company': { isOptional: true },
} satisfies EndpointTable;
