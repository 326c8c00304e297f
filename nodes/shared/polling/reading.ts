import type { IDataObject } from 'n8n-workflow';

import { createdOf } from '../answer/created';
import { identityOf } from '../answer/page';
import { readPass } from '../answer/paging';
import type { pagesOf } from '../answer/search';
import { asError } from '../transport/errors';
import { isRefusal } from '../transport/firstAccepted';
import { MOST_TIMELESS } from './bounds';
import { shortId } from './state';

export const USUAL_PAGE = 100;
export const LARGEST_PAGE = 1000;
/** Readings of a list that changes while it is read, before what was seen is taken as it is. */
const MAX_PASSES = 4;
/** So many records in order of their create times are no chance: the service sorts by them. */
const ENOUGH_IN_ORDER = 20;

/** A record of a list, with what the polling has to know of it. */
export interface Found {
	id: string;
	/** undefined where the record does not say; in ms. */
	created: number | undefined;
	status: string;
	record: IDataObject;
}

/** What to read of a list. */
export interface Want {
	pages: ReturnType<typeof pagesOf>;
	identity: (record: IDataObject) => string | undefined;
	/** What was created before this is of no interest; asked after each record. */
	floor: (created: number) => number;
	isKnown: (id: string) => boolean;
	/** How much is remembered of the records without create times: nothing yet, some of them, or all. */
	timeless: 'nothing' | 'part' | 'all';
	/** Fixed by a person; otherwise as large as it takes. */
	pageSize?: number | undefined;
	/** How many records the window is likely to hold. */
	expected: number;
	/** How many records the service counted at the last reading. */
	total?: number | undefined;
	/** Where the last reading was cut short. */
	resume?: { page: number; size: number } | undefined;
	/** Whether there is no time left for a further page. */
	isOver: () => boolean;
}

/** What a list had to say. */
export interface Reading {
	/** In the list's order, each once. */
	seen: Found[];
	/** Whether it was read as far as it has to be, and brought all that was there throughout. */
	isComplete: boolean;
	/** What was created from here on was listed: -Infinity for a list read to its end, Infinity for one that was not read so far. */
	reach: number;
	/** Where to go on, if there was no time left. */
	resume?: { page: number; size: number };
	/** How many records the service counts. */
	total?: number | undefined;
	/** How many records have no identity. */
	nameless: number;
}

const statusOf = (record: IDataObject) => identityOf(record, ['status', 'statusName', 'statusId']) ?? '';

export const foundIn = (record: IDataObject, name: string | undefined): Found[] =>
	name === undefined ? [] : [{ id: shortId(name), created: createdOf(record), status: statusOf(record), record }];

/** Tells at which record a list can be left: nothing that is of interest comes after it. */
function endOfInterest({ pages, floor, timeless, isKnown, identity }: Want): (record: IDataObject) => boolean {
	let last = Infinity;
	let inOrder = 0;
	let withoutTime = 0;
	let hasMetKnown = false;
	return (record) => {
		const created = createdOf(record);
		if (created === undefined) {
			withoutTime++;
			hasMetKnown ||= isKnown(shortId(identity(record) ?? ''));
			const isEnough = timeless === 'nothing' ? withoutTime >= MOST_TIMELESS : timeless === 'part' && hasMetKnown;
			return isEnough && !pages.told.isReordered;
		}
		const lowest = floor(created);
		inOrder = created <= last ? inOrder + 1 : -Infinity;
		last = created;
		return inOrder >= ENOUGH_IN_ORDER && created < lowest && !pages.told.isReordered;
	};
}

/**
 * The last page of a list that was left early, where records stand that have no create time to be sorted by: the first
 * time, and whenever the list has more records than those that were new. @returns what no other page had
 */
