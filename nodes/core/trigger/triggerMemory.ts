import { jsonParse, type IDataObject, type IPollFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { eventStateSchema } from './eventState';
import { createTriggerLogger } from './createTriggerLogger';
import { HOUR_MS, listStateSchema } from './state';

const triggerMemorySchema = z.object({
	/** The state of each watched list, by `WatchedList.name`. Empty for a trigger that watches events. */
	lists: z.record(listStateSchema),
	/** The state of a trigger that watches events. Undefined for other triggers, and before the first poll. */
	events: eventStateSchema.optional(),
	/**
	 * The company that the user entered by name: its ID as the second value, and as the first value a key of the server,
	 * the client ID and the name for which this ID was looked up (see `lookupKey` in openPoll.ts).
	 */
	company: z.tuple([z.string(), z.string()]).optional(),
});

/** Everything that a trigger remembers between polls. */
export type TriggerMemory = z.output<typeof triggerMemorySchema>;

/** Parses a memory that was saved. Returns undefined if it doesn't match the schema. */
export const parseMemory = (storedMemory: unknown): TriggerMemory | undefined =>
	triggerMemorySchema.safeParse(storedMemory).data;

/** Converts a memory to a plain object for saving. Maps become lists of pairs. */
export const serializeMemory = (memory: TriggerMemory): IDataObject =>
	jsonParse(JSON.stringify(memory, (_, value: unknown) => (value instanceof Map ? [...value] : value)));

/** The key under which the memory is stored in the node's static data. n8n saves the static data with the workflow. */
const MEMORY_KEY = 'remembered';

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
export const getTriggerKey = (context: IPollFunctions) =>
	JSON.stringify([context.getWorkflow().id, context.getNode().id, context.getNode().name]);

/**
 * Loads the memory that the last poll saved. Returns an empty memory if nothing was saved, or if the saved memory can't
 * be parsed.
 */
export function loadMemory(context: IPollFunctions): TriggerMemory {
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
export function saveMemory(context: IPollFunctions, memory: TriggerMemory): void {
	const staticData = context.getWorkflowStaticData('node');
	const now = Date.now();
	const currentTriggerKey = getTriggerKey(context);
	for (const [triggerKey, { savedAt }] of firstPollMemoriesByKey)
		if (triggerKey === currentTriggerKey || now - savedAt > HOUR_MS) firstPollMemoriesByKey.delete(triggerKey);
	if (staticData[MEMORY_KEY] === undefined) firstPollMemoriesByKey.set(currentTriggerKey, { savedAt: now, memory });
	staticData[MEMORY_KEY] = serializeMemory(memory);
}
