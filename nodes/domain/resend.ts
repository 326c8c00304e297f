import { camelCase, groupBy, omit, partition, sum, uniq, uniqBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { rejectEmptyExpressions } from '../core/fields/field';
import { describeValue, parseTextList, toggleField, wholeNumberField } from '../core/fields/fieldTypes';
import { openMultiChoiceField } from '../core/fields/openChoiceField';
import { InvalidInputError, isCancellationError, RequestError, toError } from '../core/http/errors';
import type { PerformHelpers } from '../core/operation/defineOperation';
import { createOptionsBlock } from '../core/operation/operationFields';
import type { OperationContext, ResultItem } from '../core/response/responseHandler';
import { findByName, formatCount, formatList, parseDecimal, parseTimeMs } from '../core/values';
import { describeFailedPeopleCount, describeWrite, type WriteResult } from './writeReport';

/** A status of people that selects who gets a message again, such as "Clicked" (deployment activity 4). */
export interface ResendStatus {
	name: string;
	/** The value that n8n saves in workflows. */
	value: string;
	/** The platform's number for the status. */
	number: number;
	/** Says which people have the status, and which other statuses they can have. */
	description: string;
}

/** A row in a list of people. One person may have several rows. */
export interface RecipientRow {
	/** Identifies the person in every list. */
	personKey: string;
	/** The ID of the row, with which a request selects the row. */
	rowId: string;
	/** The time at which the message was last sent to the person, as ISO 8601. */
	lastSendTime: string | undefined;
	/** True if the last message wasn't delivered, so that the person didn't get it at `lastSendTime`. */
	isUndelivered: boolean;
}

/** The people who have one status. */
export interface PeopleWithStatus {
	/** The number of people; null if the platform doesn't return it. */
	count: number | null;
	/** The rows of these people; undefined if no list shows who they are. */
	rows?: RecipientRow[];
}

/**
 * Parses the value of 'Send To', a list of statuses, to the platform's numbers. A status can be an option's value, its
 * name, or a number. A number that isn't an option is accepted, because platforms may have more statuses.
 * @throws InvalidInputError if the list is empty, or if an entry is neither a status nor a whole number
 */
function parseStatusNumbers(statuses: ResendStatus[], raw: unknown): number[] {
	const entries = parseTextList(raw);
	const advice = `Select one or more statuses from the list. An expression can return their names, such as ['${statuses[0]?.name}'].`;
	if (entries.length === 0) throw new InvalidInputError('must have at least one status', [], advice);
	const statusNumbers = entries.map((entry) => {
		const [status] = findByName(statuses, entry, ({ name }) => name);
		return (status ?? statuses.find(({ value }) => value === entry))?.number ?? parseDecimal(entry);
	});
	const unknownEntry = entries.find((_entry, index) => !Number.isInteger(statusNumbers[index]));
	if (unknownEntry === undefined) return uniq(statusNumbers);
	throw new InvalidInputError(`has ${describeValue(unknownEntry)}, but the list has no such status`, [], advice);
}

/**
 * Creates the fields that select the recipients of a resent message. To prevent accidents, no status is selected by
 * default, and no option selects everybody.
 */
export const resendFields = (statuses: ResendStatus[]) => ({
	...rejectEmptyExpressions({
		sendTo: openMultiChoiceField({
			displayName: 'Send To',
			description: 'The statuses of the people who get the message again',
			hint: "In an expression, use the names of the statuses or your platform's numbers for them",
			required: true,
			options: statuses.map((status) => omit(status, 'number')),
			default: [],
			parse: (raw) => parseStatusNumbers(statuses, raw),
		}),
		countOnly: toggleField({
			displayName: 'Count Only',
			description: 'Whether to count these people without sending anything',
			default: false,
		}),
	}),
	...createOptionsBlock(
		rejectEmptyExpressions({
			notAgainWithin: wholeNumberField({
				displayName: 'Not Again Within (Hours)',
				description: 'How many hours to look back, such as 24. People who got the message in this time are skipped.',
				default: 24,
				min: 1,
				max: 8760,
			}),
		}),
	),
});

/** The values of the fields that `resendFields` creates. */
interface ResendValues {
	sendTo: number[];
	countOnly: boolean;
	options: { notAgainWithin?: number };
}

const getStatusName = (statuses: ResendStatus[], statusNumber: number) =>
	statuses.find((status) => status.number === statusNumber)?.name ?? `Status ${statusNumber}`;

/**
 * Checks that 'Not Again Within (Hours)' is used only with statuses whose people the platform lists. For other
 * statuses, nothing shows when a person got the message.
 * @param listedStatuses the numbers of the statuses whose people the platform lists
 * @throws InvalidInputError
 */
export function checkNotAgainWithin(
	statuses: ResendStatus[],
	{ sendTo, options }: Pick<ResendValues, 'sendTo' | 'options'>,
	listedStatuses: readonly string[],
): void {
	const unlistedStatuses = sendTo.filter((statusNumber) => !listedStatuses.includes(String(statusNumber)));
	if (options.notAgainWithin === undefined || unlistedStatuses.length === 0) return;
	const names = formatList(unlistedStatuses.map((statusNumber) => `'${getStatusName(statuses, statusNumber)}'`));
	throw new InvalidInputError(
		`can't be used with ${names}, because the platform doesn't list these people`,
		['options', 'notAgainWithin'],
		"Remove this status from 'Send To', or remove 'Not Again Within (Hours)'.",
	);
}

/** The functions with which an operation reads the recipients of a message and sends it. */
interface ResendFunctions {
	/**
	 * Reads the people who have each of the selected statuses.
	 * @param needsSendTimes true if the rows must show when a person got the message
	 * @throws RequestError
	 */
	readPeople: (statusNumbers: string[], needsSendTimes: boolean) => Promise<PeopleWithStatus[]>;
	/** Sends the message to everybody with one of the selected statuses. @throws RequestError */
	sendToStatuses: () => Promise<ResultItem[]>;
	/** Sends the message to the people in these rows. @throws RequestError */
	sendToRows: (rowIds: string[]) => Promise<ResultItem[]>;
}

const UNKNOWN_STATUS_HINT = 'The number of people is unknown, because the platform does not show who has this status.';
const UNKNOWN_OVERLAP_HINT =
	'The number of people is unknown, because a person can have several of these statuses, and the platform does not show which people have which status.';
const UNKNOWN_SEND_TIME_HINT =
	'Some people were skipped, because the platform does not show when they last got the message.';

/** The people who get a message again. */
interface Recipients {
	/** The number of people; null if it is unknown. */
	peopleCount: number | null;
	/** The number of people whom 'Not Again Within (Hours)' skips. */
	skippedCount: number;
	/** The rows of the people; undefined if the message goes to everybody with the selected statuses. */
	rowIds?: string[];
}

/**
 * Resends a message to the people with the selected statuses, or only counts them. A person with several of these
 * statuses counts once. If there are none, nothing is sent. If the number of people is unknown, the message is sent, and
 * a hint says why the number is missing.
 * @returns one item with the number of people, and the response of the platform
 * @throws RequestError
 */
export async function resendByStatus(
	statuses: ResendStatus[],
	values: ResendValues,
	functions: ResendFunctions,
	{ context }: Pick<PerformHelpers, 'context'>,
): Promise<ResultItem[]> {
	const { sendTo, countOnly, options } = values;
	const people = await readPeopleIfPossible(values, functions, context);
	const recipients =
		options.notAgainWithin === undefined
			? { peopleCount: countPeople(statuses, sendTo, people, context), skippedCount: 0 }
			: selectRecipients(people, options.notAgainWithin, context);

	const shouldSend = !countOnly && recipients.peopleCount !== 0;
	if (recipients.peopleCount === 0) context.addHint(describeNoRecipients(recipients, values));
	const results = shouldSend ? await sendToRecipients(recipients, functions) : [{ json: {} }];

	const { peopleCount, skippedCount } = recipients;
	const statusNames = sendTo.map((statusNumber) => getStatusName(statuses, statusNumber));
	const report: IDataObject = {
		...describeResend(shouldSend, countOnly, context),
		peopleCount,
		skippedCount,
		sendTo: statusNames.join(', '),
	};
	for (const [index, name] of statusNames.entries()) report[`${camelCase(name)}Count`] = people[index]?.count ?? null;
	return results.map(({ json }) => ({ json: { ...report, ...json } }));
}

/** Builds the output fields that say whether a message was sent. */
function describeResend(wasSent: boolean, countOnly: boolean, { timezone }: OperationContext): IDataObject {
	if (wasSent) return { ...describeWrite('sent', timezone) };
	const result: WriteResult = countOnly ? 'counted' : 'nothingSent';
	return { result };
}

/**
 * Reads the people who have each of the selected statuses. If only their number is missing then, a failure is no reason
 * to send nothing: a hint says why the number is unknown.
 * @returns one entry for each selected status, or none if the people could not be read
 * @throws RequestError if the people are counted only, or some of them must be skipped
 */
async function readPeopleIfPossible(
	{ sendTo, countOnly, options: { notAgainWithin } }: ResendValues,
	{ readPeople }: ResendFunctions,
	{ addHint }: OperationContext,
): Promise<PeopleWithStatus[]> {
	try {
		return await readPeople(sendTo.map(String), notAgainWithin !== undefined);
	} catch (error) {
		const isRequired = countOnly || notAgainWithin !== undefined;
		if (isRequired || isCancellationError(error) || !(error instanceof RequestError)) throw toError(error);
		addHint(describeFailedPeopleCount(error.details.reason));
		return [];
	}
}

const sendToRecipients = ({ rowIds }: Recipients, { sendToRows, sendToStatuses }: ResendFunctions) =>
	rowIds ? sendToRows(rowIds) : sendToStatuses();

/**
 * Counts the people with at least one of the statuses. If they can't be counted, adds a hint that says why.
 * @returns null if the number is unknown
 */
function countPeople(
	statuses: ResendStatus[],
	statusNumbers: number[],
	people: PeopleWithStatus[],
	{ addHint }: OperationContext,
): number | null {
	if (people.length === 0) return null;
	if (people.every(({ rows }) => rows !== undefined))
		return uniqBy(
			people.flatMap(({ rows = [] }) => rows),
			'personKey',
		).length;
	const uncountedStatuses = statusNumbers.filter((_, index) => people[index]?.count === null);
	if (uncountedStatuses.length > 0) {
		addHint(
			UNKNOWN_STATUS_HINT,
			formatList(uncountedStatuses.map((statusNumber) => getStatusName(statuses, statusNumber))),
		);
		return null;
	}
	const counts = people.map(({ count }) => count ?? 0).filter((count) => count > 0);
	// If only one status has people, nobody can have two of the statuses.
	if (counts.length <= 1) return sum(counts);
	addHint(UNKNOWN_OVERLAP_HINT);
	return null;
}

const MS_PER_HOUR = 3_600_000;

/**
 * Selects the people who haven't got the message recently. A message that wasn't delivered doesn't count. A person without a known time is
 * skipped, and a hint says so.
 * @param hours how many hours ago a person must have got the message at least
 * @throws RequestError if no list shows the people who have one of the statuses
 */
function selectRecipients(people: PeopleWithStatus[], hours: number, { addHint }: OperationContext): Recipients {
	if (people.some(({ rows }) => rows === undefined))
		throw new RequestError({
			reason: "the platform's lists don't show who has the selected statuses and when they got the message",
			advice: "Nothing was sent. Remove 'Not Again Within (Hours)' to send it to everyone with these statuses.",
		});
	const earliestRecentTime = Date.now() - hours * MS_PER_HOUR;
	const rows = people.flatMap(({ rows: rowsWithStatus = [] }) => rowsWithStatus);
	const rowsByPerson = Object.values(groupBy(rows, 'personKey'));
	const [datedPeople, undatedPeople] = partition(rowsByPerson, (rowsOfPerson) =>
		rowsOfPerson.every((row) => row.isUndelivered || parseTimeMs(row.lastSendTime) !== null),
	);
	const selectedPeople = datedPeople.filter((rowsOfPerson) =>
		rowsOfPerson.every((row) => row.isUndelivered || (parseTimeMs(row.lastSendTime) ?? Infinity) < earliestRecentTime),
	);
	if (undatedPeople.length > 0) addHint(UNKNOWN_SEND_TIME_HINT, formatCount(undatedPeople.length, 'user'));
	return {
		peopleCount: selectedPeople.length,
		skippedCount: rowsByPerson.length - selectedPeople.length,
		rowIds: uniq(selectedPeople.flat().map(({ rowId }) => rowId)),
	};
}

/** Creates the hint for a run without recipients. */
function describeNoRecipients({ skippedCount }: Recipients, { countOnly, options }: ResendValues): string {
	const { notAgainWithin } = options;
	const consequence = countOnly ? 'Nothing would be sent' : 'Nothing was sent';
	if (skippedCount === 0 || notAgainWithin === undefined)
		return `${consequence}, because no one has the selected statuses. If you expected people, select other statuses in 'Send To', too.`;
	return `${consequence}, because everyone with the selected statuses was skipped by 'Not Again Within (Hours)', which is ${notAgainWithin}.`;
}

/**
 * Sends the request of an operation that resends a message.
 * @param adviceIfRefused the advice of the error if the platform rejects the request (400) or reports a conflict (409)
 * @param overrides changes to the request that the operation builds
 * @throws RequestError
 */
export async function sendResendRequest(
	{ send }: Pick<PerformHelpers, 'send'>,
	adviceIfRefused: string,
	overrides?: Parameters<PerformHelpers['send']>[0],
): Promise<ResultItem[]> {
	try {
		return await send(overrides);
	} catch (error) {
		throw replaceAdviceIfRefused(toError(error), adviceIfRefused);
	}
}

/** Replaces the advice of an error if the platform rejected the request (400) or reported a conflict (409). */
function replaceAdviceIfRefused(error: Error, advice: string): Error {
	if (!(error instanceof RequestError)) return error;
	const { isInputRejected, status, serviceMessage = '' } = error.details;
	if (isInputRejected !== true && status !== 409) return error;
	return new RequestError({ ...error.details, advice: `${serviceMessage} ${advice}`.trim() });
}

/**
 * Adds to the results that a message was sent to selected people, and how many they are.
 * @param selectedIds the IDs of the selected people
 */
export const addSelectedPeopleCount = (
	results: ResultItem[],
	selectedIds: readonly string[],
	{ context }: Pick<PerformHelpers, 'context'>,
): ResultItem[] => {
	const report = { ...describeWrite('sent', context.timezone), peopleCount: uniq(selectedIds).length };
	return results.map((result) => ({ ...result, json: { ...report, ...result.json } }));
};
