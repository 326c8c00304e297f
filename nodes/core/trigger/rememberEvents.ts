import { settleConcurrently } from '../http/mapConcurrently';
import { RequestError } from '../http/errors';
import { formatCount } from '../values';
import type { EventDecisions } from './decideOnEvents';
import type { EventList, EventPoll, ListedEvent, EventToEmit } from './defineEventTrigger';
import type { WatchedCompany } from './defineTrigger';
import {
	countEvent,
	countRememberedEvents,
	forgetOldEvents,
	MAX_REMEMBERED_EVENTS,
	packEvents,
	unpackEvents,
	type CompanyEventState,
	type EventCounts,
	type EventState,
} from './eventState';
import { HOUR_MS } from './state';
import { describeUnreadCompanies } from './unreadCompanies';

/** The decisions about one company's events, and which of its new events are confirmed. */
interface DecidedList extends EventList, EventDecisions {
	confirmedEvents: ListedEvent[];
	/** The error of the confirmation. The company is then read again in the next poll. */
	error: unknown;
}

/** Confirms the new events of each company. If that fails, the events that need no confirmation count as confirmed. */
export async function confirmLists(
	{ source, client }: EventPoll,
	lists: Array<EventList & EventDecisions>,
): Promise<DecidedList[]> {
	const results = await settleConcurrently(lists, client.settings.concurrency, async ({ company, newEvents }) => {
		const uncertainEvents = newEvents.filter(({ event }) => source.needsConfirmation(event));
		if (uncertainEvents.length === 0) return new Map<ListedEvent, ListedEvent>();
		const answers = await source.confirmEvents(
			company,
			uncertainEvents.map(({ event }) => event),
		);
		const confirmedEvents = new Map<ListedEvent, ListedEvent>();
		for (const [index, uncertainEvent] of uncertainEvents.entries()) {
			const event = answers[index];
			if (event) confirmedEvents.set(uncertainEvent, { ...uncertainEvent, event });
		}
		return confirmedEvents;
	});
	return lists.map((list, index) => {
		const result = results[index];
		const answers = result?.ok ? result.value : new Map<ListedEvent, ListedEvent>();
		const confirmedEvents = list.newEvents.flatMap((newEvent) => {
			if (source.needsConfirmation(newEvent.event)) return answers.get(newEvent) ?? [];
			return newEvent;
		});
		return { ...list, confirmedEvents, error: result?.ok === false ? result.error : undefined };
	});
}

/**
 * Saves the decisions in the state. If the memory is full, the events of a company wait until the next poll.
 * @returns the events to emit
 * @throws RequestError if the memory is full in the first poll
 */
export function rememberDecisions(
	poll: EventPoll,
	state: EventState,
	lists: DecidedList[],
	getStart: (company: WatchedCompany) => number,
	isFirstPoll: boolean,
): EventToEmit[] {
	const emittedEvents: EventToEmit[] = [];
	const unconfirmedLists = lists.filter(({ error }) => error !== undefined);
	let totalCount = [...state.companies.values()].reduce((sum, company) => sum + countRememberedEvents(company), 0);
	let fullCompanyCount = 0;
	let droppedCount = 0;
	for (const list of lists) {
		const { company, newEvents, existingEvents, confirmedEvents } = list;
		const companyState = state.companies.get(company.id);
		if (!companyState) continue;
		const addedCount = company.isSelected ? newEvents.length + existingEvents.length : 0;
		if (totalCount + addedCount > MAX_REMEMBERED_EVENTS) {
			if (isFirstPoll) throw new RequestError(TOO_MANY_EVENTS);
			fullCompanyCount++;
			continue;
		}
		totalCount += addedCount;
		if (company.isSelected) {
			droppedCount += rememberEvents(companyState, list, poll.startedAt, getStart(company));
			emittedEvents.push(...confirmedEvents.map(({ event }) => ({ event, company })));
		}
		companyState.wasRead ||= list.isComplete;
		if (list.isComplete && list.error === undefined)
			companyState.since = Math.max(companyState.since, poll.startedAt - poll.windowMs);
	}
	if (unconfirmedLists.length > 0)
		poll.logWarning(
			`The trigger could not confirm the ${poll.noun} of ${formatCount(unconfirmedLists.length, 'company')}${describeUnreadCompanies(unconfirmedLists)}. The next poll tries again.`,
		);
	if (fullCompanyCount > 0)
		poll.logWarning(
			`The trigger remembers as many ${poll.noun} as it can, so those of ${formatCount(fullCompanyCount, 'company')} wait. Enter fewer 'Window (Days)', or use several triggers for fewer companies each.`,
		);
	if (droppedCount > 0)
		poll.logWarning(
			`The trigger does not emit ${formatCount(droppedCount, 'event')}, because no list of results confirmed them in time, or because the platform removed them.`,
		);
	return emittedEvents;
}

const TOO_MANY_EVENTS = {
	reason: `there are more than ${MAX_REMEMBERED_EVENTS} events, which is more than a trigger can remember`,
	advice:
		"Enter fewer 'Window (Days)', select fewer events in 'Watch Names or IDs', or use several triggers for fewer companies each.",
};

/**
 * Updates the remembered and the waiting events of a company.
 * @returns the number of events that waited and are no longer listed
 */
function rememberEvents(companyState: CompanyEventState, list: DecidedList, now: number, start: number): number {
	const hour = Math.floor(now / HOUR_MS);
	const listedHashes = new Set(list.events.map(({ hash }) => hash));
	const decidedEvents = [...list.existingEvents, ...list.confirmedEvents];
	const rememberedEvents = unpackEvents(companyState.rememberedEvents);
	for (const { hash } of decidedEvents) countEvent(rememberedEvents, hash, hour);
	companyState.rememberedEvents = packEvents(
		forgetOldEvents(rememberedEvents, start, (hash) => listedHashes.has(hash)),
	);

	const previouslyWaiting = unpackEvents(companyState.waitingEvents);
	const confirmedHashes = new Set(list.confirmedEvents.map(({ hash }) => hash));
	const waitingEvents: EventCounts = new Map();
	for (const { hash } of list.newEvents)
		if (!confirmedHashes.has(hash)) countEvent(waitingEvents, hash, previouslyWaiting.get(hash)?.firstSeenHour ?? hour);
	const unlistedEvents = [...previouslyWaiting].filter(([hash]) => !listedHashes.has(hash));
	// If the events changed while they were read, an unlisted event may still exist.
	if (!list.isComplete) for (const [hash, eventCount] of unlistedEvents) waitingEvents.set(hash, eventCount);
	companyState.waitingEvents = packEvents(waitingEvents);
	return list.isComplete ? unlistedEvents.reduce((sum, [, { count }]) => sum + count, 0) : 0;
}
