import { groupBy, mapValues, uniqBy } from 'lodash';

import type { SettledResult } from '../http/mapConcurrently';
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
import { readAfterParents, sortForReading } from './readCompanies';
import { DAY_MS } from './state';
import {
	createUnreadError,
	describeUnreadCompanies,
	findUnreadCompanies,
	formatCompanyNames,
	type UnreadCompany,
} from './unreadCompanies';

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
 * @throws NoCompanyReadError if no company could be read
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
	if (listsByCompanyId.size === 0) throw createUnreadError(poll.scope, unreadCompanies, sortedCompanies.length);
	for (const [index, company] of sortedCompanies.entries()) if (reads[index]) getState(company).requestedAt = startedAt;

	// An event in a parent's list may belong to a company below, so the parent waits until all companies below it are read completely.
	const decidableLists = [...listsByCompanyId.values()].filter(({ company }) =>
		areDescendantsComplete(company, listsByCompanyId),
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
	logReadGaps(poll, sortedCompanies, listsByCompanyId, unreadCompanies);
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

function forgetUnlistedCompanies(state: EventState, companies: WatchedCompany[], now: number): void {
	const listedIds = new Set(companies.map(({ id }) => id));
	for (const [id, { requestedAt }] of state.companies)
		if (!listedIds.has(id) && now - requestedAt > MAX_UNLISTED_MS) state.companies.delete(id);
}

/** A list that was read, as far as `logReadGaps` needs it. */
type ReadList = Pick<EventList, 'company' | 'isComplete'>;

/**
 * Returns true if the lists of all companies below a company were read completely. Until then, an event in the company's
 * list may belong to a company below.
 */
export const areDescendantsComplete = (
	{ descendants }: WatchedCompany,
	lists: ReadonlyMap<string, ReadList>,
): boolean => descendants.every(({ id }) => lists.get(id)?.isComplete === true);

/** Logs which companies could not be read completely, and for which of them other companies must wait. */
export function logReadGaps(
	{ logWarning, noun }: EventPoll,
	companies: WatchedCompany[],
	lists: ReadonlyMap<string, ReadList>,
	unreadCompanies: UnreadCompany[],
	isRetried = true,
): void {
	const readLists = [...lists.values()];
	const waitingLists = readLists.filter(({ company }) => !areDescendantsComplete(company, lists));
	const blockingCompanies = uniqBy(
		waitingLists.flatMap(({ company }) => company.descendants).filter(({ id }) => lists.get(id)?.isComplete !== true),
		'id',
	);
	const retryText = isRetried ? ' The next poll tries again.' : '';
	const waitingText =
		waitingLists.length > 0
			? ` ${formatCount(waitingLists.length, 'company')} above them must wait until these are read completely: ${formatCompanyNames(blockingCompanies)}.`
			: '';
	if (unreadCompanies.length > 0)
		logWarning(
			`The trigger could not read the ${noun} of ${unreadCompanies.length} of ${formatCount(companies.length, 'company')}${describeUnreadCompanies(unreadCompanies)}.${retryText}${waitingText}`,
		);
	else if (waitingLists.length > 0)
		logWarning(
			`The trigger could only read a part of the ${noun} of ${formatCount(readLists.filter(({ isComplete }) => !isComplete).length, 'company')}.${retryText}${waitingText}`,
		);
}
