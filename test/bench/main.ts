import { parseArgs } from 'node:util';

import { runScript, type Script } from '../real-n8n/script';
import { openN8n, packPackage, createTemporaryFolder } from '../real-n8n/stage';
import { Problem } from '../real-n8n/problem';
import { CASES } from './cases';
import { measure, measureStart } from './measure';
import { measureParts } from './parts';
import { ratioOf, tableOf, writePage, type Measured } from './page';

const ROUNDS = 3;
const QUICK_ROUNDS = 2;
/** What a quick look is about, unless it is told. */
const QUICK_CASES = ['pages', 'companies'];
const HELP = `npm run bench                    measures every case, and writes docs/performance.md (about 15 minutes)
npm run bench -- pages items     only these cases; writes nothing
npm run bench -- --quick         a short look at ${QUICK_CASES.join(' and ')} (2 minutes); writes nothing

  --rounds N    how often each case is measured (usually ${ROUNDS}; --quick: ${QUICK_ROUNDS})

Cases: ${CASES.map(({ name }) => name).join(', ')}`;

function readOptions(): { names: string[]; quick: boolean; rounds: number } {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: { quick: { type: 'boolean', default: false }, rounds: { type: 'string' } },
	});
	const { quick, rounds = quick ? QUICK_ROUNDS : ROUNDS } = values;
	const unknown = positionals.find((name) => !CASES.some((each) => each.name === name));
	if (unknown !== undefined) throw new Problem(`There is no case ${unknown}.\n\n${HELP}`);
	if (!(Number(rounds) >= 1)) throw new Problem('--rounds takes a number from 1.');
	const names = positionals.length === 0 && quick ? QUICK_CASES : positionals;
	return { names, quick, rounds: Number(rounds) };
}

runScript(async ({ cleanups }: Script) => {
	if (process.argv.includes('--help')) return console.log(HELP);
	const { names, quick, rounds } = readOptions();
	const tarball = await packPackage(await createTemporaryFolder(cleanups));
	const open = {
		ours: await openN8n({ packages: [tarball] }, cleanups),
		// It needs the package's credential.
		http: await openN8n({ packages: [tarball] }, cleanups),
	};
	const measured: Measured = { cases: [], starts: [], parts: [] };
	for (const each of CASES.filter(({ name }) => names.length === 0 || names.includes(name))) {
		console.log(`\n${each.title}`);
		const runs = await measure(each, open, { rounds, quick, cleanups });
		measured.cases.push({ each, runs });
		console.log(`  ${ratioOf(runs)} as fast as n8n's HTTP Request node`);
	}
	const [head = [], ...rows] = tableOf(measured);
	console.table(rows.map((row) => Object.fromEntries(row.map((cell, column) => [head[column] ?? '', cell]))));
	if (names.length > 0) return;
	await open.http.n8n.stop();
	for (const each of CASES.filter(({ bare }) => bare))
		measured.parts.push({ each, parts: await measureParts(each, tarball, cleanups) });
	measured.starts = await measureStart(open.ours, rounds, cleanups);
	await writePage(measured);
	console.log('\nWritten: docs/performance.md');
});
