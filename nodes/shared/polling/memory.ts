import { counted } from '../transport/counted';
import type { Company } from '../transport/request';
import { MOST_BEHIND_MS, MOST_TWINS, MOST_UNSEEN } from './bounds';
import { ZONE_MS, type Clock } from './clock';
import type { Found, Place, Reading, Want } from './reading';
import { comparedFrom, HOUR_MS, hourOf, MAIN, newKind, type Known, type KindState } from './state';

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
	/** Whether one ID was used for two records. */
	private hasDuplicateIds = false;
	/** How many records were treated as existing ones, although they may be new. */
	private unsure = 0;
	/** The newest create time listed in this poll that is not in the future. */
	private newest = 0;
	/** What was listed in this poll, by the search for all companies and by companies' lists. */
	private readonly inMain = new Map<string, Found>();
	private readonly inCompanies = new Map<string, Found>();
	/** Those without create times of which two lists gave two statuses: changed meanwhile, or two records. */
	private readonly twins = new Set<string>();

	constructor(
		readonly state: KindState,
		readonly isNew: boolean,
		private readonly rules: NewsRules,
	) {}

	/** Whether this kind starts over with the next poll, because IDs turned out to be unique only inside a company. */
	get startsOver(): boolean {
		return this.hasDuplicateIds && !this.state.byCompany;
	}

	/** Whether a list is of a company that was not there when all that companies had was learnt: its records came since then. */
	private isLater(list: string): boolean {
		const { lists, open, cleanRounds } = this.state;
		return !lists.has(list) && list !== MAIN && cleanRounds > 0 && !open.get(list)?.isUnread;
	}

	/** The time from which on a list's unknown records are given, in ms: by when they were created. */
	private givesFrom(list: string): number {
		const { lists, open, from, since } = this.state;
		const { existingSince = Infinity, windowMs, clock } = this.rules;
		const first = this.isLater(list) ? Math.min(since, Math.max(from, clock.watermark(0) - windowMs)) : since;
		const begin = lists.has(list) ? from || since - windowMs : this.isNew ? existingSince : first;
		return open.get(list)?.from ?? begin;
	}

	/** How far back a list is to be read; each record that is read may change it. @returns the oldest create time wanted, in ms */
	floorOf(list: string): (created: number) => number {
		const { state, rules } = this;
		const { waiting, doubted } = state;
		// What companies' lists seem to have alone is looked for as far back as they were compared.
		const compared = doubted.size > 0 ? state.since : Infinity;
		const hours = [...waiting.values(), ...doubted.values()].map(({ hour }) => hour).filter((hour) => hour > 0);
		const windows = [this.givesFrom(list), state.from || Infinity, compared];
		const floor = Math.min(...windows, ...hours.map((hour) => hour * HOUR_MS));
		let newest = 0;
		return (created) => {
			rules.clock.see(created);
			if (created <= rules.clock.now) newest = Math.max(newest, created);
			return state.from > 0 ? floor : Math.min(floor, rules.clock.watermark(newest) - rules.windowMs);
		};
	}

	/** How much of a list is known. */
	depthOf(list: string): Want['depth'] {
		const { lists, hasForgotten } = this.state;
		if (!lists.has(list)) return 'unread';
		return lists.get(list) === false || hasForgotten ? 'part' : 'whole';
	}

	/** Compares a list with what is remembered; from now on all its records are known. */
	judge(list: string, reading: Reading, company?: Company): News[] {
		const { known, waiting, lists, hasForgotten } = this.state;
		const { watchesStatus, alsoFirstSeen, clock } = this.rules;
		const { seen } = reading;
		const from = this.givesFrom(list);
		const isLater = this.isLater(list);
		// A record dated in the future may have existed before as well.
		const isBeginning = !lists.has(list) && !this.isNew && !isLater;
		const until = isBeginning ? clock.now + ZONE_MS : Infinity;
		const depth = this.depthOf(list);
		const isOld = ({ id, created }: Found) => created === undefined && known.has(id);
		const firstKnown = seen.findIndex(isOld);
		const lastKnown = seen.findLastIndex(isOld);
		// An unknown record between known ones shows that the list has no fixed order.
		const isMixed = seen
			.slice(firstKnown, lastKnown)
			.some(({ id, created }) => created === undefined && !known.has(id) && !waiting.has(id));
		const news: News[] = [];
		const done = new Set<string>();
		this.look(list, reading);
		for (const [index, found] of seen.entries()) {
			const { id, created } = found;
			// Of two records with one ID the first counts; otherwise each would seem changed after the other.
			if (done.has(id)) continue;
			done.add(id);
			const status = watchesStatus ? found.status : '';
			const former = known.get(id);
			const isInside =
				created === undefined
					? depth === 'whole' || (isLater && !hasForgotten) || (depth === 'part' && index < firstKnown && !isMixed)
					: created >= from && created <= until;
			const isFirstSeen = !former && (isInside || waiting.has(id));
			const isDoubtful = created === undefined || (isBeginning && created >= from - ZONE_MS);
			if (!former && !isFirstSeen && isDoubtful && (!watchesStatus || alsoFirstSeen)) this.unsure++;
			if (watchesStatus ? (former ? former.status !== status : isFirstSeen && alsoFirstSeen) : isFirstSeen)
				news.push({ found, former, company });
			// A record too old for this list may be new in one that could not be read for long.
			if (!former && !isFirstSeen && created !== undefined && lists.has(list)) continue;
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

	/** Which records of a company's list the search for all companies should have had; nothing is remembered. */
	lackingIn(list: string, reading: Reading): Found[] {
		const { state } = this;
		this.look(list, reading);
		const isMainWhole = this.depthOf(MAIN) === 'whole';
		const first = isMainWhole ? comparedFrom(state) : Infinity;
		const from = Math.min(state.open.get(list)?.from ?? Infinity, state.from, state.since, first);
		const isListed = (id: string) => [state.known, state.waiting, this.inMain].some((all) => all.has(id));
		const lacking = reading.seen.filter(
			({ id, created }) => !isListed(id) && (created === undefined ? isMainWhole : created >= from),
		);
		// What is only compared is not remembered: it is to be read in one go, from its beginning if something is to be looked at again.
		if (reading.end === 'cut' || reading.isResumed) this.keepOpen(list, lacking.length > 0 ? undefined : reading.next);
		else if (lacking.length === 0) state.open.delete(list);
		return lacking;
	}

	/** Learns from what is listed, whether it is news or not. */
	private look(list: string, { seen, hasDuplicateIds }: Reading): void {
		const { clock } = this.rules;
		this.hasDuplicateIds ||= hasDuplicateIds;
		const listed = list === MAIN ? this.inMain : this.inCompanies;
		for (const found of seen) {
			const { id, created } = found;
			const former = listed.get(id);
			if (former && created === undefined && former.status !== found.status) this.twins.add(id);
			// One ID with two create times stands for two records; without times, one with two statuses in two polls.
			const isTwin = this.twins.has(id) && this.state.twins?.includes(id) === true;
			this.hasDuplicateIds ||= isTwin || (former !== undefined && former.created !== created);
			listed.set(id, found);
			if (created === undefined) continue;
			clock.see(created);
			if (created <= clock.now) this.newest = Math.max(this.newest, created);
		}
	}

	/** Notes how far a list was read. */
	private note(list: string, { end, isResumed, next }: Reading, depth: Want['depth']): void {
		const { lists, open } = this.state;
		if (end === 'cut') return this.keepOpen(list, next);
		open.delete(list);
		// Between two polls, a record may have moved to a page that was read before.
		const isWhole = depth === 'whole' || (end === 'list' && !(isResumed && depth === 'unread'));
		// From now on companies' lists are compared with records without create times as well.
		if (list === MAIN && isWhole && depth === 'part') this.state.cleanRounds = 0;
		lists.set(list, isWhole);
	}

	/** Notes that a list could not be read, or not far enough: it is read from the same time on again. */
	keepOpen(list: string, next: Place = { page: 1, size: 0, begunAt: 0 }): void {
		const { lists, open, since, from, cleanRounds } = this.state;
		const { now } = this.rules.clock;
		const begin = lists.has(list) ? this.givesFrom(list) : Math.min(this.givesFrom(list), since);
		const { at, isUnread } = open.get(list) ?? { at: now, isUnread: cleanRounds === 0 && !lists.has(list) };
		const oldest = now - at > MOST_BEHIND_MS ? from - MOST_BEHIND_MS : begin;
		open.set(list, { from: Math.max(begin, oldest), at, isUnread, ...next });
	}

	/** Makes a record unknown again, because it could not be given now. @param counts how often what was tried */
	hold({ found, former }: News, counts: { tries?: number; searches?: number }): void {
		const { known, waiting } = this.state;
		if (former) known.set(found.id, former);
		else known.delete(found.id);
		waiting.set(found.id, { tries: 0, ...waiting.get(found.id), hour: hourOf(found.created), ...counts });
	}

	/** @returns what is to be remembered; times of lists that began in this poll are by the service's clock */
	finish(): KindState {
		const { state, isNew, rules } = this;
		const { settings, scope, since, polledAt, from } = state;
		if (this.startsOver)
			return { ...newKind(settings, scope, Math.min(from > 0 ? polledAt : since, rules.clock.now)), byCompany: true };
		state.polledAt = rules.clock.now;
		if (this.inCompanies.size > 0) state.twins = [...this.twins].slice(0, MOST_TWINS);
		if (!isNew) {
			if (this.unsure > 0)
				rules.warn(
					`${counted(this.unsure, 'record')} without a create time, or with one in the future or up to 14 hours before their list begins, cannot be distinguished from older ones, and so count as existing ones.`,
				);
			return state;
		}
		state.since = Math.min(state.since, state.polledAt);
		for (const each of state.open.values()) each.from = Math.min(each.from, state.since);
		return state;
	}

	/** Moves the window forward, after all lists were read. @param begunAt when the first of them was read, by this clock */
	advance(begunAt: number): void {
		const { state } = this;
		const { clock, windowMs, warn } = this.rules;
		let gone = 0;
		for (const [id, waiting] of state.waiting)
			if (!this.inMain.has(id) && !this.inCompanies.has(id) && ++waiting.tries > MOST_UNSEEN)
				gone += Number(state.waiting.delete(id));
		if (gone > 0)
			warn(
				`${counted(gone, 'record')} that waited to be given can no longer be found in the lists, and so will not be given.`,
			);
		state.readAt = begunAt;
		state.from = Math.max(1, state.from, Math.min(clock.watermark(this.newest), begunAt) - windowMs);
	}
}
