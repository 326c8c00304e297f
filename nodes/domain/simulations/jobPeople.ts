import { groupBy, mergeWith, upperFirst } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { ResultItem } from '../../core/response/responseHandler';
import type { OutputFields } from '../../core/response/outputFields';
import { listResponse, USER_SORTABLE_FIELDS } from '../../core/response/listResponse';
import type { Field } from '../../core/fields/field';
import { readLocatorValue, makeOptional } from '../../core/fields/fieldTypes';
import type { PerformHelpers } from '../../core/operation/defineOperation';
import { createListSource, createWholeListSource, type ChoiceListDefinition } from '../../core/pickers/listSource';
import { listMultiPicker, PEOPLE_SEARCH_FIELD, listPicker } from '../../core/pickers/picker';
import { withFallback, isNotFound, isRejected } from '../../core/http/errors';
import { parsePathSegment } from '../../core/http/resourceId';
import { readFormJob, type CampaignJob } from './campaignJob';
import { getSimulatorTitle, type Simulator } from './simulator';
import { getSimulatorEndpointKey } from '../../core/api/endpoints';
import { findByName, parseTimeMs, readId, type Choice, toItemJson } from '../../core/values';

const MS_PER_MINUTE = 60_000;

/** The actions that a person can perform on a simulated message, in the usual order. */
export const USER_ACTIONS = ['opened', 'clicked', 'submitted', 'reported'] as const;
export type UserAction = (typeof USER_ACTIONS)[number];
/** The actions that a person should avoid with a simulated message. */
export const RISKY_ACTIONS = ['opened', 'clicked', 'submitted'] as const;
export type RiskyAction = (typeof RISKY_ACTIONS)[number];

/**
 * The output fields of a person in a job (deployment shapes, "Campaign reports"), including fields that our operations
 * add, such as `jobId`.
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
		'lastSendingTime',
		'minutesToReport',
		'status',
		'preferredLanguage',
		'customFieldValues',
	],
};

/** The output fields of a person who reported the message of a job. */
export const REPORTED_PERSON_FIELDS: OutputFields = {
	...JOB_PERSON_FIELDS,
	simplified: JOB_PERSON_FIELDS.simplified.flatMap((name) =>
		name === 'activityType' ? [name, 'lastReportedTime', 'minutesToReport'] : [name],
	),
};

/**
 * Creates the response handler for a list of a job's people. Rows have no identity, because the list of some platforms
 * contains the people of several jobs, and a person may be in more than one of them.
 */
export const jobPeopleResponse = (outputFields = JOB_PERSON_FIELDS) =>
	listResponse({ outputFields, identity: [], sortableFields: USER_SORTABLE_FIELDS });

/** Returns the endpoint that lists the people of a job by a search type (contract 4.9). */
export const getJobPeopleEndpoint = (simulator: Simulator) =>
	getSimulatorEndpointKey(
		simulator,
		'POST /api/SIM-simulator/SIM-campaign-job-report/{searchType}/search/{resourceId}/{instanceGroup}',
	);

/**
 * Returns the endpoint for one action (contract 4.9). If the ID in the path is that of a campaign, it lists the people
 * who performed the action. If it is that of a person's row, it lists the events of that person.
 */
export const getActionEndpoint = (simulator: Simulator, action: RiskyAction) =>
	getSimulatorEndpointKey(
		simulator,
		`POST /api/SIM-simulator/SIM-campaign-job-report/search-email-${action}/{resourceId}`,
	);

/** The endpoints that list the people who reported a message. Smishing has no such endpoint (deployment activity 2). */
export const REPORTED_ACTION_ENDPOINTS = {
	phishing: 'POST /api/phishing-simulator/phishing-campaign-job-report/search-email-reported/{resourceId}',
	quishing: 'POST /api/quishing-simulator/quishing-campaign-job-report/search-email-reported/{resourceId}',
} as const;

/** The search type that lists all people to whom a job was sent (deployment behaviour, "Campaign reports"). */
export const ALL_PEOPLE_SEARCH_TYPE = 'All';
const SUBMITTED_DATA_SEARCH_TYPE = 'SubmittedData';

/**
 * The search types that platforms are known to have (deployment behaviour, "Campaign reports"; deployment activity 2).
 */
const SEARCH_TYPES: Choice[] = [
	{ id: ALL_PEOPLE_SEARCH_TYPE, name: 'All People' },
	{ id: 'AttachmentOpened', name: 'Attachment Opened' },
	{ id: 'Clicked', name: 'Clicked' },
	{ id: 'MFA', name: 'MFA' },
	{ id: 'NoResponse', name: 'No Response' },
	{ id: 'Opened', name: 'Opened' },
	{ id: 'Replied', name: 'Replied' },
	{ id: 'Reported', name: 'Reported' },
	{ id: SUBMITTED_DATA_SEARCH_TYPE, name: 'Submitted Data' },
];

