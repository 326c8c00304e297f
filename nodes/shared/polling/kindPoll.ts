import { fold } from '../answer/fileName';
import type { Company } from '../transport/request';
import { MOST_TRIES, type Memory, type News } from './memory';
import { readOf } from './listOf';
import type { Found, Reading } from './reading';
import { isCutShort, isRefused, type Run, type Stage } from './run';
import { begunKey, HOUR_MS, MAIN, shortId } from './state';
import { inTurn } from './round';
import { companyIn, ownerAmong, type Kind } from './trigger';

const MOST_ACTIVE = 20;

/** One kind of records in one poll: its lists, what is new in them, and whose it is. */
export class KindPoll {
	news: News[] = [];
	/** How many lists were read. */
	worked = 0;
	private main: { reading: Reading; ids: ReadonlySet<string> } | undefined;
	/** News whose company is not known, by their IDs. */
	private readonly ownerless = new Map<string, News>();
	/** What a company's list has and the search for all has not. */
	/** The lists that had a beginning when the poll began. */
	private begunBefore: ReadonlySet<string> = new Set();
	private readonly suspects: Array<{ found: Found; company: Company }> = [];

	constructor(
		readonly kind: Kind,
		readonly memory: Memory,
		private readonly run: Run,
	) {}

	/** Reads the list of the credential, of the one company, or of all at once. */
	async readMain(stage: Stage): Promise<void> {
		const { scope } = this.run.choices;
		const { coverage, begun } = this.memory.state;
		if (coverage === 'each' && !begun.has(MAIN)) return;
		const company = scope.kind === 'one' ? scope.company : undefined;
		const key = company ? shortId(company.id) : MAIN;
		try {
			const reading = await this.read(key, company, stage);
			this.main = { reading, ids: new Set(reading.seen.map(({ id }) => id)) };
			this.take(this.memory.judge(key, reading, company));
			this.memory.note(key, reading);
			if (reading.isComplete && coverage !== 'each') this.memory.advance();
		} catch (error) {
			this.memory.note(key);
			if (scope.kind === 'every' && isRefused(error)) {
				this.askEach(`refuses to be asked without a company (${error.message})`);
				this.leaveMain();
			} else this.run.fail(error, this.kind, company);
		}
	}

	/** When the companies' turn began: the kind that waits longest goes first, before all one with news of unknown owners. */
	get lastAsked(): number {
		return this.ownerless.size > 0 ? 0 : this.memory.state.round.at;
	}

	/** Asks companies: in their round, and whose the news are. @param isComparedEnough whether the rest of a round that only compares is for later polls */
	async visitCompanies(stage: Stage, isComparedEnough: () => boolean): Promise<void> {
		const { run, ownerless } = this;
		const { state } = this.memory;
		const { round } = state;
		const { askEachEvery = 15, lateArrivals = 24 } = run.choices.options;
		const wasEach = state.coverage === 'each';
		const everyMs = state.coverage === 'all' ? (lateArrivals * HOUR_MS) / 2 : askEachEvery * 60_000;
		const age = Date.now() - round.at;
		// Activation waits for no company that need not be asked, but notes which there are.
		const isDue = (round.left > 0 || age >= everyMs || age < 0) && (wasEach || !this.memory.isNew);
		if (!isDue && ownerless.size === 0 && !this.memory.isNew) return;
		try {
			const companies = await run.ask(async () => await run.listCompanies(), stage);
			if (isDue && round.left === 0) Object.assign(round, { at: Date.now(), left: companies.length });
			if (!wasEach && state.begun.size <= 1) for (const { id } of companies) state.begun.add(begunKey(shortId(id)));
			this.begunBefore = new Set(state.begun);
			this.findCompanies(companies);
			const failed = run.failures.length;
			const asked = await this.visitInTurn(companies, isDue, stage, isComparedEnough);
			await this.checkCoverage(stage);
			this.settleOwners(companies.length, asked, run.failures.length > failed);
			if (companies.some(({ id }) => !this.begunBefore.has(begunKey(shortId(id))))) this.dropOlder();
			if (state.coverage === 'each' && !wasEach) return;
			round.left = Math.max(0, round.left - (isDue ? asked : 0));
			if (isDue && round.left === 0) this.endRound(lateArrivals * HOUR_MS);
		} catch (error) {
			this.settleOwners(Infinity, 0, true);
			// What activation has no time for is done by the polls that follow.
			if (!this.memory.isNew || !isCutShort(error)) run.fail(error, this.kind);
		}
	}

	/** @returns how many companies have answered, or could not, of those in turn */
	private async visitInTurn(
		companies: Company[],
		isDue: boolean,
		stage: Stage,
		isComparedEnough: () => boolean,
	): Promise<number> {
		const { round, active, begun, coverage } = this.memory.state;
		const isComing = ({ id }: Company) => coverage !== 'each' && !begun.has(begunKey(shortId(id)));
		const first = companies.filter((each) => active.includes(shortId(each.id)) || isComing(each));
		const most = isDue ? first.length + round.left : first.some(isComing) ? first.length : 0;
		const { asked, next } = await inTurn(companies, {
			first,
			from: round.next,
			width: this.run.service.settings.concurrency,
			visit: async (company) => await this.visit(company, stage),
			goOn: (started) =>
				!stage.isOver() &&
				(this.ownerless.size > 0 || (started < most && (coverage === 'each' || !isComparedEnough()))),
		});
		round.next = next;
		return asked;
	}

