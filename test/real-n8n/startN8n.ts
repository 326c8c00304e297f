import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, realpath, rename, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

import type { Installation } from './installN8n';
import { Problem } from './problem';
import { END_WITH_PARENT_ARGS, runCommand, startProcess, stopProcess } from './processes';
import { waitUntilReady } from './waitUntilReady';
import { VERSIONS } from './versions';

/** A running n8n that answers requests. */
export interface RunningN8n {
	url: string;
	/** The ID of n8n's process. A restart changes it. */
	readonly pid: number;
	logFile: string;
	/** The folder with n8n's database and settings. `stop` deletes it. */
	userFolder: string;
	/** The only folder in which workflows may read and write files. `stop` deletes it. */
	filesFolder: string;
	stop: () => Promise<void>;
	/**
	 * Ends n8n, calls `whileStopped`, and starts n8n again with the same database.
	 * @param timeoutMs the time that n8n gets to end before it is killed; 0 kills it at once
	 */
	restart: (whileStopped?: () => Promise<void>, timeoutMs?: number) => Promise<void>;
	/** Resolves when the first process of n8n has ended, because it was stopped or because it crashed. */
	endPromise: Promise<void>;
	/** Starts a worker of n8n's queue mode with the same settings and packages, in a separate folder. */
	startWorker: (logFile: string, options?: WorkerOptions) => Promise<ChildProcess>;
}

/** Options for starting a worker. */
export interface WorkerOptions {
	/** The maximum number of executions that the worker runs at the same time. */
	concurrency?: number;
}

/** Options for starting n8n with `startN8n`. */
export interface StartOptions {
	/** The paths of packed packages (.tgz), which n8n finds as installed community packages. */
	packagePaths?: string[];
	/** The default is any free port. */
	port?: number | undefined;
	/** Further environment variables of n8n. */
	env?: Record<string, string>;
	/** The file for n8n's log. By default, the log is deleted with n8n's other files. */
	logFile?: string;
}

/** The only environment variables that n8n inherits. It must not inherit secrets, or the settings of a proxy or of another n8n. */
const INHERITED_VARIABLES = ['LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'ComSpec'];

/** Settings that let n8n start quickly and keep it from contacting servers of the company n8n. */
const QUIET_SETTINGS = {
	N8N_ENCRYPTION_KEY: 'a key for throwaway instances only',
	N8N_SECURE_COOKIE: 'false',
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
};

/** Returns true if no program on this machine listens on the port. */
export async function isPortFree(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(false));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
	});
}

/** The ports that this module has returned or given to n8n. */
const assignedPorts = new Set<number>();

/** Lists the assigned ports on which a program listens now. */
export async function listPortsInUse(): Promise<number[]> {
	const ports = await Promise.all([...assignedPorts].map(async (port) => ((await isPortFree(port)) ? [] : [port])));
	return ports.flat();
}

/** Finds a port on which no program listens. */
export async function findFreePort(): Promise<number> {
	const port = await new Promise<number>((resolve, reject) => {
		const server = createServer();
		server.once('error', reject);
		server.listen(0, '127.0.0.1', () => {
			const address = server.address();
			server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
		});
	});
	assignedPorts.add(port);
	return port;
}

