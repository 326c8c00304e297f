/**
 * `npm run soak`: half an hour of mixed work in a real n8n; 5 % of the requests go wrong, and each result is compared
 * with the data and the log of the service. n8n must not grow meanwhile.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { Problem } from '../real-n8n/problem';
import { measureProcessMemory } from '../real-n8n/load';
import { runScript } from '../real-n8n/script';
import { openN8n, packPackage, createTemporaryFolder } from '../real-n8n/stage';
import { startWorks, Tally, type Work } from './work';

const { values } = parseArgs({
	options: {
		minutes: { type: 'string', default: '30' },
		seed: { type: 'string', default: String(Date.now() % 1_000_000) },
		/** Percent of the requests that go wrong. */
		faults: { type: 'string', default: '5' },
	},
});
const minutes = Number(values.minutes);
const share = Number(values.faults) / 100;
if (!(minutes > 0 && share >= 0)) throw new Problem('--minutes and --faults are numbers.');

/** The pause between two rounds of a work, in ms. */
const PAUSE_MS = 200;
/**
 * How much more memory n8n may take in the last quarter of the time than in the second, each time when it takes least:
 * between two garbage collections it takes much more.
 */
const ALLOWED_MB = 100;

runScript(async ({ cleanups }) => {
	const tarball = await packPackage(await createTemporaryFolder(cleanups));
	const open = await openN8n({ packages: [tarball] }, cleanups);
	const tally = new Tally();
	const works = await startWorks({ open, tally, seed: values.seed, share, cleanups });
	console.log(`Soak: ${minutes} minutes, seed ${values.seed}, ${share * 100} % of the requests go wrong.`);

	const end = Date.now() + minutes * 60_000;
	const memory: number[] = [];
	const work = async ({ round }: Work) => {
		for (; Date.now() < end; await sleep(PAUSE_MS)) await round();
	};
	const watch = async () => {
		for (; Date.now() < end; await sleep(Math.min(20_000, (minutes * 60_000) / 24))) {
			memory.push((await measureProcessMemory(open.n8n.pid))?.now ?? Number.NaN);
			const { runs, requests, faults, verdicts } = tally;
			console.log(`${runs} runs, ${requests} requests, ${faults} faults; n8n ${memory.at(-1)} MB`, verdicts);
		}
	};
	await Promise.all([...works.map(work), watch()]);
	for (const { finish } of works) await finish?.();

	const quarter = Math.ceil(memory.length / 4);
	const grown = Math.min(...memory.slice(-quarter)) - Math.min(...memory.slice(quarter, 2 * quarter));
	const { runs, failed, requests, faults, given, verdicts } = tally;
	console.log(`
runs        ${runs}, of which ${failed} failed, each for a reason
given       ${given} records by the triggers
requests    ${requests}, of which ${faults} went wrong
wrong       ${verdicts.wrong}
lost        ${verdicts.lost}
doubled     ${verdicts.doubled}
n8n grew    ${grown.toFixed(0)} MB from the second quarter of the time to the last`);
	if (verdicts.wrong + verdicts.lost + verdicts.doubled > 0) throw new Problem('Not every result was right.');
	if (grown > ALLOWED_MB) throw new Problem('n8n takes more and more memory.');
	console.log('\nAll as it should be.');
});
