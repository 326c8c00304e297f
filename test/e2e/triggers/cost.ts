/**
 * Measures the requests and the CPU time of polling in a real n8n: for the activation, which sends requests for each company, for a
 * new record, and for idle polls. It measures one trigger for enrollments and one for campaigns of all simulators, both for Every
 * Company. Works on Linux only and takes ten minutes.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { PollingFixture, type RecordList } from '../../trigger/pollingFixture';
import { measureCpuSeconds } from '../../real-n8n/processLoad';
import type { TestEnvironment } from '../../real-n8n/testEnvironment';
import { runStep } from '../../real-n8n/steps';
import { POLL_SECONDS, buildTriggerWorkflow } from '../../real-n8n/workflow';
import { OTHER_PROCESS_WAIT, waitUntil } from '../../setup/waitUntil';
import { SIMULATORS } from '../../stand-in/profile';
import type { Part, PartReport } from '../part';

const TRIGGERS: Array<{ type: string; lists: RecordList[] }> = [
	{ type: 'Enrollment', lists: ['enrollment'] },
	{ type: 'Campaign', lists: [...SIMULATORS] },
];
const LATENCY_MS = 100;
/** The time that n8n gets to become idle before the measurements, in seconds. */
const SETTLE_SECONDS = 30;
/** The number of idle polls in one measurement. */
const IDLE_POLLS = 20;
/** The number of recent records in each list. They fit on one page of 100. */
const RECORDS_IN_WINDOW = 90;
/** The age of the oldest recent record, in milliseconds. */
const WINDOW_MS = 12 * 3_600_000;
const COMPANY_COUNT = 500;
const COMPANY_SEARCH = 'POST /api/companies/search';

/** Waits until shortly before the next poll. */
const waitUntilBeforePoll = () => sleep(POLL_SECONDS * 1000 - ((Date.now() + 500) % (POLL_SECONDS * 1000)));

/** Measures the requests to the service and n8n's CPU time during `work`. */
async function measureDuring({ n8n, service }: TestEnvironment, work: () => Promise<unknown>) {
	await waitUntilBeforePoll();
	service.clearLog();
	const startedAt = Date.now();
	const cpuBefore = await measureCpuSeconds(n8n.pid);
	await work();
	await waitUntilBeforePoll();
	const seconds = (Date.now() - startedAt) / 1000;
	const cpuAfter = await measureCpuSeconds(n8n.pid);
	const searches = service.log.filter(({ route }) => route.endsWith('/search') && route !== COMPANY_SEARCH);
	return {
		seconds,
		cpu: cpuAfter.leader - cpuBefore.leader,
		platformWideSearches: searches.filter(({ companyId }) => companyId === undefined).length,
		companyPages: service.getRequests(COMPANY_SEARCH).length,
		companySearches: searches.filter(({ companyId }) => companyId !== undefined).length,
	};
}

/** Measures all triggers. @returns a row for each measurement */
async function measureTriggers(environment: TestEnvironment): Promise<PartReport['table']> {
	const { client, service, credential } = environment;
	const fixture = new PollingFixture(service);
	fixture.now = Date.now();
	for (const list of TRIGGERS.flatMap(({ lists }) => lists))
		for (let index = 0; index < RECORDS_IN_WINDOW; index++)
			fixture.createRecord(list, index, (WINDOW_MS * index) / RECORDS_IN_WINDOW);
	service.setOptions({ latencyMs: LATENCY_MS });
	await sleep(SETTLE_SECONDS * 1000);
	const waitForIdlePolls = () => sleep(IDLE_POLLS * POLL_SECONDS * 1000);
	const baseline = await runStep('Measure n8n without a workflow', '1 min', () =>
		measureDuring(environment, waitForIdlePolls),
	);

	const rows: PartReport['table'] = [];
	const addRow = (
		title: string,
		polls: number,
		{ seconds, cpu, ...requestCounts }: Awaited<ReturnType<typeof measureDuring>>,
	) => {
		const cpuSeconds = cpu - (baseline.cpu / baseline.seconds) * seconds;
		rows.push({
			title,
			polls,
			...requestCounts,
			'CPU s': cpuSeconds.toFixed(2),
			'CPU s per poll': (cpuSeconds / polls).toFixed(3),
		});
	};
	for (const { type, lists } of TRIGGERS) {
		const id = await client.createWorkflow(buildTriggerWorkflow(type, { simulators: [...SIMULATORS] }, credential));
		const activation = await runStep(`Activate ${type}`, '1 min', () =>
			measureDuring(environment, () => client.activate(id)),
		);
		addRow(`${type}, activation`, 1, activation);
		const isDelivered = async () => (await client.readExecutions(id)).length > 0;
		const newRecord = await measureDuring(environment, async () => {
			fixture.now = Date.now();
			fixture.createRecord(lists[0] ?? 'enrollment', COMPANY_COUNT - 1, 0);
			await waitUntil('a new record', isDelivered, OTHER_PROCESS_WAIT);
		});
		addRow(`${type}, a new record`, 1, newRecord);
		const idle = await runStep('Measure idle polls', '1 min', () => measureDuring(environment, waitForIdlePolls));
		addRow(`${type}, idle`, IDLE_POLLS, idle);
		await client.deactivate(id);
	}
	return rows;
}

export const triggerCost: Part = {
	title: 'What polling costs: requests and CPU time',
	run: async ({ startEnvironment }) => ({
		table: await measureTriggers(await startEnvironment('n8n', { companies: COMPANY_COUNT })),
		failures: [],
	}),
};
