/** The simulators, which differ only in their name (contract 4.9). */
export const SIMULATORS = ['phishing', 'quishing', 'smishing'] as const;
export type Simulator = (typeof SIMULATORS)[number];

/** How a list is sorted (contract 2.2). */
export interface Order {
	orderBy: string;
	ascending: boolean;
}

/** What is so of an endpoint, where it is not as usual. */
export interface Facts {
	/** Whether section 4 of the contract does not have it, so that a platform may lack it (404). */
	optional?: boolean;
	/** Whether sending it twice does no harm. Unless told, this is so of GET alone. */
	reads?: boolean;
	/** Whether it takes a body. Unless told, this is so of POST, PUT and PATCH. */
	hasBody?: boolean;
	/** The order that a list or an export is known to accept (deployment behaviour, "Search bodies"); unless told, the newest first. */
	order?: Order;
	/** Whether it gives the records of the search beside it, whose path lacks "export", as a file. */
	isExport?: boolean;
	/** Whether the page and the order are in an object of their own, `pagination` (deployment facts). */
	pageInside?: boolean;
	/** The training type without which a survey is refused (deployment behaviour, "Training reports"). */
	typeOfSurvey?: number;
	/** Whether it needs the company in a second header, too (deployment behaviour). */
	secondHeader?: boolean;
	/** Where else some platforms have it (deployment facts). */
	elsewhere?: string;
	/** Whether what it tells belongs to the platform, not to a company. */
	ofPlatform?: boolean;
	/** The field of the body that is sent alone, without the object around it (deployment activity, 4). */
	bare?: string;
}

/** A search, with the newest first. */
const LIST = { reads: true };
/** Searches that are known to be sorted by a name, and by an e-mail address. */
const NAMED = { reads: true, order: { orderBy: 'Name', ascending: true } };
const PEOPLE = { reads: true, order: { orderBy: 'Email', ascending: true } };
// Of rows without a create time, by their own fields (deployment beyond; certificates: deployment shapes).
const BY_RANK = { orderBy: 'Rank', ascending: true };
const BY_USER_EMAIL = { orderBy: 'userEmail', ascending: true };
const BY_FIRST_NAME = { orderBy: 'FirstName', ascending: true };
const LATEST_ACTION = { orderBy: 'ActionTime', ascending: false };
const LATEST_LOG = { orderBy: 'LogDate', ascending: false };

/** The endpoints of each simulator; SIM stands for its name (contract 4.9; deployment beyond). */
const OF_SIMULATORS = {
	'POST /api/SIM-simulator/SIM-campaign': { optional: true },
	'DELETE /api/SIM-simulator/SIM-campaign/{resourceId}': { optional: true },
	// Of the others by their base path (deployment behaviour, 2).
	'GET /api/SIM-simulator/SIM-campaign/form-details': { optional: true },
	'GET /api/SIM-simulator/SIM-campaign/{resourceId}': { optional: true },
	'POST /api/SIM-simulator/SIM-campaign-job-report/{searchType}/search/{resourceId}/{instanceGroup}': PEOPLE,
	'POST /api/SIM-simulator/SIM-campaign-job-report/{searchType}/search/export/{resourceId}/{instanceGroup}': {
		...PEOPLE,
		optional: true,
		isExport: true,
	},
	'GET /api/SIM-simulator/SIM-campaign-job-report/export/{resourceId}/{instanceGroup}': { optional: true },
	'POST /api/SIM-simulator/SIM-campaign-job-report/search': NAMED,
	'POST /api/SIM-simulator/SIM-campaign-job-report/search-email-clicked/{resourceId}': PEOPLE,
	'POST /api/SIM-simulator/SIM-campaign-job-report/search-email-opened/{resourceId}': PEOPLE,
	'POST /api/SIM-simulator/SIM-campaign-job-report/search-email-submitted/{resourceId}': PEOPLE,
	'POST /api/SIM-simulator/SIM-campaign-job-report/search/export': { ...NAMED, isExport: true },
	'GET /api/SIM-simulator/SIM-campaign-job-report/summary/{resourceId}/{instanceGroup}': {},
	'POST /api/SIM-simulator/SIM-campaign-job/resend/{resourceId}/{instanceGroup}': { optional: true },
	'POST /api/SIM-simulator/SIM-campaign-job/resend/list/{resourceId}/{instanceGroup}': { optional: true },
	'POST /api/SIM-simulator/SIM-campaign-job/start/{resourceId}': { optional: true },
	'PATCH /api/SIM-simulator/SIM-campaign-job/stop/{resourceId}/{instanceGroup}': { optional: true, hasBody: false },
	'POST /api/SIM-simulator/SIM-campaign/search': LIST,
	'POST /api/SIM-simulator/SIM-campaign/search/export': { ...LIST, isExport: true },
	'POST /api/SIM-simulator/SIM-scenario/search': { ...NAMED, optional: true },
} satisfies Record<string, Facts>;

