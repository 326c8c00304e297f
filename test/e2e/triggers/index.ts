/**
 * Checks that the triggers deliver every record exactly once, even if n8n is stopped and killed. Three workflows watch campaigns,
 * campaign jobs and enrollments, while new records keep appearing in three companies. Two more workflows watch reported emails and events of
 * people.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import { PollingFixture } from '../../trigger/pollingFixture';
import { getNodeItems } from '../../real-n8n/client';
import { Problem } from '../../real-n8n/problem';
import { OWNER, type TestEnvironment } from '../../real-n8n/testEnvironment';
import { NEWEST_VERSION, OLDEST_VERSION, type Version } from '../../real-n8n/versions';
import { buildTriggerWorkflow } from '../../real-n8n/workflow';
import { SIMULATORS } from '../../stand-in/profile';
import type { StandIn } from '../../stand-in';
import type { TestPart, TestPartReport } from '../part';

const RECORD_COUNT = 200;
const RECORD_INTERVAL_MS = 250;
const DOWNTIME_MS = 4000;
/** At the end, the test waits this many times for more polls if records are still missing. */
const MAX_WAIT_ROUNDS = 5;
const COMPANY_COUNT = 3;

/** The records that one workflow watches. */
interface WatchedRecords {
	name: string;
	/** The type of the trigger, as in `buildTriggerWorkflow`. */
	type: string;
	/** The parameters of the trigger. */
	parameters: IDataObject;
	/** The end of the path that the trigger polls. */
	listPath: string;
}

const CONTRACT_RECORDS: WatchedRecords[] = [
	{ name: 'campaigns', type: 'Campaign', parameters: {}, listPath: '/phishing-campaign/search' },
	{ name: 'jobs', type: 'Campaign', parameters: { watch: 'jobs' }, listPath: '/phishing-campaign-job-report/search' },
	{ name: 'enrollments', type: 'Enrollment', parameters: {}, listPath: '/enrollments/search' },
];

/** Reported emails. The contract doesn't have them, so they are tested with the profile `deployed`. */
const REPORTED_EMAILS: WatchedRecords[] = [
	{ name: 'reported emails', type: 'ReportedEmail', parameters: {}, listPath: '/notified-emails/search' },
];

/** Events of people. The contract doesn't have them either. */
const PERSON_EVENTS: WatchedRecords[] = [
	{ name: 'person events', type: 'PersonEvent', parameters: {}, listPath: '/search-with-timeline' },
];

interface TriggerSetup extends TestEnvironment {
	workflowIds: string[];
	watchedRecords: WatchedRecords[];
}

const waitForDowntime = () => sleep(DOWNTIME_MS);
const restartN8n = async ({ n8n, client }: TriggerSetup, timeoutMs?: number) => {
	await n8n.restart(waitForDowntime, timeoutMs);
	await client.login(OWNER.email, OWNER.password);
};

/** Functions that restart or kill n8n, or reactivate the workflows, while new records keep appearing. */
const EVENT_HANDLERS = {
	restart: (setup: TriggerSetup) => restartN8n(setup),
	kill: (setup: TriggerSetup) => restartN8n(setup, 0),
	reactivate: async ({ client, service, workflowIds, watchedRecords }: TriggerSetup) => {
		// If a workflow is deactivated while an older n8n is still starting, that n8n continues to poll it.
		await waitForPolls(service, watchedRecords, 2);
		for (const id of workflowIds) await client.deactivate(id);
		await waitForDowntime();
		for (const id of workflowIds) await client.activate(id);
	},
};

/** A run of the test: the version and settings of n8n, the watched records, and the events during the run. */
interface Variant {
	title: string;
	version: Version;
	/** Environment variables of n8n. */
	env?: Record<string, string>;
	watchedRecords?: WatchedRecords[];
	/** The event to cause after a record was created, by the index of that record. */
	events: Record<number, keyof typeof EVENT_HANDLERS>;
}

const DURABLE_POLLER_SETTINGS = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	// With this interval, n8n looks for due polls every second.
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
};
const KILL_EVENTS: Variant['events'] = { 25: 'restart', 55: 'kill', 85: 'kill', 115: 'reactivate', 170: 'kill' };

const VARIANTS: Variant[] = [
	{ title: 'Usual poller, killed three times', version: NEWEST_VERSION, events: KILL_EVENTS },
	{ title: 'Usual poller, stopped twice', version: NEWEST_VERSION, events: { 60: 'restart', 130: 'restart' } },
	{
		title: 'Durable poller, killed three times',
		version: NEWEST_VERSION,
		env: DURABLE_POLLER_SETTINGS,
		events: KILL_EVENTS,
	},
	{ title: 'Oldest n8n, killed three times', version: OLDEST_VERSION, events: KILL_EVENTS },
	{
		title: 'Reported mails, killed once',
		version: NEWEST_VERSION,
		watchedRecords: REPORTED_EMAILS,
		events: { 85: 'kill' },
	},
	{
		title: 'Person events, killed once',
		version: NEWEST_VERSION,
		watchedRecords: PERSON_EVENTS,
		events: { 85: 'kill' },
	},
];

/**
 * Returns the smallest number of polls that each trigger can have made. A poll sends one request without a company, and sometimes
 * also one request for each company.
 */
