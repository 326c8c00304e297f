import { mapValues } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { OperationContext } from '../../core/response/responseHandler';
import type { ListShape } from '../../core/pagination/readList';
import { toggle } from '../../core/fields/fieldTypes';
import type { PerformTools } from '../../core/operation/defineOperation';
import { identityOf, isEmpty, listOf, plural } from '../../core/values';
import { ALL_PEOPLE, RISKY_ACTIONS } from './people';

/** The filter that leaves out programs, and does so unless it is switched off. */
export const botFields = {
	excludeBots: toggle({
		displayName: 'Exclude Bots',
		default: true,
		description:
			'Whether to leave out what programs did, such as mail scanners that follow links. It is left out unless this is off.',
	}),
};

/** What `activityType` asks for in a request (deployment activity 1). */
const HUMANS = 0;
const BOTH = 2;
/** What it says in a row: "Bot Activity", earlier "Sandbox Activity"; nothing where nothing was done. */
const BOT = /bot|sandbox/i;
const HUMAN = /human/i;

/** Whether a row says that a program opened and clicked. */
const isBot = (row: IDataObject): boolean => BOT.test(identityOf(row, ['activityType']) ?? '');

const LEFT_OUT =
	"Bots were left out: what programs, such as mail scanners, opened and clicked does not count. To count it, add the filter 'Exclude Bots' and switch it off.";
const UNKNOWN =
	"The field activityType says neither human nor bot of some people; they are in the output, whatever 'Exclude Bots' is.";

/** The names of fields that count a person's actions, such as clickedCount, or have their times, such as lastAttachmentOpenedTime (deployment shapes). */
const ACTION_COUNT = /(opened|clicked|submitted)Count$/i;
const ACTION_TIME = /(opened|clicked|submitted)Time/i;

/** Clears a field of a person's row that shows a bot's action. An empty value stays empty, because the platform doesn't show it. */
function clearAction(value: IDataObject[string], name: string): IDataObject[string] {
	if (isEmpty(value)) return value;
	if (RISKY_ACTIONS.some((action) => action === name)) return false;
	if (ACTION_COUNT.test(name)) return 0;
	return ACTION_TIME.test(name) ? null : value;
}

const clearActions = (row: IDataObject): IDataObject => mapValues(row, clearAction);

/**
 * Leaves bots out of lists of people and of events: asks for humans only, and drops the rows that say otherwise, because a platform
 * may not know what it is asked. Among all people of a job everybody stays, but what a bot did is not the person's.
 * @param excludeBots undefined where nobody chose: then they are left out
 * @param searchType of the list (see `peopleEndpoint`)
 * @returns what the request's body needs, how to read the list, what a row says of the person alone, and `tell`, to be called
 * afterwards, which says what was left out
 */
export function botFilter(excludeBots: boolean | undefined, searchType: string) {
	const isExcluding = excludeBots !== false && !/^reported$/i.test(searchType);
	const isOfAll = searchType === ALL_PEOPLE;
	const seen = { left: 0, counted: 0, texts: new Set<string>() };
	const isWanted = (row: IDataObject): boolean => {
		const text = identityOf(row, ['activityType']) ?? 'human';
		if (!BOT.test(text) && !HUMAN.test(text)) seen.texts.add(text);
		if (!BOT.test(text)) return true;
		seen.left++;
		return isOfAll;
	};
	const countBots: ListShape['onFirstPage'] = isOfAll ? undefined : ({ bots = 0 }) => void (seen.counted += bots);
	const shape: Pick<ListShape, 'isWanted' | 'onFirstPage'> = isExcluding ? { isWanted, onFirstPage: countBots } : {};
	return {
		body: { activityType: isExcluding && !isOfAll ? HUMANS : BOTH },
		shape,
		ofPerson: (row: IDataObject): IDataObject => (isExcluding && isBot(row) ? clearActions(row) : row),
		tell: ({ hint }: OperationContext) => {
			// Where the platform left them out itself, only its own count is known.
			const count = seen.left > 0 ? plural(seen.left, 'row') : `${seen.counted} by the platform's count`;
			if (seen.left + seen.counted > 0) hint(LEFT_OUT, count);
			if (seen.texts.size > 0) hint(UNKNOWN, listOf([...seen.texts].map((text) => `'${text}'`)));
		},
	};
}

export type BotFilter = ReturnType<typeof botFilter>;

/** Sends an operation's request for people or events through a filter. */
export const withoutBots =
	({ body, shape }: BotFilter, send: PerformTools['send']): PerformTools['send'] =>
	async (overrides, wanted = {}) => {
		const isWanted = (row: IDataObject) => (wanted.isWanted?.(row) ?? true) && (shape.isWanted?.(row) ?? true);
		const isAll = !wanted.isWanted && !shape.isWanted;
		const all = { ...wanted, ...shape, ...(isAll ? {} : { isWanted }) };
		return await send({ ...overrides, body: { ...overrides?.body, ...body } }, all);
	};
