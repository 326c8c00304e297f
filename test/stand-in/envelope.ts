import { z } from 'zod';
import { isRow, type Row } from './http';
import type { PersonalityName } from './personality';

/** A request that is refused; thrown from anywhere inside an operation. */
export class Refusal extends Error {
	constructor(
		readonly status: number,
		readonly messages: string[],
		readonly code?: string,
		readonly headers: Record<string, string> = {},
	) {
		super(messages.join(' '));
	}
}

/** The 401 for a request without a valid token. */
export function unauthorized(message: string): Refusal {
	return new Refusal(401, [message], undefined, { 'www-authenticate': 'Bearer error="invalid_token"' });
}

/** 400 with what is wrong. */
export function invalid(...messages: string[]): Refusal {
	return new Refusal(400, messages);
}

/** 404 for a thing that is not there. */
export function missing(what: string): Refusal {
	return new Refusal(404, [`The ${what} was not found.`]);
}

/** The thing, or a 404. */
export function found<T>(thing: T | undefined, what: string): T {
	if (thing === undefined) throw missing(what);
	return thing;
}

/** The envelope of an answer that went well. */
export function success(data: unknown, personality: PersonalityName): Row {
	const status = personality === 'deployed' ? 'SUCCESS' : 'success';
	return { data, status, message: null, validationMessages: null };
}

/** The envelope of a refusal or an error. */
export function failure({ status, messages, code }: Refusal, personality: PersonalityName): Row {
	const [message = 'Something went wrong.'] = messages;
	if (personality === 'contract')
		return { data: null, status: 'error', message, validationMessages: messages, ...(code ? { code } : {}) };
	// The case of names varies (deployment behaviour), and some answers have isSuccess and messages instead (deployment facts).
	if (status === 400)
		return { Data: null, Status: 'INPUT_ERROR', Message: 'Invalid request', ValidationMessages: messages };
	if (status >= 500) return { Data: null, Status: 'INTERNAL_SERVER_ERROR', Message: message, ValidationMessages: null };
	return { data: null, isSuccess: false, messages };
}

/** Problem details (RFC 9457), as the agent-auth operations answer on 400 and 401. */
export function problem(status: number, messages: string[]): Row {
	const title = status === 401 ? 'Unauthorized' : status === 400 ? 'Bad Request' : 'Error';
	return { type: `https://httpstatuses.example/${status}`, title, status, detail: messages.join(' ') };
}

function lowerFirst(text: string): string {
	return text.charAt(0).toLowerCase() + text.slice(1);
}

/** The same JSON with every key in camelCase: the service takes PascalCase as well. */
export function camel(value: unknown, depth = 0): unknown {
	if (depth > 60) throw invalid('The request body is nested too deeply.');
	if (Array.isArray(value)) return value.map((entry) => camel(entry, depth + 1));
	if (!isRow(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([key, entry]) => [lowerFirst(key), camel(entry, depth + 1)]));
}

function fieldName(path: ReadonlyArray<string | number>): string {
	return (
		path
			.map((step) => (typeof step === 'number' ? `[${step}]` : step.charAt(0).toUpperCase() + step.slice(1)))
			.join('.') || 'request body'
	);
}

function sentence(issue: z.ZodIssue): string {
	const field = fieldName(issue.path);
	switch (issue.code) {
		case 'invalid_type':
			if (issue.received === 'undefined' || issue.received === 'null') return `The ${field} field is required.`;
			return `The ${field} field must be of type ${issue.expected}.`;
		case 'too_small':
			if (issue.type === 'string' && issue.minimum === 1) return `The ${field} field is required.`;
			if (issue.type === 'string') return `The ${field} field must have at least ${issue.minimum} characters.`;
			if (issue.type === 'array') return `The ${field} field must have at least ${issue.minimum} entries.`;
			return `The ${field} field must be greater than or equal to ${issue.minimum}.`;
		case 'too_big':
			if (issue.type === 'string') return `The ${field} field must have at most ${issue.maximum} characters.`;
			return `The ${field} field must be less than or equal to ${issue.maximum}.`;
		case 'custom':
			return issue.message;
		default:
			return `The ${field} field is not valid.`;
	}
}

/** The value as the schema parses it. @throws Refusal a 400 that names every wrong field */
export function check<T>(schema: z.ZodType<T, z.ZodTypeDef, unknown>, value: unknown): T {
	const result = schema.safeParse(value);
	if (!result.success) throw invalid(...new Set(result.error.issues.map(sentence)));
	return result.data;
}

const DATE_TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/** An ISO 8601 date-time. */
export const dateTime = z.string().superRefine((value, context) => {
	if (!DATE_TIME.test(value) || Number.isNaN(Date.parse(value))) {
		context.addIssue({
			code: 'custom',
			message: `The ${fieldName(context.path)} field must be an ISO 8601 date-time.`,
		});
	}
});

/** A whole number of 32 bits. */
export const int32 = z.number().int().min(-2147483648).max(2147483647);

/** A text that is neither missing nor blank, of at most so many characters. */
export function text(max: number): z.ZodEffects<z.ZodString> {
	return z
		.string()
		.min(1)
		.max(max)
		.superRefine((value, context) => {
			if (value.length > 0 && value.trim() === '')
				context.addIssue({ code: 'custom', message: `The ${fieldName(context.path)} field is required.` });
		});
}
