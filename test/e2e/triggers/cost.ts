/**
 * What polling costs in a real n8n: requests and CPU time of the activation, which asks each company, of a new record,
 * and of an idle poll, for a trigger of enrollments and one of campaigns of all simulators, each for Every Company.
 * Linux only; ten minutes.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { PollingFixture, type List } from '../../trigger/pollingFixture';
import { cpuSecondsOf } from '../../real-n8n/load';
import type { Stage } from '../../real-n8n/stage';
import { showStep as step } from '../../real-n8n/steps';
import { POLL_SECONDS, triggerWorkflow } from '../../real-n8n/workflow';
import { IN_ANOTHER_PROCESS, waitUntil } from '../../setup/waitUntil';
import { SIMULATORS } from '../../stand-in/personality';
import type { Part, Report } from '../part';

const TRIGGERS: Array<{ type: string; lists: List[] }> = [
	{ type: 'Enrollment', lists: ['enrollment'] },
	{ type: 'Campaign', lists: [...SIMULATORS] },
];
const LATENCY_MS = 100;
/** How long n8n is left alone before it is measured, in s. */
const SETTLE = 30;
/** Idle polls that are measured together. */
const POLLS = 20;
/** How many records each kind has in the window, and how far back they go; a page has 100. */
const RECENT = 90;
const RECENT_MS = 12 * 3_600_000;
/** How many companies there are. */
const EVERY = 500;
const COMPANIES = 'POST /api/companies/search';

/** Waits until shortly before the next poll. */
const beforePoll = () => sleep(POLL_SECONDS * 1000 - ((Date.now() + 500) % (POLL_SECONDS * 1000)));

/** What was asked, and the CPU time that n8n took, during some work. */
async function during({ n8n, service }: Stage, work: () => Promise<unknown>) {
	await beforePoll();
	service.clearLog();
	const began = Date.now();
	const before = await cpuSecondsOf(n8n.pid);
	await work();
	await beforePoll();
	const seconds = (Date.now() - began) / 1000;
	const after = await cpuSecondsOf(n8n.pid);
	const searches = service.log.filter(({ route }) => route.endsWith('/search') && route !== COMPANIES);
	return {
		seconds,
		cpu: after.own - before.own,
		lists: searches.filter(({ companyId }) => companyId === undefined).length,
		pagesOfCompanies: service.requests(COMPANIES).length,
		ofCompanies: searches.filter(({ companyId }) => companyId !== undefined).length,
	};
}

/** @returns a row for each thing that was measured */
async function measured(stage: Stage): Promise<Report['table']> {
	const { client, service, credential } = stage;
	const fixture = new PollingFixture(service);
	fixture.now = Date.now();
	const create = (list: List, index: number, ago: number) => fixture.create(list, index, ago);
	for (const list of TRIGGERS.flatMap(({ lists }) => lists))
		for (let index = 0; index < RECENT; index++) create(list, index, (RECENT_MS * index) / RECENT);
	service.setOptions({ latencyMs: LATENCY_MS });
	await sleep(SETTLE * 1000);
	const polls = () => sleep(POLLS * POLL_SECONDS * 1000);
	const rest = await step('Measure n8n without a workflow', '1 min', () => during(stage, polls));

	const rows: Report['table'] = [];
	const note = (what: string, polled: number, { seconds, cpu, ...asked }: Awaited<ReturnType<typeof during>>) => {
		const own = cpu - (rest.cpu / rest.seconds) * seconds;
		rows.push({ what, polls: polled, ...asked, 'CPU s': own.toFixed(2), 'CPU s a poll': (own / polled).toFixed(3) });
	};
	for (const { type, lists } of TRIGGERS) {
		const id = await client.createWorkflow(triggerWorkflow(type, { simulators: [...SIMULATORS] }, credential));
		const activation = await step(`Activate ${type}`, '1 min', () => during(stage, () => client.activate(id)));
		note(`${type}, activation`, 1, activation);
		const given = async () => (await client.executions(id)).length > 0;
		const fresh = await during(stage, async () => {
			fixture.now = Date.now();
			create(lists[0] ?? 'enrollment', EVERY - 1, 0);
			await waitUntil('a new record', given, IN_ANOTHER_PROCESS);
		});
		note(`${type}, a new record`, 1, fresh);
		note(`${type}, idle`, POLLS, await step('Measure idle polls', '1 min', () => during(stage, polls)));
		await client.deactivate(id);
	}
	return rows;
}

export const triggerCost: Part = {
	title: 'What polling costs: requests and CPU time',
	run: async ({ stage }) => ({ table: await measured(await stage('n8n', { companies: EVERY })), failures: [] }),
};
