import { sortBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { getCreateTime } from '../pagination/parsePage';
import { readList } from '../pagination/readList';
import type { ReadCompanies } from '../fields/field';
import { toCompany } from '../companies/companies';
import { listScopeCompanies, type ScopeChoice } from '../companyScope/companyScope';
import { settleConcurrently, type SettledResult } from '../http/mapConcurrently';
import { isRejected, isCancellationError, RequestError } from '../http/errors';
import type { ActiveRead, CompanyPoll, Poll, WatchedCompany, WatchedList, WatchedRecord } from './defineTrigger';
import { getEndpoint } from '../api/endpoint';
import type { UnreadCompany } from './unreadCompanies';
import { readId, type Choice } from '../values';

/**
 * A placeholder with two uses: the company of the global list (the list that a request without a company returns), and
 * the owner of a record whose owner is unknown.
 */
export const NO_COMPANY: WatchedCompany = {
	id: '',
	name: '',
	ancestorIds: [],
	rootId: '',
	descendants: [],
	isSelected: true,
};

/** Returns the company of a request. @returns undefined for `NO_COMPANY`, because its list is read without a company */
export const getRequestedCompany = (company: WatchedCompany): Choice | undefined =>
	company.id === '' ? undefined : company;

/**
 * Lists the companies whose lists are read: the companies of the scope and all companies below them. The list of a
 * company may contain the records of the companies below it. Only the lists of those companies show to which of them
 * such a record belongs.
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
	const readAndKeepRecords = async () => {
		companyRecords = await readCompanies();
		return companyRecords;
	};
	const scopeCompanies = await listScopeCompanies(scope, readAndKeepRecords, logWarning, timezone);
	if (scope.kind !== 'every') return scopeCompanies.map(({ company }) => ({ ...NO_COMPANY, ...company }));

	const selectedCompanyIds = new Set(scopeCompanies.map(({ company }) => company?.id));
	const parentIdsByCompanyId = new Map(
		companyRecords.map((record) => [toCompany(record).id, readId(record, ['parentCompanyResourceId'])]),
	);
	const watchedCompanies: WatchedCompany[] = [];
	for (const company of companyRecords.map(toCompany)) {
		const ancestorIds = findAncestorIds(company.id, parentIdsByCompanyId, selectedCompanyIds);
		const isSelected = selectedCompanyIds.has(company.id);
		if (!company.id || (!isSelected && ancestorIds.length === 0)) continue;
		const rootId = ancestorIds.at(-1) ?? company.id;
		watchedCompanies.push({ ...company, ancestorIds, rootId, descendants: [], isSelected });
	}
	const companiesById = new Map(watchedCompanies.map((company) => [company.id, company]));
	for (const company of watchedCompanies)
		for (const ancestorId of company.ancestorIds) companiesById.get(ancestorId)?.descendants.push(company);
	return watchedCompanies;
}

/**
 * Finds the IDs of the companies above a company, up to the topmost one that the scope selects. The parent comes first.
 */
function findAncestorIds(
	companyId: string,
	parentIdsByCompanyId: Map<string, string | undefined>,
	selectedCompanyIds: Set<string | undefined>,
): string[] {
	const ancestorIds: string[] = [];
	let parentId = parentIdsByCompanyId.get(companyId);
	while (parentId && !ancestorIds.includes(parentId)) {
		ancestorIds.push(parentId);
		parentId = parentIdsByCompanyId.get(parentId);
	}
	const topmostSelectedIndex = ancestorIds.findLastIndex((id) => selectedCompanyIds.has(id));
	return ancestorIds.slice(0, topmostSelectedIndex + 1);
}

/**
 * Sorts companies into the order in which their lists are read. The trees that contain a company with a priority come
 * first, sorted by that priority. Within a tree, parents come before their children.
 * @param getPriority returns the priority of the company with this ID: lower numbers come first, and Infinity means no
 * priority
 */
export function sortForReading(
	companies: WatchedCompany[],
	getPriority: (companyId: string) => number,
): WatchedCompany[] {
	const prioritiesByRootId = new Map<string, number>();
	for (const { id, rootId } of companies)
		prioritiesByRootId.set(rootId, Math.min(prioritiesByRootId.get(rootId) ?? Infinity, getPriority(id)));
	return sortBy(companies, [
		({ rootId }) => prioritiesByRootId.get(rootId),
		({ ancestorIds }) => ancestorIds.length,
		({ id }) => getPriority(id),
	]);
}

/** The records that were read from the list of one company, or from the global list. */
export interface CompanyList {
	company: WatchedCompany;
	records: WatchedRecord[];
	/** The number of records that have none of the known ID fields. */
	missingIdCount: number;
	/** True if there is no sign that the list changed while it was read. */
	isStable: boolean;
	/**
	 * The number of pages that were read. If it is greater than 1, a record may have moved to another page meanwhile and
	 * been missed.
	 */
	pageCount: number;
}

/**
 * Returns true if the platform refused a request (403, 404 or invalid input). Repeating such a request in the same poll
 * is useless.
 */
export const isRequestRefused = (error: unknown) =>
	isRejected(error) || (error instanceof RequestError && error.details.status === 403);

/**
 * Waits for older reads that take long, if half of the poll's time has passed. This lets the oldest read finish before
 * the time is over. The records of an incomplete list are discarded, so one complete list is more useful than several
 * incomplete lists.
 */
async function waitForOlderReads(
	{ activeReads, startedAt, timeLimitMs }: Poll,
	currentRead: ActiveRead,
): Promise<void> {
	const isTakingLong = (read: ActiveRead) =>
		Date.now() - startedAt > timeLimitMs / 2 && Date.now() - read.startedAt > timeLimitMs / 4;
	let [oldestRead] = activeReads;
	while (oldestRead && oldestRead !== currentRead && isTakingLong(oldestRead)) {
		await oldestRead.completion;
		[oldestRead] = activeReads;
	}
}

/**
 * Converts a record of the platform to a watched record. Returns undefined if the record has none of the known ID
 * fields.
 */
function toWatchedRecord(list: WatchedList, json: IDataObject): WatchedRecord | undefined {
	const id = list.readId(json);
	if (id === undefined) return undefined;
	return { id, createdAt: getCreateTime(json), status: readId(json, ['status']) ?? '', json };
}

/** How much of a list is read: how far back, and how many records. */
export interface ReadLimits {
	/**
	 * Returns the create time in ms since 1970 at which reading the list of `company` stops. Older records are not read.
	 * @param newestCreatedAt the newest create time that has been read from this list so far; at most the start of the
	 * poll
	 */
	getCutoff: (company: WatchedCompany, newestCreatedAt: number) => number;
	/** The maximum number of records to read. Undefined if there is no maximum. */
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
	limits: ReadLimits,
): Promise<CompanyList> {
	const { client, pageSize, signal, activeReads } = poll;
	const isSortedByTime = getEndpoint(list.endpoint).defaultOrder.orderBy === 'CreateTime';
	const request = {
		endpoint: list.endpoint,
		purpose: `look for ${list.noun}`,
		signal,
		company: getRequestedCompany(company),
		body: list.body,
	};
	let finishRead = () => {};
	const completion = new Promise<void>((resolve) => {
		finishRead = resolve;
	});
	const currentRead: ActiveRead = { startedAt: Date.now(), completion };
	let newestCreatedAt = 0;
	let pageCount = 0;
	const prepareNextPage = async () => {
		pageCount++;
		await waitForOlderReads(poll, currentRead);
	};
	const isPastEnd = (json: IDataObject) => {
		const createdAt = getCreateTime(json);
		if (createdAt === undefined || !isSortedByTime) return false;
		newestCreatedAt = Math.max(newestCreatedAt, Math.min(createdAt, poll.startedAt));
		return createdAt < limits.getCutoff(company, newestCreatedAt);
	};
	activeReads.add(currentRead);
	try {
		const result = await readList(client, request, {
			limit: isSortedByTime ? limits.limit : undefined,
			pageSize,
			beforePage: prepareNextPage,
			// A sorted list is read one page at a time, so that no page is requested that has only records older than the
			// cutoff.
			maxPagesInFlight: isSortedByTime ? 1 : client.settings.concurrency,
			identity: list.readId,
			isPastEnd,
		});
		const records = result.records.flatMap((json) => toWatchedRecord(list, json) ?? []);
		const missingIdCount = result.records.length - records.length;
		return { company, records, missingIdCount, isStable: result.isStable, pageCount };
	} finally {
		activeReads.delete(currentRead);
		finishRead();
	}
}

/**
 * Reads several companies concurrently, until the poll's signal is aborted. A company is read after its parent.
 * @param companies the companies in the order in which they are read. Parents come before their children.
 * @returns the results in the order of the companies. A company that was not read has no result.
 */
export async function readAfterParents<T>(
	{ client, signal }: Pick<CompanyPoll, 'client' | 'signal'>,
	companies: WatchedCompany[],
	read: (company: WatchedCompany) => Promise<T>,
): Promise<Array<SettledResult<T> | undefined>> {
	const readsByCompanyId = new Map<string, Promise<unknown>>();
	const readWhenParentIsRead = async (company: WatchedCompany) => {
		await readsByCompanyId.get(company.ancestorIds[0] ?? '')?.catch(() => undefined);
		return await read(company);
	};
	const startRead = (company: WatchedCompany) => {
		const companyRead = readWhenParentIsRead(company);
		readsByCompanyId.set(company.id, companyRead);
		return companyRead;
	};
	return await settleConcurrently(companies, client.settings.concurrency, startRead, () => !signal.aborted);
}

/** The results of reading the lists of several companies. */
export interface CompanyReadResults {
	/** The lists that were read. */
	lists: CompanyList[];
	/** The companies whose lists could not be read. The companies for which there was no time left come first. */
	unreadCompanies: UnreadCompany[];
}

/**
 * Reads the lists of several companies concurrently, until the time limit of the poll is reached.
 * @param companies the companies in the order in which their lists are read. If a parent comes before its child, the
 * child's list is read after the parent's list. So each record of the child that was in the parent's list is also in
 * the child's list.
 * @param wantedRecordIds the IDs of the records whose owners are searched for. Reading stops when each of these records was
 * found in the list of a company without children. The function removes the found IDs from this set.
 */
export async function readCompanyLists(
	poll: Poll,
	list: WatchedList,
	companies: WatchedCompany[],
	limits: ReadLimits,
	wantedRecordIds?: Set<string>,
): Promise<CompanyReadResults> {
	// Aborting this controller stops all reads. That happens when every wanted record was found.
	const allFoundController = new AbortController();
	const stoppablePoll = { ...poll, signal: AbortSignal.any([poll.signal, allFoundController.signal]) };
	const results = await readAfterParents(stoppablePoll, companies, async (company) => {
		const companyList = await readCompanyList(stoppablePoll, list, company, limits);
		if (wantedRecordIds && company.descendants.length === 0)
			for (const { id } of companyList.records) wantedRecordIds.delete(id);
		if (wantedRecordIds?.size === 0) allFoundController.abort();
		return companyList;
	});

	const lists: CompanyList[] = [];
	const unreadCompanies: UnreadCompany[] = [];
	for (const [index, company] of companies.entries()) {
		const result = results[index];
		if (result?.ok) lists.push(result.value);
		else if (result && !isCancellationError(result.error)) unreadCompanies.push({ company, error: result.error });
		// Otherwise the read didn't start, or it was stopped. If it was stopped because all wanted records were found, the
		// company doesn't count as unread.
		else if (!allFoundController.signal.aborted) unreadCompanies.push({ company });
	}
	return { lists, unreadCompanies: sortBy(unreadCompanies, ({ error }) => error !== undefined) };
}
