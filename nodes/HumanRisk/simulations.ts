import { pick } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { SIMULATORS, type Simulator } from '../core/api/endpoints';
import { isInTimeRange } from '../core/fields/period';
import type { TimeRange } from '../core/fields/relativePeriods';
import { mapConcurrently } from '../core/http/mapConcurrently';
import type { OperationHelpers } from '../core/operation/defineOperation';
import { parseTimeMs, readId, toItemJson } from '../core/values';
import { createBotFilter } from '../domain/simulations/botFilter';
import { formatJobId, readJob, readJobId, readStartTime, type CampaignJob } from '../domain/simulations/campaignJob';
import { defineCampaignJobOperations } from '../domain/simulations/campaignJobOperations';
import {
	addActionFields,
	ALL_PEOPLE_SEARCH_TYPE,
	hasPerformedAction,
	mergeRowsByPerson,
} from '../domain/simulations/jobPeople';
import { defineSearchJobUsers } from '../domain/simulations/resultOperations';
import { readCampaignName } from '../domain/simulations/simulator';
import { isTestRecord } from '../domain/testRecords';
import { mapSimulators } from './figures';
import { hasMaskedEmail, readEmailKey } from './people';
import { findEarliestMs } from './periods';
import { addEmptyFiguresHint, readOrAddHint, readWholeList } from './readOrAddHint';

const MS_PER_MINUTE = 60_000;

/** The actions with which a person fails a simulation, the most serious one first. Only opening the message isn't a failure (deployment activity 3). */
export const FAILURE_ACTIONS = ['submitted', 'attachmentOpened', 'clicked'] as const;
export type FailureAction = (typeof FAILURE_ACTIONS)[number];

/** The actions for which an output column counts the simulations in which the person did this. */
export const COUNTED_ACTIONS = ['clicked', 'submitted', 'attachmentOpened', 'reported'] as const;
type CountedAction = (typeof COUNTED_ACTIONS)[number];

/**
 * The fields of a person's row that are kept (deployment shapes, "Campaign reports"). The other fields are dropped first, because copies of
 * whole rows take most of the memory of a run.
 */
const KEPT_ROW_FIELDS = [
	'activityType',
	'lastSendingTime',
	'isClicked',
	'clickedCount',
	'lastClickedTime',
	'isSubmitted',
	'submittedCount',
	'lastSubmittedTime',
	'attachmentOpenedCount',
	'lastAttachmentOpenedTime',
	'isReported',
	'reportedCount',
	'lastReportedTime',
];

/** The field with the time of the last action, by action. */
const FAILURE_TIME_FIELDS: Record<FailureAction, string> = {
	submitted: 'lastSubmittedTime',
	attachmentOpened: 'lastAttachmentOpenedTime',
	clicked: 'lastClickedTime',
};

/** The operations that read one kind of simulation. */
function defineSimulatorOperations(simulator: Simulator) {
	const searchJobUsersOperation = defineSearchJobUsers(simulator);
	const { getMany, getSummary } = defineCampaignJobOperations(simulator, searchJobUsersOperation);
	return { getManyJobsOperation: getMany, getJobSummaryOperation: getSummary, searchJobUsersOperation };
}

const OPERATIONS_BY_SIMULATOR = {
	phishing: defineSimulatorOperations('phishing'),
	quishing: defineSimulatorOperations('quishing'),
	smishing: defineSimulatorOperations('smishing'),
};

/** The operations whose requests read simulations. */
export const SIMULATION_DEPENDENCIES = Object.values(OPERATIONS_BY_SIMULATOR).flatMap((operations) =>
	Object.values(operations),
);

/** The campaign jobs of each kind of simulation; undefined if the list can't be read. */
export type JobLists = Record<Simulator, IDataObject[] | undefined>;

const getTopic = (simulator: Simulator) => `${simulator} simulations`;

/**
 * Reads the lists of campaign jobs of the company, one for each kind of simulation.
 * @param simulators the kinds to read; the lists of other kinds are empty
 * @throws RequestError
 */
export async function readJobLists(helpers: OperationHelpers, simulators: readonly Simulator[]): Promise<JobLists> {
	const readJobs = async (simulator: Simulator) => {
		if (!simulators.includes(simulator)) return [];
		const { getManyJobsOperation } = OPERATIONS_BY_SIMULATOR[simulator];
		const options = { identity: (row: IDataObject) => readJobId(simulator, row) };
		return await readWholeList(
			getTopic(simulator),
			`the list of ${simulator} campaign jobs`,
			helpers,
			getManyJobsOperation,
			{},
			options,
		);
	};
	return {
		phishing: await readJobs('phishing'),
		quishing: await readJobs('quishing'),
		smishing: await readJobs('smishing'),
	};
}

