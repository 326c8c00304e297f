import {
	SORTED_BY_FIRST_NAME,
	SEARCH_NEWEST_FIRST,
	SEARCH_SORTED_BY_EMAIL,
	SEARCH_SORTED_BY_NAME,
	type EndpointTable,
} from '../endpointTraits';

/**
 * The endpoints that all simulators have. SIM stands for the simulator's name (contract 4.9; deployment beyond,
 * "Campaigns").
 */
export const SHARED_SIMULATOR_ENDPOINTS = {
	'POST /api/SIM-simulator/domain-records/search': { ...SEARCH_NEWEST_FIRST, isOptional: true },
	'POST /api/SIM-simulator/SIM-campaign': { isOptional: true },
	'DELETE /api/SIM-simulator/SIM-campaign/{resourceId}': { isOptional: true },
	// Only the path for phishing is documented. The others follow from their base path (deployment behaviour 2).
	'GET /api/SIM-simulator/SIM-campaign/form-details': { isOptional: true },
	'GET /api/SIM-simulator/SIM-campaign/{resourceId}': { isOptional: true },
	'POST /api/SIM-simulator/SIM-campaign-job-report/{searchType}/search/{resourceId}/{instanceGroup}':
		SEARCH_SORTED_BY_EMAIL,
	'POST /api/SIM-simulator/SIM-campaign-job-report/{searchType}/search/export/{resourceId}/{instanceGroup}': {
		...SEARCH_SORTED_BY_EMAIL,
		isOptional: true,
		isExport: true,
	},
	'GET /api/SIM-simulator/SIM-campaign-job-report/export/{resourceId}/{instanceGroup}': { isOptional: true },
	'POST /api/SIM-simulator/SIM-campaign-job-report/search': SEARCH_SORTED_BY_NAME,
	'POST /api/SIM-simulator/SIM-campaign-job-report/search-email-clicked/{resourceId}': SEARCH_SORTED_BY_EMAIL,
	'POST /api/SIM-simulator/SIM-campaign-job-report/search-email-opened/{resourceId}': SEARCH_SORTED_BY_EMAIL,
	'POST /api/SIM-simulator/SIM-campaign-job-report/search-email-submitted/{resourceId}': SEARCH_SORTED_BY_EMAIL,
	'POST /api/SIM-simulator/SIM-campaign-job-report/search/export': { ...SEARCH_SORTED_BY_NAME, isExport: true },
	'GET /api/SIM-simulator/SIM-campaign-job-report/summary/{resourceId}/{instanceGroup}': {},
	'POST /api/SIM-simulator/SIM-campaign-job/resend/{resourceId}/{instanceGroup}': { isOptional: true },
	'POST /api/SIM-simulator/SIM-campaign-job/resend/list/{resourceId}/{instanceGroup}': { isOptional: true },
	'POST /api/SIM-simulator/SIM-campaign-job/start/{resourceId}': { isOptional: true },
	'PATCH /api/SIM-simulator/SIM-campaign-job/stop/{resourceId}/{instanceGroup}': { isOptional: true, hasBody: false },
	'POST /api/SIM-simulator/SIM-campaign/search': SEARCH_NEWEST_FIRST,
	'POST /api/SIM-simulator/SIM-campaign/search/export': { ...SEARCH_NEWEST_FIRST, isExport: true },
	'POST /api/SIM-simulator/SIM-scenario/search': { ...SEARCH_SORTED_BY_NAME, isOptional: true },
} satisfies EndpointTable;

/** The endpoints that only one or two simulators have, or whose traits differ between simulators. */
export const SIMULATOR_ENDPOINTS = {
	'POST /api/phishing-simulator/phishing-campaign-job-report/activity-users/search': {
		...SEARCH_SORTED_BY_EMAIL,
		isOptional: true,
		defaultOrder: SORTED_BY_FIRST_NAME,
	},
	'POST /api/phishing-simulator/phishing-campaign-job-report/search-email-reported/{resourceId}': {
		...SEARCH_SORTED_BY_EMAIL,
		isOptional: true,
	},
	'POST /api/quishing-simulator/quishing-campaign-job-report/search-email-reported/{resourceId}': {
		...SEARCH_SORTED_BY_EMAIL,
		isOptional: true,
	},
	'POST /api/smishing-simulator/smishing-campaign-job-report/search-email-clicked/{resourceId}': {
		...SEARCH_SORTED_BY_EMAIL,
		alternativeEndpoint: 'POST /api/smishing-simulator/smishing-campaign-job-report/search-sms-clicked/{resourceId}',
	},
	'POST /api/smishing-simulator/smishing-campaign-job-report/search-email-submitted/{resourceId}': {
		...SEARCH_SORTED_BY_EMAIL,
		alternativeEndpoint: 'POST /api/smishing-simulator/smishing-campaign-job-report/search-sms-submitted/{resourceId}',
	},
	'POST /api/smishing-simulator/smishing-campaign-job-report/search-sms-clicked/{resourceId}': {
		...SEARCH_SORTED_BY_EMAIL,
		isOptional: true,
	},
	'POST /api/smishing-simulator/smishing-campaign-job-report/search-sms-submitted/{resourceId}': {
		...SEARCH_SORTED_BY_EMAIL,
		isOptional: true,
	},
} satisfies EndpointTable;
