import { groupBy, mergeWith, omit, upperFirst } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { ResultItem } from '../../core/response/responseHandler';
import type { OutputFields } from '../../core/response/outputFields';
import { listResponse, USER_SORT } from '../../core/response/listResponse';
import type { Field } from '../../core/fields/field';
import { readLocatorValue, makeOptional } from '../../core/fields/fieldTypes';
import type { PerformTools } from '../../core/operation/defineOperation';
import {
	createListSource,
	createWholeListSource,
	readFormText,
	type ChoiceListDefinition,
} from '../../core/pickers/listSource';
import { listMultiPicker, PEOPLE_SEARCH_FIELD, listPicker } from '../../core/pickers/picker';
import { withFallback, isNotFound, isRejected } from '../../core/http/errors';
import { parsePathSegment } from '../../core/http/resourceId';
import { parseJob, type CampaignJob } from './campaignJob';
import { getSimulatorTitle, type Simulator } from './simulator';
import { getSimulatorEndpointKey } from '../../core/api/endpoints';
import { findByName, readId, type Choice, toItemJson } from '../../core/values';

/** The actions of a person with a simulated message, in the order in which they happen. */
export const USER_ACTIONS = ['opened', 'clicked', 'submitted', 'reported'] as const;
export type UserAction = (typeof USER_ACTIONS)[number];
/** The actions that a person should avoid. */
export const RISKY_ACTIONS = ['opened', 'clicked', 'submitted'] as const;
export type RiskyAction = (typeof RISKY_ACTIONS)[number];

/**
 * The output fields of a person in a job (deployment shapes, "Campaign reports"), including the fields that our
 * operations add.
 */
