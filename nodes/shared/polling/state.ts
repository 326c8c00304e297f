import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

/** The most that a trigger's state may take, as JSON. */
export const MAX_STATE_BYTES = 512 * 1024;
export const HOUR_MS = 3_600_000;
const VERSION = 2;
/** Identities are kept as their first 54 bits: among 40,000, two alike are as likely as one in 20 million. */
const ID_LENGTH = 9;
const HOUR_LENGTH = 4;
const LAST_HOUR = 36 ** HOUR_LENGTH - 1;
/** Of a list that was read, less will do. */
const BEGUN_LENGTH = 4;

const hash = (text: string, length: number) => createHash('sha256').update(text).digest('base64url').slice(0, length);

/** A record's or a company's identity as it is remembered. */
export const shortId = (id: string) => hash(id, ID_LENGTH);
/** Stands for anything that is only compared. */
export const fingerprint = (value: unknown) => hash(JSON.stringify(value), 16);
/** Stands before a status of which only the hash is known: version 0.1.0 kept no more. */
export const HASHED = '\u0001';
export const hashedStatus = (status: string) => HASHED + hash(status, 4);
/** The list that a kind is read from where companies are not asked one by one; the others go by their company's short ID. */
export const MAIN = 'main';
/** A list as it stands in `begun`. */
export const begunKey = (listKey: string) => listKey.slice(0, BEGUN_LENGTH);
/** A create time in whole hours; 0 for none. */
export const hourOf = (created: number | undefined) =>
	created === undefined ? 0 : Math.min(LAST_HOUR, Math.floor(created / HOUR_MS));

const time = z.number().finite();
const count = z.number().int().nonnegative();
const entries = (length: number) => z.string().regex(new RegExp(`^(?:[\\w-]{${length}})*$`));
const kindShape = z
	.object({
		/** Stands for what decides what is listed and given; with another, this kind begins anew. */
		settings: z.string(),
		/** Stands for the companies that were chosen. */
		scope: z.string(),
		/** When the last poll was. */
		polledAt: time,
		/** What a list's first reading gives: what was created from here on. In ms, as all times here. */
		since: time,
		/** An unknown record that was created before this came too late; 0 until all lists were read once. */
		from: time,
		/** What `from` becomes with the next complete reading: one later, for what this one missed as pages shifted. */
		next: time,
		/** The records in the window: IDs with the hour of their creation, by status. */
		known: z.record(entries(ID_LENGTH + HOUR_LENGTH)),
		/** The lists that were read; for the search for all, it and the companies that were there. */
		begun: entries(BEGUN_LENGTH),
		/** Lists of which the last reading failed or was cut short: since when they have something to give, and the page to go on with. */
		open: z.record(z.object({ from: time, page: count, size: count })),
		/** Records without a usable create time, by list, in its order; and whether these are all that it had. */
		timeless: z.record(z.tuple([z.boolean(), entries(ID_LENGTH)])),
		/** How many records the service counted in lists that are longer than their window. */
		totals: z.record(count),
		/** Records that are still to be given: how often their details failed, and how many companies are to be asked whether it is theirs. */
		waiting: z.record(z.object({ hour: count, tries: count, left: z.number() })),
		/**
		 * Whether the search that names no company covers all of them. So long as that is 'unproven', each company is asked as
		 * well, in rounds; once a record was 'seen' in both and a round has found nothing that it lacks, it is 'all', and rounds
		 * are few; where something is found, it is 'each', and only companies are asked.
		 */
		coverage: z.enum(['unproven', 'seen', 'all', 'each']),
		/** The round through the companies: when it began by n8n's clock, how many are left, and with which it goes on. */
		round: z.object({ at: time, left: count, next: z.string() }),
		/** The companies that had news last, the latest first. */
		active: z.array(z.string()),
	})
	.strict();
const stateShape = z.object({ version: z.literal(VERSION), kinds: z.record(kindShape) }).strict();
type StoredKind = z.infer<typeof kindShape>;

/** What is remembered of a record. */
export interface Known {
	hour: number;
	status: string;
}

/** What is remembered of a kind of records, for all its lists: so one that stands in several of them is one record. */
export interface KindState extends Omit<StoredKind, 'known' | 'begun' | 'open' | 'timeless' | 'waiting'> {
	known: Map<string, Known>;
	begun: Set<string>;
	open: Map<string, StoredKind['open'][string]>;
	timeless: Map<string, { isWhole: boolean; ids: string[] }>;
	waiting: Map<string, StoredKind['waiting'][string]>;
}

/** What a trigger remembers between two polls, by the kinds' codes. */
export type State = Map<string, KindState>;

/** A kind of which nothing is remembered. @param since when it begins, in ms */
export const newKind = (settings: string, scope: string, since: number): KindState => ({
	...{ settings, scope, since, polledAt: since, from: 0, next: 0, coverage: 'unproven' },
	...{ known: new Map(), begun: new Set(), open: new Map(), timeless: new Map(), waiting: new Map() },
	...{ round: { at: 0, left: 0, next: '' }, active: [], totals: {} },
});

const inPieces = (text: string, length: number) => text.match(new RegExp(`.{${length}}`, 'g')) ?? [];

function packKnown(known: KindState['known']): Record<string, string> {
	const byStatus = new Map<string, string[]>();
	for (const [id, { hour, status }] of known) {
		const packed = byStatus.get(status) ?? [];
		byStatus.set(status, packed);
		packed.push(id + hour.toString(36).padStart(HOUR_LENGTH, '0'));
	}
	return Object.fromEntries([...byStatus].map(([status, packed]) => [status, packed.join('')]));
}

const unpackKnown = (packed: Record<string, string>): KindState['known'] =>
	new Map(
		Object.entries(packed).flatMap(([status, all]) =>
			inPieces(all, ID_LENGTH + HOUR_LENGTH).map((entry) => [
				entry.slice(0, ID_LENGTH),
				{ hour: parseInt(entry.slice(ID_LENGTH), 36), status },
			]),
		),
	);

/** The state as plain JSON. */
export function packState(state: State): IDataObject {
	const kinds = [...state].map(([code, kind]): [string, StoredKind] => [
		code,
		{
			...kind,
			known: packKnown(kind.known),
			begun: [...kind.begun].join(''),
			open: Object.fromEntries(kind.open),
			timeless: Object.fromEntries([...kind.timeless].map(([key, { isWhole, ids }]) => [key, [isWhole, ids.join('')]])),
			waiting: Object.fromEntries(kind.waiting),
		},
	]);
	return { version: VERSION, kinds: Object.fromEntries(kinds) };
}

/** Reads what was stored. @returns undefined for anything that is not whole and ours */
export function unpackState(stored: unknown): State | undefined {
	const parsed = stateShape.safeParse(stored);
	if (!parsed.success) return undefined;
	return new Map(
		Object.entries(parsed.data.kinds).map(([code, kind]) => [
			code,
			{
				...kind,
				known: unpackKnown(kind.known),
				begun: new Set(inPieces(kind.begun, BEGUN_LENGTH)),
				open: new Map(Object.entries(kind.open)),
				timeless: new Map(
					Object.entries(kind.timeless).map(([key, [isWhole, ids]]) => [
						key,
						{ isWhole, ids: inPieces(ids, ID_LENGTH) },
					]),
				),
				waiting: new Map(Object.entries(kind.waiting)),
			},
		]),
	);
}
