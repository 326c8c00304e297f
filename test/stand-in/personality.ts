/** The three simulators of contract section 4.9. */
export type Simulator = 'phishing' | 'smishing' | 'quishing';

/** All simulators, in the contract's order. */
export const SIMULATORS: readonly Simulator[] = ['phishing', 'smishing', 'quishing'];

/** How the service behaves: as the contract reads, or as live deployments tell of themselves (deployment facts, behaviour, shapes). */
export const PERSONALITY_NAMES = ['contract', 'deployed'] as const;

/** One of the personalities. */
export type PersonalityName = (typeof PERSONALITY_NAMES)[number];

/** What the contract leaves open, and deployments answer differently. */
export interface Personality {
	name: PersonalityName;
	/** Lower case, as Node gives header names. */
	scopeHeader: string;
	/** A second header that some operations want beside the first, with the same company. */
	secondHeader?: string;
	enrollmentId: string;
	reportUserId: string;
	clientName: string;
	jobId: (simulator: Simulator) => string;
	agentAuthPath: string;
	/** Answers companies/my with a list instead of one record. */
	ownCompanyAsList: boolean;
	smsSearches: boolean;
	scimToken: string;
	scimEndpoint: string;
}

/** The header as the contract names it. */
const CONTRACT_HEADER = 'x-service-company-id';

const PERSONALITIES: Record<PersonalityName, Personality> = {
	contract: {
		name: 'contract',
		scopeHeader: CONTRACT_HEADER,
		enrollmentId: 'resourceId',
		reportUserId: 'resourceId',
		clientName: 'name',
		jobId: () => 'resourceId',
		agentAuthPath: '/api/v2/agent-auth',
		ownCompanyAsList: false,
		smsSearches: false,
		scimToken: 'scimToken',
		scimEndpoint: 'scimEndpointUrl',
	},
	deployed: {
		name: 'deployed',
		scopeHeader: CONTRACT_HEADER,
		secondHeader: 'x-ir-company-id',
		enrollmentId: 'enrollmentId',
		reportUserId: 'targetUserResourceId',
		clientName: 'clientName',
		jobId: (simulator) => `${simulator}CampaignResourceId`,
		agentAuthPath: '/api/agent-auth',
		ownCompanyAsList: true,
		smsSearches: true,
		scimToken: 'token',
		scimEndpoint: 'endpoint',
	},
};

/** The names that one deployment uses. */
export function personality(name: PersonalityName): Personality {
	return PERSONALITIES[name];
}
