import { sortBy } from 'lodash';

import { NO_COMPANY, type CompanyList } from './readCompanies';
import { classifyRecord, HOUR_MS, MAX_UNREAD_MS, rememberRecord, type ListState } from './state';
import type { Poll, WatchedCompany, WatchedRecord } from './defineTrigger';

/**
 * The maximum time in ms that a new record waits until its owner is certain. After that, it is emitted without a
 * company.
 */
const MAX_WAIT_FOR_OWNER_MS = HOUR_MS;
/**
 * The maximum time in ms that a new record waits if it may belong to a company that 'Only Companies' excludes. After
 * that, it is never emitted. The time equals the time for which an unread company is remembered.
 */
const MAX_WAIT_IF_POSSIBLY_EXCLUDED_MS = MAX_UNREAD_MS;

/** A record to emit. */
export interface RecordToEmit {
	record: WatchedRecord;
	/** The owner of the record. If the owner is unknown, the ID is empty. */
	company: Pick<WatchedCompany, 'id' | 'name'>;
	/** The status that was remembered before this poll. Null if the record was not remembered. */
	previousStatus: string | null;
}

/** The records to decide on, and the companies that may own them. */
interface DecisionInput {
	/** The lists that were read: company lists, and the global list if new records are looked for in it. */
	lists: CompanyList[];
	/**
	 * Returns the create time in ms since 1970 from which the records of a company are new; Infinity if no record is new.
	 */
	getNewRecordsStart: (company: WatchedCompany) => number;
	/** All watched companies, including those whose lists were not read. */
	companies: WatchedCompany[];
}

/** The result of `decideOnRecords`. */
export interface Decisions {
	recordsToEmit: RecordToEmit[];
	/**
	 * The number of records that have waited for the maximum time and are never emitted, because they may belong to a
	 * company that 'Only Companies' excludes.
	 */
	droppedRecordCount: number;
	/** The records that were waiting before this poll. */
	previouslyWaitingRecords: Array<{ createdAt?: number | undefined }>;
}

/**
 * Decides what to do with each record that was read (see the table "Every decision" in README.md). Updates the
 * remembered records and the waiting records in `state`.
 */
export function decideOnRecords(
	poll: Poll,
	state: ListState,
	{ lists, getNewRecordsStart, companies }: DecisionInput,
): Decisions {
	const { rules, startedAt } = poll;
	const companiesById = new Map(companies.map((company) => [company.id, company]));
	const previouslyWaitingRecords = state.waitingRecords;
	state.waitingRecords = new Map();
	// While a list of several pages is read, a record may move to another page and be missed. So when the owner of a
	// record that is seen for the first time is searched for, such a list counts as not read.
	const stableLists = lists.filter(({ isStable }) => isStable);
	const stableCompanyIds = getCompanyIds(stableLists);
	const singlePageCompanyIds = getCompanyIds(stableLists.filter(({ pageCount }) => pageCount === 1));
	const recordsToEmit: RecordToEmit[] = [];
	let droppedRecordCount = 0;

	const listingsByRecordId = findDeepestListings(lists);
	for (const [id, { record, company: listingCompany }] of listingsByRecordId) {
		const decision = classifyRecord(record, state, getNewRecordsStart(listingCompany), rules);
		if (decision === 'skip') continue;
		const [, rememberedStatus, rememberedCompanyId = ''] = state.rememberedRecords.get(id) ?? [];
		const rememberedCompany = rememberedCompanyId
			? (companiesById.get(rememberedCompanyId) ?? { ...NO_COMPANY, id: rememberedCompanyId })
			: undefined;
		const wasSeenBefore = previouslyWaitingRecords.has(id) || rememberedStatus !== undefined;
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
		// If 'Only Companies' excludes all possible owners of a record, the record is ignored.
		if (!possibleOwners.some(({ isSelected }) => isSelected)) continue;
		const isPossiblyExcluded = possibleOwners.some(({ isSelected }) => !isSelected);
		const firstSeenAt = previouslyWaitingRecords.get(id)?.firstSeenAt ?? startedAt;
		const maxWaitMs = isPossiblyExcluded ? MAX_WAIT_IF_POSSIBLY_EXCLUDED_MS : MAX_WAIT_FOR_OWNER_MS;
		if (!owner && startedAt - firstSeenAt < maxWaitMs) {
			state.waitingRecords.set(id, { firstSeenAt, createdAt: record.createdAt });
			continue;
		}
		rememberRecord(state, record, owner?.id ?? rememberedCompanyId, startedAt);
		if (isPossiblyExcluded) droppedRecordCount++;
		else recordsToEmit.push({ record, company: owner ?? NO_COMPANY, previousStatus: rememberedStatus ?? null });
	}
	// A waiting record that is in none of the lists keeps waiting if some list could not be read, because that list may
	// contain the record.
	const wereAllListsRead = companies.every(({ id }) => stableCompanyIds.has(id));
	for (const [id, waitingRecord] of previouslyWaitingRecords)
		if (
			!wereAllListsRead &&
			!listingsByRecordId.has(id) &&
			startedAt - waitingRecord.firstSeenAt < MAX_WAIT_FOR_OWNER_MS
		)
			state.waitingRecords.set(id, waitingRecord);
	return {
		recordsToEmit,
		droppedRecordCount,
		previouslyWaitingRecords: [...previouslyWaitingRecords.values()],
	};
}

const getCompanyIds = (lists: CompanyList[]) => new Set(lists.map(({ company }) => company.id));

/** A record, and the company in whose list it was found. */
interface Listing {
	record: WatchedRecord;
	company: WatchedCompany;
}

/**
 * Finds, for each record, the deepest company whose list contains it. The global list counts as less deep than any
 * company's list. Returns a map by the ID of the record.
 */
export function findDeepestListings(lists: CompanyList[]): Map<string, Listing> {
	const getDepth = ({ id, ancestorIds }: WatchedCompany) => (id === NO_COMPANY.id ? -1 : ancestorIds.length);
	const listingsByRecordId = new Map<string, Listing>();
	for (const { company, records } of sortBy(lists, (list) => getDepth(list.company)))
		for (const record of records) listingsByRecordId.set(record.id, { record, company });
	return listingsByRecordId;
}

/**
 * Finds the companies that may own a record: the deepest company whose list contains it, and the companies below that
 * one whose lists were not read, because those lists may contain the record too. A list that was refused (403, 404)
 * counts as not read. If an earlier poll found an owner that is at least as deep in its tree as `listingCompany`, only
 * that owner is returned.
 * @param listingCompany the deepest company whose list contains the record
 * @param rememberedCompany the owner that an earlier poll found. Undefined if there is none.
 * @param idsOfReadCompanies the IDs of the companies whose lists were read
 */
export function findPossibleOwners(
	listingCompany: WatchedCompany,
	rememberedCompany: WatchedCompany | undefined,
	idsOfReadCompanies: Set<string>,
): WatchedCompany[] {
	const isRememberedCompanyAsDeep =
		rememberedCompany !== undefined &&
		(listingCompany.id === NO_COMPANY.id || rememberedCompany.ancestorIds.length >= listingCompany.ancestorIds.length);
	if (isRememberedCompanyAsDeep) return [rememberedCompany];
	return [listingCompany, ...listingCompany.descendants.filter(({ id }) => !idsOfReadCompanies.has(id))];
}
