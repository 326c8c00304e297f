import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';

import { z } from 'zod';

import type { Installation } from '../real-n8n/install';
import { CASES } from './cases';
import { COLUMNS, type Case, type Run } from './case';
import { barChart, lineChart, type Bar, type Line } from './chart';
import { figureOf, limitOf, shown, spread, verdictsOf, type Rounds } from './figures';
import { titleOf } from './measure';

const DOCS = join(__dirname, '..', '..', 'docs');
const RESULTS = join(DOCS, 'performance.json');

const run = z.custom<Run>((value) => typeof value === 'object' && value !== null && 'seconds' in value);
/** The rounds of every case that was measured, and where. A case that is run again replaces its own. */
const results = z.record(z.object({ measured: z.string(), machine: z.string(), rounds: z.array(z.record(run)) }));
type Results = z.output<typeof results>;

const readResults = async (): Promise<Results> => {
	const text = await readFile(RESULTS, 'utf8').catch(() => '{}');
	return results.parse(JSON.parse(text));
};

function machineOf({ version }: Installation, nodeVersion: string): string {
	const [cpu] = cpus();
	const memory = Math.round(totalmem() / 2 ** 30);
	return `${cpus().length} × ${cpu?.model.trim() || process.arch}, ${memory} GB, ${process.platform}; n8n ${version} on Node.js ${nodeVersion}`;
}

/** Curves and profiles are kept of one round only: they are shown, not compared. */
const slim = (rounds: Rounds): Rounds =>
	rounds.map((round, index) =>
		Object.fromEntries(
			Object.entries(round).map(([series, { curve, profile, ...run }]) => {
				const isShown = index === rounds.length - 1;
				return [
					series,
					{
						...rounded(run),
						...(isShown && curve ? { curve } : {}),
						...(profile ? { profile: isShown ? profile : brief(profile) } : {}),
					},
				];
			}),
		),
	);

const rounded = (run: Run): Run => {
	const numbers = Object.entries(run).flatMap(([name, value]) =>
		typeof value === 'number' ? [[name, Math.round(value * 1e4) / 1e4] as const] : [],
	);
	return { ...run, ...Object.fromEntries(numbers) };
};

const brief = (profile: NonNullable<Run['profile']>) => ({ ...profile, ours: profile.ours.slice(0, 1), all: [] });

/** Replaces a case's results with its new rounds, and writes the page and its pictures again. */
export async function publish(
	bench: Case,
	rounds: Rounds,
	installation: Installation,
	nodeVersion: string,
): Promise<void> {
	const known = await readResults();
	known[bench.name] = {
		measured: new Date().toISOString().slice(0, 10),
		machine: machineOf(installation, nodeVersion),
		rounds: slim(rounds),
	};
	await writeFile(RESULTS, `${JSON.stringify(known, null, '\t')}\n`);
	await writePage();
}

/** Writes docs/performance.md and its pictures from the stored results. */
export async function writePage(): Promise<void> {
	const known = await readResults();
	const measured = CASES.filter(({ name }) => known[name]);
	await mkdir(join(DOCS, 'images'), { recursive: true });
	await writeFile(join(DOCS, 'images', 'performance.svg'), timesChart(known));
	const curve = memoryChart(known);
	if (curve) await writeFile(join(DOCS, 'images', 'memory-export.svg'), curve);
	const parts = [
		INTRODUCTION,
		summaryOf(measured, known),
		'![Times of this package and of the others](images/performance.svg)',
	];
	for (const bench of measured) parts.push(sectionOf(bench, known[bench.name]?.rounds ?? [], known));
	await writeFile(join(DOCS, 'performance.md'), `${parts.join('\n\n')}\n`);
}

const INTRODUCTION = `# Performance

<!-- Written by npm run bench from docs/performance.json; do not edit it. -->

\`npm run bench\` measures all of this, \`npm run bench -- pages\` measures one case, and \`npm run bench -- --quick\` measures every case twice and writes nothing. It installs n8n if necessary, and then runs this package as it would be published, n8n's own nodes and n8n-core, all from that n8n. The service is [the stand-in service](../test/stand-in) in a separate process. A server in front of it has each answer prepared, so that the service itself takes no time. Unless stated otherwise, each answer has a latency of 20 ms.

Each program that is compared runs in its own process. To measure time, one process runs all rounds, after one run that is not measured, because a running n8n has already loaded its code. To measure memory, each run has a new process. In every round the programs run one after the other, beginning with another one (A B C, B C A), so that other work of the machine and effects of the run before are the same for all of them. Workflows run in n8n-core's own engine with real nodes, credentials, OAuth2, files and HTTP; only n8n's database and editor are missing, for all programs. n8n opens a new connection for each request, and so does the loop with bare axios.

Each figure is the median of all rounds, with the smallest and the largest in brackets. A ratio is calculated within each round. The column *Target* is about the median.`;

