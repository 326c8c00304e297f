/** Builds responses: success and error envelopes, and the responses of faults. */
import {
	buildErrorEnvelope,
	requireFound,
	buildProblemDetails,
	HttpError,
	buildSuccessEnvelope,
	createUnauthorizedError,
} from './envelope';
import type { FaultRule } from './faults';
import type { RouteResponse, Route, StandInServer } from './http';
import type { LoggedRequest } from './log';
import { fileResponse, textResponse, type OutgoingResponse } from './send';
import type { Token } from './tokens';

const JSON_TYPE = 'application/json; charset=utf-8';
const HTML_TYPE = 'text/html; charset=utf-8';

/** Builds the response for an error that was thrown while a request was handled. */
export function errorResponse({ profile, options }: StandInServer, error: unknown, route?: Route): OutgoingResponse {
	const httpError = toHttpError(error);
	const { status, headers, messages } = httpError;
	if (route?.hasProblemDetails && (status === 400 || status === 401))
		return textResponse(
			status,
			headers,
			JSON.stringify(buildProblemDetails(status, messages)),
			'application/problem+json; charset=utf-8',
		);
	const isSentAs200 = profile.name === 'deployed' && status === 400 && options.shouldSendInputErrorsAs200;
	const body = JSON.stringify(buildErrorEnvelope(httpError, profile.name));
	return textResponse(isSentAs200 ? 200 : status, headers, body, JSON_TYPE);
}

/** Converts an error to an HttpError. Errors of the HTTP server keep their status; any other error becomes a 500. */
function toHttpError(error: unknown): HttpError {
	if (error instanceof HttpError) return error;
	if (error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number' && error.statusCode < 500)
		return new HttpError(error.statusCode, [error.message]);
	return new HttpError(500, ['An unexpected error occurred.'], 'INTERNAL_SERVER_ERROR');
}

/** Converts the response of an operation to bytes. Data gets an envelope; files and texts do not. */
export function toOutgoingResponse(
	server: StandInServer,
	response: RouteResponse,
	request: LoggedRequest,
): OutgoingResponse {
	if ('file' in response) return fileResponse(response.status, response.headers ?? {}, response.file);
	if ('text' in response)
		return textResponse(response.status, response.headers ?? {}, response.text, response.mimeType);
	const { options, profile } = server;
	const envelope = buildSuccessEnvelope(response.data, profile.name);
	return textResponse(
		response.status,
		response.headers ?? {},
		JSON.stringify(options.transformEnvelope ? options.transformEnvelope(envelope, request) : envelope),
		JSON_TYPE,
	);
}

/** Builds an error page like those that gateways send when the platform behind them does not respond. */
function gatewayPageResponse(status: number, name: string, headers: Record<string, string>): OutgoingResponse {
	const title = `${status} ${name}`;
	return textResponse(
		status,
		headers,
		`<html><head><title>${title}</title></head><body><center><h1>${title}</h1></center></body></html>`,
		HTML_TYPE,
	);
}

/**
 * Builds the response of a fault that replaces the operation's response.
 * @returns undefined for faults that do not replace it
 */
export function faultResponse(
	server: StandInServer,
	rule: FaultRule,
	token: Token | undefined,
): OutgoingResponse | undefined {
	const createErrorResponse = (status: number, message: string, headers: Record<string, string> = {}, code?: string) =>
		errorResponse(server, new HttpError(status, [message], code, headers));
	const retryHeaders: Record<string, string> = {};
	if (rule.retryAfter !== undefined) retryHeaders['retry-after'] = rule.retryAfter;
	switch (rule.kind) {
		case 'status-429':
			return createErrorResponse(429, 'Too many requests.', retryHeaders);
		case 'status-500':
			return createErrorResponse(500, 'An unexpected error occurred.', {}, 'INTERNAL_SERVER_ERROR');
		case 'status-503':
			return createErrorResponse(503, 'The service is temporarily unavailable.', retryHeaders);
		case 'html-502':
			return gatewayPageResponse(502, 'Bad Gateway', retryHeaders);
		case 'html-504':
			return gatewayPageResponse(504, 'Gateway Time-out', retryHeaders);
		case 'html-200':
			return textResponse(
				200,
				{},
				'<!DOCTYPE html><html><head><title>Sign in</title></head><body><form action="/login"><input name="username"></form></body></html>',
				HTML_TYPE,
			);
		case 'error-envelope':
			return { ...createErrorResponse(400, 'The operation could not be completed.'), status: 200 };
		case 'expired-token':
		case 'status-401':
			if (rule.kind === 'expired-token' && token) token.isRevoked = true;
			return errorResponse(server, createUnauthorizedError('The access token is invalid or has expired.'));
		case 'forbidden-company':
			return createErrorResponse(403, 'You are not authorized to act for this company.');
		case 'closed-access':
			return createErrorResponse(403, 'Access is closed.', {}, 'PRIVACY_ERROR');
		case 'empty':
			return { status: 200, headers: {}, content: Buffer.alloc(0), isFile: false };
		case 'status':
			return createErrorResponse(rule.status ?? 500, 'It did not work.', retryHeaders);
		case 'undecodable':
			// The gateway replaces the body but keeps the Content-Encoding header of the original response.
			return gatewayPageResponse(rule.status ?? 200, 'Gateway', { 'content-encoding': 'gzip' });
		case 'redirect':
			return {
				status: rule.status ?? 302,
				headers: { location: requireFound(rule.redirectUrl, 'address to redirect to') },
				content: Buffer.alloc(0),
				isFile: false,
			};
		case 'wrong-shape':
			return textResponse(200, {}, JSON.stringify({ greeting: 'hello', items: [1, 2, 3] }), JSON_TYPE);
		default:
			return undefined;
	}
}
