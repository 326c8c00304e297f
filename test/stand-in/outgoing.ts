/** The answers of the service: the envelope of a success, of a refusal, and the answers of faults. */
import { failure, found, problem, Refusal, success, unauthorized } from './envelope';
import type { FaultRule } from './faults';
import type { Answer, Route, Service } from './http';
import type { LoggedRequest } from './log';
import { fileOut, textOut, type Outgoing } from './send';
import type { Token } from './tokens';

const JSON_TYPE = 'application/json; charset=utf-8';
const HTML_TYPE = 'text/html; charset=utf-8';

/** The answer for what was thrown while a request was worked on. */
export function refused({ personality, options }: Service, error: unknown, route?: Route): Outgoing {
	const refusal = refusalOf(error);
	const { status, headers, messages } = refusal;
	if (route?.problems && (status === 400 || status === 401))
		return textOut(
			status,
			headers,
			JSON.stringify(problem(status, messages)),
			'application/problem+json; charset=utf-8',
		);
	const isDisguised = personality.name === 'deployed' && status === 400 && options.inputErrorsAs200;
	return textOut(isDisguised ? 200 : status, headers, JSON.stringify(failure(refusal, personality.name)), JSON_TYPE);
}

/** Anything but a refusal is an error of the service, or of the server, which gives it a status. */
function refusalOf(error: unknown): Refusal {
	if (error instanceof Refusal) return error;
	if (error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number' && error.statusCode < 500)
		return new Refusal(error.statusCode, [error.message]);
	return new Refusal(500, ['An unexpected error occurred.'], 'INTERNAL_SERVER_ERROR');
}

/** The answer of an operation, in the envelope unless it is a file or a text. */
export function outgoingOf(service: Service, answer: Answer, request: LoggedRequest): Outgoing {
	if ('file' in answer) return fileOut(answer.status, answer.headers ?? {}, answer.file);
	if ('text' in answer) return textOut(answer.status, answer.headers ?? {}, answer.text, answer.mimeType);
	const { options, personality } = service;
	const envelope = success(answer.data, personality.name);
	return textOut(
		answer.status,
		answer.headers ?? {},
		JSON.stringify(options.garble ? options.garble(envelope, request) : envelope),
		JSON_TYPE,
	);
}

/** The page that a gateway shows if it got no answer from the service. */
function gatewayPage(status: number, name: string, headers: Record<string, string>): Outgoing {
	const title = `${status} ${name}`;
	return textOut(
		status,
		headers,
		`<html><head><title>${title}</title></head><body><center><h1>${title}</h1></center></body></html>`,
		HTML_TYPE,
	);
}

/** The answer of a fault that replaces the operation's; undefined for other faults. */
export function insteadOf(service: Service, rule: FaultRule, token: Token | undefined): Outgoing | undefined {
	const refusal = (status: number, message: string, headers: Record<string, string> = {}, code?: string) =>
		refused(service, new Refusal(status, [message], code, headers));
	const retry: Record<string, string> = rule.retryAfter === undefined ? {} : { 'retry-after': rule.retryAfter };
	switch (rule.kind) {
		case 'status-429':
			return refusal(429, 'Too many requests.', retry);
		case 'status-500':
			return refusal(500, 'An unexpected error occurred.', {}, 'INTERNAL_SERVER_ERROR');
		case 'status-503':
			return refusal(503, 'The service is temporarily unavailable.', retry);
		case 'html-502':
			return gatewayPage(502, 'Bad Gateway', retry);
		case 'html-504':
			return gatewayPage(504, 'Gateway Time-out', retry);
		case 'html-200':
			return textOut(
				200,
				{},
				'<!DOCTYPE html><html><head><title>Sign in</title></head><body><form action="/login"><input name="username"></form></body></html>',
				HTML_TYPE,
			);
		case 'error-envelope':
			return { ...refusal(400, 'The operation could not be completed.'), status: 200 };
		case 'expired-token':
		case 'status-401':
			if (rule.kind === 'expired-token' && token) token.void = true;
			return refused(service, unauthorized('The access token is invalid or has expired.'));
		case 'forbidden-company':
			return refusal(403, 'You are not authorized to act for this company.');
		case 'empty':
			return { status: 200, headers: {}, content: Buffer.alloc(0), isFile: false };
		case 'status':
			return refusal(rule.status ?? 500, 'It did not work.', retry);
		case 'undecodable':
			// The page of a gateway that leaves the header of the answer that it replaces.
			return gatewayPage(rule.status ?? 200, 'Gateway', { 'content-encoding': 'gzip' });
		case 'redirect':
			return {
				status: rule.status ?? 302,
				headers: { location: found(rule.to, 'address to redirect to') },
				content: Buffer.alloc(0),
				isFile: false,
			};
		case 'wrong-shape':
			return textOut(200, {}, JSON.stringify({ greeting: 'hello', items: [1, 2, 3] }), JSON_TYPE);
		default:
			return undefined;
	}
}
