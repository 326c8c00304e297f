import { counted } from '../transport/counted';
import type { Company } from '../transport/request';
import { ZONE_MS, type Clock } from './clock';
import type { Found, Reading } from './reading';
import { HOUR_MS, hourOf, MAIN, type Known, type KindState } from './state';

/** For how long a list that cannot be read keeps its window. */
const MOST_BEHIND_MS = 14 * 24 * HOUR_MS;
/** After so many tries or complete readings that did not list it, a waiting record is forgotten. */
const MOST_UNSEEN = 20;

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
 * Decides which records of a kind's lists are new, and remembers all of them. A list is MAIN, or a company's as `listOf` has it.
 *
 * Why none is missed: a record that becomes visible after a reading, late by no more than the window, was created after
 * that reading's watermark less the window, which is where the window of the next one begins. Why none is given twice:
 * every record created since then that was ever seen is known, and one created before is never given.
 */
export class Memory {
	/** Whether one ID was used for two records: IDs are unique only inside a company. */
	hasDuplicateIds = false;
	/** How many records were treated as existing ones, although they may be new. */
	private unsure = 0;
	/** The newest create time listed in this poll that is not in the future. */
	private newest = 0;
	/** What was listed in this poll. */
	private readonly seen = new Map<string, { created: number | undefined; isMain: boolean }>();

	constructor(
		readonly state: KindState,
		readonly isNew: boolean,
		private readonly rules: NewsRules,
	) {}

	/** @returns a memory with the same rules and another state */
	withState(state: KindState): Memory {
		return new Memory(state, this.isNew, this.rules);
	}

	private isRead(list: string): boolean {
		return list === MAIN ? this.state.main.isRead : this.state.companies.get(list) === true;
	}

	/** The time from which on a list's unknown records are given, in ms: by when they were created. */
	private givesFrom(list: string): number {
		const { open, from, since } = this.state;
		const { existingSince = Infinity, windowMs } = this.rules;
		const begin = this.isRead(list) ? from || since - windowMs : this.isNew ? existingSince : since;
		return open.get(list)?.from ?? begin;
	}

	/** How far back a list is to be read; each record that is read may change it. @returns the oldest create time wanted, in ms */
	floorOf(list: string): (created: number) => number {
		const { state, rules } = this;
		const hours = [...state.waiting.values()].map(({ hour }) => hour).filter((hour) => hour > 0);
		const floor = Math.min(this.givesFrom(list), state.from || Infinity, ...hours.map((hour) => hour * HOUR_MS));
		let newest = 0;
		return (created) => {
			rules.clock.see(created);
			if (created <= rules.clock.now) newest = Math.max(newest, created);
			return state.from > 0 ? floor : Math.min(floor, rules.clock.watermark(newest) - rules.windowMs);
		};
	}

	/** How much is remembered of a list's records without create times. */
	timelessOf(list: string): 'nothing' | 'part' | 'all' {
		const isWhole = (each: string) => this.state.timeless.get(each)?.isWhole ?? true;
		if (!this.isRead(list)) return 'nothing';
		// Records of the search for all companies are not remembered again for a company's list.
		return isWhole(list) && isWhole(MAIN) ? 'all' : 'part';
	}

	/** The remembered records of a list that have no create time, without those that are still to be given. */
	rememberedOf(list: string): ReadonlySet<string> {
		const { timeless, waiting } = this.state;
		return new Set(timeless.get(list)?.ids.filter((id) => !waiting.has(id)));
	}

	/**
	 * Compares a list with what is remembered; from now on all its records are known.
	 * @param disputed the IDs that this list alone does not make known, because another list lacks them and is asked again
	 */
	judge(list: string, reading: Reading, company?: Company, disputed?: ReadonlySet<string>): News[] {
		const { known, waiting } = this.state;
		const { watchesStatus, alsoFirstSeen, clock } = this.rules;
		const { seen, hasDuplicateIds } = reading;
		this.hasDuplicateIds ||= hasDuplicateIds;
		const from = this.givesFrom(list);
		// A record dated in the future may have existed before as well.
		const isBeginning = !this.isRead(list) && !this.isNew;
		const until = isBeginning ? clock.now + ZONE_MS : Infinity;
		const depth = this.timelessOf(list);
		const remembered = this.rememberedOf(list);
		const firstKnown = seen.findIndex(({ id }) => remembered.has(id));
		const lastKnown = seen.findLastIndex(({ id }) => remembered.has(id));
		// An unknown record between known ones shows that the list has no fixed order.
		const isMixed = seen
			.slice(firstKnown, lastKnown)
			.some(({ id, created }) => created === undefined && !known.has(id));
		const news: News[] = [];
		for (const [index, found] of seen.entries()) {
			const { id, created } = found;
			this.compare(found, list === MAIN);
			if (created !== undefined) clock.see(created);
			const status = watchesStatus ? found.status : '';
			const former = known.get(id);
			const isInside =
				created === undefined
					? depth === 'all' || (depth === 'part' && index < firstKnown && !isMixed)
					: created >= from && created <= until;
			const isFirstSeen = !former && (isInside || waiting.has(id));
			if (created !== undefined && created <= clock.now) this.newest = Math.max(this.newest, created);
			const isDoubtful =
				created === undefined ? lastKnown < 0 || index < lastKnown : isBeginning && created >= from - ZONE_MS;
			if (!former && !isFirstSeen && isDoubtful) this.unsure++;
			if (watchesStatus ? (former ? former.status !== status : isFirstSeen && alsoFirstSeen) : isFirstSeen)
				news.push({ found, former, company });
			// A record too old for this list may be new in a company's list that is read for the first time.
			const isTooOld = created !== undefined && this.isRead(list);
			if (!former && !isFirstSeen && (isTooOld || disputed?.has(id))) continue;
			// Of two records with one ID the younger one counts; otherwise each would seem new after the other.
			known.set(id, { hour: Math.max(hourOf(created), former?.hour ?? 0), status });
		}
		this.note(list, reading, depth);
		return news.reverse();
	}

