import type { EndpointTable } from '../endpointTraits';

/** The endpoints of the Google Workspace connection. */
export const GOOGLE_OAUTH_ENDPOINTS = {
	'GET /api/googleoauth/authorize': { isReadOnly: false },
	'GET /api/googleoauth/callback': { isReadOnly: false },
	'DELETE /api/googleoauth/revoke': {},
} satisfies EndpointTable;
