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
/** Of a company, less will do. */
const COMPANY_LENGTH = 5;

const hash = (text: string, length: number) => createHash('sha256').update(text).digest('base64url').slice(0, length);

/** A record's identity as it is remembered. */
export const shortId = (id: string) => hash(id, ID_LENGTH);
/** A company's list as it is remembered. */
export const listOf = (companyId: string) => hash(companyId, COMPANY_LENGTH);
/** Stands for anything that is only compared. */
export const fingerprint = (value: unknown) => hash(JSON.stringify(value), 16);
/** The list that a search without a company gives. */
export const MAIN = 'main';
/** A create time in whole hours; 0 for none. */
export const hourOf = (created: number | undefined) =>
	created === undefined ? 0 : Math.min(LAST_HOUR, Math.floor(created / HOUR_MS));

const time = z.number().finite();
const count = z.number().int().nonnegative();
const entries = (length: number) => z.string().regex(new RegExp(`^(?:[\\w-]{${length}})*$`));
const kindShape = z
	.object({
		/** Stands for what decides what is listed and given; with another, this kind starts over. */
		settings: z.string(),
		/** Stands for the companies that were chosen. */
		scope: z.string(),
		/** When the last poll was. */
		polledAt: time,
		/** A list's first reading gives what was created from here on. In ms, as all times here. */
		since: time,
		/** An unknown record that was created before this came too late; 0 until all lists were read once. */
		from: time,
		/** The records in the window: IDs with the hour of their creation, by status. */
		known: z.record(entries(ID_LENGTH + HOUR_LENGTH)),
		/** Whether IDs are unique only inside a company. */
		byCompany: z.boolean(),
		/** The companies whose lists were read, and those that were listed while theirs was not. */
		read: entries(COMPANY_LENGTH),
		unread: entries(COMPANY_LENGTH),
		/** Whether there may be companies whose lists were not read yet. */
		hasUnread: z.boolean(),
		/** Whether the search that names no company was read; and how many records the service counted in it, if it did. */
		main: z.object({ isRead: z.boolean(), total: count.nullable() }),
		/** Lists of which the last reading failed or was cut short: since when they have something to give, and the page to go on with. */
		open: z.record(z.object({ from: time, page: count, size: count })),
		/** Records without a usable create time, by list, in its order; and whether these are all that it had. */
		timeless: z.record(z.tuple([z.boolean(), entries(ID_LENGTH)])),
		/** Records that are still to be given: when they were created, and how many polls have failed to complete them. */
		waiting: z.record(z.object({ hour: count, tries: count })),
		/** Whether each company is asked, because the search that names none does not have the records of all. */
		asksEach: z.boolean(),
		/** How many rounds through the companies have found nothing that the search for all lacks. */
		cleanRounds: count,
		/** The round through the companies: when it began by n8n's clock, how many are left, and with which it goes on. */
		round: z.object({ at: time, left: count, next: z.string() }),
		/** When the lists were last read to their ends, by n8n's clock. */
		wholeAt: time,
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
export interface KindState extends Omit<StoredKind, 'known' | 'read' | 'unread' | 'open' | 'timeless' | 'waiting'> {
	known: Map<string, Known>;
	/** By company, as `listOf` has it: whether its list was read, or it was only listed. */
	companies: Map<string, boolean>;
	open: Map<string, StoredKind['open'][string]>;
	timeless: Map<string, { isWhole: boolean; ids: string[] }>;
	waiting: Map<string, StoredKind['waiting'][string]>;
}

/** What a trigger remembers between two polls, for each kind by its code. */
export type State = Map<string, KindState>;

/** A kind of which nothing is remembered. @param since when it begins, in ms */
export const newKind = (settings: string, scope: string, since: number): KindState => ({
	...{ settings, scope, since, polledAt: since, from: 0, byCompany: false, ...newLists() },
	...{ known: new Map(), waiting: new Map() },
});

/** A round through the companies that has not begun. */
export const newRound = () => ({ at: 0, left: 0, next: '' });

/** The search that names no company, not read. */
export const newMain = (): StoredKind['main'] => ({ isRead: false, total: null });

/** What is remembered of the lists of companies that were not chosen before. */
export const newLists = () => ({
	...{ companies: new Map(), hasUnread: false, open: new Map(), timeless: new Map(), main: newMain() },
	...{ asksEach: false, cleanRounds: 0, round: newRound(), wholeAt: Date.now(), active: [] },
});

const inPieces = (text: string, length: number) => text.match(new RegExp(`.{${length}}`, 'g')) ?? [];

/** Those that a list is remembered by anyway are left out. */
function packKnown({ known, timeless }: KindState): Record<string, string> {
	const byStatus = new Map<string, string[]>();
	const listed = new Set([...timeless.values()].flatMap(({ ids }) => ids));
	for (const [id, { hour, status }] of known) {
		if (hour === 0 && status === '' && listed.has(id)) continue;
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
	const packed = [...state].map(([code, whole]): [string, StoredKind] => {
		const { companies, known: _known, open, timeless, waiting, ...kind } = whole;
		const those = (isRead: boolean) => [...companies].filter(([, each]) => each === isRead).map(([list]) => list);
		const listed = [...timeless].map(([key, { isWhole, ids }]): [string, [boolean, string]] => [
			key,
			[isWhole, ids.join('')],
		]);
		return [
			code,
			{
				...{ ...kind, known: packKnown(whole), read: those(true).join(''), unread: those(false).join('') },
				...{
					open: Object.fromEntries(open),
					waiting: Object.fromEntries(waiting),
					timeless: Object.fromEntries(listed),
				},
			},
		];
	});
	return { version: VERSION, kinds: Object.fromEntries(packed) };
}

function unpackKind({ known, read, unread, open, timeless, waiting, ...kind }: StoredKind): KindState {
	const companies = [read, unread].flatMap((all) =>
		inPieces(all, COMPANY_LENGTH).map((list): [string, boolean] => [list, all === read]),
	);
	const listed = Object.entries(timeless).map(
		([key, [isWhole, ids]]): [string, { isWhole: boolean; ids: string[] }] => [
			key,
			{ isWhole, ids: inPieces(ids, ID_LENGTH) },
		],
	);
	const state = {
		...{ ...kind, known: unpackKnown(known), companies: new Map(companies), timeless: new Map(listed) },
		...{ open: new Map(Object.entries(open)), waiting: new Map(Object.entries(waiting)) },
	};
	for (const id of listed.flatMap(([, { ids }]) => ids))
		if (!state.known.has(id) && !state.waiting.has(id)) state.known.set(id, { hour: 0, status: '' });
	return state;
}

/** Reads what was stored. @returns undefined for anything that is not whole and ours */
export function unpackState(stored: unknown): State | undefined {
	const parsed = stateShape.safeParse(stored);
	if (!parsed.success) return undefined;
	return new Map(Object.entries(parsed.data.kinds).map(([code, kind]) => [code, unpackKind(kind)]));
}
