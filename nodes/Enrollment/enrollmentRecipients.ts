import { groupBy, uniqBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { buildSearchFilter } from '../core/api/searchFilter';
import { toError, isRejected } from '../core/http/errors';
import type { OperationHelpers } from '../core/operation/defineOperation';
import { IncompleteListError, readCompleteList } from '../core/pagination/readCompleteList';
import { LARGE_PAGE_SIZE } from '../core/pagination/readList';
import { normalizeText, parseNumber, readId, toItemJson } from '../core/values';
import { isUndelivered } from '../domain/deliveryState';
import { getTrainingSummaryOperation } from '../domain/enrollments/trainingSummaryOperation';
import type { PeopleWithStatus, RecipientRow, ResendStatus } from '../domain/resend';

/** The statuses of people to whom the platform's own front end resends a training (deployment activity 4). */
export const RESEND_STATUSES: ResendStatus[] = [
	{
		name: 'Exam Failed',
		value: 'examFailed',
		number: 6,
		description: 'People who failed the exam. They can also have one of the other statuses.',
	},
	{
		name: 'Failed to Send',
		value: 'failedToSend',
		number: 1,
		description: "The email couldn't be sent to these people",
	},
	{
		name: 'No Response',
		value: 'noResponse',
		number: 7,
		description: "People who haven't opened the email. Reports show them as No Responded.",
	},
	{
		name: 'Not Completed',
		value: 'notCompleted',
		number: 4,
		description:
			"People who began but didn't finish the training. To reach everyone who hasn't finished, add 'No Response' and 'Opened Only'.",
	},
	{
		name: 'Opened Only',
		value: 'openedOnly',
		number: 2,
		description: "People who opened the email, but didn't begin the training. They aren't in 'Not Completed'.",
	},
];

/** How the platform's reports show the people with one status. */
interface StatusSource {
	/** The field of the training summary that has their number (deployment shapes, "Training reports"). */
	countField: string;
	/** The field of their rows in the list of enrolled users that shows the status. */
	rowField: 'status' | 'examStatusName';
	/** The value of that field (deployment behaviour, "Training reports"). */
	rowValue: string;
}

/** The status of people to whom the last email couldn't be sent. */
const FAILED_TO_SEND_STATUS = 1;

const STATUS_SOURCES: Readonly<Record<string, StatusSource>> = {
	[FAILED_TO_SEND_STATUS]: { countField: 'emailErrorUserCount', rowField: 'status', rowValue: 'Sending Error' },
	2: { countField: 'onlyOpenedCount', rowField: 'status', rowValue: 'Opened Email' },
	4: { countField: 'didNotCompleteTrainingCount', rowField: 'status', rowValue: 'In Progress' },
	6: { countField: 'failedExamCount', rowField: 'examStatusName', rowValue: 'Failed' },
	7: { countField: 'noResponseCount', rowField: 'status', rowValue: 'No Responded' },
};

/** The numbers of the statuses whose people the platform lists. */
export const LISTED_STATUSES = Object.keys(STATUS_SOURCES);

/** The fields of a row that identify its person. */
const PERSON_ID_FIELDS = ['targetUserResourceId', 'resourceId'];

/**
 * Reads the people of an enrollment who have each status. Their number comes from the training summary. Who they are
 * comes from the list of enrolled users, which is only read if it is needed.
 * @param needsSendTimes true if the rows must show when a person got the email
 * @throws RequestError if the summary can't be read
 */
export async function readPeopleByStatus(
	enrollmentId: string,
	statusNumbers: string[],
	needsSendTimes: boolean,
	helpers: OperationHelpers,
): Promise<PeopleWithStatus[]> {
	const { data } = await helpers.callOperation(getTrainingSummaryOperation, { path: { enrollmentId } });
	const figures = toItemJson(toItemJson(data).reportDetail);
	const counts = statusNumbers.map((status) => readCount(figures, STATUS_SOURCES[status]));
	// If the number of one status is unknown, or at most one status has people, the list adds nothing.
	const mayOverlap = counts.every((count) => count !== null) && counts.filter((count) => count > 0).length > 1;
	if (!mayOverlap && !needsSendTimes) return counts.map((count) => ({ count }));

	const userRows = await readReport(USERS_ENDPOINT, enrollmentId, helpers);
	const mailRows = needsSendTimes ? await readReport(SENDING_REPORT_ENDPOINT, enrollmentId, helpers) : [];
	if (!userRows || !mailRows) return counts.map((count) => ({ count }));
	const recipientRows = createRecipientRows(userRows, mailRows);
	return statusNumbers.map((status, index) => {
		const count = counts[index] ?? null;
		const rows = recipientRows.filter(({ row }) => hasStatus(row, STATUS_SOURCES[status]));
		// The platform may spell its statuses differently. The rows are only used if they are as many as in the summary.
		const isListed = uniqBy(rows, 'personKey').length === count;
		return isListed ? { count, rows } : { count };
	});
}

/** Reads the number of people with one status. Returns null if the summary doesn't have it. */
function readCount(figures: IDataObject, source: StatusSource | undefined): number | null {
	const count = parseNumber(figures[source?.countField ?? ''] ?? NaN);
	return Number.isNaN(count) ? null : count;
}

/** Returns true if the row of an enrolled user shows the status. */
const hasStatus = (row: IDataObject, source: StatusSource | undefined) =>
	source !== undefined && normalizeText(readId(row, [source.rowField]) ?? '') === normalizeText(source.rowValue);

/**
 * Converts the rows of enrolled users to rows that can be selected as recipients.
 * @param mailRows the rows of the sending report, which show when each person got the email
 */
function createRecipientRows(
	userRows: IDataObject[],
	mailRows: IDataObject[],
): Array<RecipientRow & { row: IDataObject }> {
	const mailRowsByPerson = groupBy(mailRows, (mailRow) => readId(mailRow, PERSON_ID_FIELDS) ?? '');
	return userRows.map((row) => {
		const rowId = readId(row, ['resourceId']) ?? '';
		const personKey = readId(row, PERSON_ID_FIELDS) ?? '';
		const hasSendingError = hasStatus(row, STATUS_SOURCES[FAILED_TO_SEND_STATUS]);
		const mailsOfPerson = mailRowsByPerson[personKey] ?? [];
		const deliveredMails = mailsOfPerson.filter(({ lastSendingStatus }) => !isUndelivered(lastSendingStatus));
		const sendTimes = deliveredMails.flatMap((mailRow) => readId(mailRow, ['lastSendDate']) ?? []).sort();
		return {
			row,
			rowId,
			personKey,
			lastSendTime: rowId === '' ? undefined : sendTimes.at(-1),
			isUndelivered: rowId !== '' && (hasSendingError || (mailsOfPerson.length > 0 && deliveredMails.length === 0)),
		};
	});
}

const USERS_ENDPOINT = 'POST /api/training-reports/{enrollmentId}/users/search';
const SENDING_REPORT_ENDPOINT = 'POST /api/training-reports/{enrollmentId}/sending-report/search';

/**
 * Reads a list of an enrollment's report.
 * @returns undefined if the platform rejects the request, or if rows may be missing
 * @throws RequestError
 */
async function readReport(
	endpoint: typeof USERS_ENDPOINT | typeof SENDING_REPORT_ENDPOINT,
	enrollmentId: string,
	{ context: { client, company, signal } }: OperationHelpers,
): Promise<IDataObject[] | undefined> {
	const purpose = 'read who gets the enrollment again';
	const body = { filter: buildSearchFilter() };
	try {
		return await readCompleteList(
			client,
			{ endpoint, path: { enrollmentId }, purpose, company, signal, body },
			{ identity: ['resourceId'], pageSize: LARGE_PAGE_SIZE },
			'the list of the people in the enrollment',
		);
	} catch (error) {
		if (isRejected(error) || error instanceof IncompleteListError) return undefined;
		throw toError(error);
	}
}
