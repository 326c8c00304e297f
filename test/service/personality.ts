/** The three simulators of contract section 4.9. */
export type Simulator = 'phishing' | 'smishing' | 'quishing';

/** All simulators, in the contract's order. */
export const SIMULATORS: readonly Simulator[] = ['phishing', 'smishing', 'quishing'];

/** What the contract leaves open and deployments answer differently. */
export interface Personality {
	variant: boolean;
	/** Lower case, as Node gives header names. */
	scopeHeader: string;
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

/** The names that one deployment uses: the contract's own, or (variant) the others that were seen. */
export function personality(variant: boolean): Personality {
	return variant
		? {
				variant,
				scopeHeader: 'x-acme-company-id',
				enrollmentId: 'enrollmentId',
				reportUserId: 'targetUserResourceId',
				clientName: 'clientName',
				jobId: (simulator) => `${simulator}CampaignResourceId`,
				agentAuthPath: '/api/agent-auth',
				ownCompanyAsList: true,
				smsSearches: true,
				scimToken: 'token',
				scimEndpoint: 'endpoint',
			}
		: {
				variant,
				scopeHeader: 'x-service-company-id',
				enrollmentId: 'resourceId',
				reportUserId: 'resourceId',
				clientName: 'name',
				jobId: () => 'resourceId',
				agentAuthPath: '/api/v2/agent-auth',
				ownCompanyAsList: false,
				smsSearches: false,
				scimToken: 'scimToken',
				scimEndpoint: 'scimEndpointUrl',
			};
}
