import { z } from 'zod';

import { createMapSchema, DAY_MS, HOUR_MS, timestampSchema } from './state';

/** The time in ms for which polls go back to the missed events of a company that could not be read. */
export const MAX_CATCH_UP_MS = 14 * DAY_MS;
/** The time in ms for which an event is remembered after it has left the window. A platform may round dates to days. */
const FORGET_DELAY_MS = DAY_MS;
/** The maximum number of events that a trigger remembers. A saved event takes 11 bytes, so that they take about 1 MB. */
export const MAX_REMEMBERED_EVENTS = 100_000;
/** The length of a hash in characters. */
const HASH_LENGTH = 11;

/**
 * Remembered events in the form in which they are saved: for each hour in which events were first seen (in hours since
 * 1970), the hashes of these events as one text. Equal events have the same hash, which is saved once for each of them.
 */
const packedEventsSchema = z.array(z.tuple([z.number().int(), z.string()]));
type PackedEvents = z.output<typeof packedEventsSchema>;

const companyEventsSchema = z.object({
	/** The time in ms since 1970 from which the next poll reads events. It never decreases. */
	since: timestampSchema,
	/** The time of the last poll that requested the events of the company. */
	requestedAt: timestampSchema,
	/** True if a poll has read all events of the company. */
	wasRead: z.boolean(),
	/** The events that were emitted or will never be emitted. */
	rememberedEvents: packedEventsSchema,
	/** The events that are not confirmed yet. */
	waitingEvents: packedEventsSchema,
});
/** The state of one company's events. */
export type CompanyEventState = z.output<typeof companyEventsSchema>;

export const eventStateSchema = z.object({
	/** The settings that decide what is watched, by their labels. If one of them changes, the trigger starts over. */
	settings: z.record(z.string()),
	/** The time of the first poll. */
	firstPollAt: timestampSchema,
	/** True if the events come from the fallback source, because the platform lacks the list of events. */
	usesFallback: z.boolean().optional(),
	/** The state of each company, by its ID. */
	companies: createMapSchema(companyEventsSchema),
});
/** The state of a trigger that watches events. */
export type EventState = z.output<typeof eventStateSchema>;

/** The number of equal events, and the hour in which they were first seen (in hours since 1970). */
export interface EventCount {
	count: number;
	firstSeenHour: number;
}

/** The number of events for each hash. */
export type EventCounts = Map<string, EventCount>;

/**
 * Calculates a hash of 53 bits (cyrb53), as 11 characters. Hashes are compared only within a tree of companies, so that two
 * different events practically never have the same hash.
 */
export function hashEventKey(key: string): string {
	let high = 0xdeadbeef;
	let low = 0x41c6ce57;
	for (let index = 0; index < key.length; index++) {
		const code = key.charCodeAt(index);
		high = Math.imul(high ^ code, 2654435761);
		low = Math.imul(low ^ code, 1597334677);
	}
	high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
	low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
	const hash = 4294967296 * (2097151 & low) + (high >>> 0);
	return hash.toString(36).padStart(HASH_LENGTH, '0');
}

/** Adds one event to the counts. */
export function countEvent(counts: EventCounts, hash: string, seenHour: number): void {
	const { count = 0, firstSeenHour = seenHour } = counts.get(hash) ?? {};
	counts.set(hash, { count: count + 1, firstSeenHour });
}

export function unpackEvents(packedEvents: PackedEvents): EventCounts {
	const counts: EventCounts = new Map();
	for (const [hour, hashes] of packedEvents)
		for (let start = 0; start < hashes.length; start += HASH_LENGTH)
			countEvent(counts, hashes.slice(start, start + HASH_LENGTH), hour);
	return counts;
}

export function packEvents(counts: EventCounts): PackedEvents {
	const hashesByHour = new Map<number, string>();
	for (const [hash, { count, firstSeenHour }] of counts)
		hashesByHour.set(firstSeenHour, (hashesByHour.get(firstSeenHour) ?? '') + hash.repeat(count));
	return [...hashesByHour];
}

/** Returns the number of events that a company has in the memory. */
export const countRememberedEvents = ({ rememberedEvents, waitingEvents }: CompanyEventState): number =>
	[...rememberedEvents, ...waitingEvents].reduce((sum, [, hashes]) => sum + hashes.length / HASH_LENGTH, 0);

/**
 * Forgets the events that were first seen a day or more before the time from which events are read, unless the platform
 * still lists them. Later polls don't request events from that time.
 */
export function forgetOldEvents(counts: EventCounts, since: number, isListed: (hash: string) => boolean): EventCounts {
	const oldestHour = (since - FORGET_DELAY_MS) / HOUR_MS;
	return new Map([...counts].filter(([hash, { firstSeenHour }]) => firstSeenHour >= oldestHour || isListed(hash)));
}
