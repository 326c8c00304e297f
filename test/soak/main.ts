/**
 * `npm run soak`: half an hour of mixed operations; 5 % of the requests fail, and each result is compared with the data
 * and the log of the service. The services run in this process and the nodes in another one (runner.ts), with the
 * newest n8n.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { runScript } from '../real-n8n/script';
import { installN8n } from '../real-n8n/install';
import { Problem } from '../real-n8n/problem';
import { showStep } from '../real-n8n/steps';
import { startWorkloads } from './workloads';
import { Tally } from './tally';
import type { Workload } from './workload';
import { Remote } from './remote';
import type { Holding } from './runner';

const { values } = parseArgs({
	options: {
		minutes: { type: 'string', default: '30' },
		seed: { type: 'string', default: String(Date.now() % 1_000_000) },
		/** Percent of the requests that go wrong. */
		faults: { type: 'string', default: '5' },
	},
});
const minutes = Number(values.minutes);
const seed = Number(values.seed);
const share = Number(values.faults) / 100;
if (![minutes, seed, share].every((value) => value >= 0))
	throw new Problem('--minutes, --seed and --faults are numbers.');

/** The pause between two rounds of a workload, so that the limit is not the machine's speed. */
const PAUSE_MS = 100;
const MEGABYTE = 1024 * 1024;
/** Before this share of the time, memory may grow: code is compiled, caches fill. */
const WARM_UP = 0.25;
/** How much the memory may seem to grow over the rest of the time. */
const ALLOWED_MB = 8;

const mb = (bytes: number) => (bytes / MEGABYTE).toFixed(1);

interface Sample {
	minute: number;
	holding: Holding;
}

/** The straight line through the samples. @returns growth per minute */
function slope(samples: Sample[], valueOf: (holding: Holding) => number): number {
	const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
	const x = mean(samples.map(({ minute }) => minute));
	const y = mean(samples.map(({ holding }) => valueOf(holding)));
	const above = samples.reduce((sum, { minute, holding }) => sum + (minute - x) * (valueOf(holding) - y), 0);
	return above / samples.reduce((sum, { minute }) => sum + (minute - x) ** 2, 0);
}

/** Waits until the connections that are kept for the next request are given up. */
async function settled(remote: Remote): Promise<Holding> {
	for (let waited = 0; ; waited++) {
		const holding = await remote.measure();
		if ((holding.sockets === 0 && holding.files === 0) || waited === 15) return holding;
		await sleep(1000);
	}
}

runScript(async ({ cleanups }) => {
	const folder = await mkdtemp(join(tmpdir(), 'soak-'));
	cleanups.push(() => rm(folder, { recursive: true, force: true }));
	const remote = await Remote.start(folder, await installN8n(showStep));
	cleanups.push(() => remote.end());
	const tally = new Tally();
	const workloads = await startWorkloads({ remote, tally, share, seed });
	for (const workload of workloads) cleanups.push(() => workload.close());
	console.log(`Soak: ${minutes} minutes, seed ${seed}, ${share * 100} % of the requests go wrong.`);

	const start = Date.now();
	const end = start + minutes * 60_000;
	const samples: Sample[] = [];
	const passed = () => (Date.now() - start) / 60_000;
	const work = async (workload: Workload) => {
		for (; Date.now() < end; await sleep(PAUSE_MS)) await workload.round();
	};
	const watch = async () => {
		for (let next = start; Date.now() < end;) {
			next += Math.min(20_000, (minutes * 60_000) / 24);
			await sleep(Math.max(0, Math.min(next, end) - Date.now()));
			const holding = await remote.measure();
			samples.push({ minute: passed(), holding });
			const { wrong, lost, doubled } = tally.verdicts;
			console.log(
				`${passed().toFixed(1).padStart(5)} min: ${tally.runs} runs, ${tally.polls} polls, ${tally.requests} requests; wrong ${wrong}, lost ${lost}, doubled ${doubled}; heap ${mb(holding.heap)} MB, external ${mb(holding.external)}, rss ${mb(holding.rss)}; sockets ${holding.sockets}, files ${holding.files}`,
			);
		}
	};
	await Promise.all([...workloads.map(work), watch()]);
	for (const workload of workloads) await workload.finish();

	const last = await settled(remote);
	const warm = samples.filter(({ minute }) => minute >= minutes * WARM_UP);
	const [first] = warm;
	const growth = slope(warm, ({ heap, external }) => heap + external) / MEGABYTE;
	const grown = growth * minutes * (1 - WARM_UP);
	const { wrong, lost, doubled } = tally.verdicts;
	const faults = [...tally.faults].sort(([one], [other]) => one.localeCompare(other));
	console.log(`
minutes            ${passed().toFixed(1)} (seed ${seed})
runs of nodes      ${tally.runs} (${tally.operations.size} operations; ${tally.failures} runs and polls failed, each for a reason)
polls              ${tally.polls}, ${tally.emitted} records emitted
stops              ${tally.stops}, the slowest after ${tally.longestStop} ms
items              ${tally.items}, of which ${tally.written} were written one by one
requests           ${tally.requests}
faults             ${faults.reduce((sum, [, times]) => sum + times, 0)}: ${faults.map(([kind, times]) => `${kind} ${times}`).join(', ')}
wrong              ${wrong}
lost               ${lost}
doubled            ${doubled}
heap               ${mb(first?.holding.heap ?? 0)} MB when warm, ${mb(last.heap)} MB at the end; with what is outside of it ${growth >= 0 ? '+' : ''}${growth.toFixed(3)} MB a minute
sockets            ${last.sockets} open at the end
files              ${last.files} open at the end
timers             ${last.timers} at the end`);
	const complaints = [
		...(wrong + lost + doubled > 0 ? ['results'] : []),
		...(grown > ALLOWED_MB ? ['memory'] : []),
		...(last.sockets > 0 ? ['sockets'] : []),
		...(last.files > 0 ? ['files'] : []),
	];
	if (complaints.length > 0) throw new Problem(`\nNot as it should be: ${complaints.join(', ')}.`);
	console.log('\nAll as it should be.');
});
