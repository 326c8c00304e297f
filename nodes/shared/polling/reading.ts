import type { IDataObject } from 'n8n-workflow';

import { createdOf } from '../answer/created';
import { identityOf, pageOf } from '../answer/page';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, readPass, type Ask } from '../answer/paging';
import type { pagesOf } from '../answer/search';
import { rethrow } from '../transport/errors';
import { isRefusal } from '../transport/firstAccepted';
import { MOST_TIMELESS } from './bounds';
import { companyIn } from './trigger';

/** How often a list that changes while it is read is read at most in one poll. */
const MAX_PASSES = 4;
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
	pages: ReturnType<typeof pagesOf>;
	/** A record's identity, as it is remembered. @returns undefined where it has none */
	idOf: (record: IDataObject) => string | undefined;
	/** What was created before this is of no interest; asked after each record. */
	floor: (created: number) => number;
	isKnown: (id: string) => boolean;
	/** The records without create times that the last reading found in front. */
	remembered: ReadonlySet<string>;
	/** How much is remembered of the records without create times: nothing yet, some of them, or all. */
	timeless: 'nothing' | 'part' | 'all';
	/** Fixed by a person; otherwise as large as it takes. */
	pageSize?: number | undefined;
	/** How many records the window is likely to hold. */
	expected: number;
	/** How many records the service counted at the last reading, if it did. */
	total: number | null;
	/** Whether to read to the end, for what stands last because it has no usable create time. */
	isWhole: boolean;
	/** Where the last reading was cut short. */
	resume?: { page: number; size: number } | undefined;
	/** Whether there is no time left for a further page. */
	isOver: () => boolean;
}

/** A list as it was read. */
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
	/** Whether one page had two records of one ID. */
	hasDuplicateIds: boolean;
}

const statusOf = (record: IDataObject) => identityOf(record, ['status', 'statusName', 'statusId']) ?? '';

/** A record as the polling sees it. @param id undefined for one without an identity, which is nothing */
export const foundIn = (record: IDataObject, id: string | undefined): Found[] =>
	id === undefined ? [] : [{ id, created: createdOf(record), status: statusOf(record), record }];

/** Two records with one ID, of two companies, are two. */
const identity =
	({ idOf }: Want) =>
	(record: IDataObject) => {
		const id = idOf(record);
		return id === undefined ? undefined : [id, companyIn(record).id, createdOf(record)].join();
	};

/** @returns a function that says at which record the reading can end, because no later one is of interest */
function endOfInterest({ pages, floor, timeless, remembered, idOf }: Want): (record: IDataObject) => boolean {
	const enough = timeless === 'nothing' ? ENOUGH_AT_FIRST : ENOUGH_IN_ORDER;
	let last = Infinity;
	let inOrder = 0;
	let withoutTime = 0;
	let hasMetKnown = false;
	return (record) => {
		const created = createdOf(record);
		if (created === undefined) {
			withoutTime++;
			hasMetKnown ||= remembered.has(idOf(record) ?? '');
			const isEnough = timeless === 'nothing' ? withoutTime >= MOST_TIMELESS : timeless === 'part' && hasMetKnown;
			return isEnough && !pages.told.isReordered;
		}
		const lowest = floor(created);
		inOrder = created <= last ? inOrder + 1 : -Infinity;
		last = created;
		return inOrder >= enough && created < lowest && !pages.told.isReordered;
	};
}

/** The records that may be new: unknown, and not older than the window. */
const freshOf = ({ isKnown, floor }: Want, all: Found[]) =>
	all.filter(({ id, created }) => !isKnown(id) && (created === undefined || created >= floor(created)));

/** Whether a list that was not read to its end has more new records than were seen, such as one without a create time, which stands last. */
const hidesSome = (want: Want, seen: Found[], total = 0): boolean =>
	want.total !== null && total - want.total > freshOf(want, seen).length;

/** The records of two passes, each once; those of the first pass come first. */
const joined = (first: Found[], others: Found[]): Found[] => {
	const ids = new Set(first.map(({ id, created }) => `${id} ${created}`));
	return [...first, ...others.filter(({ id, created }) => !ids.has(`${id} ${created}`))];
};

