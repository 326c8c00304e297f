import type { Company } from '../transport/request';
import type { Clock } from './clock';
import type { Found, Reading } from './reading';
import { begunKey, HASHED, hashedStatus, HOUR_MS, hourOf, type Known, type KindState } from './state';

/** For how long a list that cannot be read keeps its window. */
const MOST_BEHIND_MS = 14 * 24 * HOUR_MS;
/** How far create times may lie before the service's clock: a time zone. */
const ZONE_MS = 14 * HOUR_MS;
/** How often a record waits for what belongs to it, before it is given without. */
export const MOST_TRIES = 3;
/** After so many complete readings without a sign of it, a record that waits is forgotten. */
const MOST_UNSEEN = 3;

/** What decides which records are news. */
export interface NewsRules {
	clock: Clock;
	/** How late a record may show up, or how long its status is watched. */
	windowMs: number;
	watchesStatus: boolean;
	alsoFirstSeen: boolean;
	/** 'Emit Existing Since', in ms. */
	existingSince?: number | undefined;
	warn: (message: string) => void;
}

/** A record to be given. */
export interface News {
	found: Found;
	/** What was known of it, where its status is another one now. */
	former?: Known | undefined;
	company?: Company | undefined;
}

/**
 * Tells what is new in the lists of a kind, and remembers it.
 *
 * Why none is missed: a record that becomes visible after a reading, late by no more than the window, was created after
 * that reading's watermark less the window, which is where the window of the next one begins. Why none is given twice:
 * every record created since then that was ever seen is known, and one created before is never given.
 */
export class Memory {
	/** The newest create time listed in this poll that is not in the future. */
	private newest = 0;
	/** What was listed in this poll. */
	private readonly seen = new Set<string>();

	constructor(
		readonly state: KindState,
		readonly isNew: boolean,
		private readonly rules: NewsRules,
	) {}

	/** What a list gives: unknown records that were created from here on. */
	private givesFrom(key: string): number {
		const { open, begun, from, since } = this.state;
		const { existingSince = Infinity, windowMs } = this.rules;
		const begin = begun.has(begunKey(key)) ? from || since - windowMs : this.isNew ? existingSince : since;
		return open.get(key)?.from ?? begin;
	}

	/** How far back a list is to be read, as it may be known after each of its records. @param isSecond as for `judge` */
	floorOf(key: string, isSecond: boolean): (created: number) => number {
		const { state, rules } = this;
		const hours = [...state.waiting.values()].map(({ hour }) => hour).filter((hour) => hour > 0);
		const floor = Math.min(
			isSecond ? state.since : this.givesFrom(key),
			state.from || Infinity,
			...hours.map((hour) => hour * HOUR_MS),
		);
		let newest = 0;
		return (created) => {
			if (created <= rules.clock.now) newest = Math.max(newest, created);
			return state.from > 0 ? floor : Math.min(floor, rules.clock.watermark(newest) - rules.windowMs);
		};
	}

	/** How much is remembered of a list's records without create times. */
	timelessOf(key: string): 'nothing' | 'part' | 'all' {
		const { begun, timeless } = this.state;
		if (!begun.has(begunKey(key))) return 'nothing';
		return (timeless.get(key)?.isWhole ?? true) ? 'all' : 'part';
	}

