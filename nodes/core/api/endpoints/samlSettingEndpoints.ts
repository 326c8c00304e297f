import { SEARCH, type EndpointTable } from '../endpointTraits';

/** The endpoints of SAML settings. */
export const SAML_SETTING_ENDPOINTS = {
	'POST /api/companies/saml-settings': {},
	'DELETE /api/companies/saml-settings/{resourceId}': { optional: true },
	'GET /api/companies/saml-settings/{resourceId}': {},
	'GET /api/companies/saml-settings/default': {},
	'POST /api/companies/saml-settings/search': { ...SEARCH, optional: true },
} satisfies EndpointTable;
