/**
 * `npm run soak` does mixed work in a real n8n for half an hour. Five percent of the requests fail. Each result is compared with the
 * data and the log of the stand-in. The memory of n8n must not grow meanwhile.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { Problem } from '../real-n8n/problem';
import { measureProcessMemory } from '../real-n8n/processLoad';
import { runScript } from '../real-n8n/script';
import { openN8n, packPackage, createTemporaryFolder } from '../real-n8n/testEnvironment';
import { startAllWork, SoakResults, type Work } from './work';

const { values } = parseArgs({
	options: {
		minutes: { type: 'string', default: '30' },
		seed: { type: 'string', default: String(Date.now() % 1_000_000) },
		/** The percentage of requests that fail. */
		faults: { type: 'string', default: '5' },
	},
});
const minutes = Number(values.minutes);
const faultRate = Number(values.faults) / 100;
if (!(minutes > 0 && faultRate >= 0)) throw new Problem('--minutes and --faults are numbers.');

/** The pause before the same work is repeated, in milliseconds. */
const PAUSE_MS = 200;
/**
 * The maximum growth of n8n's memory from the second quarter of the time to the last. The minimum of each quarter is compared,
 * because n8n takes much more memory between two garbage collections.
 */
const MAX_MEMORY_GROWTH_MB = 100;

runScript(async ({ cleanups }) => {
	const tarball = await packPackage(await createTemporaryFolder(cleanups));
	const session = await openN8n({ packagePaths: [tarball] }, cleanups);
	const results = new SoakResults();
	const allWork = await startAllWork({
		session,
		results,
		seed: values.seed,
		faultRate,
		cleanups,
	});
	console.log(`Soak: ${minutes} minutes, seed ${values.seed}, ${faultRate * 100} % of the requests go wrong.`);

	const endTime = Date.now() + minutes * 60_000;
	const memorySamplesMb: number[] = [];
	const repeatWork = async ({ runOnce }: Work) => {
		while (Date.now() < endTime) {
			await runOnce();
			await sleep(PAUSE_MS);
		}
	};
	const logMemory = async () => {
		while (Date.now() < endTime) {
			memorySamplesMb.push((await measureProcessMemory(session.n8n.pid))?.now ?? Number.NaN);
			const { runCount, requestCount, faultCount, errorCounts } = results;
			const countsText = `${runCount} runs, ${requestCount} requests, ${faultCount} faults`;
			console.log(`${countsText}; n8n ${memorySamplesMb.at(-1)} MB`, errorCounts);
			await sleep(Math.min(20_000, (minutes * 60_000) / 24));
		}
	};
	await Promise.all([...allWork.map(repeatWork), logMemory()]);
	for (const { checkAtEnd } of allWork) await checkAtEnd?.();

	const quarter = Math.ceil(memorySamplesMb.length / 4);
	const memoryGrowthMb =
		Math.min(...memorySamplesMb.slice(-quarter)) - Math.min(...memorySamplesMb.slice(quarter, 2 * quarter));
	const { runCount, failedRunCount, requestCount, faultCount, triggeredRecordCount, errorCounts } = results;
	console.log(`
runs        ${runCount}, of which ${failedRunCount} failed, each for a reason
given       ${triggeredRecordCount} records by the triggers
requests    ${requestCount}, of which ${faultCount} went wrong
wrong       ${errorCounts.wrong}
lost        ${errorCounts.lost}
doubled     ${errorCounts.doubled}
n8n grew    ${memoryGrowthMb.toFixed(0)} MB from the second quarter of the time to the last`);
	if (errorCounts.wrong + errorCounts.lost + errorCounts.doubled > 0) throw new Problem('Not every result was right.');
	if (memoryGrowthMb > MAX_MEMORY_GROWTH_MB) throw new Problem('n8n takes more and more memory.');
	console.log('\nAll as it should be.');
});
