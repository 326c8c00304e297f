import type { INodeExecutionData, INodeProperties, IPollFunctions } from 'n8n-workflow';
import { chunk, sortBy } from 'lodash';

import { buildFieldProperties, collectListMethods, type FieldMap } from '../fields/field';
import { wholeNumberField } from '../fields/fieldTypes';
import { settleConcurrently } from '../http/mapConcurrently';
import { RequestError, toError } from '../http/errors';
import { createOptionsBlock } from '../operation/operationFields';
import type { EventPoll, EventTriggerDefinition, NewEvent } from './defineEventTrigger';
import { MAX_CATCH_UP_MS, type EventState } from './eventState';
import { openCompanyPoll } from './openPoll';
import { pollEvents } from './pollEvents';
import { runTrigger } from './runTrigger';
import { DAY_MS } from './state';
import { createPollSettings, createScopeFields } from './triggerFields';
import { addCompanyName, createKindItem } from './triggerItems';
import { saveMemory, type TriggerMemory } from './triggerMemory';

/** The default of 'Read Each Company Every', in minutes. Each read requests all people of a company. */
const DEFAULT_EVENT_READ_INTERVAL_MINUTES = 60;
const DEFAULT_WINDOW_DAYS = 2;
/** The maximum number of items for 'Fetch Test Event'. */
const MAX_SAMPLES = 5;

const windowField = {
	windowDays: wholeNumberField({
		displayName: 'Window (Days)',
		default: DEFAULT_WINDOW_DAYS,
		min: 1,
		max: MAX_CATCH_UP_MS / DAY_MS,
		description: 'How many days of events to read again in each poll, such as 2, to find late events',
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
			};
			const nextMemory = { ...memory, company: openedPoll.companyToRemember };
			return {
				poll,
				noun,
				readNewItems: () => readNewItems(pollContext, poll, kind, nextMemory),
				fetchSamples: () => fetchEventSamples(poll, kind),
			};
		},
	});
}

/** Polls the events and saves the memory. If this function throws, the saved memory is unchanged. */
async function readNewItems(
	context: IPollFunctions,
	poll: EventPoll,
	kind: string,
	memory: TriggerMemory,
): Promise<INodeExecutionData[]> {
	const { newEvents, state } = await pollEvents(poll, getWatchedSettings(poll), memory.events);
	const items = await createItems(poll, kind, newEvents);
	saveMemory(context, { ...memory, events: state });
	return items;
}

const createItems = async (poll: EventPoll, kind: string, events: NewEvent[]): Promise<INodeExecutionData[]> =>
	addCompanyName(
		poll,
		events.map(({ event, company }) => createKindItem(kind, company, event)),
	);

/** Returns the settings that decide what is watched, by the labels that the user sees. */
const getWatchedSettings = ({ client, scope, source }: EventPoll): EventState['settings'] => ({
	Server: client.baseUrl,
	'Client ID': client.clientId,
	Watch: source.watched,
	// The company's name is left out, because it is unknown if the user entered the ID.
	'Company or Only Companies': JSON.stringify(scope.kind === 'one' ? scope.company.id : scope),
});

/**
 * Fetches events for 'Fetch Test Event', as a poll would emit them. Reads companies until one of them has events. Companies
 * without children come first, because the list of a parent may contain the events of its children.
 * @throws RequestError if there are no events, or if no company could be read
 */
async function fetchEventSamples(poll: EventPoll, kind: string): Promise<INodeExecutionData[]> {
	const { source, client, startedAt } = poll;
	const companies = sortBy(await poll.getWatchedCompanies(), ({ descendants }) => descendants.length > 0);
	const selectedCompanies = companies.filter(({ isSelected }) => isSelected);
	let firstError: unknown;
	let wasAnyRead = false;
	for (const companiesToRead of chunk(selectedCompanies, client.settings.concurrency)) {
		const results = await settleConcurrently(companiesToRead, client.settings.concurrency, async (company) => {
			const { events } = await source.readEvents(company, startedAt - MAX_CATCH_UP_MS);
			const certainEvents = events.filter((event) => !source.needsConfirmation(event));
			const uncertainEvents = events.filter((event) => source.needsConfirmation(event)).slice(-MAX_SAMPLES);
			const confirmedEvents = certainEvents.length > 0 ? [] : await source.confirmEvents(company, uncertainEvents);
			return [...certainEvents, ...confirmedEvents].flatMap((event) => (event ? [{ event, company }] : []));
		});
		const samples = results.flatMap((result) => (result.ok ? result.value : []));
		if (samples.length > 0) return await createItems(poll, kind, samples.slice(-MAX_SAMPLES));
		wasAnyRead ||= results.some(({ ok }) => ok);
		firstError ??= results.flatMap((result) => (result.ok ? [] : [result.error]))[0];
	}
	if (!wasAnyRead && firstError !== undefined) throw toError(firstError);
	throw new RequestError({
		reason: `there are no ${poll.noun} of the last 14 days for these settings`,
		advice: "Check 'Watch' and 'Company Scope'. After you publish the workflow, it starts with the first new event.",
	});
}
