import { SEARCH_SORTED_BY_NAME, type EndpointTable } from '../endpointTraits';

export const DIRECT_EMAIL_SETTING_ENDPOINTS = {
	'POST /api/companies/direct-email-settings': {},
	'DELETE /api/companies/direct-email-settings/{resourceId}': { isOptional: true },
	'GET /api/companies/direct-email-settings/{resourceId}': { isOptional: true },
	'PUT /api/companies/direct-email-settings/make-default/{resourceId}': { hasBody: false },
	'POST /api/companies/direct-email-settings/search': { ...SEARCH_SORTED_BY_NAME, isOptional: true },
	'POST /api/companies/direct-email-settings/test': {},
} satisfies EndpointTable;
