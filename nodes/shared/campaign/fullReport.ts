import { omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { undatedHint } from '../answer/created';
import { identityOf } from '../answer/paging';
import { isTest } from '../answer/tests';
import { searchFilter } from '../form/search';
import { toggle } from '../form/toggle';
import { isRecord } from '../form/value';
import { windowFields, windowOf, type Window } from '../form/window';
import { defineComposite, type Tools } from '../operation/composite';
import type { Operation } from '../operation/operation';
import { FITTING } from '../operation/output';
import { TARGET_USER_ID } from '../pickers/enrollment';
import { runTogether } from '../transport/concurrency';
import { toJson } from '../transport/envelope';
import { firstAccepted, isRefusal } from '../transport/firstAccepted';
import { rethrow } from '../transport/errors';
import { USER_ACTIONS, ALL_PEOPLE, flagOf, hasDone, isOfGroup, PERSON_ID, type UserAction } from './jobUsers';
import { capitalized, jobKey, jobOf, jobPicker, titleOf, type Job, type Simulator } from './simulator';

type Steps = Record<'jobs' | 'summary' | 'people' | UserAction, Operation>;

/** Identifies the person of a row across lists. */
const personKey = (row: IDataObject) => identityOf(row, ['email', ...TARGET_USER_ID]);

const search = (orderBy: string) => ({
	orderBy,
	ascending: true,
	filter: searchFilter(),
});

/**
 * The operation that returns one run of a campaign as rows for a spreadsheet: one per person, each with the figures of
 * the run.
 */
export function fullReport(simulator: Simulator, steps: Steps): Operation {
	return defineComposite({
		value: 'fullReport',
		name: `Get Full ${titleOf(simulator)} Campaign Report`,
		action: `Get full ${simulator} campaign report`,
		description:
			'Get who opened, clicked and submitted in one job, a row per person, with the figures of the job in each row',
		scope: 'company',
		fields: { job: jobPicker(simulator) },
		reads: true,
		steps: Object.values(steps),
		run: async ({ job }, tools) => (await reportOf(job, steps, tools)).map((json) => ({ json })),
	});
}

/** The operation that returns all runs of a period as such rows, for one customer or every customer. */
export function fullReportOfPeriod(simulator: Simulator, steps: Steps): Operation {
	return defineComposite({
		value: 'fullReportOfPeriod',
		name: `Get Full ${titleOf(simulator)} Campaign Reports of Period`,
		action: `Get full ${simulator} campaign reports of period`,
		description:
			'Get who opened, clicked and submitted in all jobs of a month or another period, a row per person and job',
		scope: 'companies',
		owned: ['jobResourceId'],
		fields: {
			...windowFields,
			excludeTests: toggle({
				displayName: 'Exclude Tests',
				default: true,
				description: 'Whether to leave out jobs that are marked as a test',
			}),
			onlyActive: toggle({
				displayName: 'Only People Who Acted',
				default: false,
				description: 'Whether to leave out people who neither opened nor clicked nor submitted',
			}),
		},
		reads: true,
		steps: Object.values(steps),
		run: async ({ excludeTests, onlyActive, ...period }, tools) => {
			const window = windowOf(period, tools.session.timezone);
			const jobs = (await tools.list(steps.jobs, { body: search('Name') }, { identity: [] })).filter((row) =>
				isWithin(row, window),
			);
			const { company, hint } = tools.session;
			const of = company?.name ? ` of ${company.name}` : '';
			const undated = undatedHint(jobs.filter((row) => Number.isNaN(timeOf(row))).length, 'job', of);
			if (undated !== undefined) hint(undated);
			const reports = await runTogether(
				jobs.flatMap((row) => {
					const job = jobOf(simulator, row);
					const about = { jobName: nameOf(row), jobStartTime: startOf(row) };
					return job
						? [
								async (signal: AbortSignal) =>
									(await reportOf(job, steps, tools.withSignal(signal), excludeTests)).map((json) => ({
										...about,
										...json,
									})),
							]
						: [];
				}),
				tools.signal,
			);
			// A run that was sent to nobody has no people, so it gets no row here.
			const rows: IDataObject[] = reports.flat().filter((row) => USER_ACTIONS.some((action) => action in row));
			return rows
				.filter((row) => !onlyActive || USER_ACTIONS.some((action) => row[action] === true))
				.map((json) => ({ json }));
		},
	});
}

const nameOf = (row: IDataObject) => identityOf(row, ['name', 'campaignName']) ?? null;

/** When a job was started or, if it does not say, created. */
const startOf = (row: IDataObject) => identityOf(row, ['startDate', 'sentTime', 'createdDate', 'createTime']) ?? null;

const timeOf = (row: IDataObject) => Date.parse(startOf(row) ?? '');

/** Whether a job was started in the period; a job without any time is kept. */
function isWithin(row: IDataObject, { from, until }: Window): boolean {
	const time = timeOf(row);
	return Number.isNaN(time) || (time >= from && time < until);
}

/** The rows of one job. @param excludeTests whether a job that is a test has no rows @throws ServiceError */
async function reportOf(job: Job, steps: Steps, tools: Tools, excludeTests = false): Promise<IDataObject[]> {
	const { resourceId, instanceGroup } = job;
	const [summary, people] = await runTogether<[unknown, IDataObject[]]>(
		[
			async (signal) =>
				(await tools.withSignal(signal).ask(steps.summary, { path: { resourceId, instanceGroup } })).data,
			async (signal) => await peopleOf(job, steps, tools.withSignal(signal)),
		],
		tools.signal,
	);
	if (excludeTests && isTest(toJson(summary))) return [];
	const figures = figuresOf(summary, 'summary');
	const isFitting = tools.session.version >= FITTING;
	const about = {
		...(isFitting ? { jobId: jobKey(job) } : {}),
		jobResourceId: resourceId,
		instanceGroup: Number(instanceGroup),
	};
	// A run that was sent to nobody still has a row with its figures.
	return (people.length > 0 ? people : [{}]).map((row) => ({
		...(isFitting ? withoutDoubles(row) : row),
		...about,
		...figures,
	}));
}

/** A person's row without the service's own flags for what 'opened', 'clicked' and 'submitted' say on every deployment. */
const withoutDoubles = (row: IDataObject): IDataObject =>
	omit(row, USER_ACTIONS.filter((action) => typeof row[action] === 'boolean').map(flagOf));

/**
 * All people that a job was sent to, with what they did. On live deployments the rows of that list show it (deployment
 * behaviour); where they do not, it is taken from the lists of the whole campaign (contract 4.9).
 */
async function peopleOf(job: Job, steps: Steps, tools: Tools): Promise<IDataObject[]> {
	const { resourceId, instanceGroup } = job;
	const readAllPeople = async () => {
		const path = { resourceId, instanceGroup, searchType: ALL_PEOPLE };
		return await tools.list(steps.people, { path, body: search('Email') }, { identity: [] });
	};
	return await firstAccepted(
		async () => {
			const rows = await readAllPeople();
			const rowsShowActions = rows.some((row) => USER_ACTIONS.some((action) => hasDone(row, action) !== undefined));
			if (rowsShowActions) return await withMissingActions(rows.map(withActions), job, steps, tools);
			// People are returned even if no list says what they did.
			return await firstAccepted(
				async () => await fromLists(job, steps, tools, rows),
				async () => rows.map(withActions),
			);
		},
		async () => await fromLists(job, steps, tools, await silentPeople(job, steps, tools)),
	);
}

/**
 * The people of a job who did nothing, for a deployment that refuses the list of all people (deployment behaviour: the search
 * type NoResponse). None where it refuses that as well; then a hint says that they are missing.
 */
async function silentPeople(job: Job, steps: Steps, tools: Tools): Promise<IDataObject[]> {
	if (tools.session.version < FITTING) return [];
	const path = { ...job, searchType: 'NoResponse' };
	return await tools.list(steps.people, { path, body: search('Email') }, { identity: [] }).catch((error: unknown) => {
		if (!isRefusal(error)) return rethrow(error);
		tools.session.hint(
			'The platform lists only the people who opened, clicked or submitted, so the report has no rows of those who did nothing. How many they are is in the figures of the job.',
		);
		return [];
	});
}

/**
 * Adds the actions that no row shows, from the list of each action: live deployments do not count openings of text
 * messages in a person's row, but list who opened one (deployment shapes).
 */
async function withMissingActions(rows: IDataObject[], job: Job, steps: Steps, tools: Tools): Promise<IDataObject[]> {
	const missingActions = USER_ACTIONS.filter((action) => rows.every((row) => row[action] === null));
	const lists = await runTogether(
		missingActions.map((action) => async (signal: AbortSignal) => {
			const path = { ...job, searchType: capitalized(action) };
			const listed = tools.withSignal(signal).list(steps.people, { path, body: search('Email') }, { identity: [] });
			// Without that list the action stays unknown (null).
			return {
				action,
				people: await listed.then(
					(found) => found.map(rowKey),
					(error: unknown) => (isRefusal(error) ? undefined : rethrow(error)),
				),
			};
		}),
		tools.signal,
	);
	return rows.map((row) => ({
		...row,
		...Object.fromEntries(lists.map(({ action, people }) => [action, people ? people.includes(rowKey(row)) : null])),
	}));
}

/** Identifies a person's row in the lists of one job. */
const rowKey = (row: IDataObject) => identityOf(row, [...PERSON_ID, 'email', 'phoneNumber']);

/** A row with what the person did, under the same names on every deployment; null if the service does not say. */
const withActions = (row: IDataObject): IDataObject => ({
	...row,
	...Object.fromEntries(USER_ACTIONS.map((action) => [action, hasDone(row, action) ?? null])),
});

/** The people of a job, combined from the lists of those who opened, clicked and submitted. */
async function fromLists(job: Job, steps: Steps, tools: Tools, allPeople: IDataObject[]): Promise<IDataObject[]> {
	const lists = await runTogether(
		USER_ACTIONS.map((action) => async (signal: AbortSignal) => {
			const rows = await tools
				.withSignal(signal)
				.list(steps[action], { path: { resourceId: job.resourceId }, body: search('Email') }, { identity: [] });
			return { action, rows: rows.filter((row) => isOfGroup(row, job)) };
		}),
		tools.signal,
	);
	const people = new Map<string, IDataObject>();
	const noAction = { opened: false, clicked: false, submitted: false };
	const addPerson = (row: IDataObject, place: string, done: IDataObject) => {
		// A row without a person stays a row of its own, so that nothing is lost.
		const person = personKey(row) ?? place;
		people.set(person, { ...row, ...(people.get(person) ?? noAction), ...done });
	};
	for (const [index, row] of allPeople.entries()) addPerson(row, `all ${index}`, {});
	for (const { action, rows } of lists)
		for (const [index, row] of rows.entries()) addPerson(row, `${action} ${index}`, { [action]: true });
	return [...people.values()];
}

/**
 * The figures of a summary as flat fields, with the path as name: summary_sent_total. Lists, such as mail templates,
 * are left out.
 */
function figuresOf(data: unknown, prefix: string): IDataObject {
	const figures: IDataObject = {};
	for (const [name, value] of Object.entries(toJson(data))) {
		if (isRecord(value)) Object.assign(figures, figuresOf(value, `${prefix}_${name}`));
		else if (!Array.isArray(value)) figures[`${prefix}_${name}`] = value;
	}
	return figures;
}
