import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import chunk from 'lodash/chunk';
import countBy from 'lodash/countBy';
import { z } from 'zod';

import type { TestEnvironment } from '../../real-n8n/testEnvironment';
import type { Execution } from '../../real-n8n/client';
import { stopProcess } from '../../real-n8n/processes';
import { runStep } from '../../real-n8n/steps';
import { POLL_SECONDS } from '../../real-n8n/workflow';
import type { Part, PartReport, PartContext } from '../part';
import { checkTriggers } from '../versions/triggers';
import { startServers, type Servers } from './servers';
import {
	requestExecution,
	buildGroupNames,
	WORKLOADS,
	countCreatedGroups,
	mixWorkloads,
	findRun,
	buildWebhookWorkflow,
	type Workload,
} from './workloads';

/** The number of executions while a worker is killed and Redis is restarted. */
const DISRUPTED_EXECUTIONS = 200;
/** The number of executions per measurement without disruptions. */
const MEASURED_EXECUTIONS = 100;
const WORKER_COUNTS = [1, 2, 4];
/** A worker is killed after this number of executions has ended. */
const KILL_AFTER_EXECUTIONS = 60;
/** Redis is restarted after this number of executions has ended. */
const RESTART_AFTER_EXECUTIONS = 120;
const TIMEOUT_MS = 180_000;
const LATENCY_MS = 50;
/** The number of webhook calls that are sent at the same time. */
const PARALLEL_CALLS = 10;

const SETTINGS = {
	OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
	// With the defaults, n8n takes more than a minute to treat a worker as dead.
	QUEUE_WORKER_LOCK_DURATION: '10000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
	// This is the minimum, in minutes. The default is 180.
	N8N_EXECUTIONS_QUEUE_RECOVERY_INTERVAL: '1',
};

/** The statuses of executions that have not ended. */
const OPEN_STATUSES = ['new', 'running', 'waiting', 'unknown'];

const rowsSchema = z.array(z.object({ id: z.coerce.number(), status: z.string(), workflowId: z.string() }));
type ExecutionRow = z.output<typeof rowsSchema>[number];

/** An n8n in queue mode, its workers, and the workflows that are run on them. */
class QueueTest {
	private readonly workloadsByWorkflow = new Map<string, Workload>();
	readonly workers: ChildProcess[] = [];
	private startedCount = 0;

	constructor(
		private readonly environment: TestEnvironment,
		private readonly servers: Servers,
		private readonly context: PartContext,
	) {}

	/** Saves and activates a workflow for each workload. */
	async prepare(): Promise<void> {
		const { client, credential, service } = this.environment;
		const company = service.world.companies[0]?.companyResourceId ?? '';
		for (const workload of WORKLOADS) {
			const id = await client.createWorkflow(buildWebhookWorkflow(workload, credential, company));
			await client.activate(id);
			this.workloadsByWorkflow.set(id, workload);
		}
	}

	/** Starts workers until there are `count` of them. */
	async startWorkersUpTo(count: number): Promise<void> {
		while (this.workers.length < count) {
			const log = join(this.context.results, `worker-${++this.startedCount}.log`);
			const worker = await this.environment.n8n.startWorker(log, { concurrency: 5 });
			this.workers.push(worker);
			this.context.cleanups.push(() => stopProcess(worker));
		}
	}

	/** Requests a mix of executions. @returns the workload of each run that n8n has accepted, by run number */
	async send(count: number, firstRun: number): Promise<Map<number, Workload>> {
		const acceptedRuns = new Map<number, Workload>();
		for (const batch of chunk([...mixWorkloads(count).entries()], PARALLEL_CALLS))
			await Promise.all(
				batch.map(async ([index, workload]) => {
					if (await requestExecution(this.environment.n8n.url, workload, firstRun + index))
						acceptedRuns.set(firstRun + index, workload);
				}),
			);
		return acceptedRuns;
	}

	/** Reads the executions with higher IDs than `afterId` from n8n's database. */
	async readRows(afterId: number): Promise<ExecutionRow[]> {
		const ids = [...this.workloadsByWorkflow.keys()].map((id) => `'${id}'`).join();
		const condition = `id > ${afterId} AND "workflowId" IN (${ids})`;
		return rowsSchema.parse(
			await this.servers.query(`SELECT id, status, "workflowId" FROM execution_entity WHERE ${condition}`),
		);
	}