	/** @returns false where there was no time for the company */
	private async visit(company: Company, stage: Stage): Promise<boolean> {
		const { memory, main, ownerless } = this;
		const { state } = memory;
		const isSecond = state.coverage !== 'each';
		const key = isSecond ? MAIN : shortId(company.id);
		try {
			const reading = await this.read(key, company, stage);
			const own = begunKey(shortId(company.id));
			const news = memory.judge(key, reading, company, isSecond ? { wasThere: this.begunBefore.has(own) } : undefined);
			if (!isSecond) memory.note(key, reading);
			else if (reading.isComplete) state.begun.add(own);
			this.take(news);
			let hasNews = news.length > 0;
			for (const found of reading.seen) {
				const owned = ownerless.get(found.id);
				if (owned) {
					owned.company = company;
					ownerless.delete(found.id);
					hasNews = true;
				}
				if (main?.ids.has(found.id) && state.coverage === 'unproven') state.coverage = 'seen';
				if (main && isSecond && !main.ids.has(found.id) && (found.created ?? -Infinity) >= main.reading.reach)
					this.suspects.push({ found, company });
			}
			if (hasNews) state.active = [...new Set([shortId(company.id), ...state.active])].slice(0, MOST_ACTIVE);
			return reading.resume === undefined;
		} catch (error) {
			if (!isSecond) memory.note(key);
			this.run.fail(error, this.kind, company);
			return true;
		}
	}

	private async read(key: string, company: Company | undefined, stage: Stage): Promise<Reading> {
		const reading = await readOf(this.run, this.kind, this.memory, { key, company, stage });
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

	private isOlder({ found, former }: News): boolean {
		return !former && (found.created ?? 0) < this.memory.state.since;
	}

	/** Leaves out what a company has brought along that was not listed before, and what may be such. */
	private dropOlder(): void {
		const isBrought = (each: News) =>
			this.isOlder(each) && !(each.company && this.begunBefore.has(begunKey(shortId(each.company.id))));
		const brought = this.news.filter(isBrought).length;
		if (brought === 0) return;
		this.news = this.news.filter((each) => !isBrought(each));
		this.run.warn(
			`${brought} ${this.kind.things} are older than the trigger and of companies that are listed only now: they count as there before.`,
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

	/** Lets news wait whose company is still to be found. */
	private settleOwners(companies: number, asked: number, hasFailed: boolean): void {
		const { memory, news, ownerless } = this;
		let lost = 0;
		for (const [id, each] of ownerless) {
			const { tries = 0, left = companies } = memory.state.waiting.get(id) ?? {};
			const rest = Math.min(left, companies) - asked;
			if ((rest <= 0 && !hasFailed) || tries >= MOST_TRIES) lost++;
			else {
				news.splice(news.indexOf(each), 1);
				memory.hold(
					each,
					tries + Number(hasFailed || asked === 0),
					Math.max(1, Math.min(rest, Number.MAX_SAFE_INTEGER)),
				);
			}
		}
		if (lost > 0)
			this.run.warn(`${lost} ${this.kind.things} are in no company's list and are given without a company.`);
	}

	/** Asks once more for what the search for all lacks: it may have come only just now, or be gone. */
	private async checkCoverage(stage: Stage): Promise<void> {
		if (!this.main || this.suspects.length === 0) return;
		const again = await this.read(MAIN, undefined, stage);
		this.take(this.memory.judge(MAIN, again));
		const listed = new Set(again.seen.map(({ id }) => id));
		for (const { found, company } of this.suspects) {
			if (listed.has(found.id) || (found.created ?? -Infinity) < again.reach) continue;
			const { seen } = await this.read(MAIN, company, stage);
			if (seen.some(({ id }) => id === found.id)) return this.askEach(`lacks some of '${company.name || company.id}'`);
		}
	}

	/** Until each company was asked once, the list of all goes on telling what it has. */
	private askEach(why: string): void {
		this.run.warn(`The list of ${this.kind.things} of all companies ${why}: from now on each company is asked.`);
		const { state } = this.memory;
		if (state.coverage === 'all') state.since = Math.max(state.since, state.from);
		Object.assign(state, { coverage: 'each', round: { at: 0, left: 0, next: '' } });
		for (const key of state.begun) if (key !== MAIN) state.begun.delete(key);
	}

	private leaveMain(): void {
		const { begun, open, timeless } = this.memory.state;
		for (const all of [begun, open, timeless]) all.delete(MAIN);
	}

	private endRound(lateMs: number): void {
		const { memory, run } = this;
		const { state } = memory;
		if (Date.now() - state.round.at > lateMs)
			run.warn(
				`A round through the lists of ${this.kind.things} of all companies took longer than 'Late Arrivals', so what the list for all companies lacks may come late or be missed. Raise n8n's time for polls, or split the trigger by company.`,
			);
		if (state.coverage === 'each') {
			this.leaveMain();
			memory.advance();
		}
		if (state.coverage === 'seen') state.coverage = 'all';
	}
}
