import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { DateTime } from 'luxon';
import { z } from 'zod';

import { readWorkflow } from '../../real-n8n/examples';
import { startProcess, stopProcess } from '../../real-n8n/processes';
import { untilReady } from '../../real-n8n/ready';
import { openN8n, saveCredential, type OpenN8n } from '../../real-n8n/stage';
import { freePort } from '../../real-n8n/start';
import { showStep as step } from '../../real-n8n/steps';
import { seeded } from '../../stand-in/random';
import type { Part, Report, Tools } from '../part';
import { startServers, type Servers } from '../queue/servers';
import { drawChart, type Sample } from './chart';
import { Cluster } from './cluster';
import { judge } from './judge';
import { contentOf, REPORTS } from './reports';
import { Tables, type Line } from './tables';

const setting = (name: string, usual: number) => Number(process.env[name] ?? usual);
const COMPANIES = setting('COMPANIES', 500);
const WORKERS = setting('WORKERS', 4);
/** Executions at once for each worker: the dispatcher needs a place as well. */
const CONCURRENCY = setting('CONCURRENCY', 3);
const PARTS_AT_ONCE = setting('PARTS_AT_ONCE', 8);
const PART_SIZE = setting('PART_SIZE', COMPANIES < 5000 ? 25 : 250);
const PATIENCE_MINUTES = setting('PATIENCE', 40);
const SEED = process.env.SEED ?? '1';
/** kills: from nothing, while workers die; again: from nothing; thirds: from a manifest that is two thirds full. */
const MODES = (process.env.MODES ?? 'kills,again,thirds').split(',');

const SETTINGS = {
	// Each worker keeps the files that it works on in its own folder, and no longer than its execution.
	N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
	// By default it takes more than a minute until n8n treats a worker as dead.
	...{ QUEUE_WORKER_LOCK_DURATION: '20000', QUEUE_WORKER_LOCK_RENEW_TIME: '5000' },
	QUEUE_WORKER_STALLED_INTERVAL: '10000',
	// The shortest, in minutes; usually 180.
	N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL: '1',
	N8N_LOG_LEVEL: 'info',
};
/** Longer than a round of parts takes, and the time until a dead worker's part is given up. */
const QUIET_MINUTES = setting('QUIET_MINUTES', COMPANIES < 5000 ? 1 : 3);
const HEADER = { name: 'X-Night', value: 'the secret of the night' };

const about = z.object({
	...{ secrets: z.object({ serverUrl: z.string(), clientId: z.string(), clientSecret: z.string() }) },
	...{ companyIds: z.array(z.string()), requests: z.number(), mostInFlight: z.number() },
});
const fetchedCounts = z.record(z.number());
const rows = z.array(z.record(z.union([z.string(), z.number(), z.null()])));

interface Service {
	ask: () => Promise<z.output<typeof about>>;
	/** How often each report was sent since the last time. */
	fetched: () => Promise<Record<string, number>>;
}

/** Starts the night's service in a process of its own. */
async function startNightService({ results, cleanups }: Tools): Promise<Service> {
	const port = await freePort();
	const logFile = join(results, 'service.log');
	const script = join(__dirname, 'service.ts');
	const args = ['--import', 'tsx', script, String(port), String(COMPANIES)];
	const child = startProcess(process.execPath, args, { cwd: join(__dirname, '..', '..', '..'), logFile });
	cleanups.push(() => stopProcess(child));
	const get = async (path: string): Promise<unknown> => await (await fetch(`http://127.0.0.1:${port}${path}`)).json();
	const isReady = async () =>
		await get('/').then(
			() => true,
			() => false,
		);
	await untilReady('The service', child, logFile, isReady);
	return {
		ask: async () => about.parse(await get('/')),
		fetched: async () => fetchedCounts.parse(await get('/fetched')),
	};
}

/** All that a night needs. */
interface Scene {
	tools: Tools;
	servers: Servers;
	service: Service;
	open: OpenN8n;
	cluster: Cluster;
	tables: Tables;
	companies: string[];
	night: string;
	folder: string;
}

/** Saves the example's workflow as a person would, with a dispatcher that comes every twenty seconds. */
async function saveWorkflow({ client, n8n }: OpenN8n, folder: string, night: string): Promise<string> {
	const settings = {
		...{ folder, night, workerUrl: `${n8n.url}/webhook/night-part` },
		...{ partsAtOnce: PARTS_AT_ONCE, partSize: PART_SIZE, quietMinutes: QUIET_MINUTES },
	};
	const read = await readWorkflow('22-night-at-scale', { folder }, settings);
	const often = { rule: { interval: [{ field: 'seconds', secondsInterval: 20 }] } };
	const nodes = read.nodes.map((each) =>
		each.type.endsWith('.scheduleTrigger') ? { ...each, parameters: often } : each,
	);
	return await client.createWorkflow({ ...read, nodes });
}

