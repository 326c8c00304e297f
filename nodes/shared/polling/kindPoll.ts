import { fold } from '../answer/fileName';
import type { Company } from '../transport/request';
import { readOf } from './listReading';
import type { Memory, News } from './memory';
import { isWholeDue, lateMsOf, pauseMsOf, TRUSTED } from './pace';
import type { Found, Reading } from './reading';
import { inTurn } from './round';
import { isCutShort, isRefused, type Run, type Stage } from './run';
import { listOf, MAIN, newKind, newMain, newRound, shortId } from './state';
import { companyIn, ownerAmong, type Kind } from './trigger';

const MOST_ACTIVE = 20;
/** How many polls look for the company of a record, before it is given without. */
const MOST_SEARCHES = 4;
/** One kind of records in one poll: its lists, what is new in them, and of which companies. */
export class KindPoll {
	news: News[] = [];
	/** How many lists were read, or learnt of that they cannot be. */
	worked = 0;
	private main: { reading: Reading; ids: ReadonlySet<string> } | undefined;
	/** News whose company is not known, by their IDs. */
	private readonly ownerless = new Map<string, News>();
	/** The companies that were there at the beginning, or whose lists were read before this poll; and whether others may be. */
	private readonly listedBefore: ReadonlySet<string>;
	private hasComing = false;
	/** What a company's list has and the search for all has not. */
	private readonly suspects: Array<{ found: Found; company: Company }> = [];

	constructor(
		readonly kind: Kind,
		readonly memory: Memory,
		private readonly run: Run,
	) {
		this.listedBefore = new Set(memory.state.companies.keys());
	}

