import type { IDataObject } from 'n8n-workflow';

import { identityOf } from '../answer/paging';
import { isTest } from '../answer/tests';
import { toggle } from '../form/toggle';
import { isRecord } from '../form/value';
import { windowFields, windowOf, type Window } from '../form/window';
import { defineComposite, type Tools } from '../operation/composite';
import type { Operation } from '../operation/operation';
import { TARGET_USER_ID } from '../pickers/enrollment';
import { runTogether } from '../transport/concurrency';
import { toJson } from '../transport/envelope';
import { firstAccepted, isRefusal } from '../transport/firstAccepted';
import { asError } from '../transport/errors';
import { USER_ACTIONS, EVERYBODY, hasDone, isOfGroup, PERSON_ID, type UserAction } from './jobUsers';
import { capitalized, jobOf, jobPicker, titleOf, type Job, type Simulator } from './simulator';

type Steps = Record<'jobs' | 'summary' | 'people' | UserAction, Operation>;

/** Who a row is about. */
const personOf = (row: IDataObject) => identityOf(row, ['email', ...TARGET_USER_ID]);

const search = (orderBy: string) => ({
	orderBy,
	ascending: true,
	filter: { Condition: 'AND', SearchInputTextValue: '', FilterGroups: [] },
});

/** A run of a campaign as rows for a sheet: one per person that it was sent to, with the run's figures beside. */
export function fullReport(simulator: Simulator, steps: Steps): Operation {
	return defineComposite({
		value: 'fullReport',
		name: `Get Full ${titleOf(simulator)} Campaign Report`,
		action: `Get full ${simulator} campaign report`,
		description:
			'Get who opened, clicked and submitted in one run, a row per person, with the figures of the run in each row',
		scope: 'company',
		fields: { job: jobPicker(simulator) },
		reads: true,
		steps: Object.values(steps),
		run: async ({ job }, tools) => (await reportOf(job, steps, tools)).map((json) => ({ json })),
	});
}