/**
 * Returns true if a person's row shows that the person performed an action. The row may show this with a count, a time
 * or a flag (deployment shapes, "Campaign reports").
 * @returns null if the row has none of these fields for the action; for example, it is unknown who opened a text
 * message
 */
export function hasPerformedAction(row: IDataObject, action: UserAction | 'attachmentOpened'): boolean | null {
	const count = row[`${action}Count`];
	const time = row[`last${upperFirst(action)}Time`];
	const flag = row[`is${upperFirst(action)}`];
	if (count === undefined && time === undefined && flag === undefined) return null;
	return Number(count ?? 0) > 0 || (typeof time === 'string' && time !== '') || flag === true;
}

/**
 * Calculates how many minutes passed between the last sending of the message and the person's last report (deployment
 * shapes, "Campaign reports").
 * @returns null if one of the times is unknown, or if the message was sent again after the report
 */
function calculateMinutesToReport({ lastSendingTime, lastReportedTime }: IDataObject): number | null {
	const sendMs = parseTimeMs(lastSendingTime);
	const reportMs = parseTimeMs(lastReportedTime);
	if (sendMs === null || reportMs === null) return null;
	return reportMs >= sendMs ? Math.round((reportMs - sendMs) / MS_PER_MINUTE) : null;
}

/** The fields that `addActionFields` replaces. */
const REPLACED_FIELDS = new Set<string>(USER_ACTIONS.flatMap((action) => [action, `is${upperFirst(action)}`]));

/**
 * Adds a field for each action to a person's row, such as `clicked`, with true, false or null. The names are the same
 * for every platform. They replace the platform's own flags, such as `isClicked`. Also adds `minutesToReport`.
 */
export function addActionFields(row: IDataObject): IDataObject {
	const result: IDataObject = {};
	for (const action of USER_ACTIONS) result[action] = hasPerformedAction(row, action);
	result.minutesToReport = calculateMinutesToReport(row);
	// Lodash's `omit` deletes fields from a copy, and such a copy takes several times as much memory as this one.
	for (const [name, value] of Object.entries(row)) if (!REPLACED_FIELDS.has(name)) result[name] = value;
	return result;
}

/**
 * Returns the definition of a picker's list: the people in the job that is selected in the form.
 * @param idFields the names of the fields that may contain the ID of an entry
 */
const getJobPeopleList = (simulator: Simulator, idFields: readonly string[]): ChoiceListDefinition => ({
	endpoint: getJobPeopleEndpoint(simulator),
	buildPath: async (context) => {
		const { resourceId, instanceGroup } = await readFormJob(simulator, context);
		return { resourceId, instanceGroup, searchType: ALL_PEOPLE_SEARCH_TYPE };
	},
	idFields,
	nameFields: ['email', 'phoneNumber', 'firstName'],
	isPerCompany: true,
	dependsOn: ['job.value'],
});

/** The fields with the ID of a person's row in a job. This ID is not the ID of the person (deployment activity 4). */
export const JOB_PERSON_ID_FIELDS = ['resourceId'] as const;

/** Creates the field that selects several people of the selected job. Its values are the IDs of their rows. */
export const jobPeoplePicker = (simulator: Simulator): Field<string[]> =>
	listMultiPicker({
		displayName: 'Target User Names or IDs',
		description: 'The people to send the message to',
		listSearchField: PEOPLE_SEARCH_FIELD,
		hint: `In an expression, use email addresses, phone numbers, or the values of resourceId from 'Get many ${simulator} results'`,
		required: true,
		listMethod: `load${getSimulatorTitle(simulator)}People`,
		noun: 'person',
		source: createListSource(getJobPeopleList(simulator, JOB_PERSON_ID_FIELDS)),
	});

/** The fields of a row that identify its person. */
const PERSON_KEY_FIELDS = ['targetUserId', 'targetUserResourceId', 'email', 'phoneNumber'];

/** Reads a text that identifies the person of a row. Returns undefined if no field of the row identifies the person. */
export function readPersonKey(row: IDataObject): string | undefined {
	const keyValues = PERSON_KEY_FIELDS.map((name) => readId(row, [name]) ?? '');
	return keyValues.join('') === '' ? undefined : `person ${JSON.stringify(keyValues)}`;
}

/**
 * Merges the values that a field has in two rows of the same person. Flags are combined with "or", counts are added,
 * and the later time is kept. Of other values, the first that isn't null is kept.
 */
function mergeValues(firstValue: unknown, secondValue: unknown, fieldName: string): unknown {
	if (typeof firstValue === 'boolean' && typeof secondValue === 'boolean') return firstValue || secondValue;
	if (/Count$/.test(fieldName)) return Number(firstValue ?? 0) + Number(secondValue ?? 0);
	if (/Time$/.test(fieldName) && typeof firstValue === 'string' && typeof secondValue === 'string')
		return firstValue > secondValue ? firstValue : secondValue;
	return firstValue ?? secondValue;
}

