import { identity } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { rejectEmptyExpression, type PickerContext } from '../core/fields/field';
import { toggleField } from '../core/fields/fieldTypes';
import { InvalidInputError, isNotFound, isRejected, toError } from '../core/http/errors';
import { settle } from '../core/http/mapConcurrently';
import { readList } from '../core/pagination/readList';
import type { CompanyPoll, WatchedCompany } from '../core/trigger/defineTrigger';
import { defineEventTrigger, type CompanyEvents } from '../core/trigger/defineEventTrigger';
import { noticeField } from '../core/trigger/noticeField';
import { getRequestedCompany } from '../core/trigger/readCompanies';
import { findByName, readId } from '../core/values';
import {
	buildTimelinePage,
	createTimelineCompleter,
	flattenPersonEvents,
	TIMELINE_ENDPOINT,
} from '../domain/people/personTimeline';
import { createActionTypeFilter } from '../domain/people/actionTypeFilter';
import { platformMultiPicker, readPlatformChoices } from '../domain/pickers/platformLists';
import { REPORT_USER_ID_FIELDS } from '../domain/pickers/resourcePickers';
import { createEventConfirmer, findBotAction } from '../domain/simulations/confirmedActions';
import { JOB_EVENT_ACTION_TYPES } from '../domain/simulations/jobEvents';
import { createSimulationEventSource } from './simulationEventSource';

const NOUN = 'events of people';

const WATCH_SETTINGS = {
	displayName: 'Watch Names or IDs',
	description: 'The events that start the workflow, such as Link Clicked. Leave empty for all events',
};
/** The field as it is for a platform with the list of events. There, each word must be in the platform's list of action types. */
const listedActionTypesField = platformMultiPicker('actionTypes', WATCH_SETTINGS);

/**
 * Reads the events of a company's people, oldest first. It reads every page of people, because they are sorted by rank
 * instead of time, and the time format of their events is unknown (deployment onboarding 3).
 * @throws RequestError
 */
async function readPersonEvents(
	{ client, signal, pageSize, startedAt }: CompanyPoll,
	company: WatchedCompany,
	since: number,
	actionTypes: string[],
): Promise<CompanyEvents> {
	const { completePage, countIncompletePeople } = createTimelineCompleter(client);
	const request = {
		endpoint: TIMELINE_ENDPOINT,
		purpose: `look for ${NOUN}`,
		signal,
		company: getRequestedCompany(company),
		body: {
			startDate: new Date(since).toISOString(),
			endDate: new Date(startedAt + FUTURE_MS).toISOString(),
			actionTypes: actionTypes.length > 0 ? actionTypes : null,
			difficultyTypes: null,
			products: null,
			showOnlyFailedEvents: false,
			...buildTimelinePage(),
		},
	} as const;
	const list = await readList(client, request, { identity: REPORT_USER_ID_FIELDS, pageSize, completePage });
	const events = list.records.flatMap((user) => flattenPersonEvents(user).reverse());
	const isComplete = list.isStable && list.missingCount === 0 && countIncompletePeople() === 0;
	return { events, isComplete };
}

/** The time in ms by which the end of the requested period is later than now. The platform's clock may be ahead. */
const FUTURE_MS = 24 * 60 * 60_000;

/** The fields that identify an event, with its person (deployment onboarding 3). An event has no ID. */
const EVENT_KEY_FIELDS = ['resourceId', 'ActionType', 'ActionTime'] as const;

function getEventKey(event: IDataObject): string {
	const personId = readId(event, ['targetUserResourceId', 'email']) ?? '';
	return JSON.stringify([personId, ...EVENT_KEY_FIELDS.map((name) => event[name] ?? null)]);
}

/** Reads the time of an event. No document describes its format (deployment onboarding 3). */
function readEventTime({ ActionTime }: IDataObject): number | undefined {
	const time = typeof ActionTime === 'string' ? Date.parse(ActionTime) : NaN;
	return Number.isNaN(time) ? undefined : time;
}

