import { uniqBy } from 'lodash';

import { counted } from '../transport/counted';
import type { Company } from '../transport/request';
import { ZONE_MS } from './clock';
import type { Found, Reading, Want } from './reading';
import type { NewsRules } from './rules';
import { comparedFrom, givesSince, HOUR_MS, hourOf, isBare, isUnread, MAIN, mainSince, newKind } from './state';
import { watchedFrom } from './state';
import type { Known, KindState, Place } from './state';

/** How many polls a record waits for its company, and for its details, before it is given without. */
const MOST_TRIES = 9;
/** A poll that is likely to fail again counts as so many of them. */
export const FAILURE = 3;
/** After so many tries or complete readings that did not list it, a waiting record is forgotten. */
const MOST_UNSEEN = 20;

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
	/** Whether one ID was used for two records. */
	private hasDuplicateIds = false;
	/** How many records were treated as existing ones, although they may be new. */
	private unsure = 0;
	/** When the oldest record was created whose company is looked for. */
	sought = Infinity;
	/** Since when this kind begins, if it starts over. */
	private readonly restart: number;
	/** What was listed in this poll, by the list of all companies and by companies' lists. */
	private readonly inMain = new Map<string, Found>();
	private readonly inCompanies = new Map<string, Found>();

	constructor(
		readonly state: KindState,
		readonly isNew: boolean,
		private readonly rules: NewsRules,
	) {
		this.restart = state.from > 0 || state.cleanRounds > 0 ? state.polledAt : state.since;
	}

	/** Whether this kind starts over with the next poll, because IDs turned out to be unique only inside a company. */
	get startsOver(): boolean {
		return this.hasDuplicateIds && !this.state.byCompany;
	}

	/** The time from which on a list's unknown records are given, in ms: by when they were created. */
	private givesFrom(list: string): number {
		const { state, isNew, rules } = this;
		const begin = list === MAIN ? mainSince(state) : state.since;
		return state.open.get(list)?.from ?? (isNew ? (rules.existingSince ?? Infinity) : begin);
	}

	/** How far back a list is to be read; each record that is read may change it. @returns the oldest create time wanted, in ms */
	floorOf(list: string): (created: number) => number {
		const { state, rules } = this;
		// What companies' lists seem to have alone is looked for as well.
		const hours = [...state.waiting.values(), ...state.doubted.values()].flatMap(({ hour }) => hour || []);
		const wanted = Math.min(this.sought, ...hours.map((hour) => hour * HOUR_MS));
		const begin = this.givesFrom(list);
		const isFirst = isUnread(state, list);
		let newest = 0;
		return (created) => {
			rules.clock.see(created);
			if (created <= rules.clock.now) newest = Math.max(newest, created);
			const from = isFirst ? Math.min(begin, rules.clock.watermark(newest) - rules.windowMs) : begin;
			return Math.min(wanted, watchedFrom(state, from, rules.watchedMs));
		};
	}

	/** How much of a list is known. */
	depthOf(list: string): Want['depth'] {
		if (isUnread(this.state, list)) return 'unread';
		return this.state.hasForgotten ? 'part' : 'whole';
	}

	/** Compares a list with what is remembered; from now on all its records are known. */
	judge(list: string, reading: Reading, company?: Company): News[] {
		const { known, waiting } = this.state;
		const { watchesStatus, alsoFirstSeen, clock } = this.rules;
		// What another list has told in this poll is that list's: or each change would be one back in the other, where that lags behind.
		const isTold = ({ id }: Found) =>
			(this.inMain.has(id) || this.inCompanies.has(id)) && (known.has(id) || waiting.has(id));
		// Of two records with one ID the first counts; otherwise each would seem changed after the other.
		const seen = uniqBy(reading.seen, 'id').filter((each) => !isTold(each));
		// Where nothing was listed before, records that cannot be late were there all the time.
		const oldest = list === MAIN && isBare(this.state) ? this.state.since - this.rules.windowMs - ZONE_MS : 0;
		const seemedEmpty = !this.isNew && seen.some(({ created = Infinity }) => created < oldest);
		if (seemedEmpty)
			this.rules.warn('A list that was empty has records too old to be late: they count as existing ones.');
		this.look(list, reading);
		const from = seemedEmpty ? this.state.since : this.givesFrom(list);
		const depth = seemedEmpty ? 'unread' : this.depthOf(list);
		const isBeginning = depth === 'unread' && !this.isNew;
		const begin = givesSince(this.state);
		const watched = watchedFrom(this.state, begin, this.rules.watchedMs);
		// What was created later may still be given by another list, unless what is first seen is not given at all.
		const mayRemember = watchesStatus && !alsoFirstSeen ? Infinity : begin;
		const until = isBeginning ? clock.now + ZONE_MS : Infinity; // A record dated in the future may have existed before as well.
		const isOld = ({ id, created }: Found) => created === undefined && known.has(id);
		const firstKnown = seen.findIndex(isOld);
		const isNewest = ({ id, created }: Found) => created === undefined && !known.has(id) && !waiting.has(id);
		// An unknown record between known ones shows that the list has no fixed order.
		const isMixed = seen.slice(firstKnown, seen.findLastIndex(isOld)).some(isNewest);
		const news: News[] = [];
		for (const [index, found] of seen.entries()) {
			const { id, created } = found;
			const former = known.get(id);
			// A service that does not say a status now has changed none.
			const status = watchesStatus ? found.status || (former?.status ?? '') : '';
			const isInside =
				created === undefined
					? depth === 'whole' || (depth === 'part' && index < firstKnown && !isMixed)
					: (created >= from && created <= until) ||
						// What comes while a workflow is being activated is new, and what only a company's list had before.
						(this.isNew && clock.isSince(created)) ||
						(created >= this.state.since && this.state.doubted.has(id));
			const isFirstSeen = !former && (isInside || waiting.has(id));
			const isDoubtful = created === undefined || (isBeginning && created >= from - ZONE_MS);
			if (!former && !isFirstSeen && isDoubtful && (!watchesStatus || alsoFirstSeen)) this.unsure++;
			if (watchesStatus ? (former ? former.status !== status : isFirstSeen && alsoFirstSeen) : isFirstSeen)
				news.push({ found, former, company });
			// A record too old for this list may be new in one that could not be read for long.
			const isWatched = created === undefined || (created < mayRemember && created >= watched);
			if (!former && !isFirstSeen && !isWatched && depth !== 'unread') continue;
			// Of two records with one ID the younger one counts; otherwise each would seem new after the other.
			known.set(id, { hour: Math.max(hourOf(created), former?.hour ?? 0), status });
		}
		// What is listed first is forgotten last.
		for (const { id } of seen.toReversed()) {
			const each = known.get(id);
			if (each?.hour === 0 && known.delete(id)) known.set(id, each);
		}
		this.note(list, reading, depth);
		return news.reverse();
	}

	/** @returns the records of a company's list that the list of all companies should have had; nothing is remembered */
	lackingIn(list: string, reading: Reading): Found[] {
		const { state, rules } = this;
		this.look(list, reading);
		const isMainWhole = !state.hasForgotten;
		const first = isMainWhole ? comparedFrom(state) : Infinity;
		const begin = Math.min(state.open.get(list)?.from ?? Infinity, state.from, state.since);
		const from = Math.min(watchedFrom(state, begin, rules.watchedMs), first);
		const isListed = (id: string) => [state.known, state.waiting, this.inMain].some((all) => all.has(id));
		const lacking = reading.seen.filter(
			({ id, created }) => !isListed(id) && (created === undefined ? isMainWhole : created >= from),
		);
		if (reading.end !== 'cut' && lacking.length === 0) state.open.delete(list);
		return lacking;
	}

	/** Learns from what is listed, whether it is news or not. */
	private look(list: string, { seen, hasDuplicateIds }: Reading): void {
		const { state, rules } = this;
		this.hasDuplicateIds ||= hasDuplicateIds;
		const listed = list === MAIN ? this.inMain : this.inCompanies;
		for (const found of seen) {
			const { id, created } = found;
			// One ID with two create times stands for two records.
			this.hasDuplicateIds ||= listed.has(id) && listed.get(id)?.created !== created;
			listed.set(id, found);
			if (created === undefined) continue;
			rules.clock.see(created);
			if (created <= rules.clock.now) state.newest = Math.max(state.newest, created);
		}
	}

	/** Notes how far a list was read, and whether in order. */
	private note(list: string, { end, next, isUnsorted }: Reading, depth: Want['depth']): void {
		const { state } = this;
		const isAll = list === MAIN && end === 'list' && !state.asksEach;
		state.isUnsorted = isUnsorted || (state.isUnsorted && !isAll);
		if (end === 'cut') return this.keepOpen(list, next);
		state.open.delete(list);
		if (depth === 'unread') state.hasForgotten ||= end === 'window';
		else if (isAll) state.hasForgotten = false;
	}

	/** Notes that a list could not be read, or not far enough: it is read from the same time on again. */
	keepOpen(list: string, next?: Place): void {
		const { state, isNew, rules } = this;
		const from = isNew ? state.since : this.givesFrom(list);
		const begunAt = state.open.get(list)?.begunAt ?? rules.clock.now;
		state.open.set(list, { from, isUnread: isUnread(state, list), page: 1, size: 0, rows: 0, begunAt, ...next });
	}

	/** Makes a record unknown again, because it could not be given now. @param polls for how many this one counts */
	hold({ found, former }: News, what: 'tries' | 'searches', polls: number): void {
		const { known, waiting } = this.state;
		if (former) known.set(found.id, former);
		else known.delete(found.id);
		const counts = waiting.get(found.id) ?? { tries: 0, searches: 0 };
		waiting.set(found.id, { ...counts, hour: hourOf(found.created), [what]: counts[what] + polls });
	}

	/** Whether a record has waited long enough for its details or its company, so that it is given without. */
	hasWaited(id: string, what: 'tries' | 'searches'): boolean {
		return (this.state.waiting.get(id)?.[what] ?? 0) >= MOST_TRIES;
	}

	/** @returns what is to be remembered; times of lists that began in this poll are by the service's clock */
	finish(): KindState {
		const { state, isNew, rules } = this;
		if (this.startsOver)
			return { ...newKind(state.settings, state.scope, Math.min(this.restart, rules.clock.now)), byCompany: true };
		state.polledAt = rules.clock.now;
		if (!isNew && this.unsure > 0)
			rules.warn(
				`${counted(this.unsure, 'record')} without a create time, or with one in the future or up to 14 hours before their list begins, cannot be distinguished from older ones, and so count as existing ones.`,
			);
		if (isNew) state.since = Math.min(state.since, state.polledAt);
		for (const each of isNew ? state.open.values() : []) each.from = Math.min(each.from, state.polledAt);
		return state;
	}

	/** Where a window begins that counts back from now. @param begunAt when its first list was read, by the polls' clock */
	windowFrom(begunAt: number): number {
		return Math.max(1, Math.min(this.rules.clock.watermark(this.state.newest), begunAt) - this.rules.windowMs);
	}

	/** Forgets what waits and is not listed any more, after all lists were read. @param begunAt when the first of them was */
	advance(begunAt: number): void {
		const { state, rules } = this;
		let gone = 0;
		for (const [id, waiting] of state.waiting)
			if (!this.inMain.has(id) && !this.inCompanies.has(id) && ++waiting.tries > MOST_UNSEEN)
				gone += Number(state.waiting.delete(id));
		if (gone > 0)
			rules.warn(
				`${counted(gone, 'record')} that waited to be given can no longer be found in the lists, and so will not be given.`,
			);
		state.readAt = begunAt;
	}
}
