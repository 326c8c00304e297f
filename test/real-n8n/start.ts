import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, realpath, rename, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

import type { Installation } from './install';
import { Problem } from './problem';
import { END_WITH_PARENT, runCommand, startProcess, stopProcess } from './processes';
import { untilReady } from './ready';
import { VERSIONS } from './versions';

/** An n8n that runs and answers. */
export interface RunningN8n {
	url: string;
	/** The process of n8n itself; another one after a restart. */
	readonly pid: number;
	logFile: string;
	/** Its database and settings; removed by stop(). */
	userFolder: string;
	/** The one folder whose files the workflows may read and write; removed by stop(). */
	filesFolder: string;
	stop: () => Promise<void>;
	/** Ends n8n and starts it again with the same database, after calling a function in between. Without patience, it is killed. */
	restart: (between?: () => Promise<void>, patience?: number) => Promise<void>;
	/** Resolves when n8n has ended, wanted or not. */
	ended: Promise<void>;
	/** Starts a worker for it (queue mode), with the same settings and packages, in a folder of its own. */
	startWorker: (logFile: string, options?: WorkerOptions) => Promise<ChildProcess>;
}

export interface WorkerOptions {
	/** How many executions it runs at a time. */
	concurrency?: number;
}

export interface StartOptions {
	/** Packed packages (.tgz) that n8n finds as installed community packages. */
	packages?: string[];
	/** A free port is taken unless one is asked for. */
	port?: number | undefined;
	/** Further settings of n8n. */
	env?: Record<string, string>;
	/** Where to keep what it prints; otherwise that is removed with everything else. */
	logFile?: string;
}

/** No other environment variables reach n8n: no settings of the person's own n8n, no proxy, no keys. */
const KEPT_VARIABLES = ['LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'ComSpec'];

/** With these settings n8n sends no requests to its makers and starts quickly. */
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

/** Whether a program on this machine could listen on the port. */
export async function portIsFree(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(false));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
	});
}

/** The ports that were given to somebody here. */
const given = new Set<number>();

/** Those of them that something listens on now. */
export async function portsInUse(): Promise<number[]> {
	const used = await Promise.all([...given].map(async (port) => ((await portIsFree(port)) ? [] : [port])));
	return used.flat();
}

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
	const port = await new Promise<number>((resolve, reject) => {
		const server = createServer();
		server.once('error', reject);
		server.listen(0, '127.0.0.1', () => {
			const address = server.address();
			server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
		});
	});
	given.add(port);
	return port;
}

/** Starts n8n with a fresh database in a temporary folder and waits until it answers. */
export async function startN8n(installation: Installation, options: StartOptions = {}): Promise<RunningN8n> {
	const port = options.port ?? (await freePort());
	given.add(port);
	if (!(await portIsFree(port)))
		throw new Problem(`Port ${port}, where n8n was to be opened, is used by another program.`);

	// n8n refuses to write through symbolic links, and the folder for temporary files is one on some systems.
	const home = await realpath(await mkdtemp(join(tmpdir(), 'security-awareness-n8n-')));
	const filesFolder = join(home, 'files');
	const logFile = options.logFile ?? join(home, 'n8n.log');
	const removal = { recursive: true, force: true, maxRetries: 10 };
	// For a script that crashes; its processes have been ended by then (processes.ts).
	const removeAtExit = () => rmSync(home, removal);
	process.once('exit', removeAtExit);
	const remove = async () => {
		process.off('exit', removeAtExit);
		await rm(home, removal);
	};

	let child: ChildProcess | undefined;
	try {
		await mkdir(filesFolder);
		for (const tarball of options.packages ?? []) await unpackCommunityPackage(home, tarball);

		const environment = async (userFolder: string): Promise<NodeJS.ProcessEnv> => ({
			...Object.fromEntries(KEPT_VARIABLES.map((name) => [name, process.env[name]])),
			...QUIET_SETTINGS,
			...VERSIONS[installation.version].env,
			HOME: userFolder,
			// n8n starts its task runner as plain "node".
			PATH: [dirname(installation.node), process.env.PATH].join(delimiter),
			N8N_USER_FOLDER: userFolder,
			N8N_LISTEN_ADDRESS: '127.0.0.1',
			N8N_HOST: '127.0.0.1',
			N8N_PORT: String(port),
			N8N_RUNNERS_BROKER_PORT: String(await freePort()),
			N8N_RESTRICT_FILE_ACCESS_TO: filesFolder,
			...options.env,
		});
		const env = await environment(home);
		const program = [...END_WITH_PARENT, join(installation.folder, 'node_modules', 'n8n', 'bin', 'n8n')];
		const launch = () => startProcess(installation.node, [...program, 'start'], { cwd: home, env, logFile });
		const started = launch();
		child = started;
		let current = started;

		const url = `http://127.0.0.1:${port}`;
		await untilReady('n8n', started, logFile, isOpen(url));
		const ended = new Promise<void>((resolve) => started.once('exit', () => resolve()));
		const stop = async () => {
			await stopProcess(current);
			await remove();
		};
		const restart: RunningN8n['restart'] = async (between, patience) => {
			await stopProcess(current, patience);
			await between?.();
			current = launch();
			await untilReady('n8n', current, logFile, isOpen(url));
		};
		const startWorker = async (log: string, { concurrency = 10 }: WorkerOptions = {}) => {
			const folder = await mkdtemp(join(home, 'worker-'));
			await cp(join(home, '.n8n', 'nodes'), join(folder, '.n8n', 'nodes'), { recursive: true });
			const health = await freePort();
			const settings = {
				QUEUE_HEALTH_CHECK_ACTIVE: 'true',
				QUEUE_HEALTH_CHECK_PORT: String(health),
				N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
			};
			const worker = startProcess(installation.node, [...program, 'worker', `--concurrency=${concurrency}`], {
				cwd: folder,
				env: { ...(await environment(folder)), ...settings },
				logFile: log,
			});
			await untilReady('A worker of n8n', worker, log, allAnswer([`http://127.0.0.1:${health}/healthz/readiness`]));
			return worker;
		};
		return {
			url,
			logFile,
			userFolder: home,
			filesFolder,
			stop,
			restart,
			ended,
			startWorker,
			get pid() {
				return current.pid ?? 0;
			},
		};
	} catch (error) {
		if (child) await stopProcess(child);
		await remove();
		throw error;
	}
}

/** Puts a packed package where n8n keeps the community packages it has installed. */
async function unpackCommunityPackage(home: string, tarball: string): Promise<void> {
	const unpacked = join(home, 'unpacked');
	await mkdir(unpacked);
	await runCommand('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1'], {
		logFile: join(home, 'unpack.log'),
	});
	const { name } = JSON.parse(await readFile(join(unpacked, 'package.json'), 'utf8')) as { name: string };
	const target = join(home, '.n8n', 'nodes', 'node_modules', name);
	await mkdir(dirname(target), { recursive: true });
	await rename(unpacked, target);
}

const answers = async (url: string): Promise<boolean> =>
	fetch(url).then(
		(response) => response.ok && (response.headers.get('content-type') ?? '').includes('json'),
		() => false,
	);

const allAnswer = (urls: string[]) => async (): Promise<boolean> =>
	(await Promise.all(urls.map(answers))).every(Boolean);

/** An older n8n calls itself ready some seconds before its editor's addresses answer. */
const isOpen = (url: string) => allAnswer([`${url}/healthz/readiness`, `${url}/rest/settings`]);
