import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { showStep as step } from '../../real-n8n/steps';
import type { Part, Report, Tools } from '../part';
import { blowsOf, type Blow } from './blows';
import { drawChart } from './chart';
import { judge } from './judge';
import { contentOf, REPORTS } from './reports';
import { COMPANIES, PART_SIZE, setScene, WORKERS, type Scene } from './scene';
import type { Line } from './tables';
import { Watch } from './watch';

const PATIENCE_MINUTES = Number(process.env.PATIENCE ?? 40);
const SEED = process.env.SEED ?? '1';
/**
 * What is done, one after the other. kills: a night from nothing, while workers die; again: from nothing; thirds: from a
 * manifest that is two thirds full; a number: so many companies, whose plan is there.
 */
const MODES = (process.env.MODES ?? 'kills,again,thirds').split(',');
const EXECUTIONS = 'SELECT mode, status, count(*)::int AS count FROM execution_entity GROUP BY mode, status';
const OPEN_PARTS = `SELECT id FROM execution_entity WHERE mode = 'webhook' AND status IN ('new', 'running')`;

interface Begun {
	companies: string[];
	/** The lines that are there already. */
	before: Line[];
}

/** Clears everything, and writes what a mode begins with. */
async function begin(mode: string, { tables, companies, night, folder, service, servers }: Scene): Promise<Begun> {
	// A second dispatcher may have sent a part again that is done.
	const isOver = async () => JSON.stringify(await servers.query(OPEN_PARTS)) === '[]';
	for (let tries = 0; tries < 60 && !(await isOver()); tries++) await sleep(1000);
	await tables.clear();
	await rm(folder, { recursive: true });
	await mkdir(folder);
	await service.fetched();
	await service.ask();
	const some = companies.slice(0, Number(mode) || companies.length);
	const isFilled = mode === 'thirds';
	if (!isFilled && !Number(mode)) return { companies, before: [] };
	const before = await tables.fill(some, { night, partSize: PART_SIZE, isFilled });
	for (const { report, companyResourceId, file } of before)
		await writeFile(join(folder, file), contentOf(report, companyResourceId));
	return { companies: some, before };
}

/** Runs a night to its end. @returns its row in the table, and what is wrong */
async function runNight(mode: string, scene: Scene): Promise<{ row: Report['table'][number]; failures: string[] }> {
	const { tables, cluster, folder, service, open, workflow, results, servers } = scene;
	const { companies, before } = await begin(mode, scene);
	const watch = new Watch(cluster, servers);
	const cpu = await cluster.cpu();
	await open.client.activate(workflow);
	const blows = mode === 'kills' && WORKERS > 1 ? blowsOf(SEED) : [];
	const isDone = await untilDone(scene, watch, blows, companies.length * REPORTS.length);
	const { seconds } = watch;
	await open.client.deactivate(workflow);
	await cluster.replaced();
	const spent = (await cluster.cpu()) - cpu;
	await watch.look();

	const fetched = await service.fetched();
	const lines = await tables.lines();
	const states = await tables.states();
	const failures = await judge({ companies, lines, fetched, before, folder });
	if (!isDone) failures.push(`Not done after ${PATIENCE_MINUTES} minutes: ${JSON.stringify(states)}.`);
	if (blows.length > 0) failures.push(`It was over before ${blows.map(({ what }) => what).join(', ')}.`);
	const again = Object.values(fetched).reduce((sum, times) => sum + times - 1, 0);
	const { samples, events } = watch;
	if (events.length > 0 && again === 0) failures.push('Nothing was in progress where the workers were killed.');
	await drawChart(join(results, `memory-${mode}.svg`), `Memory, ${companies.length} companies`, samples, events);
	const found = { events, states, executions: await servers.query(EXECUTIONS), samples };
	await writeFile(join(results, `night-${mode}.json`), JSON.stringify(found, null, '\t'));

	const { requests, mostInFlight } = await service.ask();
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
		'CPU s': Math.round(spent),
		'CPU ms per company': Math.round((spent / asked) * 1000),
		cores: cpus().length,
		'worker MB': watch.memory.worker,
		'runner MB': watch.memory.runner,
		'main MB': watch.memory.main,
		'execution MB': megabytes(watch.largestExecution),
		'database MB': megabytes(watch.largestDatabase),
	};
	return { row, failures: failures.map((failure) => `${mode}: ${failure}`) };
}

const megabytes = (bytes: number) => Math.round(bytes / 1e5) / 10;

/** Waits until all parts are done, while what is to happen happens. @returns whether they were in time */
async function untilDone(scene: Scene, watch: Watch, blows: Blow[], all: number): Promise<boolean> {
	for (let rounds = 0; watch.seconds < PATIENCE_MINUTES * 60; rounds++) {
		if (rounds % 5 === 0) await watch.look();
		const [blow] = blows;
		// By what was sent: lines come when a part has ended, and it is to die in the middle.
		const sent = blow ? await scene.service.sent() : 0;
		if (blow && sent >= blow.share * all) {
			blows.shift();
			const whom = await blow.strike(scene);
			watch.note(`${Math.round((sent / all) * 100)} % sent, ${blow.what}: ${whom}`);
		}
		if (await scene.tables.isDone()) return true;
		await sleep(1000);
	}
	return false;
}

async function run(tools: Tools): Promise<Report> {
	const scene = await setScene(tools);
	const report: Report = { table: [], failures: [] };
	for (const mode of MODES) {
		const { row, failures } = await step(`A night: ${mode}`, '1 to 20 min', () => runNight(mode, scene));
		report.table.push(row);
		report.failures.push(...failures);
	}
	return report;
}

export const night: Part = {
	title: `The reports of ${COMPANIES} companies in a night, on ${WORKERS} workers, two of which are killed`,
	run,
};
