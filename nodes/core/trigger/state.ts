import { uniq } from 'lodash';
import { jsonParse, type IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { TriggerRules, WatchedRecord } from './defineTrigger';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** The maximum time between the creation of a record and its first appearance in a list. */
export const MAX_LISTING_DELAY_MS = DAY_MS;
/** If a list is empty in the first poll, its cutoff is this long before that poll. */
const EMPTY_LIST_WINDOW_MS = 2 * DAY_MS;
/** The maximum time for which an unread company keeps its own cutoff. */
export const MAX_UNREAD_MS = 15 * DAY_MS;
/**
 * The maximum number of remembered records per list. All records of the oldest remembered hour are kept in addition.
 */
const MAX_REMEMBERED_RECORDS = 20_000;

/** The schema of a time in ms since 1970. */
const timestampSchema = z.number().finite();
/**
 * Creates the schema of a map that is stored as a list of pairs. It isn't stored as an object, because every object has
 * a key "constructor", which may also be an ID.
 */
const createMapSchema = <T extends z.ZodTypeAny>(value: T) =>
	z.array(z.tuple([z.string(), value])).transform((pairs) => new Map<string, z.output<T>>(pairs));

const unreadCompanySchema = z.object({
	/** The create time from which records of the company are new, in ms. */
	cutoff: timestampSchema,
	/** The time of the first poll that could not read the company. */
	unreadSince: timestampSchema,
});
type UnreadCompanyState = z.output<typeof unreadCompanySchema>;

const waitingRecordSchema = z.object({
	/** The time of the first poll that found the record. */
	firstSeenAt: timestampSchema,
	/** The create time of the record, if it has one. */
	createdAt: timestampSchema.optional(),
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
	cutoff: timestampSchema,
	/** The newest create time that the last poll read, at most the time of that poll. 0 if there was no record. */
	newestCreatedAt: timestampSchema,
	/** The records that were emitted or will never be emitted. */
	rememberedRecords: createMapSchema(rememberedRecordSchema),
	/**
	 * The unread companies, by ID. Those for which there was no time left come first. '' stands for the global list.
	 */
	unreadCompanies: createMapSchema(unreadCompanySchema),
	/** The new records that wait until their owner is known. */
	waitingRecords: createMapSchema(waitingRecordSchema),
	/** True if the global list contains the records of every company. Undefined until that is known. */
	isGlobalListComplete: z.boolean().optional(),
	/** The time of the last poll that read the lists of all companies. */
	companiesReadAt: timestampSchema,
});

/** The state of one watched list that is kept between polls. */
export type ListState = z.output<typeof listStateSchema>;

const triggerMemorySchema = z.object({
	/** The states of the watched lists, by the list's name. */
	lists: z.record(listStateSchema),
	/** The company that the user entered by name: the key of the lookup that found it (see `openPoll`), and its ID. */
	company: z.tuple([z.string(), z.string()]).optional(),
});

/** Everything that a trigger remembers between polls. */
export type TriggerMemory = z.output<typeof triggerMemorySchema>;

/** Parses a memory that was saved. Returns undefined if it is invalid. */
export const parseMemory = (stored: unknown): TriggerMemory | undefined => triggerMemorySchema.safeParse(stored).data;

/** Converts a memory to a plain object for saving. Maps become lists of pairs. */
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
	const limitToNow = (time: number) => Math.min(time, now);
	return {
		...state,
		cutoff: limitToNow(state.cutoff),
		newestCreatedAt: limitToNow(state.newestCreatedAt),
		companiesReadAt: state.companiesReadAt > now ? 0 : state.companiesReadAt,
		unreadCompanies: changeValues(state.unreadCompanies, ({ cutoff, unreadSince }) => ({
			cutoff: limitToNow(cutoff),
			unreadSince: limitToNow(unreadSince),
		})),
		waitingRecords: changeValues(state.waitingRecords, ({ firstSeenAt, createdAt }) => ({
			firstSeenAt: limitToNow(firstSeenAt),
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
 * Decides whether a record would be emitted, only remembered, or skipped. The decision doesn't depend on its owner.
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
	const isNewOrChanged = rememberedRecord
		? rules.watchesStatus && record.status !== rememberedStatus
		: !isExisting && (!rules.watchesStatus || rules.includesFirstSeen);
	const hasWatchedStatus = rules.statuses.length === 0 || rules.statuses.includes(record.status.toLowerCase());
	if (isNewOrChanged && hasWatchedStatus) return 'emit';
	return isNewOrChanged || !rememberedRecord || record.createdAt === undefined ? 'remember' : 'skip';
}

/** Finds the newest create time of some records, in ms since 1970. Returns 0 if no record has a create time. */
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
	const latestExpectedTime = Math.max(findNewestCreateTime(globalRecords), now - HOUR_MS);
	const globalIds = new Set(globalRecords.map(({ id }) => id));
	// A complete global list contains each of these records.
	const isExpected = ({ createdAt = 0 }: WatchedRecord) => createdAt >= state.cutoff && createdAt <= latestExpectedTime;
	const expectedIdsByCompany = companyLists
		.map(({ records }) => records.filter(isExpected).map(({ id }) => id))
		.filter((ids) => ids.length > 0);
	const expectedIds = uniq(expectedIdsByCompany.flat());
	if (expectedIds.some((id) => !globalIds.has(id))) {
		state.isGlobalListComplete = false;
	} else if (!state.isGlobalListComplete && expectedIdsByCompany.length > 1 && expectedIds.length > 1) {
		state.isGlobalListComplete = true;
		// From now on only the global list is read. So it must be read back to the earliest cutoff of an unread company.
		state.cutoff = Math.min(state.cutoff, findEarliestUnreadCutoff(state));
	}
}

/** The companies whose lists a poll requested. */
interface RequestedCompanies {
	lists: Array<{ company: { id: string } }>;
	unreadCompanies: Array<{ company: { id: string } }>;
}

/**
 * Updates the unread companies after a poll. An unread company keeps its cutoff until it is read. If it fails for more
 * than 15 days, its cutoff is 15 days before now. If it isn't requested any more, it is forgotten after 15 days.
 * @param cutoff the cutoff in ms since 1970 for companies that are unread for the first time
 */
export function updateUnreadCompanies(
	state: ListState,
	{ lists, unreadCompanies }: RequestedCompanies,
	cutoff: number,
	now: number,
): void {
	const expiryTime = now - MAX_UNREAD_MS;
	const currentEntries = unreadCompanies.map(({ company }): [string, UnreadCompanyState] => {
		const entry = state.unreadCompanies.get(company.id) ?? { cutoff, unreadSince: now };
		if (entry.unreadSince > expiryTime) return [company.id, entry];
		return [company.id, { ...entry, cutoff: Math.max(entry.cutoff, expiryTime) }];
	});
	const requestedIds = new Set([...lists, ...unreadCompanies].map(({ company }) => company.id));
	const earlierEntries = [...state.unreadCompanies].filter(
		([id, { unreadSince }]) => unreadSince > expiryTime && !requestedIds.has(id),
	);
	state.unreadCompanies = new Map([...currentEntries, ...earlierEntries]);
}

/**
 * Forgets the records that are older than every cutoff. If there are still more than 20,000, also forgets the oldest of
 * them. In that case every cutoff rises above the forgotten records, so that they are not emitted again.
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
