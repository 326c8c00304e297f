import { sortBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { getCreateTime } from '../pagination/page';
import { readList } from '../pagination/readList';
import type { ReadCompanies } from '../fields/field';
import { toCompany } from '../companies/companies';
import { listScopeCompanies, type ScopeChoice } from '../companyScope/companyScope';
import { settleConcurrently } from '../http/mapConcurrently';
import { isRejected, isStopError, RequestError } from '../http/errors';
import type { WatchedList, WatchedCompany, Poll, ActiveRead, WatchedRecord } from './defineTrigger';
import { getEndpoint } from '../api/endpoint';
import { readId } from '../values';

/**
 * A placeholder with two uses: the company of the global list, which a request without a company returns, and the owner
 * of a record whose owner is unknown.
 */
export const NO_COMPANY: WatchedCompany = {
	id: '',
	name: '',
	ancestorIds: [],
	rootId: '',
	descendants: [],
	isSelected: true,
};

/**
 * Lists the companies whose lists are read. These are the companies of the scope and all companies below them, because
 * the list of a company may also contain the records of the companies below it.
 * @param readCompanies reads all companies
 * @throws RequestError
 */
export async function listWatchedCompanies(
	scope: ScopeChoice,
	readCompanies: ReadCompanies,
	logWarning: (message: string) => void,
	timezone: string,
): Promise<WatchedCompany[]> {
	let companyRecords: IDataObject[] = [];
	const readAndKeep = async () => {
		companyRecords = await readCompanies();
		return companyRecords;
	};
	const scopeCompanies = await listScopeCompanies(scope, readAndKeep, logWarning, timezone);
	if (scope.kind !== 'every') return scopeCompanies.map(({ company }) => ({ ...NO_COMPANY, ...company }));

	const selectedIds = new Set(scopeCompanies.map(({ company }) => company?.id));
	const parentIds = new Map(
		companyRecords.map((record) => [toCompany(record).id, readId(record, ['parentCompanyResourceId'])]),
	);
	const watchedCompanies: WatchedCompany[] = [];
	for (const company of companyRecords.map(toCompany)) {
		const ancestorIds = findAncestorIds(company.id, parentIds, selectedIds);
		const isSelected = selectedIds.has(company.id);
		if (!company.id || (!isSelected && ancestorIds.length === 0)) continue;
		const rootId = ancestorIds.at(-1) ?? company.id;
		watchedCompanies.push({ ...company, ancestorIds, rootId, descendants: [], isSelected });
	}
	const companiesById = new Map(watchedCompanies.map((company) => [company.id, company]));
	for (const company of watchedCompanies)
		for (const ancestorId of company.ancestorIds) companiesById.get(ancestorId)?.descendants.push(company);
	return watchedCompanies;
}

/** Finds the IDs of the companies above a company, up to the topmost selected one. The parent comes first. */
function findAncestorIds(
	companyId: string,
	parentIds: Map<string, string | undefined>,
	selectedIds: Set<string | undefined>,
): string[] {
	const ancestorIds: string[] = [];
	let parentId = parentIds.get(companyId);
	while (parentId && !ancestorIds.includes(parentId)) {
		ancestorIds.push(parentId);
		parentId = parentIds.get(parentId);
	}
	const topmostSelected = ancestorIds.findLastIndex((id) => selectedIds.has(id));
	return ancestorIds.slice(0, topmostSelected + 1);
}

/**
 * Sorts companies into the order in which their lists are read. Trees that contain a company with a priority come
 * first, one tree after the other. Parents come before their children.
 * @param getPriority returns the priority of the company with this ID: lower numbers come first, Infinity means no
 * priority
 */
export function sortForReading(
	companies: WatchedCompany[],
	getPriority: (companyId: string) => number,
): WatchedCompany[] {
	const treePriorities = new Map<string, number>();
	for (const { id, rootId } of companies)
		treePriorities.set(rootId, Math.min(treePriorities.get(rootId) ?? Infinity, getPriority(id)));
	return sortBy(companies, [
		({ rootId }) => treePriorities.get(rootId),
		({ ancestorIds }) => ancestorIds.length,
		({ id }) => getPriority(id),
	]);
}

/** The records that were read from the list of one company, or from the global list. */
export interface CompanyList {
	company: WatchedCompany;
	records: WatchedRecord[];
	/** The number of records without a known ID. */
	missingIdCount: number;
	/** True if there is no sign that the list changed while it was read. */
	isStable: boolean;
	/**
	 * The number of pages that were read. If there are several, a record may have moved between pages and been missed.
	 */
	pageCount: number;
}

/** Returns true if the platform refused a request (403, 404 or invalid input), so that repeating it is useless. */
export const isRequestRefused = (error: unknown) =>
	isRejected(error) || (error instanceof RequestError && error.details.status === 403);

/**
 * Waits for older reads that take long, if half of the poll's time has passed. The records of an
 * incomplete list are discarded, so
 * one complete list is more useful than several incomplete ones.
 */
async function waitForOlderReads({ activeReads, startedAt, budgetMs }: Poll, ownRead: ActiveRead): Promise<void> {
	const isTakingLong = (read: ActiveRead) =>
		Date.now() - startedAt > budgetMs / 2 && Date.now() - read.startedAt > budgetMs / 4;
	let [oldestRead] = activeReads;
	while (oldestRead && oldestRead !== ownRead && isTakingLong(oldestRead)) {
		await oldestRead.finished;
		[oldestRead] = activeReads;
	}
}

/** Converts a record of the platform to a watched record. Returns undefined if the record has no known ID. */
function toWatchedRecord(list: WatchedList, json: IDataObject): WatchedRecord | undefined {
	const id = list.readId(json);
	if (id === undefined) return undefined;
	return { id, createdAt: getCreateTime(json), status: readId(json, ['status']) ?? '', json };
}

/** The part of a list that is read. */
export interface ReadRange {
	/**
	 * Returns the create time in ms since 1970 at which reading the list of `company` stops.
	 * @param newestCreatedAt the newest create time that has been read so far and isn't in the future
	 */
	getCutoff: (company: WatchedCompany, newestCreatedAt: number) => number;
	/** The maximum number of records. */
	limit?: number;
}

/**
 * Reads the list of one company or the global list, newest records first. A list that can't be sorted by create time is
 * read completely.
 * @throws RequestError
 */
export async function readCompanyList(
	poll: Poll,
	list: WatchedList,
	company: WatchedCompany,
	range: ReadRange,
): Promise<CompanyList> {
	const { client, pageSize, signal, activeReads } = poll;
	const isSortedByTime = getEndpoint(list.endpoint).defaultOrder.orderBy === 'CreateTime';
	const request = {
		endpoint: list.endpoint,
		purpose: `look for ${list.noun}`,
		signal,
		company: company.id ? company : undefined,
		body: list.body,
	};
	let finishRead = () => {};
	const finished = new Promise<void>((resolve) => {
		finishRead = resolve;
	});
	const ownRead: ActiveRead = { startedAt: Date.now(), finished };
	let newestCreatedAt = 0;
	let pageCount = 0;
	const prepareNextPage = async () => {
		pageCount++;
		await waitForOlderReads(poll, ownRead);
	};
	const isPastEnd = (json: IDataObject) => {
		const createdAt = getCreateTime(json);
		if (createdAt === undefined || !isSortedByTime) return false;
		newestCreatedAt = Math.max(newestCreatedAt, Math.min(createdAt, poll.startedAt));
		return createdAt < range.getCutoff(company, newestCreatedAt);
	};
	activeReads.add(ownRead);
	try {
		const result = await readList(client, request, {
			limit: isSortedByTime ? range.limit : undefined,
			pageSize,
			beforePage: prepareNextPage,
			// A sorted list is read one page at a time, so that no page with only older records than the cutoff is requested.
			maxPagesInFlight: isSortedByTime ? 1 : client.settings.concurrency,
			identity: list.readId,
			isPastEnd,
		});
		const records = result.records.flatMap((json) => toWatchedRecord(list, json) ?? []);
		const missingIdCount = result.records.length - records.length;
		return { company, records, missingIdCount, isStable: result.isStable, pageCount };
	} finally {
		activeReads.delete(ownRead);
		finishRead();
	}
}

/** The results of reading the lists of several companies. */
export interface CompanyReads {
	/** The lists that were read. */
	lists: CompanyList[];
	/** The companies whose lists could not be read. Those for which there was no time left come first. */
	unreadCompanies: UnreadCompany[];
}

/** A company whose list could not be read. */
export interface UnreadCompany {
	company: WatchedCompany;
	/** The error of the request. Undefined if the time limit was reached first. */
	error?: unknown;
}

/**
 * Reads the lists of several companies concurrently, until the time limit of the poll is reached.
 * @param companies the companies in the order in which their lists are read. If a parent comes before its child, the
 * child's list is read after the parent's list. Then it contains every record of the child that the parent's list had.
 * @param wantedIds the IDs of the records to find. Reading stops when each record was found in the list of a company
 * without children. The function removes the found IDs from the set.
 */
export async function readCompanyLists(
	poll: Poll,
	list: WatchedList,
	companies: WatchedCompany[],
	range: ReadRange,
	wantedIds?: Set<string>,
): Promise<CompanyReads> {
	// This controller stops all reads when every wanted record was found.
	const foundAllController = new AbortController();
	const readingPoll = { ...poll, signal: AbortSignal.any([poll.signal, foundAllController.signal]) };
	const readsByCompanyId = new Map<string, Promise<unknown>>();
	const readAfterParent = async (company: WatchedCompany) => {
		await readsByCompanyId.get(company.ancestorIds[0] ?? '')?.catch(() => undefined);
		const companyList = await readCompanyList(readingPoll, list, company, range);
		if (wantedIds && company.descendants.length === 0) for (const { id } of companyList.records) wantedIds.delete(id);
		if (wantedIds?.size === 0) foundAllController.abort();
		return companyList;
	};
	const startRead = (company: WatchedCompany) => {
		const read = readAfterParent(company);
		readsByCompanyId.set(company.id, read);
		return read;
	};
	const { concurrency } = poll.client.settings;
	const results = await settleConcurrently(companies, concurrency, startRead, () => !readingPoll.signal.aborted);

	const lists: CompanyList[] = [];
	const unreadCompanies: UnreadCompany[] = [];
	for (const [index, company] of companies.entries()) {
		const result = results[index];
		if (result?.ok) lists.push(result.value);
		else if (result && !isStopError(result.error)) unreadCompanies.push({ company, error: result.error });
		// Otherwise the read didn't start or was cancelled. The list counts as unread, unless reading stopped because all
		// records were found.
		else if (!foundAllController.signal.aborted) unreadCompanies.push({ company });
	}
	return { lists, unreadCompanies: sortBy(unreadCompanies, ({ error }) => error !== undefined) };
}
