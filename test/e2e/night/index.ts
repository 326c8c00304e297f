import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { runStep } from '../../real-n8n/steps';
import type { Part, PartReport, PartContext } from '../part';
import { planDisruptions, type Disruption } from './blows';
import { drawChart } from './chart';
import { findProblems } from './judge';
import { buildReport, REPORTS } from './reports';
import { COMPANIES, PART_SIZE, setUpNight, WORKERS, type NightSetup } from './scene';
import type { ManifestLine } from './tables';
import { NightMonitor } from './watch';

const PATIENCE_MINUTES = Number(process.env.PATIENCE ?? 40);
const SEED = process.env.SEED ?? '1';
/**
 * What is done, one after the other. kills: a night from nothing, while workers die; again: from nothing; thirds: from a
 * manifest that is two thirds full; a number: so many companies, whose plan is there.
 */
const MODES = (process.env.MODES ?? 'kills,again,thirds').split(',');
const SELECT_EXECUTION_COUNTS = 'SELECT mode, status, count(*)::int AS count FROM execution_entity GROUP BY mode, status';
const SELECT_OPEN_PARTS = `SELECT id FROM execution_entity WHERE mode = 'webhook' AND status IN ('new', 'running')`;

interface NightStart {
	companies: string[];
	/** The lines that are there already. */
	existingLines: ManifestLine[];
}

/** Clears everything, and writes what a mode begins with. */
async function prepareNight(mode: string, { tables, companies, night, folder, service, servers }: NightSetup): Promise<NightStart> {
	// A second dispatcher may have sent a part again that is done.
	const areAllPartsOver = async () => JSON.stringify(await servers.query(SELECT_OPEN_PARTS)) === '[]';
	for (let tries = 0; tries < 60 && !(await areAllPartsOver()); tries++) await sleep(1000);
	await tables.clear();
	await rm(folder, { recursive: true });
	await mkdir(folder);
	await service.takeSendCounts();
	await service.readStatus();
	const selectedCompanies = companies.slice(0, Number(mode) || companies.length);
	const isFilled = mode === 'thirds';
	if (!isFilled && !Number(mode)) return { companies, existingLines: [] };
	const before = await tables.fill(selectedCompanies, { night, partSize: PART_SIZE, isFilled });
	for (const { report, companyResourceId, file } of before)
		await writeFile(join(folder, file), buildReport(report, companyResourceId));
	return { companies: selectedCompanies, existingLines: before };
}

/** Runs a night to its end. @returns its row in the table, and what is wrong */
async function runNight(mode: string, setup: NightSetup): Promise<{ row: PartReport['table'][number]; failures: string[] }> {
	const { tables, cluster, folder, service, session: open, workflow, results, servers } = setup;
	const { companies, existingLines: before } = await prepareNight(mode, setup);
	const monitor = new NightMonitor(cluster, servers);
	const cpu = await cluster.measureCpuSeconds();
	await open.client.activate(workflow);
	const disruptions = mode === 'kills' && WORKERS > 1 ? planDisruptions(SEED) : [];
	const isDone = await waitUntilDone(setup, monitor, disruptions, companies.length * REPORTS.length);
	const { seconds } = monitor;
	await open.client.deactivate(workflow);
	await cluster.waitForReplacements();
	const cpuSeconds = (await cluster.measureCpuSeconds()) - cpu;
	await monitor.takeSample();

	const fetched = await service.takeSendCounts();
	const lines = await tables.readLines();
	const states = await tables.readStates();
	const failures = await findProblems({ companies, lines, sendCounts: fetched, existingLines: before, folder });
	if (!isDone) failures.push(`Not done after ${PATIENCE_MINUTES} minutes: ${JSON.stringify(states)}.`);
	if (disruptions.length > 0) failures.push(`It was over before ${disruptions.map(({ description: what }) => what).join(', ')}.`);
	const again = Object.values(fetched).reduce((sum, times) => sum + times - 1, 0);
	const { samples, events } = monitor;
	if (events.length > 0 && again === 0) failures.push('Nothing was in progress where the workers were killed.');
	await drawChart(join(results, `memory-${mode}.svg`), `Memory, ${companies.length} companies`, samples, events);
	const found = { events, states, executions: await servers.query(SELECT_EXECUTION_COUNTS), samples };
	await writeFile(join(results, `night-${mode}.json`), JSON.stringify(found, null, '\t'));

	const { requests, mostInFlight } = await service.readStatus();
	const asked = new Set(Object.keys(fetched).map((key) => key.split(' ')[0])).size;
	const row = {
		night: mode,
		companies: companies.length,
		seconds,
		lines: lines.length,
		files: (await readdir(folder)).length,
		requests,
		'at once': mostInFlight,
		'fetched again': again,
		'CPU s': Math.round(cpuSeconds),
		'CPU ms per company': Math.round((cpuSeconds / asked) * 1000),
		cores: cpus().length,
		'worker MB': monitor.peakMemory.worker,
		'runner MB': monitor.peakMemory.runner,
		'main MB': monitor.peakMemory.main,
		'execution MB': toMegabytes(monitor.largestExecution),
		'database MB': toMegabytes(monitor.largestDatabase),
	};
	return { row, failures: failures.map((failure) => `${mode}: ${failure}`) };
}

const toMegabytes = (bytes: number) => Math.round(bytes / 1e5) / 10;

/** Waits until all parts are done, while what is to happen happens. @returns whether they were in time */
async function waitUntilDone(setup: NightSetup, monitor: NightMonitor, disruptions: Disruption[], all: number): Promise<boolean> {
	for (let rounds = 0; monitor.seconds < PATIENCE_MINUTES * 60; rounds++) {
		if (rounds % 5 === 0) await monitor.takeSample();
		const [disruption] = disruptions;
		// By what was sent: lines come when a part has ended, and it is to die in the middle.
		const sent = disruption ? await setup.service.countSentReports() : 0;
		if (disruption && sent >= disruption.share * all) {
			disruptions.shift();
			const whom = await disruption.cause(setup);
			monitor.addEvent(`${Math.round((sent / all) * 100)} % sent, ${disruption.description}: ${whom}`);
		}
		if (await setup.tables.isDone()) return true;
		await sleep(1000);
	}
	return false;
}

async function runAllNights(tools: PartContext): Promise<PartReport> {
	const setup = await setUpNight(tools);
	const report: PartReport = { table: [], failures: [] };
	for (const mode of MODES) {
		const { row, failures } = await runStep(`A night: ${mode}`, '1 to 20 min', () => runNight(mode, setup));
		report.table.push(row);
		report.failures.push(...failures);
	}
	return report;
}

export const night: Part = {
	title: `The reports of ${COMPANIES} companies in a night, on ${WORKERS} workers, two of which are killed`,
	run: runAllNights,
};
