import type { Company } from '../transport/request';
import { waitFor } from '../transport/waiting';
import { readOf } from './listReading';
import type { Memory } from './memory';
import { isWholeDue, lateMsOf, pauseMsOf } from './pace';
import { PollNews } from './pollNews';
import type { Found, Reading } from './reading';
import { inTurn } from './round';
import { isCutShort, isRefused, type Run, type Stage } from './run';
import { listOf, MAIN, newKind, newMain, newRound, shortId } from './state';
import { companyIn, type Kind } from './trigger';

const MOST_ACTIVE = 20;

/** A record of a company's list that the search for all companies seems to lack. */
interface Suspect {
	found: Found;
	company: Company;
}

/** One kind of records in one poll: its lists, what is new in them, and of which companies. */
export class KindPoll {
	readonly news: PollNews;
	/** How many lists were read, or found to be refused for good. */
	worked = 0;
	private main: { reading: Reading; ids: ReadonlySet<string> } | undefined;
	/** Records of companies' lists that the search for all companies seems to lack. */
	private readonly suspects: Suspect[] = [];

	constructor(
		readonly kind: Kind,
		readonly memory: Memory,
		private readonly run: Run,
	) {
		this.news = new PollNews(kind, memory, run);
	}

	/** @returns the same kind, which starts over with IDs that are unique only inside a company */
	byCompany(): KindPoll {
		const { kind, run, memory } = this;
		const { settings, scope, since, polledAt, from } = memory.state;
		if (!memory.isNew) run.warnStartsOver(`Two ${kind.things} of different companies have the same ID`);
		const state = { ...newKind(settings, scope, from > 0 ? polledAt : since), byCompany: true, asksEach: !run.asksAll };
		return new KindPoll(kind, memory.withState(state), run);
	}

