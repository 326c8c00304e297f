import type { IDataObject } from 'n8n-workflow';

import { createdOf } from '../answer/created';
import { identityOf, pageOf } from '../answer/paging';
import type { Envelope } from '../transport/envelope';
import { isRefusal } from '../transport/firstAccepted';
import { ServiceError } from '../transport/errors';
import { shortId, shortStatus, type Vanished, type SourceState } from './state';

/** How many records count as recent where a list shows no create time. */
export const NEWEST = 200;

const HOUR = 3_600_000;
/** How far the create times of a service may lie beside its own Date header: two time zones, and some. */
const MOST_SKEW = 48 * HOUR;
/** Readings of a list that changes while it is read, before what was seen is taken as it is. */
const MAX_PASSES = 3;
const LARGEST_PAGE = 1000;
const USUAL_PAGE = 100;
/** Pages that a resumed reading goes back, because records may have been deleted meanwhile. */
const PAGES_BACK = 2;

const NO_PAGE: Envelope & { isReordered?: boolean } = { data: null, messages: [], failed: false };

/** How a list is read, and what in it counts. */
export interface Reading {
	/** Asks for one page, the newest records first; `isReordered` tells that the service sorts them by something else. */
	ask: (page: { pageNumber: number; pageSize: number }) => Promise<Envelope & { isReordered?: boolean }>;
	identity: (record: IDataObject) => string | undefined;
	/** How late a record may appear, or how long its status is watched, in ms. */
	windowMs: number;
	/** Fixed by a person; otherwise as large as it takes to have the window on one page. */
	pageSize?: number | undefined;
	/** A first reading gives what was created from here on. */
	since?: number | undefined;
	/** Gives known records whose status is another one, instead of unknown records. */
	watchesStatus: boolean;
	/** Whether there is no time left for a further page. */
	isOver: () => boolean;
}

/** A record of a list, with what the polling has to know of it. */
export interface Found {
	id: string;
	/** undefined where the record does not say. */
	created: number | undefined;
	status: string;
	record: IDataObject;
}

/** What a list had to say. */
export interface Read {
	/** What is to be given, oldest first. */
	fresh: Found[];
	/** Everything that was listed. */
	seen: Found[];
	/** Whether the list shows create times. */
	isTimed: boolean;
	/** How many records the service says there are. */
	total: number;
	/** The service's own time, where it says so. */
	now: number | undefined;
	/** Records that have no identity, and so cannot be told apart. */
	nameless: number;
	/** What to remember, if all but `held` were given; those come again the next time. */
	settle: (held: ReadonlySet<string>) => SourceState;
}

export const statusOf = (record: IDataObject) => identityOf(record, ['status', 'statusName', 'statusId']) ?? '';

/** Everything that the pages of a list brought. */
class Pass {
	readonly seen = new Map<string, Found>();
	isSteady = true;
	/** Whether the list was read as far as it has to be. */
	isComplete = false;
	/** The page that there was no time for. */
	stoppedAt: number | undefined;
	/** Whether pages were left out, because an earlier poll has read them. */
	hasLeftOut = false;
	pages = 0;
	reachedEnd = false;
	isTimed = false;
	isOrdered = true;
	total: number | undefined;
	nameless = 0;
	last = Infinity;

	constructor(private readonly identity: Reading['identity']) {}

	/** @returns the records of the page that no earlier page had */
	take(records: IDataObject[], total: number | undefined): Found[] {
		this.pages++;
		const added: Found[] = [];
		for (const record of records) {
			const name = this.identity(record);
			if (name === undefined) {
				this.nameless++;
				continue;
			}
			const id = shortId(name);
			const created = createdOf(record);
			if (this.seen.has(id)) {
				this.isSteady = false;
				continue;
			}
			const found = { id, created, status: statusOf(record), record };
			this.seen.set(id, found);
			added.push(found);
			if (created === undefined) continue;
			this.isTimed = true;
			if (created > this.last) this.isOrdered = false;
			this.last = created;
		}
		if (this.total !== undefined && total !== this.total) this.isSteady = false;
		this.total = total;
		return added;
	}

