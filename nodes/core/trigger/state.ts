import { uniq } from 'lodash';
import { jsonParse, type IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { TriggerRules, WatchedRecord } from './types';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** The maximum time between the creation of a record and its first appearance in a list. */
export const MAX_LISTING_DELAY_MS = DAY_MS;
/** The time between the first poll and the cutoff of a list that is empty in that poll. */
const EMPTY_LIST_WINDOW_MS = 2 * DAY_MS;
/** The maximum time for which an unread company keeps its own cutoff. */
export const MAX_UNREAD_MS = 15 * DAY_MS;
/**
 * The maximum number of remembered records per list. All records of the oldest remembered hour are kept in addition.
 */
const MAX_REMEMBERED_RECORDS = 20_000;

/** A time in ms since 1970. */
const timestamp = z.number().finite();
/**
 * Parses a map that is stored as pairs. An object could not hold an ID like "constructor", which every object has as a
 * key.
 */
const mapById = <T extends z.ZodTypeAny>(value: T) =>
	z.array(z.tuple([z.string(), value])).transform((pairs) => new Map<string, z.output<T>>(pairs));

const unreadCompanySchema = z.object({
	/** The create time from which records of the company are new. */
	cutoff: timestamp,
	/** The time of the first poll that could not read the company. */
	unreadSince: timestamp,
});
type UnreadEntry = z.output<typeof unreadCompanySchema>;

const waitingRecordSchema = z.object({
	/** The time of the first poll that found the record. */
	firstSeenAt: timestamp,
	/** The create time of the record, if it has one. */
	createdAt: timestamp.optional(),
});

/**
 * The remembered values of a record: the hour of its creation (rounded up), its status and the ID of its company ('' if
 * unknown).
 */
const rememberedRecordSchema = z.tuple([z.number().int(), z.string(), z.string()]);

const listStateSchema = z.object({
	/** The settings that decide what is watched, by their labels. If one of them changes, the list starts over. */
	settings: z.record(z.string()),
	/**
	 * Records that were created before this time and are not remembered are never emitted. Like all times in the state,
	 * it is in ms since 1970.
	 */
	cutoff: timestamp,
	/** The newest create time that the last poll read, at most the time of that poll. 0 if there was no record. */
	newestCreatedAt: timestamp,
	/** The records that were emitted or will never be emitted. */
	rememberedRecords: mapById(rememberedRecordSchema),
	/**
	 * The companies that could not be read, by ID. Companies that the time limit prevented from being read come first. ''
	 * stands for the global list.
	 */
	unreadCompanies: mapById(unreadCompanySchema),
	/** The new records that wait until their company is known. */
	waitingRecords: mapById(waitingRecordSchema),
	/** True if the global list contains the records of every company. Undefined until that is known. */
	isGlobalListComplete: z.boolean().optional(),
	/** The time of the last poll that read the lists of all companies. */
	companiesReadAt: timestamp,
});

/** The state of one watched list that is kept between polls. */
export type ListState = z.output<typeof listStateSchema>;

const triggerMemorySchema = z.object({
	/** The states of the watched lists, by the list's name. */
	lists: z.record(listStateSchema),
	/** The company that the user entered by name: the lookup that found it (see `openPoll`), and its ID. */
	company: z.tuple([z.string(), z.string()]).optional(),
});

/** Everything that a trigger remembers between polls. */
export type TriggerMemory = z.output<typeof triggerMemorySchema>;

/** Parses a stored memory. Returns undefined if it is invalid. */
export const parseMemory = (stored: unknown): TriggerMemory | undefined => triggerMemorySchema.safeParse(stored).data;

/** Serializes a memory for storage. Maps become lists of pairs. */
export const serializeMemory = (memory: TriggerMemory): IDataObject =>
	jsonParse(JSON.stringify(memory, (_, value: unknown) => (value instanceof Map ? [...value] : value)));

/** Creates the state of a list that has never been polled. */
export const createListState = (settings: ListState['settings']): ListState => ({
	settings,
	cutoff: 0,
	newestCreatedAt: 0,
	companiesReadAt: 0,
	rememberedRecords: new Map(),
	unreadCompanies: new Map(),
	waitingRecords: new Map(),
});

/** Returns a new map with the same keys and changed values. */
const changeValues = <T>(map: Map<string, T>, change: (value: T) => T): Map<string, T> =>
	new Map([...map].map(([key, value]) => [key, change(value)]));

/** Finds the earliest cutoff of the unread companies. Returns Infinity if there are none. */
export const findEarliestUnreadCutoff = ({ unreadCompanies }: Pick<ListState, 'unreadCompanies'>) =>
	Math.min(Infinity, ...[...unreadCompanies.values()].map(({ cutoff }) => cutoff));

/**
 * Copies a state for modification. No time in the copy is later than `now`, because the clock may have been set back.
 */
export function copyListState(state: ListState, now: number): ListState {
	const clampToNow = (time: number) => Math.min(time, now);
	return {
		...state,
		cutoff: clampToNow(state.cutoff),
		newestCreatedAt: clampToNow(state.newestCreatedAt),
		companiesReadAt: state.companiesReadAt > now ? 0 : state.companiesReadAt,
		unreadCompanies: changeValues(state.unreadCompanies, ({ cutoff, unreadSince }) => ({
			cutoff: clampToNow(cutoff),
			unreadSince: clampToNow(unreadSince),
		})),
		waitingRecords: changeValues(state.waitingRecords, ({ firstSeenAt, createdAt }) => ({
			firstSeenAt: clampToNow(firstSeenAt),
			createdAt,
		})),
		rememberedRecords: new Map(state.rememberedRecords),
	};
}

/**
 * Adds a record to the remembered records.
 * @param now in ms; it replaces a missing create time, so that the record is remembered for as long as it is listed
 */
export function rememberRecord(
	state: ListState,
	{ id, createdAt, status }: WatchedRecord,
	companyId: string,
	now: number,
): void {
	state.rememberedRecords.set(id, [Math.ceil((createdAt ?? now) / HOUR_MS), status, companyId]);
}

/**
 * Decides whether a record is emitted, remembered or skipped.
 * @param newRecordsStart the create time in ms from which records are new. Older records are only remembered. Infinity
 * if no record is new.
 */
export function classifyRecord(
	record: WatchedRecord,
	state: ListState,
	newRecordsStart: number,
	rules: TriggerRules,
): 'emit' | 'remember' | 'skip' {
	const rememberedRecord = state.rememberedRecords.get(record.id);
	const createdAt = record.createdAt ?? Infinity;
	if (!rememberedRecord && createdAt < Math.min(state.cutoff, newRecordsStart)) return 'skip';
	const isExisting = newRecordsStart === Infinity || createdAt < newRecordsStart;
	const [, rememberedStatus] = rememberedRecord ?? [];
	const isChange = rememberedRecord
		? rules.watchesStatus && record.status !== rememberedStatus
		: !isExisting && (!rules.watchesStatus || rules.includesFirstSeen);
	const hasWatchedStatus = rules.statuses.length === 0 || rules.statuses.includes(record.status.toLowerCase());
	if (isChange && hasWatchedStatus) return 'emit';
	return isChange || !rememberedRecord || record.createdAt === undefined ? 'remember' : 'skip';
}

/** Finds the newest create time of some records, in ms since 1970. Returns 0 if no record has one. */
export const findNewestCreateTime = (records: WatchedRecord[]) =>
	records.reduce((newest, { createdAt = 0 }) => Math.max(newest, createdAt), 0);

/**
 * Raises the cutoff after a poll. The cutoff stays one poll behind, so that the next poll finds a record that moved to
 * another page while this poll read the list. It also stays behind the last time that the lists of all companies were
 * read. After the first poll, it is one window before the newest record, or 48 hours ago if there is no record.
 */
export function advanceCutoff(
	state: ListState,
	records: WatchedRecord[],
	{ windowMs }: Pick<TriggerRules, 'windowMs'>,
	now: number,
): void {
	const newestCreatedAt = Math.min(now, findNewestCreateTime(records));
	const isFirstPoll = state.cutoff === 0;
	if (isFirstPoll) state.cutoff = newestCreatedAt > 0 ? newestCreatedAt - windowMs : now - EMPTY_LIST_WINDOW_MS;
	state.cutoff = Math.max(state.cutoff, Math.min(state.newestCreatedAt, state.companiesReadAt) - windowMs);
	state.newestCreatedAt = newestCreatedAt || state.newestCreatedAt;
}

/**
 * Finds out whether the global list contains the records of every company. The contract says that it does (4.1), but on
 * other platforms it contains only the reseller's own records (deployment behaviour, "Token, roles, errors"). The
 * global list is complete if it contains each record that was found in a company's list, and if these are at least two
 * records of two companies. Records of the last hour that are newer than the newest record of the global list don't
 * count. If the lists prove neither, the earlier result is kept.
 */
export function updateCoverage(
	state: ListState,
	globalRecords: WatchedRecord[],
	companyLists: Array<{ records: WatchedRecord[] }>,
	now: number,
): void {
	const latestExpected = Math.max(findNewestCreateTime(globalRecords), now - HOUR_MS);
	const globalIds = new Set(globalRecords.map(({ id }) => id));
	const isExpected = ({ createdAt = 0 }: WatchedRecord) => createdAt >= state.cutoff && createdAt <= latestExpected;
	const expectedIdsByCompany = companyLists
		.map(({ records }) => records.filter(isExpected).map(({ id }) => id))
		.filter((ids) => ids.length > 0);
	const expectedIds = uniq(expectedIdsByCompany.flat());
	if (expectedIds.some((id) => !globalIds.has(id))) {
		state.isGlobalListComplete = false;
	} else if (!state.isGlobalListComplete && expectedIdsByCompany.length > 1 && expectedIds.length > 1) {
		state.isGlobalListComplete = true;
		// From now on the global list is read instead, so it must be read back to the earliest record of an unread company.
		state.cutoff = Math.min(state.cutoff, findEarliestUnreadCutoff(state));
	}
}

interface ReadCompanyIds {
	lists: Array<{ company: { id: string } }>;
	unreadCompanies: Array<{ company: { id: string } }>;
}

/**
 * Updates the unread companies after a poll. An unread company keeps its cutoff until it is read, for 15 days at most.
 * @param cutoff the cutoff in ms since 1970 for companies that are unread for the first time
 */
export function noteUnreadCompanies(
	state: ListState,
	{ lists, unreadCompanies }: ReadCompanyIds,
	cutoff: number,
	now: number,
): void {
	const minUnreadSince = now - MAX_UNREAD_MS;
	const newEntries = unreadCompanies.map(({ company }): [string, UnreadEntry] => {
		const entry = state.unreadCompanies.get(company.id) ?? { cutoff, unreadSince: now };
		if (entry.unreadSince > minUnreadSince) return [company.id, entry];
		return [company.id, { ...entry, cutoff: Math.max(entry.cutoff, minUnreadSince) }];
	});
	const requestedIds = new Set([...lists, ...unreadCompanies].map(({ company }) => company.id));
	const earlierEntries = [...state.unreadCompanies].filter(
		([id, { unreadSince }]) => unreadSince > minUnreadSince && !requestedIds.has(id),
	);
	state.unreadCompanies = new Map([...newEntries, ...earlierEntries]);
}

/**
 * Forgets the records that are older than every cutoff, and the oldest records if there are more than 20,000. In that
 * case every cutoff rises above the forgotten records, so that they are not emitted again.
 * @returns true if there were more than 20,000 records
 */
export function pruneListState(state: ListState): boolean {
	const keepFromHour = (minHour: number) =>
		new Map([...state.rememberedRecords].filter(([, [createHour]]) => createHour >= minHour));
	const lowestCutoff = Math.min(state.cutoff, findEarliestUnreadCutoff(state));
	state.rememberedRecords = keepFromHour(lowestCutoff / HOUR_MS);

	const hours = [...state.rememberedRecords.values()].map(([createHour]) => createHour);
	hours.sort((first, second) => second - first);
	// All records of this hour are kept, even if there are more than the maximum.
	const oldestKeptHour = hours[MAX_REMEMBERED_RECORDS - 1] ?? 0;
	if (hours.every((hour) => hour >= oldestKeptHour)) return false;
	state.rememberedRecords = keepFromHour(oldestKeptHour);
	// Hours are rounded up, so a record of the hour before was created at this time or earlier.
	const minCutoff = (oldestKeptHour - 1) * HOUR_MS + 1;
	state.cutoff = Math.max(state.cutoff, minCutoff);
	state.unreadCompanies = changeValues(state.unreadCompanies, (entry) => ({
		...entry,
		cutoff: Math.max(entry.cutoff, minCutoff),
	}));
	// An older waiting record would lower the cutoff again, so it is forgotten too.
	state.waitingRecords = new Map(
		[...state.waitingRecords].filter(([, { createdAt = Infinity }]) => createdAt >= minCutoff),
	);
	return true;
}
