import { isEqual } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { endpointOf } from '../api/endpoint';
import { isStop, rethrow, ServiceError } from '../http/errors';
import type { ServiceRequest } from '../http/request';
import { searchFilter } from '../http/requestVariants';
import type { Service } from '../http/client';
import { identityOf, plural, type Choice } from '../values';
import { pageOf, type Page } from './page';

export const DEFAULT_PAGE_SIZE = 100;
export const MAX_PAGE_SIZE = 1000;
/** For lists that are read whole: a large page that is known to work (deployment activity, 10). */
export const LARGE_PAGE_SIZE = 500;

export interface ListShape {
	/** The fields that may have a record's ID, the usual one first, or a function that returns it; without an ID, it cannot be compared. */
	identity: readonly string[] | ((record: IDataObject) => string | undefined);
	isWanted?: ((record: IDataObject) => boolean) | undefined;
	/** Whether this record, and all that follow it, are of no interest. */
	isPast?: ((record: IDataObject) => boolean) | undefined;
	/** Told of the first page, which may have more than its records and their counts. */
	onFirstPage?: ((page: Page) => void) | undefined;
	/** Whether the answer may be one record instead of a page, as some searches are described (deployment shapes). */
	mayBeAlone?: boolean | undefined;
}

export interface ListWanted extends ListShape {
	/** How many records; all unless given. */
	limit?: number | undefined;
	pageSize?: number | undefined;
	/** How many pages may be asked for at once, after the first one. */
	ahead?: number;
	beforePage?: () => Promise<void>;
	/** How many records there are by another count of the platform, such as that of a group's members in the group's record. */
	atLeast?: number | undefined;
}

export interface ListRead {
	/** In the list's order, each ID once. */
	records: IDataObject[];
	/** How many of the records that the service counts were on none of its pages; 0 where it was not read to its end. */
	missing: number;
	/** Whether nothing shows that the list has changed while it was read: no other count, no record on two pages. */
	unchanged: boolean;
	/** Whether the limit ended the reading before the list's end. */
	isCut: boolean;
	/** The number of records without an ID among those that were read. */
	recordsWithoutId: number;
	/** True if a page had null instead of a list. */
	hasNullPage: boolean;
	/** True if the service counts fewer records than it lists, or more pages than have records. */
	hasWrongCount: boolean;
}

/**
 * Reads a list page by page (contract 2.2, 2.3): page 1, because it has the counts, then the others, several at once, in order.
 * It ends with the last page by the service's counts, the limit, a record that is past, an empty page, or a page without a
 * new ID. Without counts the pages are asked for one after the other; a plain list that is not as long as a page is whole.
 * @param request what its body lacks is that of a search for everything, in the list's own order
 * @throws ServiceError
 */
export async function readList(
	service: Pick<Service, 'json' | 'settings'>,
	request: ServiceRequest,
	want: ListWanted,
): Promise<ListRead> {
	const { limit = Infinity, isWanted, beforePage, mayBeAlone, pageSize: most = DEFAULT_PAGE_SIZE } = want;
	const pageSize = isWanted ? most : Math.min(most, limit);
	const ended = new AbortController();
	const signal = AbortSignal.any([request.signal, ended.signal].filter((each) => each !== undefined));
	const list: Taken = {
		records: [],
		known: new Set(),
		nameless: 0,
		pages: 0,
		hasNullPage: false,
		unchanged: true,
		isCut: false,
		isPast: false,
	};
	const underWay: Array<Promise<Page>> = [];
	let plan: Plan = { last: 1, width: 1, total: undefined };
	let before: Page | undefined;
	try {
		for (let [next, isOver] = [1, false]; !isOver;) {
			// Ask for as many pages as may be under way.
			while (next <= plan.last && underWay.length < plan.width) {
				if (beforePage) await beforePage();
				const asked = readPage(service, { ...request, signal }, { pageNumber: next++, pageSize }, mayBeAlone);
				// What is not awaited any more may fail.
				asked.catch(() => undefined);
				underWay.push(asked);
			}
			// Wait for the next one; the first one tells how many there are.
			const page = await underWay.shift();
			if (page && !before) {
				plan = planOf(page, want, pageSize, service.settings.concurrency);
				want.onFirstPage?.(page);
			}
			// Take its records.
			isOver = !page || isSame(page, before) || take(page, want, list, plan.total);
			before = page;
		}
	} finally {
		ended.abort();
		await Promise.allSettled(underWay);
	}
	const { total, pages = 0 } = plan;
	const { records, unchanged, isCut, isPast, hasNullPage, nameless } = list;
	const size = list.known.size + nameless;
	const unread = Math.max(0, Math.max(total ?? 0, want.atLeast ?? 0) - size);
	const isFull = records.length >= limit;
	return {
		records,
		unchanged,
		isCut: isCut || (isFull && unread > 0),
		missing: isFull || isPast ? 0 : unread,
		recordsWithoutId: nameless,
		hasNullPage,
		// An empty list may be counted as one page.
		hasWrongCount:
			total === undefined
				? !isFull && !isPast && pages > Math.max(1, list.pages)
				: size > total || (size === 0 && pages > 1),
	};
}

