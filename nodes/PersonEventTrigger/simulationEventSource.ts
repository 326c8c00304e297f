import { isNotFoundOrForbidden, InvalidInputError, toError } from '../core/http/errors';
import type { PickerContext } from '../core/fields/field';
import type { EventSource } from '../core/trigger/defineEventTrigger';
import type { CompanyPoll } from '../core/trigger/defineTrigger';
import { formatList, type Choice } from '../core/values';
import { readPlatformChoices } from '../domain/pickers/platformLists';
import { findBotAction, isHumanRow } from '../domain/simulations/confirmedActions';
import { getJobEventKey, readJobEvents, readJobEventTime } from '../domain/simulations/jobEvents';
import { USER_ACTIONS, type UserAction } from '../domain/simulations/jobPeople';

/** Recognizes each action by a word in the action type, because no document lists the action types. */
const ACTION_PATTERNS: ReadonlyArray<[action: UserAction, pattern: RegExp]> = [
	['submitted', /submi/i],
	['clicked', /click|scan/i],
	['opened', /open/i],
	['reported', /report/i],
];
/** Matches an action type that the results of simulations don't show in the same way, such as AttachmentOpened or TrainingClicked. */
const OTHER_ACTION_PATTERN = /attach|enrol|exam|learn|mfa|^no|not|survey|threat|train/i;

/**
 * Creates the source of events for a platform without a list of events: the results of campaign jobs. They show opens,
 * clicks, submissions and reports in simulations, but no other events.
 * @param actionTypes the IDs of the watched action types; empty if all are watched
 */
export function createSimulationEventSource(
	{ client, signal }: CompanyPoll,
	actionTypes: readonly string[],
	includeUnconfirmed: boolean,
	context: PickerContext,
): EventSource {
	let actions: Promise<UserAction[]> | undefined;
	return {
		watched: JSON.stringify(actionTypes),
		readEvents: async (company, since) => {
			actions ??= findWatchedActions(actionTypes, context);
			return await readJobEvents(client, signal, {
				company: company.id ? company : undefined,
				since,
				actions: await actions,
				excludeBots: !includeUnconfirmed,
			});
		},
		getKey: getJobEventKey,
		getTime: readJobEventTime,
		needsConfirmation: (event) => !includeUnconfirmed && findBotAction(event) !== undefined && !isHumanRow(event),
		// The event's own row would confirm it, and the next poll reads the row again.
		confirmEvents: (_company, events) => Promise.resolve(events.map(() => undefined)),
	};
}

/**
 * Finds the actions that the watched action types mean.
 * @throws InvalidInputError if an action type is something else, such as a completed training; RequestError
 */
async function findWatchedActions(actionTypes: readonly string[], context: PickerContext): Promise<UserAction[]> {
	if (actionTypes.length === 0) return [...USER_ACTIONS];
	const choices = await readPlatformChoices('actionTypes', context).catch((error: unknown): Choice[] => {
		if (isNotFoundOrForbidden(error)) return [];
		throw toError(error);
	});
	const names = actionTypes.map((id) => choices.find((choice) => choice.id === id)?.name ?? id);
	const otherNames = names.filter((name) => findAction(name) === undefined);
	if (otherNames.length > 0)
		throw new InvalidInputError(
			`has ${formatList(otherNames.map((name) => `'${name}'`))}, but this platform only shows opens, clicks, submissions and reports in simulations, because it doesn't list events of people (404)`,
			['actionTypes'],
			"Remove these events from 'Watch Names or IDs'. For trainings, use the Training Report node on a schedule.",
		);
	return USER_ACTIONS.filter((action) => names.some((name) => findAction(name) === action));
}

function findAction(actionType: string): UserAction | undefined {
	if (OTHER_ACTION_PATTERN.test(actionType)) return undefined;
	return ACTION_PATTERNS.find(([, pattern]) => pattern.test(actionType))?.[0];
}
