import { sortBy } from 'lodash';

import { toError } from '../http/errors';
import { decideOnRecords, type Decisions, type RecordToEmit } from './decideOnRecords';
import {
	isRequestRefused,
	NO_COMPANY,
	readCompanyLists,
	sortForReading,
	type CompanyReadResults,
} from './readCompanies';
import {
	advanceCutoff,
	classifyRecord,
	copyListState,
	createListState,
	findEarliestUnreadCutoff,
	updateUnreadCompanies,
	pruneListState,
	rememberRecord,
	updateGlobalListCompleteness,
	type ListState,
} from './state';
import { createPollTimeoutError, createUnreadError, describeUnreadCompanies } from './unreadCompanies';
import type { Poll, WatchedCompany, WatchedList } from './defineTrigger';
import { formatCount } from '../values';

/**
 * The time in ms between two completeness checks. Such a check reads the lists of all companies, to find out whether
 * the global list still contains all their records. The time is shorter than a day, so that a record that the global
 * list lacks is found before it is older than the cutoff.
 */
const COMPLETENESS_CHECK_INTERVAL_MS = 12 * 60 * 60_000;

/** The result of polling one list: the records to emit, and the state to remember. */
export interface ListPollResult {
	recordsToEmit: RecordToEmit[];
	state: ListState;
}

/**
 * Polls one watched list: steps 1 to 4 in the README.md of this folder.
 * @param settings the current settings that decide what is watched; if they differ from the settings in the state, the
 * list starts over
 * @param previousState the state after the last poll; undefined before the first poll
 * @throws RequestError if neither the global list nor any company list could be read
 */
export async function pollWatchedList(
	poll: Poll,
	list: WatchedList,
	settings: ListState['settings'],
	previousState?: ListState,
): Promise<ListPollResult> {
	const changedSettings = Object.keys(settings).filter(
		(label) => previousState && previousState.settings[label] !== settings[label],
	);
	if (changedSettings.length > 0)
		poll.logWarning(
			`A setting that decides what is watched has changed (${changedSettings.join(', ')}), so the trigger starts over. All ${list.noun} that exist now count as existing.`,
		);
	const isFirstPoll = !previousState || changedSettings.length > 0;
	const state = isFirstPoll ? createListState(settings) : copyListState(previousState, poll.startedAt);
	// If the global list isn't used any more, it may become incomplete unnoticed. So the state forgets that it was
	// complete.
	if (!poll.canUseGlobalList) delete state.isGlobalListComplete;

	const isCompletenessCheckDue = poll.startedAt - state.companiesReadAt >= COMPLETENESS_CHECK_INTERVAL_MS;
	let recordsToEmit: RecordToEmit[] | undefined;
	if (state.isGlobalListComplete && !isCompletenessCheckDue) recordsToEmit = await pollGlobalList(poll, list, state);
	recordsToEmit ??= await pollCompanyLists(poll, list, state, isFirstPoll);

	const hasCompletenessChanged = isFirstPoll || previousState.isGlobalListComplete !== state.isGlobalListComplete;
	if (poll.scope.kind === 'every' && hasCompletenessChanged)
		poll.logInfo(
			`To watch ${list.noun}, the trigger reads ${state.isGlobalListComplete ? 'one list for all companies, and the list of each company twice a day' : 'the list of each company. Records that are in none of these lists are missed'}.`,
		);
	if (pruneListState(state))
		poll.logWarning(
			`There are more recent ${list.noun} than the trigger can remember. It forgot the oldest ones, so records that the platform lists late may be missed. ${poll.rules.shouldWatchStatus ? "Enter fewer 'Watched Days', or use" : 'Use'} several triggers for fewer companies each.`,
		);
	return { recordsToEmit, state };
}

/**
 * Polls the global list. If it has new records, company lists are read to find the owners of these records.
 * @returns undefined if the platform refuses the request; then the lists of all companies must be read
 * @throws RequestError if the global list could not be read
 */
