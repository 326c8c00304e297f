import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { runStep } from '../../real-n8n/steps';
import type { Part, PartReport, PartContext } from '../part';
import { planDisruptions, type Disruption } from './disruptions';
import { drawChart } from './chart';
import { findProblems } from './findProblems';
import { buildReport, REPORT_NAMES } from './reports';
import { COMPANY_COUNT, PART_SIZE, setUpNight, WORKER_COUNT, type NightSetup } from './nightSetup';
import type { ManifestLine } from './nightTables';
import { NightMonitor } from './nightMonitor';

const TIMEOUT_MINUTES = Number(process.env.PATIENCE ?? 40);
const SEED = process.env.SEED ?? '1';
/**
 * The nights to run, one after the other:
 * - kills: starts with empty tables, and workers are killed
 * - again: starts with empty tables
 * - thirds: starts with a manifest that is two thirds full
 * - a number: this number of companies, and the plan exists already
 */
const MODES = (process.env.MODES ?? 'kills,again,thirds').split(',');
const SELECT_EXECUTION_COUNTS =
	'SELECT mode, status, count(*)::int AS count FROM execution_entity GROUP BY mode, status';
const SELECT_OPEN_PARTS = `SELECT id FROM execution_entity WHERE mode = 'webhook' AND status IN ('new', 'running')`;

/** The state at the start of a night. */
interface NightStart {
	companies: string[];
	/** The lines that the manifest has already. */
	existingLines: ManifestLine[];
}

/** Deletes all data of the night before and writes the initial data of a mode. */
async function prepareNight(
	mode: string,
	{ tables, companies, night, folder, service, servers }: NightSetup,
): Promise<NightStart> {
	// A second dispatcher may have sent a finished part again, so parts of the night before may still be running.
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
	const existingLines = await tables.fill(selectedCompanies, { night, partSize: PART_SIZE, withLines: isFilled });
	for (const { report, companyResourceId, file } of existingLines)
		await writeFile(join(folder, file), buildReport(report, companyResourceId));
	return { companies: selectedCompanies, existingLines };
}

/** Runs a night to its end. @returns a row for the table, and a sentence for each failure */
async function runNight(
	mode: string,
	setup: NightSetup,
): Promise<{ row: PartReport['table'][number]; failures: string[] }> {
	const { tables, cluster, folder, service, session, workflow, results, servers } = setup;
	const { companies, existingLines } = await prepareNight(mode, setup);
	const monitor = new NightMonitor(cluster, servers);
	const cpuSecondsBefore = await cluster.measureCpuSeconds();
	await session.client.activate(workflow);
	const disruptions = mode === 'kills' && WORKER_COUNT > 1 ? planDisruptions(SEED) : [];
	const isDone = await waitUntilDone(setup, monitor, disruptions, companies.length * REPORT_NAMES.length);
	const { seconds } = monitor;
	await session.client.deactivate(workflow);
	await cluster.waitForReplacements();
	const cpuSeconds = (await cluster.measureCpuSeconds()) - cpuSecondsBefore;
	await monitor.takeSample();

	const sendCounts = await service.takeSendCounts();
	const lines = await tables.readLines();
	const states = await tables.readStates();
	const failures = await findProblems({ companies, lines, sendCounts, existingLines, folder });
	if (!isDone) failures.push(`Not done after ${TIMEOUT_MINUTES} minutes: ${JSON.stringify(states)}.`);
	if (disruptions.length > 0)
		failures.push(`It was over before ${disruptions.map(({ description }) => description).join(', ')}.`);
	const repeatedReports = Object.values(sendCounts).reduce((sum, times) => sum + times - 1, 0);
	const { samples, events } = monitor;
	if (events.length > 0 && repeatedReports === 0)
		failures.push('Nothing was in progress where the workers were killed.');
	await drawChart(join(results, `memory-${mode}.svg`), `Memory, ${companies.length} companies`, samples, events);
	const details = { events, states, executions: await servers.query(SELECT_EXECUTION_COUNTS), samples };
	await writeFile(join(results, `night-${mode}.json`), JSON.stringify(details, null, '\t'));

	const { requests, maxInFlight } = await service.readStatus();
	const companiesWithRequests = new Set(Object.keys(sendCounts).map((key) => key.split(' ')[0])).size;
	const row = {
		night: mode,
		companies: companies.length,
		seconds,
		lines: lines.length,
		files: (await readdir(folder)).length,
		requests,
		'at once': maxInFlight,
		'fetched again': repeatedReports,
		'CPU s': Math.round(cpuSeconds),
		'CPU ms per company': Math.round((cpuSeconds / companiesWithRequests) * 1000),
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

/** Waits until all parts are done, and causes the disruptions meanwhile. @returns false if the parts aren't done in time */
async function waitUntilDone(
	setup: NightSetup,
	monitor: NightMonitor,
	disruptions: Disruption[],
	reportCount: number,
): Promise<boolean> {
	for (let round = 0; monitor.seconds < TIMEOUT_MINUTES * 60; round++) {
		if (round % 5 === 0) await monitor.takeSample();
		const [disruption] = disruptions;
		// Progress is measured by sent reports, because lines only appear when a part has ended, and workers must die before that.
		const sentReports = disruption ? await setup.service.countSentReports() : 0;
		if (disruption && sentReports >= disruption.share * reportCount) {
			disruptions.shift();
			const details = await disruption.cause(setup);
			const percentage = Math.round((sentReports / reportCount) * 100);
			monitor.addEvent(`${percentage} % sent, ${disruption.description}: ${details}`);
		}
		if (await setup.tables.isDone()) return true;
		await sleep(1000);
	}
	return false;
}

async function runAllNights(context: PartContext): Promise<PartReport> {
	const setup = await setUpNight(context);
	const report: PartReport = { table: [], failures: [] };
	for (const mode of MODES) {
		const { row, failures } = await runStep(`A night: ${mode}`, '1 to 20 min', () => runNight(mode, setup));
		report.table.push(row);
		report.failures.push(...failures);
	}
	return report;
}

export const night: Part = {
	title: `The reports of ${COMPANY_COUNT} companies in a night, on ${WORKER_COUNT} workers, two of which are killed`,
	run: runAllNights,
};
