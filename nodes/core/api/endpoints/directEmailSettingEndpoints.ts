import { SEARCH_SORTED_BY_NAME, type EndpointTable } from '../endpointTraits';

/** The endpoints of direct email settings. */
export const DIRECT_EMAIL_SETTING_ENDPOINTS = {
	'POST /api/companies/direct-email-settings': {},
	'DELETE /api/companies/direct-email-settings/{resourceId}': { optional: true },
	'GET /api/companies/direct-email-settings/{resourceId}': { optional: true },
	'PUT /api/companies/direct-email-settings/make-default/{resourceId}': { hasBody: false },
	'POST /api/companies/direct-email-settings/search': { ...SEARCH_SORTED_BY_NAME, optional: true },
	'POST /api/companies/direct-email-settings/test': {},
} satisfies EndpointTable;
