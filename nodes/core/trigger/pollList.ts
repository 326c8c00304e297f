import { sortBy } from 'lodash';

import { toError, RequestError } from '../http/errors';
import { decideOnRecords, type Decisions, type NewRecord } from './decideOnRecords';
import {
	isRequestRefused,
	NO_COMPANY,
	readCompanyLists,
	sortForReading,
	type CompanyReads,
	type UnreadCompany,
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
	updateCoverage,
	type ListState,
} from './state';
import type { Poll, TriggerRules, WatchedCompany, WatchedList } from './defineTrigger';
import { formatCount } from '../values';

/**
 * The time in ms between two coverage checks. A coverage check reads the lists of all companies, to find out whether the
 * global list is still complete. The time is shorter than a day, so that a record that the global list lacks is found
 * before it is older than the cutoff.
 */
const COVERAGE_CHECK_INTERVAL_MS = 12 * 60 * 60_000;

/** Creates the error for a poll that reached its time limit. */
export const createPollTimeoutError = (rules?: TriggerRules) =>
	new RequestError({
		reason: 'the service did not answer in the time that a poll has for it',
		advice: `The next poll tries again. If it goes on, set another 'Concurrency' or a larger 'Page Size'${rules?.watchesStatus ? " or fewer 'Watched Days'" : ''}, or split the trigger by company.`,
		cause: 'temporarily-unavailable',
		isTransient: true,
	});

/** The result of polling one list: the records to emit, and the state to remember. */
export interface ListPollResult {
	newRecords: NewRecord[];
	state: ListState;
}

/**
 * Polls one list, in the five steps of the README.
 * @param settings the current settings that decide what is watched
 * @param previousState the state after the last poll
 * @throws RequestError if no list could be read
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
			`What is watched has changed (${changedSettings.join(', ')}), so the trigger begins anew: the ${list.noun} that there are now count as existing.`,
		);
	const isFirstPoll = !previousState || changedSettings.length > 0;
	const state = isFirstPoll ? createListState(settings) : copyListState(previousState, poll.startedAt);
	// While the global list isn't read, nothing shows that it becomes incomplete. So the earlier result is dropped.
	if (!poll.mayUseGlobalList) delete state.isGlobalListComplete;

	const isCoverageCheckDue = poll.startedAt - state.companiesReadAt >= COVERAGE_CHECK_INTERVAL_MS;
	let newRecords: NewRecord[] | undefined;
	if (state.isGlobalListComplete && !isCoverageCheckDue) newRecords = await pollGlobalList(poll, list, state);
	newRecords ??= await pollCompanyLists(poll, list, state, isFirstPoll);

	const hasCoverageChanged = isFirstPoll || previousState.isGlobalListComplete !== state.isGlobalListComplete;
	if (poll.scope.kind === 'every' && hasCoverageChanged)
		poll.logInfo(
			`The ${list.noun}: asks ${state.isGlobalListComplete ? 'one list for all, and each company twice a day' : 'each company; what none of their lists shows does not come'}.`,
		);
	if (pruneListState(state))
		poll.logWarning(
			`More recent ${list.noun} than can be remembered: the oldest were forgotten, so what is listed late may be missed. ${poll.rules.watchesStatus ? "Set fewer 'Watched Days', or split" : 'Split'} the trigger by company.`,
		);
	return { newRecords, state };
}

/**
 * Polls the global list. If it has new records, the lists of companies are read only to find the owners of these
 * records.
 * @returns undefined if the platform refuses the global list; then the lists of all companies must be read
 * @throws RequestError if the global list could not be read
 */
