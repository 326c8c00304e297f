import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import { escapeHtml } from '../values';

export interface ServiceErrorDetails {
	/** What happened, as the end of a sentence: "the service refused access (403)". */
	reason: string;
	/** The service's own messages, then what a person can do. */
	advice: string;
	/** The service's own messages alone, as a sentence; a composite has its own advice after them. */
	said?: string;
	/** After 'cancelled' a node never continues; after 'rate-limited' n8n waits longer before the next poll. */
	cause?: 'cancelled' | 'rate-limited' | 'temporarily-unavailable';
	status?: number;
	/** Whether the service refused the values that were sent, so that another form of the request may succeed. */
	isInputRefused?: boolean;
	/** True if the service answered with success, but without the requested data. */
	hasNoData?: boolean;
	/** Whether the service may have carried out the request although it failed. */
	mayHaveBeenApplied?: boolean;
	/** Whether the same request may succeed later. */
	transient?: boolean;
	/** How long the service asked to wait before the next request, in ms. */
	retryAfterMs?: number;
}

/** A call to the service that failed. It holds no request, no headers and no cause, so that it cannot contain a secret. */
export class ServiceError extends Error {
	constructor(readonly details: ServiceErrorDetails) {
		super(details.reason);
		this.name = 'ServiceError';
	}
}

/** The details of the error after a person stopped the run, or the caller does not need the answer any more. */
export const STOPPED: ServiceErrorDetails = {
	reason: 'the run was stopped',
	advice: 'Start it again when you are ready.',
	cause: 'cancelled',
};

/** The details of the error for a request that changes something, where the credential allows only reading. */
export const READ_ONLY: ServiceErrorDetails = {
	reason: 'the credential only allows reading, and this changes something',
	advice:
		"Nothing was sent. If it should be allowed, open the credential and switch 'Read Only' off, or use another credential.",
};

/** Input that cannot be sent, found before any request is made. `path` leads to the field: ['filters', 'text']. */
export class InvalidInput extends Error {
	constructor(
		/** Completes a sentence that begins with the field's name: "must not be empty". */
		readonly complaint: string,
		readonly path: string[] = [],
		/** How to correct it, where the complaint does not already say so. */
		readonly advice?: string,
	) {
		super(complaint);
		this.name = 'InvalidInput';
	}

	/** The same error with `key` put in front of its path. */
	within(key: string): InvalidInput {
		return new InvalidInput(this.complaint, [key, ...this.path], this.advice);
	}
}

/** Whether a person stopped the run, time was up, or nobody needs the answer any more: then nothing continues on its error. */
export const isStop = (thrown: unknown) => thrown instanceof ServiceError && thrown.details.cause === 'cancelled';

/** A thrown value as an Error: itself if it is one, else a new one with its text. */
export const asError = (thrown: unknown) => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/** Throws what was caught: n8n's lint allows no other `throw` of it in a catch clause. It is async, so that it needs none itself. */
export const rethrow = async (thrown: unknown): Promise<never> => Promise.reject(asError(thrown));

/** Whether the platform lacks what was asked for (deployment beyond: 404). */
export const isMissing = (thrown: unknown) => thrown instanceof ServiceError && thrown.details.status === 404;

/** Whether the platform lacks a list (404), or the credential's role may not read it (403). */
export const isUnreadable = (thrown: unknown): boolean =>
	isMissing(thrown) || (thrown instanceof ServiceError && thrown.details.status === 403);

/** Whether the service said no to what was asked, or does not have it, so that another request may succeed. */
export const isRefused = (thrown: unknown): thrown is ServiceError =>
	thrown instanceof ServiceError && (thrown.details.isInputRefused === true || thrown.details.status === 404);

/**
 * Sends a request and, if the service refuses it, another one that gets the same.
 * @param mayTryOther tells the errors after which the other one is sent
 * @throws the first refusal if both are refused, because that request is what the person asked for
 */
export async function withFallback<T>(
	preferred: () => Promise<T>,
	other: () => Promise<T>,
	mayTryOther: (thrown: unknown) => boolean = isRefused,
): Promise<T> {
	try {
		return await preferred();
	} catch (refusal) {
		if (!mayTryOther(refusal)) return await rethrow(refusal);
		return await other().catch(async (error: unknown) => rethrow(isRefused(error) ? refusal : error));
	}
}

export interface ErrorContext {
	/** What the node tried to do: "get companies". */
	purpose: string;
	company?: { id: string; name: string };
	/** Which input item, counted from 0 as n8n does; left out where there is only one. */
	itemIndex?: number;
	/** Turns the path of a field into the labels that a person sees. */
	labels?: (path: string[]) => string[];
	/** What to do after a 403, where that is known better than from the service's answer. */
	whenRefused?: string;
}

/** The texts of an error that n8n shows: what happened, and how to correct it. */
interface ErrorText {
	message: string;
	description: string;
	httpCode?: number;
}

/** @returns the texts for anything thrown */
export function describeError(thrown: unknown, context: ErrorContext): ErrorText {
	const item = context.itemIndex === undefined ? '' : ` [item ${context.itemIndex}]`;
	if (thrown instanceof InvalidInput) {
		const labels = context.labels?.(thrown.path) ?? thrown.path;
		const field = labels
			.map((label) => `'${label}'`)
			.reverse()
			.join(' in ');
		return {
			message: `${field} ${thrown.complaint}${item}`.trim(),
			description: thrown.advice ?? `Change ${field === '' ? 'it' : field} and run the node again.`,
		};
	}
	const { company, purpose, whenRefused } = context;
	const couldNot = `Could not ${purpose}${company ? ` for '${company.name || company.id}'` : ''}`;
	if (!(thrown instanceof ServiceError)) return { message: `${couldNot}${item}`, description: asError(thrown).message };
	const { reason, advice, status } = thrown.details;
	return {
		message: `${couldNot}: ${reason}${item}`,
		description: status === 403 && whenRefused ? `${whenRefused} ${advice}` : advice,
		httpCode: status,
	};
}

/** Turns anything thrown into the error that n8n shows. Its texts are escaped, because n8n renders them as HTML. Nothing of the request is part of it. */
export function toNodeError(node: INode, thrown: unknown, context: ErrorContext): NodeApiError | NodeOperationError {
	if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) return thrown;
	const { httpCode, ...text } = describeError(thrown, context);
	const message = escapeHtml(text.message);
	const description = escapeHtml(text.description);
	const item = context.itemIndex === undefined ? {} : { itemIndex: context.itemIndex };
	// n8n replaces a message that contains the name of a system error, which a company's name may do by chance (n8n-facts 3).
	if (!(thrown instanceof ServiceError))
		return Object.assign(new NodeOperationError(node, message, { message, description, ...item }), { message });
	const code = httpCode === undefined ? {} : { httpCode: String(httpCode) };
	const error = new NodeApiError(node, {}, { message, description, ...item, ...code });
	const { retryAfterMs, cause } = thrown.details;
	// n8n delays the next poll by this (n8n-facts 6). For what seems permanent it would be half an hour, which a mistake of the
	// moment, such as a client that is refused once, is not worth.
	const delay = cause === 'rate-limited' ? cause : 'temporarily-unavailable';
	const failure = { cause: delay, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
	return Object.assign(error, { message, messages: [], failure });
}
