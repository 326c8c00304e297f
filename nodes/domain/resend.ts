import { uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import type { ResultItem } from '../core/response/responseHandler';
import { rejectEmptyExpressions } from '../core/fields/field';
import { multiChoiceField, parseTextList, toggleField } from '../core/fields/fieldTypes';
import { toError, InvalidInputError, RequestError } from '../core/http/errors';
import type { PerformHelpers } from '../core/operation/defineOperation';
import { formatList, parseDecimal } from '../core/values';

/** A state of people that selects to whom a message is resent, such as "Clicked" (deployment activity 4). */
export interface ResendState {
	name: string;
	/** The number that the platform uses for the state. */
	value: string;
}

/**
 * Parses the value of 'Send To', a list of state numbers. A number that isn't an option is accepted, because platforms
 * may have more states.
 * @throws InvalidInputError if the list is empty, or if a value isn't a whole number
 */
function parseStates(raw: unknown): number[] {
	const stateNumbers = uniq(parseTextList(raw).map(parseDecimal));
	if (stateNumbers.length > 0 && stateNumbers.every(Number.isInteger)) return stateNumbers;
	throw new InvalidInputError(
		stateNumbers.length > 0 ? "must have only the platform's numbers of states" : 'must have at least one choice',
		[],
		'Choose one or several entries of the list.',
	);
}

/**
 * Creates the fields that select the recipients of a resent message. To prevent accidents, no state is selected by
 * default, and no option selects everybody.
 */
export const resendFields = (states: ResendState[]) =>
	rejectEmptyExpressions({
		sendTo: {
			...multiChoiceField({
				displayName: 'Send To',
				description:
					'In which state the people are who get it again; an expression may give other numbers of the platform',
				required: true,
				options: states,
				default: [],
			}),
			parse: parseStates,
		},
		countOnly: toggleField({
			displayName: 'Count Only',
			description: 'Whether to count these people, and send nothing',
			default: false,
		}),
	});

const getStateName = (states: ResendState[], stateNumber: number) =>
	states.find(({ value }) => value === String(stateNumber))?.name ?? `State ${stateNumber}`;

/** The values of the fields that `resendFields` creates. */
interface ResendValues {
	sendTo: number[];
	countOnly: boolean;
}

/**
 * Returns the output fields that say to whom a message was resent. Returns no fields if the people were only counted.
 */
export function describeResend(states: ResendState[], { sendTo, countOnly }: ResendValues): IDataObject {
	if (countOnly) return {};
	return { sent: true, sendTo: sendTo.map((stateNumber) => getStateName(states, stateNumber)).join(', ') };
}

/**
 * Counts the people in each selected state. Returns one item per state.
 * @param countPeople counts the people in one state; returns null if they can't be counted
 */
export async function countRecipients(
	states: ResendState[],
	selectedStates: number[],
	countPeople: (state: string) => Promise<number | null>,
	{ context }: Pick<PerformHelpers, 'context'>,
): Promise<ResultItem[]> {
	const counts = await Promise.all(selectedStates.map((stateNumber) => countPeople(String(stateNumber))));
	const uncountedStates = selectedStates.filter((_, index) => counts[index] === null);
	if (uncountedStates.length > 0)
		context.addHint(
			'The platform does not tell how many people are in this state.',
			formatList(uncountedStates.map((stateNumber) => getStateName(states, stateNumber))),
		);
	return selectedStates.map((stateNumber, index) => ({
		json: {
			sendTo: getStateName(states, stateNumber),
			resendType: stateNumber,
			peopleCount: counts[index] ?? null,
			sent: false,
		},
	}));
}

/**
 * Sends the request of an operation that resends a message.
 * @param adviceIfRefused the advice of the error if the platform rejects the request (400) or reports a conflict (409)
 * @param body fields to add to the body that the operation builds
 * @throws RequestError
 */
export async function sendResendRequest(
	{ send }: Pick<PerformHelpers, 'send'>,
	adviceIfRefused: string,
	body?: IDataObject,
): Promise<ResultItem[]> {
	try {
		return await send(body && { body });
	} catch (error) {
		throw replaceAdviceIfRefused(toError(error), adviceIfRefused);
	}
}

/** Replaces the advice of an error if the platform rejected the request (400) or reported a conflict (409). */
function replaceAdviceIfRefused(error: Error, advice: string): Error {
	if (!(error instanceof RequestError)) return error;
	const { isInputRejected, status, serviceMessage = '' } = error.details;
	if (isInputRejected !== true && status !== 409) return error;
	return new RequestError({ ...error.details, advice: `${serviceMessage} ${advice}`.trim() });
}
