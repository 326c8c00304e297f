/** One program that is compared, in its own process, which the benchmark starts and controls. */
import { Session, type Profiler } from 'node:inspector/promises';

import { z } from 'zod';

import { CASES } from './cases';
import type { Outcome, Rival } from './case';
import { answerParent } from '../real-n8n/children';
import { summarize } from './profile';
import { Stage } from './stage';

const place = z.object({
	caseName: z.string(),
	rival: z.string(),
	size: z.number(),
	folder: z.string(),
	service: z.object({ url: z.string(), clientId: z.string(), clientSecret: z.string() }),
});
const work = z.object({ size: z.number(), profiled: z.boolean().default(false) });

const LIVE_MS = 500;

/** Runs a garbage collection. */
function tidy(): number {
	for (let times = 0; times < 3; times++) globalThis.gc?.();
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
}

async function profiled<T>(run: () => Promise<T>): Promise<{ result: T; profile: Profiler.Profile }> {
	const session = new Session();
	session.connect();
	await session.post('Profiler.enable');
	await session.post('Profiler.start');
	const result = await run();
	const { profile } = await session.post('Profiler.stop');
	session.disconnect();
	return { result, profile };
}

/** The result of the last run, which stays in memory while memory is measured. */
const kept: unknown[] = [];
let here: { stage: Stage; rival: Rival } | undefined;
let before = 0;

function atWork() {
	if (!here) throw new Error('Not prepared');
	return here;
}

answerParent({
	prepare: async (input) => {
		const { caseName, rival: name, size, folder, service } = place.parse(input);
		const rival = CASES.find((each) => each.name === caseName)?.rivals[name];
		if (!rival) throw new Error(`${caseName} has no rival ${name}`);
		const stage = await Stage.open(service, folder);
		await rival.prepare?.(stage, size);
		here = { stage, rival };
	},
	/** Says what the process holds before a run. */
	tidy: async () => {
		before = tidy();
	},
	run: async (input) => {
		const { size, profiled: wanted } = work.parse(input);
		const { stage, rival } = atWork();
		const cpu = process.cpuUsage();
		const startedAt = performance.now();
		const go = async (): Promise<Outcome> => await rival.run(stage, size);
		const { result, profile } = wanted ? await profiled(go) : { result: await go(), profile: undefined };
		const seconds = (performance.now() - startedAt) / 1000;
		const { user, system } = process.cpuUsage(cpu);
		kept.push(result.kept);
		const { records } = result;
		return {
			seconds,
			cpuSeconds: (user + system) / 1e6,
			records,
			...(profile ? { profile: summarize(profile, process.env.BENCH_PACKAGE ?? '') } : {}),
		};
	},
	/** Does the work once more and measures the most memory in use: garbage is collected frequently, so it takes long. */
	live: async (input) => {
		const { size } = work.parse(input);
		const { stage, rival } = atWork();
		let most = 0;
		const note = () => (most = Math.max(most, tidy() - before));
		let timer: NodeJS.Timeout;
		const look = () => {
			const startedAt = performance.now();
			note();
			// A large heap takes long to look through; the work must go on all the same.
			timer = setTimeout(look, Math.max(LIVE_MS, (performance.now() - startedAt) * 4));
		};
		timer = setTimeout(look, LIVE_MS);
		const { kept: atEnd } = await rival.run(stage, size);
		clearTimeout(timer);
		kept.push(atEnd);
		note();
		kept.length = 0;
		await rival.clear?.(stage);
		return most / 2 ** 20;
	},
	/** What is still held of the last run; then it is let go. */
	held: async () => {
		const keptMb = (tidy() - before) / 2 ** 20;
		const { stage, rival } = atWork();
		kept.length = 0;
		await rival.clear?.(stage);
		return keptMb;
	},
});