	/** Whether every record that was there throughout was met, as far as one reading can tell. */
	get isSound(): boolean {
		return this.isComplete && this.isSteady && !this.hasLeftOut;
	}

	/** Whether what comes after is older than `floor`. */
	isBehind(floor: number): boolean {
		return this.isTimed && this.isOrdered && this.last < floor;
	}
}

/** The newest create time that is not in the service's future: a single misdated record must not move the window. */
export function newestOf(seen: Iterable<Found>, now: number | undefined): number | undefined {
	let newest: number | undefined;
	for (const { created } of seen)
		if (created !== undefined && created <= (now ?? Infinity) && created > (newest ?? -Infinity)) newest = created;
	return newest;
}

/** Where the window begins to count back from. A list without recent records must not keep old ones inside it for ever. */
export function watermarkOf(seen: Iterable<Found>, now: number | undefined): number {
	const newest = newestOf(seen, now) ?? 0;
	// In steps of an hour, so that what is remembered of an idle list stays the same.
	return Math.max(newest, now === undefined ? 0 : Math.floor((now - MOST_SKEW) / HOUR) * HOUR);
}

/**
 * Reads a list as far as its window reaches, and tells what in it is new.
 *
 * Why none is missed: a record that becomes visible after a poll, late by no more than the window, was created after
 * that poll's watermark less the window, which is where the next poll's window begins. Why none is given twice: every
 * record created since then that was ever seen is in `known` or in `gone`, and one created before is never given.
 * @param prior what is remembered; undefined for a first reading, which only remembers
 * @param isInherited whether `prior` is of another list, so that what is not listed here is no record that went
 */
