/**
 * What polling costs in a real n8n: requests and CPU time of an idle poll, of the activation, which asks each company, and of a
 * new record, for a trigger of enrollments and one of campaigns of all simulators, each for Every Company.
 * `tsx test/e2e/triggerCost.ts [companies…] [--only campaigns] [--recent 90]`; 500 companies unless given. Linux only.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { z } from 'zod';

import { placeShape } from '../bench/front';
import { startChild, type Child } from '../real-n8n/children';
import { POLL_SECONDS, processMemory, type N8nClient } from '../real-n8n/client';
import { cpuSecondsOf } from '../real-n8n/cpu';
import { installN8n } from '../real-n8n/install';
import { Problem } from '../real-n8n/problem';
import { cleanUp, runScript, type Script } from '../real-n8n/script';
import type { RunningN8n } from '../real-n8n/start';
import { openN8n, packInto, temporaryFolder, type OpenN8n } from '../real-n8n/stage';
import { showStep as step } from '../real-n8n/steps';
import { triggerOfAll, triggerWorkflow } from '../real-n8n/triggerWorkflow';
import { SIMULATORS } from '../stand-in/personality';

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		/** How many records each kind has in the window; a page has 100. */
		recent: { type: 'string', default: '90' },
		only: { type: 'string', default: '' },
		/** A setting of n8n: NAME=value. */
		env: { type: 'string', multiple: true, default: [] },
	},
});
const sizes = (positionals.length > 0 ? positionals : ['500']).map(Number);
const recent = Number(values.recent);
if (![...sizes, recent].every((value) => value >= 0)) throw new Problem('The companies and --recent are numbers.');

const TRIGGERS = {
	enrollments: { type: 'Enrollment', parameters: {}, lists: ['enrollment'] },
	campaigns: { type: 'Campaign', parameters: { simulators: [...SIMULATORS] }, lists: [...SIMULATORS] },
};
type Watched = keyof typeof TRIGGERS;

const LATENCY_MS = 100;
/** How long n8n is left alone before it is measured, in s. */
const SETTLE = 30;
const MEASURED = 60;
const RECENT_MS = 12 * 3_600_000;

const COMPANIES = '/api/companies/search';
const countedShape = z.object({ paths: z.record(z.number()) });

/** What was asked and what it took. */
interface Sample {
	seconds: number;
	/** Searches without a company. */
	unscoped: number;
	companyLists: number;
	ofCompanies: number;
	/** CPU time of n8n's own process, and of those that it has started, in s. */
	cpu: { own: number; others: number };
	/** The most memory that n8n's own process has had so far, in megabytes. */
	peakMb: number;
}

/** Measures an n8n, from shortly before a poll to shortly before another one. */
class Meter {
	private at = 0;
	private cpu = { own: 0, others: 0 };

	constructor(
		private readonly n8n: RunningN8n,
		private readonly service: Child,
	) {}

	/** Forgets what was before the next poll. */
	async begin(): Promise<this> {
		const every = POLL_SECONDS * 1000;
		await sleep(every - ((Date.now() + 500) % every));
		await this.take();
		return this;
	}

	/** @returns what was asked and took time in so many intervals of a poll, and since the last sample */
	async sample(intervals = 1): Promise<Sample> {
		const end = this.at + intervals * POLL_SECONDS * 1000;
		await sleep(Math.max(0, end - Date.now()));
		return await this.take();
	}

	private async take(): Promise<Sample> {
		const { at, cpu: before } = this;
		this.cpu = await cpuSecondsOf(this.n8n.pid);
		this.at = Date.now();
		const { paths } = countedShape.parse(await this.service.ask('count'));
		const count = (isOne: (path: string) => boolean) =>
			Object.entries(paths).reduce((all, [path, times]) => all + (isOne(path) ? times : 0), 0);
		return {
			seconds: (this.at - at) / 1000,
			unscoped: count((path) => path !== COMPANIES && path.endsWith('/search')),
			companyLists: count((path) => path === COMPANIES),
			ofCompanies: count((path) => path.endsWith(' of a company')),
			cpu: { own: this.cpu.own - before.own, others: this.cpu.others - before.others },
			peakMb: (await processMemory(this.n8n.pid))?.peak ?? 0,
		};
	}
}

/** Where one number of companies is measured. */
interface Scene extends OpenN8n {
	service: Child;
	companies: number;
	/** CPU time that n8n takes in a second without a workflow. */
	rest: { own: number; others: number };
	rows: Array<Record<string, string | number>>;
}

const figure = (value: number, digits: number) => Number(value.toFixed(digits));