	/** Returns the ID of the last execution, or 0. */
	async getLastId(): Promise<number> {
		return Math.max(0, ...(await this.readRows(0)).map(({ id }) => id));
	}

	/** Waits until this number of executions after `afterId` has ended. @returns false if they haven't ended in time */
	async waitForEnded(afterId: number, count: number, timeoutMs = TIMEOUT_MS): Promise<boolean> {
		const deadline = Date.now() + timeoutMs;
		while (Date.now() < deadline) {
			const rows = await this.readRows(afterId);
			if (rows.filter(({ status }) => !OPEN_STATUSES.includes(status)).length >= count) return true;
			await sleep(200);
		}
		return false;
	}

	/**
	 * Checks the executions after `afterId`, and the output of those that succeeded.
	 * @returns the number of executions per status, the number of errors per message, and a sentence for each failure
	 */
	async judgeExecutions(
		afterId: number,
		acceptedRuns: Map<number, Workload>,
	): Promise<{ statuses: Record<string, number>; reasons: Record<string, number>; failures: string[] }> {
		const { client, service } = this.environment;
		const rows = await this.readRows(afterId);
		const failures: string[] = [];
		const runs: number[] = [];
		const reasons: string[] = [];
		const judgeExecution = async ({ id, status, workflowId }: ExecutionRow) => {
			const workload = this.workloadsByWorkflow.get(workflowId);
			if (OPEN_STATUSES.includes(status)) {
				failures.push(`Execution ${id} (${workload?.name}) is ${status} for ever.`);
				return;
			}
			const execution = await client.waitForExecution(String(id)).catch((): Execution | undefined => undefined);
			const run = execution && findRun(execution);
			if (run !== undefined) runs.push(run);
			if (status !== 'success') {
				reasons.push(execution?.error?.message ?? 'no reason is given');
				return;
			}
			if (!workload || !execution || run === undefined) {
				failures.push(`Execution ${id} says it succeeded, and nothing is known of it.`);
				return;
			}
			const [work] = execution.runData.Work ?? [];
			const items = work?.data?.main?.[0] ?? [];
			const problem = await workload.check({ service, client, requests: service.log }, items, run);
			if (problem) failures.push(`Execution ${id} (${workload.name}): ${problem}.`);
		};
		for (const batch of chunk(rows, PARALLEL_CALLS)) await Promise.all(batch.map(judgeExecution));

		if (rows.length !== acceptedRuns.size)
			failures.push(`n8n took ${acceptedRuns.size} calls and has ${rows.length} executions of them.`);
		const repeatedRuns = runs.filter((run, index) => runs.indexOf(run) < index);
		if (repeatedRuns.length > 0) failures.push(`Run twice: ${repeatedRuns.join(', ')}.`);
		return { statuses: countBy(rows, 'status'), reasons: countBy(reasons), failures };
	}

	/** Counts the groups that the accepted runs should create, those that exist, and those that were created more than once. */
	countWrites(acceptedRuns: Map<number, Workload>): { requested: number; created: number; doubled: number } {
		const counts = countCreatedGroups(this.environment.service);
		const requestedNames = [...acceptedRuns]
			.filter(([, { name }]) => name === 'write')
			.flatMap(([run]) => buildGroupNames(run));
		return {
			requested: requestedNames.length,
			created: requestedNames.filter((name) => counts.has(name)).length,
			doubled: requestedNames.filter((name) => (counts.get(name) ?? 0) > 1).length,
		};
	}
}

