/** The kinds of simulations (contract 4.9). */
export type Simulator = 'phishing' | 'smishing' | 'quishing';

/** All kinds of simulations, in the contract's order. */
export const SIMULATORS: readonly Simulator[] = ['phishing', 'smishing', 'quishing'];

/**
 * The platform profiles: 'contract' follows the contract, 'deployed' follows what is documented about live deployments
 * (docs/facts/README.md).
 */
export const PROFILE_NAMES = ['contract', 'deployed'] as const;

/** The name of a platform profile. */
export type ProfileName = (typeof PROFILE_NAMES)[number];

/** Names and formats that differ between the contract's platform and live deployments. */
export interface PlatformProfile {
	name: ProfileName;
	/** The name of the header that contains the company's ID, in lower case as Node.js reports header names. */
	companyHeader: string;
	/** The name of a second header that some operations require. It contains the same ID. */
	secondCompanyHeader?: string;
	/** The field of an enrollment row that holds its ID. */
	enrollmentIdField: string;
	/** The field of a training report row that holds the user's ID. */
	reportUserIdField: string;
	/** The field of an API client row that holds its name. */
	clientNameField: string;
	/** Returns the field of a campaign job row that holds the campaign's ID. */
	getJobIdField: (simulator: Simulator) => string;
	/** The path before the names of the agent-auth operations. */
	agentAuthPath: string;
	/** True if companies/my responds with a list instead of one record. */
	hasOwnCompanyAsList: boolean;
	/** The response field that holds a new SCIM token. */
	scimTokenField: string;
}

/** The name of the company header in the contract. */
const CONTRACT_COMPANY_HEADER = 'x-service-company-id';

const PROFILES: Record<ProfileName, PlatformProfile> = {
	contract: {
		name: 'contract',
		companyHeader: CONTRACT_COMPANY_HEADER,
		enrollmentIdField: 'resourceId',
		reportUserIdField: 'resourceId',
		clientNameField: 'name',
		getJobIdField: () => 'resourceId',
		agentAuthPath: '/api/v2/agent-auth',
		hasOwnCompanyAsList: false,
		scimTokenField: 'scimToken',
	},
	deployed: {
		name: 'deployed',
		companyHeader: CONTRACT_COMPANY_HEADER,
		secondCompanyHeader: 'x-ir-company-id',
		enrollmentIdField: 'enrollmentId',
		reportUserIdField: 'targetUserResourceId',
		clientNameField: 'clientName',
		getJobIdField: (simulator) => `${simulator}CampaignResourceId`,
		agentAuthPath: '/api/agent-auth',
		hasOwnCompanyAsList: true,
		scimTokenField: 'token',
	},
};

/** Returns the profile with a name. */
export function getProfile(name: ProfileName): PlatformProfile {
	return PROFILES[name];
}
