/** Runs the cases of the benchmark in n8n, and measures time, CPU and memory. */
import { setTimeout as sleep } from 'node:timers/promises';

import type { Execution } from '../real-n8n/client';
import { measureCpuSeconds, measureProcessMemory, resetPeakMemory } from '../real-n8n/processLoad';
import { OWNER, openN8n, saveCredential, type Cleanups, type N8nSession } from '../real-n8n/testEnvironment';
import { START_NODE, buildWorkflow } from '../real-n8n/workflow';
import { CONNECTION_MODES, prepareBareRun, type BareRun, type ByConnectionMode } from './axiosWithoutN8n';
import type { BenchCase } from './cases';
import { startCachingProxy, type CachingProxy } from './cachingProxy';

/** The measurements of one run. CPU time and memory are those of the whole n8n process. */
export interface MeasuredRun {
	/** The time from the start of the first node to the end of the last one. */
	seconds: number;
	cpuSeconds: number;
	/** The difference between n8n's peak memory and its memory after the start, in MB. */
	peakMemoryGrowthMb: number;
	/** The largest number of requests that were in progress at the same time. */
	maxInFlight: number;
}

const IMPLEMENTATIONS = ['packageNode', 'httpRequestNode'] as const;

/** One value for this package's node and one for n8n's HTTP Request node. */
export type ByImplementation<Value> = Record<(typeof IMPLEMENTATIONS)[number], Value>;

/** The time that n8n is left idle before its memory is read, in milliseconds. */
const IDLE_MS = 2000;

/** Runs one implementation's workflow in a separate n8n, so that n8n's memory only comes from that implementation. */
class WorkflowRunner {
	private readonly executions: Array<{ id: string; run: Omit<MeasuredRun, 'seconds'> }> = [];

	private constructor(
		private readonly session: N8nSession,
		private readonly proxy: CachingProxy,
		private readonly workflowId: string,
		private readonly idleMemoryMb: number,
	) {}

	/** Restarts n8n, creates the workflow and runs it once without measuring. */
	static async start(
		session: N8nSession,
		benchCase: BenchCase,
		implementation: keyof ByImplementation<unknown>,
		proxy: CachingProxy,
		size: number,
	) {
		const { client, n8n } = session;
		await n8n.restart();
		await client.login(OWNER.email, OWNER.password);
		await sleep(IDLE_MS);
		const idleMemoryMb = (await measureProcessMemory(n8n.pid))?.now ?? Number.NaN;
		const credential = await saveCredential(client, proxy.secrets, `Bench ${benchCase.name}`);
		const { buildNodes, connections } = benchCase[implementation];
		const workflow = buildWorkflow(
			implementation,
			[START_NODE, ...buildNodes({ credential, proxy, size })],
			connections,
		);
		const runner = new WorkflowRunner(session, proxy, await client.createWorkflow(workflow), idleMemoryMb);
		// The first run is not measured, because n8n loads its code during it.
		await runner.run();
		runner.executions.length = 0;
		return runner;
	}

	/** Runs the workflow once and measures it. */
	async run(): Promise<void> {
		const { client, n8n } = this.session;
		await sleep(IDLE_MS);
		this.proxy.readCounts();
		await resetPeakMemory(n8n.pid);
		const cpuBefore = await measureCpuSeconds(n8n.pid);
		const id = await client.startWorkflow(this.workflowId, START_NODE.name);
		await client.waitForLastExecution(this.workflowId);
		const cpuAfter = await measureCpuSeconds(n8n.pid);
		const memory = await measureProcessMemory(n8n.pid);
		const { maxInFlight } = this.proxy.readCounts();
		const peakMemoryGrowthMb = (memory?.peak ?? Number.NaN) - this.idleMemoryMb;
		this.executions.push({
			id,
			run: { cpuSeconds: cpuAfter.leader - cpuBefore.leader, peakMemoryGrowthMb, maxInFlight },
		});
	}

	/** Reads the executions. This costs n8n memory and time, so it is done after all of them have finished. */
	async readResults(
		countRecords: (execution: Execution) => number,
	): Promise<{ runs: MeasuredRun[]; recordCounts: number[] }> {
		const runs: MeasuredRun[] = [];
		const recordCounts: number[] = [];
		for (const { id, run } of this.executions) {
			const execution = await this.session.client.waitForExecution(id);
			runs.push({ seconds: getDurationSeconds(execution), ...run });
			recordCounts.push(countRecords(execution));
		}
		return { runs, recordCounts };
	}
}

