/** Writes the page docs/performance.md from the measurements. */
import { writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';

import { NEWEST_VERSION, VERSIONS } from '../real-n8n/versions';
import { LATENCY_MS } from './cachingProxy';
import { CONNECTION_MODES, type BareRun } from './axiosWithoutN8n';
import type { BenchCase } from './cases';
import { writeChart } from './chart';
import type { MeasuredRun, CaseRuns, StartMeasurement } from './measure';
import type { PartTimes } from './measureParts';

const PAGE_FILE = join(__dirname, '..', '..', 'docs', 'performance.md');

/** The measurements of a full run of the benchmark. */
export interface Measurements {
	cases: Array<{ benchCase: BenchCase; runs: CaseRuns }>;
	starts: StartMeasurement[];
	parts: Array<{ benchCase: BenchCase; partTimes: PartTimes }>;
}

/** Formats the median of values, with the smallest and the largest in brackets. */
export function formatSpread(values: number[], unit: string, digits: number): string {
	const median = getMedian(values);
	const minimum = Math.min(...values);
	const maximum = Math.max(...values);
	const format = (value: number) =>
		value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
	return `${format(median)} ${unit} (${format(minimum)} to ${format(maximum)})`;
}

const getMedian = (values: number[]): number =>
	[...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const listSeconds = (runs: TimedRun[]): number[] => runs.map(({ seconds }) => seconds);

type TimedRun = Pick<MeasuredRun, 'seconds'>;

/**
 * Formats the ratio of the slower runs' duration to that of the other runs. The ratio is calculated within each round.
 */
const formatSpeedup = (slowerRuns: TimedRun[], runs: TimedRun[]): string =>
	formatSpread(
		runs.map(({ seconds }, round) => (slowerRuns[round]?.seconds ?? Number.NaN) / seconds),
		'×',
		2,
	);

/** Formats how many times as fast this package was as the HTTP Request node. */
export const formatSpeedupOverHttpRequest = ({ packageNode, httpRequestNode }: CaseRuns): string =>
	formatSpeedup(httpRequestNode, packageNode);

const buildTimeCells = (runs: BareRun[]): string[] => [
	formatSpread(listSeconds(runs), 's', 2),
	formatSpread(
		runs.map(({ cpuSeconds }) => cpuSeconds),
		's',
		1,
	),
];

const buildRunCells = (runs: MeasuredRun[]): string[] => [
	...buildTimeCells(runs),
	formatSpread(
		runs.map(({ peakMemoryGrowthMb }) => peakMemoryGrowthMb),
		'MB',
		0,
	),
	String(Math.max(...runs.map(({ maxInFlight }) => maxInFlight))),
];

/** The labels of axios without n8n, by connection mode. */
export const BARE_AXIOS_LABELS = {
	new: 'axios alone, a new connection for each request',
	kept: 'axios alone (a program without n8n), connections kept',
};

/** Builds the table of results: a header row, then the rows of each case. */
export function buildTable({ cases }: Pick<Measurements, 'cases'>): string[][] {
	return [
		[
			'Work',
			'By',
			'Time',
			'CPU',
			'Additional memory at the peak',
			'Requests at once',
			'How many times as fast this package is',
		],
		...cases.flatMap(({ benchCase, runs }) => [
			[benchCase.title, 'this package', ...buildRunCells(runs.packageNode), ''],
			[
				'',
				`HTTP Request, ${benchCase.httpRequestMethod}`,
				...buildRunCells(runs.httpRequestNode),
				formatSpeedupOverHttpRequest(runs),
			],
			...CONNECTION_MODES.flatMap((connectionMode) => {
				const bareRuns = runs.bareAxios?.[connectionMode];
				return bareRuns
					? [
							[
								'',
								BARE_AXIOS_LABELS[connectionMode],
								...buildTimeCells(bareRuns),
								'',
								'8',
								formatSpeedup(bareRuns, runs.packageNode),
							],
						]
					: [];
			}),
		]),
	];
}

const formatRow = (cells: string[]) => `| ${cells.join(' | ')} |`;

/** Writes docs/performance.md. */
export async function writePage(measurements: Measurements): Promise<void> {
	const [headerRow = [], ...rows] = buildTable(measurements);
	const [cpu] = cpus();
	const memory = Math.round(totalmem() / 2 ** 30);
	const machineText = `${cpus().length} × ${cpu?.model.trim() ?? process.arch}, ${memory} GB, ${process.platform}`;
	const softwareText = `n8n ${NEWEST_VERSION} on Node.js ${VERSIONS[NEWEST_VERSION].nodeVersion}`;
	const rounds = measurements.cases[0]?.runs.packageNode.length ?? 0;
	const startSlowdownPercents = measurements.starts.map(
		({ with: withPackage, without }) => (withPackage.seconds / without.seconds - 1) * 100,
	);
	const memoryGrowthsMb = measurements.starts.map(
		({ with: withPackage, without }) => withPackage.memoryMb - without.memoryMb,
	);
	await writeChart(
		measurements.cases.map(({ benchCase, runs }) => ({
			title: benchCase.title,
			bars: [
				{ label: 'this package', seconds: getMedian(listSeconds(runs.packageNode)) },
				{ label: 'HTTP Request', seconds: getMedian(listSeconds(runs.httpRequestNode)) },
				...CONNECTION_MODES.flatMap((connectionMode) => {
					const bareRuns = runs.bareAxios?.[connectionMode];
					return bareRuns
						? [{ label: BARE_AXIOS_LABELS[connectionMode], seconds: getMedian(listSeconds(bareRuns)) }]
						: [];
				}),
			],
		})),
	);
	await writeFile(
		PAGE_FILE,
		`# Performance

<!-- Written by npm run bench; do not edit it. -->

This page compares this package with n8n's own HTTP Request node and the same credential. Both run as workflows in a real n8n. Each response of the platform takes ${LATENCY_MS} ms to arrive.

![Time of each way](.images/performance.svg)

${[formatRow(headerRow), formatRow(headerRow.map(() => '---')), ...rows.map(formatRow)].join('\n')}

A negative figure of memory means that n8n needed less memory at its peak than right after its start.

With the package, n8n's start time changes by ${formatSpread(startSlowdownPercents, '%', 0)}, and its memory after the start by ${formatSpread(memoryGrowthsMb, 'MB', 0)}. Two starts of the same n8n differ more than that.

*${rounds} rounds, ${new Date().toISOString().slice(0, 10)}; ${machineText}; ${softwareText}. Each figure is the median of all rounds, with the smallest and the largest in brackets.*

## Where the time goes

The table shows CPU time per request in n8n's thread, in milliseconds, by the code that used it. It includes saving the execution. For comparison, axios alone takes ${formatAxiosMs(measurements)} ms for each request.

${buildPartsTable(measurements)}

${EXPLANATION}`,
	);
}

/** Formats the CPU time of axios without n8n per request, in milliseconds: for the first case, with a new connection for each request. */
function formatAxiosMs({ cases }: Measurements): string {
	const [firstCase] = cases;
	const seconds = getMedian((firstCase?.runs.bareAxios?.new ?? []).map(({ cpuSeconds }) => cpuSeconds));
	return ((seconds * 1000) / (firstCase?.benchCase.size ?? 1)).toFixed(1);
}

function buildPartsTable({ parts }: Measurements): string {
	const names = [...new Set(parts.flatMap(({ partTimes }) => Object.keys(partTimes)))];
	const sumPartTime = (name: string) => parts.reduce((sum, { partTimes }) => sum + (partTimes[name] ?? 0), 0);
	const rows = names
		.sort((a, b) => sumPartTime(b) - sumPartTime(a))
		.map((name) => [name, ...parts.map(({ partTimes }) => (partTimes[name] ?? 0).toFixed(2))]);
	const headerRow = ['Part', ...parts.map(({ benchCase }) => benchCase.title)];
	return [formatRow(headerRow), formatRow(headerRow.map(() => '---')), ...rows.map(formatRow)].join('\n');
}

const EXPLANATION = `## How we measured

- We measured this package and HTTP Request in two separate instances of n8n. Each ran once before the measurement, so that n8n had loaded its code. Each ratio compares runs of the same round.
- *Time* is from the start of the first node to the end of the last one. *CPU* and memory are those of the n8n process, and include saving the execution. Memory is how much more n8n takes at its peak than after its start.
- *axios alone* is a program without n8n. It sends the same requests and keeps nothing.
- For 500 companies, HTTP Request gets their IDs as input, while this package requests them.
- The platform is the stand-in of this repository. A real platform answers more slowly, so your times will differ. The longer it takes, the more time you save.
- A workflow that reads one page of one customer is as fast as with HTTP Request, because the platform takes most of the time.

To measure on your own machine, run \`npm run bench\`. \`npm run bench -- --quick\` takes less time and writes nothing.
`;
