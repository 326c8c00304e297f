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

const ROOT = join(__dirname, '..', '..');
export const CREDENTIAL_TYPE = 'securityAwarenessOAuth2Api';
/** As n8n itself names the first one of this type: the examples find theirs by it. */
export const CREDENTIAL_NAME = 'Security Awareness account';
const COMPANIES = 500;
/** Taken when it is free, so that the address is the same every time. */
export const USUAL_PORT = 5690;

/** Of this n8n only, which is gone when the demo ends. */
export const OWNER = { email: 'demo@example.com', password: 'Demo-Password-1', firstName: 'Dana', lastName: 'Demo' };

/** A real n8n with the package in it. */
export interface OpenN8n {
	n8n: RunningN8n;
	/** Logged in as the owner. */
	client: N8nClient;
	credential: { id: string; name: string };
	/** What the credential holds. */
	secrets: { serverUrl: string; clientId: string; clientSecret: string };
}

/** The same with the stand-in service behind it. */
export interface Stage extends OpenN8n {
	service: StandIn;
}

export interface N8nOptions {
	/** A free port each, unless asked for. */
	port?: number;
	/** Which n8n; the newest unless asked for. */
	version?: Version;
	/** The packed package; built and packed unless it is given. */
	tarball?: string;
	/** Where n8n's log is kept. */
	logFile?: string;
	/** Further settings of n8n. */
	env?: Record<string, string>;
}

export interface StageOptions extends N8nOptions {
	/** How many companies the stand-in service has; 500 unless given. */
	companies?: number | undefined;
	servicePort?: number;
	/** How the stand-in service behaves; as the contract says unless given. */
	personality?: PersonalityName;
}

/**
 * Starts the stand-in service, and opens an n8n for it.
 * @param cleanups takes what has to be undone at the end, last to first, also when this fails half-way
 */
export async function setStage(options: StageOptions, cleanups: Array<() => Promise<unknown>>): Promise<Stage> {
	const { companies = COMPANIES, personality = 'contract' } = options;
	const service = await step(`Start the stand-in service with ${companies} companies`, '1 s', () =>
		startService({ port: options.servicePort ?? 0, companies, personality }),
	);
	cleanups.push(() => service.close());
	const { clientId, clientSecret } = service.clients.reseller;
	return { ...(await openN8n({ serverUrl: service.url, clientId, clientSecret }, options, cleanups)), service };
}

/**
 * Builds and packs the package, installs n8n where it is not installed yet, and starts it.
 * @param secrets what its credential holds
 * @param cleanups as for setStage
 */
export async function openN8n(
	secrets: OpenN8n['secrets'],
	options: N8nOptions,
	cleanups: Array<() => Promise<unknown>>,
): Promise<OpenN8n> {
	const tarball = options.tarball ?? (await packInto(await temporaryFolder(cleanups)));
	const installation = await installN8n(step, options.version);

	const n8n = await step(`Start n8n ${installation.version} with the package in it`, '5 to 30 s', async () => {
		const { port = await usualPort(), logFile, env } = options;
		return await startN8n(installation, { port, logFile, env, communityPackages: [tarball] });
	});
	cleanups.push(n8n.stop);

	const client = new N8nClient(n8n.url);
	const credential = await step('Create the owner, and a credential that is tested', '2 s', async () => {
		await client.setUpOwner(OWNER);
		const created = await client.createCredential(CREDENTIAL_NAME, CREDENTIAL_TYPE, secrets);
		const { status, message } = await client.testCredential(created, CREDENTIAL_TYPE, secrets);
		if (status !== 'OK') throw new Problem(`The test of the credential failed: ${message}`);
		return created;
	});
	return { n8n, client, credential, secrets };
}

const usualPort = async (): Promise<number | undefined> => ((await portIsFree(USUAL_PORT)) ? USUAL_PORT : undefined);

/** A folder that is gone at the end. */
export async function temporaryFolder(cleanups: Array<() => Promise<unknown>>): Promise<string> {
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