/** Requests one page of a list, counted from 1. @param request see `readList` @throws ServiceError */
export async function readPage(
	service: Pick<Service, 'json'>,
	request: ServiceRequest,
	page: { pageNumber: number; pageSize: number },
	mayBeAlone = false,
): Promise<Page> {
	const { order } = endpointOf(request.endpoint);
	const body = { ...order, filter: searchFilter(), ...request.body, ...page };
	const { data } = await service.json({ ...request, body });
	return pageOf(data, mayBeAlone);
}

/** How a list is read on after its first page. */
interface Plan {
	/** The last page that is needed; Infinity where the service does not count. */
	last: number;
	width: number;
	/** The service's counts of records and of pages. */
	total: number | undefined;
	pages?: number | undefined;
}

function planOf(
	first: Page,
	{ limit = Infinity, isWanted, ahead }: ListWanted,
	pageSize: number,
	concurrency: number,
): Plan {
	const { total, pages, records, isBare = false } = first;
	const size = records.length;
	const byTotal = total === undefined || size === 0 ? 0 : Math.ceil(total / size);
	const byLimit = isWanted || size === 0 ? Infinity : Math.ceil(limit / size);
	if (total !== undefined || pages !== undefined)
		return { last: Math.min(Math.max(pages ?? 0, byTotal), byLimit), width: ahead ?? concurrency * 2, total, pages };
	return { last: isBare && size !== pageSize ? 1 : byLimit, width: 1, total };
}

/** Whether a page is the one before again: where records have no ID and the service no counts, nothing else ends that. */
const isSame = (page: Page, before: Page | undefined) =>
	page.total === undefined && page.pages === undefined && before !== undefined && isEqual(page.records, before.records);

/** What was taken of a list so far. */
interface Taken {
	records: IDataObject[];
	/** The IDs of all records so far, also of those that are not wanted. */
	known: Set<string>;
	nameless: number;
	/** The number of pages that had at least one record not seen before. */
	pages: number;
	hasNullPage: boolean;
	unchanged: boolean;
	isCut: boolean;
	isPast: boolean;
}

/** Takes the records of a page. @param total by the first page @returns whether it was the last page that is needed */
function take(page: Page, want: ListWanted, list: Taken, total: number | undefined): boolean {
	const { limit = Infinity, identity, isWanted, isPast } = want;
	const before = list.known.size + list.nameless;
	let isRepeated = false;
	for (const record of page.records) {
		list.isCut = list.records.length >= limit;
		list.isPast = !list.isCut && (isPast?.(record) ?? false);
		if (list.isCut || list.isPast) break;
		const id = typeof identity === 'function' ? identity(record) : identityOf(record, identity);
		const isKnown = id !== undefined && list.known.has(id);
		isRepeated ||= isKnown;
		if (id === undefined) list.nameless++;
		else list.known.add(id);
		if (!isKnown && (isWanted?.(record) ?? true)) list.records.push(record);
	}
	const hasNew = list.known.size + list.nameless > before;
	if (hasNew) list.pages++;
	list.hasNullPage ||= page.isNull ?? false;
	list.unchanged &&= page.total === total && !(isRepeated && hasNew);
	return list.isCut || list.isPast || !hasNew || list.records.length >= limit;
}

