import type { IDataObject } from 'n8n-workflow';

import { identityOf, type Page } from './page';

/** What a list needs to be read whole. */
export interface ListShape {
	/** The names under which a record's identity is found, first match counts; or what makes it up. */
	identity: readonly string[] | ((record: IDataObject) => string | undefined);
	/** Turns a listed record into the records it stands for, itself included. */
	expand?: (record: IDataObject) => IDataObject[];
	/** Which records are wanted, for what the service cannot filter itself. */
	keep?: (record: IDataObject) => boolean;
	/** Whether an object that is no page may be a record by itself: some searches are described so (deployment shapes). */
	mayBeAlone?: boolean;
	/** Whether nothing that is wanted can follow a record as it was listed; called once for each, in the list's order. */
	isPast?: (record: IDataObject) => boolean;
}

/** Empty pages one after the other, where the service says that more follow, before the rest is given up. */
const MOST_EMPTY = 10;
/** The same for pages of records that were on earlier pages: a service that begins anew goes on so for ever. */
const MOST_REPEATED = 2;

/**
 * What one pass over a list brought, each record once, and where it ends.
 *
 * The service's two counts are hints: by rights, caps on pages and plain mistakes each may be too high, too low or
 * missing. The list ends where the records read are as many as it says there are, or, beyond the pages that it says
 * there are, at a page that brings nothing new.
 */
export class Collected {
	/** Those that are wanted, up to the limit. */
	records: IDataObject[] = [];
	/** Whether nothing hints at records having moved from page to page. */
	steady = true;
	/** Whether a further page is of no use. */
	isOver = false;
	/** Whether the rest was left out, because nothing in it can be wanted. */
	isLeft = false;
	/** How many records the pages held, wanted or not, those met before included. */
	read = 0;
	/** How many pages were taken in, those before the first one that was read included. */
	taken: number;
	/** The last count of records that the service gave. */
	total: number | undefined;
	private pages: number | undefined;
	/** Pages without anything new, one after the other, up to the last one. */
	private idle = 0;
	private largest = 0;
	private hasHole = false;
	/** Whether all pages were of one length, the last one aside. */
	private isEven = true;
	private lastLength = 0;
	private readonly listed = new Set<string>();
	private readonly added = new Set<string>();
	/** Records without an identity, as listed and after `expand`. */
	private nameless = 0;
	private namelessAdded = 0;
	private first: string | undefined;
	private former: string | undefined;

	constructor(
		private readonly shape: ListShape,
		/**
		 * @param want.isLast whether no further pass follows, so that one over a list that shifts is read as far as it goes
		 * @param want.isThorough whether the list ends only where a page brings nothing new, whatever the counts say
		 * @param want.startAt the first page that is read, where those before it were read another time
		 */
		private readonly want: { limit: number; pageSize: number; isLast: boolean; startAt: number; isThorough?: boolean },
	) {
		this.taken = want.startAt - 1;
	}

	get isFull(): boolean {
		return this.records.length >= this.want.limit;
	}

	/** How many records the service counts that no page held. */
	get missing(): number {
		// Some count the records of a tree, some only its roots.
		if (this.isLeft || this.total === undefined || this.total === this.addedCount) return 0;
		return Math.max(0, this.total - this.listedCount);
	}

	/** The last page that may be asked for before those under way have come. */
	get horizon(): number {
		const { taken, claims } = this;
		if (taken === 0 || claims.length === 0 || this.isComplete) return Math.max(1, taken);
		// First the pages that both counts speak for, then those of one.
		const agreed = Math.min(...claims);
		const claimed = taken < agreed ? agreed : Math.max(...claims);
		if (this.shape.keep) return claimed;
		return Math.min(claimed, taken + Math.ceil((this.want.limit - this.records.length) / this.size));
	}

	/** Whether the service does not say for certain that there is another page. */
	get isBeyond(): boolean {
		return this.taken > 0 && (this.claims.length === 0 || this.taken >= Math.min(...this.claims));
	}

	/** The page size at which another pass may bring what this one missed. */
	get nextPageSize(): number {
		const { pageSize } = this.want;
		// Pages all cut to one length may have left out what they had no room for.
		if (this.isEven && this.largest > 0 && this.largest < pageSize) return this.largest;
		// A page that fails to come holds other records at another size.
		return this.hasHole ? Math.ceil(pageSize / 2) : pageSize;
	}

	/** Takes in the next page. */
	take(page: Page): void {
		const isEnd =
			page.isBare === true || this.isComplete || (this.claims.length > 0 && this.taken >= Math.max(...this.claims));
		this.taken++;
		this.learn(page);
		this.read += page.records.length;
		if (this.repeats(page)) {
			this.steady &&= isEnd;
			this.isOver = true;
			return;
		}
		const fresh = this.addAll(page.records);
		// Behind its last page a list may begin anew, or give that one again.
		if (fresh < page.records.length && !(fresh === 0 && isEnd)) this.steady = false;
		this.idle = fresh > 0 ? 0 : this.idle + 1;
		if (page.records.length === 0 && this.claims.length > 0 && this.taken <= Math.min(...this.claims))
			this.hasHole = true;
		this.isOver = this.isFull || this.isLeft || this.endsWith(page);
	}

