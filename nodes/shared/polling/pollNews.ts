import { counted } from '../transport/counted';
import type { Company } from '../transport/request';
import { isStatusWanted } from './choices';
import type { Memory, News } from './memory';
import type { Run } from './run';
import { listOf } from './state';
import { companyIn, ownerAmong, type Kind } from './trigger';

/** How many polls look for the company of a record, before it is given without. */
const MOST_SEARCHES = 4;

/** The new records of one kind in one poll, and the search for their companies. */
export class PollNews {
	all: News[] = [];
	/** Those whose company is not known, by their IDs. */
	private readonly ownerless = new Map<string, News>();
	/** The companies that were listed before this poll. */
	private readonly listedBefore: ReadonlySet<string>;
	/** Whether companies are listed that were not listed before and have older records; undefined until they are listed. */
	private hasComing: boolean | undefined;

	constructor(
		private readonly kind: Kind,
		private readonly memory: Memory,
		private readonly run: Run,
	) {
		this.listedBefore = new Set(memory.state.companies.keys());
	}

	get hasOwnerless(): boolean {
		return this.ownerless.size > 0;
	}

	/** Adds the records with a wanted status. */
	add(news: News[]): void {
		const { choices } = this.run;
		for (const each of news) {
			const { record, status, id } = each.found;
			if (!isStatusWanted(choices, status)) continue;
			this.all.push(each);
			if (each.company || choices.scope.kind !== 'every') continue;
			const own = companyIn(record);
			// A record older than the trigger needs its company for certain: it may be one that is listed for the first time.
			if (own.id === undefined || this.isOlder(each)) this.ownerless.set(id, each);
			else each.company = { id: own.id, name: own.name ?? '' };
		}
	}

	/** Finds companies by the IDs and names in the records. @param companies all that are listed now */
	findAmong(companies: Company[]): void {
		const { listedBefore } = this;
		this.hasComing = companies.some(({ id }) => !listedBefore.has(listOf(id)));
		// The records of companies that are listed at the beginning existed before.
		if (listedBefore.size === 0) for (const { id } of companies) this.memory.state.companies.set(listOf(id), false);
		for (const [id, each] of this.ownerless) {
			const company = ownerAmong(companies, each.found.record);
			if (!company) continue;
			each.company = company;
			this.ownerless.delete(id);
		}
	}

	/** Notes that a company's list has a record. @returns whether the record's company was not known before */
	isFoundAt(company: Company, id: string): boolean {
		const owned = this.ownerless.get(id);
		if (owned) owned.company = company;
		return this.ownerless.delete(id);
	}

	/** Keeps records whose company is not found yet for the next poll. @param isSearched whether every company was asked */
	settle(isSearched: boolean): void {
		const { memory, run, kind } = this;
		const held = new Set<News>();
		let lost = 0;
		for (const [id, each] of this.ownerless) {
			const { tries = 0 } = memory.state.waiting.get(id) ?? {};
			const isInDoubt = this.isOlder(each);
			if (isInDoubt ? tries >= MOST_SEARCHES && this.hasComing !== undefined : isSearched || tries >= MOST_SEARCHES)
				lost++;
			else {
				held.add(each);
				memory.hold(each, tries + 1);
			}
		}
		this.all = this.all.filter((each) => !held.has(each));
		if (lost > 0)
			run.warn(
				`Of the ${kind.things}, ${counted(lost, 'record')} could not be found in any company's list; given without a company.`,
			);
	}

	/** Leaves out older records of companies that were not listed before, and records that may be such. */
	dropOlder(): void {
		const { listedBefore, hasComing, all, kind, run } = this;
		const isBrought = (each: News) => {
			const owner = each.company?.id ?? companyIn(each.found.record).id;
			if (!this.isOlder(each)) return false;
			return owner === undefined ? hasComing && each.found.created !== undefined : !listedBefore.has(listOf(owner));
		};
		this.all = all.filter((each) => !isBrought(each));
		if (this.all.length < all.length)
			run.warn(
				`Of the ${kind.things}, ${counted(all.length - this.all.length, 'record')} from before the trigger's beginning, of companies that are listed for the first time, will not be given.`,
			);
	}

	private isOlder({ found, former }: News): boolean {
		return !former && (found.created ?? 0) < this.memory.state.since;
	}
}
