import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import chunk from 'lodash/chunk';
import countBy from 'lodash/countBy';
import { z } from 'zod';

import type { Stage } from '../../real-n8n/stage';
import type { Execution } from '../../real-n8n/client';
import { stopProcess } from '../../real-n8n/processes';
import { showStep as step } from '../../real-n8n/steps';
import { POLL_SECONDS } from '../../real-n8n/workflow';
import type { Part, Report, Tools } from '../part';
import { fireTriggers } from '../versions/triggers';
import { startServers, type Servers } from './servers';
import { ask, groupsOf, KINDS, landed, mixed, runOf, webhookWorkflow, type Kind } from './work';

/** Executions of the run in which things are broken, and of those that are measured. */
const SENT = 200;
const MEASURED = 100;
const SIZES = [1, 2, 4];
/** After so many have ended, a worker is killed, then Redis restarted. */
const KILL_AT = 60;
const RESTART_AT = 120;
const PATIENCE_MS = 180_000;
const LATENCY_MS = 50;
/** Calls of the webhooks at a time. */
const AT_ONCE = 10;

const SETTINGS = {
	OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
	// By default it takes more than a minute until n8n treats a worker as dead.
	QUEUE_WORKER_LOCK_DURATION: '10000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
	// The shortest, in minutes; usually 180.
	N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL: '1',
};

/** What n8n calls an execution that is not over. */
const OPEN = ['new', 'running', 'waiting', 'unknown'];

const rows = z.array(z.object({ id: z.coerce.number(), status: z.string(), workflowId: z.string() }));
type Row = z.output<typeof rows>[number];

/** An n8n in queue mode and what is asked of it. */
class Queue {
	private readonly workflows = new Map<string, Kind>();
	readonly workers: ChildProcess[] = [];
	private started = 0;

	constructor(
		private readonly stage: Stage,
		private readonly servers: Servers,
		private readonly tools: Tools,
	) {}

	/** Saves a workflow of each kind and switches it on. */
	async prepare(): Promise<void> {
		const { client, credential, service } = this.stage;
		const company = service.state.companies[0]?.companyResourceId ?? '';
		for (const kind of KINDS) {
			const id = await client.createWorkflow(webhookWorkflow(kind, credential, company));
			await client.activate(id);
			this.workflows.set(id, kind);
		}
	}

	/** Brings the number of workers up. */
	async workersUpTo(count: number): Promise<void> {
		while (this.workers.length < count) {
			const log = join(this.tools.results, `worker-${++this.started}.log`);
			const worker = await this.stage.n8n.startWorker(log, { concurrency: 5 });
			this.workers.push(worker);
			this.tools.cleanups.push(() => stopProcess(worker));
		}
	}

	/** Asks for a mix of executions. @returns the runs that n8n took, and the kind of each */
	async send(count: number, firstRun: number): Promise<Map<number, Kind>> {
		const taken = new Map<number, Kind>();
		for (const some of chunk([...mixed(count).entries()], AT_ONCE))
			await Promise.all(
				some.map(async ([index, kind]) => {
					if (await ask(this.stage.n8n.url, kind, firstRun + index)) taken.set(firstRun + index, kind);
				}),
			);
		return taken;
	}

	/** The executions of the workflows after one of them, as n8n's database has them. */
	async rows(after: number): Promise<Row[]> {
		const ids = [...this.workflows.keys()].map((id) => `'${id}'`).join();
		const wanted = `id > ${after} AND "workflowId" IN (${ids})`;
		return rows.parse(
			await this.servers.query(`SELECT id, status, "workflowId" FROM execution_entity WHERE ${wanted}`),
		);
	}

	/** The last execution there is. */
	async last(): Promise<number> {
		return Math.max(0, ...(await this.rows(0)).map(({ id }) => id));
	}

	/** Waits until so many executions are over. @returns whether they were in time */
	async ended(after: number, count: number, patience = PATIENCE_MS): Promise<boolean> {
		for (const end = Date.now() + patience; Date.now() < end; await sleep(200)) {
			const all = await this.rows(after);
			if (all.filter(({ status }) => !OPEN.includes(status)).length >= count) return true;
		}
		return false;
	}

