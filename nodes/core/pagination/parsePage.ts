import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { createUnexpectedResponseError } from '../http/responseErrors';
import { isRecord, parseNumber, parseTimeMs, readId, toItemJson } from '../values';

/** One page of a list, and what the platform says about the number of records and pages. */
export interface Page {
	records: IDataObject[];
	/** The number of pages, as the platform counts them. */
	pageCount?: number | undefined;
	/** The number of records on all pages, as the platform counts them. */
	totalCount?: number | undefined;
	/**
	 * The number of activities by bots, as the platform counts them. Only lists of a simulation's people have it
	 * (deployment activity 1).
	 */
	botActivityCount?: number | undefined;
	/** True if the response is a plain list or one record, without the other fields of a page (contract 2.3). */
	isPlainList?: boolean;
	/** True if the response contains null instead of a list. No document says that this means an empty list. */
	isNull?: boolean;
}

/** A count, which the platform may also send as text. */
const countSchema = z
	.union([z.number(), z.string().transform(parseNumber)])
	.pipe(z.number().int().nonnegative())
	.optional()
	.catch(undefined);
const pageSchema = z.object({
	results: z.array(z.unknown()).nullable(),
	totalNumberOfPages: countSchema,
	totalNumberOfRecords: countSchema,
	totalSandBoxActivityCount: countSchema,
});
/** The schema of a page of users with their timelines. It has other names for the same values (deployment onboarding 3). */
const userPageSchema = z.object({ users: z.array(z.unknown()), totalUserCount: countSchema });

/**
 * Parses a page of a search (contract 2.3). Null becomes an empty page, and a plain list becomes a page without counts.
 * @param data the response's payload
 * @param mayBeSingleRecord true if the response may be one record instead of a page (deployment shapes, "How to read this
 * file")
 * @throws RequestError if the payload isn't a page
 */
export function parsePage(data: unknown, mayBeSingleRecord = false): Page {
	if (data === null) return { records: [], isNull: true };
	// The response with the rows of an import has the page in the field `items` (deployment behaviour 3).
	if (isRecord(data) && isRecord(data.items)) return parsePage(data.items);
	if (Array.isArray(data)) return parsePlainList(data);
	const userPage = userPageSchema.safeParse(data).data;
	if (userPage) return { records: userPage.users.map((user) => toItemJson(user)), totalCount: userPage.totalUserCount };
	const parseResult = pageSchema.safeParse(data);
	if (!parseResult.success) {
		if (mayBeSingleRecord && isRecord(data) && !('results' in data))
			return { records: [toItemJson(data)], isPlainList: true };
		throw createUnexpectedResponseError(data);
	}
	const { results, totalNumberOfPages, totalNumberOfRecords, totalSandBoxActivityCount } = parseResult.data;
	return {
		records: (results ?? []).map((record) => toItemJson(record)),
		pageCount: totalNumberOfPages,
		totalCount: totalNumberOfRecords,
		botActivityCount: totalSandBoxActivityCount,
		isNull: results === null,
	};
}

function parsePlainList(list: unknown[]): Page {
	const records = list.map((record) => toItemJson(record));
	// The leaderboard is the only plain list with a count: each record contains the number of all records (deployment behaviour,
	// "Leaderboard, executive report"). For other plain lists, `totalCount` is undefined.
	return { records, totalCount: countSchema.parse(records[0]?.totalRowCount), isPlainList: true };
}

/**
 * Parses a list that the platform returns all at once: as a plain list, as a page, or as the only field of an object
 * (deployment shapes, "System users and SCIM").
 * @throws RequestError if the payload has no list
 */
export const parseWholeList = (data: unknown): IDataObject[] => parsePage(findWrappedList(data) ?? data).records;

/** Finds a list of records that is the only field of an object. @returns undefined for any other value */
export function findWrappedList(data: unknown): unknown[] | undefined {
	const values = isRecord(data) ? Object.values(data) : [];
	const list = values[0];
	return Array.isArray(list) && values.length === 1 && list.every(isRecord) ? list : undefined;
}

/**
 * Reads the time when a record was created (deployment shapes, "Companies", "Campaign reports"), in ms since 1970. A time
 * without a zone is UTC.
 * @returns undefined if the record has no create time
 */
export const getCreateTime = (record: IDataObject): number | undefined =>
	parseTimeMs(readId(record, ['createTime', 'createdDate'])) ?? undefined;