async function prepare(tools: Tools): Promise<Scene & { workflow: string }> {
	const service = await step(`Start a service with ${COMPANIES} companies`, '5 s', () => startNightService(tools));
	const servers = await step('Start Postgres and Redis', '5 s', () => startServers(tools));
	const options = { logFile: join(tools.results, 'main.log'), env: { ...servers.env, ...SETTINGS } };
	const open = await openN8n({ ...options, packages: [tools.tarball], port: await freePort() }, tools.cleanups);
	const { secrets, companyIds: companies } = await service.ask();
	await saveCredential(open.client, secrets);
	await open.client.createCredential('Header Auth account', 'httpHeaderAuth', HEADER);
	const cluster = new Cluster(open.n8n, tools, CONCURRENCY);
	await step(`Start ${WORKERS} workers`, '20 to 40 s', () => cluster.upTo(WORKERS));
	const night = DateTime.now().toISODate();
	const folder = open.n8n.filesFolder;
	const tables = await Tables.create(open.client, servers);
	const workflow = await saveWorkflow(open, folder, night);
	return { tools, servers, service, open, cluster, tables, companies, night, folder, workflow };
}

const ONE_NUMBER = z.array(z.object({ value: z.coerce.number().nullable() }));

/** Looks at everything now and then while a night goes on. */
class Watch {
	private readonly began = Date.now();
	readonly samples: Sample[] = [];
	readonly events: Array<{ at: number; what: string }> = [];
	largestExecution = 0;
	largestDatabase = 0;

	constructor(private readonly scene: Scene) {}

	get seconds(): number {
		return Math.round((Date.now() - this.began) / 1000);
	}

	note(what: string): void {
		this.events.push({ at: this.seconds, what });
		console.log(`  ${this.seconds} s: ${what}`);
	}

	async look(): Promise<void> {
		this.samples.push({ at: this.seconds, values: await this.scene.cluster.memory() });
		const most = (now: number, value: number | null | undefined) => Math.max(now, value ?? 0);
		const sql = 'SELECT max(octet_length(data)) AS value FROM execution_data';
		this.largestExecution = most(this.largestExecution, await this.number(sql));
		this.largestDatabase = most(
			this.largestDatabase,
			await this.number('SELECT pg_database_size(current_database()) AS value'),
		);
	}

	private async number(sql: string): Promise<number | null | undefined> {
		return ONE_NUMBER.parse(await this.scene.servers.query(sql))[0]?.value;
	}

	/** The most that a worker took, and the main process, in megabytes. */
	get memory(): { worker: number; main: number } {
		const most = (isWanted: (name: string) => boolean) =>
			Math.max(
				...this.samples.flatMap(({ values }) =>
					Object.entries(values).flatMap(([name, value]) => (isWanted(name) ? [value] : [])),
				),
			);
		return { worker: most((name) => name !== 'main'), main: most((name) => name === 'main') };
	}
}

/** What happens in a night, when so much of it is done. */
interface Blow {
	share: number;
	what: string;
	strike: (scene: Scene, watch: Watch) => Promise<string>;
}

/** Two workers are killed, one of them the one that runs the dispatcher, and Redis is restarted in between; when, the seed decides. */
function blowsOf(seed: string): Blow[] {
	const next = seeded(`night ${seed}`);
	const killOne = async ({ cluster }: Scene, index: number) => {
		const name = await cluster.kill(index);
		// As a program that supervises the workers would do.
		await cluster.upTo(WORKERS);
		return name;
	};
	const any = Math.floor(next() * WORKERS);
	return [
		{ share: 0.2 + next() * 0.1, what: 'a worker was killed', strike: async (scene) => await killOne(scene, any) },
		{
			share: 0.4 + next() * 0.1,
			what: 'Redis was restarted',
			strike: async ({ servers }) => `away for ${await servers.restartRedis()} ms`,
		},
		{
			share: 0.6 + next() * 0.1,
			what: "the dispatcher's worker was killed",
			strike: async (scene) => await killOne(scene, await dispatcherOf(scene)),
		},
	];
}