/**
 * Finds the start of the company's first campaign job.
 * @returns ms since 1970; Infinity if there is no job; null if a list can't be read or a job has no date
 */
export const findFirstJobMs = (jobLists: JobLists): number | null =>
	findEarliestMs(Object.values(jobLists).flatMap((jobs) => jobs?.map(readStartMs) ?? [null]));

const readStartMs = (job: IDataObject): number | null => parseTimeMs(readStartTime(job));

/** A simulation that a person failed. */
export interface Failure {
	simulator: Simulator;
	/** The person's actions, the most serious one first. */
	actions: FailureAction[];
	/** The time when the person last did the most serious action, in ms since 1970; null if it is unknown. */
	ms: number | null;
	campaignName: string;
}

/** The simulations of one person in a period. */
export interface PersonSimulations {
	receivedCounts: Record<Simulator, number>;
	/** For each action, the number of simulations in which the person did this. */
	actionCounts: Record<CountedAction, number>;
	/** For each kind of simulation, the number of simulations in which the person reported the message. */
	reportedCounts: Record<Simulator, number>;
	failures: Failure[];
	minutesToReport: number[];
	minutesToClick: number[];
	/** The time when the last message was sent, in ms since 1970; null if it is unknown. */
	lastSentMs: number | null;
}

/** The simulations that the people of a company got in a period, and what they did in them. */
export interface Simulations {
	/** By email address (see `readEmailKey`). A person who got no simulation has no entry. */
	byEmail: Map<string, PersonSimulations>;
	/** The kinds of simulations that couldn't be read completely. People without an entry may have got such a simulation. */
	unknownKinds: Set<Simulator>;
}

/** Returns true if something about the simulations couldn't be read. */
export const areSimulationsUnknown = ({ unknownKinds }: Simulations): boolean => unknownKinds.size > 0;

const createPersonSimulations = (): PersonSimulations => ({
	receivedCounts: mapSimulators(() => 0),
	actionCounts: { clicked: 0, submitted: 0, attachmentOpened: 0, reported: 0 },
	reportedCounts: mapSimulators(() => 0),
	failures: [],
	minutesToReport: [],
	minutesToClick: [],
	lastSentMs: null,
});

/** A campaign job whose people are read. */
interface ListedJob {
	simulator: Simulator;
	job: CampaignJob;
	row: IDataObject;
}

/**
 * Reads what the people of the company did in the simulations of a period. Tests and bots don't count. The people of each job are reduced to
 * counts and a few times at once, so that the rows of only a few jobs are in memory.
 * @throws RequestError
 */
export async function readSimulations(
	jobLists: JobLists,
	timeRange: TimeRange,
	helpers: OperationHelpers,
): Promise<Simulations> {
	const { client } = helpers.context;
	const simulations: Simulations = { byEmail: new Map(), unknownKinds: new Set() };
	const jobs = SIMULATORS.flatMap((simulator) => {
		const rows = jobLists[simulator];
		if (!rows) simulations.unknownKinds.add(simulator);
		return (rows ?? [])
			.filter((row) => isInTimeRange(readStartTime(row), timeRange) && !isTestRecord(row))
			.flatMap((row): ListedJob[] => {
				const job = readJob(simulator, row);
				return job ? [{ simulator, job, row }] : [];
			});
	});
	await mapConcurrently(jobs, client.settings.concurrency, async (listedJob) => {
		const people = await readJobPeople(listedJob, timeRange, helpers);
		if (people.isUnknown) simulations.unknownKinds.add(listedJob.simulator);
		for (const row of people.rows) addRow(simulations, listedJob, row);
	});
	return simulations;
}

/** The people of a job, one row per person. */
interface JobPeople {
	rows: IDataObject[];
	/** True if some people of the job are unknown. */
	isUnknown: boolean;
}

