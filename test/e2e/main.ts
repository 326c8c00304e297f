import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { cleanUp, describeError, runScript, type Script } from '../real-n8n/script';
import { packPackage, startTestEnvironment, createTemporaryFolder } from '../real-n8n/testEnvironment';
import { Problem } from '../real-n8n/problem';
import { endAllProcesses, listRunningGroups } from '../real-n8n/processes';
import { findFreePort, listPortsInUse } from '../real-n8n/startN8n';
import type { Part, PartReport } from './part';
import { isPartName, PARTS, DEFAULT_PARTS, type PartName } from './parts';

const RESULTS = join(__dirname, '..', '..', '.cache', 'e2e');

const HELP = `npm run e2e                    everything: ${DEFAULT_PARTS.join(', ')}
npm run e2e -- <part> ...      only these parts: ${Object.keys(PARTS).join(', ')}

Logs and pictures are kept in ${RESULTS}/<part>.`;

interface PartOutcome {
	part: string;
	result: 'passed' | 'FAILED';
	failures: number;
	seconds: number;
}

async function runParts(script: Script): Promise<void> {
	const args = process.argv.slice(2);
	if (args.includes('--help')) return console.log(HELP);
	const names = args.filter(isPartName);
	if (names.length < args.length)
		throw new Problem(`There is no such part: ${args.filter((name) => !isPartName(name)).join(', ')}.\n\n${HELP}`);

	const packingScript: Script = { cleanups: [], isWaitingForUser: false };
	// The package is kept until all parts have ended, even if one fails.
	script.cleanups.push(() => cleanUp(packingScript));
	const tarball = await packPackage(await createTemporaryFolder(packingScript.cleanups));

	const outcomes: PartOutcome[] = [];
	for (const name of names.length > 0 ? names : DEFAULT_PARTS) outcomes.push(await runPart(name, tarball, script));
	console.log('\nAll together');
	console.table(outcomes);
	if (outcomes.some(({ result }) => result === 'FAILED'))
		throw new Problem(`Not everything passed. Logs and pictures are in ${RESULTS}.`);
}

/** Runs one part and then ends everything that it has started. An error that the part throws is one of its failures. */
async function runPart(name: PartName, tarball: string, script: Script): Promise<PartOutcome> {
	const results = join(RESULTS, name);
	await rm(results, { recursive: true, force: true });
	await mkdir(results, { recursive: true });

	const partScript: Script = { cleanups: [], isWaitingForUser: false };
	script.cleanups.push(() => cleanUp(partScript));
	const { cleanups } = partScript;
	const startedAt = Date.now();
	const report: PartReport = { table: [], failures: [] };
	try {
		const part: Part = PARTS[name];
		console.log(`\n${name}: ${part.title}`);
		const startEnvironment = async (log: string, options = {}) =>
			startTestEnvironment(
				{ port: await findFreePort(), ...options, tarball, logFile: join(results, `${log}.log`) },
				cleanups,
			);
		Object.assign(report, await part.run({ results, tarball, cleanups, startEnvironment }));
	} catch (error) {
		report.failures.push(describeError(error));
	}
	await cleanUp(partScript);
	report.failures.push(...(await endLeftovers()));

	const seconds = Math.round((Date.now() - startedAt) / 1000);
	if (report.table.length > 0) console.table(report.table);
	for (const failure of report.failures) console.error(`✗ ${name}: ${failure}`);
	await writeFile(join(results, 'report.json'), JSON.stringify({ part: name, seconds, ...report }, null, '\t'));
	return {
		part: name,
		result: report.failures.length > 0 ? 'FAILED' : 'passed',
		failures: report.failures.length,
		seconds,
	};
}

/**
 * Waits up to five seconds until all processes have ended and all ports are free, and ends what is left.
 * @returns a sentence for each process group and port that was left
 */
async function endLeftovers(): Promise<string[]> {
	const hasLeftovers = async () => listRunningGroups().length + (await listPortsInUse()).length > 0;
	for (let tries = 0; tries < 20 && (await hasLeftovers()); tries++) await sleep(250);
	const groups = listRunningGroups().map((group) => `The process group ${group} was left running.`);
	const ports = (await listPortsInUse()).map((port) => `Port ${port} was left in use.`);
	endAllProcesses();
	return [...groups, ...ports];
}

runScript(runParts);