	/**
	 * What a list has that is new, the oldest first; from now on it is known.
	 * @param second where the list is a company's beside the one of all: whether that company was there before. What may
	 * be older than its beginning is left for the list of all to judge
	 */
	judge(key: string, { seen, reach }: Reading, company?: Company, second?: { wasThere: boolean }): News[] {
		const { known, waiting, timeless, since, begun } = this.state;
		const { watchesStatus, alsoFirstSeen, clock } = this.rules;
		const isSecond = second !== undefined;
		const from = second
			? Math.max(since, second.wasThere && this.state.coverage === 'all' ? this.state.from : 0)
			: this.givesFrom(key);
		// What is dated in the future may have been there before as well.
		const until = second || (!begun.has(begunKey(key)) && !this.isNew) ? clock.now + ZONE_MS : Infinity;
		const depth = isSecond ? 'nothing' : this.timelessOf(key);
		const lastKnown = seen.findLastIndex(({ id, created }) => created === undefined && known.has(id));
		const news: News[] = [];
		let unsure = 0;
		for (const [index, found] of seen.entries()) {
			const { id, created } = found;
			this.seen.add(id);
			const status = watchesStatus ? found.status : '';
			const former = known.get(id);
			const isInside =
				created === undefined
					? depth === 'all' || (depth === 'part' && index < lastKnown)
					: created >= from && created <= until;
			const isFirstSeen = !former && (isInside || waiting.has(id));
			if (isSecond && !former && !isFirstSeen) continue;
			if (created !== undefined && created <= clock.now) this.newest = Math.max(this.newest, created);
			if (!former && !isFirstSeen && (created === undefined ? lastKnown < 0 : created > until)) unsure++;
			const isSame = former?.status === (former?.status.startsWith(HASHED) ? hashedStatus(status) : status);
			if (watchesStatus ? (former ? !isSame : isFirstSeen && alsoFirstSeen) : isFirstSeen)
				news.push({ found, former, company });
			// Of two with one ID the younger counts, or they would take turns in being new.
			known.set(id, { hour: Math.max(hourOf(created), former?.hour ?? 0), status });
		}
		if (isSecond) return news.reverse();
		const ids = seen.filter(({ created }) => created === undefined).map(({ id }) => id);
		const former = timeless.get(key);
		const isWhole = reach === -Infinity || depth === 'all';
		if (ids.length + (former?.ids.length ?? 0) > 0)
			timeless.set(key, { isWhole, ids: [...new Set([...ids, ...(former?.ids ?? [])])] });
		if (unsure > 0 && !this.isNew)
			this.rules.warn(
				`${unsure} records without a create time, or with one in the future, cannot be told from older ones and count as there before.`,
			);
		return news.reverse();
	}

	/** Notes that a list was read to its end of interest, or how far it was, or that it could not be read. */
	note(key: string, reading?: Reading): void {
		const { open, begun, since, from } = this.state;
		if (reading?.isComplete) {
			begun.add(begunKey(key));
			open.delete(key);
			return;
		}
		const begin = begun.has(begunKey(key)) ? this.givesFrom(key) : Math.min(this.givesFrom(key), since);
		const needed = Math.max(begin, from - MOST_BEHIND_MS);
		const { page, size } = reading?.resume ?? open.get(key) ?? { page: 1, size: 0 };
		open.set(key, { from: needed, page, size });
	}

	/** Takes back that a record is known, because it could not be given now. */
	hold({ found, former }: News, tries: number, left = 0): void {
		const { known, waiting } = this.state;
		if (former) known.set(found.id, former);
		else known.delete(found.id);
		waiting.set(found.id, { hour: hourOf(found.created), tries, left });
	}

	/** @returns what is to be remembered; what has begun in this poll has begun by the service's clock */
	finish(): KindState {
		const { state, isNew, rules } = this;
		state.polledAt = rules.clock.now;
		if (!isNew) return state;
		state.since = Math.min(state.since, state.polledAt);
		for (const each of state.open.values()) each.from = Math.min(each.from, state.since);
		return state;
	}

	/** Moves the window on, once all that there is was read. */
	advance(): void {
		const { state } = this;
		for (const [id, waiting] of state.waiting) {
			if (this.seen.has(id)) waiting.left = Math.max(waiting.left, 0);
			else if (--waiting.left < -MOST_UNSEEN) state.waiting.delete(id);
		}
		const { clock, windowMs } = this.rules;
		const start = clock.watermark(this.newest) - windowMs;
		state.from = Math.max(1, state.from === 0 ? start : Math.max(state.from, state.next));
		state.next = Math.max(state.from, state.next, start);
	}
}
