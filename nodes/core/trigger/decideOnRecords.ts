import { sortBy } from 'lodash';

import { NO_COMPANY, type CompanyList } from './readCompanies';
import { classifyRecord, HOUR_MS, MAX_UNREAD_MS, rememberRecord, type ListState } from './state';
import type { Poll, WatchedCompany, WatchedRecord } from './defineTrigger';

/** The maximum time that a new record waits until its owner is certain. After that, it is emitted without a company. */
const MAX_WAIT_MS = HOUR_MS;
/**
 * The maximum time that a new record waits if it may belong to a company that 'Only Companies' excludes. After that, it
 * is never emitted. An unread company is remembered for the same time.
 */
const MAX_WAIT_IF_EXCLUDED_MS = MAX_UNREAD_MS;

/** A record to emit. */
export interface NewRecord {
	record: WatchedRecord;
	/** The owner of the record. Its ID is empty if the owner is unknown. */
	company: Pick<WatchedCompany, 'id' | 'name'>;
	/** The remembered status. Null if the record is not remembered. */
	previousStatus: string | null;
}

/** The records to decide on, and what the decisions depend on. */
interface DecisionInput {
	/** The lists that were read: company lists, and the global list if it is the source of new records. */
	lists: CompanyList[];
	/** Returns the create time in ms from which the records of a company are new; Infinity if no record is new. */
	getNewRecordsStart: (company: WatchedCompany) => number;
	/** All watched companies, whether their lists were read or not. */
	companies: WatchedCompany[];
}

/** The result of `decideOnRecords`. */
export interface Decisions {
	newRecords: NewRecord[];
	/**
	 * The number of records that have waited for so long that they are never emitted, because they may belong to a
	 * company that 'Only Companies' excludes.
	 */
	droppedCount: number;
	/** The records that were waiting before this poll. */
	previouslyWaiting: Array<{ createdAt?: number | undefined }>;
}

/**
 * Decides what to do with each record that was read (see the table in README.md). Updates the remembered and the waiting
 * records of the state.
 */
export function decideOnRecords(
	poll: Poll,
	state: ListState,
	{ lists, getNewRecordsStart, companies }: DecisionInput,
): Decisions {
	const { rules, startedAt } = poll;
	const companiesById = new Map(companies.map((company) => [company.id, company]));
	const previouslyWaiting = state.waitingRecords;
	state.waitingRecords = new Map();
	// While a list of several pages is read, a record may move to another page and be missed. So for a record that is seen
	// for the first time, such a list counts as not read.
	const stableLists = lists.filter(({ isStable }) => isStable);
	const stableCompanyIds = getCompanyIds(stableLists);
	const singlePageCompanyIds = getCompanyIds(stableLists.filter(({ pageCount }) => pageCount === 1));
	const newRecords: NewRecord[] = [];
	let droppedCount = 0;

	const listings = findDeepestListings(lists);
	for (const [id, { record, company: listingCompany }] of listings) {
		const decision = classifyRecord(record, state, getNewRecordsStart(listingCompany), rules);
		if (decision === 'skip') continue;
		const [, rememberedStatus, rememberedCompanyId = ''] = state.rememberedRecords.get(id) ?? [];
		const rememberedCompany = rememberedCompanyId
			? (companiesById.get(rememberedCompanyId) ?? { ...NO_COMPANY, id: rememberedCompanyId })
			: undefined;
		const wasSeenBefore = previouslyWaiting.has(id) || rememberedStatus !== undefined;
		const possibleOwners = findPossibleOwners(
			listingCompany,
			rememberedCompany,
			wasSeenBefore ? stableCompanyIds : singlePageCompanyIds,
		);
		const owner = possibleOwners.length === 1 ? possibleOwners[0] : undefined;
		if (decision === 'remember') {
			rememberRecord(state, record, owner?.id ?? rememberedCompanyId, startedAt);
			continue;
		}
		// A record whose possible owners are all excluded by 'Only Companies' is ignored.
		if (!possibleOwners.some(({ isSelected }) => isSelected)) continue;
		const mayBeExcluded = possibleOwners.some(({ isSelected }) => !isSelected);
		const firstSeenAt = previouslyWaiting.get(id)?.firstSeenAt ?? startedAt;
		const maxWaitMs = mayBeExcluded ? MAX_WAIT_IF_EXCLUDED_MS : MAX_WAIT_MS;
		if (!owner && startedAt - firstSeenAt < maxWaitMs) {
			state.waitingRecords.set(id, { firstSeenAt, createdAt: record.createdAt });
			continue;
		}
		rememberRecord(state, record, owner?.id ?? rememberedCompanyId, startedAt);
		if (mayBeExcluded) droppedCount++;
		else newRecords.push({ record, company: owner ?? NO_COMPANY, previousStatus: rememberedStatus ?? null });
	}
	// A waiting record that was not read keeps waiting if some list was not read, because that list may contain it.
	const wereAllListsRead = companies.every(({ id }) => stableCompanyIds.has(id));
	for (const [id, waitingRecord] of previouslyWaiting)
		if (!wereAllListsRead && !listings.has(id) && startedAt - waitingRecord.firstSeenAt < MAX_WAIT_MS)
			state.waitingRecords.set(id, waitingRecord);
	return { newRecords, droppedCount, previouslyWaiting: [...previouslyWaiting.values()] };
}

const getCompanyIds = (lists: CompanyList[]) => new Set(lists.map(({ company }) => company.id));

/** A record, and the company in whose list it was found. */
interface Listing {
	record: WatchedRecord;
	company: WatchedCompany;
}

/**
 * Finds the deepest company that lists each record. The global list counts as less deep than any company's list. Returns
 * a map by the record's ID.
 */
export function findDeepestListings(lists: CompanyList[]): Map<string, Listing> {
	const getDepth = ({ id, ancestorIds }: WatchedCompany) => (id === NO_COMPANY.id ? -1 : ancestorIds.length);
	const listings = new Map<string, Listing>();
	for (const { company, records } of sortBy(lists, (list) => getDepth(list.company)))
		for (const record of records) listings.set(record.id, { record, company });
	return listings;
}

/**
 * Finds the companies that may be the owner of a record. These are the deepest company that lists it, and all companies
 * below that one whose lists could not be read, because they may contain the record too. A list that was refused (403,
 * 404) counts as not read. If the remembered owner is at least as deep as the deepest company, it stays the owner.
 * @param listingCompany the deepest company that lists the record
 * @param rememberedCompany the owner that an earlier poll found. Undefined if there is none.
 * @param readIds the IDs of the companies whose lists were read
 */
export function findPossibleOwners(
	listingCompany: WatchedCompany,
	rememberedCompany: WatchedCompany | undefined,
	readIds: Set<string>,
): WatchedCompany[] {
	const isRememberedCompanyAsDeep =
		rememberedCompany !== undefined &&
		(listingCompany.id === NO_COMPANY.id || rememberedCompany.ancestorIds.length >= listingCompany.ancestorIds.length);
	if (isRememberedCompanyAsDeep) return [rememberedCompany];
	return [listingCompany, ...listingCompany.descendants.filter(({ id }) => !readIds.has(id))];
}
