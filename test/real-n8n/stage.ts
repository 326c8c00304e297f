import { mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startService, type PersonalityName, type StandIn } from '../stand-in';
import { N8nClient } from './client';
import { installN8n } from './install';
import { Problem } from './problem';
import { CommandFailed, runNpm } from './processes';
import { portIsFree, startN8n, type RunningN8n } from './start';
import { showStep as step } from './steps';
import type { Version } from './versions';
import { CREDENTIAL_TYPE, type Credential } from './workflow';

const ROOT = join(__dirname, '..', '..');
/** As n8n itself names the first one of this type: the examples find theirs by it. */
export const CREDENTIAL_NAME = 'Security Awareness account';
const COMPANIES = 500;
/** The newest simulations were sent so long ago that people have done something with them since. */
const SINCE = 4 * 3_600_000;
/** Taken when it is free, so that the address is the same every time. */
export const USUAL_PORT = 5690;

/** Of this n8n only, which is gone when the demo ends. */
export const OWNER = { email: 'demo@example.com', password: 'Demo-Password-1', firstName: 'Dana', lastName: 'Demo' };

/** Functions that undo something at the end, last to first. */
export type Cleanups = Array<() => Promise<unknown>>;

/** What the credential for a service holds. */
export interface Secrets {
	serverUrl: string;
	clientId: string;
	clientSecret: string;
}

/** A real n8n, and a client that is logged in as its owner. */
export interface OpenN8n {
	n8n: RunningN8n;
	client: N8nClient;
}

/** The same with the package in it, a stand-in service behind it, and a credential for that. */
export interface Stage extends OpenN8n {
	service: StandIn;
	credential: Credential;
	secrets: Secrets;
}

export interface N8nOptions {
	/** A free port, unless asked for. */
	port?: number;
	/** Which n8n; the newest unless asked for. */
	version?: Version;
	/** Packed packages that are installed in it. */
	packages?: string[];
	/** Where n8n's log is kept. */
	logFile?: string;
	/** Further settings of n8n. */
	env?: Record<string, string>;
}

export interface StageOptions extends Omit<N8nOptions, 'packages'> {
	/** The packed package; built and packed unless it is given. */
	tarball?: string;
	/** How many companies the stand-in service has; 500 unless given. */
	companies?: number | undefined;
	servicePort?: number;
	/** How the stand-in service behaves; as the contract says unless given. */
	personality?: PersonalityName;
}

/**
 * The stand-in service, an n8n with the package in it, and a credential that was tested: all that a workflow needs.
 * @param cleanups takes what has to be undone at the end, also when this fails half-way
 */
export async function setStage(options: StageOptions, cleanups: Cleanups): Promise<Stage> {
	const { companies = COMPANIES, personality = 'contract', servicePort = 0, ...others } = options;
	const service = await step(`Start the stand-in service with ${companies} companies`, '1 s', () =>
		startService({ port: servicePort, companies, personality, today: Date.now() - SINCE }),
	);
	cleanups.push(() => service.close());
	const tarball = options.tarball ?? (await packInto(await temporaryFolder(cleanups)));
	const open = await openN8n({ ...others, packages: [tarball] }, cleanups);
	const { clientId, clientSecret } = service.clients.reseller;
	const secrets = { serverUrl: service.url, clientId, clientSecret };
	return { ...open, service, secrets, credential: await saveCredential(open.client, secrets) };
}

/** Installs n8n where it is not installed yet, starts it, and creates its owner. Nothing else starts an n8n. */
export async function openN8n({ version, ...options }: N8nOptions, cleanups: Cleanups): Promise<OpenN8n> {
	const installation = await installN8n(step, version);
	const n8n = await step(`Start n8n ${installation.version}`, '5 to 30 s', async () =>
		startN8n(installation, { port: await usualPort(), ...options }),
	);
	cleanups.push(n8n.stop);
	const client = new N8nClient(n8n.url);
	await client.setUpOwner(OWNER);
	return { n8n, client };
}

/** Saves a credential of this package. @throws Problem when its test fails */
export async function saveCredential(client: N8nClient, secrets: Secrets, name = CREDENTIAL_NAME): Promise<Credential> {
	// The highest level, because the example of the approved assistant enrolls people.
	const created = await client.createCredential(name, CREDENTIAL_TYPE, { ...secrets, agentsMay: 'email' });
	const { status, message } = await client.testCredential(created, CREDENTIAL_TYPE, { ...secrets });
	if (status !== 'OK') throw new Problem(`The test of the credential failed: ${message}`);
	return created;
}

const usualPort = async (): Promise<number | undefined> => ((await portIsFree(USUAL_PORT)) ? USUAL_PORT : undefined);

/** A folder that is gone at the end. */
export async function temporaryFolder(cleanups: Cleanups): Promise<string> {
	const folder = await realpath(await mkdtemp(join(tmpdir(), 'security-awareness-')));
	cleanups.push(() => rm(folder, { recursive: true, force: true }));
	return folder;
}

/** Builds the package and packs it as it would be published; returns the path of the packed file. */
export async function packInto(folder: string): Promise<string> {
	const run = async (logFile: string, ...args: string[]) => {
		try {
			await runNpm(args, { cwd: ROOT, logFile: join(folder, logFile) });
		} catch (error) {
			throw error instanceof CommandFailed ? new Problem(`The package could not be built:\n${error.output}`) : error;
		}
	};
	await step('Build the package', '5 to 20 s', () => run('build.log', 'run', 'build'));
	return await step('Pack it as it would be published', '2 s', async () => {
		const destination = join(folder, 'package');
		await mkdir(destination);
		await run('pack.log', 'pack', '--pack-destination', destination);
		const [tarball] = await readdir(destination);
		if (!tarball) throw new Problem('npm packed the package but no file came out.');
		return join(destination, tarball);
	});
}
