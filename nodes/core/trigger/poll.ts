import { sortBy } from 'lodash';
import { NodeApiError, NodeOperationError, type INodeExecutionData, type IPollFunctions } from 'n8n-workflow';

import { getFieldLabels, type FieldMap } from '../fields/field';
import { toError, isStopError, toNodeError, type ErrorContext } from '../http/errors';
import { isRequestRefused } from './readCompanies';
import { buildTriggerForm } from './triggerFields';
import { addCompanyName, createItem, sortByCreateTime } from './triggerItems';
import { createTriggerLogger, openPoll } from './openPoll';
import { createPollTimeoutError, pollWatchedList, type ListPollResult } from './pollList';
import { fetchSamples } from './fetchSamples';
import { HOUR_MS, parseMemory, serializeMemory, type ListState, type TriggerMemory } from './state';
import type { Poll, TriggerDefinition, WatchedList } from './defineTrigger';

/** The key of the memory in the node's static data, which n8n saves with the workflow. */
const MEMORY_KEY = 'remembered';

/**
 * The keys of the triggers that are polling now. n8n's usual poller starts the next poll even if the last one hasn't
 * ended (n8n 6).
 */
const pollingTriggers = new Set<string>();
/**
 * The contexts that have polled. A poll with another context counts as a first poll. n8n's usual poller keeps one
 * context while a workflow is active (n8n 1.123 to 2.41).
 */
const usedContexts = new WeakSet<IPollFunctions>();
/**
 * The memories that first polls have stored, by the key of the trigger. They are kept for an hour, because n8n's durable
 * poller doesn't save the static data of the poll that it makes while a workflow is published (tried in 2.41).
 */
const firstPollMemories = new Map<string, { savedAt: number; memory: TriggerMemory }>();

/** Returns a key that identifies a trigger node. In n8n 1.x, two nodes of one workflow may have the same ID (n8n 6). */
const getTriggerKey = (context: IPollFunctions) =>
	JSON.stringify([context.getWorkflow().id, context.getNode().id, context.getNode().name]);

/**
 * Polls the watched lists. Returns every record that is new or has changed since the last poll, oldest first. For
 * 'Fetch Test Event', returns the newest records instead.
 * @returns null if there are no records, because n8n starts an execution for every other value
 * @throws NodeApiError or NodeOperationError if no list could be read; n8n shows it as a failed execution
 */
export async function pollRecords<F extends FieldMap>(
	context: IPollFunctions,
	definition: TriggerDefinition<F>,
): Promise<INodeExecutionData[][] | null> {
	const toOutput = (items: INodeExecutionData[]) => (items.length > 0 ? [items] : null);
	if (context.getMode() === 'manual') return toOutput(await runPoll(context, definition, fetchSamples));

	const triggerKey = getTriggerKey(context);
	if (pollingTriggers.has(triggerKey)) return null;
	const isFirstPoll = !usedContexts.has(context);
	usedContexts.add(context);
	pollingTriggers.add(triggerKey);
	try {
		return toOutput(await runPoll(context, definition, pollWatchedLists));
	} catch (error) {
		const failure = toError(error);
		if (!isFirstPoll) throw failure;
		// n8n shows only the message of an error in the first poll, so the message must contain the advice.
		const message = getMessageWithAdvice(failure);
		const isStartOfN8n = ['init', 'leadershipChange'].includes(context.getActivationMode());
		if (!isStartOfN8n) {
			failure.message = message;
			throw failure;
		}
		// If the poll that n8n makes when it starts fails repeatedly, n8n deactivates the workflow.
		createTriggerLogger(context).logWarning(`${message} The next poll tries again.`);
		return null;
	} finally {
		pollingTriggers.delete(triggerKey);
	}
}

/** Returns the message of an error, followed by its advice on what to do. */
function getMessageWithAdvice(error: Error): string {
	const hasAdvice = error instanceof NodeApiError || error instanceof NodeOperationError;
	const advice = hasAdvice ? (error.description ?? '') : '';
	return `${error.message}. ${advice}`.trim();
}

/** Reads the items of a poll, or those of 'Fetch Test Event'. */
type ReadItems = (
	context: IPollFunctions,
	poll: Poll,
	watchedLists: WatchedList[],
	memory: TriggerMemory,
) => Promise<INodeExecutionData[]>;

/**
 * Opens a poll and reads its items.
 * @throws NodeApiError or NodeOperationError
 */
