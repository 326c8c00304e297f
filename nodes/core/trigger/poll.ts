import { sortBy } from 'lodash';
import { NodeApiError, NodeOperationError, type INodeExecutionData, type IPollFunctions } from 'n8n-workflow';

import { getFieldLabels, type FieldMap } from '../fields/field';
import { toError, isCancellationError, toNodeError, type ErrorContext } from '../http/errors';
import { addAccessWindowEnd } from '../companies/accessWindow';
import { isRequestRefused } from './readCompanies';
import { buildTriggerForm } from './triggerFields';
import { addCompanyName, createItem, sortByCreateTime } from './triggerItems';
import { createTriggerLogger, openPoll } from './openPoll';
import { createPollTimeoutError, pollWatchedList, type ListPollResult } from './pollList';
import { fetchSamples } from './fetchSamples';
import { HOUR_MS, parseMemory, serializeMemory, type ListState, type TriggerMemory } from './state';
import type { Poll, TriggerDefinition, WatchedList } from './defineTrigger';

/** The key under which the memory is stored in the node's static data. n8n saves the static data with the workflow. */
const MEMORY_KEY = 'remembered';

/**
 * The keys of the triggers whose poll is running (see `getTriggerKey`). They prevent two polls at once, because n8n's
 * usual poller starts the next poll even if the last one hasn't ended (n8n 6).
 */
const pollingTriggerKeys = new Set<string>();
/**
 * The n8n contexts that have been used for a poll. n8n's usual poller keeps one context while a workflow is active (n8n
 * 1.123 to 2.41), so a poll with a new context is the first one after the activation.
 */
const usedContexts = new WeakSet<IPollFunctions>();
/**
 * The memories that first polls have saved, by the key of the trigger. Each is kept for an hour. The next poll uses it
 * if the static data has no memory, because n8n's durable poller doesn't save the static data of the poll that it makes
 * while a workflow is published (tried in 2.41).
 */
const firstPollMemoriesByKey = new Map<string, { savedAt: number; memory: TriggerMemory }>();

/**
 * Returns a key that identifies a trigger node. The key contains the node's name too, because in n8n 1.x two nodes of
 * one workflow may have the same ID (n8n 6).
 */
const getTriggerKey = (context: IPollFunctions) =>
	JSON.stringify([context.getWorkflow().id, context.getNode().id, context.getNode().name]);

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
	const toOutput = (items: INodeExecutionData[]) => (items.length > 0 ? [items] : null);
	if (context.getMode() === 'manual') return toOutput(await runPoll(context, definition, fetchSamples));

	const triggerKey = getTriggerKey(context);
	if (pollingTriggerKeys.has(triggerKey)) return null;
	const isFirstPoll = !usedContexts.has(context);
	usedContexts.add(context);
	pollingTriggerKeys.add(triggerKey);
	try {
		return toOutput(await runPoll(context, definition, pollWatchedLists));
	} catch (error) {
		const failure = toError(error);
		if (!isFirstPoll) throw failure;
		// In the first poll, n8n shows only the message of an error, not its description. So the advice is added to the
		// message.
		const message = getMessageWithAdvice(failure);
		const isStartOfN8n = ['init', 'leadershipChange'].includes(context.getActivationMode());
		if (!isStartOfN8n) {
			failure.message = message;
			throw failure;
		}
		// n8n deactivates the workflow if its poll at the start of n8n fails repeatedly. So the error is only logged.
		createTriggerLogger(context).logWarning(`${message} The next poll tries again.`);
		return null;
	} finally {
		pollingTriggerKeys.delete(triggerKey);
	}
}

/** Returns the message of an error, followed by the advice in its description. */
function getMessageWithAdvice(error: Error): string {
	const hasAdvice = error instanceof NodeApiError || error instanceof NodeOperationError;
	const advice = hasAdvice ? (error.description ?? '') : '';
	return `${error.message}. ${advice}`.trim();
}