async function lastPage(want: Want, seen: Found[], pageSize: number, total = 0): Promise<Found[]> {
	const { pages, identity, timeless, isKnown } = want;
	const known = new Set(seen.map(({ id }) => id));
	const news = seen.filter(({ id }) => !isKnown(id)).length;
	if (total <= seen.length || (timeless !== 'nothing' && total - (want.total ?? total) <= news)) return [];
	const rules = { limit: Infinity, pageSize, ahead: 1, startAt: Math.ceil(total / pageSize), isLast: true };
	const { found } = await readPass(pages.ask, rules, { identity });
	const listed = found.records.flatMap((record) => foundIn(record, identity(record)));
	return listed.filter(({ id, created }) => !known.has(id) && created === undefined);
}

/**
 * Reads a list, the newest first, as far as there may be news. One page where it reaches so far; otherwise with pages as
 * large as they may be, and, because a record that moves between two pages is on neither, again until a pass brings
 * nothing more. Where there is no time for all of it, the next reading begins with what is left.
 * @throws ServiceError when not even one page could be read
 */
export async function readWindow(want: Want): Promise<Reading> {
	const { pages, identity, isOver, isKnown, timeless, pageSize: fixed } = want;
	// The first time, the counts are not believed: what is missed would be new the next time.
	const isFirst = timeless === 'nothing';
	let seen: Found[] = [];
	let largest = fixed ?? LARGEST_PAGE;
	let pageSize =
		want.resume?.size ||
		(fixed ?? Math.min(LARGEST_PAGE, Math.max(USUAL_PAGE, isFirst ? LARGEST_PAGE : want.expected)));
	let startAt = want.resume?.page || 1;
	let isRead = false;
	for (let pass = 1; ; pass++) {
		const isProbe = pageSize < largest && startAt === 1;
		const mayStop = (taken: number) => (isProbe && taken > 0) || (taken + seen.length > 0 && isOver());
		const shape = { identity, isPast: endOfInterest(want) };
		const isLast = pass >= MAX_PASSES;
		const rules = { limit: Infinity, pageSize, ahead: 1, startAt, isLast, mayStop, isThorough: isFirst };
		const { found, stoppedAt } = await readPass(pages.ask, rules, shape).catch((error: unknown) => {
			// A service may take no larger pages than those that are usual.
			const isTooLarge = fixed === undefined && pageSize > USUAL_PAGE && isRefusal(error);
			return isTooLarge ? { found: undefined, stoppedAt: undefined } : Promise.reject(asError(error));
		});
		if (!found) {
			largest = pageSize = USUAL_PAGE;
			startAt = 1;
			continue;
		}
		const listed = found.records.flatMap((record) => foundIn(record, identity(record)));
		const before = new Set(seen.map(({ id }) => id));
		const hasMore = listed.some(({ id }) => !before.has(id));
		seen = [...new Map([...listed, ...seen].map((each) => [each.id, each])).values()];
		const reach = found.isLeft
			? (listed.findLast(({ created }) => created !== undefined)?.created ?? Infinity)
			: -Infinity;
		const reading = { seen, nameless: found.records.length - listed.length };
		if (stoppedAt !== undefined) {
			if (isOver())
				return {
					...reading,
					isComplete: isRead,
					reach: Infinity,
					...(isRead ? {} : { resume: { page: stoppedAt, size: pageSize } }),
				};
		} else if (startAt > 1) {
			isRead = found.steady;
			if (isOver()) return { ...reading, isComplete: isRead, reach: Infinity };
		} else {
			const isAlone = found.taken <= (isFirst ? 2 : 1) || seen.every(({ id }) => isKnown(id));
			isRead = (found.steady && isAlone) || (pass > 1 && !hasMore);
			const isComplete = isRead || (found.steady && isOver());
			if (isComplete || isLast || isOver()) {
				const { total } = found;
				const more =
					found.isLeft && !isOver() ? await lastPage(want, seen, Math.ceil(found.read / found.taken), total) : [];
				return { ...reading, seen: [...seen, ...more], isComplete, reach: isComplete ? reach : Infinity, total };
			}
			isRead = found.steady;
		}
		startAt = 1;
		pageSize = largest;
	}
}
