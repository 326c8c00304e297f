import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import { temporaryFolder } from '../real-n8n/stage';
import { processMemory, resetPeakMemory } from '../real-n8n/client';
import type { Installation } from '../real-n8n/install';
import { startChild, type Child } from '../real-n8n/children';
import type { Case, Run, Series } from './case';
import { placeShape } from './front';

const CURVE_MS = 50;
/** The memory in use differs little from round to round, and takes long to measure. */
const LIVE_ROUNDS = 3;

const counted = z.object({ requests: z.number(), mostInFlight: z.number() });
const ran = z.object({
	seconds: z.number(),
	cpuSeconds: z.number(),
	records: z.number(),
	profile: z.custom<Run['profile']>(),
});

/** Runs cases: one service, one process per rival, memory read from outside. */
export class Bench {
	private readonly children = new Set<Child>();

	/** @param tarball the package as it would be published @param unpacked a folder with its content */
	constructor(
		private readonly installation: Installation,
		private readonly tarball: string,
		private readonly unpacked: string,
	) {}

	/** Measures a case and returns its rounds, each with one run per series. @param tell hears of every run */
	async measure(
		bench: Case,
		rounds: number,
		quick: boolean,
		tell: (title: string, run: Run, round: number) => void,
	): Promise<Array<Record<string, Run>>> {
		const cleanups: Array<() => Promise<unknown>> = [];
		const folder = await temporaryFolder(cleanups);
		try {
			const server = await this.start('server.ts');
			const place = placeShape.parse(await server.ask('start', { companies: bench.companies }));
			const kept = new Map<string, Child>();
			const rivalFor = async ({ rival, size }: Series): Promise<Child> => {
				const known = kept.get(rival);
				if (known) return known;
				const own = join(folder, `${rival}-${this.children.size}`);
				await mkdir(own, { recursive: true });
				const child = await this.start('rival.ts', { HARNESS_FOLDER: own, BENCH_PACKAGE: this.unpacked });
				await child.ask('prepare', { caseName: bench.name, rival, size, folder: own, service: place });
				if (bench.processes === 'kept') kept.set(rival, child);
				return child;
			};

			const all = bench.series(quick);
			const results: Array<Record<string, Run>> = [];
			const warm = new Set<Child>();
			const opened = new Map<string, () => Promise<Run>>();
			for (let round = 0; round < rounds; round++) {
				const runs: Record<string, Run> = {};
				// In every round each rival follows another one, because effects of one rival (such as a full disk cache) slow
				// down the next.
				const first = round % all.length;
				for (const series of [...all.slice(first), ...all.slice(0, first)]) {
					const outside = bench.outside?.[series.rival];
					if (outside) {
						const tools = { installation: this.installation, tarball: this.tarball, cleanups };
						const go = opened.get(series.rival) ?? (await outside.open(tools));
						opened.set(series.rival, go);
						const run = await go();
						runs[series.id] = run;
						tell(titleOf(bench, series), run, round);
						continue;
					}
					const child = await rivalFor(series);
					if (!warm.has(child)) {
						const size = bench.warmUp === 0 ? series.size : bench.warmUp;
						await server.ask('set', { latencyMs: 0, exportBytes: size });
						await child.ask('run', { size });
						await child.ask('held');
						warm.add(child);
					}
					await server.ask('set', { latencyMs: series.latencyMs, exportBytes: series.size });
					const run = await this.runOnce(bench, series, child, server, bench.live === true && round < LIVE_ROUNDS);
					runs[series.id] = run;
					tell(titleOf(bench, series), run, round);
					if (bench.processes === 'fresh') {
						await child.stop();
						this.children.delete(child);
					}
				}
				checkSame(runs, all);
				results.push(runs);
			}
			return results;
		} finally {
			await this.stop();
			for (const cleanup of cleanups.reverse()) await cleanup();
		}
	}

	private async runOnce(bench: Case, { size }: Series, child: Child, server: Child, live: boolean): Promise<Run> {
		await child.ask('tidy');
		await server.ask('count');
		await resetPeakMemory(child.pid);
		const before = await processMemory(child.pid);
		const watching = bench.curve ? watch(child.pid) : undefined;
		const { profile, ...run } = ran.parse(await child.ask('run', { size, profiled: bench.profiled ?? false }));
		const curve = await watching?.();
		const after = await processMemory(child.pid);
		const { requests, mostInFlight } = counted.parse(await server.ask('count'));
		const keptMb = z.number().parse(await child.ask('held'));
		const liveMb = live ? z.number().parse(await child.ask('live', { size })) : undefined;
		return {
			...(liveMb === undefined ? {} : { liveMb }),
			...{ ...run, keptMb, requests, mostInFlight },
			...(before && after ? { growthMb: after.peak - before.now } : {}),
			...(curve ? { curve } : {}),
			...(profile ? { profile } : {}),
		};
	}

	private async start(file: string, env?: Record<string, string>): Promise<Child> {
		const child = await startChild(join(__dirname, file), this.installation, env);
		this.children.add(child);
		return child;
	}

	/** Ends all that was started. */
	async stop(): Promise<void> {
		await Promise.all([...this.children].map(async (child) => await child.stop()));
		this.children.clear();
	}
}

/** What a row is called. */
export function titleOf({ rivals, outside }: Case, { rival, note }: Series): string {
	const title = (rivals[rival] ?? outside?.[rival])?.title ?? rival;
	return note === undefined ? title : `${title}, ${note}`;
}

/** Rivals that return different numbers of records have not done the same work. */
function checkSame(runs: Record<string, Run>, all: Series[]): void {
	const sizes = new Map<number, number | undefined>();
	for (const { id, size } of all) {
		const records = runs[id]?.records;
		if (records === undefined) continue;
		if (records === 0) throw new Error(`${id} brought nothing.`);
		if (sizes.has(size) && sizes.get(size) !== records)
			throw new Error(`${id} brought ${records} records, another ${sizes.get(size)}.`);
		sizes.set(size, records);
	}
}

/** Records a process's memory every 50 ms until the result is requested. */
function watch(pid: number): () => Promise<Run['curve']> {
	const samples: number[] = [];
	const note = async () => {
		const status = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '');
		const pages = Number(status.split(' ')[1]);
		if (pages > 0) samples.push((pages * 4096) / 2 ** 20);
	};
	const timer = setInterval(() => void note(), CURVE_MS);
	const first = note();
	return async () => {
		clearInterval(timer);
		await first;
		const [start = 0] = samples;
		return { everyMs: CURVE_MS, growthMb: samples.map((value) => Math.round((value - start) * 10) / 10) };
	};
}
