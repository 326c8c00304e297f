import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

/** Identities are kept as their first 54 bits: among 10,000 of a source, two alike are as likely as one in 360 million. */
const ID_LENGTH = 9;
/** A status only has to differ from the one before it. */
export const STATUS_LENGTH = 4;

/** The most that all sources of a trigger may take, as JSON. */
export const MAX_STATE_BYTES = 512 * 1024;

const hash = (text: string, length: number) => createHash('sha256').update(text).digest('base64url').slice(0, length);

/** A record's identity as it is remembered. */
export const shortId = (id: string) => hash(id, ID_LENGTH);
/** A status as it is remembered. */
export const shortStatus = (status: string) => hash(status, STATUS_LENGTH);

/** Records that are known but were not listed any more, by their short identity, until the window has passed them. */
export interface Vanished {
	until: number;
	ids: Map<string, string>;
}

/** What is remembered of one list. Times are create times of the service, in ms. */
export interface SourceState {
	/** An unknown record that was created before this was known once, or came too late. */
	from: number;
	/** What `from` becomes with the next reading: one reading later, for records that this one missed as pages shifted. */
	next: number;
	/** The records inside the window by their short identity, newest first, with the short status if that is watched. */
	known: Map<string, string>;
	vanished: Vanished[];
	/** Whether `known` is all there is, so that in a list without create times every unknown record is new. */
	isWhole: boolean;
	/** Where a reading that ran out of time goes on. */
	resumeAt?: number;
}

/** What a trigger remembers between two polls. */
export interface State {
	/** Stands for the parameters that decide what is listed; with others, what is remembered says nothing. */
	print: string;
	/** By source; see `keyOf`. */
	sources: Map<string, SourceState>;
	/** The source to begin with, because the last poll did not get to it. */
	startWith?: string;
}

const VERSION = 1;
const idText = z.string().regex(/^[\w-]*$/);
const time = z.number().finite();
const packedSource = z.tuple([
	time,
	time,
	z.union([z.literal(0), z.literal(1)]),
	idText,
	z.array(z.tuple([time, idText])),
	z.number().int().nonnegative(),
]);
const packedState = z
	.object({
		version: z.literal(VERSION),
		print: z.string(),
		/** The length of an entry of the texts. */
		width: z.union([z.literal(ID_LENGTH), z.literal(ID_LENGTH + STATUS_LENGTH)]),
		sources: z.record(packedSource),
		startWith: z.string().optional(),
	})
	.strict();

const packIds = (ids: Map<string, string>) => [...ids].map(([id, status]) => id + status).join('');

function unpackIds(text: string, width: number): Map<string, string> {
	if (text.length % width !== 0) throw new RangeError('an identity is cut');
	const ids = new Map<string, string>();
	for (let at = 0; at < text.length; at += width)
		ids.set(text.slice(at, at + ID_LENGTH), text.slice(at + ID_LENGTH, at + width));
	return ids;
}

/** One source as it is stored. */
export const packSource = ({
	from,
	next,
	known,
	vanished,
	isWhole,
	resumeAt,
}: SourceState): z.infer<typeof packedSource> => [
	from,
	next,
	isWhole ? 1 : 0,
	packIds(known),
	vanished.map(({ until, ids }) => [until, packIds(ids)]),
	resumeAt ?? 0,
];

/** The state as plain JSON. @param watchesStatus whether entries hold a status */
export function packState({ print, sources, startWith }: State, watchesStatus: boolean): IDataObject {
	return {
		version: VERSION,
		print,
		width: ID_LENGTH + (watchesStatus ? STATUS_LENGTH : 0),
		sources: Object.fromEntries([...sources].map(([key, source]) => [key, packSource(source)])),
		...(startWith === undefined ? {} : { startWith }),
	};
}

/** Reads what was stored. @returns undefined for nothing at all, 'unreadable' for anything that is not whole and ours */
export function unpackState(stored: unknown): State | 'unreadable' | undefined {
	if (stored === undefined || stored === null) return undefined;
	const parsed = packedState.safeParse(stored);
	if (!parsed.success) return 'unreadable';
	const { print, width, sources, startWith } = parsed.data;
	try {
		return {
			print,
			sources: new Map(
				Object.entries(sources).map(([key, [from, next, isWhole, known, vanished, resumeAt]]) => [
					key,
					{
						from,
						next,
						isWhole: isWhole === 1,
						known: unpackIds(known, width),
						vanished: vanished.map(([until, ids]) => ({ until, ids: unpackIds(ids, width) })),
						...(resumeAt > 0 ? { resumeAt } : {}),
					},
				]),
			),
			...(startWith === undefined ? {} : { startWith }),
		};
	} catch {
		return 'unreadable';
	}
}

