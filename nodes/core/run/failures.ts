import { groupBy } from 'lodash';
import { NodeApiError, NodeOperationError, type IDataObject, type INodeExecutionData } from 'n8n-workflow';

import type { OutputItem } from '../response/responseHandler';
import { getFieldLabels } from '../fields/field';
import type { SettledResult } from '../http/mapConcurrently';
import { toError, describeError, type ErrorContext, RequestError, type RequestErrorDetails } from '../http/errors';
import type { Operation } from '../operation/defineOperation';
import { formatList, formatCount, type Choice } from '../values';

/** The result of running one input item for one company: the output items, or an error. */
export interface CompanyResult {
	/** Undefined if the operation runs for the company that the credential belongs to. */
	company?: Choice | undefined;
	outcome: SettledResult<OutputItem[]>;
}

/** An output item for an error at a company whose name or ID wasn't known when the item was built. */
export interface IncompleteErrorItem {
	item: INodeExecutionData;
	/** The index of the input item. */
	itemIndex: number;
	company: Choice;
	error: unknown;
}

/**
 * Creates the context for an error's message: the purpose, the field labels, the input item and the company.
 * @param itemIndex the index of the input item. It is left out of the message if there is only one item.
 */
export const createErrorContext = (
	{ operation, inputItems }: { operation: Operation; inputItems: readonly unknown[] },
	itemIndex: number,
	company?: Choice,
): ErrorContext => ({
	purpose: operation.purpose,
	getLabels: (path) => getFieldLabels(operation.fields, path),
	item: inputItems.length > 1 ? { index: itemIndex, count: inputItems.length } : undefined,
	company,
});

/**
 * Creates the error of a composite that failed after one of its steps was carried out. The advice of the failed request is left out,
 * because it says to run the node again, which would repeat that step.
 * @param details the details of the failed request
 * @param completedStep the step that was carried out: "the enrollment was created"
 */
export const createPartialFailure = (
	details: RequestErrorDetails,
	completedStep: string,
	advice: string,
): RequestError =>
	new RequestError({
		...details,
		reason: `${completedStep}, but ${details.reason}`,
		advice: `${details.serviceMessage ?? ''} ${advice}`.trim(),
	});

/** Creates the output item for an error. It is used if the node continues on failure. */
export function createErrorItem(thrown: unknown, errorContext: ErrorContext): { json: IDataObject } {
	const { message, description, httpCode } = describeError(thrown, errorContext);
	const { company } = errorContext;
	const error: IDataObject = { message, description };
	if (httpCode !== undefined) error.httpCode = httpCode;
	if (company) {
		error.companyResourceId = company.id;
		error.companyName = company.name;
	}
	return { json: { error, message } };
}

/** Adds a note to the error of an item with a mistake: no item was written at all. If there is only one item, no note is needed. */
export const addNothingWrittenNote = (error: unknown, itemCount: number): Error =>
	addToDescription(
		error,
		itemCount > 1 ? 'The node checks all items before it writes. It has written nothing for any item.' : '',
	);

/** Adds a note to the error of a write: how many items were already written, so that the user doesn't write these items again. */
export function addWrittenItemsNote(error: unknown, writtenCount: number): Error {
	if (writtenCount === 0) return addToDescription(error, '');
	const writtenItems = writtenCount === 1 ? 'item' : `${writtenCount} items`;
	return addToDescription(
		error,
		`The node has already written the ${writtenItems} before this one. Run it again for the other items only.`,
	);
}

/** Adds a sentence to an error's description, which n8n shows below the message. */
function addToDescription(error: unknown, sentence: string): Error {
	if (error instanceof NodeApiError || error instanceof NodeOperationError)
		error.description = `${error.description ?? ''} ${sentence}`.trim();
	return toError(error);
}

/** An error of one company, or the combined error of several companies. */
interface CompanyFailure {
	/** Undefined for a combined error, and for the company that the credential belongs to. */
	company?: Choice | undefined;
	error: unknown;
}

/** The maximum number of companies that an error's message names for each reason. The error's description names more of them. */
const MAX_COMPANIES_IN_MESSAGE = 5;

const getCompanyLabel = ({ company }: CompanyResult | CompanyFailure) => company?.name || company?.id || '';

/**
 * Combines the failures of an item's companies into one error. The message lists the reasons, the most frequent one first, each with the
 * number and the names of the companies. The description contains the advice, and the companies for which the operation succeeded.
 * @returns undefined if the operation succeeded for all companies; the failure itself if there is only one result
 */
export function combineFailures(
	results: readonly CompanyResult[],
	errorContext: ErrorContext,
): CompanyFailure | undefined {
	const failures = results.flatMap(({ company, outcome }): CompanyFailure[] =>
		outcome.ok ? [] : [{ company, error: outcome.error }],
	);
	const [firstFailure] = failures;
	if (!firstFailure || results.length === 1) return firstFailure;

	const failuresByReason = groupBy(failures, ({ error }) => getFailureReason(error, errorContext));
	const failureGroups = Object.entries(failuresByReason).sort(([, left], [, right]) => right.length - left.length);
	const describeGroups = (maxCompanies?: number) =>
		failureGroups.map(([reason, failuresInGroup]) => {
			const share = `${failuresInGroup.length} of ${formatCount(results.length, 'company')}`;
			return `${reason} for ${share}: ${formatList(failuresInGroup.map(getCompanyLabel), ', ', maxCompanies)}`;
		});

	const advice = new Set(
		failures.map(({ error, company }) => describeError(error, { ...errorContext, company }).description),
	);
	const paragraphs = [formatList([...advice], '\n'), formatList(describeGroups(), '\n')];
	const successes = results.filter(({ outcome }) => outcome.ok);
	if (successes.length > 0)
		paragraphs.push(
			`The operation succeeded for ${formatCount(successes.length, 'company')}: ${formatList(successes.map(getCompanyLabel))}. To keep their results, set 'On Error' in the node's settings to 'Continue' or 'Continue (using error output)'.`,
		);

	const mostFrequentError = failureGroups[0]?.[1][0]?.error;
	const details = mostFrequentError instanceof RequestError ? mostFrequentError.details : {};
	const error = new RequestError({
		...details,
		reason: formatList(describeGroups(MAX_COMPANIES_IN_MESSAGE), '; ', 3),
		advice: paragraphs.join('\n\n'),
		mayHaveBeenApplied: true,
	});
	return { error };
}

/** Returns the reason of an error, without the item and the company, so that errors with the same reason can be grouped. */
export const getFailureReason = (error: unknown, errorContext: ErrorContext): string =>
	error instanceof RequestError
		? error.details.reason
		: describeError(error, { ...errorContext, item: undefined }).message;
