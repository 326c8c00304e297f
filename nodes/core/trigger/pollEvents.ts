import { groupBy, mapValues } from 'lodash';

import type { SettledResult } from '../http/mapConcurrently';
import { isCancellationError, isNotFound, toError } from '../http/errors';
import { formatCount } from '../values';
import { decideOnEvents } from './decideOnEvents';
import type { EventList, EventPoll, EventToEmit } from './defineEventTrigger';
import { confirmLists, rememberDecisions } from './rememberEvents';
import type { WatchedCompany } from './defineTrigger';
import {
	hashEventKey,
	MAX_CATCH_UP_MS,
	unpackEvents,
	type CompanyEventState,
	type EventCount,
	type EventCounts,
	type EventState,
} from './eventState';
import { createPollTimeoutError, describeFirstError } from './pollList';
import { readAfterParents, sortForReading, type UnreadCompany } from './readCompanies';
import { DAY_MS } from './state';

/** The time in ms for which the state of a company is kept after the platform no longer lists the company. */
const MAX_UNLISTED_MS = MAX_CATCH_UP_MS + DAY_MS;

/** The result of a poll: the events to emit, and the state to remember. */
export interface EventPollResult {
	eventsToEmit: EventToEmit[];
	state: EventState;
}

/**
 * Polls the events of all companies that are due. Reads the events of the window again, and finds those that are not
 * remembered. The first poll remembers the existing events and emits none.
 * @param settings the settings that decide what is watched
 * @throws RequestError if no company could be read. It is a 404 only if every company answered 404.
 */
export async function pollEvents(
	poll: EventPoll,
	settings: EventState['settings'],
	previousState: EventState | undefined,
): Promise<EventPollResult> {
	const { startedAt, windowMs } = poll;
	const isFirstPoll = !previousState;
	const state: EventState = isFirstPoll
		? { settings, firstPollAt: startedAt, usesFallback: poll.usesFallback, companies: new Map() }
		: copyEventState(previousState, startedAt);
	const companies = await poll.getWatchedCompanies();
	// Events from before the first poll are not emitted, also for a company that is added later.
	const initialSince = isFirstPoll ? startedAt - windowMs : Math.max(startedAt - windowMs, state.firstPollAt);
	for (const { id } of companies)
		if (!state.companies.has(id)) state.companies.set(id, createCompanyState(initialSince));

	const getState = ({ id }: WatchedCompany) => state.companies.get(id) ?? createCompanyState(initialSince);
	const trees = groupBy(companies, 'rootId');
	const isDue = (company: WatchedCompany) =>
		isFirstPoll || startedAt - getState(company).requestedAt >= poll.companyReadIntervalMs;
	const dueCompanies = Object.values(trees)
		.filter((tree) => tree.some(isDue))
		.flat();
	if (dueCompanies.length === 0) return { eventsToEmit: [], state };
	// The lists of a parent and its child may contain the same events. So all companies of a tree are read from the same time.
	const treeStarts = mapValues(trees, (tree) =>
		Math.max(startedAt - MAX_CATCH_UP_MS, Math.min(...tree.map((company) => getState(company).since))),
	);
	const getStart = ({ rootId }: WatchedCompany) => treeStarts[rootId] ?? initialSince;
	const treeCounts = mapValues(trees, (tree) => mergeRememberedEvents(tree.map(getState)));

	const sortedCompanies = sortForReading(dueCompanies, (id) => state.companies.get(id)?.requestedAt ?? 0);
	const reads = await readAfterParents(poll, sortedCompanies, (company) =>
		readEventList(poll, company, getStart(company), isFirstPoll, getState(company)),
	);
	const listsByCompanyId = collectLists(sortedCompanies, reads);
	const unreadCompanies = findUnreadCompanies(sortedCompanies, reads);
	if (listsByCompanyId.size === 0)
		throw toError(chooseError(unreadCompanies.map(({ error }) => error ?? createPollTimeoutError())));
	for (const [index, company] of sortedCompanies.entries()) if (reads[index]) getState(company).requestedAt = startedAt;

	// An event in a parent's list may belong to a company below, so the parent waits until all companies below it are read completely.
	const decidableLists = [...listsByCompanyId.values()].filter(({ company }) =>
		company.descendants.every(({ id }) => listsByCompanyId.get(id)?.isComplete === true),
	);
	const decidedLists = await confirmLists(
		poll,
		decidableLists.map((list) => {
			const descendantLists = list.company.descendants.map(({ id }) => listsByCompanyId.get(id)?.events ?? []);
			const rememberedEvents = treeCounts[list.company.rootId] ?? new Map<string, EventCount>();
			return { ...list, ...decideOnEvents({ ...list, rememberedEvents, descendantLists }) };
		}),
	);
	const eventsToEmit = rememberDecisions(poll, state, decidedLists, getStart, isFirstPoll);

	// A company that the first poll could not read has existing events that no poll has remembered.
	if (isFirstPoll)
		for (const companyState of state.companies.values()) if (!companyState.wasRead) companyState.since = startedAt;
	forgetUnlistedCompanies(state, companies, startedAt);
	const incompleteCount = [...listsByCompanyId.values()].filter(({ isComplete }) => !isComplete).length;
	const waitingCount = listsByCompanyId.size - decidableLists.length;
	logUnreadCompanies(poll, unreadCompanies, sortedCompanies.length, incompleteCount, waitingCount);
	return { eventsToEmit, state };
}

