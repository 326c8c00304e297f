import { join } from 'node:path';

import { DateTime } from 'luxon';
import { z } from 'zod';

import { readWorkflow } from '../../real-n8n/examples';
import { startProcess, stopProcess } from '../../real-n8n/processes';
import { untilReady } from '../../real-n8n/ready';
import { openN8n, saveCredential, type OpenN8n } from '../../real-n8n/stage';
import { freePort } from '../../real-n8n/start';
import { showStep as step } from '../../real-n8n/steps';
import type { Tools } from '../part';
import { startServers, type Servers } from '../queue/servers';
import { Cluster } from './cluster';
import { Tables } from './tables';

const setting = (name: string, usual: number) => Number(process.env[name] ?? usual);
export const COMPANIES = setting('COMPANIES', 500);
/** None: one process, without a queue. */
export const WORKERS = setting('WORKERS', 4);
const LATENCY_MS = setting('LATENCY', 20);
/** Executions at once for each worker: the dispatcher needs a place as well. */
const CONCURRENCY = setting('CONCURRENCY', 3);
const PARTS_AT_ONCE = setting('PARTS_AT_ONCE', 8);
export const PART_SIZE = setting('PART_SIZE', COMPANIES < 5000 ? 25 : 200);
/** Longer than a round of parts takes, and the time until a dead worker's part is given up. */
const QUIET_MINUTES = setting('QUIET_MINUTES', 2);

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

const about = z.object({
	secrets: z.object({ serverUrl: z.string(), clientId: z.string(), clientSecret: z.string() }),
	companyIds: z.array(z.string()),
	requests: z.number(),
	mostInFlight: z.number(),
});
const counts = z.record(z.number());

/** The night's service, which is a process of its own. */
interface Service {
	/** How many different reports it has sent. */
	sent: () => Promise<number>;
	ask: () => Promise<z.output<typeof about>>;
	/** How often each report was sent since the last time, by company and report. */
	fetched: () => Promise<Record<string, number>>;
}

/** All that a night needs. */
export interface Scene {
	results: string;
	servers: Servers;
	service: Service;
	open: OpenN8n;
	cluster: Cluster;
	tables: Tables;
	companies: string[];
	/** The night's date. */
	night: string;
	/** Where the workflow saves the files. */
	folder: string;
	workflow: string;
}

async function startNightService({ results, cleanups }: Tools): Promise<Service> {
	const port = await freePort();
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
	await untilReady('The service', child, logFile, isReady);
	return {
		sent: async () => z.number().parse(await get('/sent')),
		ask: async () => about.parse(await get('/')),
		fetched: async () => counts.parse(await get('/fetched')),
	};
}

/** Saves the example's workflow as a person would, with a dispatcher that comes every twenty seconds. */
async function saveWorkflow({ client, n8n }: OpenN8n, folder: string, night: string): Promise<string> {
	const settings = {
		folder,
		night,
		workerUrl: `${n8n.url}/webhook/night-part`,
		partsAtOnce: PARTS_AT_ONCE,
		partSize: PART_SIZE,
		quietMinutes: QUIET_MINUTES,
	};
	const read = await readWorkflow('22-night-at-scale', { folder }, settings);
	const often = { rule: { interval: [{ field: 'seconds', secondsInterval: 20 }] } };
	const nodes = read.nodes.map((each) =>
		each.type.endsWith('.scheduleTrigger') ? { ...each, parameters: often } : each,
	);
	return await client.createWorkflow({ ...read, nodes });
}

/** Starts the service, Postgres, Redis, n8n and its workers, and saves the workflow. */
export async function setScene(tools: Tools): Promise<Scene> {
	const { results, tarball, cleanups } = tools;
	const service = await step(`Start a service with ${COMPANIES} companies`, '5 s', () => startNightService(tools));
	const servers = await step('Start Postgres and Redis', '5 s', () => startServers(tools));
	const env = { ...servers.env, ...SETTINGS };
	const options = { logFile: join(results, 'main.log'), env, packages: [tarball], port: await freePort() };
	const open = await openN8n(options, cleanups);
	const { secrets, companyIds: companies } = await service.ask();
	await saveCredential(open.client, secrets);
	await open.client.createCredential('Header Auth account', 'httpHeaderAuth', HEADER);
	const cluster = new Cluster(open.n8n, tools, CONCURRENCY);
	await step(`Start ${WORKERS} workers`, '20 to 40 s', () => cluster.upTo(WORKERS));
	const night = DateTime.now().toISODate();
	const folder = open.n8n.filesFolder;
	const tables = await Tables.create(open.client, servers);
	const workflow = await saveWorkflow(open, folder, night);
	return { results, servers, service, open, cluster, tables, companies, night, folder, workflow };
}