/**
 * Reads a list, the newest records first, as far back as there may be new ones. If one page is enough, that is all;
 * otherwise it is read with the largest pages, and again until a pass finds nothing more, because a record that moves
 * between two pages meanwhile may be on neither. If the time is up, the next reading begins with the next page.
 * @throws ServiceError when not even one page could be read
 */
export async function readWindow(want: Want): Promise<Reading> {
	const met = { hasDuplicateIds: false, pages: 0 };
	const ask: Ask = async (page, signal) => {
		const data = await want.pages.ask(page, signal);
		const ids = pageOf(data).records.flatMap((record) => want.idOf(record) ?? []);
		met.hasDuplicateIds ||= new Set(ids).size < ids.length;
		if (ids.length > 0) met.pages++;
		return data;
	};
	const reading = await readPasses({ ...want, pages: { ...want.pages, ask } }, met);
	return { ...reading, hasDuplicateIds: met.hasDuplicateIds };
}

/** @param met counts the pages that had records */
async function readPasses(want: Want, met: { pages: number }): Promise<Omit<Reading, 'hasDuplicateIds'>> {
	const { pages, idOf, isOver, timeless, pageSize: fixed, resume } = want;
	const foundOn = (records: IDataObject[]) => records.flatMap((record) => foundIn(record, idOf(record)));
	const isFirst = timeless === 'nothing';
	let { isWhole } = want;
	// At the first reading, on the way to the end, and after new records, the service's counts do not end the reading.
	const mayEndAt = (records: IDataObject[]) => !isFirst && !isWhole && freshOf(want, foundOn(records)).length === 0;
	const expected = isFirst ? MAX_PAGE_SIZE : Math.max(DEFAULT_PAGE_SIZE, want.expected);
	let seen: Found[] = [];
	let largest = fixed ?? MAX_PAGE_SIZE;
	let pageSize = resume?.size || Math.min(largest, expected);
	let startAt = resume?.page || 1;
	let isRead = false;
	for (let pass = 1; ; pass++) {
		const isProbe = pageSize < largest && startAt === 1;
		const mayStop = (taken: number) => (isProbe && taken > 0) || ((taken > 0 || pass > 1) && isOver());
		const isLast = pass >= MAX_PASSES;
		met.pages = 0;
		const rules = { limit: Infinity, pageSize, ahead: 1, startAt, isLast, mayStop, mayEndAt };
		const shape = { identity: identity(want), isPast: isWhole ? () => false : endOfInterest(want) };
		const { found, stoppedAt } = await readPass(pages.ask, rules, shape).catch((error: unknown) => {
			// A service may refuse pages that are larger than usual.
			const isTooLarge = fixed === undefined && pageSize > DEFAULT_PAGE_SIZE && isRefusal(error);
			return isTooLarge ? { found: undefined, stoppedAt: undefined } : rethrow(error);
		});
		if (!found) {
			largest = pageSize = DEFAULT_PAGE_SIZE;
			startAt = 1;
			continue;
		}
		const listed = foundOn(found.records);
		const all = joined(listed, seen);
		const hasMore = all.length > seen.length;
		seen = all;
		const part = { seen, nameless: found.records.length - listed.length, reach: Infinity };
		if (isOver() && stoppedAt !== undefined)
			return { ...part, isComplete: isRead, ...(isRead ? {} : { resume: { page: stoppedAt, size: pageSize } }) };
		if (stoppedAt === undefined && startAt === 1) {
			const isAlone = met.pages <= 1 || freshOf(want, seen).length === 0;
			const isSure = (found.steady && isAlone) || !hasMore;
			if (isSure || isLast || isOver()) {
				const { total, isLeft } = found;
				const isComplete = isSure || (found.steady && isOver());
				// Others of the same time as the last one may follow it.
				const last = listed.findLast(({ created }) => created !== undefined)?.created ?? Infinity;
				const reach = !isComplete ? Infinity : isLeft ? last + 1 : -Infinity;
				const isShort = !isWhole && (isLeft || found.missing > 0);
				if (!isShort || isOver() || !hidesSome(want, seen, total)) return { ...part, isComplete, reach, total };
				isWhole = true;
			}
		}
		isRead = stoppedAt === undefined && found.steady;
		startAt = 1;
		pageSize = largest;
	}
}
