import type { ListedEvent } from './defineEventTrigger';
import type { EventCounts } from './eventState';

/** The events that were read for a company, and what is known about them. */
export interface EventDecisionInput {
	events: ListedEvent[];
	/** False if the events changed while they were read. A page may then contain an event of the page before. */
	isComplete: boolean;
	/** The events that the trigger remembers for the company and for all companies of its tree. */
	rememberedEvents: EventCounts;
	/** The lists of the companies below the company. They may contain the same events. */
	descendantLists: ListedEvent[][];
	/**
	 * The hashes of the events that are new if they aren't remembered. All other events existed before the trigger first
	 * read the company. Undefined if every event may be new.
	 */
	possiblyNewHashes: ReadonlySet<string> | undefined;
}

/** The events of a company that no poll has decided on yet. */
export interface EventDecisions {
	newEvents: ListedEvent[];
	/** The events from before the trigger watched the company. They are remembered and never emitted. */
	existingEvents: ListedEvent[];
}

/**
 * Finds the events that are neither remembered nor in the list of a company below. Equal events are counted: if two are
 * listed and one is remembered, one is new. If the events changed while they were read, only one of several equal events counts,
 * because the same event may have been read twice.
 */
export function decideOnEvents(input: EventDecisionInput): EventDecisions {
	const { events, isComplete, rememberedEvents, descendantLists, possiblyNewHashes } = input;
	const descendantCounts = descendantLists.map(countHashes);
	const getKnownCount = (hash: string) =>
		Math.max(rememberedEvents.get(hash)?.count ?? 0, ...descendantCounts.map((counts) => counts.get(hash) ?? 0));
	const decisions: EventDecisions = { newEvents: [], existingEvents: [] };
	const listedCounts = new Map<string, number>();
	for (const listedEvent of events) {
		const { hash } = listedEvent;
		const listedCount = (listedCounts.get(hash) ?? 0) + 1;
		listedCounts.set(hash, listedCount);
		if (listedCount <= getKnownCount(hash)) continue;
		const isPossiblyNew = possiblyNewHashes?.has(hash) ?? true;
		if (!isPossiblyNew) decisions.existingEvents.push(listedEvent);
		else if (isComplete || listedCount === 1) decisions.newEvents.push(listedEvent);
	}
	return decisions;
}

function countHashes(events: ListedEvent[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const { hash } of events) counts.set(hash, (counts.get(hash) ?? 0) + 1);
	return counts;
}
