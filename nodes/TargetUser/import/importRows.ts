import { pick } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { cleanEmailAddress, isPhoneNumber } from '../../core/fields/contact';
import { findMissingValueWord } from '../../core/http/missingValue';
import type { OperationTools } from '../../core/operation/defineOperation';
import { formatCount, formatList, isRecord, readId } from '../../core/values';
import { TARGET_USER_ID_FIELDS } from '../../domain/pickers/resourcePickers';

const invalidRowSchema = z.object({ validationDetail: z.array(z.unknown()).min(1) });

/** Returns true if the platform reports that a row is invalid. */
export const isInvalidRow = (row: IDataObject) => invalidRowSchema.safeParse(row).success;

/** The fields by which a user finds a row in the file. */
const IDENTIFYING_FIELDS = ['email', 'firstName', 'lastName', 'department', 'phoneNumber'];

/** Creates the item for a row that isn't imported: the reason, then the fields by which a user finds it in the file. */
export const createLeftOutItem = (row: IDataObject, reason: string): IDataObject => ({
	reason,
	...pick(row, IDENTIFYING_FIELDS),
	isSummary: false,
});

/**
 * Joins all texts of a validation detail, because no document names the detail's fields (deployment beyond, "People"). An example is
 * "email: It is no e-mail address.".
 */
function formatValidationDetail(detail: unknown): string {
	const values = isRecord(detail) ? Object.values(detail) : [detail];
	return values.filter((value) => typeof value === 'string').join(': ');
}

/** Creates the item for a row that the platform reports as invalid. */
function createInvalidRowItem(row: IDataObject): IDataObject {
	const { validationDetail } = invalidRowSchema.parse(row);
	const reasons = validationDetail.map(formatValidationDetail).filter((reason) => reason !== '');
	return createLeftOutItem(row, reasons.join('; ') || 'the platform gives no reason in words');
}

/** The text fields of a person that are checked for words such as "undefined". */
const PERSON_TEXT_FIELDS = [
	'email',
	'firstName',
	'lastName',
	'department',
	'phoneNumber',
	'managerFirstName',
	'managerLastName',
	'managerEmail',
];

/**
 * Finds a mistake in a row that the platform would accept: a word for a missing value such as "undefined", text that isn't a phone number,
 * or an email address with extra characters. Empty cells are not checked, because the platform itself reports them.
 * @returns undefined if there is no mistake
 */
export function findRowProblem(row: IDataObject): string | undefined {
	const missingValueField = PERSON_TEXT_FIELDS.find(
		(name) => findMissingValueWord(readId(row, [name]) ?? '') !== undefined,
	);
	if (missingValueField !== undefined)
		return `${missingValueField}: '${readId(row, [missingValueField])}' is a word for a missing value`;
	const email = (readId(row, ['email']) ?? '').trim();
	const phoneNumber = (readId(row, ['phoneNumber']) ?? '').trim();
	if (phoneNumber !== '' && !isPhoneNumber(phoneNumber)) return `phoneNumber: '${phoneNumber}' is not a phone number`;
	if (cleanEmailAddress(email) !== email) return `email: '${email}' has characters that do not belong to the address`;
	return undefined;
}

/** The rows that the platform has read, sorted by what happens to them. */
interface SortedRows {
	/** The items for the rows that the platform reports as invalid. */
	invalidItems: IDataObject[];
	/** The items for the rows that the platform accepts but the node rejects. */
	rejectedItems: IDataObject[];
	/** The IDs of all other rows. */
	acceptedIds: string[];
}

/** Sorts the rows that the platform has read. No accepted row is lost, because every row of a complete list has an ID. */
export function sortRows(rows: readonly IDataObject[]): SortedRows {
	const sortedRows: SortedRows = { invalidItems: [], rejectedItems: [], acceptedIds: [] };
	for (const row of rows) {
		const id = readId(row, TARGET_USER_ID_FIELDS);
		const problem = findRowProblem(row);
		if (isInvalidRow(row)) sortedRows.invalidItems.push(createInvalidRowItem(row));
		else if (problem !== undefined) sortedRows.rejectedItems.push(createLeftOutItem(row, problem));
		else if (id !== undefined) sortedRows.acceptedIds.push(id);
	}
	return sortedRows;
}

/** The maximum number of rows that a hint names. */
const MAX_NAMED_ROWS = 3;

/**
 * Adds a hint with the number of rows that were not imported and a description of the first few. The hint can't give line numbers, because
 * no platform returns them.
 * @param rowCount the number of rows in the file
 */
export function addLeftOutHint(message: string, rows: IDataObject[], rowCount: number, tools: OperationTools): void {
	if (rows.length === 0) return;
	const descriptions = rows.map(
		(row) => `${readId(row, IDENTIFYING_FIELDS) ?? 'a row without a name'} (${readId(row, ['reason'])})`,
	);
	const examples = formatList(descriptions, ', ', MAX_NAMED_ROWS);
	tools.context.addHint(message, `${rows.length} of ${formatCount(rowCount, 'row')}: ${examples}`);
}
