import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import chunk from 'lodash/chunk';
import countBy from 'lodash/countBy';
import { z } from 'zod';

import type { TestEnvironment } from '../../real-n8n/stage';
import type { Execution } from '../../real-n8n/client';
import { stopProcess } from '../../real-n8n/processes';
import { runStep } from '../../real-n8n/steps';
import { POLL_SECONDS } from '../../real-n8n/workflow';
import type { Part, PartReport, PartContext } from '../part';
import { fireTriggers } from '../versions/triggers';
import { startServers, type Servers } from './servers';
import { requestExecution, buildGroupNames, WORKLOADS, countCreatedGroups, mixWorkloads, findRun, buildWebhookWorkflow, type Workload } from './work';

/** Executions of the run in which things are broken, and of those that are measured. */
const DISRUPTED_EXECUTIONS = 200;
const MEASURED_EXECUTIONS = 100;
const WORKER_COUNTS = [1, 2, 4];
/** After so many have ended, a worker is killed, then Redis restarted. */
const KILL_AFTER_EXECUTIONS = 60;
const RESTART_AFTER_EXECUTIONS = 120;
const TIMEOUT_MS = 180_000;
const LATENCY_MS = 50;
/** Calls of the webhooks at a time. */
const PARALLEL_CALLS = 10;

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
const OPEN_STATUSES = ['new', 'running', 'waiting', 'unknown'];

const rowsSchema = z.array(z.object({ id: z.coerce.number(), status: z.string(), workflowId: z.string() }));
type ExecutionRow = z.output<typeof rowsSchema>[number];

/** An n8n in queue mode and what is asked of it. */
class QueueTest {
	private readonly workloadsByWorkflow = new Map<string, Workload>();
	readonly workers: ChildProcess[] = [];
	private startedCount = 0;

	constructor(
		private readonly stage: TestEnvironment,
		private readonly servers: Servers,
		private readonly tools: PartContext,
	) {}

	/** Saves a workflow of each kind and switches it on. */
	async prepare(): Promise<void> {
		const { client, credential, service } = this.stage;
		const company = service.state.companies[0]?.companyResourceId ?? '';
		for (const workload of WORKLOADS) {
			const id = await client.createWorkflow(buildWebhookWorkflow(workload, credential, company));
			await client.activate(id);
			this.workloadsByWorkflow.set(id, workload);
		}
	}

	/** Brings the number of workers up. */
	async startWorkersUpTo(count: number): Promise<void> {
		while (this.workers.length < count) {
			const log = join(this.tools.results, `worker-${++this.startedCount}.log`);
			const worker = await this.stage.n8n.startWorker(log, { concurrency: 5 });
			this.workers.push(worker);
			this.tools.cleanups.push(() => stopProcess(worker));
		}
	}

	/** Asks for a mix of executions. @returns the runs that n8n took, and the kind of each */
	async send(count: number, firstRun: number): Promise<Map<number, Workload>> {
		const acceptedRuns = new Map<number, Workload>();
		for (const some of chunk([...mixWorkloads(count).entries()], PARALLEL_CALLS))
			await Promise.all(
				some.map(async ([index, workload]) => {
					if (await requestExecution(this.stage.n8n.url, workload, firstRun + index)) acceptedRuns.set(firstRun + index, workload);
				}),
			);
		return acceptedRuns;
	}

	/** The executions of the workflows after one of them, as n8n's database has them. */
	async readRows(after: number): Promise<ExecutionRow[]> {
		const ids = [...this.workloadsByWorkflow.keys()].map((id) => `'${id}'`).join();
		const wanted = `id > ${after} AND "workflowId" IN (${ids})`;
		return rowsSchema.parse(
			await this.servers.query(`SELECT id, status, "workflowId" FROM execution_entity WHERE ${wanted}`),
		);
	}

	/** The last execution there is. */
	async getLastId(): Promise<number> {
		return Math.max(0, ...(await this.readRows(0)).map(({ id }) => id));
	}

	/** Waits until so many executions are over. @returns whether they were in time */
	async waitForEnded(after: number, count: number, timeoutMs = TIMEOUT_MS): Promise<boolean> {
		for (const end = Date.now() + timeoutMs; Date.now() < end; await sleep(200)) {
			const all = await this.readRows(after);
			if (all.filter(({ status }) => !OPEN_STATUSES.includes(status)).length >= count) return true;
		}
		return false;
	}

	/** What is wrong with the executions after one of them, each that succeeded looked at by what came out of it. */
	async judgeExecutions(
		after: number,
		acceptedRuns: Map<number, Workload>,
	): Promise<{ statuses: Record<string, number>; reasons: Record<string, number>; failures: string[] }> {
		const { client, service } = this.stage;
		const all = await this.readRows(after);
		const failures: string[] = [];
		const found: number[] = [];
		const reasons: string[] = [];
		const judgeOne = async ({ id, status, workflowId }: ExecutionRow) => {
			const workload = this.workloadsByWorkflow.get(workflowId);
			if (OPEN_STATUSES.includes(status)) return void failures.push(`Execution ${id} (${workload?.name}) is ${status} for ever.`);
			const execution = await client.waitForExecution(String(id)).catch((): Execution | undefined => undefined);
			const runQueueTest = execution && findRun(execution);
			if (runQueueTest !== undefined) found.push(runQueueTest);
			if (status !== 'success') return void reasons.push(execution?.error?.message ?? 'no reason is given');
			if (!workload || !execution || runQueueTest === undefined)
				return void failures.push(`Execution ${id} says it succeeded, and nothing is known of it.`);
			const [work] = execution.runData.Work ?? [];
			const items = work?.data?.main?.[0] ?? [];
			const problem = await workload.check({ service, client, sent: service.log }, items, runQueueTest);
			if (problem) failures.push(`Execution ${id} (${workload.name}): ${problem}.`);
		};
		for (const some of chunk(all, PARALLEL_CALLS)) await Promise.all(some.map(judgeOne));

		if (all.length !== acceptedRuns.size)
			failures.push(`n8n took ${acceptedRuns.size} calls and has ${all.length} executions of them.`);
		const twice = found.filter((runQueueTest, index) => found.indexOf(runQueueTest) < index);
		if (twice.length > 0) failures.push(`Run twice: ${twice.join(', ')}.`);
		return { statuses: countBy(all, 'status'), reasons: countBy(reasons), failures };
	}

