import { groupBy, mergeWith, omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { Answered } from '../../core/response/responseHandler';
import type { KnownFields } from '../../core/response/outputFields';
import { pages, USER_SORT } from '../../core/response/listResponse';
import type { Field } from '../../core/fields/field';
import { locatorValue, optional } from '../../core/fields/fieldTypes';
import type { PerformTools } from '../../core/operation/defineOperation';
import { sourceOf, textIn, wholeSource, type Listing } from '../../core/pickers/listSource';
import { multiPicker, PEOPLE_SEARCH, picker } from '../../core/pickers/picker';
import { withFallback, isMissing, isRefused } from '../../core/http/errors';
import { parsePart } from '../../core/http/request';
import { capitalized, parseJob, titleOf, type Job, type Simulator } from './simulator';
import { ofSimulator } from '../../core/api/endpoints';
import { havingName, identityOf, type Choice, toJson } from '../../core/values';

/** What a person can do with a simulated message, in order. */
export const USER_ACTIONS = ['opened', 'clicked', 'submitted', 'reported'] as const;
export type UserAction = (typeof USER_ACTIONS)[number];
/** Those of them that a simulation warns of. */
export const RISKY_ACTIONS = ['opened', 'clicked', 'submitted'] as const;
export type RiskyAction = (typeof RISKY_ACTIONS)[number];

/** The fields of a person's row (deployment shapes), with those that our operations add. */
export const PERSON: KnownFields = {
	id: ['jobId'],
	simplified: [
		'email',
		'firstName',
		'lastName',
		'phoneNumber',
		'department',
		'campaignName',
		'jobStartTime',
		...USER_ACTIONS,
		'lastOpenedTime',
		'lastClickedTime',
		'lastSubmittedTime',
		'activityType',
		'jobId',
		'resourceId',
	],
	others: [
		'openedCount',
		'clickedCount',
		'submittedCount',
		'reportedCount',
		'lastReportedTime',
		'status',
		'preferredLanguage',
		'customFieldValues',
	],
};

/** The answer of a list of people. The same person may be listed for several jobs, so rows have no identity. */
export const people = () => pages({ known: PERSON, identity: [], sortable: USER_SORT });

/** The endpoint that lists the people of a job by what they did (contract 4.9). */
export const peopleEndpoint = (simulator: Simulator) =>
	ofSimulator(
		simulator,
		'POST /api/SIM-simulator/SIM-campaign-job-report/{searchType}/search/{resourceId}/{instanceGroup}',
	);

/** The endpoint for an action (contract 4.9): it lists events, or the people. */
export const eventsEndpoint = (simulator: Simulator, action: RiskyAction) =>
	ofSimulator(simulator, `POST /api/SIM-simulator/SIM-campaign-job-report/search-email-${action}/{resourceId}`);

/** The events of who reported, which text messages do not have (deployment activity 2). */
export const REPORTED_EVENTS = {
	phishing: 'POST /api/phishing-simulator/phishing-campaign-job-report/search-email-reported/{resourceId}',
	quishing: 'POST /api/quishing-simulator/quishing-campaign-job-report/search-email-reported/{resourceId}',
} as const;

/** The search type of all people that a job was sent to (deployment behaviour, "Campaign reports"). */
export const ALL_PEOPLE = 'All';
const SUBMITTED = 'SubmittedData';

/** The platform's search types (deployment behaviour, "Campaign reports"; deployment activity, 2). */
const SEARCH_TYPES = [
	{ id: ALL_PEOPLE, name: 'All People' },
	{ id: 'AttachmentOpened', name: 'Attachment Opened' },
	{ id: 'Clicked', name: 'Clicked' },
	{ id: 'MFA', name: 'MFA' },
	{ id: 'NoResponse', name: 'No Response' },
	{ id: 'Opened', name: 'Opened' },
	{ id: 'Replied', name: 'Replied' },
	{ id: 'Reported', name: 'Reported' },
	{ id: SUBMITTED, name: 'Submitted Data' },
];

/**
 * Whether a row of a job's people shows that the person did something: by a count and a time, or a flag (deployment shapes).
 * @returns null if the row does not say, such as who opened a text message
 */
export function hasDone(row: IDataObject, action: UserAction): boolean | null {
	const Action = capitalized(action);
	const count = row[`${action}Count`];
	const time = row[`last${Action}Time`];
	const flag = row[`is${Action}`];
	if (count === undefined && time === undefined && flag === undefined) return null;
	return Number(count ?? 0) > 0 || (typeof time === 'string' && time !== '') || flag === true;
}

/** A person's row with what the person did, under the same names everywhere. */
export const withActions = (row: IDataObject): IDataObject => ({
	...Object.fromEntries(USER_ACTIONS.map((action) => [action, hasDone(row, action)])),
	...omit(
		row,
		USER_ACTIONS.flatMap((action) => [action, `is${capitalized(action)}`]),
	),
});

/** The people of the job that is chosen in the form. @param id the fields that may have the ID of a row */
const peopleListing = (simulator: Simulator, id: readonly string[]): Listing => ({
	endpoint: peopleEndpoint(simulator),
	path: (editor) => ({ ...parseJob(textIn(editor, 'job', 'Campaign Job')), searchType: ALL_PEOPLE }),
	id,
	name: ['email', 'phoneNumber', 'firstName'],
	scoped: true,
	dependsOn: ['job.value'],
});

/** The ID of a person in a job, which is not the person's own (deployment activity, 4). */
export const PERSON_ROW = ['resourceId'] as const;

/** The field that chooses several people of the chosen job, by the IDs of their rows. */
export const jobPeoplePicker = (simulator: Simulator): Field<string[]> =>
	multiPicker({
		displayName: 'Target User Names or IDs',
		description: 'The people, by e-mail address, phone number or the ID of their row',
		search: PEOPLE_SEARCH,
		hint: `The ID is the field resourceId of 'Search ${titleOf(simulator)} Campaign Job Users'`,
		required: true,
		method: `load${titleOf(simulator)}People`,
		thing: 'person',
		source: sourceOf(peopleListing(simulator, PERSON_ROW)),
	});

/** The fields that tell whose a row is. */
const WHOSE = ['targetUserId', 'targetUserResourceId', 'email', 'phoneNumber'];

/** What two rows of a person say together: what is so in one of them is so; counts are added, and the later time stays. */
function together(one: unknown, other: unknown, name: string): unknown {
	if (typeof one === 'boolean' && typeof other === 'boolean') return one || other;
	if (/Count$/.test(name)) return Number(one ?? 0) + Number(other ?? 0);
	if (/Time$/.test(name) && typeof one === 'string' && typeof other === 'string') return one > other ? one : other;
	return one ?? other;
}

/** Rows of people, one for each person: of two messages to everybody, a lure and a payload, each has two (deployment activity 1). */
export function onePerPerson(rows: IDataObject[]): IDataObject[] {
	const keyOf = (row: IDataObject) => {
		const known = WHOSE.map((name) => identityOf(row, [name]) ?? '');
		return known.join('') === '' ? `row ${rows.indexOf(row)}` : `person ${JSON.stringify(known)}`;
	};
	return Object.values(groupBy(rows, keyOf)).map(([first = {}, ...others]) =>
		others.reduce((all, row) => toJson(mergeWith({ ...all }, row, together)), first),
	);
}

/** The field that chooses one person of the chosen job; empty means all people. */
export const personPicker = (simulator: Simulator): Field<Choice | undefined> =>
	optional(
		picker({
			displayName: 'Target User',
			description: 'Only this person, an item per event. Empty means everybody, an item per person.',
			required: false,
			method: `search${titleOf(simulator)}People`,
			thing: 'person',
			// Live platforms find the events by the row's own ID (deployment behaviour); the contract's rows may lack it.
			source: sourceOf(peopleListing(simulator, [...PERSON_ROW, 'targetUserResourceId'])),
		}),
	);

/** The field that chooses what the people of a job did, or takes a platform's own word. */
export function searchTypePicker(): Field<string> {
	const field = picker({
		displayName: 'Search Type',
		description: "What the people did. Enter another word By Name if your platform's documentation names one.",
		method: 'searchSearchTypes',
		thing: 'search type',
		typed: 'By Name',
		example: 'Reported',
		default: ALL_PEOPLE,
		defaultName: 'All People',
		source: wholeSource(async () => Promise.resolve(SEARCH_TYPES)),
	});
	return {
		...field,
		parse: (raw) => {
			const word = parsePart(locatorValue(raw));
			return havingName(SEARCH_TYPES, word, ({ name }) => name)[0]?.id ?? word;
		},
	};
}

type Send = PerformTools['send'];

const asPeople = (answered: Answered[]) => answered.map(({ json, ...each }) => ({ ...each, json: withActions(json) }));

/**
 * The people of a job by a search type; who submitted data is looked for among all people where the platform refuses that type
 * (deployment behaviour, "Campaign reports").
 * @throws ServiceError
 */
export async function peopleOfType(
	simulator: Simulator,
	job: Job,
	searchType: string,
	send: Send,
): Promise<Answered[]> {
	const people = async (type: string, shape?: Parameters<Send>[1]) =>
		asPeople(await send({ endpoint: peopleEndpoint(simulator), path: { ...job, searchType: type } }, shape));
	return await withFallback(
		async () => people(searchType),
		async () => people(ALL_PEOPLE, { isWanted: (row) => hasDone(row, 'submitted') === true }),
		(thrown) => searchType === SUBMITTED && isRefused(thrown) && !isMissing(thrown),
	);
}

/**
 * The people of a job who did something, one row each; from the contract's list, which is of the whole campaign, where a
 * platform has no such search type.
 * @throws ServiceError
 */
export async function peopleWho(simulator: Simulator, job: Job, action: UserAction, send: Send): Promise<Answered[]> {
	const isOfJob = (row: IDataObject) => (identityOf(row, ['instanceGroup']) ?? job.instanceGroup) === job.instanceGroup;
	return await withFallback(
		async () => peopleOfType(simulator, job, action === 'submitted' ? SUBMITTED : capitalized(action), send),
		async () => asPeople(await send({ path: { resourceId: job.resourceId } }, { isWanted: isOfJob })),
	);
}

/** What one person did and when, by the ID of the person's row. @throws ServiceError */
export const eventsOf = async ({ id }: Choice, send: Send): Promise<Answered[]> =>
	send({ path: { resourceId: id } }, { mayBeAlone: true });
