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
import { POLL_INTERVAL_SECONDS } from '../../real-n8n/workflow';
import type { TestPart, TestPartReport, TestPartContext } from '../part';
import { checkTriggers } from '../versions/triggers';
import { startServers, type Servers } from './servers';
import {
	requestExecution,
	buildGroupNames,
	WORKLOADS,
	countCreatedGroups,
	mixWorkloads,
	findRunNumber,
	buildWebhookWorkflow,
	type Workload,
} from './workloads';

/** The number of executions in the run in which a worker is killed and Redis is restarted. */
const DISRUPTED_EXECUTION_COUNT = 200;
/** The number of executions in each run without disruptions. */
const MEASURED_EXECUTION_COUNT = 100;
const WORKER_COUNTS = [1, 2, 4];
/** A worker is killed after this number of executions has ended. */
const KILL_AFTER_EXECUTIONS = 60;
/** Redis is restarted after this number of executions has ended. */
const RESTART_AFTER_EXECUTIONS = 120;
const TIMEOUT_MS = 180_000;
const LATENCY_MS = 50;
/** The number of webhook calls that are sent at the same time. */
const PARALLEL_CALLS = 10;

const QUEUE_SETTINGS = {
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

/** Runs the workloads on the workers of an n8n in queue mode, and checks the executions. */
class QueueTest {
	private readonly workloadsByWorkflowId = new Map<string, Workload>();
	readonly workers: ChildProcess[] = [];
	private startedWorkerCount = 0;

	constructor(
		private readonly environment: TestEnvironment,
		private readonly servers: Servers,
		private readonly context: TestPartContext,
	) {}

	/** Saves and activates a workflow for each workload. */
	async activateWorkloads(): Promise<void> {
		const { client, credential, service } = this.environment;
		const company = service.world.companies[0]?.companyResourceId ?? '';
		for (const workload of WORKLOADS) {
			const id = await client.createWorkflow(buildWebhookWorkflow(workload, credential, company));
			await client.activate(id);
			this.workloadsByWorkflowId.set(id, workload);
		}
	}

	/** Starts workers until `count` workers are running. */
	async startWorkersUpTo(count: number): Promise<void> {
		while (this.workers.length < count) {
			const log = join(this.context.resultsFolder, `worker-${++this.startedWorkerCount}.log`);
			const worker = await this.environment.n8n.startWorker(log, { concurrency: 5 });
			this.workers.push(worker);
			this.context.cleanups.push(() => stopProcess(worker));
		}
	}

	/** Calls the webhooks of a mix of workloads. @returns the workloads of the calls that n8n accepted, by run number */
	async sendExecutionRequests(count: number, firstRunNumber: number): Promise<Map<number, Workload>> {
		const workloadsByRun = new Map<number, Workload>();
		for (const batch of chunk([...mixWorkloads(count).entries()], PARALLEL_CALLS))
			await Promise.all(
				batch.map(async ([index, workload]) => {
					if (await requestExecution(this.environment.n8n.url, workload, firstRunNumber + index))
						workloadsByRun.set(firstRunNumber + index, workload);
				}),
			);
		return workloadsByRun;
	}

	/** Reads the executions with higher IDs than `afterId` from n8n's database. */
	async readExecutionRows(afterId: number): Promise<ExecutionRow[]> {
		const ids = [...this.workloadsByWorkflowId.keys()].map((id) => `'${id}'`).join();
		const condition = `id > ${afterId} AND "workflowId" IN (${ids})`;
		return rowsSchema.parse(
			await this.servers.query(`SELECT id, status, "workflowId" FROM execution_entity WHERE ${condition}`),
		);
	}

	/** Returns the ID of the last execution, or 0 if there is none. */
	async readLastExecutionId(): Promise<number> {
		return Math.max(0, ...(await this.readExecutionRows(0)).map(({ id }) => id));
	}

	/** Waits until this number of executions after `afterId` has ended. @returns false if they haven't ended in time */
	async waitForEnded(afterId: number, count: number, timeoutMs = TIMEOUT_MS): Promise<boolean> {
		const deadline = Date.now() + timeoutMs;
		while (Date.now() < deadline) {
			const rows = await this.readExecutionRows(afterId);
			if (rows.filter(({ status }) => !OPEN_STATUSES.includes(status)).length >= count) return true;
			await sleep(200);
		}
		return false;
	}

	/**
	 * Checks the executions after `afterId`, and the output of those that succeeded.
	 * @returns the number of executions per status, the number of errors per message, and a sentence for each failure
	 */
	async checkExecutions(
		afterId: number,
		workloadsByRun: Map<number, Workload>,
	): Promise<{ statuses: Record<string, number>; errorCounts: Record<string, number>; failures: string[] }> {
		const { client, service } = this.environment;
		const rows = await this.readExecutionRows(afterId);
		const failures: string[] = [];
		const runNumbers: number[] = [];
		const errorMessages: string[] = [];
		const checkExecution = async ({ id, status, workflowId }: ExecutionRow) => {
			const workload = this.workloadsByWorkflowId.get(workflowId);
			if (OPEN_STATUSES.includes(status)) {
				failures.push(`Execution ${id} (${workload?.name}) is ${status} for ever.`);
				return;
			}
			const execution = await client.waitForExecution(String(id)).catch((): Execution | undefined => undefined);
			const runNumber = execution && findRunNumber(execution);
			if (runNumber !== undefined) runNumbers.push(runNumber);
			if (status !== 'success') {
				errorMessages.push(execution?.error?.message ?? 'no reason is given');
				return;
			}
			if (!workload || !execution || runNumber === undefined) {
				failures.push(`Execution ${id} says it succeeded, and nothing is known of it.`);
				return;
			}
			const [work] = execution.runData.Work ?? [];
			const items = work?.data?.main?.[0] ?? [];
			const problem = await workload.checkOutput({ service, client, requests: service.log }, items, runNumber);
			if (problem) failures.push(`Execution ${id} (${workload.name}): ${problem}.`);
		};
		for (const batch of chunk(rows, PARALLEL_CALLS)) await Promise.all(batch.map(checkExecution));

		if (rows.length !== workloadsByRun.size)
			failures.push(`n8n took ${workloadsByRun.size} calls and has ${rows.length} executions of them.`);
		const repeatedRunNumbers = runNumbers.filter((runNumber, index) => runNumbers.indexOf(runNumber) < index);
		if (repeatedRunNumbers.length > 0) failures.push(`Run twice: ${repeatedRunNumbers.join(', ')}.`);
		return { statuses: countBy(rows, 'status'), errorCounts: countBy(errorMessages), failures };
	}

	/** Counts the groups that the accepted runs should create, how many of them were created, and how many more than once. */
	countWrites(workloadsByRun: Map<number, Workload>): { requested: number; created: number; doubled: number } {
		const counts = countCreatedGroups(this.environment.service);
		const requestedNames = [...workloadsByRun]
			.filter(([, { name }]) => name === 'write')
			.flatMap(([runNumber]) => buildGroupNames(runNumber));
		return {
			requested: requestedNames.length,
			created: requestedNames.filter((name) => counts.has(name)).length,
			doubled: requestedNames.filter((name) => (counts.get(name) ?? 0) > 1).length,
		};
	}
}

async function runQueueTest(context: TestPartContext): Promise<TestPartReport> {
	const servers = await runStep('Start Postgres and Redis', '5 s', () => startServers(context));
	const environment = await context.startEnvironment('main', { env: { ...servers.env, ...QUEUE_SETTINGS } });
	const { service } = environment;
	service.setOptions({ latencyMs: LATENCY_MS });
	const queueTest = new QueueTest(environment, servers, context);
	await queueTest.activateWorkloads();

	const table: TestPartReport['table'] = [];
	const failures: string[] = [];
	let firstRunNumber = 1;
	/**
	 * Requests executions, waits until they have ended, and adds a row to the table.
	 * @param disrupt a function that is called while the executions run. It receives the ID of the last execution before them.
	 */
	const runExecutions = async (title: string, count: number, disrupt: (afterId: number) => Promise<void>) => {
		const afterId = await queueTest.readLastExecutionId();
		service.clearLog();
		const startedAt = Date.now();
		const workloadsByRun = await queueTest.sendExecutionRequests(count, firstRunNumber);
		firstRunNumber += count;
		await disrupt(afterId);
		if (!(await queueTest.waitForEnded(afterId, workloadsByRun.size)))
			failures.push(`${title}: not every execution was over after ${TIMEOUT_MS / 1000} s.`);
		const seconds = (Date.now() - startedAt) / 1000;
		const { statuses, errorCounts, failures: newFailures } = await queueTest.checkExecutions(afterId, workloadsByRun);
		const { requested, created, doubled } = queueTest.countWrites(workloadsByRun);
		if (doubled > 0) newFailures.push(`${doubled} groups were created twice.`);
		failures.push(...newFailures.map((failure) => `${title}: ${failure}`));
		for (const [errorMessage, times] of Object.entries(errorCounts))
			console.log(`  Failed, ${times} times: ${errorMessage}`);
		const { success = 0, ...otherStatuses } = statuses;
		const failed = Object.entries(otherStatuses).map(([name, number]) => `${number} ${name}`);
		table.push({
			title,
			sent: count,
			accepted: workloadsByRun.size,
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
			`${MEASURED_EXECUTION_COUNT} executions on ${workerCount} worker${workerCount > 1 ? 's' : ''}`,
			'20 to 60 s',
			async () => {
				await queueTest.startWorkersUpTo(workerCount);
				await runExecutions(`${workerCount} worker${workerCount > 1 ? 's' : ''}`, MEASURED_EXECUTION_COUNT, () =>
					Promise.resolve(),
				);
				if (table.at(-1)?.finished !== MEASURED_EXECUTION_COUNT)
					failures.push(
						`On ${workerCount} workers, ${String(table.at(-1)?.finished)} of ${MEASURED_EXECUTION_COUNT} finished.`,
					);
			},
		);

	await runStep('Triggers are polled by the leader only', '30 s', async () => {
		const startedAt = Date.now();
		service.clearLog();
		failures.push(...(await checkTriggers(environment)));
		// No other workflow runs meanwhile, so all searches are polls of the triggers.
		const maxPolls = Math.ceil((Date.now() - startedAt) / 1000 / POLL_INTERVAL_SECONDS) + 2;
		for (const [route, polls] of Object.entries(countBy(service.getRequests(), 'route')))
			if (route.endsWith('/search') && polls > maxPolls)
				failures.push(`${route}: ${polls} polls where one n8n makes ${maxPolls} at most: workers poll as well.`);
	});

	await runStep(
		`${DISRUPTED_EXECUTION_COUNT} executions on two workers: one is killed, then Redis restarted`,
		'1 to 3 min',
		async () => {
			for (const worker of queueTest.workers.splice(2)) await stopProcess(worker);
			await runExecutions('a worker killed, Redis restarted', DISRUPTED_EXECUTION_COUNT, async (afterId) => {
				await queueTest.waitForEnded(afterId, KILL_AFTER_EXECUTIONS);
				const [worker] = queueTest.workers.splice(0, 1);
				if (worker) await stopProcess(worker, 0);
				await queueTest.waitForEnded(afterId, RESTART_AFTER_EXECUTIONS);
				const downtimeMs = await servers.restartRedis();
				console.log(`  Redis was away for ${downtimeMs} ms.`);
				// A process manager would also replace the killed worker.
				await queueTest.startWorkersUpTo(2);
			});
		},
	);
	return { table, failures };
}

export const queue: TestPart = {
	title: 'Two hundred executions in queue mode, while a worker is killed and Redis restarted',
	run: runQueueTest,
};
