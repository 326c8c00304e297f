import { SEARCH_SORTED_BY_EMAIL, type EndpointTable } from '../endpointTraits';

export const HUMAN_RISK_ENDPOINTS = {
	'POST /api/phishing-reporter/search': { ...SEARCH_SORTED_BY_EMAIL, isOptional: true },
} satisfies EndpointTable;
