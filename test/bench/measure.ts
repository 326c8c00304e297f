import { setTimeout as sleep } from 'node:timers/promises';

import type { Execution } from '../real-n8n/client';
import { measureCpuSeconds, measureProcessMemory, resetPeakMemory } from '../real-n8n/load';
import { OWNER, openN8n, saveCredential, type Cleanups, type N8nSession } from '../real-n8n/stage';
import { START_NODE, buildWorkflow } from '../real-n8n/workflow';
import { CONNECTIONS, prepareBare, type BareRun, type ByConnections } from './bare';
import type { Case } from './cases';
import { startFront, type Front } from './front';

/** What was measured of one run; CPU time and memory are those of the whole n8n. */
export interface Run {
	seconds: number;
	cpuSeconds: number;
	/** How much more n8n takes at its peak than after its start. */
	memoryMb: number;
	mostInFlight: number;
}

const WAYS = ['ours', 'http'] as const;

/** This package, and n8n's HTTP Request node. */
export type ByWay<Value> = Record<(typeof WAYS)[number], Value>;

/** How long n8n is left alone before its memory is read, in ms. */
const SETTLE_MS = 2000;

/** A workflow in an n8n of its own, so that what n8n holds is of one way only. */
class Worker {
	private readonly executions: Array<{ id: string; run: Omit<Run, 'seconds'> }> = [];

	private constructor(
		private readonly open: N8nSession,
		private readonly front: Front,
		private readonly workflowId: string,
		private readonly restMb: number,
	) {}

	static async start(open: N8nSession, each: Case, way: keyof ByWay<unknown>, front: Front, size: number) {
		const { client, n8n } = open;
		await n8n.restart();
		await client.login(OWNER.email, OWNER.password);
		await sleep(SETTLE_MS);
		const restMb = (await measureProcessMemory(n8n.pid))?.now ?? Number.NaN;
		const credential = await saveCredential(client, front.secrets, `Bench ${each.name}`);
		const { nodes, connections } = each[way];
		const workflow = buildWorkflow(way, [START_NODE, ...nodes({ credential, front, size })], connections);
		const worker = new Worker(open, front, await client.createWorkflow(workflow), restMb);
		// A running n8n has loaded its code: the first run is not measured.
		await worker.run();
		worker.executions.length = 0;
		return worker;
	}

	async run(): Promise<void> {
		const { client, n8n } = this.open;
		await sleep(SETTLE_MS);
		this.front.count();
		await resetPeakMemory(n8n.pid);
		const before = await measureCpuSeconds(n8n.pid);
		const id = await client.start(this.workflowId, START_NODE.name);
		await client.waitForLastExecution(this.workflowId);
		const cpu = await measureCpuSeconds(n8n.pid);
		const memory = await measureProcessMemory(n8n.pid);
		const { mostInFlight } = this.front.count();
		const memoryMb = (memory?.peak ?? Number.NaN) - this.restMb;
		this.executions.push({ id, run: { cpuSeconds: cpu.leader - before.leader, memoryMb, mostInFlight } });
	}

	/** Reads the executions, which takes n8n memory and time, so when all of them are over. */
	async results(records: (execution: Execution) => number): Promise<{ runs: Run[]; brought: number[] }> {
		const runs: Run[] = [];
		const brought: number[] = [];
		for (const { id, run } of this.executions) {
			const execution = await this.open.client.waitForExecution(id);
			runs.push({ seconds: secondsOf(execution), ...run });
			brought.push(records(execution));
		}
		return { runs, brought };
	}
}

/** From the start of the first node to the end of the last one; saving comes after that. */
function secondsOf({ runData }: Execution): number {
	const runs = Object.values(runData).flat();
	const ends = runs.map(({ startTime, executionTime }) => startTime + executionTime);
	return (Math.max(...ends) - Math.min(...runs.map(({ startTime }) => startTime))) / 1000;
}

/** What was measured of a case. */
export interface Runs extends ByWay<Run[]> {
	bare?: ByConnections<BareRun[]>;
}

/** Runs the ways of a case in turn. @throws Error when both in n8n do not bring the same */
export async function measure(
	each: Case,
	open: ByWay<N8nSession>,
	{ rounds, quick: isQuick, cleanups }: { rounds: number; quick: boolean; cleanups: Cleanups },
): Promise<Runs> {
	const size = isQuick ? each.quickSize : each.size;
	const front = await startFront(each.companies);
	front.setExportBytes(size);
	try {
		const ours = await Worker.start(open.ours, each, 'ours', front, size);
		const http = await Worker.start(open.http, each, 'http', front, size);
		const runBare = await prepareBare(each, front, size, cleanups);
		const bare: ByConnections<BareRun[]> = { new: [], kept: [] };
		for (let round = 0; round < rounds; round++) {
			// Each goes first in turn, because the run before has effects.
			for (const worker of round % 2 === 0 ? [ours, http] : [http, ours]) await worker.run();
			for (const connections of runBare ? CONNECTIONS : []) {
				await sleep(SETTLE_MS);
				bare[connections].push(...(runBare ? [await runBare(connections)] : []));
			}
		}
		const results = { ours: await ours.results(each.ours.records), http: await http.results(each.http.records) };
		const brought = new Set(WAYS.flatMap((way) => results[way].brought));
		if (brought.size !== 1 || brought.has(0)) throw new Error(`Not the same came out: ${[...brought].join(', ')}`);
		return { ours: results.ours.runs, http: results.http.runs, ...(runBare ? { bare } : {}) };
	} finally {
		await front.close();
	}
}

/** What n8n's start and memory are with the package, and without it. */
export type Start = Record<'with' | 'without', { seconds: number; memoryMb: number }>;

/** Restarts two n8n, one of them with the package, in turn. */
export async function measureStart(packed: N8nSession, rounds: number, cleanups: Cleanups): Promise<Start[]> {
	const bare = await openN8n({}, cleanups);
	const restart = async ({ n8n }: N8nSession) => {
		let began = 0;
		await n8n.restart(() => {
			began = performance.now();
			return Promise.resolve();
		});
		const seconds = (performance.now() - began) / 1000;
		await sleep(SETTLE_MS);
		return { seconds, memoryMb: (await measureProcessMemory(n8n.pid))?.now ?? Number.NaN };
	};
	const results: Start[] = [];
	for (let round = 0; round < rounds; round++)
		results.push({ with: await restart(packed), without: await restart(bare) });
	return results;
}
