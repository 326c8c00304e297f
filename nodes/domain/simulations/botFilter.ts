import { mapValues } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { OperationContext } from '../../core/response/responseHandler';
import type { ListOptions } from '../../core/pagination/readList';
import { toggleField } from '../../core/fields/fieldTypes';
import type { PerformTools } from '../../core/operation/defineOperation';
import { readId, isEmpty, formatList, formatCount } from '../../core/values';
import { ALL_PEOPLE, RISKY_ACTIONS } from './jobPeople';

/** The filter field 'Exclude Bots'. Bots are excluded unless a user adds the field and turns it off. */
export const botFields = {
	excludeBots: toggleField({
		displayName: 'Exclude Bots',
		default: true,
		description:
			'Whether to leave out what programs did, such as mail scanners that follow links. It is left out unless this is off.',
	}),
};

/** The value of `activityType` in a request that returns only people (deployment activity 1). */
const ONLY_HUMANS = 0;
/** The value of `activityType` in a request that returns people and bots (deployment activity 1). */
const HUMANS_AND_BOTS = 2;
/** Matches `activityType` in the row of a bot: "Bot Activity", or "Sandbox Activity" on older platforms. */
const BOT_ACTIVITY = /bot|sandbox/i;
/** Matches `activityType` in the row of a person. Without any action, the row has no `activityType`. */
const HUMAN_ACTIVITY = /human/i;

const BOTS_EXCLUDED_HINT =
	"Bots were left out: what programs, such as mail scanners, opened and clicked does not count. To count it, add the filter 'Exclude Bots' and switch it off.";
const UNKNOWN_ACTIVITY_HINT =
	"The field activityType says neither human nor bot of some people; they are in the output, whatever 'Exclude Bots' is.";

/** Matches the fields that count a person's actions, such as clickedCount (deployment shapes, "Campaign reports"). */
const ACTION_COUNT_FIELD = /(opened|clicked|submitted)Count$/i;
/**
 * Matches the fields with the time of an action, such as lastAttachmentOpenedTime (deployment shapes, "Campaign
 * reports").
 */
const ACTION_TIME_FIELD = /(opened|clicked|submitted)Time/i;

/** Returns true if a row shows the actions of a bot. */
const isBot = (row: IDataObject): boolean => BOT_ACTIVITY.test(readId(row, ['activityType']) ?? '');

/**
 * Clears a field that shows a bot's action, and returns other fields unchanged. An empty value stays empty, because the
 * platform doesn't provide it.
 */
function clearAction(value: IDataObject[string], fieldName: string): IDataObject[string] {
	if (isEmpty(value)) return value;
	if (RISKY_ACTIONS.some((action) => action === fieldName)) return false;
	if (ACTION_COUNT_FIELD.test(fieldName)) return 0;
	return ACTION_TIME_FIELD.test(fieldName) ? null : value;
}

/** A filter that excludes the actions of bots from lists of people and events. */
export interface BotFilter {
	/** The field for the body of the request. */
	body: { activityType: number };
	/** The options for reading the list. They drop and count the rows of bots. */
	readOptions: Pick<ListOptions, 'shouldKeep' | 'onFirstPage'>;
	/** Clears the actions in the row of a bot. A person's row is unchanged. */
	clearBotActions: (row: IDataObject) => IDataObject;
	/** Adds hints about excluded bots. Call it after the list was read. */
	addHints: (context: OperationContext) => void;
}

/**
 * Creates a filter that excludes bots. The request asks for people only. Rows of bots are also dropped from the response,
 * because a platform may ignore that part of the request. In the list of all people of a job, every row is kept, but the
 * actions of bots are cleared.
 * @param excludeBots undefined if the user didn't add the field; then bots are excluded
 * @param searchType the search type of the list (see `getJobPeopleEndpoint`)
 */
export function createBotFilter(excludeBots: boolean | undefined, searchType: string): BotFilter {
	// Bots don't report messages, so nobody is excluded from a list of people who reported.
	const excludesBots = excludeBots !== false && !/^reported$/i.test(searchType);
	const isListOfAll = searchType === ALL_PEOPLE;
	let botRowCount = 0;
	let platformBotCount = 0;
	const unknownActivityTypes = new Set<string>();

	const shouldKeep = (row: IDataObject): boolean => {
		const activityType = readId(row, ['activityType']) ?? 'human';
		if (BOT_ACTIVITY.test(activityType)) {
			botRowCount++;
			return isListOfAll;
		}
		if (!HUMAN_ACTIVITY.test(activityType)) unknownActivityTypes.add(activityType);
		return true;
	};
	const addPlatformCount: ListOptions['onFirstPage'] = ({ botActivityCount = 0 }) => {
		platformBotCount += botActivityCount;
	};
	const exclusionOptions = { shouldKeep, onFirstPage: isListOfAll ? undefined : addPlatformCount };

	return {
		body: { activityType: excludesBots && !isListOfAll ? ONLY_HUMANS : HUMANS_AND_BOTS },
		readOptions: excludesBots ? exclusionOptions : {},
		clearBotActions: (row) => (excludesBots && isBot(row) ? mapValues(row, clearAction) : row),
		addHints: ({ addHint }) => {
			// If the platform itself excluded the bots, only its own count is known.
			const count = botRowCount > 0 ? formatCount(botRowCount, 'row') : `${platformBotCount} by the platform's count`;
			if (botRowCount + platformBotCount > 0) addHint(BOTS_EXCLUDED_HINT, count);
			if (unknownActivityTypes.size > 0)
				addHint(UNKNOWN_ACTIVITY_HINT, formatList([...unknownActivityTypes].map((text) => `'${text}'`)));
		},
	};
}

type Send = PerformTools['send'];

/** Creates a `send` function that applies a bot filter to an operation's request for people or events. */
export function createFilteredSend({ body, readOptions }: BotFilter, send: Send): Send {
	return (overrides, options = {}) => {
		const filteredOptions = { ...options, ...readOptions };
		if (options.shouldKeep && readOptions.shouldKeep)
			filteredOptions.shouldKeep = (row) =>
				options.shouldKeep?.(row) === true && readOptions.shouldKeep?.(row) === true;
		return send({ ...overrides, body: { ...overrides?.body, ...body } }, filteredOptions);
	};
}
