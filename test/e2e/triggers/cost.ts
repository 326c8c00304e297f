/**
 * What polling costs in a real n8n: requests and CPU time of the activation, which asks each company, of a new record,
 * and of an idle poll, for a trigger of enrollments and one of campaigns of all simulators, each for Every Company.
 * Linux only; ten minutes.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { PollingFixture, type RecordList } from '../../trigger/pollingFixture';
import { measureCpuSeconds } from '../../real-n8n/load';
import type { TestEnvironment } from '../../real-n8n/stage';
import { runStep } from '../../real-n8n/steps';
import { POLL_SECONDS, buildTriggerWorkflow } from '../../real-n8n/workflow';
import { OTHER_PROCESS_WAIT, waitUntil } from '../../setup/waitUntil';
import { SIMULATORS } from '../../stand-in/personality';
import type { Part, PartReport } from '../part';

const TRIGGERS: Array<{ type: string; lists: RecordList[] }> = [
	{ type: 'Enrollment', lists: ['enrollment'] },
	{ type: 'Campaign', lists: [...SIMULATORS] },
];
const LATENCY_MS = 100;
/** How long n8n is left alone before it is measured, in s. */
const SETTLE_SECONDS = 30;
/** Idle polls that are measured together. */
const IDLE_POLLS = 20;
/** How many records each kind has in the window, and how far back they go; a page has 100. */
const RECORDS_IN_WINDOW = 90;
const WINDOW_MS = 12 * 3_600_000;
/** How many companies there are. */
const COMPANY_COUNT = 500;
const COMPANY_SEARCH = 'POST /api/companies/search';

/** Waits until shortly before the next poll. */
const waitUntilBeforePoll = () => sleep(POLL_SECONDS * 1000 - ((Date.now() + 500) % (POLL_SECONDS * 1000)));

/** What was asked, and the CPU time that n8n took, during some work. */
async function measureDuring({ n8n, service }: TestEnvironment, work: () => Promise<unknown>) {
	await waitUntilBeforePoll();
	service.clearLog();
	const began = Date.now();
	const before = await measureCpuSeconds(n8n.pid);
	await work();
	await waitUntilBeforePoll();
	const seconds = (Date.now() - began) / 1000;
	const after = await measureCpuSeconds(n8n.pid);
	const searches = service.log.filter(({ route }) => route.endsWith('/search') && route !== COMPANY_SEARCH);
	return {
		seconds,
		cpu: after.leader - before.leader,
		lists: searches.filter(({ companyId }) => companyId === undefined).length,
		pagesOfCompanies: service.getRequests(COMPANY_SEARCH).length,
		ofCompanies: searches.filter(({ companyId }) => companyId !== undefined).length,
	};
}

/** @returns a row for each thing that was measured */
async function measureTriggers(stage: TestEnvironment): Promise<PartReport['table']> {
	const { client, service, credential } = stage;
	const fixture = new PollingFixture(service);
	fixture.now = Date.now();
	const create = (list: RecordList, index: number, ago: number) => fixture.createRecord(list, index, ago);
	for (const list of TRIGGERS.flatMap(({ lists }) => lists))
		for (let index = 0; index < RECORDS_IN_WINDOW; index++) create(list, index, (WINDOW_MS * index) / RECORDS_IN_WINDOW);
	service.setOptions({ latencyMs: LATENCY_MS });
	await sleep(SETTLE_SECONDS * 1000);
	const waitForIdlePolls = () => sleep(IDLE_POLLS * POLL_SECONDS * 1000);
	const baseline = await runStep('Measure n8n without a workflow', '1 min', () => measureDuring(stage, waitForIdlePolls));

	const rows: PartReport['table'] = [];
	const addRow = (what: string, polled: number, { seconds, cpu, ...asked }: Awaited<ReturnType<typeof measureDuring>>) => {
		const own = cpu - (baseline.cpu / baseline.seconds) * seconds;
		rows.push({ what, polls: polled, ...asked, 'CPU s': own.toFixed(2), 'CPU s a poll': (own / polled).toFixed(3) });
	};
	for (const { type, lists } of TRIGGERS) {
		const id = await client.createWorkflow(buildTriggerWorkflow(type, { simulators: [...SIMULATORS] }, credential));
		const activation = await runStep(`Activate ${type}`, '1 min', () => measureDuring(stage, () => client.activate(id)));
		addRow(`${type}, activation`, 1, activation);
		const isDelivered = async () => (await client.readExecutions(id)).length > 0;
		const newRecord = await measureDuring(stage, async () => {
			fixture.now = Date.now();
			create(lists[0] ?? 'enrollment', COMPANY_COUNT - 1, 0);
			await waitUntil('a new record', isDelivered, OTHER_PROCESS_WAIT);
		});
		addRow(`${type}, a new record`, 1, newRecord);
		addRow(`${type}, idle`, IDLE_POLLS, await runStep('Measure idle polls', '1 min', () => measureDuring(stage, waitForIdlePolls)));
		await client.deactivate(id);
	}
	return rows;
}

export const triggerCost: Part = {
	title: 'What polling costs: requests and CPU time',
	run: async ({ startEnvironment: stage }) => ({ table: await measureTriggers(await stage('n8n', { companies: COMPANY_COUNT })), failures: [] }),
};
