import { mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startStandIn, type ProfileName, type StandIn } from '../stand-in';
import { N8nClient } from './client';
import { installN8n } from './installN8n';
import { Problem } from './problem';
import { CommandFailed, runNpm } from './processes';
import { isPortFree, startN8n, type RunningN8n } from './startN8n';
import { runStep } from './steps';
import type { Version } from './versions';
import { CREDENTIAL_TYPE, type CredentialReference } from './workflow';

const ROOT = join(__dirname, '..', '..');
/** The name that n8n gives the first credential of this type. The examples find their credential by this name. */
export const CREDENTIAL_NAME = 'Security Awareness account';
const DEFAULT_COMPANY_COUNT = 500;
/** The age of the newest simulations in the stand-in service. It is long enough that people have reacted to them. */
const NEWEST_SIMULATION_AGE_MS = 4 * 3_600_000;
/** The port on which n8n is started if the port is free, so that n8n's URL usually stays the same. */
export const PREFERRED_PORT = 5690;

/** The owner account of each n8n that the tests and the demo start. */
export const OWNER = { email: 'demo@example.com', password: 'Demo-Password-1', firstName: 'Dana', lastName: 'Demo' };

/** Clean-up functions that run at the end of a script, the last one first. */
export type Cleanups = Array<() => Promise<unknown>>;

/** The values that a user enters in a credential of this package. */
export interface CredentialSecrets {
	serverUrl: string;
	clientId: string;
	clientSecret: string;
}

/** A running n8n and a client that is logged in as its owner. */
export interface N8nSession {
	n8n: RunningN8n;
	client: N8nClient;
}

/** A running n8n with the package installed, a stand-in service, and a saved credential for that service. */
export interface TestEnvironment extends N8nSession {
	service: StandIn;
	credential: CredentialReference;
	secrets: CredentialSecrets;
}

/** Options for starting n8n with `openN8n`. */
export interface N8nOptions {
	/** The default is `PREFERRED_PORT` if that port is free, and any free port otherwise. */
	port?: number;
	/** The version of n8n. The default is the newest. */
	version?: Version;
	/** The paths of packed packages to install. */
	packagePaths?: string[];
	/** The file for n8n's log. By default, the log is deleted with n8n's other files. */
	logFile?: string;
	/** Further environment variables of n8n. */
	env?: Record<string, string>;
}

/** Options for `startTestEnvironment`. */
export interface TestEnvironmentOptions extends Omit<N8nOptions, 'packagePaths'> {
	/** The path of the packed package. By default, the package is built and packed first. */
	tarball?: string;
	/** The number of companies in the stand-in service. The default is 500. */
	companyCount?: number | undefined;
	servicePort?: number;
	/** The profile of the stand-in service. By default, it behaves as the contract says. */
	profile?: ProfileName;
}

/**
 * Starts everything that a workflow needs: the stand-in service, n8n with the package installed, and a tested credential.
 * @param cleanups receives the clean-up functions, even if the start fails half-way
 */
export async function startTestEnvironment(
	options: TestEnvironmentOptions,
	cleanups: Cleanups,
): Promise<TestEnvironment> {
	const { companyCount = DEFAULT_COMPANY_COUNT, profile = 'contract', servicePort = 0, ...n8nOptions } = options;
	const service = await runStep(`Start the stand-in service with ${companyCount} companies`, '1 s', () =>
		startStandIn({
			port: servicePort,
			companyCount,
			profile,
			referenceTime: Date.now() - NEWEST_SIMULATION_AGE_MS,
		}),
	);
	cleanups.push(() => service.close());
	const tarball = options.tarball ?? (await packPackage(await createTemporaryFolder(cleanups)));
	const session = await openN8n({ ...n8nOptions, packagePaths: [tarball] }, cleanups);
	const { clientId, clientSecret } = service.clients.reseller;
	const secrets = { serverUrl: service.url, clientId, clientSecret };
	return { ...session, service, secrets, credential: await saveCredential(session.client, secrets) };
}

/** Installs n8n unless it is installed, starts it, and creates its owner account. Other code must not call `startN8n` itself. */
export async function openN8n({ version, ...options }: N8nOptions, cleanups: Cleanups): Promise<N8nSession> {
	const installation = await installN8n(runStep, version);
	const n8n = await runStep(`Start n8n ${installation.version}`, '5 to 30 s', async () =>
		startN8n(installation, { port: await choosePort(), ...options }),
	);
	cleanups.push(n8n.stop);
	const client = new N8nClient(n8n.url);
	await client.setUpOwner(OWNER);
	return { n8n, client };
}

/** Saves and tests a credential of this package. @throws Problem if its test fails */
export async function saveCredential(
	client: N8nClient,
	secrets: CredentialSecrets,
	name = CREDENTIAL_NAME,
): Promise<CredentialReference> {
	// AI agents get the highest right, because the assistant in example 12 enrolls people.
	const credential = await client.createCredential(name, CREDENTIAL_TYPE, { ...secrets, agentsMay: 'email' });
	const { status, message } = await client.testCredential(credential, CREDENTIAL_TYPE, { ...secrets });
	if (status !== 'OK') throw new Problem(`The test of the credential failed: ${message}`);
	return credential;
}

const choosePort = async (): Promise<number | undefined> =>
	(await isPortFree(PREFERRED_PORT)) ? PREFERRED_PORT : undefined;

/** Creates a temporary folder. `cleanups` receives a function that deletes it. */
export async function createTemporaryFolder(cleanups: Cleanups): Promise<string> {
	const folder = await realpath(await mkdtemp(join(tmpdir(), 'security-awareness-')));
	cleanups.push(() => rm(folder, { recursive: true, force: true }));
	return folder;
}

/** Builds the package and packs it as for publishing. @returns the path of the packed file. @throws Problem if the build fails */
export async function packPackage(folder: string): Promise<string> {
	const run = async (logFile: string, ...args: string[]) => {
		try {
			await runNpm(args, { cwd: ROOT, logFile: join(folder, logFile) });
		} catch (error) {
			throw error instanceof CommandFailed ? new Problem(`The package could not be built:\n${error.output}`) : error;
		}
	};
	await runStep('Build the package', '5 to 20 s', () => run('build.log', 'run', 'build'));
	return await runStep('Pack it as it would be published', '2 s', async () => {
		const destination = join(folder, 'package');
		await mkdir(destination);
		await run('pack.log', 'pack', '--pack-destination', destination);
		const [tarball] = await readdir(destination);
		if (!tarball) throw new Problem('npm packed the package but no file came out.');
		return join(destination, tarball);
	});
}
