import { counted } from '../transport/counted';
import { asError } from '../transport/errors';
import { GuardRefusal } from '../transport/guard/refusal';
import type { Company } from '../transport/request';
import { FAILURE, type Memory } from './memory';
import { PollNews } from './pollNews';
import { readWindow, type Reading } from './reading';
import { inTurn, isRoundDue, lateMsOf, paceOf } from './rounds';
import { isCutShort, isRefused, isTrouble, type Run, type Stage } from './run';
import { hourOf, listOf, MAIN, newScope, REFUSED, shortId, type Known } from './state';
import { identityIn, namedBy, type Kind } from './trigger';

/** For how long a poll compares companies' lists with the list of all companies at most: new records must not wait for it. */
const COMPARING_MS = 5_000;
/** How many companies that had news last are asked first whose a new record is. */
const MOST_ACTIVE = 20;
/** How many records that the list of all companies seems to lack are looked for again. */
const MOST_DOUBTED = 500;
/** How many more records than are known a list is expected to have. */
const MARGIN = 50;

/** One kind of records in one poll: its lists, what is new in them, and of which companies. */
export class KindPoll {
	readonly news: PollNews;
	/** Records of companies' lists that the list of all companies seems to lack, as `doubted` has them. */
	private readonly lacking: Array<[string, Known]> = [];
	/** How many lists were read, or found to be refused; and could not be read. */
	worked = 0;
	private failures = 0;
	/** Whether the list of all companies turned out to lack records. */
	foundGap = false;
	/** Whether the list of all companies was read completely, so that companies' lists can be compared with it. */
	private mayCompare = false;
	/** Whether there was no time for all of it, so that a record may be listed again only many polls later. */
	private isTooLong = false;

	constructor(
		readonly kind: Kind,
		readonly memory: Memory,
		private readonly run: Run,
	) {
		this.news = new PollNews(kind, memory, run);
	}

	/** Whether companies' lists are judged; otherwise they are only compared with the list of all companies. */
	private get asksEach(): boolean {
		return this.memory.state.asksEach || this.memory.state.refusals === REFUSED;
	}

	/** Whether lists are to be read to their ends: twice in the time of late arrivals, but not at activation, because somebody waits for it. */
	private get isWholeDue(): boolean {
		const { isNew, state } = this.memory;
		const now = this.asksEach ? state.round.at : Date.now();
		return !isNew && Math.abs(now - state.wholeAt) >= lateMsOf(this.run.choices) / 2;
	}

	/** Reads the list of the credential, of the one company, or of all at once. */
	async readMain(stage: Stage): Promise<void> {
		const { memory, run } = this;
		const { scope } = run.choices;
		const { state } = memory;
		if (!run.asksAll) return;
		const company = scope.kind === 'one' ? scope.company : undefined;
		const isWhole = this.isWholeDue && !this.asksEach;
		try {
			const reading = await this.read(MAIN, company, stage, isWhole);
			if (scope.kind === 'every' && state.byCompany && reading.seen.some(({ record }) => !namedBy(record)))
				return this.leaveMain('has records of the same ID and does not say whose they are');
			state.refusals = 0;
			this.isTooLong = reading.next !== undefined;
			this.news.add(memory.judge(MAIN, reading, company));
			if (reading.end === 'cut') return;
			this.mayCompare = true;
			// Where it had been left, or stands behind too many without a create time, what is older was not judged.
			const isPart = state.cleanRounds > 0 || (reading.end === 'window' && reading.seen.at(-1)?.created === undefined);
			state.from = Math.max(state.from || (isPart ? state.since : 0), memory.windowFrom(reading.begunAt));
			// There is no other list to compare, or to come later.
			if (scope.kind !== 'every') Object.assign(state, { since: Math.max(state.since, state.from), cleanRounds: 1 });
			if (state.asksEach) return;
			memory.advance(reading.begunAt);
			if (isWhole) state.wholeAt = Date.now();
		} catch (error) {
			const isGuarded = error instanceof GuardRefusal;
			const mayBeRefusal = scope.kind === 'every' && isRefused(error);
			// Where the companies cannot be listed either, the refusal is not one of this list.
			const isKnown = isGuarded || this.asksEach || !mayBeRefusal;
			const noCompanies = isKnown ? undefined : await run.whyNoCompanies(stage);
			const isRefusal = mayBeRefusal && noCompanies === undefined;
			// It may be refused by mistake, once; but not by the credential's own limits.
			if (isRefusal && (isGuarded || state.refusals > 0))
				return this.leaveMain(`refuses to be asked without a company (${asError(error).message})`);
			if (isRefusal) state.refusals = 1;
			// This must be saved, so the poll counts as successful.
			if (isRefusal) this.worked++;
			this.fail(isTrouble(noCompanies) ? noCompanies : error, company, MAIN);
		}
	}

