import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import { escapeHtml, formatItemNumber } from '../values';

/** Describes a failed request, for the user and for the code that reacts to it. */
export interface RequestErrorDetails {
	/** Says what happened, as the end of a sentence: "the platform refused access (403)". */
	reason: string;
	/** The platform's own messages, followed by what the user can do. */
	advice: string;
	/** The platform's own messages without any advice. An operation that sends several requests can append its own advice. */
	serviceMessage?: string;
	/**
	 * A cause that is handled in a special way. After 'cancelled', a node stops even if it is set to continue on errors. After 'rate-limited', n8n waits
	 * longer before the next poll.
	 */
	cause?: 'cancelled' | 'rate-limited' | 'temporarily-unavailable';
	/** The HTTP status of the response. */
	status?: number;
	/** True if a customer doesn't let its reseller in at present (deployment activity 10). */
	isAccessClosed?: boolean;
	/** True if the platform rejected the values of the request, so that another request variant may succeed. */
	isInputRejected?: boolean;
	/** True if the platform answered with success, but without the requested data. */
	hasNoData?: boolean;
	/** True if the platform may have carried out the request although it failed. */
	mayHaveBeenApplied?: boolean;
	/** True if the same request may succeed later. */
	isTransient?: boolean;
	/** The time that the platform asks to wait before the next request, in ms. */
	retryAfterMs?: number;
}

/** The error of a failed request. It holds neither the request nor the original error, so that it can't contain a secret. */
export class RequestError extends Error {
	constructor(readonly details: RequestErrorDetails) {
		super(details.reason);
		this.name = 'RequestError';
	}
}

/** The details of the error for a request whose run was stopped, or whose response is no longer needed. */
export const RUN_STOPPED: RequestErrorDetails = {
	reason: 'the run was stopped',
	advice: 'Run the workflow again when you are ready.',
	cause: 'cancelled',
};

/** The details of the error for a write with a credential that allows only reads. */
export const READ_ONLY_CREDENTIAL: RequestErrorDetails = {
	reason: 'the credential only allows reading, but this operation changes data',
	advice:
		"Nothing was sent. To allow changes, open the credential and turn off 'Read Only', or use another credential.",
};

/** The error for an input that can't be sent. It is thrown before a request with this input is sent. */
export class InvalidInputError extends Error {
	constructor(
		/** Completes a sentence that begins with the field's name: "must not be empty". */
		readonly complaint: string,
		/** The names that lead to the field: ['filters', 'text']. */
		readonly path: string[] = [],
		/** Says how to correct the input, if the complaint doesn't already say so. */
		readonly advice?: string,
	) {
		super(complaint);
		this.name = 'InvalidInputError';
	}

	/** Returns a copy of the error whose path begins with `name`, the block that contains the field. */
	prependPath(name: string): InvalidInputError {
		return new InvalidInputError(this.complaint, [name, ...this.path], this.advice);
	}
}

/** Returns true if the run was stopped, or the response is no longer needed. Nothing may continue after this error. */
export const isCancellationError = (error: unknown) =>
	error instanceof RequestError && error.details.cause === 'cancelled';

/** Returns a thrown value as an Error. A value that isn't an Error becomes the message of a new one. */
export const toError = (thrown: unknown) => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/** Returns true for a 404: the platform doesn't have the endpoint or the record (deployment beyond, "How to use this file"). */
export const isNotFound = (error: unknown) => error instanceof RequestError && error.details.status === 404;

/** Returns true for a 403: the credential's role may not do this, or the company isn't one of its customers (contract 7). */
export const isForbidden = (error: unknown): error is RequestError =>
	error instanceof RequestError && error.details.status === 403;

/** Returns true if the platform doesn't have the list (404), or if the credential's role may not read it (403). */
export const isNotFoundOrForbidden = (error: unknown): boolean => isNotFound(error) || isForbidden(error);

/** Returns true if the platform rejected the input or doesn't have the endpoint, so that another request may succeed. */
export const isRejected = (error: unknown): error is RequestError =>
	error instanceof RequestError && (error.details.isInputRejected === true || error.details.status === 404);

/**
 * Sends a request. If the platform rejects it, sends another request that has the same result.
 * @param mayTryFallback decides after which errors of the first request the fallback is sent
 * @throws the first rejection if both requests are rejected, because that request is the one that the user made
 */
