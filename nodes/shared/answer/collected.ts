import type { IDataObject } from 'n8n-workflow';

import { identityOf, lengthOf, type Page } from './page';

/** How to read the records of a list. */
export interface ListShape {
	/**
	 * The fields that may have a record's identity (the first that is filled in counts), or a function that returns it.
	 */
	identity: readonly string[] | ((record: IDataObject) => string | undefined);
	/** Turns a listed record into several, for example a company into itself and its child companies. */
	expand?: (record: IDataObject) => IDataObject[];
	/** Whether a record is wanted, for conditions that the service cannot filter by. */
	keep?: (record: IDataObject) => boolean;
	/** Whether the answer may be one record instead of a page, as some searches are described (deployment shapes). */
	mayBeAlone?: boolean;
	/** Whether no record that is wanted can follow this one, so that reading can stop; called once for each, in order. */
	isPast?: (record: IDataObject) => boolean;
}

/** A record's identity, in the way that a list's shape says. @returns undefined if it has none */
export const idBy = (identity: ListShape['identity'], record: IDataObject): string | undefined =>
	typeof identity === 'function' ? identity(record) : identityOf(record, identity);

/** After this many empty pages in a row no more is read, even if the service says that more pages follow. */
const MOST_EMPTY = 10;
/** The same for pages with only known records: a service that starts again from page 1 would never end. */
const MOST_REPEATED = 2;

/**
 * The records that one pass over a list found, each once; decides whether another page is needed.
 *
 * The service's two counts, of pages and of records, are only hints: each may be too high, too low or missing, because
 * the credential may not see every record, because the service limits the size of a page, or by mistake. The list has
 * ended when as many records were read as the service counts. If the counts are wrong, it has ended at the first page
 * without a new record after the last page that the service counts.
 */
export class Collected {
	/** The records that are wanted, up to the limit. */
	records: IDataObject[] = [];
	/** Whether the list seems not to have changed during the pass, so that no record moved to another page. */
	steady = true;
	/** Whether no further page is needed. */
	isOver = false;
	/** Whether reading stopped early, because no later record can be wanted. */
	isLeft = false;
	/** Whether records were left out that the service counts. */
	isFiltered = false;
	/** How many records were on the pages, including unwanted and repeated ones. */
	read = 0;
	/** The number of the last page that was added; pages before `startAt` count as added. */
	taken: number;
	/** The number of records by the service's latest count. */
	total: number | undefined;
	/** The number of pages by the service's latest count. */
	pages: number | undefined;
	/** How many pages in a row had no new record, up to the latest page. */
	private pagesWithoutNew = 0;
	private largestPage = 0;
	private hasEmptyPage = false;
	/** Whether all pages before the latest one have the same number of records. */
	private isEven = true;
	private lastLength = 0;
	private readonly listed = new Set<string>();
	private readonly added = new Set<string>();
	/** Records without an identity, as listed and after `expand`. */
	private nameless = 0;
	private namelessAdded = 0;
	private firstPage: string | undefined;
	private previousPage: string | undefined;

	constructor(
		private readonly shape: ListShape,
		/**
		 * @param want.isLast whether this is the last pass, which reads to the end even if the list changes meanwhile
		 * @param want.mayEndAt whether the counts may end the list at a page; without it, they may at each
		 * @param want.startAt the first page to read, if an earlier reading has read those before it
		 */
		private readonly want: {
			limit: number;
			pageSize: number;
			isLast: boolean;
			startAt: number;
			mayEndAt?: (records: IDataObject[]) => boolean;
		},
	) {
		this.taken = want.startAt - 1;
	}

	get isFull(): boolean {
		return this.records.length >= this.want.limit;
	}

	/** How many of the records that the service counts were on no page. */
	get missing(): number {
		// With `expand`, some services count all records, and others only those they list, such as parent companies.
		if (this.isLeft || this.total === undefined || this.total === this.addedCount) return 0;
		return Math.max(0, this.total - this.listedCount);
	}

	/** The last page that may be requested while earlier ones are still awaited. */
	get lastToRequest(): number {
		const { taken, pageCounts } = this;
		if (taken === 0 || pageCounts.length === 0 || this.isComplete) return Math.max(1, taken);
		// First up to the lower of the two counts, then up to the higher one.
		const agreed = Math.min(...pageCounts);
		const counted = taken < agreed ? agreed : Math.max(...pageCounts);
		if (this.shape.keep) return counted;
		return Math.min(counted, taken + Math.ceil((this.want.limit - this.records.length) / this.size));
	}

	/** Whether the next page may not exist, because not every count includes it. */
	get isBeyond(): boolean {
		return (
			this.taken >= this.want.startAt && (this.pageCounts.length === 0 || this.taken >= Math.min(...this.pageCounts))
		);
	}

	/** The page size with which another pass may find the records that this one missed. */
	get nextPageSize(): number {
		const { pageSize } = this.want;
		// If the service limits all pages to one size, records beyond it may be missing from each page.
		if (this.isEven && this.largestPage > 0 && this.largestPage < pageSize) return this.largestPage;
		// An empty page in the middle: with another size, its records are on other pages.
		return this.hasEmptyPage ? Math.ceil(pageSize / 2) : pageSize;
	}

