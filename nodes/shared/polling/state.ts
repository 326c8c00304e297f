import { createHash } from 'crypto';
import { partition } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

/** The most that a trigger's state may take, as JSON. */
export const MAX_STATE_BYTES = 512 * 1024;
export const HOUR_MS = 3_600_000;
const VERSION = 3;
/** Identities are kept as their first 54 bits: among 40,000, two alike are as likely as one in 20 million. */
const ID_LENGTH = 9;
const HOUR_LENGTH = 4;
const ENTRY_LENGTH = ID_LENGTH + HOUR_LENGTH;
const EACH_ENTRY = new RegExp(`.{${ENTRY_LENGTH}}`, 'g');
const LAST_HOUR = 36 ** HOUR_LENGTH - 1;
/** Of a company, less will do. */
const COMPANY_LENGTH = 5;

const hash = (text: string, length: number) => createHash('sha256').update(text).digest('base64url').slice(0, length);

/** A record's identity as it is remembered. */
export const shortId = (id: string) => hash(id, ID_LENGTH);
/** A company's list as it is remembered. */
export const listOf = (companyId: string) => hash(companyId, COMPANY_LENGTH);
/** Stands for anything that is only compared. */
export const fingerprint = (value: unknown) => hash(JSON.stringify(value), 16);
/** The list that a search without a company gives; no longer than a company's. */
export const MAIN = '-all-';
/** After so many refusals in a row the list of all companies counts as refused. */
export const REFUSED = 2;
/** A create time in whole hours; 0 for none. */
export const hourOf = (created: number | undefined) =>
	created === undefined ? 0 : Math.min(LAST_HOUR, Math.floor(created / HOUR_MS));

const time = z.number().finite();
const count = z.number().int().nonnegative();
/** A map, stored as an object. */
const mapOf = <V extends z.ZodTypeAny>(value: V) =>
	z.record(value).transform((all): Map<string, z.output<V>> => new Map(Object.entries(all)));

/** What is remembered of a record. */
export interface Known {
	hour: number;
	status: string;
}

/** Records by their IDs; stored by status, an ID and an hour each, all as one text. */
const knownShape = z.record(z.string().regex(new RegExp(`^(?:[\\w-]{${ENTRY_LENGTH}})*$`))).transform((byStatus) => {
	const known = new Map<string, Known>();
	for (const [status, packed] of Object.entries(byStatus))
		for (const each of packed.match(EACH_ENTRY) ?? [])
			known.set(each.slice(0, ID_LENGTH), { hour: parseInt(each.slice(ID_LENGTH), 36), status });
	return known;
});

/** Where a reading goes on that was cut short. */
const placeShape = z.object({
	/** 1-based; 1 for the beginning. */
	page: count,
	size: count,
	/** The most records that one page had; a service may give fewer than it is asked for. */
	rows: count.default(0),
	/** When its first page was read, or failed first, in ms, by the polls' clock. */
	begunAt: time,
});
export type Place = z.output<typeof placeShape>;

const openShape = placeShape.extend({ from: time, isUnread: z.boolean() });

/** What is remembered of a kind of records, for all its lists: so one that stands in several of them is one record. */
const kindShape = z.object({
	/** Stands for what decides what is listed and given; with another, this kind starts over. */
	settings: z.string(),
	/** Stands for the companies that were chosen. */
	scope: z.string(),
	/** When the last poll was. */
	polledAt: time,
	/** When the last complete reading of all lists began. */
	readAt: time,
	/** Companies' lists give what was created from here on: since the activation, later since a window before the last complete round. In ms, as all times here. */
	since: time,
	/** The same for the list of all companies; 0 until it was read once. */
	from: time,
	/** What was created before this was forgotten, so that it is not to be given, nor watched, any more, even if a clock was wrong. */
	forgottenTo: time.default(0),
	/** The newest create time listed. */
	newest: time.default(0),
	/** The records in the window: IDs with the hour of their creation, by status. */
	known: knownShape,
	/** Whether IDs are unique only inside a company. */
	byCompany: z.boolean(),
	/** Whether there are records without create times that are not known, because they were too many or stand too far behind. */
	hasForgotten: z.boolean(),
	/** Whether lists are not in the order of their create times, so that they are read to their ends. */
	isUnsorted: z.boolean().default(false),
	/** Lists of which the last reading failed or was cut short: since when they have something to give, where to go on, and whether they were never read. */
	open: mapOf(openShape),
	/** Records that are still to be given: when they were created, and how many polls have failed to complete them, and to find their company. */
	waiting: mapOf(z.object({ hour: count, tries: count, searches: count.default(0) })),
	/** Whether each company is asked, because the list of all companies lacks records, and why else. */
	asksEach: z.boolean(),
	/** How many of the last polls were refused the list of all companies, up to REFUSED. */
	refusals: count.default(0),
	/** Records of companies' lists that the list of all companies lacked at the last comparison. */
	doubted: knownShape,
	/** How many rounds through the companies are complete. */
	cleanRounds: count,
	/** The round through the companies: when it began by n8n's clock and by the polls', with which window, how many are left, and with which it goes on. */
	round: z.object({ at: time, begunAt: time, from: time, left: count, next: z.string() }),
	/** When the lists were last read to their ends, by n8n's clock. */
	wholeAt: time,
	/** The companies that had news last, the latest first. */
	active: z.array(z.string()),
});
const stateShape = z.object({ version: z.literal(VERSION), kinds: mapOf(kindShape) });
export type KindState = z.output<typeof kindShape>;

