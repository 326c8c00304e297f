import { uniq } from 'lodash';
import { jsonParse, type IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { Row, Rules } from './types';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** How late a record may be listed after its create time. */
export const LATE_MS = DAY_MS;
/** From when an empty list is watched, before now. */
const EMPTY_MS = 2 * DAY_MS;
/** For how long a company that cannot be read keeps its own beginning. */
export const MOST_UNREAD_MS = 15 * DAY_MS;
/** How many records of a kind are remembered, and the others of the oldest hour. */
const MOST_SEEN = 20_000;

const time = z.number().finite();
/** By ID; stored as pairs, because an ID may be a name that every object has. */
const byId = <T extends z.ZodTypeAny>(value: T) =>
	z.array(z.tuple([z.string(), value])).transform((pairs) => new Map<string, z.output<T>>(pairs));

const unreadShape = z.object({
	/** The create time from which its records count. */
	from: time,
	/** The time when it could not be read for the first time. */
	since: time,
});
type Unread = z.output<typeof unreadShape>;

const waitingShape = z.object({
	/** The time when it was listed for the first time. */
	since: time,
	/** Its create time, if it has one. */
	created: time.optional(),
});

const stateShape = z.object({
	/** What is watched, by the words of the form; if one of them changes, everything begins anew. */
	watched: z.record(z.string()),
	/** Unknown records that were created before are never given. In ms since 1970, as all times here. */
	watchedFrom: time,
	/** The newest create time of the last reading, never later than its own time; 0 for none. The next watchedFrom lies a window before it. */
	newest: time,
	/** The records that were given, or never will be: hour of creation, rounded up, status, company's ID, empty where unknown. */
	seen: byId(z.tuple([z.number().int(), z.string(), z.string()])),
	/** Companies that could not be read; those that the poll had no time for come first. '' is the list without a company. */
	unread: byId(unreadShape),
	/** New records that wait until their company is known. */
	waiting: byId(waitingShape),
	/** Whether the list without a company has the records of every company; undefined until that is known. */
	coversAll: z.boolean().optional(),
	/** When each company was asked last. */
	askedAt: time,
});

/** What a trigger remembers of one kind of records between two polls. */
export type KindState = z.output<typeof stateShape>;

const memoryShape = z.object({
	kinds: z.record(stateShape),
	/** The ID of the company that was entered by name: what it was found by, and the ID. */
	company: z.tuple([z.string(), z.string()]).optional(),
});

/** What a trigger remembers: a state for each kind's name. */
export type Memory = z.output<typeof memoryShape>;

/** Reads what was stored. @returns undefined for what cannot be read */
export const memoryOf = (stored: unknown): Memory | undefined => memoryShape.safeParse(stored).data;

/** A memory as it is stored: maps as pairs. */
export const storedOf = (memory: Memory): IDataObject =>
	jsonParse(JSON.stringify(memory, (_, value: unknown) => (value instanceof Map ? [...value] : value)));

/** The state of a kind that was never polled. */
export const newState = (watched: KindState['watched']): KindState => ({
	watched,
	watchedFrom: 0,
	newest: 0,
	askedAt: 0,
	seen: new Map(),
	unread: new Map(),
	waiting: new Map(),
});

/** Changes all values of a map. @returns a new map */
const changeValues = <T>(map: Map<string, T>, change: (value: T) => T): Map<string, T> =>
	new Map([...map].map(([key, value]) => [key, change(value)]));

/** Finds the earliest create time from which the records of an unread company count. @returns Infinity if there is none */
export const findEarliestUnread = ({ unread }: Pick<KindState, 'unread'>) =>
	Math.min(Infinity, ...[...unread.values()].map(({ from }) => from));

/** A copy to change, in which no time is later than now: the clock may have been set back. */
export function copyOf(state: KindState, now: number): KindState {
	const past = (at: number) => Math.min(at, now);
	const unread = changeValues(state.unread, ({ from, since }) => ({ from: past(from), since: past(since) }));
	const waiting = changeValues(state.waiting, ({ since, created }) => ({ since: past(since), created }));
	const askedAt = state.askedAt > now ? 0 : state.askedAt;
	const times = { watchedFrom: past(state.watchedFrom), newest: past(state.newest), askedAt };
	return { ...state, ...times, unread, waiting, seen: new Map(state.seen) };
}

/** Remembers a record. @param now in ms, for one without a create time, which is remembered while it is listed */
export function remember(state: KindState, { id, created, status }: Row, companyId: string, now: number): void {
	state.seen.set(id, [Math.ceil((created ?? now) / HOUR_MS), status, companyId]);
}

/** Decides what a row means. @param since in ms: what was created before is not given, but remembered; Infinity for all */
export function meaningOf(row: Row, state: KindState, since: number, rules: Rules): 'give' | 'remember' | 'nothing' {
	const known = state.seen.get(row.id);
	const created = row.created ?? Infinity;
	if (!known && created < Math.min(state.watchedFrom, since)) return 'nothing';
	const isExisting = since === Infinity || created < since;
	const isNews = known
		? rules.watchesStatus && row.status !== known[1]
		: !isExisting && (!rules.watchesStatus || rules.alsoFirstSeen);
	const isWanted = rules.statuses.length === 0 || rules.statuses.includes(row.status.toLowerCase());
	if (isNews && isWanted) return 'give';
	return isNews || !known || row.created === undefined ? 'remember' : 'nothing';
}

export const newestOf = (rows: Row[]) => rows.reduce((newest, { created = 0 }) => Math.max(newest, created), 0);

/**
 * Raises watchedFrom after a reading. It stays one reading behind, so that the next reading finds a record that moved to another page
 * during this one. It also stays behind the last time that all companies were asked. After the first reading it is a window before the
 * newest record, or 48 hours ago if there is no record.
 */
export function advance(state: KindState, rows: Row[], { windowMs }: Pick<Rules, 'windowMs'>, now: number): void {
	const newest = Math.min(now, newestOf(rows));
	const isNew = state.watchedFrom === 0;
	if (isNew) state.watchedFrom = newest > 0 ? newest - windowMs : now - EMPTY_MS;
	state.watchedFrom = Math.max(state.watchedFrom, Math.min(state.newest, state.askedAt) - windowMs);
	state.newest = newest || state.newest;
}

/**
 * Learns whether the list without a company has the records of every company: the contract (4.1) says so, other platforms give
 * the reseller's own (deployment behaviour). It has them if it shows each that a company does, but for the last hour's that
 * are later than its own, and these are of two companies. If they do not tell, what was known stays.
 */
export function learn(state: KindState, all: Row[], answered: Array<{ rows: Row[] }>, now: number): void {
	const newest = Math.max(newestOf(all), now - HOUR_MS);
	const shown = new Set(all.map(({ id }) => id));
	const isDue = ({ created = 0 }: Row) => created >= state.watchedFrom && created <= newest;
	const due = answered.map(({ rows }) => rows.filter(isDue).map(({ id }) => id)).filter(({ length }) => length > 0);
	if (due.flat().some((id) => !shown.has(id))) state.coversAll = false;
	else if (!state.coversAll && due.length > 1 && uniq(due.flat()).length > 1) {
		state.coversAll = true;
		// What those that were not read have to give is from now on in that list.
		state.watchedFrom = Math.min(state.watchedFrom, findEarliestUnread(state));
	}
}

type Asked = Record<'answered' | 'silent', Array<{ company: { id: string } }>>;

/**
 * Notes which companies were not read. Each keeps the time from which its records count while it can't be read, for 15 days at most.
 * @param from that time for companies that were read the last time, in ms since 1970
 */
export function noteUnread(state: KindState, { answered, silent }: Asked, from: number, now: number): void {
	const least = now - MOST_UNREAD_MS;
	const own = silent.map(({ company: { id } }): [string, Unread] => {
		const unread = state.unread.get(id) ?? { from, since: now };
		return [id, unread.since > least ? unread : { ...unread, from: Math.max(unread.from, least) }];
	});
	const asked = new Set([...answered, ...silent].map(({ company }) => company.id));
	const others = [...state.unread].filter(([id, { since }]) => since > least && !asked.has(id));
	state.unread = new Map([...own, ...others]);
}

/**
 * Forgets what no list is read back to any more.
 * @returns whether there were more than 20,000: then the oldest go, and all beginnings rise above them, so that they do not come again
 */
export function prune(state: KindState): boolean {
	const lowest = Math.min(state.watchedFrom, findEarliestUnread(state));
	const keep = (least: number) => new Map([...state.seen].filter(([, [hour]]) => hour >= least));
	state.seen = keep(lowest / HOUR_MS);
	const hours = [...state.seen.values()].map(([hour]) => hour).sort((one, other) => other - one);
	const first = hours[MOST_SEEN - 1] ?? 0;
	// Those of one hour stay together.
	if (hours.every((hour) => hour >= first)) return false;
	// A record of the hour before was created up to this very moment.
	const least = (first - 1) * HOUR_MS + 1;
	state.seen = keep(first);
	state.watchedFrom = Math.max(state.watchedFrom, least);
	state.unread = changeValues(state.unread, (unread) => ({ ...unread, from: Math.max(unread.from, least) }));
	// A record that goes on waiting would lower watchedFrom again.
	state.waiting = new Map([...state.waiting].filter(([, { created = Infinity }]) => created >= least));
	return true;
}
