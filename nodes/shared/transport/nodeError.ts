import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import { InvalidInput, ServiceError } from './errors';

/** Where something happened, for the words of an error. */
export interface ErrorContext {
	/** What was to be done: "get many companies". */
	purpose: string;
	/** The customer it was for. */
	company?: { id: string; name: string };
	/** Which input item, counted from 0 as n8n does; left out where there is only one. */
	itemIndex?: number;
	/** The names a person sees on the way to a field. */
	labels?: (path: string[]) => string[];
	/** What to do where access was refused, if that is plainer than what the service's answer allows to say. */
	whenRefused?: string;
}

/** An error's words, and what n8n does with it besides. */
export interface ErrorText {
	message: string;
	description: string;
	httpCode?: number;
}

const quoted = (names: string[]) =>
	names
		.map((name) => `'${name}'`)
		.reverse()
		.join(' in ');

/** Puts what went wrong in words: the message says what happened, the description how to put it right. */
export function describeError(thrown: unknown, place: ErrorContext): ErrorText {
	const at = place.itemIndex === undefined ? '' : ` [item ${place.itemIndex}]`;
	if (thrown instanceof InvalidInput) {
		const field = quoted(place.labels?.(thrown.path) ?? thrown.path);
		return {
			message: `${field} ${thrown.complaint}${at}`.trim(),
			description: thrown.advice ?? `Change ${field === '' ? 'it' : field} and run the node again.`,
		};
	}
	const { company } = place;
	const forWhom = company ? ` for '${company.name || company.id}'` : '';
	const could = `Could not ${place.purpose}${forWhom}`;
	if (thrown instanceof ServiceError) {
		const { reason, advice, status } = thrown.details;
		return {
			message: `${could}: ${reason}${at}`,
			description: status === 403 && place.whenRefused ? `${place.whenRefused} ${advice}` : advice,
			...(status === undefined ? {} : { httpCode: status }),
		};
	}
	return {
		message: `${could}${at}`,
		description: thrown instanceof Error ? thrown.message : String(thrown),
	};
}

/** What went wrong, as the error that n8n shows. Nothing of the request goes along. */
export function toNodeError(node: INode, thrown: unknown, place: ErrorContext): NodeApiError | NodeOperationError {
	if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) return thrown;
	const { message, description, httpCode } = describeError(thrown, place);
	const options = {
		message,
		description,
		...(place.itemIndex === undefined ? {} : { itemIndex: place.itemIndex }),
	};
	if (!(thrown instanceof ServiceError)) {
		const error = new NodeOperationError(node, message, options);
		return Object.assign(error, { message });
	}
	const { cause, retryAfterMs } = thrown.details;
	const error = new NodeApiError(
		node,
		{},
		{ ...options, ...(httpCode === undefined ? {} : { httpCode: String(httpCode) }) },
	);
	// n8n replaces a message that happens to contain the letters of a system error, such as a company's name can.
	Object.assign(error, { message, messages: [] });
	// Read by n8n's pollers from 2.3x on, to wait before the next poll.
	if (cause !== 'refused' && cause !== 'cancelled')
		Object.assign(error, { failure: { cause, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) } });
	return error;
}
