import { isEqual } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { getEndpoint } from '../api/endpoint';
import { buildSearchFilter } from '../api/searchFilter';
import type { HttpClient } from '../http/client';
import type { ApiRequest } from '../http/request';
import { readId } from '../values';
import type { ListResult } from './listResult';
import { parsePage, type Page } from './parsePage';

/** The number of records per page if the user sets none. */
export const DEFAULT_PAGE_SIZE = 100;
/** The largest page size that the user may set. */
export const MAX_PAGE_SIZE = 1000;
/** The page size for lists that are read completely. It is the largest recommended one (deployment activity 10). */
export const LARGE_PAGE_SIZE = 500;

/** Describes the records of a list, and which of them to keep. */
export interface ListOptions {
	/**
	 * The fields that may contain a record's ID, in order of preference, or a function that returns the ID. Records without
	 * an ID can't be compared.
	 */
	identity: readonly string[] | ((record: IDataObject) => string | undefined);
	/** Decides which records are returned. The default is all records. */
	shouldKeep?: ((record: IDataObject) => boolean) | undefined;
	/** Returns true for the first record that isn't needed. The reading ends there, because no record after it is needed either. */
	isPastEnd?: ((record: IDataObject) => boolean) | undefined;
	/** Adds to a page what needs further requests, such as the rest of a list inside each record. */
	completePage?: ((page: Page, request: ApiRequest) => Promise<Page>) | undefined;
	/** Called with the first page, for example to read its `botActivityCount`. */
	onFirstPage?: ((page: Page) => void) | undefined;
	/**
	 * True if the response may be one record instead of a page. Some searches are described this way (deployment shapes,
	 * "How to read this file").
	 */
	mayBeSingleRecord?: boolean | undefined;
}

/** Describes how much of a list to read, and how. */
export interface ReadListOptions extends ListOptions {
	/** The largest number of records to return. The default is all records. */
	limit?: number | undefined;
	/** The number of records per request. */
	pageSize?: number | undefined;
	/** The largest number of pages that are requested at once, after the first one. */
	maxPagesInFlight?: number;
	/** Called before each request. The request is sent after the returned promise has resolved. */
	beforePage?: () => Promise<void>;
	/** The number of records according to another source, such as the member count in a group's record. */
	expectedCount?: number | undefined;
}

/** The state of a list that is being read. */
interface ListProgress {
	/** The records to return. */
	records: IDataObject[];
	/** The IDs of all records so far, also of those that are not returned. */
	seenIds: Set<string>;
	/** The number of records without an ID so far. */
	countWithoutId: number;
	/** The number of pages that had at least one new record. */
	contributingPageCount: number;
	/** See `ListResult`. */
	hasNullPage: boolean;
	/** See `ListResult`. */
	isStable: boolean;
	/** See `ListResult`. */
	isTruncated: boolean;
	/** True if the reading ended because of `ListOptions.isPastEnd`. */
	isPastEnd: boolean;
}

/** Describes which pages of a list to read after its first page. */
interface ReadPlan {
	/** The number of the last page that is needed. It is Infinity if the platform doesn't count. */
	lastPageNumber: number;
	/** The largest number of pages that are requested at once. */
	maxPagesInFlight: number;
	/** The platform's count of the records. */
	totalCount: number | undefined;
	/** The platform's count of the pages. */
	pageCount?: number | undefined;
}

/** The plan for the first page, which is read alone because it contains the counts. */
const FIRST_PAGE_PLAN: ReadPlan = { lastPageNumber: 1, maxPagesInFlight: 1, totalCount: undefined };

/**
 * Reads a list page by page (contract 2.2, 2.3): first page 1, because it contains the counts, then several pages at once.
 * Records are kept in the order of the list. The reading ends at the last page by the platform's counts, at the limit, at a
 * record for which `isPastEnd` returns true, at an empty page, or at a page without a new ID. If the platform sends no counts,
 * pages are requested one after the other. A plain list that isn't exactly as long as a page is complete.
 * @param request the search. If its body has no filter or order, it finds all records in the endpoint's default order.
 * @throws RequestError
 */
