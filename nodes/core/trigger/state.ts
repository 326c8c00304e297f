import { uniq } from 'lodash';
import { z } from 'zod';

import type { TriggerRules, WatchedRecord } from './defineTrigger';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/**
 * The maximum time in ms between the creation of a record and its first appearance in a list. A record that appears
 * later may be missed.
 */
export const MAX_LISTING_DELAY_MS = DAY_MS;
/** The time in ms from the cutoff to the first poll, for a list that is empty in the first poll. */
const EMPTY_LIST_WINDOW_MS = 2 * DAY_MS;
/** The maximum time in ms for which an unread company keeps its own cutoff. */
export const MAX_UNREAD_MS = 15 * DAY_MS;
/**
 * The maximum number of remembered records per list. It may be exceeded, because either all records of an hour are kept
 * or none.
 */
const MAX_REMEMBERED_RECORDS = 20_000;

/** The schema of a time in ms since 1970. */
export const timestampSchema = z.number().finite();
/**
 * Creates the schema of a map that is stored as a list of pairs. It isn't stored as an object, because every object has
 * a property "constructor", which may also be the ID of a record.
 */
export const createMapSchema = <T extends z.ZodTypeAny>(valueSchema: T) =>
	z.array(z.tuple([z.string(), valueSchema])).transform((pairs) => new Map<string, z.output<T>>(pairs));

const unreadCompanySchema = z.object({
	/** The create time in ms since 1970 from which records of the company are new. */
	cutoff: timestampSchema,
	/** The time of the first poll that could not read the company's list. */
	unreadSince: timestampSchema,
});
type UnreadCompanyState = z.output<typeof unreadCompanySchema>;

const waitingRecordSchema = z.object({
	/** The time of the first poll that found the record. */
	firstSeenAt: timestampSchema,
	/** The create time of the record. Undefined if the record has none. */
	createdAt: timestampSchema.optional(),
});

/**
 * The remembered values of a record: the hour of its creation (in hours since 1970, rounded up), its status, and the ID
 * of its company ('' if unknown).
 */
const rememberedRecordSchema = z.tuple([z.number().int(), z.string(), z.string()]);

export const listStateSchema = z.object({
	/** The settings that decide what is watched, by their labels. If one of them changes, the list starts over. */
	settings: z.record(z.string()),
	/**
	 * The cutoff: records that were created before this time and are not remembered are never emitted. All times in the
	 * state are in ms since 1970.
	 */
	cutoff: timestampSchema,
	/**
	 * The create time of the newest record that the last poll read. It is at most the time of that poll, and 0 if no
	 * record has been read yet.
	 */
	newestCreatedAt: timestampSchema,
	/** The records that were emitted or will never be emitted, by ID. */
	rememberedRecords: createMapSchema(rememberedRecordSchema),
	/**
	 * The unread companies, by ID. The companies for which there was no time left come first. The ID '' stands for the
	 * global list.
	 */
	unreadCompanies: createMapSchema(unreadCompanySchema),
	/** The new records that wait until their owner is certain, by ID. */
	waitingRecords: createMapSchema(waitingRecordSchema),
	/** True if the global list contains the records of every company. Undefined until that is known. */
	isGlobalListComplete: z.boolean().optional(),
	/** The time of the last poll that read the lists of all companies. */
	companiesReadAt: timestampSchema,
});

/** The state of one watched list that is kept between polls. */
export type ListState = z.output<typeof listStateSchema>;

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

/** Returns a new map with the same keys. The function `changeValue` returns the new value for each old one. */
const changeValues = <T>(map: Map<string, T>, changeValue: (value: T) => T): Map<string, T> =>
	new Map([...map].map(([key, value]) => [key, changeValue(value)]));

/** Finds the earliest cutoff of the unread companies. Returns Infinity if there are none. */
export const findEarliestUnreadCutoff = ({ unreadCompanies }: Pick<ListState, 'unreadCompanies'>) =>
	Math.min(Infinity, ...[...unreadCompanies.values()].map(({ cutoff }) => cutoff));

/**
 * Copies a state, so that a poll can change the copy. Times later than `now` are reduced in the copy, because the clock
 * may have been set back since the last poll.
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
 * @param now the time of the poll in ms since 1970. It replaces a missing create time, so that the record is remembered
 * for as long as a list contains it.
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
 * Decides whether to emit a record, only remember it, or skip it. The decision doesn't depend on the owner: a record to
 * emit may still have to wait until its owner is certain.
 * @param newRecordsStart the create time in ms since 1970 from which records are new; Infinity if no record is new.
 * Older records are only remembered.
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
		? rules.shouldWatchStatus && record.status !== rememberedStatus
		: !isExisting && (!rules.shouldWatchStatus || rules.shouldEmitFirstSeenRecords);
	const hasWatchedStatus =
		rules.watchedStatuses.length === 0 || rules.watchedStatuses.includes(record.status.toLowerCase());
	if (isNewOrChanged && hasWatchedStatus) return 'emit';
	return isNewOrChanged || !rememberedRecord || record.createdAt === undefined ? 'remember' : 'skip';
}

/** Finds the newest create time of some records, in ms since 1970. Returns 0 if no record has a create time. */
const findNewestCreateTime = (records: WatchedRecord[]) =>
	records.reduce((newest, { createdAt = 0 }) => Math.max(newest, createdAt), 0);

