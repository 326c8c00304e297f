import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { runStep } from '../../real-n8n/steps';
import type { TestPart, TestPartReport, TestPartContext } from '../part';
import { planDisruptions, type Disruption } from './disruptions';
import { writeChart } from './chart';
import { findProblems } from './findProblems';
import { buildReport, REPORT_NAMES } from './reports';
import { COMPANY_COUNT, PART_SIZE, setUpNight, WORKER_COUNT, type NightSetup } from './nightSetup';
import type { ManifestLine } from './nightTables';
import { NightMonitor } from './nightMonitor';

const TIMEOUT_MINUTES = Number(process.env.PATIENCE ?? 40);
const SEED = process.env.SEED ?? '1';
/**
 * The nights to run, one after the other. Each mode says how a night starts:
 * - `kills`: with empty tables. Workers are killed during the night.
 * - `again`: with empty tables.
 * - `thirds`: with the complete plan and two thirds of the manifest.
 * - a number: with the complete plan for this number of companies, and an empty manifest.
 */
const MODES = (process.env.MODES ?? 'kills,again,thirds').split(',');
const SELECT_EXECUTION_COUNTS =
	'SELECT mode, status, count(*)::int AS count FROM execution_entity GROUP BY mode, status';
const SELECT_RUNNING_PARTS = `SELECT id FROM execution_entity WHERE mode = 'webhook' AND status IN ('new', 'running')`;

/** The companies of a night, and the lines that exist before it. */
interface NightStart {
	companyIds: string[];
	/** The lines that the manifest has before the night. */
	existingLines: ManifestLine[];
}

/** Deletes all data of the previous night and writes the data with which the mode starts. */
async function prepareNight(
	mode: string,
	{ tables, companyIds, nightDate, filesFolder, service, servers }: NightSetup,
): Promise<NightStart> {
	// A second dispatcher may have sent a finished part again, so executions of the previous night may still be running.
	const haveAllPartsEnded = async () => JSON.stringify(await servers.query(SELECT_RUNNING_PARTS)) === '[]';
	for (let tries = 0; tries < 60 && !(await haveAllPartsEnded()); tries++) await sleep(1000);
	await tables.clear();
	await rm(filesFolder, { recursive: true });
	await mkdir(filesFolder);
	await service.takeSendCounts();
	await service.readStatus();
	const selectedCompanyIds = companyIds.slice(0, Number(mode) || companyIds.length);
	const shouldWriteLines = mode === 'thirds';
	if (!shouldWriteLines && !Number(mode)) return { companyIds, existingLines: [] };
	const existingLines = await tables.fill(selectedCompanyIds, { nightDate, partSize: PART_SIZE, shouldWriteLines });
	for (const { report, companyResourceId, file } of existingLines)
		await writeFile(join(filesFolder, file), buildReport(report, companyResourceId));
	return { companyIds: selectedCompanyIds, existingLines };
}

/** Runs one night and checks its results. @returns a row for the table, and a sentence for each failure */
async function runNight(
	mode: string,
	setup: NightSetup,
): Promise<{ row: TestPartReport['table'][number]; failures: string[] }> {
	const { tables, cluster, filesFolder, service, session, workflowId, resultsFolder, servers } = setup;
	const { companyIds, existingLines } = await prepareNight(mode, setup);
	const monitor = new NightMonitor(cluster, servers);
	const cpuSecondsBefore = await cluster.measureCpuSeconds();
	await session.client.activate(workflowId);
	const disruptions = mode === 'kills' && WORKER_COUNT > 1 ? planDisruptions(SEED) : [];
	const isDone = await waitUntilDone(setup, monitor, disruptions, companyIds.length * REPORT_NAMES.length);
	const { seconds } = monitor;
	await session.client.deactivate(workflowId);
	await cluster.waitForReplacements();
	const cpuSeconds = (await cluster.measureCpuSeconds()) - cpuSecondsBefore;
	await monitor.takeSample();

	const sendCountsByReport = await service.takeSendCounts();
	const manifestLines = await tables.readLines();
	const states = await tables.readStates();
	const failures = await findProblems({ companyIds, manifestLines, sendCountsByReport, existingLines, filesFolder });
	if (!isDone) failures.push(`Not done after ${TIMEOUT_MINUTES} minutes: ${JSON.stringify(states)}.`);
	if (disruptions.length > 0)
		failures.push(`It was over before ${disruptions.map(({ description }) => description).join(', ')}.`);
	const repeatedReports = Object.values(sendCountsByReport).reduce((sum, times) => sum + times - 1, 0);
	const { samples, events } = monitor;
	if (events.length > 0 && repeatedReports === 0)
		failures.push('Nothing was in progress where the workers were killed.');
	await writeChart(
		join(resultsFolder, `memory-${mode}.svg`),
		`Memory, ${companyIds.length} companies`,
		samples,
		events,
	);
	const details = { events, states, executions: await servers.query(SELECT_EXECUTION_COUNTS), samples };
	await writeFile(join(resultsFolder, `night-${mode}.json`), JSON.stringify(details, null, '\t'));

	const { requests, maxInFlight } = await service.readStatus();
	const companiesWithRequests = new Set(Object.keys(sendCountsByReport).map((key) => key.split(' ')[0])).size;
	const row = {
		night: mode,
		companies: companyIds.length,
		seconds,
		lines: manifestLines.length,
		files: (await readdir(filesFolder)).length,
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

/** Waits until all parts of the plan are done, and causes the disruptions meanwhile. @returns false if they aren't done in time */
async function waitUntilDone(
	setup: NightSetup,
	monitor: NightMonitor,
	disruptions: Disruption[],
	reportCount: number,
): Promise<boolean> {
	for (let round = 0; monitor.seconds < TIMEOUT_MINUTES * 60; round++) {
		if (round % 5 === 0) await monitor.takeSample();
		const [disruption] = disruptions;
		// Progress is measured by sent reports. Lines only appear when a part has ended, and a worker must be killed before that.
		const sentReports = disruption ? await setup.service.countSentReports() : 0;
		if (disruption && sentReports >= disruption.sentShare * reportCount) {
			disruptions.shift();
			const details = await disruption.causeDisruption(setup);
			const percentage = Math.round((sentReports / reportCount) * 100);
			monitor.addEvent(`${percentage} % sent, ${disruption.description}: ${details}`);
		}
		if (await setup.tables.isDone()) return true;
		await sleep(1000);
	}
	return false;
}

async function runAllNights(context: TestPartContext): Promise<TestPartReport> {
	const setup = await setUpNight(context);
	const report: TestPartReport = { table: [], failures: [] };
	for (const mode of MODES) {
		const { row, failures } = await runStep(`A night: ${mode}`, '1 to 20 min', () => runNight(mode, setup));
		report.table.push(row);
		report.failures.push(...failures);
	}
	return report;
}

export const night: TestPart = {
	title: `The reports of ${COMPANY_COUNT} companies in a night, on ${WORKER_COUNT} workers, two of which are killed`,
	run: runAllNights,
};
