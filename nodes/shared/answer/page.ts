import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { isRecord, numberOf } from '../form/value';
import { toJson } from '../transport/envelope';
import { unfilteredOf } from '../transport/guard/companies';
import { unexpectedResponse } from '../transport/responseError';

export { identityOf } from '../transport/record';

/** One page of a list, with the service's counts of the whole list. */
export interface Page {
	records: IDataObject[];
	/** How many pages there are by the service's count, which may be wrong. */
	pages?: number | undefined;
	/** How many records there are on all pages by the service's count, which may be wrong. */
	total?: number | undefined;
	/** Whether the answer is a plain list or one record, without the other fields of a page (contract 2.3). */
	isBare?: boolean;
	/** What the page listed before it was filtered (credential: 'Only These Companies'); the counts are of that. */
	before?: { listed: readonly string[]; withheld: readonly string[] } | undefined;
}

// Number(null) would be 0, and converting an object may throw an error that zod's catch does not handle.
const countShape = z
	.unknown()
	.transform((value) => (value === null || value === '' ? undefined : numberOf(value)))
	.pipe(z.number().int().nonnegative().optional())
	.catch(undefined);
const pageShape = z.object({
	results: z.array(z.unknown()).nullable(),
	totalNumberOfPages: countShape,
	totalNumberOfRecords: countShape,
});

/**
 * Reads a page of a search (contract 2.3); null is an empty page, and a plain list is a page without counts.
 * @param data the payload of the answer
 * @param mayBeAlone whether the answer may be one record instead of a page (deployment shapes)
 * @throws ServiceError for an answer that is not a page
 */
export function pageOf(data: unknown, mayBeAlone = false): Page {
	if (data === null) return { records: [] };
	const before = unfilteredOf(data);
	if (Array.isArray(data)) return { records: data.map((each) => toJson(each)), isBare: true, before };
	const parsed = pageShape.safeParse(isRecord(data) ? { ...data, ...before?.counts } : data);
	if (!parsed.success) {
		if (mayBeAlone && isRecord(data) && !('results' in data)) return { records: [toJson(data)], isBare: true };
		throw unexpectedResponse(data);
	}
	const { results, totalNumberOfPages, totalNumberOfRecords } = parsed.data;
	return {
		records: (results ?? []).map((each) => toJson(each)),
		pages: totalNumberOfPages,
		total: totalNumberOfRecords,
		before,
	};
}

/** How many records a page had, before it was filtered too. */
export const lengthOf = ({ records, before }: Page): number => before?.listed.length ?? records.length;

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
