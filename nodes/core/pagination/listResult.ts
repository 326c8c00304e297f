import type { IDataObject } from 'n8n-workflow';

import { formatCount } from '../values';

/** The records that were read from a list, and signs that some records may be missing. */
export interface ListResult {
	/** The records in the list's order. Each ID occurs once. */
	records: IDataObject[];
	/**
	 * The number of records that the platform counts, but that are on none of its pages. It is 0 if the list was not read to its
	 * end.
	 */
	missingCount: number;
	/**
	 * True if nothing shows that the list changed while it was read: every page has the same count, and no record is on two
	 * pages.
	 */
	isStable: boolean;
	/** True if the reading stopped at the limit, before the end of the list. */
	isTruncated: boolean;
	/** The number of records without an ID among those that were read. */
	countWithoutId: number;
	/** True if a page had null instead of a list. */
	hasNullPage: boolean;
	/** True if the platform counts fewer records than it lists, or counts pages that have no records. */
	hasWrongCount: boolean;
}

/** Returns true if a list that was read without a limit shows no sign of missing records. */
export const isCompleteList = (list: ListResult): boolean => describeGap(list) === undefined;

/** Explains, as the end of a sentence, why a list may be incomplete. @returns undefined if nothing shows that records are missing */
export function describeGap(list: ListResult): string | undefined {
	if (list.hasNullPage) return 'the platform sent no list';
	if (list.missingCount > 0)
		return `the platform counts ${formatCount(list.missingCount, 'record')} that it does not list`;
	if (list.countWithoutId > 0) return `the platform sent ${formatCount(list.countWithoutId, 'record')} without an ID`;
	if (list.hasWrongCount) return "the platform's count differs from the number of records that it lists";
	if (!list.isStable) return 'the list changed while the node read it';
	if (list.isTruncated) return 'the node read only a part of the list';
	return undefined;
}

/**
 * Builds the hint about records that the platform counts but doesn't list.
 * @param listName the beginning of the hint: "The list of companies"
 * @returns the hint and the number of missing records, as text; undefined if no record is missing
 */
export function buildMissingRecordsHint(
	{ missingCount }: Pick<ListResult, 'missingCount'>,
	listName = 'The list',
): [message: string, details: string] | undefined {
	if (missingCount === 0) return undefined;
	const message = `${listName} is incomplete, because the platform counts more records than it lists. The credential may not be allowed to see some records, or the list changed while the node read it.`;
	return [message, formatCount(missingCount, 'missing record')];
}