/** Reads the people to whom a job was sent. The job of a test has no people. @throws RequestError */
async function readJobPeople(
	{ simulator, job, row }: ListedJob,
	timeRange: TimeRange,
	helpers: OperationHelpers,
): Promise<JobPeople> {
	const { getJobSummaryOperation, searchJobUsersOperation } = OPERATIONS_BY_SIMULATOR[simulator];
	const topic = getTopic(simulator);
	const jobName = `${readCampaignName(row) ?? 'No name'} (${formatJobId(job)})`;
	const { resourceId, instanceGroup } = job;
	// Only the summary shows if the job is a test (deployment behaviour, "Trainings, groups, enrollments").
	const summary = await readOrAddHint(topic, jobName, helpers.context, async () => {
		const { data } = await helpers.callOperation(getJobSummaryOperation, { path: { resourceId, instanceGroup } });
		return toItemJson(data);
	});
	if (!summary) return { rows: [], isUnknown: true };
	if (isTestRecord(summary)) return { rows: [], isUnknown: false };
	const botFilter = createBotFilter(true, ALL_PEOPLE_SEARCH_TYPE);
	const parts = { path: { resourceId, instanceGroup, searchType: ALL_PEOPLE_SEARCH_TYPE }, body: botFilter.body };
	const rows = await readWholeList(topic, jobName, helpers, searchJobUsersOperation, parts);
	if (!rows) return { rows: [], isUnknown: true };
	const hasMaskedRow = rows.some(hasMaskedEmail);
	if (hasMaskedRow) addEmptyFiguresHint(topic, `${jobName}: the platform masks email addresses`, helpers.context);
	const hasDate = readStartMs(row) !== null;
	const sentRows = rows.filter((personRow) => {
		const sentTime = readId(personRow, ['lastSendingTime']);
		return sentTime !== undefined && (hasDate || isInTimeRange(sentTime, timeRange));
	});
	const keptRows = sentRows.flatMap((sentRow): IDataObject[] => {
		const email = readEmailKey(sentRow);
		if (email === undefined) return [];
		return [{ email, ...botFilter.clearBotActions(addActionFields(pick(sentRow, KEPT_ROW_FIELDS))) }];
	});
	return { rows: mergeRowsByPerson(keptRows), isUnknown: hasMaskedRow };
}

/** Returns the whole minutes between two times. @returns undefined if one of them is unknown, or if the second is earlier */
function calculateMinutes(startMs: number | null, endMs: number | null): number | undefined {
	if (startMs === null || endMs === null || endMs < startMs) return undefined;
	return Math.round((endMs - startMs) / MS_PER_MINUTE);
}

/** Adds the row of a person in a job to the person's simulations. */
function addRow({ byEmail }: Simulations, { simulator, row: jobRow }: ListedJob, row: IDataObject): void {
	const email = readId(row, ['email']) ?? '';
	const person = byEmail.get(email) ?? createPersonSimulations();
	byEmail.set(email, person);
	const sentMs = parseTimeMs(row.lastSendingTime);
	person.receivedCounts[simulator]++;
	if (sentMs !== null) person.lastSentMs = Math.max(sentMs, person.lastSentMs ?? sentMs);
	const actions = COUNTED_ACTIONS.filter((action) => isActionShown(row, action));
	for (const action of actions) person.actionCounts[action]++;
	if (actions.includes('reported')) person.reportedCounts[simulator]++;
	addFailure(person, simulator, row, readCampaignName(jobRow) ?? 'No name');
	// With two reports or clicks, the row only has the time of the last one. Text messages have no time of the report (deployment activity 2).
	const minutesToReport =
		simulator !== 'smishing' &&
		Number(row.reportedCount) === 1 &&
		calculateMinutes(sentMs, parseTimeMs(row.lastReportedTime));
	const minutesToClick = Number(row.clickedCount) === 1 && calculateMinutes(sentMs, parseTimeMs(row.lastClickedTime));
	if (typeof minutesToReport === 'number') person.minutesToReport.push(minutesToReport);
	if (typeof minutesToClick === 'number') person.minutesToClick.push(minutesToClick);
}

/**
 * Returns true if the row of a person shows the action. `addActionFields` has added a field for each action, except for an opened
 * attachment.
 */
const isActionShown = (row: IDataObject, action: CountedAction): boolean =>
	action === 'attachmentOpened' ? hasPerformedAction(row, action) === true : row[action] === true;

/** Adds the simulation to the person's failures, if the row shows that the person failed. */
function addFailure(person: PersonSimulations, simulator: Simulator, row: IDataObject, campaignName: string): void {
	const actions = FAILURE_ACTIONS.filter((action) => isActionShown(row, action));
	const [action] = actions;
	if (!action) return;
	const ms = parseTimeMs(row[FAILURE_TIME_FIELDS[action]]) ?? parseTimeMs(row.lastSendingTime);
	person.failures.push({ simulator, actions, ms, campaignName });
}
