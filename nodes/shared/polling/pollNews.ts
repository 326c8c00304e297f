import { counted } from '../transport/counted';
import type { Company } from '../transport/request';
import { isStatusWanted } from './choices';
import type { Memory, News } from './memory';
import type { Run } from './run';
import { namedBy, ownerAmong, type Kind } from './trigger';

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
			if (each.company) continue;
			this.ownerless.set(id, each);
			this.memory.sought = Math.min(this.memory.sought, each.found.created ?? 0);
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
	 * @param isSearched whether every company was asked, and has answered
	 * @param polls for how many this one counts
	 * @param isTooLong whether the list of all is too long for a poll: then two are enough, because many pass until it is listed again
	 */
	settle(isSearched: boolean, polls: number, isTooLong: boolean): void {
		const { memory, run, kind, ownerless } = this;
		const isHeld = ({ found: { id } }: News) =>
			!isSearched && !memory.hasWaited(id, 'searches') && !(isTooLong && memory.state.waiting.has(id));
		const held = new Set([...ownerless.values()].filter(isHeld));
		for (const each of held) memory.hold(each, 'searches', polls);
		this.all = this.all.filter((each) => !held.has(each));
		if (ownerless.size > held.size)
			run.warn(
				`Of the ${kind.things}, ${counted(ownerless.size - held.size, 'record')} could not be found in any company's list that could be read; given without a company.`,
			);
	}
}
