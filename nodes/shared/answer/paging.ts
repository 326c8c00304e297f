import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { numberOf } from '../fields/basic';
import { toJson } from '../transport/envelope';
import { notTheService } from '../transport/explain';
import { ServiceProblem } from '../transport/problem';

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

export interface PageRequest {
	/** 1-based (contract 2.2). */
	pageNumber: number;
	pageSize: number;
}

export const DEFAULT_PAGE_SIZE = 100;
export const MAX_PAGE_SIZE = 1000;

type Ask = (page: PageRequest, signal: AbortSignal) => Promise<unknown>;

/** How many records of a list n8n is made to hold when a person asks for all: far more than there are, unless the service has no end. */
export const MOST_RECORDS = 1_000_000;

const endless = () =>
	new ServiceProblem({
		reason: `the list has more than ${MOST_RECORDS.toLocaleString('en')} records, or no end`,
		advice: "Narrow it with 'Filters', or switch off 'Return All' and set a 'Limit'. If there cannot be so many, please tell the platform: it goes on sending pages.",
		cause: 'refused',
		mayHaveLanded: false,
		transient: false,
	});

/** Passes over a list that changes while it is read, before what was seen is handed on as it is. */
const MAX_PASSES = 3;

// Made a number by zod, an object that breaks on it would throw past the catch.
const count = z.unknown().transform(numberOf).pipe(z.number().int().nonnegative()).optional().catch(undefined);
const pageShape = z.object({
	results: z.array(z.unknown()).nullable(),
	totalNumberOfPages: count,
	totalNumberOfRecords: count,
});

interface Page {
	records: IDataObject[];
	pages?: number | undefined;
	total?: number | undefined;
}

/** Reads contract 2.3; a bare array is a list of one page, and null an empty one. @throws ServiceProblem for no list */
export function pageOf(data: unknown): Page {
	if (data === null) return { records: [], pages: 0 };
	if (Array.isArray(data)) return { records: data.map((each) => toJson(each)), pages: 1 };
	const parsed = pageShape.safeParse(data);
	if (!parsed.success) throw notTheService(data);
	const { results, totalNumberOfPages, totalNumberOfRecords } = parsed.data;
	const records = (results ?? []).map((each) => toJson(each));
	return { records, pages: totalNumberOfPages, total: totalNumberOfRecords };
}

/** A record's identity, for telling records apart. @returns undefined when it has none of the names */
export function identityOf(record: IDataObject, names: readonly string[]): string | undefined {
	for (const name of names) {
		const value = record[name];
		if (typeof value === 'string' && value !== '') return value;
		if (typeof value === 'number') return String(value);
	}
	return undefined;
}

/**
 * Reads a list: page 1 first, because it tells how many there are, then the others, several at once, in order.
 * A list that shifts while it is read (records created or deleted in between) is read again, so that no record is
 * lost; none is given twice.
 * @param ask asks for one page and gives the answer's data; its signal is aborted once nobody waits for it any more
 * @param want.limit how many records; Infinity for all
 * @param want.ahead how many pages may be asked for at once
 * @returns the records, and whether the list stood still meanwhile
 */
export async function readList(
	ask: Ask,
	want: { limit: number; pageSize: number; ahead: number },
	shape: ListShape,
): Promise<{ records: IDataObject[]; steady: boolean }> {
	let earlier: IDataObject[] = [];
	for (let pass = 1; ; pass++) {
		const found = new Collected(shape, want.limit);
		const steady = await readOnce(ask, want, shape, found);
		// With a limit the list is not read to its end, so there is nothing to compare.
		if (steady || found.isFull) return { records: found.records, steady: true };
		earlier = found.together(earlier);
		if (pass === MAX_PASSES) return { records: earlier.slice(0, want.limit), steady: false };
	}
}

/** One pass over the list. @returns whether the list stood still */
async function readOnce(
	ask: Ask,
	want: { limit: number; pageSize: number; ahead: number },
	shape: ListShape,
	found: Collected,
): Promise<boolean> {
	const pageSize = shape.keep ? want.pageSize : Math.min(want.pageSize, want.limit);
	const reading = new AbortController();
	const page = async (pageNumber: number) => pageOf(await ask({ pageNumber, pageSize }, reading.signal));
	const first = await page(1);
	found.take(first);
	// The service may give smaller pages than it was asked for.
	const given = Math.max(1, Math.min(pageSize, first.records.length));
	const needed = shape.keep ? Infinity : Math.ceil(want.limit / given);
	const last = Math.min(first.pages ?? Infinity, needed);
	// Without a number of pages, the end is only seen by reaching it.
	const ahead = first.pages === undefined ? 1 : want.ahead;

	const underWay: Array<Promise<Page | { thrown: unknown }>> = [];
	try {
		for (let next = 2; !found.isFull && found.goesOn; ) {
			while (underWay.length < ahead && next <= last) {
				underWay.push(page(next++).catch((thrown: unknown) => ({ thrown })));
			}
			const answer = await underWay.shift();
			if (answer === undefined) break;
			if ('thrown' in answer) return await Promise.reject(answer.thrown);
			found.take(answer);
			if (want.limit === Infinity && found.records.length > MOST_RECORDS) throw endless();
			if (first.pages === undefined && answer.records.length < given) break;
		}
	} finally {
		// What waits is not sent any more; what was sent is waited for, so that nothing goes on behind the node's back.
		reading.abort();
		await Promise.all(underWay);
	}
	return found.steady;
}

/** What one pass over a list brought, each record once. */
class Collected {
	readonly records: IDataObject[] = [];
	/** Whether nothing hints at records having moved from page to page. */
	steady = true;
	/** Whether a further page can bring anything: not after an empty page or one seen before. */
	goesOn = true;
	private readonly listed = new Set<string>();
	private readonly added = new Set<string>();
	private total: number | undefined;
	private first: string | undefined;
	private former: string | undefined;

	constructor(
		private readonly shape: ListShape,
		private readonly limit: number,
	) {}

	get isFull(): boolean {
		return this.records.length >= this.limit;
	}

	/** Takes in the next page. */
	take(page: Page): void {
		if (this.repeats(page)) {
			this.steady = false;
			this.goesOn = false;
			return;
		}
		let fresh = 0;
		let isPast = false;
		for (const record of page.records) {
			isPast = this.shape.isPast?.(record) ?? false;
			const id = this.idOf(record);
			if (id === undefined || !this.listed.has(id)) fresh++;
			else this.steady = false;
			if (id !== undefined) this.listed.add(id);
			for (const each of this.shape.expand?.(record) ?? [record]) this.add(each);
		}
		if (this.total !== undefined && page.total !== this.total) this.steady = false;
		this.total = page.total;
		this.goesOn = fresh > 0 && !isPast;
	}

	/** These records, then those of earlier passes that this one missed; only what has an identity can be compared. */
	together(earlier: IDataObject[]): IDataObject[] {
		const missed = earlier.filter((record) => {
			const id = this.idOf(record);
			return id !== undefined && !this.added.has(id);
		});
		return [...this.records, ...missed];
	}

	private idOf(record: IDataObject): string | undefined {
		const { identity } = this.shape;
		return typeof identity === 'function' ? identity(record) : identityOf(record, identity);
	}

	private add(record: IDataObject): void {
		const id = this.idOf(record);
		if (id !== undefined && this.added.has(id)) return;
		if (id !== undefined) this.added.add(id);
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