export const JOB_PERSON_FIELDS: OutputFields = {
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
	additional: [
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

/**
 * Creates the response handler for a list of a job's people. Rows have no identity, because a person may occur in
 * several jobs.
 */
export const jobPeopleResponse = () =>
	listResponse({ outputFields: JOB_PERSON_FIELDS, identity: [], sortable: USER_SORT });

/** Returns the endpoint that lists the people of a job by a search type (contract 4.9). */
export const getJobPeopleEndpoint = (simulator: Simulator) =>
	getSimulatorEndpointKey(
		simulator,
		'POST /api/SIM-simulator/SIM-campaign-job-report/{searchType}/search/{resourceId}/{instanceGroup}',
	);

/**
 * Returns the endpoint for one action (contract 4.9). Depending on the ID in its path, it lists people or the events of
 * one person.
 */
export const getActionEndpoint = (simulator: Simulator, action: RiskyAction) =>
	getSimulatorEndpointKey(
		simulator,
		`POST /api/SIM-simulator/SIM-campaign-job-report/search-email-${action}/{resourceId}`,
	);

/** The endpoints that list who reported a message. There is none for text messages (deployment activity 2). */
export const REPORTED_ENDPOINTS = {
	phishing: 'POST /api/phishing-simulator/phishing-campaign-job-report/search-email-reported/{resourceId}',
	quishing: 'POST /api/quishing-simulator/quishing-campaign-job-report/search-email-reported/{resourceId}',
} as const;

/** The search type for all people that a job was sent to (deployment behaviour, "Campaign reports"). */
export const ALL_PEOPLE = 'All';
const SUBMITTED_DATA = 'SubmittedData';

/** The platform's search types (deployment behaviour, "Campaign reports"; deployment activity 2). */
const SEARCH_TYPES: Choice[] = [
	{ id: ALL_PEOPLE, name: 'All People' },
	{ id: 'AttachmentOpened', name: 'Attachment Opened' },
	{ id: 'Clicked', name: 'Clicked' },
	{ id: 'MFA', name: 'MFA' },
	{ id: 'NoResponse', name: 'No Response' },
	{ id: 'Opened', name: 'Opened' },
	{ id: 'Replied', name: 'Replied' },
	{ id: 'Reported', name: 'Reported' },
	{ id: SUBMITTED_DATA, name: 'Submitted Data' },
];

/**
 * Returns true if a person's row shows that the person performed an action. Platforms show it with a count, a time or a
 * flag (deployment shapes, "Campaign reports").
 * @returns null if the row has none of these fields, such as those about opening a text message
 */
export function hasPerformed(row: IDataObject, action: UserAction): boolean | null {
	const count = row[`${action}Count`];
	const time = row[`last${upperFirst(action)}Time`];
	const flag = row[`is${upperFirst(action)}`];
	if (count === undefined && time === undefined && flag === undefined) return null;
	return Number(count ?? 0) > 0 || (typeof time === 'string' && time !== '') || flag === true;
}

/** Adds the actions of a person to the person's row, under the same names for every platform. */
export function addActions(row: IDataObject): IDataObject {
	const actions: IDataObject = {};
	for (const action of USER_ACTIONS) actions[action] = hasPerformed(row, action);
	const replacedFields = USER_ACTIONS.flatMap((action) => [action, `is${upperFirst(action)}`]);
	return { ...actions, ...omit(row, replacedFields) };
}

/**
 * Returns the list of people in the job that is selected in the form.
 * @param idFields the fields that may contain the ID of a row
 */
const getJobPeopleList = (simulator: Simulator, idFields: readonly string[]): ChoiceListDefinition => ({
	endpoint: getJobPeopleEndpoint(simulator),
	buildPath: (context) => ({ ...parseJob(readFormText(context, 'job', 'Campaign Job')), searchType: ALL_PEOPLE }),
	idFields,
	nameFields: ['email', 'phoneNumber', 'firstName'],
	isPerCompany: true,
	dependsOn: ['job.value'],
});

/** The fields with the ID of a person's row in a job. It differs from the ID of the person (deployment activity 4). */
export const JOB_PERSON_ID_FIELDS = ['resourceId'] as const;

/** Creates the field that selects several people of the selected job, by the IDs of their rows. */
export const jobPeoplePicker = (simulator: Simulator): Field<string[]> =>
	listMultiPicker({
		displayName: 'Target User Names or IDs',
		description: 'The people, by e-mail address, phone number or the ID of their row',
		listSearchField: PEOPLE_SEARCH_FIELD,
		hint: `The ID is the field resourceId of 'Search ${getSimulatorTitle(simulator)} Campaign Job Users'`,
		required: true,
		listMethod: `load${getSimulatorTitle(simulator)}People`,
		noun: 'person',
		source: createListSource(getJobPeopleList(simulator, JOB_PERSON_ID_FIELDS)),
	});

/** The fields that identify the person of a row. */
const PERSON_KEY_FIELDS = ['targetUserId', 'targetUserResourceId', 'email', 'phoneNumber'];

/**
 * Merges the values of a field from two rows of the same person. Flags are combined with "or", counts are added, and
 * the later time is kept. Of other values, the first is kept.
 */
function mergeValues(first: unknown, second: unknown, fieldName: string): unknown {
	if (typeof first === 'boolean' && typeof second === 'boolean') return first || second;
	if (/Count$/.test(fieldName)) return Number(first ?? 0) + Number(second ?? 0);
	if (/Time$/.test(fieldName) && typeof first === 'string' && typeof second === 'string')
		return first > second ? first : second;
	return first ?? second;
}

/**
 * Merges the rows of each person into one row. A person has two rows if the job sent two messages, a lure and a payload
 * (deployment activity 1). A row that doesn't identify its person isn't merged.
 */
export function mergeRowsByPerson(rows: IDataObject[]): IDataObject[] {
	const getPersonKey = (row: IDataObject) => {
		const keyValues = PERSON_KEY_FIELDS.map((name) => readId(row, [name]) ?? '');
		return keyValues.join('') === '' ? `row ${rows.indexOf(row)}` : `person ${JSON.stringify(keyValues)}`;
	};
	return Object.values(groupBy(rows, getPersonKey)).map(([firstRow = {}, ...furtherRows]) =>
		furtherRows.reduce((merged, row) => toItemJson(mergeWith({ ...merged }, row, mergeValues)), firstRow),
	);
}

/** Creates the field that selects one person of the selected job. If it is empty, all people are returned. */
export const jobPersonPicker = (simulator: Simulator): Field<Choice | undefined> =>
	makeOptional(
		listPicker({
			displayName: 'Target User',
			description: 'Only this person, an item per event. Empty means everybody, an item per person.',
			required: false,
			listMethod: `search${getSimulatorTitle(simulator)}People`,
			noun: 'person',
			// Live platforms list the events by the ID of the person's row (deployment behaviour, "Campaign reports"). The
			// contract's rows may have only the ID of the person.
			source: createListSource(getJobPeopleList(simulator, [...JOB_PERSON_ID_FIELDS, 'targetUserResourceId'])),
		}),
	);

/**
 * Creates the field that selects people by their actions. It also accepts a search type that only some platforms have.
 */
export function searchTypePicker(): Field<string> {
	const field = listPicker({
		displayName: 'Search Type',
		description: "What the people did. Enter another word By Name if your platform's documentation names one.",
		listMethod: 'searchSearchTypes',
		noun: 'search type',
		idModeLabel: 'By Name',
		idExample: 'Reported',
		default: ALL_PEOPLE,
		defaultLabel: 'All People',
		source: createWholeListSource(() => Promise.resolve(SEARCH_TYPES)),
	});
	return {
		...field,
		parse: (raw) => {
			const entered = parsePathSegment(readLocatorValue(raw));
			const [searchType] = findByName(SEARCH_TYPES, entered, ({ name }) => name);
			return searchType?.id ?? entered;
		},
	};
}

type Send = PerformTools['send'];

const addActionsToItems = (items: ResultItem[]): ResultItem[] =>
	items.map((item) => ({ ...item, json: addActions(item.json) }));

/**
 * Lists the people of a job by a search type. If the platform rejects the search type for submitted data, these people
 * are selected from the list of all people (deployment behaviour, "Campaign reports").
 * @throws RequestError
 */
export async function listPeopleBySearchType(
	simulator: Simulator,
	job: CampaignJob,
	searchType: string,
	send: Send,
): Promise<ResultItem[]> {
	const listPeople = async (type: string, options?: Parameters<Send>[1]) => {
		const path = { ...job, searchType: type };
		return addActionsToItems(await send({ endpoint: getJobPeopleEndpoint(simulator), path }, options));
	};
	return await withFallback(
		() => listPeople(searchType),
		() => listPeople(ALL_PEOPLE, { shouldKeep: (row) => hasPerformed(row, 'submitted') === true }),
		(error) => searchType === SUBMITTED_DATA && isRejected(error) && !isNotFound(error),
	);
}

/**
 * Lists the people of a job who performed an action, one item per row. If the platform lacks the search type, the
 * contract's list is used instead. That list contains the people of all jobs of the campaign, so the other jobs are
 * filtered out.
 * @throws RequestError
 */
export async function listPeopleByAction(
	simulator: Simulator,
	job: CampaignJob,
	action: UserAction,
	send: Send,
): Promise<ResultItem[]> {
	const searchType = action === 'submitted' ? SUBMITTED_DATA : upperFirst(action);
	const isInJob = (row: IDataObject) => (readId(row, ['instanceGroup']) ?? job.instanceGroup) === job.instanceGroup;
	return await withFallback(
		() => listPeopleBySearchType(simulator, job, searchType, send),
		async () => addActionsToItems(await send({ path: { resourceId: job.resourceId } }, { shouldKeep: isInJob })),
	);
}

/**
 * Lists the events of one person: the actions and their times.
 * @param person the person, with the ID of the row in the job
 * @throws RequestError
 */
export const listPersonEvents = (person: Choice, send: Send): Promise<ResultItem[]> =>
	send({ path: { resourceId: person.id } }, { allowSingleRecord: true });