/** Stands for the parameters that decide what a trigger lists. */
export const fingerprint = (parameters: unknown) => hash(JSON.stringify(parameters), 16);

/** The name of a source in the state. @param company undefined for the search that names none */
export const keyOf = (kind: string, company?: string) => `${kind}:${company === undefined ? '' : shortId(company)}`;

/** What companies that have no state yet start with. */
export const seedKey = (kind: string) => `${kind}*`;

/** How many bytes a source takes in the state. */
export const sizeOf = (key: string, source: SourceState) =>
	Buffer.byteLength(JSON.stringify(packSource(source))) + key.length + 4;

const isIdle = ({ known, vanished, resumeAt }: SourceState) =>
	known.size === 0 && vanished.length === 0 && resumeAt === undefined;

/**
 * Lets companies of which there is nothing to remember begin where a company without a state begins. What is too late for
 * one of them is too late for all, so that nothing is given twice.
 * @param may whether a source may lose its state
 * @returns how many bytes that frees
 */
function share(state: State, may: (key: string, source: SourceState) => boolean): number {
	let freed = 0;
	for (const [seedName, seed] of state.sources) {
		if (!seedName.endsWith('*')) continue;
		const own = `${seedName.slice(0, -1)}:`;
		for (const [key, source] of state.sources) {
			if (!key.startsWith(own) || key === own || !isIdle(source) || !may(key, source)) continue;
			seed.from = Math.max(seed.from, source.from);
			seed.next = Math.max(seed.next, source.next);
			seed.isWhole &&= source.isWhole;
			freed += sizeOf(key, source);
			state.sources.delete(key);
		}
	}
	return freed;
}

/**
 * Keeps the state within its bound. Companies of which nothing is remembered share what they begin with; then the oldest
 * identities go first, and with them the window they were kept for, so that what is forgotten is never given twice.
 * @param times when the records of the lists just read were created, by source and short identity
 * @returns whether anything was lost by it
 */
export function trim(state: State, times: Map<string, Map<string, number>>, most = MAX_STATE_BYTES): boolean {
	const sizes = new Map([...state.sources].map(([key, source]) => [key, sizeOf(key, source)]));
	let excess = [...sizes.values()].reduce((sum, size) => sum + size, 256) - most;
	if (excess <= 0) return false;
	// Those just read that hold nothing back have given all there was, so a common beginning one reading back loses nothing.
	excess -= share(state, (key, { from }) =>
		[...(times.get(key)?.values() ?? [Infinity])].every((created) => created < from),
	);
	if (excess <= 0) return false;
	excess -= share(state, () => true);
	if (excess <= 0) return true;
	const aged = [...times].flatMap(([key, ids]) => {
		const known = state.sources.get(key)?.known;
		return [...ids].filter(([id]) => known?.has(id)).map(([id, created]) => ({ id, key, created }));
	});
	aged.sort((one, other) => one.created - other.created);
	for (const { id, key, created } of aged) {
		const source = state.sources.get(key);
		if (!source) continue;
		// Those created in the same moment as one that went must go as well.
		if (excess <= 0 && created >= source.from) continue;
		const status = source.known.get(id) ?? '';
		source.known.delete(id);
		source.from = Math.max(source.from, created + 1);
		source.next = Math.max(source.next, source.from);
		excess -= ID_LENGTH + status.length;
	}
	for (const [key, source] of state.sources) {
		const before = sizeOf(key, source);
		source.vanished = source.vanished.filter(({ until }) => until >= source.from);
		if (excess > 0) {
			// Nothing is left that could be told old from new: this source begins anew.
			source.vanished = [];
			if (!times.has(key) && source.known.size > 0) {
				source.known = new Map();
				source.isWhole = false;
				source.from = source.next = Math.max(source.next, ...aged.slice(-1).map(({ created }) => created));
			}
		}
		excess -= before - sizeOf(key, source);
	}
	if (excess > 0) share(state, () => true);
	return true;
}
