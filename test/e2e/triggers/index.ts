/**
 * Whether the triggers give every record once in a real n8n that is stopped and killed: three workflows, for campaigns,
 * their jobs and enrollments, and records in three companies that go on coming.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import { PollingFixture } from '../../trigger/pollingFixture';
import { getNodeItems } from '../../real-n8n/client';
import { Problem } from '../../real-n8n/problem';
import { OWNER, type TestEnvironment } from '../../real-n8n/stage';
import { NEWEST, OLDEST, type Version } from '../../real-n8n/versions';
import { buildTriggerWorkflow } from '../../real-n8n/workflow';
import { SIMULATORS } from '../../stand-in/personality';
import type { StandIn } from '../../stand-in';
import type { Part, PartReport } from '../part';

const RECORD_COUNT = 200;
const RECORD_INTERVAL_MS = 250;
const DOWNTIME_MS = 4000;
/** How often some more polls are waited for. */
const MAX_WAITS = 5;
const COMPANY_COUNT = 3;

/** A kind of record that is watched in a workflow of its own, and the request of a poll. */
interface WatchedRecords {
	what: string;
	type: string;
	parameters: IDataObject;
	list: string;
}

const CONTRACT_RECORDS: WatchedRecords[] = [
	{ what: 'campaigns', type: 'Campaign', parameters: {}, list: 'phishing-campaign' },
	{ what: 'jobs', type: 'Campaign', parameters: { watch: 'jobs' }, list: 'phishing-campaign-job-report' },
	{ what: 'enrollments', type: 'Enrollment', parameters: {}, list: 'enrollments' },
];

/** Only live deployments have them. */
const REPORTED_EMAILS: WatchedRecords[] = [
	{ what: 'reported mails', type: 'ReportedEmail', parameters: {}, list: 'notified-emails' },
];

interface TriggerSetup extends TestEnvironment {
	workflowIds: string[];
	watched: WatchedRecords[];
}

const waitForDowntime = () => sleep(DOWNTIME_MS);
const restart = async ({ n8n, client }: TriggerSetup, timeoutMs?: number) => {
	await n8n.restart(waitForDowntime, timeoutMs);
	await client.login(OWNER.email, OWNER.password);
};

/** What happens to n8n, or to the workflows, while records go on coming. */
const EVENTS = {
	restart: async (scene: TriggerSetup) => restart(scene),
	kill: async (scene: TriggerSetup) => restart(scene, 0),
	reactivate: async ({ client, service, workflowIds, watched }: TriggerSetup) => {
		// An older n8n goes on polling a workflow that is switched off while n8n still starts.
		await waitForPolls(service, watched, 2);
		for (const id of workflowIds) await client.deactivate(id);
		await waitForDowntime();
		for (const id of workflowIds) await client.activate(id);
	},
};

/** Under which conditions the same is done. */
interface Variant {
	title: string;
	version: Version;
	/** Settings of n8n. */
	env?: Record<string, string>;
	watched?: WatchedRecords[];
	/** What happens when so many records have been created. */
	events: Record<number, keyof typeof EVENTS>;
}

const DURABLE_POLLER_SETTINGS = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	// Looks for what is due as often as the test polls.
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
};
const KILL_EVENTS: Variant['events'] = { 25: 'restart', 55: 'kill', 85: 'kill', 115: 'reactivate', 170: 'kill' };

const VARIANTS: Variant[] = [
	{ title: 'Usual poller, killed three times', version: NEWEST, events: KILL_EVENTS },
	{ title: 'Usual poller, stopped twice', version: NEWEST, events: { 60: 'restart', 130: 'restart' } },
	{ title: 'Durable poller, killed three times', version: NEWEST, env: DURABLE_POLLER_SETTINGS, events: KILL_EVENTS },
	{ title: 'Oldest n8n, killed three times', version: OLDEST, events: KILL_EVENTS },
	{ title: 'Reported mails, killed once', version: NEWEST, watched: REPORTED_EMAILS, events: { 85: 'kill' } },
];

/** How often each trigger has polled, at least: a poll asks without a company, or each of them and once without one. */
const countPolls = ({ log }: StandIn, watched: WatchedRecords[]) =>
	watched.map(({ list }) =>
		Math.floor(log.filter(({ route }) => route.endsWith(`/${list}/search`)).length / (COMPANY_COUNT + 1)),
	);