const createCompanyState = (since: number): CompanyEventState => ({
	since,
	requestedAt: 0,
	wasRead: false,
	rememberedEvents: [],
	waitingEvents: [],
});

/** Copies a state, so that a poll can change the copy. Times after `now` are reduced, because a clock may be set back. */
function copyEventState(state: EventState, now: number): EventState {
	const companies = new Map(
		[...state.companies].map(([id, company]) => [
			id,
			{
				...company,
				since: Math.min(company.since, now),
				requestedAt: company.requestedAt > now ? 0 : company.requestedAt,
			},
		]),
	);
	return { ...state, companies };
}

function mergeRememberedEvents(states: CompanyEventState[]): EventCounts {
	const counts: EventCounts = new Map();
	for (const { rememberedEvents } of states)
		for (const [hash, eventCount] of unpackEvents(rememberedEvents)) {
			const { count = 0 } = counts.get(hash) ?? {};
			counts.set(hash, { ...eventCount, count: count + eventCount.count });
		}
	return counts;
}

/** Reads the events of one company. @param start the time in ms since 1970 from which events are read */
async function readEventList(
	{ source }: EventPoll,
	company: WatchedCompany,
	start: number,
	isFirstPoll: boolean,
	{ since, wasRead }: CompanyEventState,
): Promise<EventList> {
	const readEvents = async (from: number) => {
		const { events, isComplete } = await source.readEvents(company, from);
		return { events: events.map((event) => ({ event, hash: hashEventKey(source.getKey(event)) })), isComplete };
	};
	const list = await readEvents(start);
	if (isFirstPoll) return { ...list, company, possiblyNewHashes: new Set() };
	if (wasRead || start >= since) return { ...list, company, possiblyNewHashes: undefined };
	// The company is read for the first time, and from an earlier time than necessary. Only the platform knows which of the
	// events are from the time since the first poll, because the format of their times is unknown.
	const recentList = await readEvents(since);
	// An event that only the recent list lacks would count as an earlier one.
	if (!recentList.isComplete) return { ...recentList, company, possiblyNewHashes: undefined };
	return { ...list, company, possiblyNewHashes: new Set(recentList.events.map(({ hash }) => hash)) };
}

function collectLists(
	companies: WatchedCompany[],
	reads: Array<SettledResult<EventList> | undefined>,
): Map<string, EventList> {
	const lists = new Map<string, EventList>();
	for (const [index, { id }] of companies.entries()) {
		const read = reads[index];
		if (read?.ok) lists.set(id, read.value);
	}
	return lists;
}

/** Finds the companies that could not be read. A company without an error was not read in time. */
function findUnreadCompanies(
	companies: WatchedCompany[],
	reads: Array<SettledResult<EventList> | undefined>,
): UnreadCompany[] {
	return companies.flatMap((company, index): UnreadCompany[] => {
		const read = reads[index];
		if (read?.ok) return [];
		return [read && !isCancellationError(read.error) ? { company, error: read.error } : { company }];
	});
}

/** Chooses the error to report if no company could be read: one that isn't a 404, if there is one. */
export const chooseError = (errors: unknown[]): unknown => errors.find((error) => !isNotFound(error)) ?? errors[0];

function forgetUnlistedCompanies(state: EventState, companies: WatchedCompany[], now: number): void {
	const listedIds = new Set(companies.map(({ id }) => id));
	for (const [id, { requestedAt }] of state.companies)
		if (!listedIds.has(id) && now - requestedAt > MAX_UNLISTED_MS) state.companies.delete(id);
}

/**
 * @param incompleteCount the number of companies whose events were only partly read
 * @param waitingCount the number of companies that wait until the companies below them are read completely
 */
function logUnreadCompanies(
	{ logWarning, noun }: EventPoll,
	unreadCompanies: UnreadCompany[],
	companyCount: number,
	incompleteCount: number,
	waitingCount: number,
): void {
	const waitingText =
		waitingCount > 0 ? ` ${formatCount(waitingCount, 'company')} above them must wait for this as well.` : '';
	if (unreadCompanies.length > 0)
		logWarning(
			`The trigger could not read the ${noun} of ${unreadCompanies.length} of ${formatCount(companyCount, 'company')}. The next poll tries again${describeFirstError(unreadCompanies)}.${waitingText}`,
		);
	else if (waitingCount > 0)
		logWarning(
			`The trigger could only read a part of the ${noun} of ${formatCount(incompleteCount, 'company')}. The next poll tries again.${waitingText}`,
		);
}
