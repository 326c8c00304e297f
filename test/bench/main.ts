/** The command line of the benchmark, `npm run bench`. */
import { parseArgs } from 'node:util';

import { runScript, type Script } from '../real-n8n/script';
import { openN8n, packPackage, createTemporaryFolder } from '../real-n8n/testEnvironment';
import { Problem } from '../real-n8n/problem';
import { CASES } from './cases';
import { measureCase, measureStarts } from './measure';
import { measureParts } from './measureParts';
import { formatSpeedupOverHttpRequest, buildTable, writePage, type Measurements } from './writePage';

const ROUNDS = 3;
const QUICK_ROUNDS = 2;
/** The cases of `--quick` if the command line names none. */
const QUICK_CASES = ['pages', 'companies'];
const HELP = `npm run bench                    measures every case, and writes docs/performance.md (about 15 minutes)
npm run bench -- pages items     only these cases; writes nothing
npm run bench -- --quick         a short look at ${QUICK_CASES.join(' and ')} (2 minutes); writes nothing

  --rounds N    how often each case is measured (usually ${ROUNDS}; --quick: ${QUICK_ROUNDS})

Cases: ${CASES.map(({ name }) => name).join(', ')}`;

/**
 * Reads the options of the command line.
 * @throws Problem if a case does not exist or `--rounds` is not a positive number
 */
function readOptions(): { names: string[]; isQuick: boolean; rounds: number } {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: { quick: { type: 'boolean', default: false }, rounds: { type: 'string' } },
	});
	const { quick: isQuick, rounds = isQuick ? QUICK_ROUNDS : ROUNDS } = values;
	const unknownName = positionals.find((name) => !CASES.some((benchCase) => benchCase.name === name));
	if (unknownName !== undefined) throw new Problem(`There is no case ${unknownName}.\n\n${HELP}`);
	if (!(Number(rounds) >= 1)) throw new Problem('--rounds takes a number from 1.');
	const names = positionals.length === 0 && isQuick ? QUICK_CASES : positionals;
	return { names, isQuick, rounds: Number(rounds) };
}

runScript(async ({ cleanups }: Script) => {
	if (process.argv.includes('--help')) return console.log(HELP);
	const { names, isQuick, rounds } = readOptions();
	const tarball = await packPackage(await createTemporaryFolder(cleanups));
	const sessions = {
		packageNode: await openN8n({ packagePaths: [tarball] }, cleanups),
		// The HTTP Request node needs the package's credential.
		httpRequestNode: await openN8n({ packagePaths: [tarball] }, cleanups),
	};
	const measurements: Measurements = { cases: [], starts: [], parts: [] };
	for (const benchCase of CASES.filter(({ name }) => names.length === 0 || names.includes(name))) {
		console.log(`\n${benchCase.title}`);
		const runs = await measureCase(benchCase, sessions, { rounds, isQuick, cleanups });
		measurements.cases.push({ benchCase, runs });
		console.log(`  ${formatSpeedupOverHttpRequest(runs)} as fast as n8n's HTTP Request node`);
	}
	const [headerRow = [], ...rows] = buildTable(measurements);
	console.table(rows.map((row) => Object.fromEntries(row.map((cell, column) => [headerRow[column] ?? '', cell]))));
	if (names.length > 0) return;
	await sessions.httpRequestNode.n8n.stop();
	for (const benchCase of CASES.filter(({ listBareRequests }) => listBareRequests))
		measurements.parts.push({ benchCase, partTimes: await measureParts(benchCase, tarball, cleanups) });
	measurements.starts = await measureStarts(sessions.packageNode, rounds, cleanups);
	await writePage(measurements);
	console.log('\nWritten: docs/performance.md');
});
