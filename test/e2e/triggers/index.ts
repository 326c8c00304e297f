/**
 * Checks that the triggers deliver every record exactly once, even if n8n is stopped and killed. Three workflows watch campaigns,
 * campaign jobs and enrollments, while new records keep appearing in three companies.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import { PollingFixture } from '../../trigger/pollingFixture';
import { getNodeItems } from '../../real-n8n/client';
import { Problem } from '../../real-n8n/problem';
import { OWNER, type TestEnvironment } from '../../real-n8n/testEnvironment';
import { NEWEST, OLDEST, type Version } from '../../real-n8n/versions';
import { buildTriggerWorkflow } from '../../real-n8n/workflow';
import { SIMULATORS } from '../../stand-in/profile';
import type { StandIn } from '../../stand-in';
import type { Part, PartReport } from '../part';

const RECORD_COUNT = 200;
const RECORD_INTERVAL_MS = 250;
const DOWNTIME_MS = 4000;
/** The maximum number of times that the test waits for more polls at the end. */
const MAX_WAITS = 5;
const COMPANY_COUNT = 3;

/** A kind of record that one workflow watches. */
interface WatchedRecords {
	name: string;
	type: string;
	parameters: IDataObject;
	/** The part before `/search` in the path that the trigger polls. */
	listPath: string;
}

const CONTRACT_RECORDS: WatchedRecords[] = [
	{ name: 'campaigns', type: 'Campaign', parameters: {}, listPath: 'phishing-campaign' },
	{ name: 'jobs', type: 'Campaign', parameters: { watch: 'jobs' }, listPath: 'phishing-campaign-job-report' },
	{ name: 'enrollments', type: 'Enrollment', parameters: {}, listPath: 'enrollments' },
];

