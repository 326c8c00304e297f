import { isNotFoundOrForbidden, InvalidInputError, toError } from '../core/http/errors';
import type { PickerContext } from '../core/fields/field';
import type { EventSource } from '../core/trigger/defineEventTrigger';
import type { CompanyPoll } from '../core/trigger/defineTrigger';
import { getRequestedCompany } from '../core/trigger/readCompanies';
import { formatList, type Choice } from '../core/values';
import { readPlatformChoices } from '../domain/pickers/platformLists';
import { findSimulationAction } from '../domain/simulations/actionTypes';
import { findBotAction, isHumanRow } from '../domain/simulations/confirmedActions';
import { getJobEventKey, readJobEvents, readJobEventTime } from '../domain/simulations/jobEvents';
import { USER_ACTIONS, type UserAction } from '../domain/simulations/jobPeople';

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
				company: getRequestedCompany(company),
				since,
				actions: await actions,
				excludeBots: !includeUnconfirmed,
			});
		},
		getKey: getJobEventKey,
		getTime: readJobEventTime,
		needsConfirmation: (event) => !includeUnconfirmed && findBotAction(event) !== undefined && !isHumanRow(event),
		// Confirms nothing. An event waits until a later poll reads its row again, marked as human; then it needs no confirmation.
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
	const otherNames = names.filter((name) => findSimulationAction(name) === undefined);
	if (otherNames.length > 0)
		throw new InvalidInputError(
			`has ${formatList(otherNames.map((name) => `'${name}'`))}, but this platform only shows opens, clicks, submissions and reports in simulations, because it doesn't list events of people (404)`,
			['actionTypes'],
			"Remove these events from 'Watch Names or IDs'. For trainings, use the Training Report node on a schedule.",
		);
	return USER_ACTIONS.filter((action) => names.some((name) => findSimulationAction(name) === action));
}
