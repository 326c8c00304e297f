import { SEARCH_NEWEST_FIRST, type EndpointTable } from '../endpointTraits';

export const SAML_SETTING_ENDPOINTS = {
	'POST /api/companies/saml-settings': {},
	'DELETE /api/companies/saml-settings/{resourceId}': { isOptional: true },
	'GET /api/companies/saml-settings/{resourceId}': {},
	'GET /api/companies/saml-settings/default': {},
	'POST /api/companies/saml-settings/search': { ...SEARCH_NEWEST_FIRST, isOptional: true },
} satisfies EndpointTable;