	/** Reads the list of the credential, of the one company, or of all at once. */
	async readMain(stage: Stage): Promise<void> {
		const { scope } = this.run.choices;
		const { state } = this.memory;
		if (state.asksEach && !state.main.isRead) return;
		const company = scope.kind === 'one' ? scope.company : undefined;
		try {
			const reading = await this.read(MAIN, company, stage);
			if (state.byCompany && reading.seen.some(({ record }) => companyIn(record).id === undefined))
				return this.askEach('has records of the same ID and does not say whose they are');
			this.main = { reading, ids: new Set(reading.seen.map(({ id }) => id)) };
			this.news.add(this.memory.judge(MAIN, reading, company));
			if (!reading.isComplete || state.asksEach) return;
			this.memory.advance();
			if (this.isWholeDue) state.wholeAt = Date.now();
		} catch (error) {
			if (scope.kind !== 'every' || !isRefused(error)) return this.fail(MAIN, error, company);
			this.askEach(`refuses to be asked without a company (${error.message})`);
			this.leaveMain();
			// This must be saved, so the poll counts as successful.
			this.worked++;
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

	/** Whether the search for all companies was read completely: a company's list must not make its records known before. */
	private get mayCompare(): boolean {
		return this.memory.state.asksEach || this.main?.reading.isComplete === true;
	}

	/**
	 * Reads companies' lists: those whose turn it is, and those that may have new records of unknown companies.
	 * @param isComparedEnough whether a round that only compares lists is to go on in a later poll
	 */
	async visitCompanies(stage: Stage, isComparedEnough: () => boolean): Promise<void> {
		const { run, news, memory } = this;
		const { state } = memory;
		const { round, asksEach } = state;
		// A company may have been added since they were last listed.
		state.hasUnread = true;
		const age = Date.now() - round.at;
		// At activation only necessary companies are asked, but all are listed.
		const isDue =
			(round.left > 0 || age >= pauseMsOf(state, run.choices) || age < 0) &&
			(asksEach || (!memory.isNew && this.mayCompare));
		if (!isDue && !news.hasOwnerless && !memory.isNew) return;
		try {
			const companies = await waitFor(run.listCompanies(stage), [stage.signal]);
			if (isDue && round.left === 0) Object.assign(round, { at: Date.now(), left: companies.length });
			news.findAmong(companies);
			const failed = run.failures.length;
			const asked = await this.visitInTurn(companies, isDue, stage, isComparedEnough);
			state.hasUnread = companies.some(({ id }) => state.companies.get(listOf(id)) !== true);
			await this.checkCoverage(stage);
			news.settle(asked >= companies.length && run.failures.length === failed);
			if (state.asksEach !== asksEach || !isDue) return;
			round.left = Math.max(0, round.left - asked);
			if (round.left === 0) this.endRound();
		} catch (error) {
			news.settle(false);
			// What there was no time for at activation is done by the next polls.
			if (!memory.isNew || !isCutShort(error)) run.fail(error, this.kind);
		} finally {
			news.dropOlder();
		}
	}

	/** @returns how many of the companies whose turn it was have answered or failed */
	private async visitInTurn(
		companies: Company[],
		isDue: boolean,
		stage: Stage,
		isComparedEnough: () => boolean,
	): Promise<number> {
		const { round, active, asksEach, cleanRounds, companies: lists } = this.memory.state;
		const isComing = ({ id }: Company) => !asksEach && cleanRounds > 0 && lists.get(listOf(id)) !== true;
		const first = companies.filter((each) => active.includes(shortId(each.id)) || isComing(each));
		const most = isDue ? first.length + round.left : first.some(isComing) ? first.length : 0;
		const { asked, next } = await inTurn(companies, {
			first,
			from: round.next,
			width: this.run.service.settings.concurrency,
			visit: async (company) => await this.visit(company, stage),
			// At least one, or polls with little time would make no progress.
			goOn: (started) =>
				(started === 0 || !stage.isOver()) &&
				(this.news.hasOwnerless || (started < most && (started === 0 || asksEach || !isComparedEnough()))),
		});
		round.next = next;
		return asked;
	}

	/** @returns false if there was no time to read all of the company's list */
	private async visit(company: Company, stage: Stage): Promise<boolean> {
		const { memory, main } = this;
		const { state } = memory;
		const list = listOf(company.id);
		try {
			const reading = await this.read(list, company, stage);
			const lacking = reading.seen.filter(
				({ id, created = -Infinity }) => main && !state.asksEach && !main.ids.has(id) && created >= main.reading.reach,
			);
			const disputed = new Set(lacking.map(({ id }) => id));
			const found = this.mayCompare ? memory.judge(list, reading, company, disputed) : [];
			this.news.add(found);
			this.suspects.push(...lacking.map((found) => ({ found, company })));
			let hasNews = found.length > 0;
			for (const { id } of reading.seen) hasNews = this.news.isFoundAt(company, id) || hasNews;
			if (hasNews) state.active = [...new Set([shortId(company.id), ...state.active])].slice(0, MOST_ACTIVE);
			return reading.resume === undefined;
		} catch (error) {
			this.fail(list, error, company);
			return true;
		}
	}

	private fail(list: string, error: unknown, company: Company | undefined): void {
		this.memory.keepOpen(list);
		this.run.fail(error, this.kind, company);
	}

	private async read(list: string, company: Company | undefined, stage: Stage): Promise<Reading> {
		const { kind, memory, run } = this;
		const isWhole = (list === MAIN) !== memory.state.asksEach && this.isWholeDue;
		const reading = await readOf(run, kind, memory, { list, company, stage, isWhole });
		this.worked++;
		return reading;
	}

	/** Reads both lists again, because a record that one lacks may have been created or deleted between the readings. */
	private async checkCoverage(stage: Stage): Promise<void> {
		const { memory, suspects } = this;
		if (suspects.length === 0) return;
		try {
			const again = await this.read(MAIN, undefined, stage);
			this.news.add(memory.judge(MAIN, again));
			const listed = new Set(again.seen.map(({ id }) => id));
			const isMissing = ({ found: { id, created = -Infinity } }: Suspect) => !listed.has(id) && created >= again.reach;
			const missing = suspects.filter(isMissing);
			for (const company of new Set(missing.map((each) => each.company))) {
				const { seen } = await this.read(listOf(company.id), company, stage);
				const stillThere = new Set(seen.map(({ id }) => id));
				if (missing.some(({ found }) => stillThere.has(found.id)))
					return this.askEach(`lacks some of '${company.name || company.id}'`);
			}
		} finally {
			memory.knows(suspects.map(({ found }) => found));
		}
	}

	/** From now on each company is asked. Until each was asked once, the search for all companies is read as well. */
	private askEach(why: string): void {
		this.run.warn(`The list of ${this.kind.things} of all companies ${why}: from now on each company is asked.`);
		Object.assign(this.memory.state, { asksEach: true, round: newRound() });
	}

	/** The search for all companies is not read any more. Its records without create times stay known, because companies' lists are not always read to their ends. */
	private leaveMain(): void {
		const { state } = this.memory;
		state.main = newMain();
		state.open.delete(MAIN);
		if (!state.timeless.get(MAIN)?.isWhole) state.timeless.delete(MAIN);
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
			memory.advance();
		}
		state.cleanRounds++;
	}
}
