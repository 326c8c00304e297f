import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

/** The most that a trigger's state may take, as JSON. */
export const MAX_STATE_BYTES = 512 * 1024;
export const HOUR_MS = 3_600_000;
const VERSION = 3;
/** Identities are kept as their first 54 bits: among 40,000, two alike are as likely as one in 20 million. */
const ID_LENGTH = 9;
const HOUR_LENGTH = 4;
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
/** A create time in whole hours; 0 for none. */
export const hourOf = (created: number | undefined) =>
	created === undefined ? 0 : Math.min(LAST_HOUR, Math.floor(created / HOUR_MS));

const time = z.number().finite();
const count = z.number().int().nonnegative();
/** Texts of one length, as one text. */
const entries = (length: number) =>
	z
		.string()
		.regex(new RegExp(`^(?:[\\w-]{${length}})*$`))
		.transform((text) => text.match(new RegExp(`.{${length}}`, 'g')) ?? []);
/** A map, stored as an object. */
const mapOf = <V extends z.ZodTypeAny>(value: V) =>
	z.record(value).transform((all): Map<string, z.output<V>> => new Map(Object.entries(all)));

/** What is remembered of a record. */
export interface Known {
	hour: number;
	status: string;
}

/** Records by their IDs; stored by status, an ID and an hour each. */
const knownShape = z.record(entries(ID_LENGTH + HOUR_LENGTH)).transform((byStatus) => {
	const known = new Map<string, Known>();
	for (const [status, packed] of Object.entries(byStatus))
		for (const each of packed)
			known.set(each.slice(0, ID_LENGTH), { hour: parseInt(each.slice(ID_LENGTH), 36), status });
	return known;
});

const openShape = z.object({
	from: time,
	page: count,
	size: count,
	rows: count.optional(),
	begunAt: time,
	at: time,
	isUnread: z.boolean(),
});
type Open = z.output<typeof openShape>;

/** What is remembered of a kind of records, for all its lists: so one that stands in several of them is one record. */
const kindShape = z
	.object({
		/** Stands for what decides what is listed and given; with another, this kind starts over. */
		settings: z.string(),
		/** Stands for the companies that were chosen. */
		scope: z.string(),
		/** When the last poll was. */
		polledAt: time,
		/** When the last complete reading of all lists began. */
		readAt: time,
		/** A list's first reading gives what was created from here on; it goes up with the rounds. In ms, as all times here. */
		since: time,
		/** An unknown record that was created before this came too late; 0 until all lists were read once. */
		from: time,
		/** The records in the window: IDs with the hour of their creation, by status. */
		known: knownShape,
		/** Whether IDs are unique only inside a company. */
		byCompany: z.boolean(),
		/** The lists that were read, as `listOf` has them, or MAIN: to their ends, or only the newest part. */
		lists: z
			.tuple([entries(COMPANY_LENGTH), entries(COMPANY_LENGTH)])
			.transform(
				([whole, parts]) =>
					new Map([...whole.map((each) => [each, true] as const), ...parts.map((each) => [each, false] as const)]),
			),
		/** Whether records without create times were forgotten, because there were too many. */
		hasForgotten: z.boolean(),
		/** Lists of which the last reading failed or was cut short: since when they have something to give, the page to go on with, since when that is so, and whether they were never read or compared. */
		open: mapOf(openShape),
		/** Records that are still to be given: when they were created, and how many polls have failed to complete them, and to find their company. */
		waiting: mapOf(z.object({ hour: count, tries: count, searches: count.optional() })),
		/** Whether each company is asked, because the search that names none does not have the records of all. */
		asksEach: z.boolean(),
		/** Records of companies' lists that the search that names none lacked at the last comparison. */
		doubted: knownShape,
		/** How many rounds through the companies have found nothing that the search for all lacks. */
		cleanRounds: count,
		/** The round through the companies: when it began by n8n's clock and by the polls', with which window, how many are left, and with which it goes on. */
		round: z.object({ at: time, begunAt: time, from: time, left: count, next: z.string() }),
		/** When the lists were last read to their ends, by n8n's clock. */
		wholeAt: time,
		/** IDs without create times of which two lists had two statuses at the last poll. */
		twins: z.array(z.string()).optional(),
		/** The companies that had news last, the latest first. */
		active: z.array(z.string()),
	})
	.strict();
const stateShape = z.object({ version: z.literal(VERSION), kinds: mapOf(kindShape) }).strict();
export type KindState = z.output<typeof kindShape>;

/** What a trigger remembers between two polls, for each kind by its code. */
export type State = Map<string, KindState>;

/** A kind of which nothing is remembered. @param since when it begins, in ms */
export const newKind = (settings: string, scope: string, since: number): KindState => ({
	...{ settings, scope, since, polledAt: since, readAt: since, from: 0, byCompany: false, ...newLists() },
	...{ known: new Map(), waiting: new Map() },
});

/** A round through the companies that has not begun. */
export const newRound = () => ({ at: 0, begunAt: 0, from: 0, left: 0, next: '' });

/** How old records are that the first round compares, so that a list of all without some companies is noticed before one has news. */
const COMPARED_MS = 30 * 24 * HOUR_MS;

/** Since when records are compared in the first round, and so remembered until then; Infinity in later ones, in ms. */
export const comparedFrom = ({ cleanRounds, asksEach, polledAt }: KindState) =>
	cleanRounds === 0 && !asksEach ? polledAt - COMPARED_MS : Infinity;

/** What is remembered of the lists of companies that were not chosen before. */
export const newLists = () => ({
	...{ lists: new Map<string, boolean>(), hasForgotten: false, open: new Map<string, Open>(), asksEach: false },
	...{ doubted: new Map<string, Known>(), cleanRounds: 0, round: newRound(), wholeAt: Date.now(), active: [] },
});

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
		const lists = (isWhole: boolean) =>
			[...kind.lists].flatMap(([list, each]) => (each === isWhole ? [list] : [])).join('');
		const { open, waiting } = kind;
		const maps = { open: Object.fromEntries(open), waiting: Object.fromEntries(waiting) };
		const packed = { known: packKnown(kind.known), doubted: packKnown(kind.doubted) };
		return [code, { ...kind, ...maps, ...packed, lists: [lists(true), lists(false)] }];
	});
	return { version: VERSION, kinds: Object.fromEntries(kinds) };
}

/** Reads what was stored. @returns undefined for anything that is not whole and ours */
export const unpackState = (stored: unknown): State | undefined => stateShape.safeParse(stored).data?.kinds;
