import { SEARCH, type EndpointTable } from '../endpointTraits';

/** The endpoints of emails that people reported. */
export const REPORTED_EMAIL_ENDPOINTS = {
	'GET /api/notified-emails/{resourceId}': { optional: true },
	'PUT /api/notified-emails/{resourceId}': { optional: true },
	'POST /api/notified-emails/search': { ...SEARCH, optional: true },
	'POST /api/notified-emails/search/export': { ...SEARCH, optional: true, isExport: true },
} satisfies EndpointTable;
