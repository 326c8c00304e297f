import { writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';

import { NEWEST, VERSIONS } from '../real-n8n/versions';
import { LATENCY_MS } from './front';
import { CONNECTIONS, type BareRun } from './bare';
import type { Case } from './cases';
import { writeChart } from './chart';
import type { Run, Runs, Start } from './measure';
import type { Parts } from './parts';

const PAGE = join(__dirname, '..', '..', 'docs', 'performance.md');

/** What a full run of the bench has measured. */
export interface Measured {
	cases: Array<{ each: Case; runs: Runs }>;
	starts: Start[];
	parts: Array<{ each: Case; parts: Parts }>;
}

/** The middle value, with the smallest and the largest in brackets. */
export function spread(values: number[], unit: string, digits: number): string {
	const middle = middleOf(values);
	const low = Math.min(...values);
	const high = Math.max(...values);
	const shown = (value: number) =>
		value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
	return `${shown(middle)} ${unit} (${shown(low)} to ${shown(high)})`;
}

const middleOf = (values: number[]): number =>
	[...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

const secondsOf = (runs: Timed[]): number[] => runs.map(({ seconds }) => seconds);

type Timed = Pick<Run, 'seconds'>;

/** How many times as long others took, calculated within each round. */
const timesOf = (others: Timed[], runs: Timed[]): string =>
	spread(
		runs.map(({ seconds }, round) => (others[round]?.seconds ?? Number.NaN) / seconds),
		'×',
		2,
	);

/** How many times as fast as the HTTP Request node. */
export const ratioOf = ({ ours, http }: Runs): string => timesOf(http, ours);

const timeColumns = (runs: BareRun[]): string[] => [
	spread(secondsOf(runs), 's', 2),
	spread(
		runs.map(({ cpuSeconds }) => cpuSeconds),
		's',
		1,
	),
];

const columns = (runs: Run[]): string[] => [
	...timeColumns(runs),
	spread(
		runs.map(({ memoryMb }) => memoryMb),
		'MB',
		0,
	),
	String(Math.max(...runs.map(({ mostInFlight }) => mostInFlight))),
];

/** How bare axios is named. */
export const BARE = { new: 'axios alone, a new connection for each request', kept: 'axios alone, connections kept' };

/** The figures as a table: head and rows. */
export function tableOf({ cases }: Pick<Measured, 'cases'>): string[][] {
	return [
		[
			'Work',
			'By',
			'Time',
			'CPU',
			'More memory at the peak',
			'Requests at once',
			'This package is so many times as fast',
		],
		...cases.flatMap(({ each, runs }) => [
			[each.title, 'this package', ...columns(runs.ours), ''],
			['', `HTTP Request, ${each.rival}`, ...columns(runs.http), ratioOf(runs)],
			...CONNECTIONS.flatMap((connections) => {
				const bare = runs.bare?.[connections];
				return bare ? [['', BARE[connections], ...timeColumns(bare), '', '8', timesOf(bare, runs.ours)]] : [];
			}),
		]),
	];
}

const line = (cells: string[]) => `| ${cells.join(' | ')} |`;

/** Writes docs/performance.md. */
export async function writePage(measured: Measured): Promise<void> {
	const [head = [], ...rows] = tableOf(measured);
	const [cpu] = cpus();
	const memory = Math.round(totalmem() / 2 ** 30);
	const machine = `${cpus().length} × ${cpu?.model.trim() ?? process.arch}, ${memory} GB, ${process.platform}`;
	const software = `n8n ${NEWEST} on Node.js ${VERSIONS[NEWEST].node}`;
	const rounds = measured.cases[0]?.runs.ours.length ?? 0;
	const longer = measured.starts.map(({ with: one, without }) => (one.seconds / without.seconds - 1) * 100);
	const more = measured.starts.map(({ with: one, without }) => one.memoryMb - without.memoryMb);
	await writeChart(
		measured.cases.map(({ each, runs }) => ({
			title: each.title,
			bars: [
				{ label: 'this package', seconds: middleOf(secondsOf(runs.ours)) },
				{ label: 'HTTP Request', seconds: middleOf(secondsOf(runs.http)) },
				...CONNECTIONS.flatMap((connections) => {
					const bare = runs.bare?.[connections];
					return bare ? [{ label: BARE[connections], seconds: middleOf(secondsOf(bare)) }] : [];
				}),
			],
		})),
	);
	await writeFile(
		PAGE,
		`# Performance

<!-- Written by npm run bench; do not edit it. -->

How long some work takes with this package, and with n8n's own HTTP Request node and the same credential. Both run as workflows in a real n8n; each answer of the service takes ${LATENCY_MS} ms to arrive.

![Time of each way](.images/performance.svg)

${[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')}

n8n's start took ${spread(longer, '%', 0)} longer with the package, and n8n ${spread(more, 'MB', 0)} more memory after it. Starts differ by more than that from one to the next.

*${rounds} rounds, ${new Date().toISOString().slice(0, 10)}; ${machine}; ${software}. Each figure is the middle one of all rounds, with the smallest and the largest in brackets.*

## Where the time goes

Milliseconds for each request in n8n's one thread, by whose code was at work, looked at 5,000 times a second; saving the execution is in it. For comparison: axios alone takes ${axiosMs(measured)} ms of CPU for each.

${partsTable(measured)}

${TEXT}`,
	);
}

/** The CPU time of bare axios with new connections, for each request of the first case. */
function axiosMs({ cases }: Measured): string {
	const [first] = cases;
	const seconds = middleOf((first?.runs.bare?.new ?? []).map(({ cpuSeconds }) => cpuSeconds));
	return ((seconds * 1000) / (first?.each.size ?? 1)).toFixed(1);
}

function partsTable({ parts }: Measured): string {
	const names = [...new Set(parts.flatMap((each) => Object.keys(each.parts)))];
	const cost = (name: string) => parts.reduce((sum, each) => sum + (each.parts[name] ?? 0), 0);
	const rows = names
		.sort((one, other) => cost(other) - cost(one))
		.map((name) => [name, ...parts.map((each) => (each.parts[name] ?? 0).toFixed(2))]);
	const head = ['Part', ...parts.map(({ each }) => each.title)];
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const TEXT = `## What this means for you

- **Long lists and many customers are where you gain.** The nodes ask for several pages, or several customers, at the same time: 8, unless you change *Concurrency* in the node's options. The farther away your platform is, the more you gain, because the waiting is shared.
- **One customer, one page: no difference.** A single request takes as long as your platform needs for it.
- **Many input items** (one read for each): these nodes send at most 20 requests at a time, as *Concurrency* says. n8n's HTTP Request node starts all of them at once, and takes more time and memory.
- **Large files** go straight to n8n's file storage and are never held in memory as a whole. If your n8n keeps files in memory (\`N8N_DEFAULT_BINARY_DATA_MODE=default\`), it needs that much memory.
- **What stays in n8n** counts more than how it is fetched: 20,000 records in one item list are in memory until the workflow ends, and in n8n's database after that. Ask for what you need: a filter, a limit, *Simplified* output.

## How it was measured

- Each way has an n8n of its own, and is run once before it is measured, so that n8n has loaded its code. Then both are run in turn, and a ratio is calculated within each round.
- Time is from the start of the first node to the end of the last one. CPU time and memory are those of the n8n process, and include saving the execution; memory is how much more n8n takes at its peak than after its start, garbage included.
- axios alone is a program without n8n, which sends the same requests, 8 at once, in the same version of Node.js, and keeps nothing: a limit. n8n makes a new connection for each request.
- HTTP Request outputs whole pages; the Split Out node that has to follow is not counted. For 500 companies it is given their IDs, while this package asks for them.
- The service is the stand-in service of this repository, with its answers prepared, so that it takes no time itself.

## Limits

A real platform answers more slowly, less evenly, and may ask callers to slow down; these nodes then wait as long as it asks. Your times will differ; the ratios should not by much. To measure on your own machine: \`npm run bench\`, or \`npm run bench -- --quick\` for a short look that writes nothing.
`;
