import { uniqBy, upperFirst } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { SIMULATORS, type Simulator } from '../../core/api/endpoints';
import type { HttpClient } from '../../core/http/client';
import type { CompanyEvents } from '../../core/trigger/defineEventTrigger';
import { parseTimeMs, readId, type Choice } from '../../core/values';
import { isTestRecord } from '../testRecords';
import { formatJobId, readStartTime, type CampaignJob } from './campaignJob';
import { USER_ACTIONS, type UserAction } from './jobPeople';
import { JobReader, type CampaignJobRow } from './jobReader';
import { getSimulatorTitle, readCampaignName } from './simulator';

/** The time in ms after the start of a job for which its actions are read. No document says how long people can act. */
const MAX_JOB_AGE_MS = 30 * 24 * 60 * 60_000;

const getActionType = (action: UserAction): string => upperFirst(action);

/** The values of `ActionType`: Opened, Clicked, Submitted and Reported. */
export const JOB_EVENT_ACTION_TYPES: readonly string[] = USER_ACTIONS.map(getActionType);

/** The company, the time and the actions whose events are read. */
export interface JobEventQuery {
	company: Choice | undefined;
	/** The time in ms since 1970 from which events are read. */
	since: number;
	actions: readonly UserAction[];
	/** True to leave out rows that are marked as those of bots. */
	excludeBots: boolean;
}

/**
 * Reads the events of a customer's people from the rows of campaign jobs, oldest first. A row has only the time of the
 * last action of each kind (deployment shapes, "Campaign reports"). So an event is a person's last action of a kind in a
 * job. It has the fields of an event in the timeline, and the fields of the row that identify the person and the job.
 * @throws RequestError
 */
export async function readJobEvents(
	client: HttpClient,
	signal: AbortSignal,
	{ company, since, actions, excludeBots }: JobEventQuery,
): Promise<CompanyEvents> {
	const reader = new JobReader(client, { company, signal, purpose: 'look for actions in campaign jobs' });
	const events: IDataObject[] = [];
	for (const simulator of SIMULATORS) {
		const jobs = await reader.readJobs(simulator);
		for (const jobRow of jobs.filter(({ row }) => !isStartedBefore(row, since - MAX_JOB_AGE_MS))) {
			const jobEvents: IDataObject[] = [];
			for (const action of actions) {
				const people = await reader.readPeople(simulator, jobRow.job, action, excludeBots);
				jobEvents.push(...people.map((person) => createEvent(simulator, jobRow, person, action)));
			}
			const recentEvents = jobEvents.filter((event) => (readJobEventTime(event) ?? 0) >= since);
			if (recentEvents.length > 0 && !(await isTest(reader, simulator, jobRow.job))) events.push(...recentEvents);
		}
	}
	// A row that moves to another page while the list is read is read twice.
	return { events: uniqBy(events, getJobEventKey), isComplete: reader.isComplete };
}

/** Returns true if a job started before a time. A job without a date may be new. @param time in ms since 1970 */
const isStartedBefore = (row: IDataObject, time: number): boolean => (parseTimeMs(readStartTime(row)) ?? time) < time;

/** Returns true if a job is a test, which only its summary shows. Events of tests are left out, because the platform's own list of events has none. */
const isTest = async (reader: JobReader, simulator: Simulator, job: CampaignJob): Promise<boolean> =>
	isTestRecord(await reader.readSummary(simulator, job));

/** Creates an event. The fields that a row doesn't have are null. */
const createEvent = (
	simulator: Simulator,
	{ job, row }: CampaignJobRow,
	person: IDataObject,
	action: UserAction,
): IDataObject => ({
	email: readId(person, ['email']) ?? null,
	firstName: readId(person, ['firstName']) ?? null,
	lastName: readId(person, ['lastName']) ?? null,
	department: readId(person, ['department']) ?? null,
	ActionTime: readId(person, [`last${upperFirst(action)}Time`]) ?? null,
	ActionType: getActionType(action),
	name: readCampaignName(row) ?? null,
	result: null,
	points: null,
	productType: getSimulatorTitle(simulator),
	campaignType: null,
	difficultyType: null,
	// The mark belongs to the person's opens and clicks in the job. It says nothing about a report (deployment activity 1).
	activityType: action === 'reported' ? null : (readId(person, ['activityType']) ?? null),
	resourceId: job.resourceId,
	targetUserResourceId: readId(person, ['targetUserResourceId']) ?? null,
	jobId: formatJobId(job),
	personResourceId: readId(person, ['resourceId']) ?? null,
});

/**
 * Returns a text that identifies an event: the row of the person, the job, the action and its last time. The action's
 * count isn't part of it, because it may change when a bot's action is recognized later (deployment activity 1).
 */
export function getJobEventKey(event: IDataObject): string {
	const personId = readId(event, ['personResourceId', 'targetUserResourceId', 'email']) ?? '';
	return JSON.stringify([personId, event.jobId, event.ActionType, event.ActionTime]);
}

/** Reads the time of an event in ms since 1970. */
export const readJobEventTime = ({ ActionTime }: IDataObject): number | undefined =>
	parseTimeMs(ActionTime) ?? undefined;