	/** The same kind from the beginning, its IDs taken as unique only inside a company. */
	byCompany(): KindPoll {
		const { kind, run, memory } = this;
		const { settings, scope, since, polledAt, from } = memory.state;
		if (!memory.isNew)
			run.warn(
				`Two ${kind.things} of different companies have the same ID, so this poll begins anew: it remembers what is there and gives what is created from now on.`,
			);
		const state = { ...newKind(settings, scope, from > 0 ? polledAt : since), byCompany: true, asksEach: !run.asksAll };
		return new KindPoll(kind, memory.anew(state), run);
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
			this.take(this.memory.judge(MAIN, reading, company));
			if (!reading.isComplete || state.asksEach) return;
			this.memory.advance();
			if (this.isWholeDue) state.wholeAt = Date.now();
		} catch (error) {
			if (scope.kind !== 'every' || !isRefused(error)) return this.fail(MAIN, error, company);
			this.askEach(`refuses to be asked without a company (${error.message})`);
			this.leaveMain();
			// That is something to remember.
			this.worked++;
		}
	}

	/** When the companies' turn began, in ms: the kind that waits longest goes first, before all one with news of unknown owners. */
	get lastAsked(): number {
		return this.ownerless.size > 0 ? 0 : this.memory.state.round.at;
	}

	/** Whether the lists are to be read to their ends; not at activation, because somebody waits for it. */
	private get isWholeDue(): boolean {
		return !this.memory.isNew && isWholeDue(this.memory.state, lateMsOf(this.run.choices));
	}

	/** Whether all that the search for all has to give was judged: a company's list is not to make it known before. */
	private get mayCompare(): boolean {
		return this.memory.state.asksEach || this.main?.reading.isComplete === true;
	}

	/**
	 * Asks companies: in their round, and for those of the news.
	 * @param isComparedEnough whether the rest of a round that only compares is for later polls
	 */
	async visitCompanies(stage: Stage, isComparedEnough: () => boolean): Promise<void> {
		const { run, ownerless, memory } = this;
		const { state } = memory;
		const { round, asksEach } = state;
		const age = Date.now() - round.at;
		// Activation waits for no company that need not be asked, but notes which there are.
		const isDue =
			(round.left > 0 || age >= pauseMsOf(state, run.choices) || age < 0) &&
			(asksEach || (!memory.isNew && this.mayCompare));
		if (!isDue && ownerless.size === 0 && !memory.isNew) return;
		try {
			const companies = await run.ask(async () => await run.listCompanies(stage), stage);
			if (isDue && round.left === 0) Object.assign(round, { at: Date.now(), left: companies.length, hasBoth: false });
			this.hasComing = companies.some(({ id }) => !this.listedBefore.has(listOf(id)));
			// Those that are listed when the kind begins have what they have from before.
			if (this.listedBefore.size === 0) for (const { id } of companies) state.companies.set(listOf(id), false);
			this.findCompanies(companies);
			const failed = run.failures.length;
			const asked = await this.visitInTurn(companies, isDue, stage, isComparedEnough);
			await this.checkCoverage(stage);
			this.settleOwners(asked >= companies.length && run.failures.length === failed);
			if (state.asksEach !== asksEach || !isDue) return;
			round.left = Math.max(0, round.left - asked);
			if (round.left === 0) this.endRound();
		} catch (error) {
			this.settleOwners(false);
			// What activation has no time for is done by the polls that follow.
			if (!memory.isNew || !isCutShort(error)) run.fail(error, this.kind);
		} finally {
			if (!memory.isNew) this.dropOlder();
		}
	}

	/** @returns how many companies have answered, or could not, of those in turn */
	private async visitInTurn(
		companies: Company[],
		isDue: boolean,
		stage: Stage,
		isComparedEnough: () => boolean,
	): Promise<number> {
		const { ownerless } = this;
		const { round, active, asksEach, cleanRounds, companies: lists } = this.memory.state;
		const isComing = ({ id }: Company) => !asksEach && cleanRounds > 0 && lists.get(listOf(id)) !== true;
		const first = companies.filter((each) => active.includes(shortId(each.id)) || isComing(each));
		const most = isDue ? first.length + round.left : first.some(isComing) ? first.length : 0;
		const { asked, next } = await inTurn(companies, {
			first,
			from: round.next,
			width: this.run.service.settings.concurrency,
			visit: async (company) => await this.visit(company, stage),
			// One in any case, or a poll with little time would never get on.
			goOn: (started) =>
				(started === 0 || !stage.isOver()) &&
				(ownerless.size > 0 || (started < most && (started === 0 || asksEach || !isComparedEnough()))),
		});
		round.next = next;
		return asked;
	}

	/** @returns false where there was no time for all of the company's list */
	private async visit(company: Company, stage: Stage): Promise<boolean> {
		const { memory, main, ownerless } = this;
		const { state } = memory;
		const list = listOf(company.id);
		try {
			const reading = await this.read(list, company, stage);
			const lacking = reading.seen.filter(
				({ id, created = -Infinity }) => main && !main.ids.has(id) && created >= main.reading.reach,
			);
			const isBeginning = !state.asksEach && state.companies.get(list) !== true;
			const disputed = isBeginning ? new Set(lacking.map(({ id }) => id)) : undefined;
			const news = this.mayCompare ? memory.judge(list, reading, company, disputed) : [];
			this.take(news);
			this.suspects.push(...lacking.map((found) => ({ found, company })));
			let hasNews = news.length > 0;
			for (const { id } of reading.seen) {
				const owned = ownerless.get(id);
				if (owned) owned.company = company;
				hasNews = ownerless.delete(id) || hasNews;
				if (main?.ids.has(id)) state.round.hasBoth = true;
			}
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

	private take(news: News[]): void {
		const { statuses, watchesStatus, scope } = this.run.choices;
		for (const each of news) {
			const { record, status, id } = each.found;
			if (watchesStatus && statuses.length > 0 && !statuses.includes(fold(status))) continue;
			this.news.push(each);
			if (each.company || scope.kind !== 'every') continue;
			const own = companyIn(record);
			// What is older than the beginning is looked at more closely: its company may have come only now, with all it has.
			if (own.id === undefined || this.isOlder(each)) this.ownerless.set(id, each);
			else each.company = { id: own.id, name: own.name ?? '' };
		}
	}

	private readonly isOlder = ({ found, former }: News) => !former && (found.created ?? 0) < this.memory.state.since;

	/** Leaves out what a company has brought along that was not listed before, and what may be such. */
	private dropOlder(): void {
		const { listedBefore, hasComing, news, kind, run } = this;
		const isBrought = (each: News) => {
			const owner = each.company?.id ?? companyIn(each.found.record).id;
			return this.isOlder(each) && (owner === undefined ? hasComing : !listedBefore.has(listOf(owner)));
		};
		this.news = news.filter((each) => !isBrought(each));
		if (this.news.length < news.length)
			run.warn(
				`${news.length - this.news.length} ${kind.things} are older than the trigger and of companies that are listed only now: they count as there before.`,
			);
	}

	/** Finds companies by what records say of them. */
	private findCompanies(companies: Company[]): void {
		for (const [id, each] of this.ownerless) {
			const company = ownerAmong(companies, each.found.record);
			if (!company) continue;
			each.company = company;
			this.ownerless.delete(id);
		}
	}

	/** Lets news wait whose company is still to be found. @param isSearched whether every company was asked */
	private settleOwners(isSearched: boolean): void {
		const { memory, ownerless } = this;
		const held = new Set<News>();
		let lost = 0;
		for (const [id, each] of ownerless) {
			const { tries = 0 } = memory.state.waiting.get(id) ?? {};
			if (tries >= MOST_SEARCHES && this.isOlder(each)) this.hasComing = true;
			else if (isSearched ? !this.isOlder(each) : tries >= MOST_SEARCHES) lost++;
			else {
				held.add(each);
				memory.hold(each, tries + 1);
			}
		}
		this.news = this.news.filter((each) => !held.has(each));
		if (lost > 0)
			this.run.warn(`${lost} ${this.kind.things} are in no company's list and are given without a company.`);
	}

	/** Asks once more for what the search for all lacks: it may have come only just now, or be gone. */
	private async checkCoverage(stage: Stage): Promise<void> {
		const { memory, suspects } = this;
		if (suspects.length === 0 || memory.state.asksEach) return;
		try {
			const again = await this.read(MAIN, undefined, stage);
			this.take(memory.judge(MAIN, again));
			const listed = new Set(again.seen.map(({ id }) => id));
			for (const { found, company } of suspects) {
				if (listed.has(found.id) || (found.created ?? -Infinity) < again.reach) continue;
				const { seen } = await this.read(listOf(company.id), company, stage);
				if (seen.some(({ id }) => id === found.id))
					return this.askEach(`lacks some of '${company.name || company.id}'`);
			}
		} finally {
			memory.knows(suspects.map(({ found }) => found));
		}
	}

	/** Until each company was asked once, the search for all goes on telling what it has. */
	private askEach(why: string): void {
		this.run.warn(`The list of ${this.kind.things} of all companies ${why}: from now on each company is asked.`);
		Object.assign(this.memory.state, { asksEach: true, round: newRound() });
	}

	/** What it had without create times stays known: companies' lists are not read so far each time. */
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
		state.cleanRounds = Math.min(TRUSTED, state.round.hasBoth ? TRUSTED : state.cleanRounds + 1);
	}
}
