import { uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { Answered } from '../core/response/responseHandler';
import { mustHaveValues } from '../core/fields/field';
import { choices, parseTexts, toggle } from '../core/fields/fieldTypes';
import { InvalidInput, rethrow, ServiceError } from '../core/http/errors';
import type { PerformTools } from '../core/operation/defineOperation';
import { listOf, parseDecimal } from '../core/values';

/** A state that people are in, and the platform's number of it (deployment activity, 4). */
export interface State {
	name: string;
	value: string;
}

/** @throws InvalidInput for nothing, and for what is no number; a number that is not in the list is the platform's affair */
function parseStates(raw: unknown): number[] {
	const numbers = uniq(parseTexts(raw).map(parseDecimal));
	if (numbers.length > 0 && numbers.every(Number.isInteger)) return numbers;
	throw new InvalidInput(
		numbers.length > 0 ? "must have only the platform's numbers of states" : 'must have at least one choice',
		[],
		'Choose one or several entries of the list.',
	);
}

/** The fields for whom a message is sent to again. Nobody is chosen beforehand, and nothing stands for everybody. */
export const resendFields = (states: State[]) =>
	mustHaveValues({
		sendTo: {
			...choices({
				displayName: 'Send To',
				description:
					'In which state the people are who get it again; an expression may give other numbers of the platform',
				required: true,
				options: states,
				default: [],
			}),
			parse: parseStates,
		},
		countOnly: toggle({
			displayName: 'Count Only',
			description: 'Whether to count these people, and send nothing',
			default: false,
		}),
	});

const stateName = (states: State[], type: number) =>
	states.find(({ value }) => value === String(type))?.name ?? `State ${type}`;

/** What an item says of what was sent again; nothing where people were only counted. */
export const sentAgain = (
	states: State[],
	{ sendTo, countOnly }: { sendTo: number[]; countOnly: boolean },
): IDataObject => (countOnly ? {} : { sent: true, sendTo: sendTo.map((type) => stateName(states, type)).join(', ') });

/**
 * How many people are in each of the chosen states, an item each.
 * @param countOf the number of a state; null where the platform does not tell it
 */
export async function counted(
	states: State[],
	chosen: number[],
	countOf: (state: string) => Promise<number | null>,
	{ context }: Pick<PerformTools, 'context'>,
): Promise<Answered[]> {
	const counts = await Promise.all(chosen.map(async (type) => ({ type, count: await countOf(String(type)) })));
	const unknown = counts.filter(({ count }) => count === null).map(({ type }) => stateName(states, type));
	if (unknown.length > 0)
		context.hint('The platform does not tell how many people are in this state.', listOf(unknown));
	return counts.map(({ type, count }) => ({
		json: { sendTo: stateName(states, type), resendType: type, peopleCount: count, sent: false },
	}));
}

/** Replaces the advice of the error if the platform refuses to resend (400) or reports a conflict (409). @throws always */
export const refusedResend = (advice: string) => async (error: unknown) =>
	rethrow(
		error instanceof ServiceError && (error.details.isInputRefused === true || error.details.status === 409)
			? new ServiceError({ ...error.details, advice: `${error.details.said ?? ''} ${advice}`.trim() })
			: error,
	);
