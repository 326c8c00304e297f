import { join } from 'node:path';

import { DateTime } from 'luxon';
import { z } from 'zod';

import { prepareExample } from '../../real-n8n/examples';
import { startProcess, stopProcess } from '../../real-n8n/processes';
import { waitUntilReady } from '../../real-n8n/waitUntilReady';
import { openN8n, saveCredential, type N8nSession } from '../../real-n8n/testEnvironment';
import { findFreePort } from '../../real-n8n/startN8n';
import { runStep } from '../../real-n8n/steps';
import type { PartContext } from '../part';
import { startServers, type Servers } from '../queue/servers';
import { Cluster } from './cluster';
import { NightTables } from './nightTables';

/** Reads a number from an environment variable. */
const readSetting = (name: string, defaultValue: number) => Number(process.env[name] ?? defaultValue);
/** The number of companies. */
export const COMPANY_COUNT = readSetting('COMPANIES', 500);
/** The number of workers. With 0, n8n runs in one process without a queue. */
export const WORKER_COUNT = readSetting('WORKERS', 4);
const LATENCY_MS = readSetting('LATENCY', 20);
/** The number of executions that each worker runs at the same time. The dispatcher takes one of these places. */
const CONCURRENCY = readSetting('CONCURRENCY', 3);
const PARTS_AT_ONCE = readSetting('PARTS_AT_ONCE', 8);
/** The number of companies in a part. */
export const PART_SIZE = readSetting('PART_SIZE', COMPANY_COUNT < 5000 ? 25 : 200);
/** The time after which a part counts as lost, in minutes. It must be longer than a round of parts takes. */
const QUIET_MINUTES = readSetting('QUIET_MINUTES', 2);

const SETTINGS = {
	// Each worker keeps the files of an execution in its own folder, and deletes them when the execution has ended.
	N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
	// Without a limit, Node.js keeps using more memory while the machine has some left.
	NODE_OPTIONS: '--max-old-space-size=512',
	// With the defaults, n8n takes more than a minute to treat a worker as dead.
	QUEUE_WORKER_LOCK_DURATION: '20000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '5000',
	QUEUE_WORKER_STALLED_INTERVAL: '10000',
	// This is the minimum, in minutes. The default is 180.
	N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL: '1',
};
const HEADER = { name: 'X-Night', value: 'the secret of the night' };

const statusSchema = z.object({
	secrets: z.object({ serverUrl: z.string(), clientId: z.string(), clientSecret: z.string() }),
	companyIds: z.array(z.string()),
	requests: z.number(),
	maxInFlight: z.number(),
});
const countsSchema = z.record(z.number());

/** The night's service, which runs in a separate process. */
interface NightService {
	/** Returns the number of different reports that the service has sent. */
	countSentReports: () => Promise<number>;
	/** Returns the service's credentials and companies, and the counts of requests since the last call. */
	readStatus: () => Promise<z.output<typeof statusSchema>>;
	/** Returns how often each report was sent since the last call, by company and report. */
	takeSendCounts: () => Promise<Record<string, number>>;
}

/** Everything that a night needs. */
export interface NightSetup {
	results: string;
	servers: Servers;
	service: NightService;
	session: N8nSession;
	cluster: Cluster;
	tables: NightTables;
	companies: string[];
	/** The date of the night, such as 2026-01-31. */
	night: string;
	/** The folder in which the workflow saves the files. */
	folder: string;
	/** The ID of the workflow. */
	workflow: string;
}

async function startNightService({ results, cleanups }: PartContext): Promise<NightService> {
	const port = await findFreePort();
	const logFile = join(results, 'service.log');
	const args = ['--import', 'tsx', join(__dirname, 'service.ts'), ...[port, COMPANY_COUNT, LATENCY_MS].map(String)];
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
		readStatus: async () => statusSchema.parse(await get('/')),
		takeSendCounts: async () => countsSchema.parse(await get('/fetched')),
	};
}

/** Saves the example's workflow with a dispatcher that starts every twenty seconds. @returns the workflow's ID */
async function saveWorkflow({ client, n8n }: N8nSession, folder: string, night: string): Promise<string> {
	const settings = {
		folder,
		night,
		workerUrl: `${n8n.url}/webhook/night-part`,
		partsAtOnce: PARTS_AT_ONCE,
		partSize: PART_SIZE,
		quietMinutes: QUIET_MINUTES,
	};
	const example = await prepareExample('22-night-at-scale', { folder }, settings);
	const everyTwentySeconds = { rule: { interval: [{ field: 'seconds', secondsInterval: 20 }] } };
	const nodes = example.nodes.map((node) =>
		node.type.endsWith('.scheduleTrigger') ? { ...node, parameters: everyTwentySeconds } : node,
	);
	return await client.createWorkflow({ ...example, nodes });
}

/** Starts the service, Postgres, Redis, n8n and its workers, and saves the workflow. */
export async function setUpNight(context: PartContext): Promise<NightSetup> {
	const { results, tarball, cleanups } = context;
	const service = await runStep(`Start a service with ${COMPANY_COUNT} companies`, '5 s', () =>
		startNightService(context),
	);
	const servers = await runStep('Start Postgres and Redis', '5 s', () => startServers(context));
	const modeSettings: Record<string, string> = WORKER_COUNT === 0 ? { EXECUTIONS_MODE: 'regular' } : {};
	const env = { ...servers.env, ...SETTINGS, ...modeSettings };
	const options = { logFile: join(results, 'main.log'), env, packages: [tarball], port: await findFreePort() };
	const session = await openN8n(options, cleanups);
	const { secrets, companyIds: companies } = await service.readStatus();
	await saveCredential(session.client, secrets);
	await session.client.createCredential('Header Auth account', 'httpHeaderAuth', HEADER);
	const cluster = new Cluster(session.n8n, context, CONCURRENCY);
	await runStep(`Start ${WORKER_COUNT} workers`, '20 to 40 s', () => cluster.startUpTo(WORKER_COUNT));
	const night = DateTime.now().toISODate();
	const folder = session.n8n.filesFolder;
	const tables = await NightTables.create(session.client, servers);
	const workflow = await saveWorkflow(session, folder, night);
	return { results, servers, service, session, cluster, tables, companies, night, folder, workflow };
}