function summaryOf(measured: Case[], known: Results): string {
	const rows = measured.flatMap((bench) =>
		verdictsOf(bench, known[bench.name]?.rounds ?? []).map(({ target, figure, reached }) => {
			const mark = reached === undefined ? '' : reached ? 'yes' : '**no**';
			const figureText = target.worst && figure ? shown(figure.high) : spread(figure, target.unit);
			return `| [${bench.title}](#${anchorOf(bench.title)}) | ${target.text} | ${limitOf(target)} | ${figureText} | ${mark} |`;
		}),
	);
	return ['| Case | | Target | Measured | Reached |', '|---|---|---|---|---|', ...rows].join('\n');
}

/** The rows of a case's table, one for each program that was measured. */
export function rowsOf(bench: Case, rounds: Rounds): Array<{ id: string; title: string; runs: Run[] }> {
	return bench.series(false).flatMap((series) => {
		const { id } = series;
		const runs = rounds.flatMap((round) => round[id] ?? []);
		return runs.length > 0 ? [{ id, title: titleOf(bench, series), runs }] : [];
	});
}

/** A case's table as cells, headings first. */
export function tableOf(bench: Case, rounds: Rounds): string[][] {
	const columns = bench.columns.map((name) => COLUMNS[name]);
	return [
		['', ...columns.map(({ title }) => title)],
		...rowsOf(bench, rounds).map(({ title, runs }) => [
			title,
			...columns.map(({ of, unit, digits }) => spread(figureOf(runs.flatMap((run) => of(run) ?? [])), unit, digits)),
		]),
	];
}

function sectionOf(bench: Case, rounds: Rounds, known: Results): string {
	const [head = [], ...rows] = tableOf(bench, rounds);
	const table = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
	const { measured = '', machine = '' } = known[bench.name] ?? {};
	const parts = [`## ${bench.title}`, bench.about, table];
	if (bench.curve) parts.push('![Memory over time during an export](images/memory-export.svg)');
	for (const { title, runs } of rowsOf(bench, rounds)) parts.push(...profileOf(title, runs.at(-1)));
	if (bench.notes) parts.push(bench.notes);
	return [...parts, `*${rounds.length} rounds, ${measured}: ${machine}.*`].join('\n\n');
}

function profileOf(title: string, run: Run | undefined): string[] {
	if (!run?.profile) return [];
	const { parts, ours, all } = run.profile;
	const list = (entries: Array<[string, number]>) =>
		entries.map(([what, share]) => `| ${what} | ${shown(share, 1)} % |`).join('\n');
	const table = (head: string, entries: Array<[string, number]>) =>
		`| ${head} | Share of the CPU time |\n|---|---|\n${list(entries)}`;
	const functions = (entries: typeof all) =>
		entries.map(({ where, share }): [string, number] => [`\`${where}\``, share]);
	return [
		table(`${title}: whose code`, Object.entries(parts)),
		table('The largest functions of this package', functions(ours)),
		table('The largest functions of all', functions(all)),
	];
}

const TIMED = ['pages', 'companies', 'items', 'export'];

function timesChart(known: Results): string {
	const groups = CASES.filter(({ name }) => TIMED.includes(name)).flatMap((bench) => {
		const rows = rowsOf(bench, known[bench.name]?.rounds ?? []);
		// Of a case with several distances or sizes the one that counts: 20 ms, and the largest file.
		const chosen = rows.filter(({ id }) => !/-(0|100|small)$/.test(id));
		const bars = chosen.flatMap(({ id, title, runs }): Bar[] => {
			const figure = figureOf(runs.map(({ seconds }) => seconds));
			if (!figure) return [];
			const { median: value, low, high } = figure;
			return [
				{ title: title.replace(/,.*/, ''), value, low, high, text: spread(figure, 's'), isOurs: id.startsWith('ours') },
			];
		});
		return bars.length > 0 ? [{ title: bench.title, bars }] : [];
	});
	return barChart('Times of this package and of the others, in seconds', groups);
}

/** The anchor of a heading, for links. */
const anchorOf = (title: string) =>
	title
		.toLowerCase()
		.replace(/[^\w\s-]/g, '')
		.replaceAll(' ', '-');

function memoryChart(known: Results): string | undefined {
	const bench = CASES.find(({ curve }) => curve);
	if (!bench) return undefined;
	const lines = rowsOf(bench, known[bench.name]?.rounds ?? []).flatMap(({ id, title, runs }): Line[] => {
		const curve = runs.at(-1)?.curve;
		// A third curve over two similar ones would not help.
		if (!curve || id.startsWith('store')) return [];
		const points = curve.growthMb.map((value, index): [number, number] => [(index * curve.everyMs) / 1000, value]);
		return [{ title, points, isOurs: id.startsWith('ours'), isSecond: id.endsWith('small') }];
	});
	if (lines.length === 0) return undefined;
	return lineChart('Memory of the process during an export', { x: 'seconds', y: 'MB more than at the start' }, lines, {
		value: 64,
		text: '64 MB',
	});
}