/** The error for a list that may lack records, although an operation needs all of them. */
export class IncompleteList extends ServiceError {}

/**
 * Reads a whole list for an operation that writes something derived from it (see `readAgainIfIncomplete`).
 * @param listName names the list in the error: "the list of target users"
 * @throws IncompleteList if the list may still be incomplete
 * @throws ServiceError if it cannot be read
 */
export async function readCompleteList(
	service: Pick<Service, 'json' | 'settings'>,
	request: ServiceRequest,
	want: Omit<ListWanted, 'limit' | 'isPast'>,
	listName: string,
): Promise<IDataObject[]> {
	const list = await readAgainIfIncomplete(() => readList(service, request, want));
	if (isCompleteList(list)) return list.records;
	throw new IncompleteList({
		reason: `${listName} could not be read completely: ${describeGap(list)}`,
		advice:
			"Nothing was changed for this item, because records that are missing from the list could have been lost or added twice. Run the node again: the list may have changed while it was read. If this happens again, the credential's role may see only a part of the list. Such a role can't run this operation: use a credential whose role may see the whole list.",
	});
}

/**
 * Reads a list, and reads it once more if records may be missing, because it may have changed while it was read.
 * @returns the second reading, if there was one
 */
export async function readAgainIfIncomplete(read: () => Promise<ListRead>): Promise<ListRead> {
	const list = await read();
	return isCompleteList(list) ? list : await read();
}

/** True if a list that was read without a limit shows no sign of missing records. */
export const isCompleteList = (read: ListRead): boolean => describeGap(read) === undefined;

/** Explains, as the end of a sentence, why a list may be incomplete. @returns undefined if there is no sign of it */
export function describeGap(read: ListRead): string | undefined {
	if (read.hasNullPage) return 'the platform answered without a list';
	if (read.missing > 0) return `the platform counts ${plural(read.missing, 'record')} that it does not show`;
	if (read.recordsWithoutId > 0) return `${plural(read.recordsWithoutId, 'record')} came without an ID`;
	if (read.hasWrongCount) return "the platform's own count does not match the records that it shows";
	if (!read.unchanged) return 'it changed while it was read';
	if (read.isCut) return 'not all of it was read';
	return undefined;
}

/**
 * Reads a list after an operation has done its work, so that a failure of the list doesn't fail the operation.
 * A list that may be incomplete proves nothing, so it isn't used, and a hint says so.
 * @param listName names the list in the hint: "The list of the companies in the group"
 * @returns undefined if it could not be read, or may be incomplete
 * @throws ServiceError only when the run was stopped
 */
export async function readOptionalList(
	{ service, company, hint }: { service: Service; company?: Choice; hint: (message: string) => void },
	request: Pick<ServiceRequest, 'endpoint' | 'path'>,
	shape: ListShape,
	listName: string,
	searchText = '',
): Promise<IDataObject[] | undefined> {
	const search = { ...request, purpose: 'look it up', company, body: { filter: searchFilter({ searchText }) } };
	try {
		return await readCompleteList(service, search, shape, listName);
	} catch (error) {
		if (!(error instanceof ServiceError) || isStop(error)) return await rethrow(error);
		if (error instanceof IncompleteList) hint(`${error.message}, so it was not used.`);
		return undefined;
	}
}

/**
 * The hint about records that the service counts and does not list, if any, and how many these are.
 * @param name begins it: "The list of companies"
 */
export const missingHint = (
	{ missing }: Pick<ListRead, 'missing'>,
	name = 'The list',
): [message: string, about: string] | undefined =>
	missing === 0
		? undefined
		: [
				`${name} is not complete: there are records that the service counts, but has on none of its pages. The credential may not be allowed to see them, or the list has changed while it was read.`,
				plural(missing, 'record'),
			];