/** Waits for so many more polls of each trigger. */
async function waitForPolls(service: StandIn, watched: WatchedRecords[], times: number): Promise<void> {
	const wanted = countPolls(service, watched).map((polls) => polls + times);
	for (let waited = 0; countPolls(service, watched).some((polls, index) => polls < (wanted[index] ?? 0)); waited++) {
		if (waited > 600) throw new Problem('A trigger does not poll.');
		await sleep(200);
	}
}

/** One record of each kind that is watched; a campaign has one job. Every fourth shows up late. @returns their IDs */
function createRecords(fixture: PollingFixture, watched: WatchedRecords[], index: number): string[] {
	fixture.now = Date.now();
	const late = index % 4 === 3 ? (index % 12) * 3_600_000 : 0;
	if (watched === REPORTED_EMAILS) return [fixture.createRecord('reported', index % COMPANY_COUNT, late)];
	const campaign = fixture.createRecord(SIMULATORS[index % SIMULATORS.length] ?? 'phishing', index % COMPANY_COUNT, late);
	return [campaign, campaign, fixture.createRecord('enrollment', index % COMPANY_COUNT, late)];
}

/** Runs one variant on a stage of its own. @returns a row for each trigger */
async function runVariant({ title, version, events, watched = CONTRACT_RECORDS }: Variant, stage: TestEnvironment) {
	const { client, service, credential } = stage;
	const workflowIds: string[] = [];
	for (const { type, parameters } of watched) {
		const workflow = buildTriggerWorkflow(type, { ...parameters, options: { askEachEvery: 0 } }, credential);
		workflowIds.push(await client.createWorkflow(workflow));
	}
	service.clearLog();
	for (const id of workflowIds) await client.activate(id);

	const fixture = new PollingFixture(service);
	const created: string[][] = [];
	let happening = Promise.resolve();
	for (let index = 0; index < RECORD_COUNT; index++) {
		created.push(createRecords(fixture, watched, index));
		// The records go on coming meanwhile.
		const event = events[index];
		if (event) happening = happening.then(() => EVENTS[event]({ ...stage, workflowIds, watched }));
		await sleep(RECORD_INTERVAL_MS);
	}
	await happening;

	const readDeliveredIds = async (id: string) =>
		(await client.readExecutions(id))
			.flatMap((each) => getNodeItems(each, 'Trigger'))
			.map(({ json }) => String(json.resourceId));
	let all: string[][] = [];
	const isIncomplete = () => all.length === 0 || all.some((ids) => ids.length < RECORD_COUNT);
	// A record whose company is looked up may come some polls later.
	for (let times = 0; times < MAX_WAITS && isIncomplete(); times++) {
		await waitForPolls(service, watched, 3);
		await sleep(2000);
		all = await Promise.all(workflowIds.map(readDeliveredIds));
	}
	return all.map((ids, at) => {
		const wanted = created.map((each) => each[at] ?? '');
		return {
			title,
			n8n: version,
			watched: watched[at]?.what ?? '',
			created: wanted.length,
			given: ids.length,
			missed: wanted.filter((id) => !ids.includes(id)).length,
			repeated: ids.filter((id, index) => ids.indexOf(id) < index).length,
			others: ids.filter((id) => !wanted.includes(id)).length,
			polls: countPolls(service, watched)[at] ?? 0,
		};
	});
}

export const triggers: Part = {
	title: 'Every record given once by triggers whose n8n is stopped and killed',
	run: async ({ startEnvironment: stage }) => {
		const report: PartReport = { table: [], failures: [] };
		const wanted = VARIANTS.filter(({ title }) => title.includes(process.env.VARIANT ?? ''));
		for (const [at, variant] of wanted.entries()) {
			const { version, env = {}, watched } = variant;
			const personality = watched === REPORTED_EMAILS ? 'deployed' : 'contract';
			const there = await stage(`n8n-${at + 1}`, { version, env, companies: COMPANY_COUNT, personality });
			for (const row of await runVariant(variant, there)) {
				report.table.push(row);
				if (row.missed + row.repeated + row.others > 0)
					report.failures.push(`${row.title}: not every record of the ${row.watched} was given exactly once.`);
			}
			await there.n8n.stop();
		}
		return report;
	},
};
