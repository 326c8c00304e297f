import { sortBy } from 'lodash';
import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import type { FieldMap } from '../fields/field';
import { toError, isCancellationError } from '../http/errors';
import { buildTriggerForm } from './triggerFields';
import { addCompanyName, createItem, sortByCreateTime } from './triggerItems';
import { openPoll } from './openPoll';
import { pollWatchedList, type ListPollResult } from './pollList';
import { createPollTimeoutError } from './unreadCompanies';
import { fetchSamples } from './fetchSamples';
import { runTrigger } from './runTrigger';
import type { ListState } from './state';
import { saveMemory, type TriggerMemory } from './triggerMemory';
import type { Poll, TriggerDefinition, WatchedList } from './defineTrigger';

/**
 * Polls the watched lists. Returns an item for each record that is new since the last poll, or whose status has
 * changed, oldest first. For 'Fetch Test Event', returns the newest records instead.
 * @returns null if there are no records, because n8n starts an execution for every other value
 * @throws NodeApiError or NodeOperationError if no list could be read; n8n shows the error as a failed execution
 */
export async function pollRecords<F extends FieldMap>(
	context: IPollFunctions,
	definition: TriggerDefinition<F>,
): Promise<INodeExecutionData[][] | null> {
	return await runTrigger(context, {
		noun: definition.noun,
		fields: buildTriggerForm(definition),
		open: async (pollContext, memory) => {
			const { poll, watchedLists, companyToRemember } = await openPoll(pollContext, definition, memory);
			const [firstList] = watchedLists;
			const nextMemory = { lists: memory.lists, company: companyToRemember };
			return {
				poll,
				noun: firstList && watchedLists.length === 1 ? firstList.noun : definition.noun,
				readNewItems: () => pollWatchedLists(pollContext, poll, watchedLists, nextMemory),
				fetchSamples: () => fetchSamples(pollContext, poll, watchedLists),
			};
		},
	});
}

/**
 * Polls all watched lists, saves the memory and returns the items to emit. If this function throws, the saved memory is
 * unchanged.
 * @throws Error if no list could be read: the error of the list that was polled first
 */
async function pollWatchedLists(
	context: IPollFunctions,
	poll: Poll,
	watchedLists: WatchedList[],
	memory: TriggerMemory,
): Promise<INodeExecutionData[]> {
	// The list whose company lists have not been read for the longest time comes first.
	const sortedLists = sortBy(watchedLists, ({ name }) => memory.lists[name]?.companiesReadAt ?? 0);
	const polledLists = await Promise.all(
		sortedLists.map(async (list) => tryToPollList(poll, list, memory.lists[list.name])),
	);
	const failedLists = polledLists.filter(({ error }) => error !== undefined);
	if (failedLists.length === polledLists.length) throw toError(failedLists[0]?.error);
	for (const { list, error } of failedLists)
		poll.logWarning(
			`The trigger could not read the ${list.noun}: ${toError(error).message}. The next poll tries again.`,
		);

	const statesByListName: Record<string, ListState> = {};
	for (const { list, state } of polledLists) if (state) statesByListName[list.name] = state;
	const recordsToEmit = polledLists.flatMap((polledList) =>
		polledList.recordsToEmit.map((record) => ({ ...record, list: polledList.list })),
	);
	const items = sortByCreateTime(recordsToEmit).map((record) => createItem(poll, record.list, record));
	// Reading the company's name may send a request that fails. The memory is saved after it, so that the next poll emits
	// the records in that case.
	const itemsWithCompanyName = await addCompanyName(poll, items);
	saveMemory(context, { ...memory, lists: statesByListName });
	return itemsWithCompanyName;
}

/**
 * The result of polling one list. If the list could not be polled, `error` is set, and `state` is still the state after
 * the last successful poll.
 */
interface PolledList extends Pick<ListPollResult, 'recordsToEmit'> {
	list: WatchedList;
	state: ListState | undefined;
	error?: unknown;
}

/** Polls one list. Never throws: an error is returned in the result. */
async function tryToPollList(poll: Poll, list: WatchedList, state: ListState | undefined): Promise<PolledList> {
	try {
		const result = await pollWatchedList(poll, list, getWatchedSettings(poll, list), state);
		return { list, ...result };
	} catch (error) {
		const failure = isCancellationError(error) ? createPollTimeoutError(poll.rules) : error;
		return { list, state, recordsToEmit: [], error: failure };
	}
}

/**
 * Returns the settings that decide what is watched, by the labels that the user sees. The client ID is one of them,
 * because another client may have access to other companies.
 */
function getWatchedSettings(
	{ client, scope, rules }: Poll,
	{ endpoint, body = {} }: WatchedList,
): ListState['settings'] {
	return {
		Server: client.baseUrl,
		'Client ID': client.clientId,
		Watch: JSON.stringify([endpoint, body]),
		'Trigger On': rules.shouldWatchStatus ? 'Status Changed' : 'New',
		// The company's name is left out, because it is unknown if the user entered the ID.
		'Company or Only Companies': JSON.stringify(scope.kind === 'one' ? scope.company.id : scope),
	};
}
