import { SEARCH_NEWEST_FIRST, type EndpointTable } from '../endpointTraits';

/** The endpoints of emails that people reported. The platform calls them "notified emails". */
export const REPORTED_EMAIL_ENDPOINTS = {
	'GET /api/notified-emails/{resourceId}': { isOptional: true },
	'PUT /api/notified-emails/{resourceId}': { isOptional: true },
	'POST /api/notified-emails/search': { ...SEARCH_NEWEST_FIRST, isOptional: true },
	'POST /api/notified-emails/search/export': { ...SEARCH_NEWEST_FIRST, isOptional: true, isExport: true },
} satisfies EndpointTable;