export async function readSource(reading: Reading, prior: SourceState | undefined, isInherited = false): Promise<Read> {
	const { windowMs, watchesStatus } = reading;
	const statusKept = (found: Found) => (watchesStatus ? shortStatus(found.status) : '');
	const lookUp = (id: string): string | undefined => {
		if (!prior) return undefined;
		const known = prior.known.get(id);
		return known ?? prior.vanished.find(({ ids }) => ids.has(id))?.ids.get(id);
	};
	const isInside = ({ created }: Found) => created === undefined || !prior || created >= prior.from;
	let now: number | undefined;
	let floor = prior?.from;
	const all = new Map<string, Found>();
	let isLargeRefused = false;
	let pass = new Pass(reading.identity);
	// A record that one deleted meanwhile has moved up is on no page, and one added further down hides that in the total.
	const mayHideOne = ({ pages, total, seen }: Pass) =>
		pages > 1 &&
		(!prior ||
			total === undefined ||
			[...seen.values()].some((found) => !prior.known.has(found.id) && isInside(found)));

	for (let passes = 1; passes <= MAX_PASSES; passes++) {
		const former = pass;
		const before = all.size;
		let pageSize =
			reading.pageSize ??
			(isLargeRefused
				? USUAL_PAGE
				: Math.min(LARGEST_PAGE, Math.max(USUAL_PAGE, Math.max(prior?.known.size ?? 0, before) + USUAL_PAGE / 2)));
		pass = new Pass(reading.identity);
		const current = pass;
		let resumeAt = passes === 1 ? prior?.resumeAt : undefined;
		// Never back to where an earlier poll has been, or polls with little time would read the same pages for ever.
		const stopAt = (pageNumber: number) => Math.max(pageNumber, passes === 1 ? (prior?.resumeAt ?? 0) : 0);
		let given: number | undefined;
		let claimed: number | undefined;
		for (let pageNumber = 1; ; pageNumber++) {
			// One page at least, so that there is something to go by.
			const isFirst = passes === 1 && pageNumber === 1;
			if (!isFirst && reading.isOver()) {
				current.stoppedAt = stopAt(pageNumber);
				break;
			}
			const answer = await reading.ask({ pageNumber, pageSize }).catch(async (error: unknown) => {
				// A service may take no larger pages than those that are usual.
				if (pageNumber === 1 && reading.pageSize === undefined && pageSize > USUAL_PAGE && isRefusal(error)) {
					isLargeRefused = true;
					pageSize = USUAL_PAGE;
					return await reading.ask({ pageNumber, pageSize });
				}
				if (!isFirst && isCutShort(error)) return undefined;
				// Some refuse a page behind the last one.
				if (claimed !== undefined && pageNumber > claimed && isRefusal(error)) return NO_PAGE;
				throw error;
			});
			if (!answer) {
				current.stoppedAt = stopAt(pageNumber);
				break;
			}
			const { data, servedAt, isReordered = false } = answer;
			now ??= servedAt;
			const { records, isBare, pages = isBare ? 1 : claimed, total = current.total } = pageOf(data);
			claimed = pages;
			const added = current.take(records, total);
			// Sorted by anything else, a new record may stand anywhere.
			if (isReordered) current.isOrdered = false;
			for (const found of added) all.set(found.id, found);
			floor ??= Math.min(reading.since ?? Infinity, watermarkOf(current.seen.values(), now) - windowMs);
			const hasNews = added.some((found) => lookUp(found.id) === undefined && isInside(found));
			given ??= records.length;
			// The number of pages is a hint. Without it, a short first page may be all that the service gives at a time.
			const isRead = total === undefined || current.seen.size + current.nameless >= total;
			const isLast = pages === undefined ? pageNumber > 1 && records.length < given : pageNumber >= pages && isRead;
			if (records.length === 0 || isLast) {
				current.isComplete = current.reachedEnd = true;
				break;
			}
			// A service that gives one page for ever.
			if (added.length === 0 && current.nameless === 0) {
				current.isSteady = false;
				break;
			}
			if (current.isBehind(floor) && (!hasNews || !prior)) {
				current.isComplete = true;
				break;
			}
			if (!current.isTimed && current.seen.size >= NEWEST && !prior?.isWhole) {
				current.isComplete = true;
				break;
			}
			if (resumeAt !== undefined && !hasNews) {
				// The head is known: on to where the last reading stopped.
				const target = resumeAt - PAGES_BACK;
				resumeAt = undefined;
				if (target > pageNumber + 1) {
					pageNumber = target - 1;
					current.hasLeftOut = true;
				}
			}
		}
		if (current.stoppedAt !== undefined) {
			// There was time for a whole reading, though not for one more to be sure of it.
			if (former.isSound) pass = former;
			break;
		}
		if (current.isSound && (all.size === before || !mayHideOne(current))) break;
	}

	// The order of the last reading, and behind it what only an earlier one has met.
	const seen = [...new Map([...pass.seen, ...all]).values()];
	const isTimed = seen.some(({ created }) => created !== undefined);
	const isNews = newsIn(seen, isTimed, prior, lookUp, reading.since);
	const changes = (found: Found) => {
		const before = lookUp(found.id);
		return before !== undefined && before !== statusKept(found);
	};
	const fresh = seen.filter((found, index) => (watchesStatus ? prior && changes(found) : isNews(found, index)));
	// Within one moment, and where there are no create times, the service's order backwards: the oldest first.
	const places = new Map(seen.map(({ id }, index) => [id, index]));
	fresh.sort(
		(one, other) =>
			(one.created ?? 0) - (other.created ?? 0) || (places.get(other.id) ?? 0) - (places.get(one.id) ?? 0),
	);

	const total = pass.total ?? seen.length;
	return {
		fresh,
		seen,
		isTimed,
		total,
		now,
		nameless: pass.nameless,
		settle: (held) => {
			const watermark = watermarkOf(seen, now);
			const start = watermark - windowMs;
			const advances = pass.isSound && held.size === 0;
			// What a first reading had no time for was there before, and is news only where old records are asked for.
			const unread = reading.since ?? (pass.isTimed && pass.isOrdered ? Math.max(start, pass.last + 1) : start);
			const lowest = pass.stoppedAt !== undefined ? unread : held.size > 0 ? (floor ?? start) : start;
			// Never back: what was forgotten would be new again.
			const from = prior ? (advances ? Math.max(prior.next, prior.from) : prior.from) : lowest;
			const next = prior ? (advances ? Math.max(prior.next, start) : prior.next) : lowest;
			const known = new Map<string, string>();
			for (const found of seen) {
				if (!isTimed && known.size >= NEWEST) break;
				if (found.created !== undefined && found.created < from) continue;
				if (!held.has(found.id)) known.set(found.id, statusKept(found));
				else if (watchesStatus) known.set(found.id, lookUp(found.id) ?? '');
			}
			if (prior && !advances) for (const [id, status] of prior.known) if (!all.has(id)) known.set(id, status);
			const isWhole = !isTimed && (pass.isSound ? pass.reachedEnd && total <= NEWEST : (prior?.isWhole ?? false));
			return {
				from,
				next,
				known,
				vanished: goneSince(prior?.vanished ?? [], known, {
					listed: isTimed ? all : known,
					missing:
						prior && advances && !isInherited ? without(prior.known, isTimed ? all : known) : new Map<string, string>(),
					// No known record was created later, but for one dated in the future.
					until: Math.max(watermark, (prior?.next ?? start) + windowMs, now ?? 0),
					isTimed,
					from,
					ahead: seen.filter(({ created }) => created !== undefined && created > (now ?? Infinity)),
				}),
				isWhole: isWhole && held.size === 0,
				...(pass.stoppedAt === undefined ? {} : { resumeAt: pass.stoppedAt }),
			};
		},
	};
}