/** Starts n8n with a fresh database in a temporary folder and waits until it answers. */
export async function startN8n(installation: Installation, options: StartOptions = {}): Promise<RunningN8n> {
	const port = options.port ?? (await findFreePort());
	assignedPorts.add(port);
	if (!(await isPortFree(port)))
		throw new Problem(`Port ${port}, where n8n was to be opened, is used by another program.`);

	// n8n refuses to write through symbolic links, and on some systems the folder for temporary files is one.
	const homeFolder = await realpath(await mkdtemp(join(tmpdir(), 'security-awareness-n8n-')));
	const filesFolder = join(homeFolder, 'files');
	const logFile = options.logFile ?? join(homeFolder, 'n8n.log');
	const removeOptions = { recursive: true, force: true, maxRetries: 10 };
	// If a script crashes, processes.ts has killed its processes before this runs.
	const removeAtExit = () => rmSync(homeFolder, removeOptions);
	process.once('exit', removeAtExit);
	const removeHomeFolder = async () => {
		process.off('exit', removeAtExit);
		await rm(homeFolder, removeOptions);
	};

	let child: ChildProcess | undefined;
	try {
		await mkdir(filesFolder);
		for (const tarball of options.packagePaths ?? []) await unpackCommunityPackage(homeFolder, tarball);

		const buildEnvironment = async (userFolder: string): Promise<NodeJS.ProcessEnv> => ({
			...Object.fromEntries(INHERITED_VARIABLES.map((name) => [name, process.env[name]])),
			...QUIET_SETTINGS,
			...VERSIONS[installation.version].env,
			HOME: userFolder,
			// n8n starts its task runner with the command "node".
			PATH: [dirname(installation.nodePath), process.env.PATH].join(delimiter),
			N8N_USER_FOLDER: userFolder,
			N8N_LISTEN_ADDRESS: '127.0.0.1',
			N8N_HOST: '127.0.0.1',
			N8N_PORT: String(port),
			N8N_RUNNERS_BROKER_PORT: String(await findFreePort()),
			N8N_RESTRICT_FILE_ACCESS_TO: filesFolder,
			...options.env,
		});
		const env = await buildEnvironment(homeFolder);
		const n8nCommandArgs = [...END_WITH_PARENT_ARGS, join(installation.folder, 'node_modules', 'n8n', 'bin', 'n8n')];
		const launchN8n = () =>
			startProcess(installation.nodePath, [...n8nCommandArgs, 'start'], { cwd: homeFolder, env, logFile });
		const firstProcess = launchN8n();
		child = firstProcess;
		let currentProcess = firstProcess;

		const url = `http://127.0.0.1:${port}`;
		const isReady = () => canOpenEditor(url);
		await waitUntilReady('n8n', firstProcess, logFile, isReady);
		const endPromise = new Promise<void>((resolve) => firstProcess.once('exit', () => resolve()));
		const stop = async () => {
			await stopProcess(currentProcess);
			await removeHomeFolder();
		};
		const restart: RunningN8n['restart'] = async (whileStopped, timeoutMs) => {
			await stopProcess(currentProcess, timeoutMs);
			await whileStopped?.();
			currentProcess = launchN8n();
			await waitUntilReady('n8n', currentProcess, logFile, isReady);
		};
		const startWorker = async (workerLogFile: string, { concurrency = 10 }: WorkerOptions = {}) => {
			const folder = await mkdtemp(join(homeFolder, 'worker-'));
			await cp(join(homeFolder, '.n8n', 'nodes'), join(folder, '.n8n', 'nodes'), { recursive: true });
			const healthPort = await findFreePort();
			const settings = {
				QUEUE_HEALTH_CHECK_ACTIVE: 'true',
				QUEUE_HEALTH_CHECK_PORT: String(healthPort),
				N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
			};
			const worker = startProcess(
				installation.nodePath,
				[...n8nCommandArgs, 'worker', `--concurrency=${concurrency}`],
				{
					cwd: folder,
					env: { ...(await buildEnvironment(folder)), ...settings },
					logFile: workerLogFile,
				},
			);
			const readinessUrl = `http://127.0.0.1:${healthPort}/healthz/readiness`;
			await waitUntilReady('A worker of n8n', worker, workerLogFile, () => isServingJson(readinessUrl));
			return worker;
		};
		return {
			url,
			logFile,
			userFolder: homeFolder,
			filesFolder,
			stop,
			restart,
			endPromise,
			startWorker,
			get pid() {
				return currentProcess.pid ?? 0;
			},
		};
	} catch (error) {
		if (child) await stopProcess(child);
		await removeHomeFolder();
		throw error;
	}
}

/** Unpacks a package into the folder in which n8n keeps installed community packages. */
async function unpackCommunityPackage(homeFolder: string, tarball: string): Promise<void> {
	const unpackFolder = join(homeFolder, 'unpacked');
	await mkdir(unpackFolder);
	await runCommand('tar', ['-xzf', tarball, '-C', unpackFolder, '--strip-components=1'], {
		logFile: join(homeFolder, 'unpack.log'),
	});
	const { name } = JSON.parse(await readFile(join(unpackFolder, 'package.json'), 'utf8')) as { name: string };
	const target = join(homeFolder, '.n8n', 'nodes', 'node_modules', name);
	await mkdir(dirname(target), { recursive: true });
	await rename(unpackFolder, target);
}

/** Returns true if a GET request to the URL succeeds with JSON. */
const isServingJson = (url: string): Promise<boolean> =>
	fetch(url).then(
		(response) => response.ok && (response.headers.get('content-type') ?? '').includes('json'),
		() => false,
	);

/**
 * Returns true if n8n's editor can be opened. An older n8n reports that it is ready some seconds before the editor's endpoints
 * work, so both are checked.
 */
async function canOpenEditor(url: string): Promise<boolean> {
	const results = await Promise.all([`${url}/healthz/readiness`, `${url}/rest/settings`].map(isServingJson));
	return results.every(Boolean);
}