/** Which worker runs the dispatcher. */
async function dispatcherOf({ servers, cluster }: Scene): Promise<number> {
	const wanted = `SELECT id FROM execution_entity WHERE mode = 'trigger' AND status = 'running' ORDER BY id`;
	const [row] = rows.parse(await servers.query(wanted));
	return Math.max(0, await cluster.indexOf(String(row?.id)));
}

/** Runs a night to its end. @returns its row in the table, and what is wrong */
async function runNight(
	mode: string,
	scene: Scene,
	workflow: string,
): Promise<{ row: Report['table'][number]; failures: string[] }> {
	const { tables, cluster, companies, folder, service, open } = scene;
	await tables.clear();
	await rm(folder, { recursive: true });
	await mkdir(folder);
	const before: Line[] = mode === 'thirds' ? await tables.fillTwoThirds(companies, scene.night, PART_SIZE) : [];
	for (const { report, companyResourceId, file } of before)
		await writeFile(join(folder, file), contentOf(report, companyResourceId));
	await service.fetched();
	await service.ask();
	const [watch, cpu] = [new Watch(scene), await cluster.cpu()];
	await open.client.activate(workflow);
	const isDone = await untilDone(scene, watch, mode === 'kills' ? blowsOf(SEED) : []);
	const { seconds } = watch;
	await open.client.deactivate(workflow);
	const spent = (await cluster.cpu()) - cpu;
	await watch.look();

	const [fetched, lines, { requests, mostInFlight }] = [
		await service.fetched(),
		await tables.lines(),
		await service.ask(),
	];
	const failures = await judge({ companies, lines, fetched, before, folder });
	if (!isDone) failures.push(`Not done after ${PATIENCE_MINUTES} minutes: ${JSON.stringify(await tables.states())}.`);
	await drawChart(
		join(scene.tools.results, `memory-${mode}.svg`),
		`Memory, ${companies.length} companies (${mode})`,
		watch.samples,
		watch.events,
	);
	await writeFile(
		join(scene.tools.results, `night-${mode}.json`),
		JSON.stringify(
			{
				samples: watch.samples,
				events: watch.events,
				states: await tables.states(),
				executions: await executionsOf(scene),
			},
			null,
			'\t',
		),
	);
	const fetches = Object.values(fetched);
	const worked = companies.length - before.length / REPORTS.length;
	const row = {
		...{
			night: mode,
			companies: companies.length,
			seconds,
			lines: lines.length,
			files: (await readdir(folder)).length,
		},
		...{ requests, 'fetched again': fetches.reduce((sum, times) => sum + times - 1, 0), 'at once': mostInFlight },
		...{ 'CPU s': Math.round(spent), 'CPU ms/company': Math.round((spent / worked) * 1000), cores: cpus().length },
		...{ 'worker MB': watch.memory.worker, 'main MB': watch.memory.main },
		...{ 'execution MB': megabytes(watch.largestExecution), 'database MB': megabytes(watch.largestDatabase) },
	};
	return { row, failures: failures.map((failure) => `${mode}: ${failure}`) };
}

const megabytes = (bytes: number) => Math.round(bytes / 1e5) / 10;

/** Waits until all parts are done, while what is to happen happens. @returns whether they were in time */
async function untilDone(scene: Scene, watch: Watch, blows: Blow[]): Promise<boolean> {
	const all = scene.companies.length * REPORTS.length;
	for (let rounds = 0; watch.seconds < PATIENCE_MINUTES * 60; rounds++) {
		if (rounds % 5 === 0) await watch.look();
		const count = await scene.tables.count();
		const [blow] = blows;
		if (blow && count >= blow.share * all) {
			blows.shift();
			watch.note(`${Math.round((count / all) * 100)} % done, ${blow.what}: ${await blow.strike(scene, watch)}`);
		}
		if (await scene.tables.isDone()) return true;
		await sleep(1000);
	}
	return false;
}

async function executionsOf({ servers }: Scene): Promise<z.output<typeof rows>> {
	const sql = `SELECT mode, status, count(*)::int AS count FROM execution_entity GROUP BY mode, status`;
	return rows.parse(await servers.query(sql));
}

async function run(tools: Tools): Promise<Report> {
	const { workflow, ...scene } = await prepare(tools);
	const report: Report = { table: [], failures: [] };
	for (const mode of MODES) {
		const { row, failures } = await step(`A night: ${mode}`, '1 min or 25', () => runNight(mode, scene, workflow));
		report.table.push(row);
		report.failures.push(...failures);
	}
	return report;
}

export const night: Part = {
	title: `The reports of ${COMPANIES} companies in a night, on ${WORKERS} workers, some of which are killed`,
	run,
};
