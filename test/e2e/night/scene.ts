import { join } from 'node:path';

import { DateTime } from 'luxon';
import { z } from 'zod';

import { prepareExample } from '../../real-n8n/examples';
import { startProcess, stopProcess } from '../../real-n8n/processes';
import { waitUntilReady } from '../../real-n8n/ready';
import { openN8n, saveCredential, type N8nSession } from '../../real-n8n/stage';
import { findFreePort } from '../../real-n8n/start';
import { runStep } from '../../real-n8n/steps';
import type { PartContext } from '../part';
import { startServers, type Servers } from '../queue/servers';
import { Cluster } from './cluster';
import { NightTables } from './tables';

const readSetting = (name: string, usual: number) => Number(process.env[name] ?? usual);
export const COMPANIES = readSetting('COMPANIES', 500);
/** None: one process, without a queue. */
export const WORKERS = readSetting('WORKERS', 4);
const LATENCY_MS = readSetting('LATENCY', 20);
/** Executions at once for each worker: the dispatcher needs a place as well. */
const CONCURRENCY = readSetting('CONCURRENCY', 3);
const PARTS_AT_ONCE = readSetting('PARTS_AT_ONCE', 8);
export const PART_SIZE = readSetting('PART_SIZE', COMPANIES < 5000 ? 25 : 200);
/** Longer than a round of parts takes, and the time until a dead worker's part is given up. */
const QUIET_MINUTES = readSetting('QUIET_MINUTES', 2);

const SETTINGS = {
	// Each worker keeps the files that it works on in its own folder, and no longer than its execution.
	N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
	// Without a limit Node.js lets memory grow for as long as the machine has some.
	NODE_OPTIONS: '--max-old-space-size=512',
	// By default it takes more than a minute until n8n treats a worker as dead.
	QUEUE_WORKER_LOCK_DURATION: '20000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '5000',
	QUEUE_WORKER_STALLED_INTERVAL: '10000',
	// The shortest, in minutes; usually 180.
	N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL: '1',
	...(WORKERS === 0 ? { EXECUTIONS_MODE: 'regular' } : {}),
};
const HEADER = { name: 'X-Night', value: 'the secret of the night' };

const aboutSchema = z.object({
	secrets: z.object({ serverUrl: z.string(), clientId: z.string(), clientSecret: z.string() }),
	companyIds: z.array(z.string()),
	requests: z.number(),
	mostInFlight: z.number(),
});
const countsSchema = z.record(z.number());

/** The night's service, which is a process of its own. */
interface NightService {
	/** How many different reports it has sent. */
	countSentReports: () => Promise<number>;
	readStatus: () => Promise<z.output<typeof aboutSchema>>;
	/** How often each report was sent since the last time, by company and report. */
	takeSendCounts: () => Promise<Record<string, number>>;
}

/** All that a night needs. */
export interface NightSetup {
	results: string;
	servers: Servers;
	service: NightService;
	session: N8nSession;
	cluster: Cluster;
	tables: NightTables;
	companies: string[];
	/** The night's date. */
	night: string;
	/** Where the workflow saves the files. */
	folder: string;
	workflow: string;
}

async function startNightService({ results, cleanups }: PartContext): Promise<NightService> {
	const port = await findFreePort();
	const logFile = join(results, 'service.log');
	const args = ['--import', 'tsx', join(__dirname, 'service.ts'), ...[port, COMPANIES, LATENCY_MS].map(String)];
	const child = startProcess(process.execPath, args, { cwd: join(__dirname, '..', '..', '..'), logFile });
	cleanups.push(() => stopProcess(child));
	const get = async (path: string): Promise<unknown> => (await fetch(`http://127.0.0.1:${port}${path}`)).json();
	const isReady = async () =>
		get('/').then(
			() => true,
			() => false,
		);
	await waitUntilReady('The service', child, logFile, isReady);
	return {
		countSentReports: async () => z.number().parse(await get('/sent')),
		readStatus: async () => aboutSchema.parse(await get('/')),
		takeSendCounts: async () => countsSchema.parse(await get('/fetched')),
	};
}

/** Saves the example's workflow as a person would, with a dispatcher that comes every twenty seconds. */
async function saveWorkflow({ client, n8n }: N8nSession, folder: string, night: string): Promise<string> {
	const settings = {
		folder,
		night,
		workerUrl: `${n8n.url}/webhook/night-part`,
		partsAtOnce: PARTS_AT_ONCE,
		partSize: PART_SIZE,
		quietMinutes: QUIET_MINUTES,
	};
	const read = await prepareExample('22-night-at-scale', { folder }, settings);
	const everyTwentySeconds = { rule: { interval: [{ field: 'seconds', secondsInterval: 20 }] } };
	const nodes = read.nodes.map((each) =>
		each.type.endsWith('.scheduleTrigger') ? { ...each, parameters: everyTwentySeconds } : each,
	);
	return await client.createWorkflow({ ...read, nodes });
}

/** Starts the service, Postgres, Redis, n8n and its workers, and saves the workflow. */
export async function setUpNight(tools: PartContext): Promise<NightSetup> {
	const { results, tarball, cleanups } = tools;
	const service = await runStep(`Start a service with ${COMPANIES} companies`, '5 s', () => startNightService(tools));
	const servers = await runStep('Start Postgres and Redis', '5 s', () => startServers(tools));
	const env = { ...servers.env, ...SETTINGS };
	const options = { logFile: join(results, 'main.log'), env, packages: [tarball], port: await findFreePort() };
	const open = await openN8n(options, cleanups);
	const { secrets, companyIds: companies } = await service.readStatus();
	await saveCredential(open.client, secrets);
	await open.client.createCredential('Header Auth account', 'httpHeaderAuth', HEADER);
	const cluster = new Cluster(open.n8n, tools, CONCURRENCY);
	await runStep(`Start ${WORKERS} workers`, '20 to 40 s', () => cluster.startUpTo(WORKERS));
	const night = DateTime.now().toISODate();
	const folder = open.n8n.filesFolder;
	const tables = await NightTables.create(open.client, servers);
	const workflow = await saveWorkflow(open, folder, night);
	return { results, servers, service, session: open, cluster, tables, companies, night, folder, workflow };
}
