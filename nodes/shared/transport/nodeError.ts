import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import { InvalidInput, ServiceError } from './errors';
import { GuardRefusal } from './guard/refusal';

/** Where an error happened, for its message. */
export interface ErrorContext {
	/** What the node tried to do: "get companies". */
	purpose: string;
	/** The company that it acted for. */
	company?: { id: string; name: string };
	/** Which input item, counted from 0 as n8n does; left out where there is only one. */
	itemIndex?: number;
	/** Turns the path of a field into the labels that a person sees. */
	labels?: (path: string[]) => string[];
	/** What to do after a 403, where that is known better than from the service's answer. */
	whenRefused?: string;
}

/** The texts of an error that n8n shows. */
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

/** The texts for an error: the message says what happened, the description how to correct it. */
export function describeError(thrown: unknown, context: ErrorContext): ErrorText {
	const item = context.itemIndex === undefined ? '' : ` [item ${context.itemIndex}]`;
	if (thrown instanceof InvalidInput) {
		const field = quoted(context.labels?.(thrown.path) ?? thrown.path);
		return {
			message: `${field} ${thrown.complaint}${item}`.trim(),
			description: thrown.advice ?? `Change ${field === '' ? 'it' : field} and run the node again.`,
		};
	}
	// Whoever may not use a company is not told its name.
	const company = thrown instanceof GuardRefusal ? undefined : context.company;
	const forCompany = company ? ` for '${company.name || company.id}'` : '';
	const couldNot = `Could not ${context.purpose}${forCompany}`;
	if (thrown instanceof ServiceError) {
		const { reason, advice, status } = thrown.details;
		return {
			message: `${couldNot}: ${reason}${item}`,
			description: status === 403 && context.whenRefused ? `${context.whenRefused} ${advice}` : advice,
			...(status === undefined ? {} : { httpCode: status }),
		};
	}
	return {
		message: `${couldNot}${item}`,
		description: thrown instanceof Error ? thrown.message : String(thrown),
	};
}

/** Turns anything thrown into the error that n8n shows. Nothing of the request is part of it. */
export function toNodeError(node: INode, thrown: unknown, context: ErrorContext): NodeApiError | NodeOperationError {
	if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) return thrown;
	const { message, description, httpCode } = describeError(thrown, context);
	const options = {
		message,
		description,
		...(context.itemIndex === undefined ? {} : { itemIndex: context.itemIndex }),
	};
	if (!(thrown instanceof ServiceError)) {
		const error = new NodeOperationError(node, message, options);
		return Object.assign(error, { message });
	}
	const { retryAfterMs, cause } = thrown.details;
	const error = new NodeApiError(
		node,
		{},
		{ ...options, ...(httpCode === undefined ? {} : { httpCode: String(httpCode) }) },
	);
	// n8n replaces a message that contains the name of a system error, which a company's name may do by chance.
	Object.assign(error, { message, messages: [] });
	// n8n from 2.3x on reads this to delay the next poll of a trigger. What seems permanent may be a mistake of the moment, such
	// as a client that is refused once: n8n would stop polls for half an hour.
	const delay = cause === 'rate-limited' ? cause : 'temporarily-unavailable';
	Object.assign(error, { failure: { cause: delay, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) } });
	return error;
}