export async function withFallback<T>(
	sendPreferred: () => Promise<T>,
	sendFallback: () => Promise<T>,
	mayTryFallback: (error: unknown) => boolean = isRejected,
): Promise<T> {
	try {
		return await sendPreferred();
	} catch (firstError) {
		if (!mayTryFallback(firstError)) throw toError(firstError);
		return await sendFallback().catch((fallbackError: unknown) => {
			throw toError(isRejected(fallbackError) ? firstError : fallbackError);
		});
	}
}

/** Describes the action that failed, for the error message. */
export interface ErrorContext {
	/** The action that failed: "get companies". */
	purpose: string;
	company?: { id: string; name: string };
	/** The input item: its index, counted from 0 as n8n does, and the number of items. It is undefined if there is only one item. */
	item?: { index: number; count: number };
	/** Turns the path of a field into the labels that the user sees. */
	getLabels?: (path: string[]) => string[];
	/** The operation's own advice for a 403. It is shown before the general advice. */
	forbiddenAdvice?: string;
}

/** The texts of an error that n8n shows: what happened, and how to correct it. */
interface ErrorText {
	message: string;
	description: string;
	httpCode?: number;
}

/** Describes any thrown value for the user. */
export function describeError(thrown: unknown, context: ErrorContext): ErrorText {
	const { item } = context;
	const itemSuffix = item ? ` [${formatItemNumber(item.index, item.count)}]` : '';
	if (thrown instanceof InvalidInputError) return describeInvalidInput(thrown, context, itemSuffix);
	const { company, purpose, forbiddenAdvice } = context;
	const failure = `Could not ${purpose}${company ? ` for '${company.name || company.id}'` : ''}`;
	if (!(thrown instanceof RequestError))
		return { message: `${failure}${itemSuffix}`, description: toError(thrown).message };
	const { reason, advice, status } = thrown.details;
	return {
		message: `${failure}: ${reason}${itemSuffix}`,
		description: status === 403 && forbiddenAdvice ? `${forbiddenAdvice} ${advice}` : advice,
		httpCode: status,
	};
}

function describeInvalidInput(error: InvalidInputError, context: ErrorContext, itemSuffix: string): ErrorText {
	const labels = context.getLabels?.(error.path) ?? error.path;
	const quotedPath = labels
		.map((label) => `'${label}'`)
		.reverse()
		.join(' in ');
	return {
		message: `${quotedPath} ${error.complaint}${itemSuffix}`.trim(),
		description: error.advice ?? `Correct ${quotedPath === '' ? 'the value' : quotedPath} and run the node again.`,
	};
}

/** The options of n8n's error classes that are used here. */
interface NodeErrorOptions {
	message: string;
	description: string;
	httpCode?: string;
}

/** The error's property `failure`, from which n8n derives the time of the next poll. */
interface PollFailure {
	cause: 'rate-limited' | 'temporarily-unavailable';
	retryAfterMs?: number;
}

/**
 * Turns any thrown value into the error that n8n shows. n8n renders the texts as HTML, so they are escaped. The error
 * contains no data of the request. It has no `itemIndex` either, because n8n's editor would add it to the message, counted from 0, although
 * the message already names the item (n8n 10).
 */
export function toNodeError(node: INode, thrown: unknown, context: ErrorContext): NodeApiError | NodeOperationError {
	if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) return thrown;
	const { httpCode, ...texts } = describeError(thrown, context);
	const message = escapeHtml(texts.message);
	const options: NodeErrorOptions = { message, description: escapeHtml(texts.description) };
	// The message is set again below, because n8n replaces a message that contains the code of a system error, such as EPERM. A
	// company's name may contain such a code by chance (n8n 3).
	if (!(thrown instanceof RequestError))
		return Object.assign(new NodeOperationError(node, message, options), { message });
	if (httpCode !== undefined) options.httpCode = String(httpCode);
	const error = new NodeApiError(node, {}, options);
	const { retryAfterMs, cause } = thrown.details;
	// The cause determines how long n8n waits before the next poll (n8n 6). After an error that seems permanent, n8n would wait
	// half an hour. That is too long for a failure that may be temporary, such as an API client that is rejected only once.
	const failure: PollFailure = { cause: cause === 'rate-limited' ? cause : 'temporarily-unavailable' };
	if (retryAfterMs !== undefined) failure.retryAfterMs = retryAfterMs;
	return Object.assign(error, { message, messages: [], failure });
}