/** The same for all runs of a period, of one customer or of every one. */
export function fullReportOfPeriod(simulator: Simulator, steps: Steps): Operation {
	return defineComposite({
		value: 'fullReportOfPeriod',
		name: `Get Full ${titleOf(simulator)} Campaign Reports of Period`,
		action: `Get full ${simulator} campaign reports of period`,
		description:
			'Get who opened, clicked and submitted in all runs of a month or another period, a row per person and run',
		scope: 'companies',
		fields: {
			...windowFields,
			excludeTests: toggle({
				displayName: 'Exclude Tests',
				default: true,
				description: 'Whether to leave out runs that are marked as a test',
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
			const reports = await runTogether(
				jobs.flatMap((row) => {
					const job = jobOf(simulator, row);
					const about = { jobName: nameOf(row), jobStartTime: startOf(row) };
					return job
						? [
								async (signal: AbortSignal) =>
									(await reportOf(job, steps, tools.until(signal), excludeTests)).map((json) => ({
										...about,
										...json,
									})),
							]
						: [];
				}),
				tools.signal,
			);
			// A run that was sent to nobody has no row among the people.
			const rows: IDataObject[] = reports.flat().filter((row) => USER_ACTIONS.some((deed) => deed in row));
			return rows
				.filter((row) => !onlyActive || USER_ACTIONS.some((deed) => row[deed] === true))
				.map((json) => ({ json }));
		},
	});
}

const nameOf = (row: IDataObject) => identityOf(row, ['name', 'campaignName']) ?? null;

/** When a job was started, or at least made. */
const startOf = (row: IDataObject) => identityOf(row, ['startDate', 'sentTime', 'createdDate', 'createTime']) ?? null;

/** A job that does not say when it was is not left out. */
function isWithin(row: IDataObject, { from, until }: Window): boolean {
	const time = Date.parse(startOf(row) ?? '');
	return Number.isNaN(time) || (time >= from && time < until);
}

/** The rows of one job. @param excludeTests whether a test has none @throws ServiceError */
async function reportOf(job: Job, steps: Steps, tools: Tools, excludeTests = false): Promise<IDataObject[]> {
	const { resourceId, instanceGroup } = job;
	const [summary, people] = await runTogether<[unknown, IDataObject[]]>(
		[
			async (signal) => (await tools.until(signal).ask(steps.summary, { path: { resourceId, instanceGroup } })).data,
			async (signal) => await peopleOf(job, steps, tools.until(signal)),
		],
		tools.signal,
	);
	if (excludeTests && isTest(toJson(summary))) return [];
	const figures = figuresOf(summary, 'summary');
	const about = { jobResourceId: resourceId, instanceGroup: Number(instanceGroup) };
	// A run that was sent to nobody still has its figures.
	return (people.length > 0 ? people : [{}]).map((row) => ({ ...row, ...about, ...figures }));
}

/**
 * Everybody that a job was sent to, with what they did. The list of all people says so in its rows on live deployments
 * (deployment behaviour); where it does not, the lists of the whole campaign tell (contract 4.9).
 */
async function peopleOf(job: Job, steps: Steps, tools: Tools): Promise<IDataObject[]> {
	const { resourceId, instanceGroup } = job;
	const everybody = async () => {
		const path = { resourceId, instanceGroup, searchType: EVERYBODY };
		return await tools.list(steps.people, { path, body: search('Email') }, { identity: [] });
	};
	return await firstAccepted(
		async () => {
			const rows = await everybody();
			const tells = rows.some((row) => USER_ACTIONS.some((deed) => hasDone(row, deed) !== undefined));
			if (tells) return await completed(rows.map(withDeeds), job, steps, tools);
			// Whoever is listed is told, even if nothing says what they did.
			return await firstAccepted(
				async () => await fromLists(job, steps, tools, rows),
				async () => rows.map(withDeeds),
			);
		},
		async () => await fromLists(job, steps, tools, []),
	);
}

/**
 * What no row of all people says is looked up in the list named after it: live deployments count no openings of text
 * messages in a person's row, but list who opened one (deployment shapes).
 */
async function completed(rows: IDataObject[], job: Job, steps: Steps, tools: Tools): Promise<IDataObject[]> {
	const untold = USER_ACTIONS.filter((deed) => rows.every((row) => row[deed] === null));
	const lists = await runTogether(
		untold.map((deed) => async (signal: AbortSignal) => {
			const path = { ...job, searchType: capitalized(deed) };
			const listed = tools.until(signal).list(steps.people, { path, body: search('Email') }, { identity: [] });
			// Without that list nobody says it.
			return {
				deed,
				people: await listed.then(
					(found) => found.map(rowOf),
					(error: unknown) => (isRefusal(error) ? undefined : Promise.reject(asError(error))),
				),
			};
		}),
		tools.signal,
	);
	return rows.map((row) => ({
		...row,
		...Object.fromEntries(lists.map(({ deed, people }) => [deed, people ? people.includes(rowOf(row)) : null])),
	}));
}

/** What tells a person's row apart in the lists of one job. */
const rowOf = (row: IDataObject) => identityOf(row, [...PERSON_ID, 'email', 'phoneNumber']);

/** A row with what the person did, the same names on every deployment; null where the service does not say. */
const withDeeds = (row: IDataObject): IDataObject => ({
	...row,
	...Object.fromEntries(USER_ACTIONS.map((deed) => [deed, hasDone(row, deed) ?? null])),
});

/** People put together from the lists of those who opened, clicked and submitted. */
async function fromLists(job: Job, steps: Steps, tools: Tools, everybody: IDataObject[]): Promise<IDataObject[]> {
	const lists = await runTogether(
		USER_ACTIONS.map((deed) => async (signal: AbortSignal) => {
			const rows = await tools
				.until(signal)
				.list(steps[deed], { path: { resourceId: job.resourceId }, body: search('Email') }, { identity: [] });
			return { deed, rows: rows.filter((row) => isOfGroup(row, job)) };
		}),
		tools.signal,
	);
	const people = new Map<string, IDataObject>();
	const nothing = { opened: false, clicked: false, submitted: false };
	const note = (row: IDataObject, place: string, done: IDataObject) => {
		// A row without a person stays a row of its own, so that nothing is lost.
		const person = personOf(row) ?? place;
		people.set(person, { ...row, ...(people.get(person) ?? nothing), ...done });
	};
	for (const [index, row] of everybody.entries()) note(row, `all ${index}`, {});
	for (const { deed, rows } of lists)
		for (const [index, row] of rows.entries()) note(row, `${deed} ${index}`, { [deed]: true });
	return [...people.values()];
}

/** A summary's figures under names of their own, those inside its parts as well; lists, such as mail templates, are left out. */
function figuresOf(data: unknown, prefix: string): IDataObject {
	const figures: IDataObject = {};
	for (const [name, value] of Object.entries(toJson(data))) {
		if (isRecord(value)) Object.assign(figures, figuresOf(value, `${prefix}_${name}`));
		else if (!Array.isArray(value)) figures[`${prefix}_${name}`] = value;
	}
	return figures;
}
