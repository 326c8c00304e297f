import { SEARCH_NEWEST_FIRST, type EndpointTable } from '../endpointTraits';

/** The endpoints of the domains that the platform sends emails to. The platform calls their list "allow list". */
export const ALLOWED_DOMAIN_ENDPOINTS = {
	'POST /api/allow-list': { isOptional: true },
	'DELETE /api/allow-list': { isOptional: true, hasBody: true },
	'PUT /api/allow-list/mark-as-verified/{resourceId}': { isOptional: true, hasBody: false },
	'POST /api/allow-list/search': { ...SEARCH_NEWEST_FIRST, isOptional: true },
	'POST /api/allow-list/search/export': { ...SEARCH_NEWEST_FIRST, isOptional: true, isExport: true },
	'POST /api/allow-list/txt-record': { isOptional: true, hasBody: false },
	'POST /api/allow-list/verify/{resourceId}': { isOptional: true, hasBody: false },
} satisfies EndpointTable;