	/** What is wrong with the executions after one of them, each that succeeded looked at by what came out of it. */
	async judge(
		after: number,
		taken: Map<number, Kind>,
	): Promise<{ statuses: Record<string, number>; reasons: Record<string, number>; failures: string[] }> {
		const { client, service } = this.stage;
		const all = await this.rows(after);
		const failures: string[] = [];
		const found: number[] = [];
		const reasons: string[] = [];
		const judgeOne = async ({ id, status, workflowId }: Row) => {
			const kind = this.workflows.get(workflowId);
			if (OPEN.includes(status)) return void failures.push(`Execution ${id} (${kind?.name}) is ${status} for ever.`);
			const execution = await client.ended(String(id)).catch((): Execution | undefined => undefined);
			const run = execution && runOf(execution);
			if (run !== undefined) found.push(run);
			if (status !== 'success') return void reasons.push(execution?.error?.message ?? 'no reason is given');
			if (!kind || !execution || run === undefined)
				return void failures.push(`Execution ${id} says it succeeded, and nothing is known of it.`);
			const [work] = execution.runData.Work ?? [];
			const items = work?.data?.main?.[0] ?? [];
			const problem = await kind.check({ service, client, sent: service.log }, items, run);
			if (problem) failures.push(`Execution ${id} (${kind.name}): ${problem}.`);
		};
		for (const some of chunk(all, AT_ONCE)) await Promise.all(some.map(judgeOne));

		if (all.length !== taken.size)
			failures.push(`n8n took ${taken.size} calls and has ${all.length} executions of them.`);
		const twice = found.filter((run, index) => found.indexOf(run) < index);
		if (twice.length > 0) failures.push(`Run twice: ${twice.join(', ')}.`);
		return { statuses: countBy(all, 'status'), reasons: countBy(reasons), failures };
	}

	/** The groups that were created more than once, or by nobody. */
	writes(taken: Map<number, Kind>): { asked: number; created: number; doubled: number } {
		const counts = landed(this.stage.service);
		const asked = [...taken].filter(([, { name }]) => name === 'write').flatMap(([run]) => groupsOf(run));
		return {
			asked: asked.length,
			created: asked.filter((name) => counts.has(name)).length,
			doubled: asked.filter((name) => (counts.get(name) ?? 0) > 1).length,
		};
	}
}

async function run(tools: Tools): Promise<Report> {
	const servers = await step('Start Postgres and Redis', '5 s', () => startServers(tools));
	const stage = await tools.stage('main', { env: { ...servers.env, ...SETTINGS } });
	const { service } = stage;
	service.setOptions({ latencyMs: LATENCY_MS });
	const queue = new Queue(stage, servers, tools);
	await queue.prepare();

	const table: Report['table'] = [];
	const failures: string[] = [];
	let firstRun = 1;
	const measure = async (what: string, sent: number, during: (after: number) => Promise<void>) => {
		const after = await queue.last();
		service.clearLog();
		const began = Date.now();
		const taken = await queue.send(sent, firstRun);
		firstRun += sent;
		await during(after);
		if (!(await queue.ended(after, taken.size)))
			failures.push(`${what}: not every execution was over after ${PATIENCE_MS / 1000} s.`);
		const seconds = (Date.now() - began) / 1000;
		const { statuses, reasons, failures: wrong } = await queue.judge(after, taken);
		const { asked, created, doubled } = queue.writes(taken);
		if (doubled > 0) wrong.push(`${doubled} groups were created twice.`);
		failures.push(...wrong.map((each) => `${what}: ${each}`));
		for (const [reason, times] of Object.entries(reasons)) console.log(`  Failed, ${times} times: ${reason}`);
		const { success = 0, ...others } = statuses;
		const failed = Object.entries(others).map(([name, count]) => `${count} ${name}`);
		table.push({
			what,
			sent,
			taken: taken.size,
			finished: success,
			failed: failed.join(', ') || 0,
			'writes asked': asked,
			'writes seen': created,
			'doubled writes': doubled,
			seconds: Math.round(seconds),
			'executions per minute': Math.round((success / seconds) * 60),
		});
	};

	for (const size of SIZES)
		await step(`${MEASURED} executions on ${size} worker${size > 1 ? 's' : ''}`, '20 to 60 s', async () => {
			await queue.workersUpTo(size);
			await measure(`${size} worker${size > 1 ? 's' : ''}`, MEASURED, () => Promise.resolve());
			if (table.at(-1)?.finished !== MEASURED)
				failures.push(`On ${size} workers, ${String(table.at(-1)?.finished)} of ${MEASURED} finished.`);
		});

	await step('Triggers are polled by the leader only', '30 s', async () => {
		const began = Date.now();
		service.clearLog();
		failures.push(...(await fireTriggers(stage)));
		// Nothing else goes on: these are the triggers' own.
		const most = Math.ceil((Date.now() - began) / 1000 / POLL_SECONDS) + 2;
		for (const [route, polls] of Object.entries(countBy(service.requests(), 'route')))
			if (route.endsWith('/search') && polls > most)
				failures.push(`${route}: ${polls} polls where one n8n makes ${most} at most: workers poll as well.`);
	});

	await step(`${SENT} executions on two workers: one is killed, then Redis restarted`, '1 to 3 min', async () => {
		for (const worker of queue.workers.splice(2)) await stopProcess(worker);
		await measure('a worker killed, Redis restarted', SENT, async (after) => {
			await queue.ended(after, KILL_AT);
			const [killed] = queue.workers.splice(0, 1);
			if (killed) await stopProcess(killed, 0);
			await queue.ended(after, RESTART_AT);
			const away = await servers.restartRedis();
			console.log(`  Redis was away for ${away} ms.`);
			// As a program that supervises the workers would do.
			await queue.workersUpTo(2);
		});
	});
	return { table, failures };
}

export const queue: Part = {
	title: 'Two hundred executions in queue mode, while a worker is killed and Redis restarted',
	run,
};
