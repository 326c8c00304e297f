import { counted } from '../transport/counted';
import { asError } from '../transport/errors';
import { GuardRefusal } from '../transport/guard/refusal';
import type { Company } from '../transport/request';
import type { Memory } from './memory';
import { isRoundDue, isWholeDue, lateMsOf, paceOf } from './pace';
import { PollNews } from './pollNews';
import { readWindow, type Reading, type Want } from './reading';
import { inTurn } from './round';
import { isCutShort, isRefused, type Run, type Stage } from './run';
import { hourOf, listOf, MAIN, newRound, shortId, type Known } from './state';
import { companyIn, namedBy, type Kind } from './trigger';

const MOST_ACTIVE = 20;
/** How many records that the search for all companies seems to lack are looked for again. */
const MOST_DOUBTED = 500;
/** How many more records than are known a list is expected to have. */
const MARGIN = 50;

/** One kind of records in one poll: its lists, what is new in them, and of which companies. */
export class KindPoll {
	readonly news: PollNews;
	/** How many lists were read, or found to be refused for good. */
	worked = 0;
	/** Whether the list of all companies was read completely, so that companies' lists can be compared with it. */
	private mayCompare = false;
	/** Whether there was no time for all of it, so that a record may be listed again only many polls later. */
	private isTooLong = false;
	/** Records of companies' lists that the search for all companies seems to lack, as `doubted` has them. */
	private readonly lacking: Array<[string, Known]> = [];

	constructor(
		readonly kind: Kind,
		readonly memory: Memory,
		private readonly run: Run,
	) {
		this.news = new PollNews(kind, memory, run);
	}

	/** Reads the list of the credential, of the one company, or of all at once. */
	async readMain(stage: Stage): Promise<void> {
		const { scope } = this.run.choices;
		const { state } = this.memory;
		if (state.asksEach && !state.lists.has(MAIN)) return;
		const company = scope.kind === 'one' ? scope.company : undefined;
		try {
			const reading = await this.read(MAIN, company, stage, this.isWholeDue && !state.asksEach);
			if (scope.kind === 'every' && state.byCompany && reading.seen.some(({ record }) => !namedBy(record)))
				return this.askEach('has records of the same ID and does not say whose they are');
			this.news.add(this.memory.judge(MAIN, reading, company));
			this.mayCompare = reading.end !== 'cut';
			this.isTooLong = reading.next !== undefined;
			if (!this.mayCompare || state.asksEach) return;
			this.memory.advance(reading.begunAt);
			// There is no other list to compare, or to come later.
			if (scope.kind !== 'every')
				Object.assign(state, { since: Math.max(state.since, state.from), cleanRounds: state.cleanRounds || 1 });
			if (this.isWholeDue) state.wholeAt = Date.now();
		} catch (error) {
			const isGuarded = error instanceof GuardRefusal;
			// Where the companies cannot be listed either, the refusal is not one of this list.
			const isRefusal =
				scope.kind === 'every' && isRefused(error) && (isGuarded || (await this.run.canListCompanies(stage)));
			// This must be saved, so the poll counts as successful.
			if (isRefusal) this.worked++;
			// It may be refused by mistake, once; but not by the credential's own limits.
			const isDoubted = !isGuarded && state.open.get(MAIN)?.size !== 0;
			if (!isRefusal || isDoubted) return this.fail(MAIN, error, company);
			this.askEach(`refuses to be asked without a company (${asError(error).message})`);
			this.leaveMain();
		}
	}

	/** When the last round through the companies began, in ms; 0 while companies of new records are searched. The lowest goes first. */
	get lastAsked(): number {
		return this.news.hasOwnerless ? 0 : this.memory.state.round.at;
	}

	/** Whether the lists are to be read to their ends; not at activation, because somebody waits for it. */
	private get isWholeDue(): boolean {
		return !this.memory.isNew && isWholeDue(this.memory.state, lateMsOf(this.run.choices));
	}

