import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { unexpectedResponse } from '../http/responseErrors';
import { identityOf, isRecord, numberOf, toJson } from '../values';

/** One page of a list, with the service's counts of the whole list. */
export interface Page {
	records: IDataObject[];
	/** How many pages there are by the service's count. */
	pages?: number | undefined;
	/** How many records there are on all pages by the service's count. */
	total?: number | undefined;
	/** How many activities of bots there are by the service's count; only lists of a simulation's people have it (deployment activity 1). */
	bots?: number | undefined;
	/** Whether the answer is a plain list or one record, without the other fields of a page (contract 2.3). */
	isBare?: boolean;
	/** True if the answer has null instead of a list. No document says that null means an empty list. */
	isNull?: boolean;
}

/** A service may also send a number as text. */
const count = z
	.union([z.number(), z.string().transform(numberOf)])
	.pipe(z.number().int().nonnegative())
	.optional()
	.catch(undefined);
const pageShape = z.object({
	results: z.array(z.unknown()).nullable(),
	totalNumberOfPages: count,
	totalNumberOfRecords: count,
	totalSandBoxActivityCount: count,
});

/**
 * Reads a page of a search (contract 2.3); null is an empty page, and a plain list is a page without counts.
 * @param mayBeAlone whether the answer may be one record instead of a page (deployment shapes)
 * @throws ServiceError for an answer that is not a page
 */
export function pageOf(data: unknown, mayBeAlone = false): Page {
	if (data === null) return { records: [], isNull: true };
	// The rows of an import are a page inside of the answer (deployment behaviour, 3).
	if (isRecord(data) && isRecord(data.items)) return pageOf(data.items);
	if (Array.isArray(data)) {
		const records = data.map((each) => toJson(each));
		// Only rows of the leaderboard have a count, that of all rows (deployment behaviour, "Leaderboard, executive report").
		return { records, total: count.parse(records[0]?.totalRowCount), isBare: true };
	}
	const parsed = pageShape.safeParse(data);
	if (!parsed.success) {
		if (mayBeAlone && isRecord(data) && !('results' in data)) return { records: [toJson(data)], isBare: true };
		throw unexpectedResponse(data);
	}
	const { results, totalNumberOfPages, totalNumberOfRecords, totalSandBoxActivityCount } = parsed.data;
	return {
		records: (results ?? []).map((each) => toJson(each)),
		pages: totalNumberOfPages,
		total: totalNumberOfRecords,
		bots: totalSandBoxActivityCount,
		isNull: results === null,
	};
}

/**
 * Reads a list that a service returns all at once: as a plain list, as a page, or as the only field of an object
 * (deployment shapes: scim/fields).
 * @throws ServiceError for an answer without a list
 */
export const wholeListOf = (data: unknown): IDataObject[] => pageOf(wrappedIn(data) ?? data).records;

/** The list that is the only field of an object. @returns undefined for anything else */
export function wrappedIn(data: unknown): unknown[] | undefined {
	const [only, ...others] = isRecord(data) ? Object.values(data) : [];
	return Array.isArray(only) && others.length === 0 && only.every(isRecord) ? only : undefined;
}

/**
 * When a record was created (deployment shapes; jobs have `createdDate`), in ms since 1970; a time without a zone is UTC.
 * @returns undefined if it has no create time
 */
export function createdOf(record: IDataObject): number | undefined {
	const time = DateTime.fromISO(identityOf(record, ['createTime', 'createdDate']) ?? '', { zone: 'utc' });
	return time.isValid ? time.toMillis() : undefined;
}