async function pollGlobalList(poll: Poll, list: WatchedList, state: ListState): Promise<RecordToEmit[] | undefined> {
	const { cutoff } = state;
	const readLimits = { getCutoff: () => cutoff };
	const globalListReads = await readCompanyLists(poll, list, [NO_COMPANY], readLimits);
	const [globalList] = globalListReads.lists;
	if (!globalList) {
		const error = globalListReads.unreadCompanies[0]?.error;
		if (!isRequestRefused(error)) throw toError(error ?? createPollTimeoutError(poll.rules));
		state.companiesReadAt = 0;
		return undefined;
	}
	const newRecords = globalList.records.filter(
		(record) => classifyRecord(record, state, cutoff, poll.rules) === 'emit',
	);
	const ownerlessRecordIds = new Set(
		newRecords.map(({ id }) => id).filter((id) => !state.rememberedRecords.get(id)?.[2]),
	);
	const companies = newRecords.length > 0 ? await poll.getWatchedCompanies() : [];
	const ownerCandidates = ownerlessRecordIds.size > 0 ? sortForOwnerSearch(companies, state, ownerlessRecordIds) : [];
	const { lists, unreadCompanies } = await readCompanyLists(
		poll,
		list,
		ownerCandidates,
		readLimits,
		ownerlessRecordIds,
	);

	// Company lists are read after the global list, so they may contain newer records. The next poll decides on those.
	const globalListRecordIds = new Set(globalList.records.map(({ id }) => id));
	const candidateLists = lists.map((companyList) => ({
		...companyList,
		records: companyList.records.filter(({ id }) => globalListRecordIds.has(id)),
	}));
	// Each owner candidate may own a record of the global list. So for the decision, the candidates count as companies
	// below the placeholder company of the global list.
	const globalListWithCandidates = { ...globalList, company: { ...NO_COMPANY, descendants: ownerCandidates } };
	const decisions = decideOnRecords(poll, state, {
		lists: [globalListWithCandidates, ...candidateLists],
		getNewRecordsStart: () => cutoff,
		companies,
	});
	// Unread companies stay in the state until the next completeness check, which reads their lists back to their
	// cutoffs. So no list is passed as read here.
	updateUnreadCompanies(state, { lists: [], unreadCompanies }, cutoff, poll.startedAt);
	updateStateAfterReads(poll, list, state, { lists: [globalList, ...lists], unreadCompanies, ...decisions });
	return decisions.recordsToEmit;
}

/**
 * Sorts the companies into the order in which their lists are searched for the owners of new records. Companies without
 * children come first. Companies with newer remembered records come before others. If all these records are already
 * waiting, returns only the companies in trees that contain an unread company.
 * @param ownerlessRecordIds the IDs of the new records without a remembered owner
 */
function sortForOwnerSearch(
	companies: WatchedCompany[],
	{ rememberedRecords, unreadCompanies, waitingRecords }: ListState,
	ownerlessRecordIds: Set<string>,
): WatchedCompany[] {
	const newestHourByCompanyId = new Map<string, number>();
	for (const [createHour, , companyId] of rememberedRecords.values())
		newestHourByCompanyId.set(companyId, Math.max(createHour, newestHourByCompanyId.get(companyId) ?? 0));
	const unreadRootIds = new Set(companies.filter(({ id }) => unreadCompanies.has(id)).map(({ rootId }) => rootId));
	const areAllRecordsWaiting = [...ownerlessRecordIds].every((id) => waitingRecords.has(id));
	return sortBy(
		companies.filter((company) => !areAllRecordsWaiting || unreadRootIds.has(company.rootId)),
		[({ descendants }) => descendants.length > 0, ({ id }) => -(newestHourByCompanyId.get(id) ?? 0)],
	);
}

/**
 * Polls the lists of all companies, if the interval of 'Read Each Company Every' has passed since they were read last.
 * Trees with an unread company come first. If the global list can be used, reads it before them, to find out whether it
 * is complete.
 * @throws RequestError if neither the global list nor any company list could be read
 */