/**
 * Raises the cutoff after a poll. The new cutoff is one window before the newest record of the previous poll, or one
 * window before the last read of all company lists, whichever is earlier. It depends on the previous poll, so that the
 * next poll finds a record that moved to another page while this poll read the list. This function never lowers the
 * cutoff. After the first poll, it is one window before the newest record, or 48 hours ago if there is no record.
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
 * Updates `isGlobalListComplete`. The contract says that the global list contains the records of every company (4.1),
 * but on some platforms it contains only the reseller's own records (deployment behaviour, "Token, roles, errors"). The
 * global list is incomplete if it lacks a record that was found in a company's list. It is complete if it contains all
 * these records, and if they are at least two records of two companies. With fewer records, the earlier result is kept.
 * Records of the last hour that are newer than the newest record of the global list are not considered.
 */
export function updateGlobalListCompleteness(
	state: ListState,
	globalListRecords: WatchedRecord[],
	companyLists: Array<{ records: WatchedRecord[] }>,
	now: number,
): void {
	const latestExpectedTime = Math.max(findNewestCreateTime(globalListRecords), now - HOUR_MS);
	const globalListRecordIds = new Set(globalListRecords.map(({ id }) => id));
	// Returns true if a complete global list must contain the record.
	const isExpectedInGlobalList = ({ createdAt = 0 }: WatchedRecord) =>
		createdAt >= state.cutoff && createdAt <= latestExpectedTime;
	const expectedIdLists = companyLists
		.map(({ records }) => records.filter(isExpectedInGlobalList).map(({ id }) => id))
		.filter((ids) => ids.length > 0);
	const expectedIds = uniq(expectedIdLists.flat());
	if (expectedIds.some((id) => !globalListRecordIds.has(id))) {
		state.isGlobalListComplete = false;
	} else if (!state.isGlobalListComplete && expectedIdLists.length > 1 && expectedIds.length > 1) {
		state.isGlobalListComplete = true;
		// From now on only the global list is read. It must be read back to the earliest cutoff of an unread company, to
		// find the records that were missed there.
		state.cutoff = Math.min(state.cutoff, findEarliestUnreadCutoff(state));
	}
}

/** The companies whose lists a poll has requested: with success in `lists`, without success in `unreadCompanies`. */
interface RequestedCompanies {
	lists: Array<{ company: { id: string } }>;
	unreadCompanies: Array<{ company: { id: string } }>;
}

/**
 * Updates the unread companies after a poll. An unread company keeps its cutoff until its list is read. If that fails
 * for more than 15 days, the cutoff rises to 15 days before now. If the list isn't requested any more, the company is
 * forgotten after 15 days.
 * @param cutoff the cutoff for companies that are unread for the first time, in ms since 1970
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
 * Forgets the remembered records that are older than every cutoff. If more than 20,000 are left, also forgets the
 * oldest of them. In that case every cutoff rises above the forgotten records, so that they are not emitted again.
 * @returns true if records were forgotten because more than 20,000 were left
 */
export function pruneListState(state: ListState): boolean {
	const getRecordsFromHour = (minHour: number) =>
		new Map([...state.rememberedRecords].filter(([, [createHour]]) => createHour >= minHour));
	const lowestCutoff = Math.min(state.cutoff, findEarliestUnreadCutoff(state));
	state.rememberedRecords = getRecordsFromHour(lowestCutoff / HOUR_MS);

	const createHours = [...state.rememberedRecords.values()].map(([createHour]) => createHour);
	createHours.sort((first, second) => second - first);
	// The records that were created in this hour are all kept, even if that exceeds the maximum.
	const oldestKeptHour = createHours[MAX_REMEMBERED_RECORDS - 1] ?? 0;
	if (createHours.every((hour) => hour >= oldestKeptHour)) return false;
	state.rememberedRecords = getRecordsFromHour(oldestKeptHour);
	// Remembered hours are rounded up. So a record of an earlier hour was created before this time.
	const raisedCutoff = (oldestKeptHour - 1) * HOUR_MS + 1;
	state.cutoff = Math.max(state.cutoff, raisedCutoff);
	state.unreadCompanies = changeValues(state.unreadCompanies, (entry) => ({
		...entry,
		cutoff: Math.max(entry.cutoff, raisedCutoff),
	}));
	// A waiting record that is older than the raised cutoff would lower the cutoff again, so it is forgotten too.
	state.waitingRecords = new Map(
		[...state.waitingRecords].filter(([, { createdAt = Infinity }]) => createdAt >= raisedCutoff),
	);
	return true;
}
