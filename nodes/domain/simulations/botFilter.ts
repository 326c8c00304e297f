import { mapValues } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { OperationContext } from '../../core/response/responseHandler';
import type { ListOptions } from '../../core/pagination/readList';
import { toggleField } from '../../core/fields/fieldTypes';
import type { PerformHelpers } from '../../core/operation/defineOperation';
import { readId, isEmpty, formatList, formatCount } from '../../core/values';
import { ALL_PEOPLE_SEARCH_TYPE, RISKY_ACTIONS } from './jobPeople';

/** The filter field 'Exclude Bots'. Bots are excluded unless the user adds this field and turns it off. */
export const botFilterFields = {
	excludeBots: toggleField({
		displayName: 'Exclude Bots',
		default: true,
		description: 'Whether to leave out actions of bots, such as email scanners. To include bots, turn this off.',
	}),
};

/** The value of `activityType` in a request that returns only people (deployment activity 1). */
const ONLY_HUMANS = 0;
/** The value of `activityType` in a request that returns people and bots (deployment activity 1). */
const HUMANS_AND_BOTS = 2;
/** Matches `activityType` in the row of a bot: "Bot Activity", or "Sandbox Activity" on older platforms. */
const BOT_ACTIVITY_PATTERN = /bot|sandbox/i;
/** Matches `activityType` in the row of a person (deployment activity 1). The row of a person who did nothing has no `activityType`. */
export const HUMAN_ACTIVITY_PATTERN = /^human/i;

const BOTS_EXCLUDED_HINT =
	"Actions of bots, such as email scanners, were left out. To include them, add the filter 'Exclude Bots' and turn it off.";
const UNKNOWN_ACTIVITY_HINT =
	"For some people, the field activityType shows neither a human nor a bot. These people are in the output, even if 'Exclude Bots' is on.";

/** Matches the fields that count a person's actions, such as clickedCount (deployment shapes, "Campaign reports"). */
const ACTION_COUNT_FIELD_PATTERN = /(opened|clicked|submitted)Count$/i;
/**
 * Matches the fields with the time of an action, such as lastAttachmentOpenedTime (deployment shapes, "Campaign
 * reports").
 */
const ACTION_TIME_FIELD_PATTERN = /(opened|clicked|submitted)Time/i;

/** Returns true if a row shows the actions of a bot. */
const isBotRow = (row: IDataObject): boolean => BOT_ACTIVITY_PATTERN.test(readId(row, ['activityType']) ?? '');

/**
 * Returns the cleared value of a field in a bot's row: false for an action, 0 for a count, null for a time. The values
 * of other fields and empty values are returned unchanged.
 */
function clearAction(value: IDataObject[string], fieldName: string): IDataObject[string] {
	if (isEmpty(value)) return value;
	if (RISKY_ACTIONS.some((action) => action === fieldName)) return false;
	if (ACTION_COUNT_FIELD_PATTERN.test(fieldName)) return 0;
	return ACTION_TIME_FIELD_PATTERN.test(fieldName) ? null : value;
}

/** A filter that excludes the actions of bots from a list of people or events. */
export interface BotFilter {
	/** The body field that tells the platform whether to include bots. */
	body: { activityType: number };
	/** The options for reading the list. They drop the rows of bots, and count them for the hints. */
	readOptions: Pick<ListOptions, 'shouldKeep' | 'onFirstPage'>;
	/** Clears the actions in the row of a bot. The row of a person is returned unchanged. */
	clearBotActions: (row: IDataObject) => IDataObject;
	/** Adds the hints about excluded bots. Call it after the list was read, because they contain the number of bots. */
	addHints: (context: OperationContext) => void;
}

/**
 * Creates a filter that excludes bots. The request asks the platform for people only. Rows of bots are also dropped
 * from the response, because a platform may ignore `activityType`. The list of all people of a job is different: it
 * keeps every row, but the actions of bots are cleared.
 * @param excludeBots the value of 'Exclude Bots'; undefined if the user didn't add the field, and then bots are
 * excluded
 * @param searchType the search type of the list (see `getJobPeopleEndpoint`)
 */
export function createBotFilter(excludeBots: boolean | undefined, searchType: string): BotFilter {
	// Bots don't report messages, so nobody is excluded from a list of people who reported.
	const shouldExcludeBots = excludeBots !== false && !/^reported$/i.test(searchType);
	const isListOfAllPeople = searchType === ALL_PEOPLE_SEARCH_TYPE;
	let botRowCount = 0;
	let botCountFromPlatform = 0;
	const unknownActivityTypes = new Set<string>();

	const shouldKeep = (row: IDataObject): boolean => {
		const activityType = readId(row, ['activityType']) ?? 'human';
		if (BOT_ACTIVITY_PATTERN.test(activityType)) {
			botRowCount++;
			return isListOfAllPeople;
		}
		if (!HUMAN_ACTIVITY_PATTERN.test(activityType)) unknownActivityTypes.add(activityType);
		return true;
	};
	const addBotCountFromPlatform: ListOptions['onFirstPage'] = ({ botActivityCount = 0 }) => {
		botCountFromPlatform += botActivityCount;
	};
	const exclusionOptions = { shouldKeep, onFirstPage: isListOfAllPeople ? undefined : addBotCountFromPlatform };

	return {
		body: { activityType: shouldExcludeBots && !isListOfAllPeople ? ONLY_HUMANS : HUMANS_AND_BOTS },
		readOptions: shouldExcludeBots ? exclusionOptions : {},
		clearBotActions: (row) => (shouldExcludeBots && isBotRow(row) ? mapValues(row, clearAction) : row),
		addHints: ({ addHint }) => {
			// If the platform itself excluded the bots, no rows of bots were dropped here, and only the platform's count is
			// known.
			const count =
				botRowCount > 0
					? `${formatCount(botRowCount, 'row')} left out`
					: `${botCountFromPlatform} left out, by the platform's count`;
			if (botRowCount + botCountFromPlatform > 0) addHint(BOTS_EXCLUDED_HINT, count);
			if (unknownActivityTypes.size > 0)
				addHint(UNKNOWN_ACTIVITY_HINT, formatList([...unknownActivityTypes].map((text) => `'${text}'`)));
		},
	};
}

type SendFunction = PerformHelpers['send'];

/** Creates a `send` function that applies a bot filter to an operation's request for people or events. */
export function createFilteredSend({ body, readOptions }: BotFilter, send: SendFunction): SendFunction {
	return (overrides, options = {}) => {
		const filteredOptions = { ...options, ...readOptions };
		if (options.shouldKeep && readOptions.shouldKeep)
			filteredOptions.shouldKeep = (row) =>
				options.shouldKeep?.(row) === true && readOptions.shouldKeep?.(row) === true;
		return send({ ...overrides, body: { ...overrides?.body, ...body } }, filteredOptions);
	};
}
