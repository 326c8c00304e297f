import type { INodeExecutionData, INodeProperties, IPollFunctions } from 'n8n-workflow';

import { buildFieldProperties, collectListMethods, type FieldMap } from '../fields/field';
import { wholeNumberField } from '../fields/fieldTypes';
import { withFallback } from '../http/errors';
import { createOptionsBlock } from '../operation/operationFields';
import type { EventPoll, EventTriggerDefinition, EventToEmit } from './defineEventTrigger';
import { MAX_CATCH_UP_MS, type EventState } from './eventState';
import { fetchEventSamples } from './fetchEventSamples';
import { openCompanyPoll } from './openPoll';
import { pollEvents, type EventPollResult } from './pollEvents';
import { runTrigger } from './runTrigger';
import { DAY_MS } from './state';
import { createPollSettings, createScopeFields } from './triggerFields';
import { addCompanyName, createKindItem } from './triggerItems';
import { saveMemory } from './triggerMemory';
import { NoCompanyReadError } from './unreadCompanies';

/** The default of 'Read Each Company Every', in minutes. Each read requests all people of a company. */
const DEFAULT_EVENT_READ_INTERVAL_MINUTES = 60;
const DEFAULT_WINDOW_DAYS = 2;

const windowField = {
	windowDays: wholeNumberField({
		displayName: 'Window (Days)',
		default: DEFAULT_WINDOW_DAYS,
		min: 1,
		max: MAX_CATCH_UP_MS / DAY_MS,
		description: 'How many days of events to read again in each poll to find late events, from 1 to 14',
	}),
};

/** Creates the block 'Options' of a trigger that watches events. */
const createEventOptions = <O extends FieldMap>(options: O) =>
	createOptionsBlock({ ...createPollSettings(DEFAULT_EVENT_READ_INTERVAL_MINUTES), ...windowField, ...options });

type AnyEventTrigger = Pick<EventTriggerDefinition, 'fields' | 'options' | 'everyCompanyNotice'>;

/** Builds the fields of a trigger that watches events, in the order in which the form shows them. */
export const buildEventTriggerForm = ({ fields, options, everyCompanyNotice }: AnyEventTrigger): FieldMap => ({
	...fields,
	...createScopeFields(everyCompanyNotice),
	...createEventOptions(options),
});

/** Builds the node properties of the trigger. Every call returns new objects, because n8n's loader modifies them. */
export const buildEventTriggerProperties = (definition: AnyEventTrigger): INodeProperties[] =>
	structuredClone(buildFieldProperties(buildEventTriggerForm(definition)));

/** Builds the node methods that load the options of the trigger's fields. */
export const buildEventTriggerMethods = (definition: AnyEventTrigger) =>
	collectListMethods(buildEventTriggerForm(definition));

/**
 * Polls the events. Returns an item for each event that is new since the last poll. For 'Fetch Test Event', returns some
 * existing events instead.
 * @returns null if there are no events, because n8n starts an execution for every other value
 * @throws NodeApiError or NodeOperationError if no company could be read
 */
export async function runEventTrigger<F extends FieldMap, O extends FieldMap>(
	context: IPollFunctions,
	definition: EventTriggerDefinition<F, O>,
): Promise<INodeExecutionData[][] | null> {
	const { noun, kind } = definition;
	const fields = buildEventTriggerForm(definition);
	return await runTrigger(context, {
		noun,
		fields,
		open: async (pollContext, memory) => {
			const openedPoll = await openCompanyPoll(pollContext, fields, memory, DEFAULT_EVENT_READ_INTERVAL_MINUTES);
			const { form } = openedPoll;
			const { windowDays = DEFAULT_WINDOW_DAYS } = form.get(createOptionsBlock(windowField)).options;
			const values = { ...form.get(definition.fields), ...form.get(createOptionsBlock(definition.options)) };
			const poll: EventPoll = {
				...openedPoll.poll,
				noun,
				windowMs: windowDays * DAY_MS,
				source: definition.createSource(openedPoll.poll, values),
				usesFallback: false,
			};
			const fallbackPoll: EventPoll = {
				...poll,
				source: definition.createFallbackSource(openedPoll.poll, values),
				usesFallback: true,
			};
			const nextMemory = { ...memory, company: openedPoll.companyToRemember };
			const fetchSamples = () =>
				withFallback(
					() => fetchEventSamples(pollContext, poll),
					() => fetchEventSamples(pollContext, fallbackPoll),
					isEndpointMissing,
				);
			return {
				poll,
				noun,
				readNewItems: async () => {
					const { eventsToEmit, state } = await pollSources(
						poll,
						fallbackPoll,
						definition.fallbackNotice,
						memory.events,
					);
					const items = await createItems(poll, kind, eventsToEmit);
					// If this function throws, the saved memory is unchanged.
					saveMemory(pollContext, { ...nextMemory, events: state });
					return items;
				},
				fetchSamples: async () => createItems(poll, kind, await fetchSamples()),
			};
		},
	});
}

/**
 * Returns true if the platform lacks the endpoint: it answers 404 for at least one company, and no company can be read
 * (deployment beyond, "How to use this file"). The other companies may refuse access or fail.
 */
const isEndpointMissing = (error: unknown): boolean => error instanceof NoCompanyReadError && error.hasNotFound;

/**
 * Polls the events of the source that the first poll has chosen. The first poll chooses the fallback source if the
 * platform lacks the endpoint of the other one (see `isEndpointMissing`).
 * @throws RequestError if no company could be read
 */
async function pollSources(
	poll: EventPoll,
	fallbackPoll: EventPoll,
	fallbackNotice: string,
	savedState: EventState | undefined,
): Promise<EventPollResult> {
	const settings = getWatchedSettings(poll);
	const previousState = keepStateOfSameSettings(poll, settings, savedState);
	if (previousState) return await pollEvents(previousState.usesFallback ? fallbackPoll : poll, settings, previousState);
	const pollFallback = async () => {
		const result = await pollEvents(fallbackPoll, settings, undefined);
		poll.logInfo(fallbackNotice);
		return result;
	};
	return await withFallback(() => pollEvents(poll, settings, undefined), pollFallback, isEndpointMissing);
}

/** Returns the saved state, or undefined if a setting has changed that decides what is watched. */
function keepStateOfSameSettings(
	{ noun, logWarning }: EventPoll,
	settings: EventState['settings'],
	savedState: EventState | undefined,
): EventState | undefined {
	const changedSettings = Object.keys(settings).filter(
		(label) => savedState && savedState.settings[label] !== settings[label],
	);
	if (changedSettings.length === 0) return savedState;
	logWarning(
		`A setting that decides what is watched has changed (${changedSettings.join(', ')}), so the trigger starts over. All ${noun} that exist now count as existing.`,
	);
	return undefined;
}

const createItems = async (poll: EventPoll, kind: string, events: EventToEmit[]): Promise<INodeExecutionData[]> =>
	addCompanyName(
		poll,
		events.map(({ event, company }) => createKindItem(kind, company, event)),
	);

/** Returns the settings that decide what is watched, by the labels that the user sees. */
const getWatchedSettings = ({ client, scope, source }: EventPoll): EventState['settings'] => ({
	Server: client.baseUrl,
	'Client ID': client.clientId,
	'Watch Names or IDs': source.watched,
	// The company's name is left out, because it is unknown if the user entered the ID.
	'Company or Only Companies': JSON.stringify(scope.kind === 'one' ? scope.company.id : scope),
});
