import { pick } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { cleanAddress, isPhone } from '../../core/fields/contact';
import { findNoValue } from '../../core/http/noValue';
import type { Tools } from '../../core/operation/defineOperation';
import { PERSON_ID } from '../../domain/pickers/resourcePickers';
import { identityOf, isRecord, listOf, plural } from '../../core/values';

const invalidShape = z.object({ validationDetail: z.array(z.unknown()).min(1) });

/** Whether the platform says what is wrong with a row. */
export const isInvalid = (row: IDataObject) => invalidShape.safeParse(row).success;

/** What a row that is not valid is found by in the file. */
const SHOWN = ['email', 'firstName', 'lastName', 'department', 'phoneNumber'];

/** Creates the item for a row that isn't imported: the reason, then the fields by which it can be found in the file. */
export const createLeftOutItem = (row: IDataObject, reason: string): IDataObject => ({
	reason,
	...pick(row, SHOWN),
	isSummary: false,
});

/** The texts of a detail, whose fields no document names (deployment beyond): "email: It is no e-mail address." */
const textsIn = (detail: unknown): string =>
	(isRecord(detail) ? Object.values(detail) : [detail]).filter((each) => typeof each === 'string').join(': ');

/** A row that is not valid as an item: why, then what it is found by. */
function asInvalid(row: IDataObject): IDataObject {
	const reasons = invalidShape.parse(row).validationDetail.map(textsIn);
	return createLeftOutItem(
		row,
		reasons.filter((each) => each !== '').join('; ') || 'the platform gives no reason in words',
	);
}

/** The fields with texts of a person. */
const PERSON_TEXTS = [
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
 * Finds a mistake in a row that the platform would accept: a word for a missing value such as "undefined", text that is no phone number,
 * or an address with extra characters. The platform itself reports missing values.
 * @returns undefined if there is no mistake
 */
export function findProblem(row: IDataObject): string | undefined {
	const [empty] = PERSON_TEXTS.filter((name) => findNoValue(identityOf(row, [name]) ?? '') !== undefined);
	if (empty !== undefined) return `${empty}: '${identityOf(row, [empty])}' is a word for a missing value`;
	const email = (identityOf(row, ['email']) ?? '').trim();
	const phone = (identityOf(row, ['phoneNumber']) ?? '').trim();
	if (phone !== '' && !isPhone(phone)) return `phoneNumber: '${phone}' is not a phone number`;
	if (cleanAddress(email) !== email) return `email: '${email}' has characters that do not belong to the address`;
	return undefined;
}

/** The rows that the platform has read, sorted by what happens to them. */
interface SortedRows {
	invalid: IDataObject[];
	/** Rows that the platform accepts and the node refuses. */
	refused: IDataObject[];
	acceptedIds: string[];
}

/**
 * Sorts the rows that the platform has read into those that are invalid, those that the node refuses, and the IDs of the others. In a
 * complete list every row has an ID.
 */
export function sortRows(rows: readonly IDataObject[]): SortedRows {
	const sorted: SortedRows = { invalid: [], refused: [], acceptedIds: [] };
	for (const row of rows) {
		const id = identityOf(row, PERSON_ID);
		const problem = findProblem(row);
		if (isInvalid(row)) sorted.invalid.push(asInvalid(row));
		else if (problem !== undefined) sorted.refused.push(createLeftOutItem(row, problem));
		else if (id !== undefined) sorted.acceptedIds.push(id);
	}
	return sorted;
}

/** How many rows a hint names. */
const MOST_NAMED = 3;

/** Adds a hint with the number of rows that were not imported, and the first of them. No platform shows their numbers in the file. */
export function addLeftOutHint(message: string, rows: IDataObject[], rowCount: number, { context }: Tools): void {
	if (rows.length === 0) return;
	const named = rows.map(
		(row) => `${identityOf(row, SHOWN) ?? 'a row without a name'} (${identityOf(row, ['reason'])})`,
	);
	context.hint(message, `${rows.length} of ${plural(rowCount, 'row')}: ${listOf(named, ', ', MOST_NAMED)}`);
}