/** Reads lists and returns the items to emit, in a poll or for 'Fetch Test Event'. */
type ReadItemsFunction = (
	context: IPollFunctions,
	poll: Poll,
	watchedLists: WatchedList[],
	memory: TriggerMemory,
) => Promise<INodeExecutionData[]>;

/**
 * Opens a poll and reads its items. If the platform refuses a company that was looked up by name in an earlier poll,
 * looks up the name again and retries once.
 * @throws NodeApiError or NodeOperationError
 */
async function runPoll<F extends FieldMap>(
	context: IPollFunctions,
	definition: TriggerDefinition<F>,
	readItems: ReadItemsFunction,
	memory = loadMemory(context),
): Promise<INodeExecutionData[]> {
	const getLabels = (path: string[]) => getFieldLabels(buildTriggerForm(definition), path);
	const errorContext: ErrorContext = { purpose: `look for ${definition.noun}`, getLabels };
	let poll: Poll | undefined;
	try {
		const openedPoll = await openPoll(context, definition, memory);
		const { watchedLists, companyToRemember } = openedPoll;
		poll = openedPoll.poll;
		const [firstList] = watchedLists;
		if (firstList && watchedLists.length === 1) errorContext.purpose = `look for ${firstList.noun}`;
		if (poll.scope.kind === 'one') errorContext.company = poll.scope.company;
		return await readItems(context, poll, watchedLists, { lists: memory.lists, company: companyToRemember });
	} catch (error) {
		// The company with the entered name may have another ID now. Without the remembered ID, the name is looked up
		// again.
		if (memory.company && isRequestRefused(error))
			return await runPoll(context, definition, readItems, { lists: memory.lists });
		const failure = isCancellationError(error) ? createPollTimeoutError() : error;
		const shownError = poll
			? await addAccessWindowEnd(failure, poll.client, errorContext.company?.id, context.getTimezone())
			: failure;
		throw toNodeError(context.getNode(), shownError, errorContext);
	}
}

/**
 * Loads the memory that the last poll saved. Returns an empty memory if nothing was saved, or if the saved memory can't
 * be parsed.
 */
function loadMemory(context: IPollFunctions): TriggerMemory {
	const storedMemory = context.getWorkflowStaticData('node')[MEMORY_KEY];
	if (storedMemory === undefined) return firstPollMemoriesByKey.get(getTriggerKey(context))?.memory ?? { lists: {} };
	const memory = parseMemory(storedMemory);
	if (!memory)
		createTriggerLogger(context).logWarning(
			'The trigger could not read what it remembers, so it starts over. All records that exist now count as existing.',
		);
	return memory ?? { lists: {} };
}

/**
 * Saves the memory. One assignment replaces the whole memory, because n8n would also keep the half-made changes of a
 * poll that fails (n8n 6). The memory of a first poll is also kept in `firstPollMemoriesByKey`.
 */
function saveMemory(context: IPollFunctions, memory: TriggerMemory): void {
	const staticData = context.getWorkflowStaticData('node');
	const now = Date.now();
	const currentTriggerKey = getTriggerKey(context);
	for (const [triggerKey, { savedAt }] of firstPollMemoriesByKey)
		if (triggerKey === currentTriggerKey || now - savedAt > HOUR_MS) firstPollMemoriesByKey.delete(triggerKey);
	if (staticData[MEMORY_KEY] === undefined) firstPollMemoriesByKey.set(currentTriggerKey, { savedAt: now, memory });
	staticData[MEMORY_KEY] = serializeMemory(memory);
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
	const newRecords = polledLists.flatMap((polledList) =>
		polledList.newRecords.map((record) => ({ ...record, list: polledList.list })),
	);
	const items = sortByCreateTime(newRecords).map((newRecord) => createItem(poll, newRecord.list, newRecord));
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
interface PolledList extends Pick<ListPollResult, 'newRecords'> {
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
		return { list, state, newRecords: [], error: failure };
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
