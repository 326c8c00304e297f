import lowerFirst from 'lodash/lowerFirst';
import { z } from 'zod';
import { isJsonObject, type JsonObject } from './http';
import type { ProfileName } from './profile';

/** An error that becomes an error response. Any code that handles a request can throw it. */
export class HttpError extends Error {
	constructor(
		readonly status: number,
		readonly messages: string[],
		readonly code?: string,
		readonly headers: Record<string, string> = {},
	) {
		super(messages.join(' '));
	}
}

/** Creates the error with status 401 for a request without a valid token. */
export function createUnauthorizedError(message: string): HttpError {
	return new HttpError(401, [message], undefined, { 'www-authenticate': 'Bearer error="invalid_token"' });
}

/** Creates an error with status 400 that has one message for each invalid value. */
export function createBadRequestError(...messages: string[]): HttpError {
	return new HttpError(400, messages);
}

/** Creates the error with status 404 for a record that does not exist. */
export function createNotFoundError(recordName: string): HttpError {
	return new HttpError(404, [`The ${recordName} was not found.`]);
}

/**
 * Returns the record.
 * @throws HttpError 404 if it is undefined
 */
export function requireFound<T>(record: T | undefined, recordName: string): T {
	if (record === undefined) throw createNotFoundError(recordName);
	return record;
}

/** Builds the envelope of a successful response. */
export function buildSuccessEnvelope(data: unknown, profileName: ProfileName): JsonObject {
	const status = profileName === 'deployed' ? 'SUCCESS' : 'success';
	return { data, status, message: null, validationMessages: null };
}

/** Builds the envelope of an error response. */
export function buildErrorEnvelope({ status, messages, code }: HttpError, profileName: ProfileName): JsonObject {
	const [message = 'Something went wrong.'] = messages;
	if (profileName === 'contract') {
		const envelope: JsonObject = { data: null, status: 'error', message, validationMessages: messages };
		if (code) envelope.code = code;
		return envelope;
	}
	// Live deployments write field names in PascalCase or in camelCase (deployment behaviour, "Token, roles, errors"). Some
	// responses have isSuccess and messages instead (deployment facts, "Responses").
	if (status === 400)
		return { Data: null, Status: 'INPUT_ERROR', Message: 'Invalid request', ValidationMessages: messages };
	if (status >= 500) return { Data: null, Status: 'INTERNAL_SERVER_ERROR', Message: message, ValidationMessages: null };
	if (code) return { data: null, status: code, message, validationMessages: null };
	return { data: null, isSuccess: false, messages };
}

/** Builds problem details (RFC 9457), which the agent-auth operations send for 400 and 401. */
export function buildProblemDetails(status: number, messages: string[]): JsonObject {
	const titles = new Map([
		[400, 'Bad Request'],
		[401, 'Unauthorized'],
	]);
	const title = titles.get(status) ?? 'Error';
	return { type: `https://httpstatuses.example/${status}`, title, status, detail: messages.join(' ') };
}

/** Converts every key of a JSON value to camelCase, because the platform also accepts PascalCase. */
export function toCamelCaseKeys(value: unknown, depth = 0): unknown {
	if (depth > 60) throw createBadRequestError('The request body is nested too deeply.');
	if (Array.isArray(value)) return value.map((entry) => toCamelCaseKeys(entry, depth + 1));
	if (!isJsonObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, entry]) => [lowerFirst(key), toCamelCaseKeys(entry, depth + 1)]),
	);
}

function formatFieldPath(path: ReadonlyArray<string | number>): string {
	return (
		path
			.map((step) => (typeof step === 'number' ? `[${step}]` : step.charAt(0).toUpperCase() + step.slice(1)))
			.join('.') || 'request body'
	);
}

function describeIssue(issue: z.ZodIssue): string {
	const field = formatFieldPath(issue.path);
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

/**
 * Parses a value with a schema.
 * @throws HttpError 400 that names every invalid field
 */
export function parseWithSchema<T>(schema: z.ZodType<T, z.ZodTypeDef, unknown>, value: unknown): T {
	const result = schema.safeParse(value);
	if (!result.success) throw createBadRequestError(...new Set(result.error.issues.map(describeIssue)));
	return result.data;
}

const DATE_TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/** The schema of an ISO 8601 date or date-time. */
export const dateTimeSchema = z.string().superRefine((value, context) => {
	if (!DATE_TIME.test(value) || Number.isNaN(Date.parse(value))) {
		context.addIssue({
			code: 'custom',
			message: `The ${formatFieldPath(context.path)} field must be an ISO 8601 date-time.`,
		});
	}
});

/** The schema of a whole number of 32 bits. */
export const int32Schema = z.number().int().min(-2147483648).max(2147483647);

/** Creates the schema of a text that is neither missing nor blank and has at most `maxLength` characters. */
export function createTextSchema(maxLength: number): z.ZodEffects<z.ZodString> {
	return z
		.string()
		.min(1)
		.max(maxLength)
		.superRefine((value, context) => {
			if (value.length > 0 && value.trim() === '')
				context.addIssue({ code: 'custom', message: `The ${formatFieldPath(context.path)} field is required.` });
		});
}