/** What a trigger remembers between two polls, for each kind by its code. */
export type State = Map<string, KindState>;

/** A kind of which nothing is remembered. @param since when it begins, in ms */
export const newKind = (settings: string, scope: string, since: number): KindState => ({
	...{
		settings,
		scope,
		since,
		polledAt: since,
		readAt: since,
		forgottenTo: 0,
		newest: 0,
		byCompany: false,
		hasForgotten: false,
		isUnsorted: false,
	},
	...{ known: new Map(), open: new Map(), waiting: new Map(), wholeAt: Date.now(), active: [], ...newScope() },
});

/** What is remembered of the companies that are chosen, before they were asked. */
export const newScope = () => ({
	...{ from: 0, asksEach: false, refusals: 0, cleanRounds: 0, doubted: new Map<string, Known>() },
	round: { at: 0, begunAt: 0, from: 0, left: 0, next: '' },
});

/** Whether a list is read for the first time. Once a round is complete, all were: a company listed later had no records. */
export function isUnread({ open, from, cleanRounds }: KindState, list: string): boolean {
	if (open.get(list)?.isUnread === true || (cleanRounds === 0 && list !== MAIN)) return true;
	// The list of all, where it comes later, has the records of lists that were never read.
	return list === MAIN && from === 0 && (cleanRounds === 0 || [...open.values()].some((each) => each.isUnread));
}

/** Whether the list of all companies was read, and nothing was ever listed. */
export const isBare = (kind: KindState) =>
	kind.newest === 0 && kind.known.size + kind.waiting.size === 0 && !isUnread(kind, MAIN);

/** Since when the list of all companies gives records, in ms: what companies' lists still have to give, or never gave, it has as well. */
export function mainSince({ open, from, since }: KindState): number {
	const [unread = [], behind = []] = partition([...open.values()], 'isUnread').map((all) =>
		all.map((each) => each.from),
	);
	return from || (unread.length > 0 ? Math.max(...unread) : Math.min(since, ...behind));
}

/** Since when any list gives records, or will after the round under way, in ms; 0 so long as that is not known. */
export function givesSince({ from, since, open, round, cleanRounds }: KindState): number {
	const main = from || (cleanRounds > 0 ? Infinity : 0);
	return Math.min(main, since, round.left > 0 ? round.from : Infinity, ...[...open.values()].map((each) => each.from));
}

/** Since when records are remembered because their status is watched, in ms. @param from since when they are given */
export const watchedFrom = ({ forgottenTo }: KindState, from: number, watchedMs: number) =>
	Math.max(from - watchedMs, Math.min(from, forgottenTo));

/** How old records are that the first round compares, so that a list of all without some companies is noticed before one has news. */
const COMPARED_MS = 30 * 24 * HOUR_MS;

/** Since when records are compared in the first round, and so remembered until then; Infinity in later ones, in ms. */
export const comparedFrom = ({ cleanRounds, asksEach, polledAt }: KindState) =>
	cleanRounds === 0 && !asksEach ? polledAt - COMPARED_MS : Infinity;

function packKnown(known: KindState['known']): Record<string, string> {
	const byStatus = new Map<string, string[]>();
	for (const [id, { hour, status }] of known) {
		const packed = byStatus.get(status) ?? [];
		byStatus.set(status, packed);
		packed.push(id + hour.toString(36).padStart(HOUR_LENGTH, '0'));
	}
	return Object.fromEntries([...byStatus].map(([status, packed]) => [status, packed.join('')]));
}

/** The state as plain JSON. */
export function packState(state: State): IDataObject {
	const kinds = [...state].map(([code, kind]): [string, z.input<typeof kindShape>] => {
		const [open, waiting] = [Object.fromEntries(kind.open), Object.fromEntries(kind.waiting)];
		return [code, { ...kind, open, waiting, known: packKnown(kind.known), doubted: packKnown(kind.doubted) }];
	});
	return { version: VERSION, kinds: Object.fromEntries(kinds) };
}

/** Reads what was stored. @returns undefined for anything that is not whole and ours */
export const unpackState = (stored: unknown): State | undefined => stateShape.safeParse(stored).data?.kinds;
