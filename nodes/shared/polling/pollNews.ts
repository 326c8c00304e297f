import { counted } from '../transport/counted';
import type { Company } from '../transport/request';
import { isStatusWanted } from './choices';
import type { Memory, News } from './memory';
import type { Run } from './run';
import { namedBy, ownerAmong, type Kind } from './trigger';

/** How many polls look for the company of a record, before it is given without: so many where companies' lists fail. */
const MOST_SEARCHES = 12;
/** One that there was no time for counts as so many of them. */
const NO_TIME = 3;

/** The new records of one kind in one poll, and the search for their companies. */
export class PollNews {
	all: News[] = [];
	/** Those whose company is not known, by their IDs. */
	private readonly ownerless = new Map<string, News>();

	constructor(
		private readonly kind: Kind,
		private readonly memory: Memory,
		private readonly run: Run,
	) {}

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
			each.company = namedBy(record);
			if (!each.company) this.ownerless.set(id, each);
		}
	}

	/** Finds companies by the names in the records. @param companies all that are listed now */
	findAmong(companies: Company[]): void {
		for (const [id, each] of this.ownerless) {
			const company = ownerAmong(companies, each.found.record);
			if (company) this.isFoundAt(company, id);
		}
	}

	/** Notes that a company's list has a record. @returns whether the record's company was not known before */
	isFoundAt(company: Company, id: string): boolean {
		const owned = this.ownerless.get(id);
		if (owned) owned.company = company;
		return this.ownerless.delete(id);
	}

	/**
	 * Keeps records whose company is not found yet for the next poll.
	 * @param isSearched whether every company was asked, and has answered, or another search is not worth waiting for
	 * @param hasFailed whether one answered that it cannot be read
	 */
	settle(isSearched: boolean, hasFailed: boolean): void {
		const { memory, run, kind } = this;
		const held = new Set<News>();
		for (const [id, each] of this.ownerless) {
			const { searches = 0 } = memory.state.waiting.get(id) ?? {};
			if (isSearched || searches >= MOST_SEARCHES) continue;
			held.add(each);
			memory.hold(each, { searches: searches + (hasFailed ? 1 : NO_TIME) });
		}
		this.all = this.all.filter((each) => !held.has(each));
		const lost = this.ownerless.size - held.size;
		if (lost > 0)
			run.warn(
				`Of the ${kind.things}, ${counted(lost, 'record')} could not be found in any company's list; given without a company.`,
			);
	}
}