	/** The groups that were created more than once, or by nobody. */
	countWrites(acceptedRuns: Map<number, Workload>): { asked: number; created: number; doubled: number } {
		const counts = countCreatedGroups(this.stage.service);
		const asked = [...acceptedRuns].filter(([, { name }]) => name === 'write').flatMap(([runQueueTest]) => buildGroupNames(runQueueTest));
		return {
			asked: asked.length,
			created: asked.filter((name) => counts.has(name)).length,
			doubled: asked.filter((name) => (counts.get(name) ?? 0) > 1).length,
		};
	}
}

async function runQueueTest(tools: PartContext): Promise<PartReport> {
	const servers = await runStep('Start Postgres and Redis', '5 s', () => startServers(tools));
	const stage = await tools.startEnvironment('main', { env: { ...servers.env, ...SETTINGS } });
	const { service } = stage;
	service.setOptions({ latencyMs: LATENCY_MS });
	const queue = new QueueTest(stage, servers, tools);
	await queue.prepare();

	const table: PartReport['table'] = [];
	const failures: string[] = [];
	let firstRun = 1;
	const measure = async (what: string, sent: number, during: (after: number) => Promise<void>) => {
		const after = await queue.getLastId();
		service.clearLog();
		const began = Date.now();
		const acceptedRuns = await queue.send(sent, firstRun);
		firstRun += sent;
		await during(after);
		if (!(await queue.waitForEnded(after, acceptedRuns.size)))
			failures.push(`${what}: not every execution was over after ${TIMEOUT_MS / 1000} s.`);
		const seconds = (Date.now() - began) / 1000;
		const { statuses, reasons, failures: wrong } = await queue.judgeExecutions(after, acceptedRuns);
		const { asked, created, doubled } = queue.countWrites(acceptedRuns);
		if (doubled > 0) wrong.push(`${doubled} groups were created twice.`);
		failures.push(...wrong.map((each) => `${what}: ${each}`));
		for (const [reason, times] of Object.entries(reasons)) console.log(`  Failed, ${times} times: ${reason}`);
		const { success = 0, ...others } = statuses;
		const failed = Object.entries(others).map(([name, count]) => `${count} ${name}`);
		table.push({
			what,
			sent,
			taken: acceptedRuns.size,
			finished: success,
			failed: failed.join(', ') || 0,
			'writes asked': asked,
			'writes seen': created,
			'doubled writes': doubled,
			seconds: Math.round(seconds),
			'executions per minute': Math.round((success / seconds) * 60),
		});
	};

	for (const size of WORKER_COUNTS)
		await runStep(`${MEASURED_EXECUTIONS} executions on ${size} worker${size > 1 ? 's' : ''}`, '20 to 60 s', async () => {
			await queue.startWorkersUpTo(size);
			await measure(`${size} worker${size > 1 ? 's' : ''}`, MEASURED_EXECUTIONS, () => Promise.resolve());
			if (table.at(-1)?.finished !== MEASURED_EXECUTIONS)
				failures.push(`On ${size} workers, ${String(table.at(-1)?.finished)} of ${MEASURED_EXECUTIONS} finished.`);
		});

	await runStep('Triggers are polled by the leader only', '30 s', async () => {
		const began = Date.now();
		service.clearLog();
		failures.push(...(await fireTriggers(stage)));
		// Nothing else goes on: these are the triggers' own.
		const most = Math.ceil((Date.now() - began) / 1000 / POLL_SECONDS) + 2;
		for (const [route, polls] of Object.entries(countBy(service.getRequests(), 'route')))
			if (route.endsWith('/search') && polls > most)
				failures.push(`${route}: ${polls} polls where one n8n makes ${most} at most: workers poll as well.`);
	});

	await runStep(`${DISRUPTED_EXECUTIONS} executions on two workers: one is killed, then Redis restarted`, '1 to 3 min', async () => {
		for (const worker of queue.workers.splice(2)) await stopProcess(worker);
		await measure('a worker killed, Redis restarted', DISRUPTED_EXECUTIONS, async (after) => {
			await queue.waitForEnded(after, KILL_AFTER_EXECUTIONS);
			const [killed] = queue.workers.splice(0, 1);
			if (killed) await stopProcess(killed, 0);
			await queue.waitForEnded(after, RESTART_AFTER_EXECUTIONS);
			const away = await servers.restartRedis();
			console.log(`  Redis was away for ${away} ms.`);
			// As a program that supervises the workers would do.
			await queue.startWorkersUpTo(2);
		});
	});
	return { table, failures };
}

export const queue: Part = {
	title: 'Two hundred executions in queue mode, while a worker is killed and Redis restarted',
	run: runQueueTest,
};
