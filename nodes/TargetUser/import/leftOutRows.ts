import { pick } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { cleanEmailAddress, isPhoneNumber } from '../../core/fields/contact';
import { findMissingValueWord } from '../../core/http/missingValue';
import type { OperationHelpers } from '../../core/operation/defineOperation';
import { formatCount, formatList, isRecord, readId } from '../../core/values';
import { TARGET_USER_ID_FIELDS } from '../../domain/pickers/resourcePickers';

const invalidRowSchema = z.object({ validationDetail: z.array(z.unknown()).min(1) });

/** Returns true if the platform reports that a row is invalid. */
export const isInvalidRow = (row: IDataObject) => invalidRowSchema.safeParse(row).success;

/** The fields by which a user finds a row in the file. */
const IDENTIFYING_FIELDS = ['email', 'firstName', 'lastName', 'department', 'phoneNumber'];

/** Creates the output item for a row that isn't imported: the reason, and the fields by which a user finds the row in the file. */
export const createLeftOutItem = (row: IDataObject, reason: string): IDataObject => ({
	reason,
	...pick(row, IDENTIFYING_FIELDS),
	isSummary: false,
});

/**
 * Joins all texts of a validation detail, because no document names the fields of such a detail (deployment beyond, "People"). An example
 * of the result is "email: This is not an email address.".
 */
function formatValidationDetail(detail: unknown): string {
	const values = isRecord(detail) ? Object.values(detail) : [detail];
	return values.filter((value) => typeof value === 'string').join(': ');
}

/** Creates the output item for a row that the platform reports as invalid. */
function createInvalidRowItem(row: IDataObject): IDataObject {
	const { validationDetail } = invalidRowSchema.parse(row);
	const reasons = validationDetail.map(formatValidationDetail).filter((reason) => reason !== '');
	return createLeftOutItem(row, reasons.join('; ') || 'the platform gave no reason');
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
	const fieldWithMissingValue = PERSON_TEXT_FIELDS.find(
		(name) => findMissingValueWord(readId(row, [name]) ?? '') !== undefined,
	);
	if (fieldWithMissingValue !== undefined)
		return `${fieldWithMissingValue}: '${readId(row, [fieldWithMissingValue])}' is a word for a missing value`;
	const email = (readId(row, ['email']) ?? '').trim();
	const phoneNumber = (readId(row, ['phoneNumber']) ?? '').trim();
	if (phoneNumber !== '' && !isPhoneNumber(phoneNumber)) return `phoneNumber: '${phoneNumber}' is not a phone number`;
	if (cleanEmailAddress(email) !== email) return `email: '${email}' has characters that are not part of the address`;
	return undefined;
}

/** The rows that the platform has read from the file, divided into those to import and those to leave out. */
interface ClassifiedRows {
	/** The output items for the rows that the platform reports as invalid. */
	invalidItems: IDataObject[];
	/** The output items for the rows that the platform accepts but the node rejects. */
	rejectedItems: IDataObject[];
	/** The IDs of all other rows. */
	acceptedIds: string[];
}

/** Divides the rows into those to import and those to leave out. Rows of a complete list always have an ID, so no accepted row is lost. */
export function classifyRows(rows: readonly IDataObject[]): ClassifiedRows {
	const classifiedRows: ClassifiedRows = { invalidItems: [], rejectedItems: [], acceptedIds: [] };
	for (const row of rows) {
		const id = readId(row, TARGET_USER_ID_FIELDS);
		const problem = findRowProblem(row);
		if (isInvalidRow(row)) classifiedRows.invalidItems.push(createInvalidRowItem(row));
		else if (problem !== undefined) classifiedRows.rejectedItems.push(createLeftOutItem(row, problem));
		else if (id !== undefined) classifiedRows.acceptedIds.push(id);
	}
	return classifiedRows;
}

/** The maximum number of rows that a hint names. */
const MAX_NAMED_ROWS = 3;

/**
 * Adds a hint with the number of rows that were not imported and a description of the first few. The hint can't give line numbers, because
 * no platform returns them.
 * @param rowCount the number of rows in the file
 */
export function addLeftOutHint(
	message: string,
	leftOutItems: IDataObject[],
	rowCount: number,
	helpers: OperationHelpers,
): void {
	if (leftOutItems.length === 0) return;
	const descriptions = leftOutItems.map(
		(row) => `${readId(row, IDENTIFYING_FIELDS) ?? 'a row without email and name'} (${readId(row, ['reason'])})`,
	);
	const examples = formatList(descriptions, ', ', MAX_NAMED_ROWS);
	helpers.context.addHint(message, `${leftOutItems.length} of ${formatCount(rowCount, 'row')}: ${examples}`);
}
