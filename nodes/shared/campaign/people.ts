import { omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { Answered } from '../answer/answer';
import type { KnownFields } from '../answer/output';
import type { Field } from '../form/field';
import { locatorValue, optional } from '../form/fields';
import type { PerformTools } from '../operation/operation';
import { sourceOf, textIn, wholeSource, type Listing } from '../pickers/listing';
import { multiPicker, picker } from '../pickers/picker';
import { firstAccepted, isMissing, isRefused } from '../transport/errors';
import { parseId } from '../transport/request';
import { capitalized, parseJob, titleOf, type Job, type Simulator } from './simulator';
import { ofSimulator } from '../transport/endpoints';
import { identityOf, type Choice } from '../values';

/** What a person can do with a simulated message, in order. */
export const USER_ACTIONS = ['opened', 'clicked', 'submitted'] as const;
export type UserAction = (typeof USER_ACTIONS)[number];

/** The fields of a person's row (deployment shapes), with those that our operations add. */
export const PERSON: KnownFields = {
	id: ['jobId'],
	simplified: [
		...['campaignName', 'jobId', 'jobStartTime', 'resourceId', 'email', 'phoneNumber', 'firstName', 'lastName'],
		...['department', ...USER_ACTIONS, 'lastOpenedTime', 'lastClickedTime', 'lastSubmittedTime'],
	],
	others: [
		...['openedCount', 'clickedCount', 'submittedCount', 'reportedCount', 'lastReportedTime', 'status', 'activityType'],
		...['preferredLanguage', 'customFieldValues'],
	],
};

/** The endpoint that lists the people of a job by what they did (contract 4.9). */
export const peopleEndpoint = (simulator: Simulator) =>
	ofSimulator(
		simulator,
		'POST /api/SIM-simulator/SIM-campaign-job-report/{searchType}/search/{resourceId}/{instanceGroup}',
	);

/** The endpoint for an action (contract 4.9): it lists events, or the people. */
export const eventsEndpoint = (simulator: Simulator, action: UserAction) =>
	ofSimulator(simulator, `POST /api/SIM-simulator/SIM-campaign-job-report/search-email-${action}/{resourceId}`);

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
	const [count, time, flag] = [row[`${action}Count`], row[`last${Action}Time`], row[`is${Action}`]];
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
});

/** The ID of a person in a job, which is not the person's own (deployment activity, 4). */
export const PERSON_ROW = ['resourceId'] as const;

/** The field that chooses several people of the chosen job, by the IDs of their rows. */
export const jobPeoplePicker = (simulator: Simulator): Field<string[]> =>
	multiPicker({
		displayName: 'People Names or IDs',
		hint: `The ID is the field resourceId of 'Search ${titleOf(simulator)} Campaign Job Users'`,
		required: true,
		method: `load${titleOf(simulator)}People`,
		thing: 'person',
		source: sourceOf({ ...peopleListing(simulator, PERSON_ROW), dependsOn: ['job.value'] }),
	});

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
		source: wholeSource(async () => await Promise.resolve(SEARCH_TYPES)),
	});
	return { ...field, parse: (raw) => parseId(locatorValue(raw)) };
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
	return await firstAccepted(
		async () => await people(searchType),
		async () => await people(ALL_PEOPLE, { isWanted: (row) => hasDone(row, 'submitted') === true }),
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
	return await firstAccepted(
		async () => await peopleOfType(simulator, job, action === 'submitted' ? SUBMITTED : capitalized(action), send),
		async () => asPeople(await send({ path: { resourceId: job.resourceId } }, { isWanted: isOfJob })),
	);
}

/** What one person did and when, by the ID of the person's row. @throws ServiceError */
export const eventsOf = async ({ id }: Choice, send: Send): Promise<Answered[]> =>
	await send({ path: { resourceId: id } }, { mayBeAlone: true });