	/** Where the list of all companies cannot be used, each company is asked, so long as that is so. */
	private leaveMain(why: string): void {
		const { state } = this.memory;
		if (!this.asksEach) this.askEach(why, state.asksEach);
		state.open.delete(MAIN);
		state.refusals = REFUSED;
	}

	/** From now on each company is asked. @param isForGood whether the list of all companies may be used again */
	private askEach(why: string, asksEach: boolean): void {
		const { run, kind, memory } = this;
		const { since, from, cleanRounds } = memory.state;
		Object.assign(memory.state, { ...newScope(), from, asksEach, cleanRounds });
		// If the rounds have shown that it had all, what companies' lists have since its window begins is known.
		if (cleanRounds > 0 && from > 0) memory.state.since = Math.min(since, from);
		run.warn(
			`The list of ${kind.things} of all companies ${why}: from now on each company is asked, ${paceOf(run.choices)}.`,
		);
	}

	/** Whether companies are to be asked in turn. */
	private get isDue(): boolean {
		const { state, isNew } = this.memory;
		return isRoundDue(state, this.run.choices, !this.asksEach) && (this.asksEach || (!isNew && this.mayCompare));
	}

	/** Whether companies' lists are to be read: in turn, or because new records may be theirs. */
	get wantsCompanies(): boolean {
		return this.run.choices.scope.kind === 'every' && (this.isDue || this.news.hasOwnerless);
	}

	/**
	 * Reads companies' lists: those whose turn it is, and those that may have new records of unknown companies.
	 * @param width how many at once
	 */
	async visitCompanies(stage: Stage, width: number): Promise<void> {
		const { run, memory, isDue, asksEach, news, worked } = this;
		const { state } = memory;
		const { round } = state;
		try {
			const companies = await run.listCompanies(stage, round.left > 0 && !news.hasOwnerless);
			const isNew = isDue && round.left === 0;
			if (isNew) Object.assign(round, { at: Date.now(), begunAt: run.clock.now, from: Infinity });
			// Where the company to go on with is gone, the others are visited from the first one on.
			if (isNew || (isDue && companies.every(({ id }) => id !== round.next))) round.left = companies.length;
			news.findAmong(companies);
			const first = companies.filter(({ id }) => news.hasOwnerless && state.active.includes(shortId(id)));
			const most = isDue ? first.length + round.left : 0;
			const comparedUntil = performance.now() + COMPARING_MS;
			const { asked, next } = await inTurn(companies, {
				...{ first, from: round.next, isDue, width, visit: async (company) => await this.visit(company, stage) },
				// At least one, or polls with little time would make no progress.
				goOn: (started) =>
					(started === 0 || !stage.isOver()) &&
					(news.hasOwnerless || (started < most && (started === 0 || asksEach || performance.now() < comparedUntil))),
			});
			if (this.asksEach !== asksEach) return news.settle(false, 1, this.isTooLong);
			const isRound = asked >= companies.length;
			state.doubted = new Map(this.lacking.slice(0, MOST_DOUBTED));
			round.next = next;
			// Their answers may have shown that n8n's clock is ahead.
			round.begunAt = Math.min(round.begunAt, run.clock.now);
			round.from = Math.min(round.from, memory.windowFrom(round.begunAt));
			// Where there is no time for any of a search, that is likely to go on.
			news.settle(isRound && this.failures === 0, isRound || this.worked > worked ? 1 : FAILURE, this.isTooLong);
			round.left = isDue ? Math.max(0, round.left - asked) : round.left;
			// Where no company was asked yet, the first one's list is still to begin.
			if (isDue && round.left === 0 && (companies.length > 0 || !asksEach)) this.endRound();
		} catch (error) {
			news.settle(false, isCutShort(error) ? FAILURE : 1, this.isTooLong);
			// What there was no time for at activation is done by the next polls.
			if (!memory.isNew || !isCutShort(error)) run.fail(error, this.kind, undefined, 'the list of companies');
		}
	}