/** Returns the time from the start of the first node to the end of the last one, in seconds. Saving the execution is not included. */
function getDurationSeconds({ runData }: Execution): number {
	const runs = Object.values(runData).flat();
	const endTimes = runs.map(({ startTime, executionTime }) => startTime + executionTime);
	return (Math.max(...endTimes) - Math.min(...runs.map(({ startTime }) => startTime))) / 1000;
}

/** All measured runs of a case. */
export interface CaseRuns extends ByImplementation<MeasuredRun[]> {
	bareAxios?: ByConnectionMode<BareRun[]>;
}

/**
 * Runs the implementations of a case in turn.
 * @throws Error if the two implementations in n8n return different numbers of records
 */
export async function measureCase(
	benchCase: BenchCase,
	sessions: ByImplementation<N8nSession>,
	options: { rounds: number; isQuick: boolean; cleanups: Cleanups },
): Promise<CaseRuns> {
	const { rounds, isQuick, cleanups } = options;
	const size = isQuick ? benchCase.quickSize : benchCase.size;
	const proxy = await startCachingProxy(benchCase.companyCount);
	proxy.setExportBytes(size);
	try {
		const packageRunner = await WorkflowRunner.start(sessions.packageNode, benchCase, 'packageNode', proxy, size);
		const httpRequestRunner = await WorkflowRunner.start(
			sessions.httpRequestNode,
			benchCase,
			'httpRequestNode',
			proxy,
			size,
		);
		const runBareAxios = await prepareBareRun(benchCase, proxy, size, cleanups);
		const bareAxios: ByConnectionMode<BareRun[]> = { new: [], kept: [] };
		for (let round = 0; round < rounds; round++) {
			// The implementations take turns at going first, because a run can affect the next one.
			for (const runner of round % 2 === 0 ? [packageRunner, httpRequestRunner] : [httpRequestRunner, packageRunner])
				await runner.run();
			if (!runBareAxios) continue;
			for (const connectionMode of CONNECTION_MODES) {
				await sleep(IDLE_MS);
				bareAxios[connectionMode].push(await runBareAxios(connectionMode));
			}
		}
		const results = {
			packageNode: await packageRunner.readResults(benchCase.packageNode.countRecords),
			httpRequestNode: await httpRequestRunner.readResults(benchCase.httpRequestNode.countRecords),
		};
		const recordCounts = new Set(IMPLEMENTATIONS.flatMap((implementation) => results[implementation].recordCounts));
		if (recordCounts.size !== 1 || recordCounts.has(0))
			throw new Error(`Not the same came out: ${[...recordCounts].join(', ')}`);
		return {
			packageNode: results.packageNode.runs,
			httpRequestNode: results.httpRequestNode.runs,
			bareAxios: runBareAxios ? bareAxios : undefined,
		};
	} finally {
		await proxy.close();
	}
}

/** The duration of n8n's start and its memory afterwards, with and without the package. */
export type StartMeasurement = Record<'with' | 'without', { seconds: number; memoryMb: number }>;

/** Restarts two n8n processes in turn, one with the package and one without, and measures each start. */
export async function measureStarts(
	sessionWithPackage: N8nSession,
	rounds: number,
	cleanups: Cleanups,
): Promise<StartMeasurement[]> {
	const sessionWithoutPackage = await openN8n({}, cleanups);
	const restart = async ({ n8n }: N8nSession) => {
		let startedAt = 0;
		await n8n.restart(() => {
			startedAt = performance.now();
			return Promise.resolve();
		});
		const seconds = (performance.now() - startedAt) / 1000;
		await sleep(IDLE_MS);
		return { seconds, memoryMb: (await measureProcessMemory(n8n.pid))?.now ?? Number.NaN };
	};
	const results: StartMeasurement[] = [];
	for (let round = 0; round < rounds; round++)
		results.push({ with: await restart(sessionWithPackage), without: await restart(sessionWithoutPackage) });
	return results;
}
