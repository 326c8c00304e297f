import { isEqual } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { pageOf, type Page } from './page';
import { plural } from '../values';

export { identityOf } from '../values';

export interface PageRequest {
	/** 1-based (contract 2.2). */
	pageNumber: number;
	pageSize: number;
}

export const DEFAULT_PAGE_SIZE = 100;
export const MAX_PAGE_SIZE = 1000;

export type Ask = (page: PageRequest, signal?: AbortSignal) => Promise<unknown>;

/** What to read of a list. */
export interface PagesWanted {
	/** How many records; Infinity for all. */
	limit: number;
	/** Most records in one request. */
	pageSize: number;
	/** How many pages may be asked for at once, after the first one. */
	ahead: number;
	/** A record's ID; undefined for one without, which cannot be compared. */
	identity: (record: IDataObject) => string | undefined;
	/** Whether a record is wanted; without it, all are. */
	filter?: (record: IDataObject) => boolean;
	/** Whether this record, and all that follow it, are of no interest. */
	isPast?: (record: IDataObject) => boolean;
	/** Whether the answer may be one record instead of a page, as some searches are described (deployment shapes). */
	mayBeAlone?: boolean;
}

/** A list as it was read. */
export interface PagesRead {
	/** In the list's order, each ID once. */
	records: IDataObject[];
	/** How many of the records that the service counts were on none of its pages; 0 where it was not read to its end. */
	missing: number;
	/** Whether nothing shows that the list has changed while it was read: no other count, no record on two pages. */
	unchanged: boolean;
	/** Whether the limit ended the reading before the list's end. */
	isCut: boolean;
}

/**
 * Reads a list page by page (contract 2.3): page 1, because it has the counts, then the others, several at once, in order.
 * It ends with the last page by the service's counts, the limit, a record that is past, an empty page, or a page without a
 * new ID. Without counts the pages are asked for one after the other; a plain list that is not as long as a page is whole.
 * @param ask requests one page and returns the answer's data; its signal is aborted when the page is not needed any more
 * @throws ServiceError, and what `ask` throws
 */
export async function readPages(ask: Ask, want: PagesWanted): Promise<PagesRead> {
	const { limit, identity, filter, isPast, mayBeAlone } = want;
	const pageSize = filter ? want.pageSize : Math.min(want.pageSize, limit);
	const reading = new AbortController();
	const load = async (pageNumber: number) => pageOf(await ask({ pageNumber, pageSize }, reading.signal), mayBeAlone);

	const known = new Set<string>();
	const records: IDataObject[] = [];
	let nameless = 0;
	let isLeft = false;
	let isCut = false;
	let unchanged = true;

	/** Adds the records of the next page. @returns whether it was the last one that is needed */
	const take = (page: Page): boolean => {
		const before = known.size + nameless;
		let isRepeated = false;
		for (const record of page.records) {
			isCut = records.length >= limit;
			isLeft = !isCut && (isPast?.(record) ?? false);
			if (isCut || isLeft) break;
			const id = identity(record);
			const isKnown = id !== undefined && known.has(id);
			isRepeated ||= isKnown;
			if (id === undefined) nameless++;
			else known.add(id);
			if (!isKnown && (filter?.(record) ?? true)) records.push(record);
		}
		const hasNew = known.size + nameless > before;
		unchanged &&= page.total === total && !(isRepeated && hasNew);
		return isCut || isLeft || !hasNew || records.length >= limit;
	};

	let page = await load(1);
	const { total, pages } = page;
	const isCounted = total !== undefined || pages !== undefined;
	const last = lastPageOf(page, pageSize);
	const size = page.records.length;
	const needed = filter || size === 0 ? last : Math.min(last, Math.ceil(limit / size));
	let isOver = take(page);

	const underWay: Array<Promise<Page>> = [];
	try {
		for (let next = 2; !isOver;) {
			while (next <= needed && underWay.length < (isCounted ? want.ahead : 1)) {
				const asked = load(next++);
				// What is not awaited any more may fail.
				asked.catch(() => undefined);
				underWay.push(asked);
			}
			const [before, following] = [page, await underWay.shift()];
			page = following ?? page;
			// Where records have no ID and the service no counts, nothing else ends the same page again and again.
			isOver = !following || (!isCounted && isEqual(page.records, before.records)) || take(page);
		}
	} finally {
		reading.abort();
		await Promise.allSettled(underWay);
	}
	const unread = Math.max(0, (total ?? 0) - known.size - nameless);
	const isFull = records.length >= limit;
	return { records, unchanged, isCut: isCut || (isFull && unread > 0), missing: isFull || isLeft ? 0 : unread };
}

/** The last page by the service's counts; without them, Infinity, or 1 for a plain list that is no full page. */
function lastPageOf({ total, pages, records, isBare = false }: Page, pageSize: number): number {
	const byTotal = total === undefined || records.length === 0 ? 0 : Math.ceil(total / records.length);
	if (total !== undefined || pages !== undefined) return Math.max(pages ?? 0, byTotal);
	return isBare && records.length !== pageSize ? 1 : Infinity;
}

/**
 * The hint about records that the service counts and does not list, if any, and how many these are.
 * @param name begins it: "The list of companies"
 */
export const missingHint = (
	{ missing }: Pick<PagesRead, 'missing'>,
	name = 'The list',
): [message: string, about: string] | undefined =>
	missing === 0
		? undefined
		: [
				`${name} is not complete: there are records that the service counts, but has on none of its pages. The credential may not be allowed to see them, or the list has changed while it was read.`,
				plural(missing, 'record'),
			];