async function pollGlobalList(poll: Poll, list: WatchedList, state: ListState): Promise<NewRecord[] | undefined> {
	const { cutoff } = state;
	const range = { getCutoff: () => cutoff };
	const globalReads = await readCompanyLists(poll, list, [NO_COMPANY], range);
	const [globalList] = globalReads.lists;
	if (!globalList) {
		const error = globalReads.unreadCompanies[0]?.error;
		if (!isRequestRefused(error)) throw toError(error ?? createPollTimeoutError(poll.rules));
		state.companiesReadAt = 0;
		return undefined;
	}
	const recordsToEmit = globalList.records.filter(
		(record) => classifyRecord(record, state, cutoff, poll.rules) === 'emit',
	);
	const ownerlessIds = new Set(recordsToEmit.map(({ id }) => id).filter((id) => !state.rememberedRecords.get(id)?.[2]));
	const companies = recordsToEmit.length > 0 ? await poll.listCompanies() : [];
	const candidates = ownerlessIds.size > 0 ? sortForOwnerSearch(companies, state, ownerlessIds) : [];
	const { lists, unreadCompanies } = await readCompanyLists(poll, list, candidates, range, ownerlessIds);

	// Company lists are read after the global list, so they may have newer records. These are left to the next poll.
	const globalIds = new Set(globalList.records.map(({ id }) => id));
	const ownerLists = lists.map((companyList) => ({
		...companyList,
		records: companyList.records.filter(({ id }) => globalIds.has(id)),
	}));
	// Each of the candidates may own a record of the global list, so they count as companies below it.
	const globalListWithCandidates = { ...globalList, company: { ...NO_COMPANY, descendants: candidates } };
	const decisions = decideOnRecords(poll, state, {
		lists: [globalListWithCandidates, ...ownerLists],
		getNewRecordsStart: () => cutoff,
		companies,
	});
	// Unread companies are remembered until the next coverage check. That check reads their lists back to this cutoff.
	updateUnreadCompanies(state, { lists: [], unreadCompanies }, cutoff, poll.startedAt);
	finishReads(poll, list, state, { lists: [globalList, ...lists], unreadCompanies, ...decisions });
	return decisions.newRecords;
}

/**
 * Sorts the companies into the order in which the owners of new records are searched. Companies without children come
 * first. Among them, the company with the newest remembered record comes first. If all records are waiting already, only
 * the trees that contain an unread company are searched again.
 * @param ownerlessIds the IDs of the new records without a remembered owner
 */
function sortForOwnerSearch(
	companies: WatchedCompany[],
	{ rememberedRecords, unreadCompanies, waitingRecords }: ListState,
	ownerlessIds: Set<string>,
): WatchedCompany[] {
	const newestHours = new Map<string, number>();
	for (const [createHour, , companyId] of rememberedRecords.values())
		newestHours.set(companyId, Math.max(createHour, newestHours.get(companyId) ?? 0));
	const unreadRootIds = new Set(companies.filter(({ id }) => unreadCompanies.has(id)).map(({ rootId }) => rootId));
	const areAllWaiting = [...ownerlessIds].every((id) => waitingRecords.has(id));
	return sortBy(
		companies.filter((company) => !areAllWaiting || unreadRootIds.has(company.rootId)),
		[({ descendants }) => descendants.length > 0, ({ id }) => -(newestHours.get(id) ?? 0)],
	);
}

/**
 * Polls the lists of all companies, if the interval for that has passed. Trees with an unread company come first. If the
 * global list may be used, reads it first, to find out whether it is complete.
 * @throws RequestError if no list could be read
 */
async function pollCompanyLists(
	poll: Poll,
	list: WatchedList,
	state: ListState,
	isFirstPoll: boolean,
): Promise<NewRecord[]> {
	const { rules, startedAt } = poll;
	if (!isFirstPoll && startedAt - state.companiesReadAt < poll.companyReadIntervalMs) return [];
	const companies = await poll.listCompanies();
	const defaultNewRecordsStart = isFirstPoll ? rules.existingSince : state.cutoff;
	const getNewRecordsStart = (companyId: string) =>
		state.unreadCompanies.get(companyId)?.cutoff ?? defaultNewRecordsStart;
	// A parent's list may contain the records of its children. So the list of a company is read back as far as the lists of
	// the companies above it. The global list may contain the records of every company, so it is read back as far as any
	// company's list.
	const getCutoff = (company: WatchedCompany, newestCreatedAt: number) => {
		const relatedCutoffs =
			company.id === NO_COMPANY.id ? [findEarliestUnreadCutoff(state)] : company.ancestorIds.map(getNewRecordsStart);
		const windowStart = isFirstPoll ? newestCreatedAt - rules.windowMs : state.cutoff;
		return Math.min(getNewRecordsStart(company.id), ...relatedCutoffs, windowStart);
	};
	const globalReads = await readCompanyLists(poll, list, poll.mayUseGlobalList ? [NO_COMPANY] : [], { getCutoff });
	const globalRecords = globalReads.lists.flatMap(({ records }) => records);

	const unreadPositions = new Map([...state.unreadCompanies.keys()].map((id, position) => [id, position]));
	const sortedCompanies = sortForReading(companies, (id) => unreadPositions.get(id) ?? Infinity);
	const { lists, unreadCompanies } = await readCompanyLists(poll, list, sortedCompanies, { getCutoff });
	if (lists.length === 0 && companies.length > 0)
		throw toError(unreadCompanies.at(-1)?.error ?? createPollTimeoutError(rules));

	const decisions = decideOnRecords(poll, state, {
		lists,
		getNewRecordsStart: ({ id }) => getNewRecordsStart(id),
		companies,
	});
	if (unreadCompanies.length > 0)
		poll.logWarning(
			`The ${list.noun} of ${unreadCompanies.length} of ${formatCount(companies.length, 'company')} could not be read, and are asked for again${describeFirstError(unreadCompanies)}.`,
		);
	// In the first poll, a record that is only in the global list counts as existing. An example is a record of the
	// reseller. But if a company is unread, the record may belong to that company.
	const globalNewRecordsStart =
		isFirstPoll && unreadCompanies.length === 0 ? Infinity : getNewRecordsStart(NO_COMPANY.id);
	for (const record of globalRecords)
		if (
			!state.rememberedRecords.has(record.id) &&
			classifyRecord(record, state, globalNewRecordsStart, rules) === 'remember'
		)
			rememberRecord(state, record, '', startedAt);

	const allReads: CompanyReads = {
		lists: [...lists, ...globalReads.lists],
		unreadCompanies: [...unreadCompanies, ...globalReads.unreadCompanies],
	};
	updateUnreadCompanies(state, allReads, Math.min(defaultNewRecordsStart, startedAt), startedAt);
	finishReads(poll, list, state, { lists: allReads.lists, unreadCompanies, ...decisions });
	if (globalReads.lists.length > 0) updateCoverage(state, globalRecords, lists, startedAt);
	if (globalReads.unreadCompanies.some(({ error }) => isRequestRefused(error))) state.isGlobalListComplete = false;
	// After the first poll, the next one reads the company lists again, without waiting for the interval.
	state.companiesReadAt = isFirstPoll && !state.isGlobalListComplete ? 0 : startedAt;
	return decisions.newRecords;
}

