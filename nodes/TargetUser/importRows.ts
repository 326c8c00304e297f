import { pick } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { Tools } from '../shared/operation/operation';
import { identityOf, isRecord, listOf, plural } from '../shared/values';
import type { Uploaded } from './importCheck';

const invalidShape = z.object({ validationDetail: z.array(z.unknown()).min(1) });

/** Whether the platform says what is wrong with a row. */
export const isInvalid = (row: IDataObject) => invalidShape.safeParse(row).success;

/** What a row that is not valid is found by in the file. */
const SHOWN = ['email', 'firstName', 'lastName', 'department', 'phoneNumber'];

/** The texts of a detail, whose fields no document names (deployment beyond): "email: It is no e-mail address." */
const textsIn = (detail: unknown): string =>
	(isRecord(detail) ? Object.values(detail) : [detail]).filter((each) => typeof each === 'string').join(': ');

/** A row that is not valid as an item: why, then what it is found by. */
export function asInvalid(row: IDataObject): IDataObject {
	const reasons = invalidShape.parse(row).validationDetail.map(textsIn);
	const reason = reasons.filter((each) => each !== '').join('; ') || 'the platform gives no reason in words';
	return { reason, ...pick(row, SHOWN), isSummary: false };
}

/** How many rows a hint names. */
const MOST_NAMED = 3;

/** Says how many rows were not imported, and names the first. Their numbers in the file no platform tells. */
export function tellInvalid(rows: IDataObject[], { rowCount }: Uploaded, { context }: Tools): void {
	if (rows.length === 0) return;
	const named = rows.map(
		(row) => `${identityOf(row, SHOWN) ?? 'a row without a name'} (${identityOf(row, ['reason'])})`,
	);
	context.hint(
		'Rows that are not valid were not imported.',
		`${rows.length} of ${plural(rowCount, 'row')}: ${listOf(named, ', ', MOST_NAMED)}`,
	);
}