	/** Whether companies are to be asked in turn. */
	private get isDue(): boolean {
		const { state, isNew } = this.memory;
		return isRoundDue(state, this.run.choices) && (state.asksEach || (!isNew && this.mayCompare));
	}

	/** Whether companies' lists are to be read. */
	get wantsCompanies(): boolean {
		return this.isDue || this.news.hasOwnerless;
	}

	/**
	 * Reads companies' lists: those whose turn it is, and those that may have new records of unknown companies.
	 * @param isEnough whether a round that only compares lists is to go on in a later poll
	 */
	async visitCompanies(stage: Stage, isEnough: () => boolean): Promise<void> {
		const { run, news, memory, isDue } = this;
		const { state } = memory;
		const { round, asksEach } = state;
		try {
			const companies = await run.listCompanies(stage, round.left > 0 && !news.hasOwnerless);
			const isNew = isDue && round.left === 0;
			if (isNew) Object.assign(round, { at: Date.now(), begunAt: run.clock.now, from: state.from });
			// Where the company to go on with is gone, the others are visited from the first one on.
			if (isNew || (isDue && companies.every(({ id }) => id !== round.next))) round.left = companies.length;
			news.findAmong(companies);
			const failed = run.failures.length;
			const asked = await this.visitInTurn(companies, isDue, stage, isEnough);
			// Their answers may have shown that n8n's clock is ahead.
			round.begunAt = Math.min(round.begunAt, run.clock.now);
			if (this.mayCompare && !asksEach) state.doubted = new Map(this.lacking.slice(0, MOST_DOUBTED));
			const failures = run.failures.slice(failed);
			const isSearched = asked >= companies.length && failures.length === 0;
			news.settle(isSearched || this.isTooLong, !failures.every(({ isLate }) => isLate));
			if (state.asksEach !== asksEach || !isDue) return;
			round.left = Math.max(0, round.left - asked);
			// Where no company was asked yet, the first one's list is still to begin.
			if (round.left === 0 && (companies.length > 0 || !asksEach)) this.endRound();
		} catch (error) {
			news.settle(this.isTooLong, !isCutShort(error));
			// What there was no time for at activation is done by the next polls.
			if (!memory.isNew || !isCutShort(error)) run.fail(error, this.kind, undefined, 'the list of companies');
		}
	}

	/** @returns how many of the companies whose turn it was have answered or failed */
	private async visitInTurn(companies: Company[], isDue: boolean, stage: Stage, isEnough: () => boolean) {
		const { round, active, asksEach } = this.memory.state;
		const first = companies.filter((each) => this.news.hasOwnerless && active.includes(shortId(each.id)));
		const most = isDue ? first.length + round.left : 0;
		const { asked, next } = await inTurn(companies, {
			first,
			from: round.next,
			isDue,
			width: this.run.service.settings.concurrency,
			visit: async (company) => await this.visit(company, stage),
			// At least one, or polls with little time would make no progress.
			goOn: (started) =>
				(started === 0 || !stage.isOver()) &&
				(this.news.hasOwnerless || (started < most && (started === 0 || asksEach || !isEnough()))),
		});
		round.next = next;
		return asked;
	}

	/** @returns false if the company is to be visited again in the next poll: to read the rest of its list, or to look again for what is lacking */
	private async visit(company: Company, stage: Stage): Promise<boolean> {
		const { memory, news } = this;
		const { state } = memory;
		const { asksEach, doubted } = state;
		const list = listOf(company.id);
		try {
			const reading = await this.read(list, company, stage, asksEach && this.isWholeDue);
			const owned = reading.seen.filter(({ id }) => news.isFoundAt(company, id));
			if (state.asksEach !== asksEach) return false;
			const found = asksEach ? memory.judge(list, reading, company) : [];
			news.add(found);
			const lacking = !asksEach && this.mayCompare ? memory.lackingIn(list, reading) : [];
			if (found.length + lacking.length + owned.length > 0)
				state.active = [...new Set([shortId(company.id), ...state.active])].slice(0, MOST_ACTIVE);
			for (const { id, created, status } of lacking) this.lacking.push([id, { hour: hourOf(created), status }]);
			// What was created since the list of all was read is in it at the next poll.
			if (lacking.some(({ id }) => doubted.has(id))) this.askEach(`lacks some of '${company.name || company.id}'`);
			// Without a create time it may stand at the end.
			if (lacking.some(({ created }) => created === undefined)) state.wholeAt = 0;
			// A round that only compares does not wait for a list that is too long for one poll.
			const isRead = reading.next === undefined || !(asksEach || news.hasOwnerless);
			return isRead && (lacking.length === 0 || doubted.size > 0);
		} catch (error) {
			this.fail(list, error, company);
			return true;
		}
	}

