import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { isRecord, numberOf } from '../form/value';
import { toJson } from '../transport/envelope';
import { unexpectedResponse } from '../transport/responseError';

/** One page of a list, with what the service says of the whole. */
export interface Page {
	records: IDataObject[];
	/** How many pages there are: a hint. */
	pages?: number | undefined;
	/** How many records there are on all pages. */
	total?: number | undefined;
	/** Whether it came without the fields of a page (contract 2.3): a plain list, or a record by itself. */
	isBare?: boolean;
}

// Null would count as 0; and what breaks when it is made a number would throw past zod's catch.
const told = z
	.unknown()
	.transform((value) => (value === null || value === '' ? undefined : numberOf(value)))
	.pipe(z.number().int().nonnegative().optional())
	.catch(undefined);
const pageShape = z.object({
	results: z.array(z.unknown()).nullable(),
	totalNumberOfPages: told,
	totalNumberOfRecords: told,
});

/**
 * Reads contract 2.3; null is an empty page, and a bare array a page that says nothing of others.
 * @param mayBeAlone whether an object that is no page is a record by itself (deployment shapes)
 * @throws ServiceError for no list
 */
export function pageOf(data: unknown, mayBeAlone = false): Page {
	if (data === null) return { records: [] };
	if (Array.isArray(data)) return { records: data.map((each) => toJson(each)), isBare: true };
	const parsed = pageShape.safeParse(data);
	if (!parsed.success) {
		if (mayBeAlone && isRecord(data) && !('results' in data)) return { records: [toJson(data)], isBare: true };
		throw unexpectedResponse(data);
	}
	const { results, totalNumberOfPages, totalNumberOfRecords } = parsed.data;
	return {
		records: (results ?? []).map((each) => toJson(each)),
		pages: totalNumberOfPages,
		total: totalNumberOfRecords,
	};
}

/**
 * Reads a list that a service gives whole: bare, as a page, or as the only field of an object (deployment shapes:
 * scim/fields).
 * @throws ServiceError for no list
 */
export const wholeListOf = (data: unknown): IDataObject[] => pageOf(wrappedIn(data) ?? data).records;

/** The list that is the only field of an object. @returns undefined for anything else */
export function wrappedIn(data: unknown): unknown[] | undefined {
	const [only, ...others] = isRecord(data) ? Object.values(data) : [];
	return Array.isArray(only) && others.length === 0 && only.every(isRecord) ? only : undefined;
}

/** A record's identity, for telling records apart. @returns undefined when it has none of the names */
export function identityOf(record: IDataObject, names: readonly string[]): string | undefined {
	for (const name of names) {
		const value = record[name];
		if (typeof value === 'string' && value !== '') return value;
		if (typeof value === 'number') return String(value);
	}
	return undefined;
}
