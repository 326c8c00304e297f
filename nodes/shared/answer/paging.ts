import type { IDataObject } from 'n8n-workflow';

import { isRefusal } from '../transport/firstAccepted';
import { ServiceError } from '../transport/errors';
import { Collected, type ListShape } from './collected';
import { pageOf, type Page } from './page';

export type { ListShape } from './collected';
export { identityOf, pageOf } from './page';

export interface PageRequest {
	/** 1-based (contract 2.2). */
	pageNumber: number;
	pageSize: number;
}

export const DEFAULT_PAGE_SIZE = 100;
export const MAX_PAGE_SIZE = 1000;

export type Ask = (page: PageRequest, signal: AbortSignal) => Promise<unknown>;

interface Want {
	/** How many records; Infinity for all. */
	limit: number;
	pageSize: number;
	/** How many pages may be asked for at once. */
	ahead: number;
	/** How many records may be read before the list is taken to have no end. */
	most?: number;
}

/** What to read in one pass; `isLast`, `startAt` and `isThorough` as Collected has them. */
interface WantOfPass extends Want {
	isLast: boolean;
	isThorough?: boolean;
	startAt?: number;
	/** Asked before each page: whether to leave the rest for another time. @param taken how many pages there were */
	mayStop?: (taken: number) => boolean;
}

/** A list as it was read. */
export interface ListRead {
	records: IDataObject[];
	/** Whether the list stood still meanwhile. */
	steady: boolean;
	/** How many records the service counts that could not be reached. */
	missing: number;
	/** How many there are by the service's own count, where it gave one. */
	total?: number | undefined;
}

/** How many records of a list are read at most: far more than there are, unless the service has no end. */
export const MOST_RECORDS = 1_000_000;

const endless = (most: number) =>
	new ServiceError({
		reason: `the list has more than ${most.toLocaleString('en')} records, or no end`,
		advice:
			"Narrow it with 'Filters', or switch off 'Return All' and set a 'Limit'. If there cannot be so many, please tell the platform: it goes on sending pages.",
		cause: 'refused',
		mayHaveBeenApplied: false,
		transient: false,
	});

/** Passes over a list that changes while it is read or lacks records, before what was seen is handed on as it is. */
const MAX_PASSES = 3;

/**
 * Reads a list: page 1 first, because it tells how many there are, then the others, several at once, in order, until
 * the limit or the service's count of records is reached. Its counts are hints only (see Collected). A list that
 * shifts while it is read (records created or deleted in between), or lacks records that the service counts, is read
 * again, until a whole pass brings nothing new; so no record is lost that can be reached, and none is given twice.
 * @param ask asks for one page and gives the answer's data; its signal is aborted once nobody waits for it any more
 * @throws ServiceError, and what `ask` throws
 */
export async function readList(ask: Ask, want: Want, shape: ListShape): Promise<ListRead> {
	const { limit } = want;
	let pageSize = shape.keep ? want.pageSize : Math.min(want.pageSize, limit);
	let earlier: Collected | undefined;
	for (let pass = 1; ; pass++) {
		const { found } = await readPass(ask, { ...want, pageSize, isLast: pass === MAX_PASSES }, shape);
		// With a limit the list is not read to its end, so there is nothing to compare.
		const isWhole = found.isFull || (found.steady && found.missing === 0);
		const hasNews = isWhole || !earlier || found.join(earlier);
		const { steady, missing, total } = found;
		if (isWhole || (steady && (missing === 0 || !hasNews)) || pass === MAX_PASSES)
			return {
				records: found.records.slice(0, limit),
				steady: steady || (isWhole && pass < MAX_PASSES),
				missing: isWhole ? 0 : missing,
				total,
			};
		if (steady) pageSize = found.nextPageSize;
		earlier = found;
	}
}

/**
 * One pass over the list.
 * @returns what it brought, and the page that it stopped before, if `mayStop` said so
 * @throws ServiceError, and what `ask` throws
 */
export async function readPass(
	ask: Ask,
	want: WantOfPass,
	shape: ListShape,
): Promise<{ found: Collected; stoppedAt?: number }> {
	const { pageSize, ahead, limit, most = MOST_RECORDS, startAt = 1 } = want;
	const found = new Collected(shape, { ...want, startAt });
	const mayStop = () => want.mayStop?.(found.taken - startAt + 1) ?? false;
	const reading = new AbortController();
	const page = async (pageNumber: number) =>
		pageOf(await ask({ pageNumber, pageSize }, reading.signal), shape.mayBeAlone);
	const underWay: Array<Promise<Page | { thrown: unknown }>> = [];
	try {
		for (let next = startAt; !found.isOver;) {
			while (!mayStop() && (underWay.length === 0 || (underWay.length < ahead && next <= found.horizon)))
				underWay.push(page(next++).catch((thrown: unknown) => ({ thrown })));
			const answer = await underWay.shift();
			if (answer === undefined) return { found, stoppedAt: next };
			if (!('thrown' in answer)) found.take(answer);
			// Some refuse a page behind the last one.
			else if (found.isBeyond && isRefusal(answer.thrown)) found.take({ records: [] });
			else if (mayStop()) return { found, stoppedAt: found.taken + 1 };
			else return await Promise.reject(answer.thrown);
			if ((limit === Infinity || shape.keep) && found.read > most) throw endless(most);
		}
	} finally {
		// What waits is not sent any more; what was sent is waited for, so that nothing goes on behind the node's back.
		reading.abort();
		await Promise.all(underWay);
	}
	return { found };
}

/**
 * What a person should know of how a list was read.
 * @param list the list at the beginning of a sentence: "The list of companies"
 * @returns undefined where there is nothing to be said
 */
export function remarkOn({ steady, missing, total }: ListRead, list = 'The list'): string | undefined {
	const sentences = [
		...(steady
			? []
			: [
					`${list} changed again and again while it was read, so a record created or deleted in that time may be missing or left over. Run the node again for a clean reading.`,
				]),
		...(missing > 0
			? [
					`${list} is not complete: the service counts ${total} records, but gave ${missing} of them on none of its pages. The credential may not be allowed to see them, or the service counts wrongly; if neither can be, please tell the platform.`,
				]
			: []),
	];
	return sentences.length > 0 ? sentences.join(' ') : undefined;
}
