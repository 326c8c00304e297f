import type { IDataObject } from 'n8n-workflow';

import { createdOf } from '../answer/created';
import { identityOf, pageOf } from '../answer/page';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, readPass, type Ask } from '../answer/paging';
import type { pagesOf } from '../answer/search';
import { rethrow, ServiceError } from '../transport/errors';
import { isRefusal } from '../transport/firstAccepted';
import { MOST_TIMELESS } from './bounds';
import type { Place } from './state';
import { companyIn } from './trigger';

/** How often a list that changes while it is read is read at most in one poll. */
const MAX_PASSES = 6;
/** After so many records in the order of their create times the list counts as sorted by them. */
const ENOUGH_IN_ORDER = 20;
/** The same for a list that is read for the first time, to its end if possible, because records without create times stand last. */
const ENOUGH_AT_FIRST = 5000;

/** A record of a list, with what the polling needs of it. */
export interface Found {
	id: string;
	/** undefined where the record does not say; in ms. */
	created: number | undefined;
	status: string;
	record: IDataObject;
}

/** What to read of a list. */
export interface Want {
	/** The time in ms, by the polls' clock, which the first answer may set back. */
	now: () => number;
	pages: ReturnType<typeof pagesOf>;
	/** A record's identity, as it is remembered. @returns undefined where it has none */
	idOf: (record: IDataObject) => string | undefined;
	/** What was created before this is of no interest; asked after each record. */
	floor: (created: number) => number;
	isKnown: (id: string) => boolean;
	/** How much of the list was read before: nothing, its newest part, or all of it. */
	depth: 'unread' | 'part' | 'whole';
	/** Fixed by a person; otherwise as large as it takes. */
	pageSize?: number | undefined;
	/** How many records the window is likely to hold. */
	expected: number;
	/** Whether to read to the end, for what stands last because it has no usable create time. */
	isWhole: boolean;
	/** Where the last reading was cut short. */
	resume?: Place | undefined;
	/** Whether there is no time left for a further page. */
	isOver: () => boolean;
}

/** A list as it was read. */
export interface Reading {
	/** In the list's order, each once. */
	seen: Found[];
	/** Where it ended: with the list, behind the window, or before, because there was no time left or the list changed all the time. */
	end: 'list' | 'window' | 'cut';
	/** When its first page was read, in this poll or an earlier one, in ms, by the polls' clock. */
	begunAt: number;
	/** Where to go on, if there was no time left. */
	next?: Place;
	/** Why a page could not be read; those before it were. */
	failure?: unknown;
	/** Whether a record was created after the one before it. */
	isUnsorted: boolean;
	/** How many records have no identity. */
	nameless: number;
	/** Whether one page had two records of one ID. */
	hasDuplicateIds: boolean;
}

const statusOf = (record: IDataObject) => identityOf(record, ['status', 'statusName', 'statusId']) ?? '';

/** A record as the polling sees it. @param id undefined for one without an identity, which is nothing */
export const foundIn = (record: IDataObject, id: string | undefined): Found[] =>
	id === undefined ? [] : [{ id, created: createdOf(record), status: statusOf(record), record }];

/** Two records with one ID, of two companies, are two. */
const keyOf = (record: IDataObject, id: string) => [id, companyIn(record).id, createdOf(record)].join();

/** @returns a function that says at which record the reading can end, because no later one is of interest */
function endOfInterest({ pages, floor, depth, isKnown, idOf }: Want): (record: IDataObject) => boolean {
	const enough = depth === 'unread' ? ENOUGH_AT_FIRST : ENOUGH_IN_ORDER;
	let last = Infinity;
	let inOrder = 0;
	let withoutTime = 0;
	let hasMetKnown = false;
	return (record) => {
		const created = createdOf(record);
		if (created === undefined) {
			withoutTime++;
			hasMetKnown ||= isKnown(idOf(record) ?? '');
			const isEnough = depth === 'unread' ? withoutTime >= MOST_TIMELESS : depth === 'part' && hasMetKnown;
			return isEnough && !pages.told.isReordered;
		}
		const lowest = floor(created);
		inOrder = created <= last ? inOrder + 1 : -Infinity;
		last = created;
		return inOrder >= enough && created < lowest && !pages.told.isReordered;
	};
}

/** Whether a request was sent as it should be, and it is the service that gave no good answer to it. */
const isAnswered = (error: unknown) =>
	error instanceof ServiceError &&
	(error.details.status !== undefined || error.details.cause !== 'configuration-invalid');

/** What one reading has met so far. */
class Met {
	readonly records = new Map<string, Found>();
	nameless = 0;
	isUnsorted = false;
	hasDuplicateIds = false;
	/** How many pages of the latest pass had records. */
	pages = 0;
	/** The most records that one page had. */
	rows: number;
	/** Why a page could not be read. */
	failure: unknown;
	/** Whether an earlier reading has read the pages before the first one. */
	readonly isResumed: boolean;

	constructor(private readonly want: Want) {
		this.rows = want.resume?.rows ?? 0;
		this.isResumed = (want.resume?.page ?? 1) > 1;
	}

	/** Asks for a page, and looks at what it has. */
	readonly ask: Ask = async (page, signal) => {
		const data = await this.want.pages.ask(page, signal).catch((error: unknown) => {
			// It holds back no page that was read, unless a smaller one will do, or the credential was changed meanwhile.
			const mayBeTooLarge = page.pageSize > DEFAULT_PAGE_SIZE && isRefusal(error);
			// What a reading could go on with is asked for no more if it fails: the next one begins with the first page.
			const isLater = this.isResumed || this.pages + this.records.size > 0;
			if (!mayBeTooLarge && isAnswered(error) && isLater) this.failure = error;
			return rethrow(error);
		});
		const { records } = pageOf(data);
		this.rows = Math.max(this.rows, records.length);
		const ids = records.flatMap((record) => this.want.idOf(record) ?? []);
		this.hasDuplicateIds ||= new Set(ids).size < ids.length;
		if (ids.length > 0) this.pages++;
		return data;
	};