async function runQueueTest(context: PartContext): Promise<PartReport> {
	const servers = await runStep('Start Postgres and Redis', '5 s', () => startServers(context));
	const environment = await context.startEnvironment('main', { env: { ...servers.env, ...SETTINGS } });
	const { service } = environment;
	service.setOptions({ latencyMs: LATENCY_MS });
	const queue = new QueueTest(environment, servers, context);
	await queue.prepare();

	const table: PartReport['table'] = [];
	const failures: string[] = [];
	let firstRun = 1;
	/**
	 * Requests executions, waits until they have ended, and adds a row to the table.
	 * @param disrupt runs while the executions run. It receives the ID of the last execution before them.
	 */
	const measure = async (title: string, count: number, disrupt: (afterId: number) => Promise<void>) => {
		const afterId = await queue.getLastId();
		service.clearLog();
		const startedAt = Date.now();
		const acceptedRuns = await queue.send(count, firstRun);
		firstRun += count;
		await disrupt(afterId);
		if (!(await queue.waitForEnded(afterId, acceptedRuns.size)))
			failures.push(`${title}: not every execution was over after ${TIMEOUT_MS / 1000} s.`);
		const seconds = (Date.now() - startedAt) / 1000;
		const { statuses, reasons, failures: newFailures } = await queue.judgeExecutions(afterId, acceptedRuns);
		const { requested, created, doubled } = queue.countWrites(acceptedRuns);
		if (doubled > 0) newFailures.push(`${doubled} groups were created twice.`);
		failures.push(...newFailures.map((failure) => `${title}: ${failure}`));
		for (const [reason, times] of Object.entries(reasons)) console.log(`  Failed, ${times} times: ${reason}`);
		const { success = 0, ...otherStatuses } = statuses;
		const failed = Object.entries(otherStatuses).map(([name, number]) => `${number} ${name}`);
		table.push({
			title,
			sent: count,
			accepted: acceptedRuns.size,
			finished: success,
			failed: failed.join(', ') || 0,
			'writes requested': requested,
			'writes created': created,
			'doubled writes': doubled,
			seconds: Math.round(seconds),
			'executions per minute': Math.round((success / seconds) * 60),
		});
	};

	for (const workerCount of WORKER_COUNTS)
		await runStep(
			`${MEASURED_EXECUTIONS} executions on ${workerCount} worker${workerCount > 1 ? 's' : ''}`,
			'20 to 60 s',
			async () => {
				await queue.startWorkersUpTo(workerCount);
				await measure(`${workerCount} worker${workerCount > 1 ? 's' : ''}`, MEASURED_EXECUTIONS, () =>
					Promise.resolve(),
				);
				if (table.at(-1)?.finished !== MEASURED_EXECUTIONS)
					failures.push(
						`On ${workerCount} workers, ${String(table.at(-1)?.finished)} of ${MEASURED_EXECUTIONS} finished.`,
					);
			},
		);

	await runStep('Triggers are polled by the leader only', '30 s', async () => {
		const startedAt = Date.now();
		service.clearLog();
		failures.push(...(await checkTriggers(environment)));
		// Nothing else runs meanwhile, so all searches are polls of the triggers.
		const maxPolls = Math.ceil((Date.now() - startedAt) / 1000 / POLL_SECONDS) + 2;
		for (const [route, polls] of Object.entries(countBy(service.getRequests(), 'route')))
			if (route.endsWith('/search') && polls > maxPolls)
				failures.push(`${route}: ${polls} polls where one n8n makes ${maxPolls} at most: workers poll as well.`);
	});

	await runStep(
		`${DISRUPTED_EXECUTIONS} executions on two workers: one is killed, then Redis restarted`,
		'1 to 3 min',
		async () => {
			for (const worker of queue.workers.splice(2)) await stopProcess(worker);
			await measure('a worker killed, Redis restarted', DISRUPTED_EXECUTIONS, async (afterId) => {
				await queue.waitForEnded(afterId, KILL_AFTER_EXECUTIONS);
				const [worker] = queue.workers.splice(0, 1);
				if (worker) await stopProcess(worker, 0);
				await queue.waitForEnded(afterId, RESTART_AFTER_EXECUTIONS);
				const downtimeMs = await servers.restartRedis();
				console.log(`  Redis was away for ${downtimeMs} ms.`);
				// A program that supervises the workers would replace the killed one, too.
				await queue.startWorkersUpTo(2);
			});
		},
	);
	return { table, failures };
}

export const queue: Part = {
	title: 'Two hundred executions in queue mode, while a worker is killed and Redis restarted',
	run: runQueueTest,
};