/** Adds a row of the table. @param polls how many there were */
function note(scene: Scene, what: string, { seconds, cpu, peakMb, ...asked }: Sample, polls: number): void {
	const { companies, rest, rows } = scene;
	const own = cpu.own - rest.own * seconds;
	const requests = asked.unscoped + asked.companyLists + asked.ofCompanies;
	const row = {
		...{ companies, what, polls, seconds: figure(seconds, 0) },
		'lists of all a poll': figure(asked.unscoped / polls, 2),
		'pages of companies': asked.companyLists,
		'of a company': asked.ofCompanies,
		'CPU s': figure(own, 2),
		'CPU s a poll': figure(own / polls, 3),
		'CPU ms a request': figure((1000 * own) / requests, 1),
		'memory MB': peakMb,
		'CPU s a poll, other processes': figure((cpu.others - rest.others * seconds) / polls, 3),
	};
	rows.push(row);
	console.log(JSON.stringify(row));
}

/** Waits until a workflow has started for something. */
async function untilGiven(client: N8nClient, workflowId: string): Promise<void> {
	for (let waited = 0; (await client.executions(workflowId)).length === 0; waited++) {
		if (waited > 400) throw new Problem('A new record is not given.');
		await sleep(1000);
	}
}

/** Measures one trigger: its first poll, one with something new, and idle ones. */
async function measure(scene: Scene, watched: Watched): Promise<void> {
	const { n8n, client, service, credential } = scene;
	const { type, parameters, lists } = TRIGGERS[watched];
	const kinds = lists.length;
	for (const list of lists) await service.ask('create', { list, count: recent, overMs: RECENT_MS });
	await service.ask('set', { latencyMs: LATENCY_MS });
	const workflow = triggerWorkflow(triggerOfAll(type, parameters, credential), 'Trigger');
	const id = await client.createWorkflow({ name: watched, ...workflow });
	const meter = await new Meter(n8n, service).begin();
	await step(`Activate a trigger of ${watched}`, 'a minute', async () => await client.activate(id));
	note(scene, `${watched}, activation`, await meter.sample(), 1);

	await meter.begin();
	await service.ask('create', { list: lists[0], count: 1, overMs: 0 });
	await step('Wait for a new record', '10 s', () => untilGiven(client, id));
	note(scene, `${watched}, a new record`, await meter.sample(), 1);
	await idle(scene, meter, `${watched}, idle`, kinds);
	await client.deactivate(id);
}

async function idle(scene: Scene, meter: Meter, what: string, kinds: number): Promise<void> {
	const intervals = MEASURED / POLL_SECONDS;
	const sample = await step('Measure idle polls', '1 min', async () => {
		await meter.sample(2);
		return await meter.sample(intervals);
	});
	// Each interval has one poll, whatever it asked.
	note(scene, what, sample, intervals);
	if (sample.unscoped !== kinds * intervals || sample.ofCompanies > 0) console.log('  These polls were not idle.');
}

/** Measures n8n without a workflow. */
async function atRest({ n8n, service }: Pick<Scene, 'n8n' | 'service'>): Promise<Scene['rest']> {
	const meter = await new Meter(n8n, service).begin();
	const { seconds, cpu } = await step('Measure n8n without a workflow', '1 min', () =>
		meter.sample(MEASURED / POLL_SECONDS),
	);
	const rest = { own: cpu.own / seconds, others: cpu.others / seconds };
	console.log(`  Without a workflow: ${JSON.stringify(rest)} s of CPU a second`);
	return rest;
}

/** All of one number of companies. @returns rows of the table */
async function runSize(companies: number, tarball: string, { cleanups }: Script): Promise<Scene['rows']> {
	const service = await startChild(join(__dirname, 'costService.ts'), await installN8n(step));
	cleanups.push(() => service.stop());
	const { url, ...client } = placeShape.parse(await service.ask('start', { companies }));
	const logFile = join(await temporaryFolder(cleanups), 'n8n.log');
	const env = Object.fromEntries(values.env.map((each) => each.split(/=(.*)/s, 2)));
	const opened = await openN8n({ serverUrl: url, ...client }, { tarball, logFile, env }, cleanups);
	await sleep(SETTLE * 1000);
	const scene = { ...opened, service, companies, rest: await atRest({ ...opened, service }), rows: [] };
	for (const watched of ['enrollments', 'campaigns'] as const)
		if (watched.includes(values.only)) await measure(scene, watched);
	await atRest(scene);
	const log = (await readFile(logFile, 'utf8')).split('\n').filter((line) => line.includes('Trigger:'));
	if (log.length > 0) console.log(['What the triggers said:', ...new Set(log)].join('\n  '));
	return scene.rows;
}

async function main({ cleanups }: Script): Promise<void> {
	const tarball = await packInto(await temporaryFolder(cleanups));
	const rows: Scene['rows'] = [];
	for (const companies of sizes) {
		const own: Script = { cleanups: [], isOpen: false };
		cleanups.push(() => cleanUp(own));
		rows.push(...(await runSize(companies, tarball, own)));
		await cleanUp(own);
	}
	console.table(rows);
}

runScript(main);
