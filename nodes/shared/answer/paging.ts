import type { IDataObject } from 'n8n-workflow';

import { counted } from '../transport/counted';
import { isRefusal } from '../transport/firstAccepted';
import { rethrow, ServiceError } from '../transport/errors';
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
	/** How many records may be read before the list counts as endless. */
	most?: number;
	/** Whether records are left out of a page after it was read. */
	isFiltered?: boolean;
}

/** What to read in one pass; `isLast`, `startAt` and `mayEndAt` as Collected has them. */
interface WantOfPass extends Want {
	isLast: boolean;
	mayEndAt?: (records: IDataObject[]) => boolean;
	startAt?: number;
	/**
	 * Called before each request: whether to stop and read the rest another time.
	 * @param taken how many pages were read
	 */
	mayStop?: (taken: number) => boolean;
}

/** A list as it was read. */
export interface ListRead {
	records: IDataObject[];
	/** Whether the list did not change while it was read. */
	steady: boolean;
	/** How many of the records that the service counts were on none of its pages. */
	missing: number;
	/** How many records there are by the service's count, if it sent one. */
	total?: number | undefined;
}

/**
 * How many records of a list are read at most: far more than any list has, unless the service never stops sending
 * pages.
 */
export const MOST_RECORDS = 1_000_000;

const endless = (most: number) =>
	new ServiceError({
		reason: `the list has more than ${most.toLocaleString('en')} records, or no end`,
		advice:
			"Narrow it with 'Filters', or switch off 'Return All' and set a 'Limit'. If it cannot have so many, please report it to the platform, which never stops sending pages.",
		cause: 'refused',
		mayHaveBeenApplied: false,
		transient: false,
	});

/** How many times a list that changes or lacks records is read; then the records found so far are returned. */
const MAX_PASSES = 3;

/**
 * Reads a list: page 1 first, because it has the number of pages and records, then the other pages, several at once and
 * in order, until the limit or the service's count of records is reached. The counts are only hints (see Collected). A
 * list is read again if it changes meanwhile (records are created or deleted, so that others move to another page) or
 * lacks records that the service counts, until a whole pass finds no new record. So no available record is lost, and none
 * is returned twice.
 * @param ask requests one page and returns the answer's data; its signal is aborted when the page is not needed any more
 * @throws ServiceError, and what `ask` throws
 */
export async function readList(ask: Ask, want: Want, shape: ListShape): Promise<ListRead> {
	const { limit } = want;
	// Where records are left out afterwards, so small a page could have none of those that are wanted.
	let pageSize = shape.keep || want.isFiltered ? want.pageSize : Math.min(want.pageSize, limit);
	let earlier: Collected | undefined;
	for (let pass = 1; ; pass++) {
		const { found } = await readPass(ask, { ...want, pageSize, isLast: pass === MAX_PASSES }, shape);
		// With a limit the list is not read to its end, so there is nothing to compare.
		const isWhole = found.isFull || (found.steady && found.missing === 0);
		const hasNews = isWhole || !earlier || found.join(earlier);
		// How many others there are is not to be told where they are left out.
		const { steady, missing, isFiltered } = found;
		const total = isFiltered ? undefined : found.total;
		if (isWhole || (steady && (missing === 0 || !hasNews)) || pass === MAX_PASSES)
			return {
				records: found.records.slice(0, limit),
				steady: steady || (isWhole && pass < MAX_PASSES),
				missing: isWhole || isFiltered ? 0 : missing,
				total,
			};
		if (steady) pageSize = found.nextPageSize;
		earlier = found;
	}
}

/**
 * Reads the pages of a list once.
 * @returns the records it found and, if `mayStop` ended it, the page to go on with
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
			while (!mayStop() && (underWay.length === 0 || (underWay.length < ahead && next <= found.lastToRequest)))
				underWay.push(page(next++).catch((thrown: unknown) => ({ thrown })));
			const answer = await underWay.shift();
			if (answer === undefined) return { found, stoppedAt: next };
			if (!('thrown' in answer)) found.take(answer);
			// Some services refuse a request for a page after the last one.
			else if (found.isBeyond && isRefusal(answer.thrown)) found.take({ records: [] });
			else if (mayStop()) return { found, stoppedAt: found.taken + 1 };
			else return await rethrow(answer.thrown);
			if ((limit === Infinity || shape.keep) && found.read > most) throw endless(most);
		}
	} finally {
		// Waiting requests are not sent any more, and sent ones are awaited, so that nothing runs on after this function.
		reading.abort();
		await Promise.all(underWay);
	}
	return { found };
}

/**
 * A hint for the person, if the list may be incomplete or may have a record that was deleted.
 * @param list the list as the beginning of a sentence: "The list of companies"
 * @returns undefined if nothing is wrong
 */
export function remarkOn({ steady, missing, total }: ListRead, list = 'The list'): string | undefined {
	const sentences = [
		...(steady
			? []
			: [
					`${list} changed again and again while it was read, so records created in that time may be missing, and deleted ones may still be listed. Run the node again to get the current list.`,
				]),
		...(missing > 0
			? [
					`${list} is not complete: the service counts ${counted(total ?? missing, 'record')}, but ${missing} of them ${missing === 1 ? 'is' : 'are'} on none of its pages. The credential may not be allowed to see them, or the service counts wrongly. If you can rule out both, please report it to the platform.`,
				]
			: []),
	];
	return sentences.length > 0 ? sentences.join(' ') : undefined;
}
