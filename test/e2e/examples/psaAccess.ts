import type { Workflow } from '../../real-n8n/client';
import { PSA_CREDENTIALS, type PsaSimulator } from '../../real-n8n/psaSimulator';
import type { ExampleContext } from './registerCheck';

const PSA_CREDENTIAL_NAME = 'PSA account';

/** The types of the n8n credentials for the three PSAs that the examples know. */
const CREDENTIAL_TYPES = { connectwise: 'httpBasicAuth', halo: 'oAuth2Api', autotask: 'httpCustomAuth' } as const;

/** A PSA that the examples know. */
export type PsaName = keyof typeof CREDENTIAL_TYPES;

/** The PSAs that the examples know. */
export const PSA_NAMES: PsaName[] = ['connectwise', 'halo', 'autotask'];

/** Creates a credential for each PSA, as the examples' pages say. @returns a function that deletes them */
export async function createPsaCredentials(
	{ client }: ExampleContext,
	{ url }: PsaSimulator,
): Promise<() => Promise<void>> {
	const { user, password, haloClientId, haloClientSecret, autotaskCode, autotaskUser, autotaskSecret } =
		PSA_CREDENTIALS;
	const headers = { ApiIntegrationCode: autotaskCode, UserName: autotaskUser, Secret: autotaskSecret };
	const credentials = [
		await client.createCredential(PSA_CREDENTIAL_NAME, CREDENTIAL_TYPES.connectwise, { user, password }),
		await client.createCredential(
			PSA_CREDENTIAL_NAME,
			CREDENTIAL_TYPES.halo,
			buildHaloCredential(url, haloClientId, haloClientSecret),
		),
		await client.createCredential(PSA_CREDENTIAL_NAME, CREDENTIAL_TYPES.autotask, {
			json: JSON.stringify({ headers }),
		}),
	];
	return async () => {
		for (const credential of credentials) await client.deleteCredential(credential);
	};
}

/** Builds the data of n8n's credential for HaloPSA. */
const buildHaloCredential = (psaUrl: string, clientId: string, clientSecret: string) => ({
	grantType: 'clientCredentials',
	accessTokenUrl: `${psaUrl}/halo/auth/token`,
	clientId,
	clientSecret,
	scope: 'all',
	authentication: 'body',
});

/** Creates a credential for HaloPSA whose secret HaloPSA refuses. */
export const createRefusedHaloCredential = (client: ExampleContext['client'], { url }: PsaSimulator) =>
	client.createCredential(
		'Refused PSA account',
		CREDENTIAL_TYPES.halo,
		buildHaloCredential(url, PSA_CREDENTIALS.haloClientId, 'wrong secret'),
	);

/** Builds the settings that an example needs for a PSA. */
export const buildPsaSettings = (
	psa: PsaName,
	{ url }: PsaSimulator,
): Record<'psa' | 'psaUrl' | 'clientId', string> => ({
	psa,
	psaUrl: {
		connectwise: `${url}/connectwise`,
		halo: `${url}/halo/api`,
		autotask: `${url}/autotask/atservicesrest/v1.0`,
	}[psa],
	clientId: PSA_CREDENTIALS.clientId,
});

/** Selects a PSA's credential in these nodes of a workflow, as the examples' pages say. */
export const selectPsaCredential =
	(psa: PsaName, nodeNames: string[]) =>
	(workflow: Workflow): Workflow => ({
		...workflow,
		nodes: workflow.nodes.map((node) =>
			nodeNames.includes(node.name)
				? {
						...node,
						parameters: { ...node.parameters, genericAuthType: CREDENTIAL_TYPES[psa] },
						credentials: { [CREDENTIAL_TYPES[psa]]: { id: null, name: PSA_CREDENTIAL_NAME } },
					}
				: node,
		),
	});