	/**
	 * Adds what an earlier pass has met and this one missed; records without an identity cannot be compared, so the
	 * pass that has more of them counts.
	 * @returns whether this one brought anything new
	 */
	join(earlier: Collected): boolean {
		const hasNews = this.nameless > earlier.nameless || [...this.listed].some((id) => !earlier.listed.has(id));
		const hasFewer = this.nameless < earlier.nameless;
		this.records = [
			...this.records.filter((record) => !hasFewer || this.idOf(record) !== undefined),
			...earlier.records.filter((record) => {
				const id = this.idOf(record);
				return id === undefined ? hasFewer : !this.added.has(id);
			}),
		];
		for (const id of earlier.listed) this.listed.add(id);
		for (const id of earlier.added) this.added.add(id);
		this.nameless = Math.max(this.nameless, earlier.nameless);
		this.namelessAdded = Math.max(this.namelessAdded, earlier.namelessAdded);
		return hasNews;
	}

	private get listedCount(): number {
		return this.listed.size + this.nameless;
	}

	private get addedCount(): number {
		return this.added.size + this.namelessAdded;
	}

	/** Whether as many records were read as the service says there are. */
	private get isComplete(): boolean {
		return this.total !== undefined && this.listedCount === this.total;
	}

	/** What a page holds, so far as is known. */
	private get size(): number {
		return this.largest || this.want.pageSize;
	}

	/** How many pages there are, by either count. A count of records that was exceeded counts no more. */
	private get claims(): number[] {
		const { pages, total, listedCount, size } = this;
		return [
			...(pages === undefined ? [] : [pages]),
			...(total === undefined || total < listedCount ? [] : [Math.ceil(total / size)]),
		];
	}

	/** How many pages it takes if every one is full. */
	private get needed(): number {
		const claimed = this.claims.length > 0 ? Math.max(...this.claims) : Infinity;
		return this.shape.keep ? claimed : Math.min(claimed, Math.ceil(this.want.limit / this.size));
	}

	private learn({ records, pages, total }: Page): void {
		if (records.length > 0) {
			if (this.largest > 0 && (this.lastLength < this.largest || records.length > this.largest)) this.isEven = false;
			this.largest = Math.max(this.largest, records.length);
			this.lastLength = records.length;
		}
		// An empty page behind others often says 0 of everything.
		if (this.taken > 1) {
			pages = records.length === 0 ? undefined : pages || undefined;
			total ||= undefined;
		}
		this.pages = pages ?? this.pages;
		if (total !== undefined && this.total !== undefined && total !== this.total) this.steady = false;
		this.total = total ?? this.total;
	}

	private endsWith({ records, isBare = false }: Page): boolean {
		const { taken, idle, pages, total } = this;
		if (this.want.isThorough && idle === 0 && !isBare) return this.isFull;
		// One more page is asked for where the service says that there is one.
		if (this.isComplete) return taken >= (pages ?? 0) || idle > 0;
		if (total !== undefined && total === this.addedCount && taken >= (pages ?? Infinity)) return true;
		if (isBare && records.length !== this.want.pageSize) return true;
		if (!this.steady && !this.want.isLast && taken >= this.needed) return true;
		if (idle === 0) return false;
		if (taken >= Math.max(0, ...this.claims)) return true;
		const isRepeated = !this.want.isThorough && (records.length > 0 || this.listedCount === 0);
		return idle >= (isRepeated ? MOST_REPEATED : MOST_EMPTY);
	}

	/** @returns how many of them were on no earlier page */
	private addAll(records: IDataObject[]): number {
		const ids = records.flatMap((record) => this.idOf(record) ?? []);
		// What has no identity is as new as what stands beside it.
		if (ids.length > 0 && ids.every((id) => this.listed.has(id))) return 0;
		let fresh = 0;
		for (const record of records) {
			const id = this.idOf(record);
			this.isLeft = this.shape.isPast?.(record) ?? false;
			if (id === undefined || !this.listed.has(id)) fresh++;
			if (id === undefined) this.nameless++;
			else this.listed.add(id);
			for (const each of this.shape.expand?.(record) ?? [record]) this.add(each);
		}
		return fresh;
	}

	private idOf(record: IDataObject): string | undefined {
		const { identity } = this.shape;
		return typeof identity === 'function' ? identity(record) : identityOf(record, identity);
	}

	private add(record: IDataObject): void {
		const id = this.idOf(record);
		if (id !== undefined && this.added.has(id)) return;
		if (id === undefined) this.namelessAdded++;
		else this.added.add(id);
		if (!this.isFull && (this.shape.keep?.(record) ?? true)) this.records.push(record);
	}

	/**
	 * Without identities, a service that gives one page for ever, or begins anew after the last one, can only be told by
	 * the page as a whole.
	 */
	private repeats({ records }: Page): boolean {
		if (records.length === 0 || records.some((record) => this.idOf(record) !== undefined)) return false;
		const print = JSON.stringify(records);
		const same = print === this.former || print === this.first;
		this.first ??= print;
		this.former = print;
		return same;
	}
}
