import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { cleanUp, describe, runScript, type Script } from '../real-n8n/script';
import { packInto, setStage, temporaryFolder } from '../real-n8n/stage';
import { Problem } from '../real-n8n/problem';
import { endAllProcesses, groupsLeft } from '../real-n8n/processes';
import { freePort, portsInUse } from '../real-n8n/start';
import type { Part, Report } from './part';
import { isPart, PARTS, WHOLE, type PartName } from './parts';

const RESULTS = join(__dirname, '..', '..', '.cache', 'e2e');

const HELP = `npm run e2e                    everything: ${WHOLE.join(', ')}
npm run e2e -- <part> ...      only these parts: ${Object.keys(PARTS).join(', ')}

Logs and pictures are kept in ${RESULTS}/<part>.`;

interface Outcome {
	part: string;
	result: 'passed' | 'FAILED';
	failures: number;
	seconds: number;
}

async function main(script: Script): Promise<void> {
	const args = process.argv.slice(2);
	if (args.includes('--help')) return console.log(HELP);
	const names = args.filter(isPart);
	if (names.length < args.length)
		throw new Problem(`There is no such part: ${args.filter((name) => !isPart(name)).join(', ')}.\n\n${HELP}`);

	const packing: Script = { cleanups: [], isOpen: false };
	// Kept until the end, even if a part fails.
	script.cleanups.push(() => cleanUp(packing));
	const tarball = await packInto(await temporaryFolder(packing.cleanups));

	const outcomes: Outcome[] = [];
	for (const name of names.length > 0 ? names : WHOLE) outcomes.push(await runPart(name, tarball, script));
	console.log('\nAll together');
	console.table(outcomes);
	if (outcomes.some(({ result }) => result === 'FAILED'))
		throw new Problem(`Not everything passed. Logs and pictures are in ${RESULTS}.`);
}

/** Runs one part, whatever comes of it, and frees all it used. */
async function runPart(name: PartName, tarball: string, { cleanups: atTheEnd }: Script): Promise<Outcome> {
	const results = join(RESULTS, name);
	await rm(results, { recursive: true, force: true });
	await mkdir(results, { recursive: true });

	const own: Script = { cleanups: [], isOpen: false };
	atTheEnd.push(() => cleanUp(own));
	const { cleanups } = own;
	const began = Date.now();
	const report: Report = { table: [], failures: [] };
	try {
		const part: Part = PARTS[name];
		console.log(`\n${name}: ${part.title}`);
		const stage = async (log: string, options = {}) =>
			setStage({ port: await freePort(), ...options, tarball, logFile: join(results, `${log}.log`) }, cleanups);
		Object.assign(report, await part.run({ results, tarball, cleanups, stage }));
	} catch (error) {
		report.failures.push(describe(error));
	}
	await cleanUp(own);
	report.failures.push(...(await leftOver()));

	const seconds = Math.round((Date.now() - began) / 1000);
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

/** What still runs or listens of all that was started here, after a moment to end; none of it is left running. */
async function leftOver(): Promise<string[]> {
	for (let tries = 0; tries < 20 && groupsLeft().length + (await portsInUse()).length > 0; tries++) await sleep(250);
	const groups = groupsLeft().map((group) => `The process group ${group} was left running.`);
	const ports = (await portsInUse()).map((port) => `Port ${port} was left in use.`);
	endAllProcesses();
	return [...groups, ...ports];
}

runScript(main);