/** Reported emails, which only live deployments have. */
const REPORTED_EMAILS: WatchedRecords[] = [
	{ name: 'reported emails', type: 'ReportedEmail', parameters: {}, listPath: 'notified-emails' },
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

/** Events that happen to n8n or the workflows while new records keep appearing. */
const EVENTS = {
	restart: (setup: TriggerSetup) => restart(setup),
	kill: (setup: TriggerSetup) => restart(setup, 0),
	reactivate: async ({ client, service, workflowIds, watched }: TriggerSetup) => {
		// If a workflow is deactivated while an older n8n is still starting, that n8n continues to poll it.
		await waitForPolls(service, watched, 2);
		for (const id of workflowIds) await client.deactivate(id);
		await waitForDowntime();
		for (const id of workflowIds) await client.activate(id);
	},
};

/** The conditions of a test run. */
interface Variant {
	title: string;
	version: Version;
	/** Environment variables of n8n. */
	env?: Record<string, string>;
	watched?: WatchedRecords[];
	/** The events, by the number of records that have been created before. */
	events: Record<number, keyof typeof EVENTS>;
}

const DURABLE_POLLER_SETTINGS = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	// With this interval, n8n looks for due polls as often as the test polls.
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

/**
 * Returns the smallest number of polls that each trigger can have made. A poll sends one request without a company, and sometimes
 * also one request for each company.
 */
const countPolls = ({ log }: StandIn, watched: WatchedRecords[]) =>
	watched.map(({ listPath }) =>
		Math.floor(log.filter(({ route }) => route.endsWith(`/${listPath}/search`)).length / (COMPANY_COUNT + 1)),
	);

/** Waits for this many more polls of each trigger. @throws Problem after two minutes */
async function waitForPolls(service: StandIn, watched: WatchedRecords[], times: number): Promise<void> {
	const targets = countPolls(service, watched).map((polls) => polls + times);
	const isMissingPolls = () => countPolls(service, watched).some((polls, index) => polls < (targets[index] ?? 0));
	for (let tries = 0; isMissingPolls(); tries++) {
		if (tries > 600) throw new Problem('A trigger does not poll.');
		await sleep(200);
	}
}

/**
 * Creates a record for each watched kind. A campaign gets one job. Every fourth record is backdated by some hours, as if it appeared
 * late.
 * @returns the IDs, in the order of the watched kinds
 */
function createRecords(fixture: PollingFixture, watched: WatchedRecords[], index: number): string[] {
	fixture.now = Date.now();
	const delayMs = index % 4 === 3 ? (index % 12) * 3_600_000 : 0;
	if (watched === REPORTED_EMAILS) return [fixture.createRecord('reported', index % COMPANY_COUNT, delayMs)];
	const campaign = fixture.createRecord(
		SIMULATORS[index % SIMULATORS.length] ?? 'phishing',
		index % COMPANY_COUNT,
		delayMs,
	);
	return [campaign, campaign, fixture.createRecord('enrollment', index % COMPANY_COUNT, delayMs)];
}

/** Runs one variant in a fresh environment. @returns a row for each trigger */
async function runVariant(
	{ title, version, events, watched = CONTRACT_RECORDS }: Variant,
	environment: TestEnvironment,
) {
	const { client, service, credential } = environment;
	const workflowIds: string[] = [];
	for (const { type, parameters } of watched) {
		const workflow = buildTriggerWorkflow(type, { ...parameters, options: { askEachEvery: 0 } }, credential);
		workflowIds.push(await client.createWorkflow(workflow));
	}
	service.clearLog();
	for (const id of workflowIds) await client.activate(id);

	const fixture = new PollingFixture(service);
	const createdIds: string[][] = [];
	let runningEvents = Promise.resolve();
	for (let index = 0; index < RECORD_COUNT; index++) {
		createdIds.push(createRecords(fixture, watched, index));
		// The loop doesn't wait for the event to end, so that records also appear while n8n is stopped.
		const event = events[index];
		if (event) runningEvents = runningEvents.then(() => EVENTS[event]({ ...environment, workflowIds, watched }));
		await sleep(RECORD_INTERVAL_MS);
	}
	await runningEvents;

	const readDeliveredIds = async (id: string) =>
		(await client.readExecutions(id))
			.flatMap((execution) => getNodeItems(execution, 'Trigger'))
			.map(({ json }) => String(json.resourceId));
	let deliveredIds: string[][] = [];
	const isIncomplete = () => deliveredIds.length === 0 || deliveredIds.some((ids) => ids.length < RECORD_COUNT);
	// If a trigger has to look up the company of a record, it may deliver the record some polls later.
	for (let times = 0; times < MAX_WAITS && isIncomplete(); times++) {
		await waitForPolls(service, watched, 3);
		await sleep(2000);
		deliveredIds = await Promise.all(workflowIds.map(readDeliveredIds));
	}
	return deliveredIds.map((ids, triggerIndex) => {
		const expectedIds = createdIds.map((idsOfRecord) => idsOfRecord[triggerIndex] ?? '');
		return {
			title,
			n8n: version,
			watched: watched[triggerIndex]?.name ?? '',
			created: expectedIds.length,
			delivered: ids.length,
			missed: expectedIds.filter((id) => !ids.includes(id)).length,
			repeated: ids.filter((id, index) => ids.indexOf(id) < index).length,
			unexpected: ids.filter((id) => !expectedIds.includes(id)).length,
			polls: countPolls(service, watched)[triggerIndex] ?? 0,
		};
	});
}

export const triggers: Part = {
	title: 'Triggers deliver every record exactly once, although n8n is stopped and killed',
	run: async ({ startEnvironment }) => {
		const report: PartReport = { table: [], failures: [] };
		const variants = VARIANTS.filter(({ title }) => title.includes(process.env.VARIANT ?? ''));
		for (const [index, variant] of variants.entries()) {
			const { version, env = {}, watched } = variant;
			const profile = watched === REPORTED_EMAILS ? 'deployed' : 'contract';
			const environment = await startEnvironment(`n8n-${index + 1}`, {
				version,
				env,
				companies: COMPANY_COUNT,
				profile,
			});
			for (const row of await runVariant(variant, environment)) {
				report.table.push(row);
				if (row.missed + row.repeated + row.unexpected > 0)
					report.failures.push(`${row.title}: not every record of the ${row.watched} was delivered exactly once.`);
			}
			await environment.n8n.stop();
		}
		return report;
	},
};
