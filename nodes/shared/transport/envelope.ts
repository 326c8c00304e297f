import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

const texts = z
	.union([z.array(z.unknown()), z.string()])
	.nullish()
	.transform((value) => [value ?? []].flat().flatMap(textOf));

function textOf(value: unknown): string[] {
	if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()];
	const nested = z
		.object({ message: z.string().optional(), description: z.string().optional() })
		.safeParse(value);
	const text = nested.success ? (nested.data.message ?? nested.data.description) : undefined;
	return text === undefined ? [] : [text];
}

/**
 * Contract 2.1, with the outcome fields that some deployments use beside or instead (isSuccess, messages), and the
 * problem details of the agent-auth operations (title, detail).
 */
const envelopeShape = z
	.object({
		data: z.unknown(),
		status: z.union([z.string(), z.number()]).nullish(),
		message: z.unknown(),
		validationMessages: texts,
		isSuccess: z.boolean().nullish(),
		messages: texts,
		code: z.union([z.string(), z.number()]).nullish(),
		title: z.string().nullish(),
		detail: z.string().nullish(),
		error_description: z.string().nullish(),
	})
	.passthrough();

export interface Envelope {
	data: unknown;
	/** Everything the service said in words, once each. */
	messages: string[];
	/** Whether the answer says of itself that the operation did not work. */
	failed: boolean;
	/** When it was answered by the service's own clock (its Date header), in ms. */
	servedAt?: number;
}

const SAYS_FAILED = /error|fail|invalid|denied|forbidden|unauthori[sz]ed|not.?found/i;

/**
 * Reads a JSON answer.
 * @returns undefined when the answer is no JSON object: a web page, say, or cut text
 */
export function readEnvelope(body: unknown): Envelope | undefined {
	const json = typeof body === 'string' ? parseJson(body) : body;
	const parsed = envelopeShape.safeParse(json);
	if (!parsed.success || Array.isArray(parsed.data)) return undefined;
	const { data, status, isSuccess, validationMessages, code } = parsed.data;
	const messages = [
		...validationMessages,
		...parsed.data.messages,
		...textOf(parsed.data.message),
		...textOf(parsed.data.detail),
		...textOf(parsed.data.error_description),
		...textOf(parsed.data.title),
	];
	const nothing = data === null || data === undefined;
	return {
		// An answer without the envelope is its own payload; agent-auth may answer so.
		data: 'data' in parsed.data || isSuccess !== undefined || status !== undefined ? data : json,
		messages: [...new Set(messages)],
		failed:
			isSuccess === false ||
			(typeof status === 'string' && SAYS_FAILED.test(status)) ||
			(typeof code === 'string' && SAYS_FAILED.test(code)) ||
			(nothing && isSuccess !== true && validationMessages.length > 0),
	};
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

const record = z.record(z.unknown());

/** A value as an n8n item's json: objects as they are, anything else under a name. */
export function toJson(value: unknown, name = 'value'): IDataObject {
	const parsed = record.safeParse(value);
	// What came out of JSON is what an item's json may hold.
	return (parsed.success ? parsed.data : { [name]: value }) as IDataObject;
}