async function runPoll<F extends FieldMap>(
	context: IPollFunctions,
	definition: TriggerDefinition<F>,
	readItems: ReadItems,
	memory = loadMemory(context),
): Promise<INodeExecutionData[]> {
	const getLabels = (path: string[]) => getFieldLabels(buildTriggerForm(definition), path);
	const errorContext: ErrorContext = { purpose: `look for ${definition.noun}`, getLabels };
	try {
		const { poll, watchedLists, company } = await openPoll(context, definition, memory);
		const [firstList] = watchedLists;
		if (firstList && watchedLists.length === 1) errorContext.purpose = `look for ${firstList.noun}`;
		if (poll.scope.kind === 'one') errorContext.company = poll.scope.company;
		return await readItems(context, poll, watchedLists, { lists: memory.lists, company });
	} catch (error) {
		// The company that the user entered by name may have another ID now. So the remembered ID is dropped, and the next
		// attempt looks up the name again.
		if (memory.company && isRequestRefused(error))
			return await runPoll(context, definition, readItems, { lists: memory.lists });
		throw toNodeError(context.getNode(), isStopError(error) ? createPollTimeoutError() : error, errorContext);
	}
}

/** Loads the memory that the last poll saved. Returns an empty memory if there is none, or if it can't be parsed. */
function loadMemory(context: IPollFunctions): TriggerMemory {
	const stored = context.getWorkflowStaticData('node')[MEMORY_KEY];
	if (stored === undefined) return firstPollMemories.get(getTriggerKey(context))?.memory ?? { lists: {} };
	const memory = parseMemory(stored);
	if (!memory)
		createTriggerLogger(context).logWarning(
			'What was remembered cannot be read, so the trigger begins anew: what there is now counts as existing.',
		);
	return memory ?? { lists: {} };
}

/**
 * Saves the memory in one assignment, because n8n keeps every change that a failed poll has made (n8n 6). The memory of
 * the first poll is also kept in `firstPollMemories`.
 */
function saveMemory(context: IPollFunctions, memory: TriggerMemory): void {
	const staticData = context.getWorkflowStaticData('node');
	const now = Date.now();
	const ownKey = getTriggerKey(context);
	for (const [triggerKey, { savedAt }] of firstPollMemories)
		if (triggerKey === ownKey || now - savedAt > HOUR_MS) firstPollMemories.delete(triggerKey);
	if (staticData[MEMORY_KEY] === undefined) firstPollMemories.set(ownKey, { savedAt: now, memory });
	staticData[MEMORY_KEY] = serializeMemory(memory);
}

/**
 * Polls all watched lists and saves the memory. If it fails, the memory is unchanged.
 * @throws the error of the first list if no list could be read
 */
async function pollWatchedLists(
	context: IPollFunctions,
	poll: Poll,
	watchedLists: WatchedList[],
	memory: TriggerMemory,
): Promise<INodeExecutionData[]> {
	// The list whose companies were read the longest time ago comes first.
	const sortedLists = sortBy(watchedLists, ({ name }) => memory.lists[name]?.companiesReadAt ?? 0);
	const polledLists = await Promise.all(
		sortedLists.map(async (list) => tryToPollList(poll, list, memory.lists[list.name])),
	);
	const failures = polledLists.filter(({ error }) => error !== undefined);
	if (failures.length === polledLists.length) throw toError(failures[0]?.error);
	for (const { list, error } of failures)
		poll.logWarning(`The ${list.noun} could not be read, and are asked for again: ${toError(error).message}.`);

	const states: Record<string, ListState> = {};
	for (const { list, state } of polledLists) if (state) states[list.name] = state;
	const newRecords = polledLists.flatMap((polledList) =>
		polledList.newRecords.map((record) => ({ ...record, list: polledList.list })),
	);
	const items = sortByCreateTime(newRecords).map((newRecord) => createItem(poll, newRecord.list, newRecord));
	// The name may need a request. So it is read before the memory is saved: if reading it fails, the next poll emits the
	// records.
	const namedItems = await addCompanyName(poll, items);
	saveMemory(context, { ...memory, lists: states });
	return namedItems;
}

/**
 * The result of polling one list. If it failed, `error` is set, and `state` is the state after the last successful
 * poll.
 */
interface PolledList extends Pick<ListPollResult, 'newRecords'> {
	list: WatchedList;
	state: ListState | undefined;
	error?: unknown;
}

/** Polls one list. If that fails, returns the error instead of throwing it. */
async function tryToPollList(poll: Poll, list: WatchedList, state: ListState | undefined): Promise<PolledList> {
	try {
		const result = await pollWatchedList(poll, list, getWatchedSettings(poll, list), state);
		return { list, ...result };
	} catch (error) {
		const failure = isStopError(error) ? createPollTimeoutError(poll.rules) : error;
		return { list, state, newRecords: [], error: failure };
	}
}

/**
 * Returns the settings that decide what is watched, by the labels that the user sees. The client is one of them, because
 * another client has access to other lists.
 */
function getWatchedSettings(
	{ client, scope, rules }: Poll,
	{ endpoint, body = {} }: WatchedList,
): ListState['settings'] {
	return {
		Server: client.baseUrl,
		'Client ID': client.clientId,
		Watch: JSON.stringify([endpoint, body]),
		'Trigger On': rules.watchesStatus ? 'Status Changed' : 'New',
		// The name is left out, because it is unknown if the user entered the company by ID.
		'Company or Only Companies': JSON.stringify(scope.kind === 'one' ? scope.company.id : scope),
	};
}