/** The lists that a poll has read, the companies that it could not read, and the decisions about the records. */
interface FinishedReads extends CompanyReads, Decisions {}

/**
 * Updates the cutoff after all lists were read, and logs warnings. Lists that may lack a waiting record are marked as
 * unread.
 */
function finishReads(poll: Poll, list: WatchedList, state: ListState, reads: FinishedReads): void {
	const { lists, previouslyWaiting } = reads;
	const records = lists.flatMap((companyList) => companyList.records);
	if (state.cutoff === 0 || lists.every(({ isStable }) => isStable))
		advanceCutoff(state, records, poll.rules, poll.startedAt);
	// A record that is waiting, or was waiting until this poll, must not become older than the cutoff.
	const waitingCreateTimes = [...previouslyWaiting, ...state.waitingRecords.values()].map(
		({ createdAt = Infinity }) => createdAt,
	);
	state.cutoff = Math.min(state.cutoff, ...waitingCreateTimes);
	// A list that changed or has several pages may lack a waiting record, so it counts as unread.
	const uncertainLists =
		state.waitingRecords.size > 0 ? lists.filter(({ isStable, pageCount }) => !isStable || pageCount > 1) : [];
	for (const { company } of uncertainLists)
		if (!state.unreadCompanies.has(company.id))
			state.unreadCompanies.set(company.id, { cutoff: state.cutoff, unreadSince: poll.startedAt });
	logWarnings(poll, list, state, reads);
}

/** Logs warnings about records that have no ID, have to wait, are never emitted, or have no known company. */
function logWarnings(
	poll: Poll,
	list: WatchedList,
	state: ListState,
	{ lists, unreadCompanies, newRecords, droppedCount }: FinishedReads,
): void {
	const reason = describeFirstError(unreadCompanies);
	const warnAbout = (count: number, warning: string) => {
		if (count > 0) poll.logWarning(`${formatCount(count, 'record')} of the ${list.noun} ${warning}.`);
	};
	warnAbout(
		lists.reduce((sum, { missingIdCount }) => sum + missingIdCount, 0),
		'cannot be watched: no ID is known',
	);
	warnAbout(state.waitingRecords.size, `must wait until it is certain which company they belong to${reason}`);
	warnAbout(
		droppedCount,
		`are not given, because they may belong to a company that 'Only Companies' leaves out${reason}`,
	);
	if (poll.scope.kind === 'every')
		warnAbout(
			newRecords.filter(({ company }) => company.id === '').length,
			"could not be found in any company's list, so given without a company",
		);
}

/**
 * Describes the first error, for the end of a sentence: " (Customer 7: access was refused)". Returns an empty text if
 * there is no error, because the companies are unread only for lack of time.
 */
function describeFirstError(unreadCompanies: UnreadCompany[]): string {
	const failure = unreadCompanies.find(({ error }) => error !== undefined);
	if (!failure) return '';
	return ` (${failure.company.name || failure.company.id}: ${toError(failure.error).message})`;
}
