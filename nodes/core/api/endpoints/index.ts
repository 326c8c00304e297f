import { ACCOUNT_ENDPOINTS } from './account';
import { API_CLIENT_ENDPOINTS } from './apiClients';
import { COMPANY_ENDPOINTS } from './companies';
import { COMPANY_GROUP_ENDPOINTS } from './companyGroups';
import { DIRECT_EMAIL_SETTING_ENDPOINTS } from './directEmailSettings';
import { ENROLLMENT_ENDPOINTS } from './enrollments';
import { EXECUTIVE_REPORT_ENDPOINTS } from './executiveReports';
import { GOOGLE_OAUTH_ENDPOINTS } from './googleOAuth';
import { LEADERBOARD_ENDPOINTS } from './leaderboard';
import { LOOKUP_ENDPOINTS } from './lookups';
import { REPORTED_EMAIL_ENDPOINTS } from './reportedEmails';
import { ROLE_ENDPOINTS } from './roles';
import { SAML_SETTING_ENDPOINTS } from './samlSettings';
import { SCIM_INTEGRATION_ENDPOINTS } from './scimIntegrations';
import { SHARED_SIMULATOR_ENDPOINTS, SIMULATOR_ENDPOINTS } from './simulations';
import { SYSTEM_USER_ENDPOINTS } from './systemUsers';
import { TARGET_GROUP_ENDPOINTS } from './targetGroups';
import { TARGET_USER_ENDPOINTS } from './targetUsers';
import { TRAINING_REPORT_ENDPOINTS } from './trainingReports';
import { TRAINING_ENDPOINTS } from './trainings';
import type { EndpointTraits } from '../endpointTraits';

/** The simulators. Their endpoints differ only in the simulator's name (contract 4.9). */
export const SIMULATORS = ['phishing', 'quishing', 'smishing'] as const;
export type Simulator = (typeof SIMULATORS)[number];

/** The endpoints whose keys are complete, without SIM. */
const ENDPOINTS = {
	...ACCOUNT_ENDPOINTS,
	...API_CLIENT_ENDPOINTS,
	...COMPANY_ENDPOINTS,
	...COMPANY_GROUP_ENDPOINTS,
	...DIRECT_EMAIL_SETTING_ENDPOINTS,
	...ENROLLMENT_ENDPOINTS,
	...EXECUTIVE_REPORT_ENDPOINTS,
	...GOOGLE_OAUTH_ENDPOINTS,
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
};

type SharedSimulatorKey = keyof typeof SHARED_SIMULATOR_ENDPOINTS;

/** The key of one simulator's endpoint, from a key with SIM. */
export type SimulatorEndpointKey<Key extends string, Name extends Simulator> = Name extends Simulator
	? Key extends `${infer Before}SIM-simulator/SIM-${infer After}`
		? `${Before}${Name}-simulator/${Name}-${After}`
		: never
	: never;

/** The key of an endpoint that the nodes use: its method and path, as in section 4 of the contract. */
export type EndpointKey = keyof typeof ENDPOINTS | SimulatorEndpointKey<SharedSimulatorKey, Simulator>;

/** Returns the key of one simulator's endpoint. @param key the key with SIM instead of the simulator's name */
export function getSimulatorEndpointKey<Key extends SharedSimulatorKey, Name extends Simulator>(
	simulator: Name,
	key: Key,
): SimulatorEndpointKey<Key, Name> {
	// TypeScript cannot infer the type of the replaced text.
	return key.replaceAll('SIM', simulator) as SimulatorEndpointKey<Key, Name>;
}

/** Merges all tables. A complete key overrides the same key from the table that all simulators share. */
function mergeTables(): Map<string, EndpointTraits> {
	const traitsByKey = new Map<string, EndpointTraits>();
	for (const simulator of SIMULATORS)
		for (const [key, traits] of Object.entries(SHARED_SIMULATOR_ENDPOINTS))
			traitsByKey.set(key.replaceAll('SIM', simulator), traits);
	for (const [key, traits] of Object.entries(ENDPOINTS)) traitsByKey.set(key, traits);
	return traitsByKey;
}

/** The traits of all endpoints, by `EndpointKey`. */
export const ENDPOINT_TRAITS: ReadonlyMap<string, EndpointTraits> = mergeTables();