const countPolls = ({ log }: StandIn, watchedRecords: WatchedRecords[]) =>
	watchedRecords.map(({ listPath }) =>
		Math.floor(log.filter(({ route }) => route.endsWith(listPath)).length / (COMPANY_COUNT + 1)),
	);

/** Waits until each trigger has polled `additionalPolls` more times. @throws Problem after two minutes */
async function waitForPolls(
	service: StandIn,
	watchedRecords: WatchedRecords[],
	additionalPolls: number,
): Promise<void> {
	const requiredPolls = countPolls(service, watchedRecords).map((polls) => polls + additionalPolls);
	const isMissingPolls = () =>
		countPolls(service, watchedRecords).some((polls, index) => polls < (requiredPolls[index] ?? 0));
	for (let tries = 0; isMissingPolls(); tries++) {
		if (tries > 600) throw new Problem('A trigger does not poll.');
		await sleep(200);
	}
}

/**
 * Creates one record for each entry of `watchedRecords`. A campaign and its only job have the same ID. Every fourth record gets an earlier
 * creation time, as if the platform listed it late.
 * @returns the IDs of the records, in the order of `watchedRecords`
 */
function createRecords(fixture: PollingFixture, watchedRecords: WatchedRecords[], index: number): string[] {
	fixture.now = Date.now();
	const delayMs = index % 4 === 3 ? (index % 12) * 3_600_000 : 0;
	if (watchedRecords === REPORTED_EMAILS) return [fixture.createRecord('reported', index % COMPANY_COUNT, delayMs)];
	if (watchedRecords === PERSON_EVENTS) {
		const resourceId = `training-${index}`;
		fixture.createEvent(index % COMPANY_COUNT, delayMs, { resourceId });
		return [resourceId];
	}
	const campaign = fixture.createRecord(
		SIMULATORS[index % SIMULATORS.length] ?? 'phishing',
		index % COMPANY_COUNT,
		delayMs,
	);
	return [campaign, campaign, fixture.createRecord('enrollment', index % COMPANY_COUNT, delayMs)];
}

/** Runs one variant in a fresh environment. @returns a table row for each trigger, with the numbers of missed and repeated records */
async function runVariant(
	{ title, version, events, watchedRecords = CONTRACT_RECORDS }: Variant,
	environment: TestEnvironment,
) {
	const { client, service, credential } = environment;
	const workflowIds: string[] = [];
	for (const { type, parameters } of watchedRecords) {
		const workflow = buildTriggerWorkflow(type, { ...parameters, options: { readEachCompanyEvery: 0 } }, credential);
		workflowIds.push(await client.createWorkflow(workflow));
	}
	service.clearLog();
	for (const id of workflowIds) await client.activate(id);

	const fixture = new PollingFixture(service);
	const createdIds: string[][] = [];
	let pendingEvents = Promise.resolve();
	for (let index = 0; index < RECORD_COUNT; index++) {
		createdIds.push(createRecords(fixture, watchedRecords, index));
		// The loop doesn't wait for the event to end, so that records also appear while n8n is stopped.
		const event = events[index];
		if (event)
			pendingEvents = pendingEvents.then(() => EVENT_HANDLERS[event]({ ...environment, workflowIds, watchedRecords }));
		await sleep(RECORD_INTERVAL_MS);
	}
	await pendingEvents;

	const readDeliveredIds = async (id: string) =>
		(await client.readExecutions(id))
			.flatMap((execution) => getNodeItems(execution, 'Trigger'))
			.map(({ json }) => String(json.resourceId));
	let deliveredIds: string[][] = [];
	const isIncomplete = () => deliveredIds.length === 0 || deliveredIds.some((ids) => ids.length < RECORD_COUNT);
	// A trigger may deliver a record some polls later, if it first has to find the company of the record.
	for (let round = 0; round < MAX_WAIT_ROUNDS && isIncomplete(); round++) {
		await waitForPolls(service, watchedRecords, 3);
		await sleep(2000);
		deliveredIds = await Promise.all(workflowIds.map(readDeliveredIds));
	}
	return deliveredIds.map((ids, triggerIndex) => {
		const expectedIds = createdIds.map((idsOfRecord) => idsOfRecord[triggerIndex] ?? '');
		return {
			title,
			n8n: version,
			watched: watchedRecords[triggerIndex]?.name ?? '',
			created: expectedIds.length,
			delivered: ids.length,
			missed: expectedIds.filter((id) => !ids.includes(id)).length,
			repeated: ids.filter((id, index) => ids.indexOf(id) < index).length,
			unexpected: ids.filter((id) => !expectedIds.includes(id)).length,
			polls: countPolls(service, watchedRecords)[triggerIndex] ?? 0,
		};
	});
}

export const triggers: TestPart = {
	title: 'Triggers deliver every record exactly once, although n8n is stopped and killed',
	run: async ({ startEnvironment }) => {
		const report: TestPartReport = { table: [], failures: [] };
		const variants = VARIANTS.filter(({ title }) => title.includes(process.env.VARIANT ?? ''));
		for (const [index, variant] of variants.entries()) {
			const { version, env = {}, watchedRecords } = variant;
			const profile = watchedRecords ? 'deployed' : 'contract';
			const environment = await startEnvironment(`n8n-${index + 1}`, {
				version,
				env,
				companyCount: COMPANY_COUNT,
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
