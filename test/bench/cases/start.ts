import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { processMemory } from '../../real-n8n/client';
import { startN8n } from '../../real-n8n/start';
import type { Case, Outside, Run } from '../case';
import { loaded } from '../rivals/loader';

/** How long to wait before n8n's memory is read. */
const SETTLED_MS = 2000;
const TICKS_PER_SECOND = 100;

/** CPU time that a process and its ended children have used. Known on Linux only. */
async function cpuSeconds(pid: number): Promise<number | undefined> {
	const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
	// The name, in brackets, may hold blanks; the fields behind it do not.
	const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
	return fields ? (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND : undefined;
}

const n8n = (title: string, withPackage: boolean): Outside => ({
	title,
	open: async ({ installation, tarball, cleanups }) => {
		// The first start makes the database; only restarts are measured.
		const running = await startN8n(installation, { communityPackages: withPackage ? [tarball] : [] });
		cleanups.push(running.stop);
		return async (): Promise<Run> => {
			let startedAt = 0;
			await running.restart(async () => {
				startedAt = performance.now();
				return await Promise.resolve();
			});
			const seconds = (performance.now() - startedAt) / 1000;
			const used = await cpuSeconds(running.pid);
			await sleep(SETTLED_MS);
			const memory = await processMemory(running.pid);
			return { seconds, residentMb: memory?.now, ...(used === undefined ? {} : { cpuSeconds: used }) };
		};
	},
});

export const start: Case = {
	name: 'start',
	title: 'Starting n8n with the package',
	about:
		"Restarts of a real n8n with the package installed and without it, alternately. Because the time of a start varies by more than the package adds, n8n's own loader is also measured with this package alone, in a new process each time. The loader's memory is that in use after a garbage collection.",
	columns: ['seconds', 'cpuSeconds', 'residentMb', 'keptMb'],
	companies: 1,
	processes: 'fresh',
	warmUp: 0,
	rivals: { loader: loaded },
	outside: { with: n8n('n8n with the package', true), without: n8n('n8n without it', false) },
	series: () => ['without', 'with', 'loader'].map((rival) => ({ id: rival, rival, size: 1, latencyMs: 0 })),
	targets: [
		{
			text: "of n8n's start for loading the package",
			of: (round) => (round('loader').seconds / round('without').seconds) * 100,
			below: 1,
			unit: '%',
		},
		{
			text: 'memory in use by the loaded package',
			of: (round) => round('loader').keptMb ?? Number.NaN,
			below: 5,
			unit: 'MB',
		},
		{
			text: 'longer start with the package, in pairs (for comparison)',
			of: (round) => (round('with').seconds / round('without').seconds - 1) * 100,
			unit: '%',
		},
		{
			text: 'more memory with the package, in pairs (for comparison)',
			of: (round) => (round('with').residentMb ?? Number.NaN) - (round('without').residentMb ?? Number.NaN),
			unit: 'MB',
		},
	],
};
