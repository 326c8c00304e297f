import { join } from 'node:path';

import { DateTime } from 'luxon';
import { z } from 'zod';

import { prepareExample } from '../../real-n8n/examples';
import { startProcess, stopProcess } from '../../real-n8n/processes';
import { waitUntilReady } from '../../real-n8n/waitUntilReady';
import { openN8n, saveCredential, type N8nSession } from '../../real-n8n/testEnvironment';
import { findFreePort } from '../../real-n8n/startN8n';
import { runStep } from '../../real-n8n/steps';
import type { TestPartContext } from '../part';
import { startServers, type Servers } from '../queue/servers';
import { Cluster } from './cluster';
import { NightTables } from './nightTables';

/** Reads a number from an environment variable. */
const readNumberSetting = (name: string, defaultValue: number) => Number(process.env[name] ?? defaultValue);
/** The number of companies in the stand-in service. */
export const COMPANY_COUNT = readNumberSetting('COMPANIES', 500);
/** The number of workers. With 0, n8n runs in one process without a queue. */
export const WORKER_COUNT = readNumberSetting('WORKERS', 4);
const LATENCY_MS = readNumberSetting('LATENCY', 20);
/** The number of executions that each worker runs at the same time. The dispatcher is one of these executions. */
const CONCURRENCY = readNumberSetting('CONCURRENCY', 3);
const MAX_PARALLEL_PARTS = readNumberSetting('PARTS_AT_ONCE', 8);
/** The number of companies in each part of the plan. A worker processes one part per execution. */
export const PART_SIZE = readNumberSetting('PART_SIZE', COMPANY_COUNT < 5000 ? 25 : 200);
/** A part counts as lost if it hasn't ended after this time, in minutes. Parts that are sent together must take less time. */
const QUIET_MINUTES = readNumberSetting('QUIET_MINUTES', 2);

const QUEUE_SETTINGS = {
	// Each worker keeps the files of an execution in a separate folder, and deletes them when the execution has ended.
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
const WORKER_URL_HEADER = { name: 'X-Night', value: 'the secret of the night' };

const statusSchema = z.object({
	secrets: z.object({ serverUrl: z.string(), clientId: z.string(), clientSecret: z.string() }),
	companyIds: z.array(z.string()),
	requests: z.number(),
	maxInFlight: z.number(),
});
const countsSchema = z.record(z.number());

/** The stand-in service of a night. It runs in a separate process. */
interface NightService {
	/** Returns the number of different reports that the service has sent. */
	countSentReports: () => Promise<number>;
	/** Returns the credential for the service, the IDs of its companies, and the request counts since the last call. */
	readStatus: () => Promise<z.output<typeof statusSchema>>;
	/** Returns how often each report was sent since the last call, by `<company ID> <report name>`. */
	takeSendCounts: () => Promise<Record<string, number>>;
}

/** The servers, clients and settings that all nights use. */
export interface NightSetup {
	resultsFolder: string;
	servers: Servers;
	service: NightService;
	session: N8nSession;
	cluster: Cluster;
	tables: NightTables;
	companyIds: string[];
	/** The date of the night, such as 2026-01-31. */
	nightDate: string;
	/** The folder in which the workflow saves the reports. */
	filesFolder: string;
	/** The ID of the workflow. */
	workflowId: string;
}

async function startNightService({ resultsFolder, cleanups }: TestPartContext): Promise<NightService> {
	const port = await findFreePort();
	const logFile = join(resultsFolder, 'service.log');
	const args = ['--import', 'tsx', join(__dirname, 'service.ts'), ...[port, COMPANY_COUNT, LATENCY_MS].map(String)];
	const child = startProcess(process.execPath, args, { cwd: join(__dirname, '..', '..', '..'), logFile });
	cleanups.push(() => stopProcess(child));
	const fetchJson = async (path: string): Promise<unknown> => (await fetch(`http://127.0.0.1:${port}${path}`)).json();
	const isReady = async () =>
		fetchJson('/').then(
			() => true,
			() => false,
		);
	await waitUntilReady('The service', child, logFile, isReady);
	return {
		countSentReports: async () => z.number().parse(await fetchJson('/sent')),
		readStatus: async () => statusSchema.parse(await fetchJson('/')),
		takeSendCounts: async () => countsSchema.parse(await fetchJson('/fetched')),
	};
}

/** Saves the workflow of example 22. Its dispatcher starts every twenty seconds. @returns the workflow's ID */
async function saveWorkflow({ client, n8n }: N8nSession, filesFolder: string, nightDate: string): Promise<string> {
	const settings = {
		folder: filesFolder,
		night: nightDate,
		workerUrl: `${n8n.url}/webhook/night-part`,
		partsAtOnce: MAX_PARALLEL_PARTS,
		partSize: PART_SIZE,
		quietMinutes: QUIET_MINUTES,
	};
	const example = await prepareExample('22-night-at-scale', { folder: filesFolder }, settings);
	const everyTwentySeconds = { rule: { interval: [{ field: 'seconds', secondsInterval: 20 }] } };
	const nodes = example.nodes.map((node) =>
		node.type.endsWith('.scheduleTrigger') ? { ...node, parameters: everyTwentySeconds } : node,
	);
	return await client.createWorkflow({ ...example, nodes });
}

/** Starts the service, Postgres, Redis, n8n and its workers, and saves the workflow. */
export async function setUpNight(context: TestPartContext): Promise<NightSetup> {
	const { resultsFolder, tarball, cleanups } = context;
	const service = await runStep(`Start a service with ${COMPANY_COUNT} companies`, '5 s', () =>
		startNightService(context),
	);
	const servers = await runStep('Start Postgres and Redis', '5 s', () => startServers(context));
	const modeSettings: Record<string, string> = WORKER_COUNT === 0 ? { EXECUTIONS_MODE: 'regular' } : {};
	const env = { ...servers.env, ...QUEUE_SETTINGS, ...modeSettings };
	const options = {
		logFile: join(resultsFolder, 'main.log'),
		env,
		packagePaths: [tarball],
		port: await findFreePort(),
	};
	const session = await openN8n(options, cleanups);
	const { secrets, companyIds } = await service.readStatus();
	await saveCredential(session.client, secrets);
	await session.client.createCredential('Header Auth account', 'httpHeaderAuth', WORKER_URL_HEADER);
	const cluster = new Cluster(session.n8n, context, CONCURRENCY);
	await runStep(`Start ${WORKER_COUNT} workers`, '20 to 40 s', () => cluster.startWorkersUpTo(WORKER_COUNT));
	const nightDate = DateTime.now().toISODate();
	const filesFolder = session.n8n.filesFolder;
	const tables = await NightTables.create(session.client, servers);
	const workflowId = await saveWorkflow(session, filesFolder, nightDate);
	return { resultsFolder, servers, service, session, cluster, tables, companyIds, nightDate, filesFolder, workflowId };
}