/** All other endpoints, and those of one simulator that are not as the other two have them. */
const OTHERS = {
	'POST /api/account/login': {},
	'GET /api/account/logout': { reads: false },
	'POST /api/agent-auth/login-url': { optional: true },
	'POST /api/agent-auth/token': { optional: true },
	'POST /api/audit-logs/search': { ...LIST, optional: true, order: LATEST_LOG },
	'GET /api/codetypes': { optional: true, ofPlatform: true },
	'POST /api/companies': {},
	'DELETE /api/companies/{resourceId}': { optional: true },
	'GET /api/companies/{resourceId}': { ofPlatform: true },
	'PUT /api/companies/{resourceId}': { optional: true },
	'GET /api/companies/{resourceId}/license-check': { optional: true },
	'POST /api/companies/clients': {},
	'DELETE /api/companies/clients/{resourceId}': {},
	'GET /api/companies/clients/{resourceId}': {},
	'PUT /api/companies/clients/{resourceId}': {},
	'GET /api/companies/clients/generate-client-credentials': { reads: false },
	'POST /api/companies/clients/search': LIST,
	'POST /api/companies/direct-email-settings': {},
	'DELETE /api/companies/direct-email-settings/{resourceId}': { optional: true },
	'GET /api/companies/direct-email-settings/{resourceId}': { optional: true },
	'PUT /api/companies/direct-email-settings/make-default/{resourceId}': { hasBody: false },
	'POST /api/companies/direct-email-settings/search': { ...NAMED, optional: true },
	'POST /api/companies/direct-email-settings/test': {},
	'PUT /api/companies/limited': { optional: true },
	'GET /api/companies/my': {},
	'POST /api/companies/saml-settings': {},
	'DELETE /api/companies/saml-settings/{resourceId}': { optional: true },
	'GET /api/companies/saml-settings/{resourceId}': {},
	'GET /api/companies/saml-settings/default': {},
	'POST /api/companies/saml-settings/search': { ...LIST, optional: true },
	'POST /api/companies/search': LIST,
	'POST /api/companies/search/export': { ...LIST, isExport: true },
	'GET /api/company-groups': {},
	'POST /api/company-groups': {},
	'DELETE /api/company-groups/{resourceId}': { optional: true },
	'GET /api/company-groups/{resourceId}': {},
	'PUT /api/company-groups/{resourceId}': {},
	'POST /api/company-groups/{resourceId}/companies/search': { ...LIST, optional: true },
	'DELETE /api/company-groups/{resourceId}/participants': { optional: true, hasBody: true },
	'PUT /api/company-groups/{resourceId}/participants': {},
	'POST /api/company-groups/search': LIST,
	'POST /api/company-groups/search/export': { ...LIST, isExport: true },
	'GET /api/custom-fields/company': { optional: true },
	'POST /api/enrollments': { secondHeader: true },
	'POST /api/enrollments/{enrollmentId}/certificates/search': { ...LIST, order: BY_USER_EMAIL, secondHeader: true },
	'DELETE /api/enrollments/{resourceId}': { optional: true, secondHeader: true },
	'GET /api/enrollments/{resourceId}': { secondHeader: true },
	'PUT /api/enrollments/{resourceId}': { optional: true, secondHeader: true },
	'POST /api/enrollments/{resourceId}/send': { hasBody: false, secondHeader: true },
	'POST /api/enrollments/{resourceId}/stop': { optional: true, hasBody: false, secondHeader: true },
	'POST /api/enrollments/{resourceId}/stop-autoenroll': { optional: true, hasBody: false, secondHeader: true },
	'POST /api/enrollments/{resourceId}/stop-reminder': { optional: true, hasBody: false, secondHeader: true },
	'DELETE /api/enrollments/archive/{resourceId}': { optional: true, secondHeader: true },
	'POST /api/enrollments/archive/{resourceId}/restore': { optional: true, hasBody: false, secondHeader: true },
	'POST /api/enrollments/archive/search': { ...LIST, optional: true, secondHeader: true },
	'GET /api/enrollments/form-details': { secondHeader: true },
	'POST /api/enrollments/resend-certificate': { optional: true, bare: 'people', secondHeader: true },
	'POST /api/enrollments/search': { ...LIST, secondHeader: true },
	'POST /api/enrollments/search/export': { ...LIST, optional: true, secondHeader: true, isExport: true },
	'GET /api/executive-report/{resourceId}': { optional: true },
	'POST /api/executive-report/get-widget-datas': LIST,
	'GET /api/executive-report/metrics': { optional: true },
	'POST /api/executive-report/search': LIST,
	'GET /api/googleoauth/authorize': { reads: false },
	'GET /api/googleoauth/callback': { reads: false },
	'DELETE /api/googleoauth/revoke': {},
	'GET /api/leaderboard/form-details': { optional: true },
	'POST /api/leaderboard/get-all': { ...LIST, optional: true, order: BY_RANK, pageInside: true },
	'POST /api/leaderboard/get-all/export': { ...PEOPLE, pageInside: true, isExport: true },
	'POST /api/leaderboard/get-top-performers': { ...LIST, optional: true, order: BY_RANK, pageInside: true },
	'POST /api/leaderboard/get-user-timeline': { ...LIST, optional: true, order: LATEST_ACTION, pageInside: true },
	'POST /api/leaderboard/get-user-timeline/export': { ...PEOPLE, pageInside: true, isExport: true },
	'POST /api/leaderboard/user-performance': { ...LIST, optional: true },
	'GET /api/lookups/{typeId}': { optional: true, ofPlatform: true },
	'GET /api/lookups/licenses': { optional: true, ofPlatform: true },
	'POST /api/notifications/{enrollmentId}/search': LIST,
	'GET /api/notified-emails/{resourceId}': { optional: true },
	'PUT /api/notified-emails/{resourceId}': { optional: true },
	'POST /api/notified-emails/search': { ...LIST, optional: true },
	'POST /api/notified-emails/search/export': { ...LIST, optional: true, isExport: true },
	'POST /api/report-scheduling': { optional: true },
	'DELETE /api/report-scheduling/{resourceId}/{reportType}': { optional: true },
	'GET /api/report-scheduling/{resourceId}': { optional: true },
	'PUT /api/report-scheduling/{resourceId}': { optional: true },
	'PUT /api/report-scheduling/{resourceId}/status/{statusId}': { optional: true, hasBody: false },
	'POST /api/report-scheduling/search': { ...LIST, optional: true },
	'GET /api/roles': {},
	'POST /api/scim': {},
	'DELETE /api/scim/{resourceId}': { optional: true },
	'GET /api/scim/{resourceId}': {},
	'PUT /api/scim/{resourceId}': {},
	'POST /api/scim/{resourceId}/revoke': { hasBody: false },
	'GET /api/scim/fields': {},
	'POST /api/scim/search': LIST,
	'POST /api/system-users': {},
	'DELETE /api/system-users/{resourceId}': { optional: true },
	'PUT /api/system-users/{resourceId}': { optional: true },
	'POST /api/system-users/search': { ...LIST, optional: true },
	'POST /api/target-groups': { optional: true },
	'DELETE /api/target-groups/{resourceId}': { optional: true },
	'GET /api/target-groups/{resourceId}': { optional: true },
	'PUT /api/target-groups/{resourceId}': { optional: true },
	'DELETE /api/target-groups/{resourceId}/users': { optional: true, hasBody: true },
	'POST /api/target-groups/{resourceId}/users': { ...PEOPLE, optional: true },
	'POST /api/target-groups/search/current-company': NAMED,
	'PUT /api/target-groups/users': { optional: true },
	'POST /api/target-users': { optional: true },
	'DELETE /api/target-users/{resourceId}': { optional: true },
	'GET /api/target-users/{resourceId}': { optional: true },
	'PUT /api/target-users/{resourceId}': { optional: true },
	'POST /api/target-users/{resourceId}/groups': { ...PEOPLE, optional: true },
	'POST /api/target-users/{transactionId}/import': { optional: true },
	'POST /api/target-users/{transactionId}/search': { ...PEOPLE, optional: true },
	'GET /api/target-users/count-summary': { optional: true },
	'POST /api/target-users/create-mapping': { optional: true },
	'GET /api/target-users/mapping-job/{resourceId}': { optional: true },
	'POST /api/target-users/search': { ...PEOPLE, optional: true },
	'POST /api/target-users/search/export': { ...PEOPLE, optional: true, isExport: true },
	'POST /api/target-users/upload': { optional: true },
	'GET /api/target-users/upload/{transactionId}': { optional: true },
	'GET /api/timezone/timezones': { optional: true, ofPlatform: true },
	'GET /api/training-reports/{enrollmentId}/interactions/{targetUserResourceId}': { typeOfSurvey: 0 },
	'POST /api/training-reports/{enrollmentId}/{tab}/resend': { optional: true },
	'POST /api/training-reports/activity-users/search': { ...PEOPLE, optional: true, order: BY_FIRST_NAME },
	'POST /api/training-reports/{enrollmentId}/reminder-mails/search': PEOPLE,
	'POST /api/training-reports/{enrollmentId}/resend': { optional: true },
	'POST /api/training-reports/{enrollmentId}/sending-report/search': PEOPLE,
	'POST /api/training-reports/{enrollmentId}/sending-report/search/export': { ...PEOPLE, isExport: true },
	'GET /api/training-reports/{enrollmentId}/summary': { typeOfSurvey: 0 },
	'POST /api/training-reports/{enrollmentId}/users/search': { ...PEOPLE, typeOfSurvey: 0 },
	'POST /api/training-reports/{enrollmentId}/users/search/export': { ...PEOPLE, optional: true, isExport: true },
	'GET /api/training-reports/form-details': { optional: true },
	'POST /api/trainings/search': NAMED,
	'POST /api/v2/agent-auth/login-url': { elsewhere: 'POST /api/agent-auth/login-url' },
	'POST /api/v2/agent-auth/token': { elsewhere: 'POST /api/agent-auth/token' },
	'POST /api/phishing-simulator/phishing-campaign-job-report/activity-users/search': {
		...PEOPLE,
		optional: true,
		order: BY_FIRST_NAME,
	},
	'POST /api/phishing-simulator/phishing-campaign-job-report/search-email-reported/{resourceId}': {
		...PEOPLE,
		optional: true,
	},
	'POST /api/quishing-simulator/quishing-campaign-job-report/search-email-reported/{resourceId}': {
		...PEOPLE,
		optional: true,
	},
	'POST /api/smishing-simulator/smishing-campaign-job-report/search-email-clicked/{resourceId}': {
		...PEOPLE,
		elsewhere: 'POST /api/smishing-simulator/smishing-campaign-job-report/search-sms-clicked/{resourceId}',
	},
	'POST /api/smishing-simulator/smishing-campaign-job-report/search-email-submitted/{resourceId}': {
		...PEOPLE,
		elsewhere: 'POST /api/smishing-simulator/smishing-campaign-job-report/search-sms-submitted/{resourceId}',
	},
	'POST /api/smishing-simulator/smishing-campaign-job-report/search-sms-clicked/{resourceId}': {
		...PEOPLE,
		optional: true,
	},
	'POST /api/smishing-simulator/smishing-campaign-job-report/search-sms-submitted/{resourceId}': {
		...PEOPLE,
		optional: true,
	},
} satisfies Record<string, Facts>;

/** The endpoint of a simulator, by its key with SIM in it. */
export type KeyOf<K extends string, S extends Simulator> = S extends Simulator
	? K extends `${infer Before}SIM-simulator/SIM-${infer After}`
		? `${Before}${S}-simulator/${S}-${After}`
		: never
	: never;

type SimulatorKey = keyof typeof OF_SIMULATORS;

/** The key of a simulator's endpoint. @param key with SIM for the name of the simulator */
export const ofSimulator = <K extends SimulatorKey, S extends Simulator>(simulator: S, key: K): KeyOf<K, S> =>
	// What the type says, which TypeScript cannot infer.
	key.replaceAll('SIM', simulator) as KeyOf<K, S>;

/** Every endpoint that the nodes know, each once: method and path, as section 4 of the contract has them. */
export type EndpointKey = keyof typeof OTHERS | KeyOf<SimulatorKey, Simulator>;

export const FACTS: ReadonlyMap<string, Facts> = new Map<string, Facts>([
	...SIMULATORS.flatMap((simulator) =>
		Object.entries<Facts>(OF_SIMULATORS).map(([key, facts]): [string, Facts] => [
			key.replaceAll('SIM', simulator),
			facts,
		]),
	),
	...Object.entries<Facts>(OTHERS),
]);
