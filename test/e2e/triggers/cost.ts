/**
 * Measures the requests and the CPU time of polling in a real n8n: for the activation, which sends requests for each company, for a
 * new record, and for polls without new records. It measures an enrollment trigger and a campaign trigger for all simulators. Both
 * watch every company. This only works on Linux, and takes ten minutes.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { PollingFixture, type RecordList } from '../../trigger/pollingFixture';
import { measureCpuSeconds } from '../../real-n8n/processLoad';
import type { TestEnvironment } from '../../real-n8n/testEnvironment';
import { runStep } from '../../real-n8n/steps';
import { POLL_INTERVAL_SECONDS, buildTriggerWorkflow } from '../../real-n8n/workflow';
import { OTHER_PROCESS_WAIT, waitUntil } from '../../setup/waitUntil';
import { SIMULATORS } from '../../stand-in/profile';
import type { TestPart, TestPartReport } from '../part';

const MEASURED_TRIGGERS: Array<{ type: string; lists: RecordList[] }> = [
	{ type: 'Enrollment', lists: ['enrollment'] },
	{ type: 'Campaign', lists: [...SIMULATORS] },
];
const LATENCY_MS = 100;
/** The time to wait before the measurements, so that n8n has finished starting, in seconds. */
const SETTLE_SECONDS = 30;
/** The number of polls without new records in one measurement. */
const IDLE_POLL_COUNT = 20;
/** The number of recent records in each list. They fit on one page of 100 records. */
const RECENT_RECORD_COUNT = 90;
/** The age of the oldest recent record, in milliseconds. */
const MAX_RECORD_AGE_MS = 12 * 3_600_000;
const COMPANY_COUNT = 500;
const COMPANY_SEARCH_ROUTE = 'POST /api/companies/search';

/** Waits until shortly before the next poll. */
const waitUntilBeforePoll = () =>
	sleep(POLL_INTERVAL_SECONDS * 1000 - ((Date.now() + 500) % (POLL_INTERVAL_SECONDS * 1000)));

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
	const searches = service.log.filter(({ route }) => route.endsWith('/search') && route !== COMPANY_SEARCH_ROUTE);
	return {
		seconds,
		cpu: cpuAfter.leader - cpuBefore.leader,
		platformWideSearches: searches.filter(({ companyId }) => companyId === undefined).length,
		companyPages: service.getRequests(COMPANY_SEARCH_ROUTE).length,
		companySearches: searches.filter(({ companyId }) => companyId !== undefined).length,
	};
}

/** Measures the activation, a new record and idle polls of each trigger. @returns a row for each measurement */
async function measureTriggers(environment: TestEnvironment): Promise<TestPartReport['table']> {
	const { client, service, credential } = environment;
	const fixture = new PollingFixture(service);
	fixture.now = Date.now();
	for (const list of MEASURED_TRIGGERS.flatMap(({ lists }) => lists))
		for (let index = 0; index < RECENT_RECORD_COUNT; index++)
			fixture.createRecord(list, index, (MAX_RECORD_AGE_MS * index) / RECENT_RECORD_COUNT);
	service.setOptions({ latencyMs: LATENCY_MS });
	await sleep(SETTLE_SECONDS * 1000);
	const waitForIdlePolls = () => sleep(IDLE_POLL_COUNT * POLL_INTERVAL_SECONDS * 1000);
	const baseline = await runStep('Measure n8n without a workflow', '1 min', () =>
		measureDuring(environment, waitForIdlePolls),
	);

	const rows: TestPartReport['table'] = [];
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
	for (const { type, lists } of MEASURED_TRIGGERS) {
		const id = await client.createWorkflow(buildTriggerWorkflow(type, { simulators: [...SIMULATORS] }, credential));
		const activationMeasurement = await runStep(`Activate ${type}`, '1 min', () =>
			measureDuring(environment, () => client.activate(id)),
		);
		addRow(`${type}, activation`, 1, activationMeasurement);
		const isDelivered = async () => (await client.readExecutions(id)).length > 0;
		const newRecordMeasurement = await measureDuring(environment, async () => {
			fixture.now = Date.now();
			fixture.createRecord(lists[0] ?? 'enrollment', COMPANY_COUNT - 1, 0);
			await waitUntil('a new record', isDelivered, OTHER_PROCESS_WAIT);
		});
		addRow(`${type}, a new record`, 1, newRecordMeasurement);
		const idleMeasurement = await runStep('Measure idle polls', '1 min', () =>
			measureDuring(environment, waitForIdlePolls),
		);
		addRow(`${type}, idle`, IDLE_POLL_COUNT, idleMeasurement);
		await client.deactivate(id);
	}
	return rows;
}

export const triggerCost: TestPart = {
	title: 'What polling costs: requests and CPU time',
	run: async ({ startEnvironment }) => ({
		table: await measureTriggers(await startEnvironment('n8n', { companyCount: COMPANY_COUNT })),
		failures: [],
	}),
};