	/** Remembers records as existing ones, if they are not known, so that they are never given. */
	knows(records: Found[]): void {
		const { known } = this.state;
		for (const { id, created, status } of records)
			if (!known.has(id)) known.set(id, { hour: hourOf(created), status: this.rules.watchesStatus ? status : '' });
	}

	/** Notes how far a list was read. */
	private note(list: string, { seen, reach, isComplete, resume, total }: Reading, depth: string): void {
		const { state } = this;
		const former = state.timeless.get(list);
		const ofMain = new Set(list === MAIN || state.asksEach ? [] : state.timeless.get(MAIN)?.ids);
		const ids = seen.filter(({ id, created }) => created === undefined && !ofMain.has(id)).map(({ id }) => id);
		const all = [...new Set([...ids, ...(former?.ids ?? [])])];
		const isWhole = reach === -Infinity || depth === 'all';
		if (all.length > 0 || !isWhole) state.timeless.set(list, { isWhole, ids: all });
		else state.timeless.delete(list);
		if (!isComplete) return this.keepOpen(list, resume);
		if (list === MAIN) state.main = { isRead: true, total: total ?? null };
		else state.companies.set(list, true);
		state.open.delete(list);
	}

	/** Notes that a list could not be read, or not far enough: it is read from the same time on again. */
	keepOpen(list: string, resume?: { page: number; size: number }): void {
		const { open, since, from } = this.state;
		const begin = this.isRead(list) ? this.givesFrom(list) : Math.min(this.givesFrom(list), since);
		const { page, size } = resume ?? open.get(list) ?? { page: 1, size: 0 };
		open.set(list, { from: Math.max(begin, from - MOST_BEHIND_MS), page, size });
	}

	/** One ID with two create times, in the lists of two companies, stands for two records. */
	private compare({ id, created }: Found, isMain: boolean): void {
		const former = this.seen.get(id);
		this.seen.set(id, { created, isMain });
		this.hasDuplicateIds ||= former !== undefined && former.isMain === isMain && former.created !== created;
	}

	/** Makes a record unknown again, because it could not be given now. @param tries how often that was tried */
	hold({ found, former }: News, tries: number): void {
		const { known, waiting } = this.state;
		if (former) known.set(found.id, former);
		else known.delete(found.id);
		waiting.set(found.id, { hour: hourOf(found.created), tries });
	}

	/** @returns what is to be remembered; times of lists that began in this poll are by the service's clock */
	finish(): KindState {
		const { state, isNew, rules } = this;
		state.polledAt = rules.clock.now;
		if (!isNew) {
			if (this.unsure > 0)
				rules.warn(
					`${counted(this.unsure, 'record')} without a create time, or with one in the future or close to the trigger's beginning, cannot be distinguished from older ones, and so will not be given.`,
				);
			return state;
		}
		state.since = Math.min(state.since, state.polledAt);
		for (const each of state.open.values()) each.from = Math.min(each.from, state.since);
		return state;
	}

	/** Moves the window forward, after all lists were read. */
	advance(): void {
		const { state } = this;
		const { clock, windowMs, warn } = this.rules;
		let gone = 0;
		for (const [id, waiting] of state.waiting)
			if (!this.seen.has(id) && ++waiting.tries > MOST_UNSEEN) gone += Number(state.waiting.delete(id));
		if (gone > 0)
			warn(
				`${counted(gone, 'record')} that waited to be given can no longer be found in the lists, and so will not be given.`,
			);
		state.from = Math.max(1, state.from, clock.watermark(this.newest) - windowMs);
	}
}
