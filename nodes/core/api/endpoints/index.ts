import { ACCOUNT_ENDPOINTS } from './accountEndpoints';
import { ALLOWED_DOMAIN_ENDPOINTS } from './allowedDomainEndpoints';
import { API_CLIENT_ENDPOINTS } from './apiClientEndpoints';
import { COMPANY_ENDPOINTS } from './companyEndpoints';
import { COMPANY_GROUP_ENDPOINTS } from './companyGroupEndpoints';
import { DIRECT_EMAIL_SETTING_ENDPOINTS } from './directEmailSettingEndpoints';
import { ENROLLMENT_ENDPOINTS } from './enrollmentEndpoints';
import { EXECUTIVE_REPORT_ENDPOINTS } from './executiveReportEndpoints';
import { GOOGLE_OAUTH_ENDPOINTS } from './googleOAuthEndpoints';
import { HUMAN_RISK_ENDPOINTS } from './humanRiskEndpoints';
import { LEADERBOARD_ENDPOINTS } from './leaderboardEndpoints';
import { LOOKUP_ENDPOINTS } from './lookupEndpoints';
import { REPORTED_EMAIL_ENDPOINTS } from './reportedEmailEndpoints';
import { ROLE_ENDPOINTS } from './roleEndpoints';
import { SAML_SETTING_ENDPOINTS } from './samlSettingEndpoints';
import { SCIM_INTEGRATION_ENDPOINTS } from './scimIntegrationEndpoints';
import { SHARED_SIMULATOR_ENDPOINTS, SIMULATOR_ENDPOINTS } from './simulatorEndpoints';
import { SYSTEM_USER_ENDPOINTS } from './systemUserEndpoints';
import { TARGET_GROUP_ENDPOINTS } from './targetGroupEndpoints';
import { TARGET_USER_ENDPOINTS } from './targetUserEndpoints';
import { TRAINING_REPORT_ENDPOINTS } from './trainingReportEndpoints';
import { TRAINING_ENDPOINTS } from './trainingEndpoints';
import { VERIFIED_DOMAIN_ENDPOINTS } from './verifiedDomainEndpoints';
import type { EndpointTraits } from '../endpointTraits';

/** The simulators. Their endpoints differ only in the simulator's name (contract 4.9). */
export const SIMULATORS = ['phishing', 'quishing', 'smishing'] as const;
export type Simulator = (typeof SIMULATORS)[number];

/** All endpoints except those that the simulators share. */
const ENDPOINTS = {
	...ACCOUNT_ENDPOINTS,
	...ALLOWED_DOMAIN_ENDPOINTS,
	...API_CLIENT_ENDPOINTS,
	...COMPANY_ENDPOINTS,
	...COMPANY_GROUP_ENDPOINTS,
	...DIRECT_EMAIL_SETTING_ENDPOINTS,
	...ENROLLMENT_ENDPOINTS,
	...EXECUTIVE_REPORT_ENDPOINTS,
	...GOOGLE_OAUTH_ENDPOINTS,
	...HUMAN_RISK_ENDPOINTS,
	...LEADERBOARD_ENDPOINTS,
	...LOOKUP_ENDPOINTS,
	...REPORTED_EMAIL_ENDPOINTS,
	...ROLE_ENDPOINTS,
	...SAML_SETTING_ENDPOINTS,
	...SCIM_INTEGRATION_ENDPOINTS,
	...SIMULATOR_ENDPOINTS,
	...SYSTEM_USER_ENDPOINTS,
	...TARGET_GROUP_ENDPOINTS,
	...TARGET_USER_ENDPOINTS,
	...TRAINING_ENDPOINTS,
	...TRAINING_REPORT_ENDPOINTS,
	...VERIFIED_DOMAIN_ENDPOINTS,
};

type SharedSimulatorKey = keyof typeof SHARED_SIMULATOR_ENDPOINTS;

/** The key of one simulator's endpoint: a shared key in which the simulator's name replaces every SIM. */
export type SimulatorEndpointKey<Key extends string, Name extends Simulator> = Name extends Simulator
	? Key extends `${infer Before}SIM-${infer After}`
		? `${Before}${Name}-${SimulatorEndpointKey<After, Name>}`
		: Key
	: never;

/** The key of an endpoint that the nodes use: its method and path, as in section 4 of the contract. */
export type EndpointKey = keyof typeof ENDPOINTS | SimulatorEndpointKey<SharedSimulatorKey, Simulator>;

/** Returns the key of one simulator's endpoint. @param key the shared key, with SIM instead of the simulator's name */
export function getSimulatorEndpointKey<Key extends SharedSimulatorKey, Name extends Simulator>(
	simulator: Name,
	key: Key,
): SimulatorEndpointKey<Key, Name> {
	// TypeScript cannot infer the type of the replaced text.
	return key.replaceAll('SIM', simulator) as SimulatorEndpointKey<Key, Name>;
}

/** Merges all tables. The traits of one simulator's endpoint override the traits that all simulators share. */
function mergeEndpointTables(): Map<string, EndpointTraits> {
	const traitsByKey = new Map<string, EndpointTraits>();
	for (const simulator of SIMULATORS)
		for (const [key, traits] of Object.entries(SHARED_SIMULATOR_ENDPOINTS))
			traitsByKey.set(key.replaceAll('SIM', simulator), traits);
	for (const [key, traits] of Object.entries(ENDPOINTS)) traitsByKey.set(key, traits);
	return traitsByKey;
}

/** The traits of all endpoints, by `EndpointKey`. */
export const ENDPOINT_TRAITS: ReadonlyMap<string, EndpointTraits> = mergeEndpointTables();
