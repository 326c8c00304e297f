import { sortBy } from 'lodash';

import { NO_COMPANY, type CompanyList, type CompanyReads } from './readCompanies';
import { classifyRecord, HOUR_MS, MAX_UNREAD_MS, rememberRecord, type ListState } from './state';
import type { Poll, WatchedCompany, WatchedRecord } from './types';

/** The maximum time for which a new record waits for its company, if lists can't be read. */
const MAX_WAIT_MS = HOUR_MS;
/**
 * The maximum wait for a record that may belong to a company that 'Only Companies' excludes. Unread companies are
 * remembered for the same time.
 */
const MAX_WAIT_IF_EXCLUDED_MS = MAX_UNREAD_MS;

/** A record to emit. */
export interface NewRecord {
	record: WatchedRecord;
	/** The company that the record belongs to. Its ID is empty if the company is unknown. */
	company: Pick<WatchedCompany, 'id' | 'name'>;
	/** The status in the last poll. Null if the record is seen for the first time. */
	previousStatus: string | null;
}

/** The records that a poll has read, and the data for the decisions about them. */
interface RecordsToDecide {
	reads: CompanyReads;
	/** Returns the create time in ms from which the records of a company are new; Infinity if no record is new. */
	getNewRecordsStart: (company: WatchedCompany) => number;
	companies: WatchedCompany[];
}

/** The decisions about the records that a poll has read. */
export interface Decisions {
	newRecords: NewRecord[];
	/**
	 * The number of new records that are never emitted, because they may belong to a company that 'Only Companies'
	 * excludes.
	 */
	droppedCount: number;
	/** The records that were waiting before this poll. */
	previouslyWaiting: Array<{ createdAt?: number | undefined }>;
}

/**
 * Decides what to do with each record that was read (see the table in README.md), and updates the state accordingly.
 */
export function decideOnRecords(
	poll: Poll,
	state: ListState,
	{ reads, getNewRecordsStart: getNewRecordsStart, companies }: RecordsToDecide,
): Decisions {
	const { rules, startedAt } = poll;
	const companiesById = new Map(companies.map((company) => [company.id, company]));
	const previouslyWaiting = state.waitingRecords;
	state.waitingRecords = new Map();
	// While a list of several pages is read, a record may move to another page and be missed. So such a list is complete
	// only if a second poll reads it too.
	const stableLists = reads.lists.filter(({ isStable }) => isStable);
	const stableCompanyIds = getCompanyIds(stableLists);
	const completeCompanyIds = getCompanyIds(stableLists.filter(({ pageCount }) => pageCount === 1));
	const newRecords: NewRecord[] = [];
	let droppedCount = 0;

	const listings = findDeepestListings(reads.lists);
	for (const [id, { record, company: listingCompany }] of listings) {
		const decision = classifyRecord(record, state, getNewRecordsStart(listingCompany), rules);
		if (decision === 'skip') continue;
		const [, rememberedStatus, rememberedCompanyId = ''] = state.rememberedRecords.get(id) ?? [];
		const rememberedCompany = rememberedCompanyId
			? (companiesById.get(rememberedCompanyId) ?? { ...NO_COMPANY, id: rememberedCompanyId })
			: undefined;
		const wasSeenBefore = previouslyWaiting.has(id) || rememberedStatus !== undefined;
		const owners = findPossibleOwners(
			listingCompany,
			rememberedCompany,
			wasSeenBefore ? stableCompanyIds : completeCompanyIds,
		);
		const owner = owners.length === 1 ? owners[0] : undefined;
		if (decision === 'remember') {
			rememberRecord(state, record, owner?.id ?? rememberedCompanyId, startedAt);
			continue;
		}
		if (!owners.some(({ isSelected }) => isSelected)) continue;
		const mayBeExcluded = owners.some(({ isSelected }) => !isSelected);
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
	// A waiting record keeps waiting if a list that may contain it was not read this time.
	const wereAllRead = companies.every(({ id }) => stableCompanyIds.has(id));
	for (const [id, waitingRecord] of previouslyWaiting)
		if (!wereAllRead && !listings.has(id) && startedAt - waitingRecord.firstSeenAt < MAX_WAIT_MS)
			state.waitingRecords.set(id, waitingRecord);
	return { newRecords, droppedCount, previouslyWaiting: [...previouslyWaiting.values()] };
}

const getCompanyIds = (lists: CompanyList[]) => new Set(lists.map(({ company }) => company.id));

/** A record, and a company whose list contains it. */
interface Listing {
	record: WatchedRecord;
	company: WatchedCompany;
}

/** Finds the deepest company that lists each record. Returns a map by the record's ID. */
export function findDeepestListings(lists: CompanyList[]): Map<string, Listing> {
	const getDepth = ({ id, ancestorIds }: WatchedCompany) => (id === NO_COMPANY.id ? -1 : ancestorIds.length);
	const listings = new Map<string, Listing>();
	for (const { company, records } of sortBy(lists, (list) => getDepth(list.company)))
		for (const record of records) listings.set(record.id, { record, company });
	return listings;
}

/**
 * Finds the companies that a record may belong to. These are the deepest company that lists it, and all companies below
 * that one whose lists could not be read, because they may contain the record too. A list that was refused (403, 404)
 * counts as not read.
 * @param listingCompany the deepest company that lists the record
 * @param rememberedCompany the company that the record belonged to before, if it is known
 * @param readIds the IDs of the companies whose lists were read
 */
export function findPossibleOwners(
	listingCompany: WatchedCompany,
	rememberedCompany: WatchedCompany | undefined,
	readIds: Set<string>,
): WatchedCompany[] {
	const isRememberedCompanyDeeper =
		rememberedCompany !== undefined &&
		(listingCompany.id === NO_COMPANY.id || rememberedCompany.ancestorIds.length >= listingCompany.ancestorIds.length);
	if (isRememberedCompanyDeeper) return [rememberedCompany];
	return [listingCompany, ...listingCompany.descendants.filter(({ id }) => !readIds.has(id))];
}