export async function readList(
	client: Pick<HttpClient, 'requestJson' | 'settings'>,
	request: ApiRequest,
	options: ReadListOptions,
): Promise<ListResult> {
	const { limit = Infinity, pageSize: requestedPageSize = DEFAULT_PAGE_SIZE } = options;
	const pageSize = options.shouldKeep ? requestedPageSize : Math.min(requestedPageSize, limit);
	const readEndController = new AbortController();
	const signal = request.signal
		? AbortSignal.any([request.signal, readEndController.signal])
		: readEndController.signal;
	const progress = startProgress();
	const pendingPages: Array<Promise<Page>> = [];
	let plan = FIRST_PAGE_PLAN;
	let pageNumber = 1;
	let previousPage: Page | undefined;
	let isDone = false;
	try {
		while (!isDone) {
			while (pageNumber <= plan.lastPageNumber && pendingPages.length < plan.maxPagesInFlight) {
				if (options.beforePage) await options.beforePage();
				const pageRequest = buildPageRequest(request, pageNumber, pageSize, signal);
				const pendingPage = requestPage(client, pageRequest, options);
				// A page that turns out not to be needed is never awaited. This prevents that its failure ends the process.
				pendingPage.catch(() => undefined);
				pendingPages.push(pendingPage);
				pageNumber++;
			}
			const page = await pendingPages.shift();
			if (page && !previousPage) {
				plan = planPages(page, options, pageSize, client.settings.concurrency);
				options.onFirstPage?.(page);
			}
			isDone = !page || isRepeatedPage(page, previousPage) || addRecords(progress, page, options, plan.totalCount);
			previousPage = page;
		}
	} finally {
		readEndController.abort();
		await Promise.allSettled(pendingPages);
	}
	return buildListResult(progress, plan, options);
}

/**
 * Reads one page of a list.
 * @param request see `readList`
 * @param pageNumber counted from 1
 * @throws RequestError
 */
export function readPage(
	client: Pick<HttpClient, 'requestJson'>,
	request: ApiRequest,
	{ pageNumber, pageSize }: { pageNumber: number; pageSize: number },
	mayBeSingleRecord = false,
): Promise<Page> {
	const pageRequest = buildPageRequest(request, pageNumber, pageSize, request.signal);
	return requestPage(client, pageRequest, { mayBeSingleRecord });
}

function buildPageRequest(
	request: ApiRequest,
	pageNumber: number,
	pageSize: number,
	signal: AbortSignal | undefined,
): ApiRequest {
	const { defaultOrder } = getEndpoint(request.endpoint);
	const body = { ...defaultOrder, filter: buildSearchFilter(), ...request.body, pageNumber, pageSize };
	return { ...request, body, signal };
}

async function requestPage(
	client: Pick<HttpClient, 'requestJson'>,
	request: ApiRequest,
	{ mayBeSingleRecord, completePage }: Pick<ListOptions, 'mayBeSingleRecord' | 'completePage'>,
): Promise<Page> {
	const { data } = await client.requestJson(request);
	const page = parsePage(data, mayBeSingleRecord);
	return completePage ? completePage(page, request) : page;
}

function planPages(
	firstPage: Page,
	{ limit = Infinity, shouldKeep, maxPagesInFlight }: ReadListOptions,
	pageSize: number,
	concurrency: number,
): ReadPlan {
	const { totalCount, pageCount, records, isPlainList = false } = firstPage;
	const recordCount = records.length;
	// `shouldKeep` may leave out records. The number of pages that are needed to reach the limit is then unknown.
	const lastPageByLimit = shouldKeep || recordCount === 0 ? Infinity : Math.ceil(limit / recordCount);
	if (totalCount === undefined && pageCount === undefined) {
		const isComplete = isPlainList && recordCount !== pageSize;
		return { lastPageNumber: isComplete ? 1 : lastPageByLimit, maxPagesInFlight: 1, totalCount };
	}
	const lastPageByTotal = totalCount === undefined || recordCount === 0 ? 0 : Math.ceil(totalCount / recordCount);
	return {
		lastPageNumber: Math.min(Math.max(pageCount ?? 0, lastPageByTotal), lastPageByLimit),
		maxPagesInFlight: maxPagesInFlight ?? concurrency * 2,
		totalCount,
		pageCount,
	};
}