	private fail(list: string, error: unknown, company: Company | undefined): void {
		this.memory.keepOpen(list);
		this.run.fail(error, this.kind, company);
	}

	/** Reads a list as far as its memory wants it. @param isWhole whether to its end @throws ServiceError */
	private async read(list: string, company: Company | undefined, stage: Stage, isWhole: boolean): Promise<Reading> {
		const { kind, memory, run } = this;
		const { known, lists, open, asksEach, waiting, byCompany } = memory.state;
		const idOf: Want['idOf'] = (record) => {
			const id = kind.identity(record);
			const owner = companyIn(record).id ?? company?.id ?? '';
			return id === undefined ? undefined : shortId(byCompany ? `${owner} ${id}` : id);
		};
		// Records that are still to be given may stand last, or after known ones.
		const hasWaiting = [...waiting.values()].some(({ hour }) => hour === 0);
		const reading = await readWindow({
			pages: run.pagesOf(kind, company, stage),
			idOf,
			floor: memory.floorOf(list),
			now: () => run.clock.now,
			isKnown: (id) => known.has(id) || waiting.has(id),
			depth: memory.depthOf(asksEach ? list : MAIN),
			pageSize: run.choices.options.pageSize,
			expected: Math.ceil(list === MAIN ? known.size : (2 * known.size) / (lists.size + 1)) + MARGIN,
			isWhole: isWhole || hasWaiting,
			resume: open.get(list),
			isOver: stage.isOver,
		});
		this.worked++;
		if (reading.nameless > 0)
			run.warn(`Of the ${kind.things}, ${counted(reading.nameless, 'record')} without an ID cannot be given.`);
		return reading;
	}

	/** From now on each company is asked. Until each was asked once, the search for all companies is read as well. */
	private askEach(why: string): void {
		const { kind, run } = this;
		run.warn(
			`The list of ${kind.things} of all companies ${why}: from now on each company is asked, ${paceOf(run.choices)}.`,
		);
		const { known, doubted, since } = this.memory.state;
		const { watchesStatus, alsoFirstSeen } = this.run.choices;
		// A status that has changed since the company's list was compared is a change.
		for (const [id, each] of watchesStatus ? [...doubted, ...this.lacking] : [])
			if (!alsoFirstSeen || each.hour < hourOf(since)) known.set(id, known.get(id) ?? each);
		Object.assign(this.memory.state, { asksEach: true, round: newRound() });
	}

	/** The search for all companies is not read any more. */
	private leaveMain(): void {
		const { state } = this.memory;
		// What stands last in companies' lists may be as unknown.
		state.hasForgotten ||= state.lists.get(MAIN) === false;
		for (const all of [state.lists, state.open]) all.delete(MAIN);
	}

	private endRound(): void {
		const { memory, run, kind } = this;
		const { state } = memory;
		if (Date.now() - state.round.at > lateMsOf(run.choices))
			run.warn(
				`A round through the lists of ${kind.things} of all companies took longer than 'Late Arrivals', so what the list for all companies lacks may come late or be missed. Raise n8n's time for polls, or split the trigger by company.`,
			);
		if (state.asksEach) {
			if (this.isWholeDue) state.wholeAt = state.round.at;
			this.leaveMain();
			memory.advance(state.round.begunAt);
		}
		state.cleanRounds++;
		state.since = Math.max(state.since, state.round.from);
	}
}