async function pollCompanyLists(
	poll: Poll,
	list: WatchedList,
	state: ListState,
	isFirstPoll: boolean,
): Promise<RecordToEmit[]> {
	const { rules, startedAt } = poll;
	if (!isFirstPoll && startedAt - state.companiesReadAt < poll.companyReadIntervalMs) return [];
	const companies = await poll.getWatchedCompanies();
	const defaultNewRecordsStart = isFirstPoll ? rules.includeExistingSince : state.cutoff;
	const getNewRecordsStart = (companyId: string) =>
		state.unreadCompanies.get(companyId)?.cutoff ?? defaultNewRecordsStart;
	// A new record in the list of a parent may belong to its child. So the list of a company is read back as far as the
	// lists of the companies above it. The global list may contain the records of every company, so it is read back as
	// far as any company's list.
	const getCutoff = (company: WatchedCompany, newestCreatedAt: number) => {
		const relatedCutoffs =
			company.id === NO_COMPANY.id ? [findEarliestUnreadCutoff(state)] : company.ancestorIds.map(getNewRecordsStart);
		const windowStart = isFirstPoll ? newestCreatedAt - rules.windowMs : state.cutoff;
		return Math.min(getNewRecordsStart(company.id), ...relatedCutoffs, windowStart);
	};
	const globalListReads = await readCompanyLists(poll, list, poll.canUseGlobalList ? [NO_COMPANY] : [], { getCutoff });
	const globalListRecords = globalListReads.lists.flatMap(({ records }) => records);

	const unreadPositionsById = new Map([...state.unreadCompanies.keys()].map((id, position) => [id, position]));
	const sortedCompanies = sortForReading(companies, (id) => unreadPositionsById.get(id) ?? Infinity);
	const { lists, unreadCompanies } = await readCompanyLists(poll, list, sortedCompanies, { getCutoff });
	if (lists.length === 0 && companies.length > 0)
		throw createUnreadError(poll.scope, unreadCompanies, companies.length, rules);

	const decisions = decideOnRecords(poll, state, {
		lists,
		getNewRecordsStart: ({ id }) => getNewRecordsStart(id),
		companies,
	});
	if (unreadCompanies.length > 0)
		poll.logWarning(
			`The trigger could not read the ${list.noun} of ${unreadCompanies.length} of ${formatCount(companies.length, 'company')}${describeUnreadCompanies(unreadCompanies)}. The next poll tries again.`,
		);
	// A record that is only in the global list may be the reseller's own. The first poll remembers it, so that it is never
	// emitted. But if the first poll could not read a company, the record may belong to that company. If it was created
	// after 'Include Existing Since', it isn't remembered then, so that a later poll can emit it.
	const globalListNewRecordsStart =
		isFirstPoll && unreadCompanies.length === 0 ? Infinity : getNewRecordsStart(NO_COMPANY.id);
	for (const record of globalListRecords)
		if (
			!state.rememberedRecords.has(record.id) &&
			classifyRecord(record, state, globalListNewRecordsStart, rules) === 'remember'
		)
			rememberRecord(state, record, '', startedAt);

	const allReads: CompanyReadResults = {
		lists: [...lists, ...globalListReads.lists],
		unreadCompanies: [...unreadCompanies, ...globalListReads.unreadCompanies],
	};
	updateUnreadCompanies(state, allReads, Math.min(defaultNewRecordsStart, startedAt), startedAt);
	updateStateAfterReads(poll, list, state, { lists: allReads.lists, unreadCompanies, ...decisions });
	if (globalListReads.lists.length > 0) updateGlobalListCompleteness(state, globalListRecords, lists, startedAt);
	if (globalListReads.unreadCompanies.some(({ error }) => isRequestRefused(error))) state.isGlobalListComplete = false;
	// 0 makes the second poll read the company lists again, without waiting for the interval.
	state.companiesReadAt = isFirstPoll && !state.isGlobalListComplete ? 0 : startedAt;
	return decisions.recordsToEmit;
}

/**
 * The lists that were read from one watched list, the companies that could not be read, and the decisions about the
 * records.
 */
interface ReadsAndDecisions extends CompanyReadResults, Decisions {}

/**
 * Updates the cutoff after the lists were read, and logs warnings. A company whose list may lack a waiting record is
 * added to the unread companies.
 */
function updateStateAfterReads(poll: Poll, list: WatchedList, state: ListState, reads: ReadsAndDecisions): void {
	const { lists, previouslyWaitingRecords } = reads;
	const records = lists.flatMap((companyList) => companyList.records);
	if (state.cutoff === 0 || lists.every(({ isStable }) => isStable))
		advanceCutoff(state, records, poll.rules, poll.startedAt);
	// The cutoff must not rise above a record that is waiting, or was waiting until this poll. Otherwise the next poll
	// would ignore that record.
	const waitingCreateTimes = [...previouslyWaitingRecords, ...state.waitingRecords.values()].map(
		({ createdAt = Infinity }) => createdAt,
	);
	state.cutoff = Math.min(state.cutoff, ...waitingCreateTimes);
	// A list that changed while it was read, or that has several pages, may lack a waiting record.
	const possiblyIncompleteLists =
		state.waitingRecords.size > 0 ? lists.filter(({ isStable, pageCount }) => !isStable || pageCount > 1) : [];
	for (const { company } of possiblyIncompleteLists)
		if (!state.unreadCompanies.has(company.id))
			state.unreadCompanies.set(company.id, { cutoff: state.cutoff, unreadSince: poll.startedAt });
	logWarnings(poll, list, state, reads);
}

/** Logs warnings about records that have no ID, have to wait, are never emitted, or have no known company. */
function logWarnings(
	poll: Poll,
	list: WatchedList,
	state: ListState,
	{ lists, unreadCompanies, recordsToEmit, droppedRecordCount }: ReadsAndDecisions,
): void {
	const unreadText = describeUnreadCompanies(unreadCompanies);
	const warnAbout = (count: number, action: string, explanation: string) => {
		if (count > 0)
			poll.logWarning(`The trigger ${action} ${formatCount(count, 'record')} of the ${list.noun} ${explanation}.`);
	};
	warnAbout(
		lists.reduce((sum, { missingIdCount }) => sum + missingIdCount, 0),
		'cannot watch',
		'without a known ID',
	);
	warnAbout(state.waitingRecords.size, 'does not emit', `yet, because the owner is not certain${unreadText}`);
	warnAbout(
		droppedRecordCount,
		'does not emit',
		`that may belong to a company that 'Only Companies' excludes${unreadText}`,
	);
	if (poll.scope.kind === 'every')
		warnAbout(
			recordsToEmit.filter(({ company }) => company.id === '').length,
			'emits',
			"without a company, because no company's list shows the owner",
		);
}