/**
 * Returns true if a page has the same records as the previous page. If a platform repeats a page and sends neither counts nor IDs,
 * only this test ends the reading.
 */
const isRepeatedPage = (page: Page, previousPage: Page | undefined) =>
	page.totalCount === undefined &&
	page.pageCount === undefined &&
	previousPage !== undefined &&
	isEqual(page.records, previousPage.records);

function startProgress(): ListProgress {
	return {
		records: [],
		seenIds: new Set(),
		countWithoutId: 0,
		contributingPageCount: 0,
		hasNullPage: false,
		isStable: true,
		isTruncated: false,
		isPastEnd: false,
	};
}

const countReadRecords = ({ seenIds, countWithoutId }: ListProgress) => seenIds.size + countWithoutId;

/**
 * Adds the records of a page to the progress.
 * @param totalCount the count on the first page
 * @returns true if this was the last page that is needed
 */
function addRecords(
	progress: ListProgress,
	page: Page,
	{ limit = Infinity, identity, shouldKeep, isPastEnd }: ReadListOptions,
	totalCount: number | undefined,
): boolean {
	const readCountBefore = countReadRecords(progress);
	let hasRepeatedRecord = false;
	for (const record of page.records) {
		progress.isTruncated = progress.records.length >= limit;
		progress.isPastEnd = !progress.isTruncated && (isPastEnd?.(record) ?? false);
		if (progress.isTruncated || progress.isPastEnd) break;
		const id = typeof identity === 'function' ? identity(record) : readId(record, identity);
		const isRepeated = id !== undefined && progress.seenIds.has(id);
		hasRepeatedRecord ||= isRepeated;
		if (id === undefined) progress.countWithoutId++;
		else progress.seenIds.add(id);
		if (!isRepeated && (shouldKeep?.(record) ?? true)) progress.records.push(record);
	}
	const hasNewRecord = countReadRecords(progress) > readCountBefore;
	if (hasNewRecord) progress.contributingPageCount++;
	progress.hasNullPage ||= page.isNull ?? false;
	progress.isStable &&= page.totalCount === totalCount && !(hasRepeatedRecord && hasNewRecord);
	return progress.isTruncated || progress.isPastEnd || !hasNewRecord || progress.records.length >= limit;
}

function buildListResult(progress: ListProgress, plan: ReadPlan, options: ReadListOptions): ListResult {
	const { records, isPastEnd } = progress;
	const expectedCount = Math.max(plan.totalCount ?? 0, options.expectedCount ?? 0);
	const unreadCount = Math.max(0, expectedCount - countReadRecords(progress));
	const isLimitReached = records.length >= (options.limit ?? Infinity);
	const isReadToEnd = !isLimitReached && !isPastEnd;
	return {
		records,
		missingCount: isReadToEnd ? unreadCount : 0,
		isStable: progress.isStable,
		isTruncated: progress.isTruncated || (isLimitReached && unreadCount > 0),
		countWithoutId: progress.countWithoutId,
		hasNullPage: progress.hasNullPage,
		hasWrongCount: hasWrongCount(progress, plan, isReadToEnd),
	};
}

function hasWrongCount(progress: ListProgress, plan: ReadPlan, isReadToEnd: boolean): boolean {
	const { totalCount, pageCount = 0 } = plan;
	const readCount = countReadRecords(progress);
	// The platform may count an empty list as one page.
	if (totalCount === undefined) return isReadToEnd && pageCount > Math.max(1, progress.contributingPageCount);
	return readCount > totalCount || (readCount === 0 && pageCount > 1);
}
