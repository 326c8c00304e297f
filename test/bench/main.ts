import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { packInto, temporaryFolder } from '../real-n8n/stage';
import { runScript, type Script } from '../real-n8n/script';
import { installN8n } from '../real-n8n/install';
import { Problem } from '../real-n8n/problem';
import { runCommand } from '../real-n8n/processes';
import { showStep as step } from '../real-n8n/steps';
import { VERSIONS } from '../real-n8n/versions';
import { CASES } from './cases';
import type { Case } from './case';
import { limitOf, shown, spread, verdictsOf, type Rounds } from './figures';
import { Bench } from './measure';
import { publish, tableOf, writePage } from './page';

const ROUNDS = 7;
const QUICK_ROUNDS = 2;
const HELP = `npm run bench                    measures every case, and writes docs/performance.md (about 35 minutes)
npm run bench -- pages items     only these cases; the page keeps the others' figures
npm run bench -- --quick         a short look at every case, which writes nothing (about 5 minutes)
npm run bench -- --page          writes the page anew from the figures that are there

  --rounds N    how often each case is measured (usually ${ROUNDS}; --quick: ${QUICK_ROUNDS})

Cases: ${CASES.map(({ name }) => name).join(', ')}`;

async function main(script: Script): Promise<void> {
	const options = readOptions();
	if (!options) return;
	const { cases, quick, rounds } = options;
	if (options.page) return await writePage();

	const folder = await temporaryFolder(script.cleanups);
	const tarball = await packInto(folder);
	const unpacked = join(folder, 'unpacked');
	await mkdir(unpacked);
	await runCommand('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1'], {
		logFile: join(folder, 'unpack.log'),
	});
	const installation = await installN8n(step);
	const bench = new Bench(installation, tarball, unpacked);
	script.cleanups.push(async () => await bench.stop());

	let failures = 0;
	for (const each of cases) {
		console.log(`\n${each.title}`);
		const startedAt = Date.now();
		try {
			const measured = await bench.measure(each, rounds, quick, (title, { seconds }, round) =>
				console.log(`  ${round + 1}/${rounds}  ${title.padEnd(60)} ${shown(seconds, 2)} s`),
			);
			show(each, measured);
			if (!quick) await publish(each, measured, installation, VERSIONS[installation.version].node);
		} catch (error) {
			// The other cases are measured all the same; this one can be run alone later.
			failures++;
			console.error(
				`  ${each.name} could not be measured: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
			);
		}
		console.log(`  (${Math.round((Date.now() - startedAt) / 1000)} s)`);
	}
	if (failures > 0) throw new Problem(`${failures} of ${cases.length} cases could not be measured; see above.`);
	if (!quick) console.log('\nWritten: docs/performance.md');
}

function show(bench: Case, rounds: Rounds): void {
	const table = tableOf(bench, rounds);
	const widths = (table[0] ?? []).map((_cell, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
	console.log('');
	for (const row of table)
		console.log(
			`  ${row
				.map((cell, column) => cell.padEnd(widths[column] ?? 0))
				.join('  ')
				.trimEnd()}`,
		);
	console.log('');
	for (const { target, figure, reached } of verdictsOf(bench, rounds)) {
		const mark = reached === undefined ? '   ' : reached ? 'yes' : 'NO ';
		const value = target.worst && figure ? shown(figure.high) : spread(figure, target.unit);
		console.log(`  ${mark}  ${value} ${target.text}; to reach: ${limitOf(target)}`);
	}
}

function readOptions(): { cases: Case[]; quick: boolean; page: boolean; rounds: number } | undefined {
	try {
		const { values, positionals } = parseArgs({
			allowPositionals: true,
			options: {
				quick: { type: 'boolean', default: false },
				page: { type: 'boolean', default: false },
				rounds: { type: 'string' },
				help: { type: 'boolean', default: false },
			},
		});
		if (values.help) {
			console.log(HELP);
			return undefined;
		}
		const unknown = positionals.find((name) => !CASES.some((each) => each.name === name));
		if (unknown !== undefined) throw new Error(`There is no case ${unknown}.`);
		const { quick, page } = values;
		const rounds = Number(values.rounds ?? (quick ? QUICK_ROUNDS : ROUNDS));
		if (!Number.isInteger(rounds) || rounds < 1)
			throw new Error(`--rounds takes a whole number, not ${values.rounds ?? ''}.`);
		const cases = positionals.length === 0 ? CASES : CASES.filter(({ name }) => positionals.includes(name));
		return { cases, quick, page, rounds };
	} catch (error) {
		throw new Problem(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
	}
}

runScript(main);
