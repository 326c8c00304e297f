import type { IDataObject } from 'n8n-workflow';

import { isForbidden, toError } from '../../core/http/errors';
import type { ReadChoices } from '../../core/pickers/listSource';
import type { PickerContext } from '../../core/fields/field';
import { normalizeText, readId, type Choice } from '../../core/values';

/** Returns the events of watched action types. @throws RequestError */
type FilterEvents = (events: IDataObject[]) => Promise<IDataObject[]>;

/**
 * Creates a function that leaves out events of other action types than the watched ones, because a platform may ignore
 * the action types of a request. The words in answers are not documented (deployment onboarding 3): the word of an event
 * may be the ID or the name of an action type. An event is left out only if its word belongs to an action type that is
 * not watched. The list of action types is only read if an event has another word than the watched IDs.
 * @param watchedIds the IDs of the watched action types; empty if all are watched
 * @param readActionTypes reads all action types of the platform
 */
export function createActionTypeFilter(
	watchedIds: readonly string[],
	readActionTypes: ReadChoices,
	context: PickerContext,
): FilterEvents {
	if (watchedIds.length === 0) return (events) => Promise.resolve(events);
	const watchedWords = new Set(watchedIds.map(normalizeText));
	let actionTypes: Promise<Choice[]> | undefined;
	return async (events) => {
		if (events.every((event) => watchedWords.has(readWord(event)))) return events;
		actionTypes ??= readActionTypes(context).catch((error: unknown) => {
			if (isForbidden(error)) return [];
			throw toError(error);
		});
		const watchedByWord = indexWatchedByWord(await actionTypes, watchedWords);
		return events.filter((event) => watchedWords.has(readWord(event)) || watchedByWord.get(readWord(event)) !== false);
	};
}

const readWord = (event: IDataObject): string => normalizeText(readId(event, ['ActionType']) ?? '');

/** Returns, for each ID and name of an action type, whether an action type with this ID or name is watched. */
function indexWatchedByWord(actionTypes: Choice[], watchedWords: ReadonlySet<string>): Map<string, boolean> {
	const watchedByWord = new Map<string, boolean>();
	for (const { id, name } of actionTypes) {
		const isWatched = watchedWords.has(normalizeText(id));
		for (const word of [id, name].map(normalizeText))
			watchedByWord.set(word, isWatched || watchedByWord.get(word) === true);
	}
	return watchedByWord;
}