	/** @returns false if the company is to be visited again in the next poll, to read the rest of its list */
	private async visit(company: Company, stage: Stage): Promise<boolean> {
		const { memory, asksEach, news } = this;
		const { state } = memory;
		const list = listOf(company.id);
		try {
			const reading = await this.read(list, company, stage, asksEach && this.isWholeDue);
			const owned = reading.seen.filter(({ id }) => news.isFoundAt(company, id));
			const found = asksEach ? memory.judge(list, reading, company) : [];
			news.add(found);
			const lacking = !asksEach && this.mayCompare ? memory.lackingIn(list, reading) : [];
			if (found.length + lacking.length + owned.length > 0)
				state.active = [...new Set([shortId(company.id), ...state.active])].slice(0, MOST_ACTIVE);
			for (const { id, created, status } of lacking) this.lacking.push([id, { hour: hourOf(created), status }]);
			this.foundGap ||= lacking.some(({ id }) => state.doubted.has(id));
			if (this.foundGap && !this.asksEach) this.askEach(`lacks some of '${company.name || company.id}'`, true);
			// Without a create time it may stand at the end.
			if (lacking.some(({ created }) => created === undefined)) state.wholeAt = 0;
			// A round that only compares does not wait for a list that is too long for one poll.
			const isRead = reading.next === undefined || !(asksEach || news.hasOwnerless);
			return isRead && (lacking.length === 0 || state.doubted.size > 0);
		} catch (error) {
			this.fail(error, company, list);
			return true;
		}
	}

	/** @param list that could not be read at all; otherwise pages before the failing one were */
	private fail(error: unknown, company: Company | undefined, list?: string): void {
		this.failures++;
		if (list !== undefined) this.memory.keepOpen(list);
		this.run.fail(error, this.kind, company, list === undefined ? `the rest of ${this.kind.things}` : undefined);
	}

	/** Reads a list as far as its memory wants it. @param isWhole whether to its end @throws ServiceError */
	private async read(list: string, company: Company | undefined, stage: Stage, isWhole: boolean): Promise<Reading> {
		const { kind, memory, run } = this;
		const { known, open, waiting, byCompany, isUnsorted } = memory.state;
		const reading = await readWindow({
			pages: run.pagesOf(kind, company, stage),
			idOf: (record) => identityIn(kind, record, byCompany, company),
			floor: memory.floorOf(list),
			now: () => run.clock.now,
			isKnown: (id) => known.has(id) || waiting.has(id),
			depth: memory.depthOf(this.asksEach ? list : MAIN),
			pageSize: run.choices.options.pageSize,
			expected: (list === MAIN ? known.size : 0) + MARGIN,
			// Records that are still to be given may stand last, or after known ones.
			isWhole: isWhole || isUnsorted || [...waiting.values()].some(({ hour }) => hour === 0),
			resume: open.get(list),
			isOver: stage.isOver,
		});
		this.worked++;
		if (reading.failure) this.fail(reading.failure, company);
		if (reading.nameless > 0)
			run.warn(`Of the ${kind.things}, ${counted(reading.nameless, 'record')} without an ID cannot be given.`);
		return reading;
	}

	private endRound(): void {
		const { memory, run, kind, asksEach } = this;
		const { state } = memory;
		if (Date.now() - state.round.at > lateMsOf(run.choices))
			run.warn(
				`A round through the lists of ${kind.things} of all companies took longer than 'Late Arrivals', so what the list for all companies lacks may come late or be missed. Raise n8n's time for polls, or split the trigger by company.`,
			);
		if (asksEach) {
			memory.advance(state.round.begunAt);
			// What it had is not needed for it any more: companies' lists have that as well.
			if (state.refusals === REFUSED) state.from = 0;
			state.hasForgotten &&= !this.isWholeDue;
			if (this.isWholeDue) state.wholeAt = state.round.at;
		}
		state.since = Math.max(asksEach && state.cleanRounds === 0 ? state.forgottenTo : state.since, state.round.from);
		state.cleanRounds++;
	}
}