	readonly identity = (record: IDataObject) => {
		const id = this.want.idOf(record);
		return id === undefined ? undefined : keyOf(record, id);
	};

	/** The records that have an identity. */
	foundAmong(records: IDataObject[]): Found[] {
		return records.flatMap((record) => foundIn(record, this.want.idOf(record)));
	}

	/** Adds the records of a pass. @returns whether there was one that no earlier pass had */
	add(records: IDataObject[]): boolean {
		const before = this.records.size;
		const found = this.foundAmong(records);
		this.nameless = records.length - found.length;
		const times = found.flatMap(({ created }) => created ?? []);
		this.isUnsorted ||= times.some((time, index) => time > (times[index - 1] ?? Infinity));
		const older = [...this.records];
		this.records.clear();
		for (const each of found) this.records.set(keyOf(each.record, each.id), each);
		for (const [key, each] of older) if (!this.records.has(key)) this.records.set(key, each);
		return this.records.size > before;
	}

	/** Whether there are records that may be new: unknown, and not older than the window. */
	hasFresh(among: Iterable<Found> = this.records.values()): boolean {
		const { isKnown, floor } = this.want;
		return [...among].some(({ id, created }) => !isKnown(id) && (created === undefined || created >= floor(created)));
	}
}

/**
 * Reads a list, the newest records first, as far back as there may be new ones. If one page is enough, that is all;
 * otherwise it is read with the largest pages, and again until a pass finds nothing more, because a record that moves
 * between two pages meanwhile may be on neither. If the time is up, the next reading begins with the next page.
 * @throws ServiceError when not even one page could be read
 */
export async function readWindow(want: Want): Promise<Reading> {
	const { isOver, depth, isWhole, pageSize: fixed, resume, now } = want;
	const met = new Met(want);
	const hasNews = (records: IDataObject[]) => met.hasFresh(met.foundAmong(records));
	// At the first reading, on the way to the end, and after new records, the service's counts do not end the reading.
	const mayEndAt = (records: IDataObject[]) => depth !== 'unread' && !isWhole && !hasNews(records);
	let largest = fixed ?? MAX_PAGE_SIZE;
	const usual = depth === 'unread' || isWhole ? largest : Math.max(DEFAULT_PAGE_SIZE, want.expected);
	let pageSize = resume?.size || Math.min(largest, usual);
	const startAt = resume?.page ?? 1;
	const { isResumed } = met;
	const calledAt = now();
	const reading = (end: Reading['end'], page?: number): Reading => {
		const begunAt = isResumed && resume ? resume.begunAt : Math.min(calledAt, now());
		const { nameless, isUnsorted, hasDuplicateIds, rows } = met;
		const next = page === undefined ? {} : { next: { page, size: pageSize, rows, begunAt } };
		return { seen: [...met.records.values()], end, begunAt, isUnsorted, nameless, hasDuplicateIds, ...next };
	};
	let read: Reading['end'] = 'cut';
	for (let pass = 1; ; pass++) {
		const isProbe = pageSize < largest && !isResumed;
		const mayStop = (taken: number) =>
			met.failure !== undefined || (isProbe && taken > 0) || ((taken > 0 || pass > 1) && isOver());
		const isLast = pass >= MAX_PASSES;
		Object.assign(met, { pages: 0, failure: undefined });
		const rules = { limit: Infinity, pageSize, ahead: 1, startAt, isLast, mayStop, mayEndAt };
		const shape = { identity: met.identity, isPast: isWhole ? () => false : endOfInterest(want) };
		const { found, stoppedAt } = await readPass(met.ask, rules, shape).catch((error: unknown) => {
			// A service may refuse pages that are larger than usual.
			const isTooLarge = fixed === undefined && pageSize > DEFAULT_PAGE_SIZE && isRefusal(error);
			return isTooLarge ? { found: undefined, stoppedAt: undefined } : rethrow(error);
		});
		if (!found) {
			largest = pageSize = DEFAULT_PAGE_SIZE;
			continue;
		}
		const hasMore = met.add(found.records);
		if (stoppedAt === undefined) {
			const end = found.isLeft ? 'window' : 'list';
			if (isResumed && (found.steady || isOver() || isLast || (pass > 1 && !hasMore))) return reading(end);
			if (isResumed) continue;
			const isAlone = met.pages <= 1 || !met.hasFresh();
			const isSure = found.steady ? isAlone || isOver() : pass > 1 && isAlone;
			// Of records with equal times, in an order that changes from page to page, a pass may have missed some.
			const isShort = end === 'list' && met.records.size + met.nameless < (found.total ?? 0);
			if (isSure || (pass > 1 && !hasMore && (isLast || !isShort))) return reading(end);
			if (isLast || isOver()) return reading('cut');
			if (found.steady) read = end;
		} else if (met.failure !== undefined && (!isOver() || (isResumed && stoppedAt === startAt))) {
			return { ...reading('cut'), failure: met.failure };
		} else if (isOver()) {
			// Behind its last page a service may give that one again, for ever. Its number of pages may be one for larger pages.
			const isBehind = startAt > (found.pages ?? Infinity) && (startAt - 1) * met.rows >= (found.total ?? 0);
			if (isBehind && !hasNews(found.records)) return reading('list');
			// The last page is read again, because records after a deleted one move forward.
			const next = Math.max(Math.min(startAt + 1, stoppedAt), stoppedAt - 1);
			return reading(read, read === 'cut' ? next : undefined);
		}
		pageSize = largest;
	}
}