	/** Adds the next page. */
	take(page: Page): void {
		const isEnd =
			page.isBare === true ||
			this.isComplete ||
			(this.pageCounts.length > 0 && this.taken >= Math.max(...this.pageCounts));
		this.taken++;
		this.learn(page);
		const length = lengthOf(page);
		this.read += length;
		if (this.repeats(page)) {
			this.steady &&= isEnd;
			this.isOver = true;
			return;
		}
		const newRecords = this.addAll(page);
		// After its last page a service may return the first page or the last one again; then the list has not changed.
		if (newRecords < length && !(newRecords === 0 && isEnd)) this.steady = false;
		this.pagesWithoutNew = newRecords > 0 ? 0 : this.pagesWithoutNew + 1;
		if (length === 0 && this.pageCounts.length > 0 && this.taken <= Math.min(...this.pageCounts))
			this.hasEmptyPage = true;
		this.isOver = this.isFull || this.isLeft || this.endsWith(page);
	}

	/**
	 * Adds the records of an earlier pass that this one missed. Records without an identity cannot be compared, so those
	 * of the pass that has more of them are kept.
	 * @returns whether this pass found a record that the earlier one did not
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

	/** The size of a full page: the largest that was seen, or else the requested size. */
	private get size(): number {
		return this.largestPage || this.want.pageSize;
	}

	/** The number of pages by each of the two counts. A count of records is ignored after more records were found. */
	private get pageCounts(): number[] {
		const { pages, total, listedCount, size, want } = this;
		return [
			...(pages === undefined ? [] : [pages]),
			// The size of a full page is not known where the first pages were read before.
			...(total === undefined || total < listedCount || want.startAt > 1 ? [] : [Math.ceil(total / size)]),
		];
	}

	/** How many pages are needed if every one is full. */
	private get needed(): number {
		const counted = this.pageCounts.length > 0 ? Math.max(...this.pageCounts) : Infinity;
		return this.shape.keep ? counted : Math.min(counted, Math.ceil(this.want.limit / this.size));
	}

	private learn(page: Page): void {
		const length = lengthOf(page);
		let { pages, total } = page;
		this.isFiltered ||= page.before !== undefined;
		if (length > 0) {
			if (this.largestPage > 0 && (this.lastLength < this.largestPage || length > this.largestPage))
				this.isEven = false;
			this.largestPage = Math.max(this.largestPage, length);
			this.lastLength = length;
		}
		// An empty page after others often has 0 as both counts.
		if (this.taken > 1) {
			pages = (length === 0 ? this.pages : undefined) ?? (pages || undefined);
			total ||= undefined;
		}
		this.pages = pages ?? this.pages;
		if (total !== undefined && this.total !== undefined && total !== this.total) this.steady = false;
		this.total = total ?? this.total;
	}

	private endsWith(page: Page): boolean {
		const { records, isBare = false } = page;
		const length = lengthOf(page);
		const { taken, pagesWithoutNew, pages } = this;
		const { mayEndAt } = this.want;
		if (mayEndAt && pagesWithoutNew === 0 && !isBare && !mayEndAt(records)) return this.isFull;
		// Further pages that the service counts are requested, until one has no new record.
		if (this.isComplete) return taken >= (pages ?? 0) || pagesWithoutNew > 0;
		if (isBare && length !== this.want.pageSize) return true;
		if (!this.steady && !this.want.isLast && taken >= this.needed) return true;
		if (pagesWithoutNew === 0) return false;
		if (taken >= Math.max(0, ...this.pageCounts)) return true;
		const isRepeated = !mayEndAt && (length > 0 || this.listedCount === 0);
		return pagesWithoutNew >= (isRepeated ? MOST_REPEATED : MOST_EMPTY);
	}

	/** @returns how many of the records are new, that is, were on no earlier page */
	private addAll({ records, before }: Page): number {
		if (before) return this.addFiltered(records, before);
		const ids = records.flatMap((record) => this.idOf(record) ?? []);
		// If all records with an identity are known, those without one are taken as known too.
		if (ids.length > 0 && ids.every((id) => this.listed.has(id))) return 0;
		let newRecords = 0;
		for (const record of records) {
			const id = this.idOf(record);
			this.isLeft = this.shape.isPast?.(record) ?? false;
			if (id === undefined || !this.listed.has(id)) newRecords++;
			if (id === undefined) this.nameless++;
			else this.listed.add(id);
			for (const each of this.shape.expand?.(record) ?? [record]) this.add(each);
		}
		return newRecords;
	}

	/** The same for a page that was filtered: what it listed counts, although it is not added. */
	private addFiltered(records: IDataObject[], { listed, withheld }: NonNullable<Page['before']>): number {
		const newRecords = listed.filter((id) => !this.listed.has(id));
		for (const id of listed) this.listed.add(id);
		for (const record of records) {
			this.isLeft = this.shape.isPast?.(record) ?? false;
			for (const each of this.shape.expand?.(record) ?? [record]) this.add(each);
		}
		for (const id of withheld) this.added.add(id);
		return newRecords.length;
	}

	private idOf(record: IDataObject): string | undefined {
		return idBy(this.shape.identity, record);
	}

	private add(record: IDataObject): void {
		const id = this.idOf(record);
		if (id !== undefined && this.added.has(id)) return;
		if (id === undefined) this.namelessAdded++;
		else this.added.add(id);
		if (!this.isFull && (this.shape.keep?.(record) ?? true)) this.records.push(record);
	}

	/**
	 * Whether a page of records without identities equals the first page or the one before, which means that the service
	 * returns the same page for ever, or starts again after the last one.
	 */
	private repeats({ records }: Page): boolean {
		if (records.length === 0 || records.some((record) => this.idOf(record) !== undefined)) return false;
		const page = JSON.stringify(records);
		const same = page === this.previousPage || page === this.firstPage;
		this.firstPage ??= page;
		this.previousPage = page;
		return same;
	}
}
