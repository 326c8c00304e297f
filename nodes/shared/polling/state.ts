import { mapValues, pickBy } from 'lodash';
import { z } from 'zod';
import type { Asked, Row, Rules } from './trigger';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** How late a record may be listed after its create time. */
export const LATE_MS = DAY_MS;
/** When an empty list begins, before now. */
const EMPTY_MS = 2 * DAY_MS;
/** For how long a company that cannot be read keeps the floor that it had. */
const MOST_BEHIND_MS = 15 * DAY_MS;
/** How many records of a kind are remembered, and the others of the oldest hour. */
const MOST_SEEN = 20_000;

const time = z.number().finite();

/** What is remembered of a record: the hour of its creation, rounded up, its status, and its company's ID, empty where unknown. */
const seenShape = z.tuple([z.number().int(), z.string(), z.string()]);

const stateShape = z.object({
	/** Stands for what is watched; with another one everything begins anew. */
	key: z.string(),
	/** Unknown records that were created before are never given. In ms since 1970, as all times here. */
	floor: time,
	/** The newest create time of the last reading, never later than its own time; 0 for none. The next floor lies a window before it. */
	newest: time,
	/** The records that were given, or never will be, by ID. What is not in here comes again. */
	seen: z.record(seenShape),
	/** Companies that failed, or were not reached, by ID, with a floor of their own; those not reached first. */
	behind: z.record(time),
	/** New records whose company is still looked for: when they were listed first. */
	sought: z.record(time),
	/** Whether the list without a company has the records of every company; undefined until that is known. */
	coversAll: z.boolean().optional(),
	/** When each company was asked last. */
	askedAt: time,
});

/** What a trigger remembers of one kind of records between two polls. */
export type KindState = z.infer<typeof stateShape>;
export type Seen = KindState['seen'];

/** Reads what was stored. @returns the states by the kinds' names; undefined for anything else */
export const statesOf = (stored: unknown): Record<string, KindState> | undefined =>
	z.record(stateShape).safeParse(stored).data;

/** A record to give. */
export interface News {
	row: Row;
	/** The status at the poll before; null for a record that is seen for the first time. */
	previousStatus: string | null;
}

const hourOf = (ms: number) => Math.ceil(ms / HOUR_MS);

/** Remembers a record. @param now in ms, for one without a create time, which is remembered while it is listed */
export function remember(seen: Seen, { id, created, status }: Row, companyId: string, now: number): void {
	seen[id] = [hourOf(created ?? now), status, seen[id]?.[2] || companyId];
}

/**
 * Decides what the rows of a list mean.
 * @param floor in ms: unknown records created before are nothing
 * @param since in ms: those created before are not given, but remembered; Infinity for all
 * @returns `news` to give, and `settled`: what is to be remembered now, because it is not given
 */
export function judge(rows: Row[], seen: Seen, floor: number, since: number, rules: Rules) {
	const news: News[] = [];
	const settled: Row[] = [];
	for (const row of rows) {
		const known = seen[row.id];
		const created = row.created ?? Infinity;
		if (!known && created < Math.min(floor, since)) continue;
		const isExisting = since === Infinity || created < since;
		const isNews = known
			? rules.watchesStatus && row.status !== known[1]
			: !isExisting && (!rules.watchesStatus || rules.alsoFirstSeen);
		const isWanted = rules.statuses.length === 0 || rules.statuses.includes(row.status.toLowerCase());
		if (isNews && isWanted) news.push({ row, previousStatus: known?.[1] ?? null });
		else if (isNews || !known || row.created === undefined) settled.push(row);
	}
	return { news, settled };
}

export const newestOf = (times: Array<number | undefined>) =>
	times.reduce<number>((newest, each = 0) => Math.max(newest, each), 0);

/** Sets the floor after the first reading: a window before the newest record, or 48 hours ago where there is none. */
export function begin(state: KindState, rows: Row[], windowMs: number, now: number): void {
	const newest = Math.min(now, newestOf(rows.map(({ created }) => created)));
	Object.assign(state, { newest, floor: newest > 0 ? newest - windowMs : now - EMPTY_MS });
}

/**
 * Raises the floor after a complete reading. It lags one reading, so that what a page hid that shifted while it was read is
 * found by the next one.
 */
export function advance(state: KindState, rows: Row[], windowMs: number, now: number): void {
	state.floor = Math.max(state.floor, state.newest - windowMs);
	const newest = newestOf(rows.map(({ created }) => created));
	if (newest > 0) state.newest = Math.min(now, newest);
}

/**
 * Gives the companies that failed, or were not reached, a floor of their own, for 15 days; those not reached come first. Those
 * that have answered need none any more.
 * @param floor in ms, for those that have none yet
 */
export function noteBehind(state: KindState, asked: Asked, floor: number, now: number): void {
	const silent = [...asked.unreached, ...asked.failed.map(({ company }) => company)];
	const least = now - MOST_BEHIND_MS;
	const own = Object.fromEntries(silent.map(({ id }) => [id, Math.max(state.behind[id] ?? floor, least)]));
	const done = asked.answered.map(({ company }) => company.id);
	const others = pickBy(state.behind, (since, id) => since > least && !(id in own) && !done.includes(id));
	state.behind = { ...own, ...others };
}

/**
 * Forgets what no floor needs any more. Beyond 20,000 records the oldest go, and all floors rise above them, so that what is
 * forgotten is not given again.
 * @returns the state, and whether it was cut that way
 */
export function prune(state: KindState): { state: KindState; isCut: boolean } {
	const { seen, floor, behind } = state;
	const lowest = Math.min(floor, ...Object.values(behind));
	const kept = pickBy(seen, ([hour]) => hour * HOUR_MS >= lowest);
	const hours = Object.values(kept).map(([hour]) => hour);
	const first = hours.sort((one, other) => other - one)[MOST_SEEN - 1] ?? 0;
	// Those of one hour stay together.
	if (hours.every((hour) => hour >= first)) return { state: { ...state, seen: kept }, isCut: false };
	// A record of the hour before was created up to this very moment.
	const least = (first - 1) * HOUR_MS + 1;
	const cut = {
		seen: pickBy(kept, ([hour]) => hour >= first),
		floor: Math.max(floor, least),
		behind: mapValues(behind, (each) => Math.max(each, least)),
	};
	return { state: { ...state, ...cut }, isCut: true };
}
