import { pick } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { cleanAddress, isPhone } from '../shared/form/contact';
import type { Tools } from '../shared/operation/operation';
import { PERSON_ID } from '../shared/pickers/resources';
import { identityOf, isRecord, listOf, plural } from '../shared/values';

const invalidShape = z.object({ validationDetail: z.array(z.unknown()).min(1) });

/** Whether the platform says what is wrong with a row. */
export const isInvalid = (row: IDataObject) => invalidShape.safeParse(row).success;

/** What a row that is not valid is found by in the file. */
const SHOWN = ['email', 'firstName', 'lastName', 'department', 'phoneNumber'];

/** Returns a row that isn't imported as an item: why, then what it is found by. */
export const asLeftOut = (row: IDataObject, reason: string): IDataObject => ({
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
	return asLeftOut(row, reasons.filter((each) => each !== '').join('; ') || 'the platform gives no reason in words');
}

/**
 * Finds what the platform would store although it is wrong: a phone number that is none, an address as it was copied. Whether they are
 * missing is the platform's to say.
 * @returns undefined if nothing is wrong
 */
export function findProblem(row: IDataObject): string | undefined {
	const email = (identityOf(row, ['email']) ?? '').trim();
	const phone = (identityOf(row, ['phoneNumber']) ?? '').trim();
	if (phone !== '' && !isPhone(phone)) return `phoneNumber: '${phone}' is no phone number`;
	if (cleanAddress(email) !== email) return `email: '${email}' has signs that do not belong to the address`;
	return undefined;
}

/** The rows that the platform has read, by what becomes of them. */
interface SortedRows {
	invalid: IDataObject[];
	/** Rows that the platform takes and the node doesn't. */
	refused: IDataObject[];
	acceptedIds: string[];
}

/**
 * Sorts the rows that the platform has read: those that it finds invalid, those with a problem of ours, and the IDs of the others, which
 * all have one in a list that is complete.
 */
export function sortRows(rows: readonly IDataObject[]): SortedRows {
	const sorted: SortedRows = { invalid: [], refused: [], acceptedIds: [] };
	for (const row of rows) {
		const id = identityOf(row, PERSON_ID);
		const problem = findProblem(row);
		if (isInvalid(row)) sorted.invalid.push(asInvalid(row));
		else if (problem !== undefined) sorted.refused.push(asLeftOut(row, problem));
		else if (id !== undefined) sorted.acceptedIds.push(id);
	}
	return sorted;
}

/** How many rows a hint names. */
const MOST_NAMED = 3;

/** Says how many rows were not imported, and names the first. Their numbers in the file no platform tells. */
export function tellLeftOut(message: string, rows: IDataObject[], rowCount: number, { context }: Tools): void {
	if (rows.length === 0) return;
	const named = rows.map(
		(row) => `${identityOf(row, SHOWN) ?? 'a row without a name'} (${identityOf(row, ['reason'])})`,
	);
	context.hint(message, `${rows.length} of ${plural(rowCount, 'row')}: ${listOf(named, ', ', MOST_NAMED)}`);
}