/** Tells which listed records are new. */
function newsIn(
	seen: Found[],
	isTimed: boolean,
	prior: SourceState | undefined,
	lookUp: (id: string) => string | undefined,
	since: number | undefined,
) {
	if (!prior) return ({ created }: Found) => since !== undefined && created !== undefined && created >= since;
	// Without a create time, what stands behind the last known record may have moved up as others were deleted.
	const lastKnown = seen.findLastIndex(({ id }) => lookUp(id) !== undefined);
	return ({ id, created }: Found, index: number) => {
		if (lookUp(id) !== undefined) return false;
		if (created !== undefined) return created >= prior.from;
		return (prior.isWhole && !isTimed) || index < lastKnown;
	};
}

/**
 * Which known records are not listed any more: each may come back, and is not new then. One dated in the future is noted
 * while it is still listed, because later nothing tells how long it may come back.
 */
function goneSince(
	former: Vanished[],
	known: Map<string, string>,
	now: {
		listed: ReadonlyMap<string, unknown>;
		missing: Map<string, string>;
		until: number;
		isTimed: boolean;
		from: number;
		ahead: Found[];
	},
): Vanished[] {
	const { missing, isTimed, from, ahead } = now;
	const before = former
		.map(({ until, ids }) => ({ until, ids: without(ids, now.listed) }))
		.filter(({ until, ids }) => ids.size > 0 && until >= from);
	if (!isTimed) {
		if (missing.size === 0) return before;
		// Without create times there is no telling how long: the latest to go are kept.
		const ids = [...missing, ...before.flatMap((each) => [...each.ids])].slice(0, NEWEST);
		return [{ until: Number.MAX_SAFE_INTEGER, ids: new Map(ids) }];
	}
	const entries = new Map(before.map((each) => [each.until, each]));
	const add = (time: number, id: string, status: string) => {
		// One entry for an hour will do.
		const until = Math.ceil(time / HOUR) * HOUR;
		const entry = entries.get(until) ?? { until, ids: new Map<string, string>() };
		entry.ids.set(id, status);
		entries.set(until, entry);
	};
	for (const [id, status] of missing) add(now.until, id, status);
	for (const { id, created } of ahead) {
		const status = known.get(id);
		if (status !== undefined && created !== undefined) add(created, id, status);
	}
	return [...entries.values()];
}

const without = (ids: Map<string, string>, others: ReadonlyMap<string, unknown>) =>
	new Map([...ids].filter(([id]) => !others.has(id)));

/** Whether a reading was cut short because the time for the poll was up. */
export const isCutShort = (thrown: unknown) => thrown instanceof ServiceError && thrown.details.cause === 'cancelled';