/**
 * Merges the rows of each person into one row. A person has two rows if the job sent two messages, a lure and a payload
 * (deployment activity 1). A row without a field that identifies the person isn't merged.
 */
export function mergeRowsByPerson(rows: IDataObject[]): IDataObject[] {
	const getPersonKey = (row: IDataObject) => readPersonKey(row) ?? `row ${rows.indexOf(row)}`;
	return Object.values(groupBy(rows, getPersonKey)).map(([firstRow = {}, ...furtherRows]) =>
		furtherRows.reduce((merged, row) => toItemJson(mergeWith({ ...merged }, row, mergeValues)), firstRow),
	);
}

/**
 * Creates the field that selects one person of the selected job. If the field is empty, the operation returns all
 * people.
 */
export const jobPersonPicker = (simulator: Simulator): Field<Choice | undefined> =>
	makeOptional(
		listPicker({
			displayName: 'Target User',
			description:
				'Select a person to list each action of this person, such as each click. Leave empty to list all people.',
			required: false,
			listMethod: `search${getSimulatorTitle(simulator)}People`,
			noun: 'person',
			nameExample: 'nathan@example.com',
			// Live platforms list the events of a person by the ID of the row (deployment behaviour, "Campaign reports"). On
			// a platform as in the contract, a row may have only the ID of the person.
			source: createListSource(getJobPeopleList(simulator, [...JOB_PERSON_ID_FIELDS, 'targetUserResourceId'])),
		}),
	);

/**
 * Creates the field that selects people by what they did. Users can also enter a search type that isn't in the list.
 */
export function searchTypePicker(): Field<string> {
	const field = listPicker({
		displayName: 'Search Type',
		description: "Only include people who did this, such as Clicked. Select 'All People' to include everyone.",
		listMethod: 'searchSearchTypes',
		noun: 'search type',
		idModeLabel: 'By Name',
		idExample: 'Reported',
		default: ALL_PEOPLE_SEARCH_TYPE,
		defaultLabel: 'All People',
		source: createWholeListSource(() => Promise.resolve(SEARCH_TYPES)),
	});
	return {
		...field,
		parse: (raw) => {
			const enteredSearchType = parsePathSegment(readLocatorValue(raw));
			const [searchType] = findByName(SEARCH_TYPES, enteredSearchType, ({ name }) => name);
			return searchType?.id ?? enteredSearchType;
		},
	};
}

type SendFunction = PerformHelpers['send'];

const addActionFieldsToItems = (items: ResultItem[]): ResultItem[] =>
	items.map((item) => ({ ...item, json: addActionFields(item.json) }));

/**
 * Lists the people of a job by a search type. If the platform rejects the search type for submitted data, the people
 * who submitted data are selected from the list of all people (deployment behaviour, "Campaign reports").
 * @throws RequestError
 */
export async function listPeopleBySearchType(
	simulator: Simulator,
	job: CampaignJob,
	searchType: string,
	send: SendFunction,
): Promise<ResultItem[]> {
	const listPeople = async (type: string, options?: Parameters<SendFunction>[1]) => {
		const path = { ...job, searchType: type };
		return addActionFieldsToItems(await send({ endpoint: getJobPeopleEndpoint(simulator), path }, options));
	};
	return await withFallback(
		() => listPeople(searchType),
		() => listPeople(ALL_PEOPLE_SEARCH_TYPE, { shouldKeep: (row) => hasPerformedAction(row, 'submitted') === true }),
		(error) => searchType === SUBMITTED_DATA_SEARCH_TYPE && isRejected(error) && !isNotFound(error),
	);
}

/**
 * Lists the people of a job who performed an action, one item per row. If the platform lacks the search by action, the
 * operation's own endpoint is used (contract 4.9). It lists the people of all jobs of the campaign, so the rows of
 * other jobs are dropped.
 * @throws RequestError
 */
export async function listPeopleByAction(
	simulator: Simulator,
	job: CampaignJob,
	action: UserAction,
	send: SendFunction,
): Promise<ResultItem[]> {
	const searchType = action === 'submitted' ? SUBMITTED_DATA_SEARCH_TYPE : upperFirst(action);
	const isInJob = (row: IDataObject) => (readId(row, ['instanceGroup']) ?? job.instanceGroup) === job.instanceGroup;
	return await withFallback(
		() => listPeopleBySearchType(simulator, job, searchType, send),
		async () => addActionFieldsToItems(await send({ path: { resourceId: job.resourceId } }, { shouldKeep: isInJob })),
	);
}

/**
 * Lists the events of one person, each with its time.
 * @param person the person; the ID is that of the person's row in the job
 * @throws RequestError
 */
export const listPersonEvents = (person: Choice, send: SendFunction): Promise<ResultItem[]> =>
	send({ path: { resourceId: person.id } }, { mayBeSingleRecord: true });