/** Creates the context in which the list of action types is read. */
const createListContext = ({ client, scope, signal }: CompanyPoll): PickerContext => ({
	parameters: {},
	getClient: () => Promise.resolve(client),
	getCompany: () => Promise.resolve(scope.kind === 'one' ? scope.company : undefined),
	signal,
});

/**
 * Rejects the action types that only the results of simulations have, such as Clicked. The field accepts them, because
 * only the answer to the request shows whether the platform has the list of events.
 * @throws InvalidInputError if the platform's list of action types lacks one of them; RequestError
 */
async function rejectUnlistedWords(actionTypes: readonly string[], context: PickerContext): Promise<void> {
	const words = actionTypes.filter((actionType) => findByName(JOB_EVENT_ACTION_TYPES, actionType, identity).length > 0);
	try {
		if (words.length > 0) await listedActionTypesField.resolveNames?.(words, context);
	} catch (error) {
		throw toError(error instanceof InvalidInputError ? error.prependPath('actionTypes') : error);
	}
}

/**
 * Returns true if events are also emitted if they may come from bots. Off if the option wasn't added. The field's default is only what n8n
 * fills in when the user adds it.
 */
const shouldIncludeUnconfirmed = ({ includeUnconfirmed = false }: { includeUnconfirmed?: boolean }): boolean =>
	includeUnconfirmed;

/** Starts a workflow for new events of people: clicks, reports, finished trainings and others. */
export const personEventTrigger = defineEventTrigger({
	noun: NOUN,
	kind: 'personEvent',
	fields: {
		pollTimesNotice: noticeField(
			"Set 'Poll Times' to 'Every Hour', because n8n's default is every minute. If your platform doesn't list events of people, the trigger only outputs opens, clicks, submissions and reports in simulations.",
		),
		actionTypes: rejectEmptyExpression(
			platformMultiPicker('actionTypes', { ...WATCH_SETTINGS, additionalWords: JOB_EVENT_ACTION_TYPES }),
		),
	},
	options: {
		includeUnconfirmed: toggleField({
			displayName: 'Include Unconfirmed',
			default: true,
			description: 'Whether to also include opens, clicks and submissions that may come from bots',
		}),
	},
	everyCompanyNotice:
		"The trigger reads each company once when you publish the workflow, and then once an hour. This takes one request for every 100 people of a company. For 500 companies, that is at least 500 requests each hour, even if nothing has happened. If your platform doesn't list events of people, the trigger instead sends three requests for each company, and up to five for each recent simulation.",
	createSource: (poll, { actionTypes, options }) => {
		const { client, signal } = poll;
		const includeUnconfirmed = shouldIncludeUnconfirmed(options);
		const confirmEvents = createEventConfirmer(client, signal);
		const listContext = createListContext(poll);
		const filterEvents = createActionTypeFilter(
			actionTypes,
			async (context) => readPlatformChoices('actionTypes', context),
			listContext,
		);
		return {
			watched: JSON.stringify(actionTypes),
			readEvents: async (company, since) => {
				const read = await settle(readPersonEvents(poll, company, since, actionTypes));
				const hasList = read.ok || (isRejected(read.error) && !isNotFound(read.error));
				if (hasList) await rejectUnlistedWords(actionTypes, listContext);
				if (!read.ok) throw toError(read.error);
				const { events, isComplete } = read.value;
				return { events: await filterEvents(events), isComplete };
			},
			getKey: getEventKey,
			getTime: readEventTime,
			needsConfirmation: (event) => !includeUnconfirmed && findBotAction(event) !== undefined,
			confirmEvents: (company, events) => confirmEvents(getRequestedCompany(company), events),
		};
	},
	createFallbackSource: (poll, { actionTypes, options }) =>
		createSimulationEventSource(poll, actionTypes, shouldIncludeUnconfirmed(options), createListContext(poll)),
	fallbackNotice:
		"The platform doesn't list events of people (404). So the trigger reads the results of simulations, and only outputs opens, clicks, submissions and reports.",
});
