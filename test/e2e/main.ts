import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { cleanUp, describeError, runScript, type Script } from '../real-n8n/script';
import { packPackage, startTestEnvironment, createTemporaryFolder } from '../real-n8n/testEnvironment';
import { Problem } from '../real-n8n/problem';
import { killAllProcesses, listRunningGroups } from '../real-n8n/processes';
import { findFreePort, listPortsInUse } from '../real-n8n/startN8n';
import type { TestPart, TestPartReport } from './part';
import { isTestPartName, TEST_PARTS, DEFAULT_TEST_PARTS, type TestPartName } from './parts';

const RESULTS_FOLDER = join(__dirname, '..', '..', '.cache', 'e2e');

const HELP = `npm run e2e                    everything: ${DEFAULT_TEST_PARTS.join(', ')}
npm run e2e -- <part> ...      only these parts: ${Object.keys(TEST_PARTS).join(', ')}

Logs and pictures are kept in ${RESULTS_FOLDER}/<part>.`;

interface TestPartOutcome {
	part: string;
	result: 'passed' | 'FAILED';
	failures: number;
	seconds: number;
}

async function runTestParts(script: Script): Promise<void> {
	const args = process.argv.slice(2);
	if (args.includes('--help')) return console.log(HELP);
	const partNames = args.filter(isTestPartName);
	if (partNames.length < args.length)
		throw new Problem(`There is no such part: ${args.filter((name) => !isTestPartName(name)).join(', ')}.\n\n${HELP}`);

	const packingScript: Script = { cleanups: [], isWaitingForUser: false };
	// The packed package is deleted when all parts have ended, because all parts use it.
	script.cleanups.push(() => cleanUp(packingScript));
	const tarball = await packPackage(await createTemporaryFolder(packingScript.cleanups));

	const outcomes: TestPartOutcome[] = [];
	for (const name of partNames.length > 0 ? partNames : DEFAULT_TEST_PARTS)
		outcomes.push(await runTestPart(name, tarball, script));
	console.log('\nAll together');
	console.table(outcomes);
	if (outcomes.some(({ result }) => result === 'FAILED'))
		throw new Problem(`Not everything passed. Logs and pictures are in ${RESULTS_FOLDER}.`);
}

/** Runs one part of the tests. Then ends all processes that the part has started. An error that the part throws counts as a failure. */
async function runTestPart(name: TestPartName, tarball: string, script: Script): Promise<TestPartOutcome> {
	const resultsFolder = join(RESULTS_FOLDER, name);
	await rm(resultsFolder, { recursive: true, force: true });
	await mkdir(resultsFolder, { recursive: true });

	const partScript: Script = { cleanups: [], isWaitingForUser: false };
	script.cleanups.push(() => cleanUp(partScript));
	const { cleanups } = partScript;
	const startedAt = Date.now();
	const report: TestPartReport = { table: [], failures: [] };
	try {
		const part: TestPart = TEST_PARTS[name];
		console.log(`\n${name}: ${part.title}`);
		const startEnvironment = async (logName: string, options = {}) =>
			startTestEnvironment(
				{ port: await findFreePort(), ...options, tarball, logFile: join(resultsFolder, `${logName}.log`) },
				cleanups,
			);
		Object.assign(report, await part.run({ resultsFolder, tarball, cleanups, startEnvironment }));
	} catch (error) {
		report.failures.push(describeError(error));
	}
	await cleanUp(partScript);
	report.failures.push(...(await endLeftovers()));

	const seconds = Math.round((Date.now() - startedAt) / 1000);
	if (report.table.length > 0) console.table(report.table);
	for (const failure of report.failures) console.error(`✗ ${name}: ${failure}`);
	await writeFile(join(resultsFolder, 'report.json'), JSON.stringify({ part: name, seconds, ...report }, null, '\t'));
	return {
		part: name,
		result: report.failures.length > 0 ? 'FAILED' : 'passed',
		failures: report.failures.length,
		seconds,
	};
}

/**
 * Waits up to five seconds until all processes have ended and all ports are free. Then kills the processes that still run.
 * @returns a sentence for each process group that was still running, and for each port that was still in use
 */
async function endLeftovers(): Promise<string[]> {
	const hasLeftovers = async () => listRunningGroups().length + (await listPortsInUse()).length > 0;
	for (let tries = 0; tries < 20 && (await hasLeftovers()); tries++) await sleep(250);
	const groups = listRunningGroups().map((group) => `The process group ${group} was left running.`);
	const ports = (await listPortsInUse()).map((port) => `Port ${port} was left in use.`);
	killAllProcesses();
	return [...groups, ...ports];
}

runScript(runTestParts);
