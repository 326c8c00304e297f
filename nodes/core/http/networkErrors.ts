import { z } from 'zod';

import type { Credential } from './credential';
import { RequestError, RUN_STOPPED } from './errors';
import type { ApiRequest } from './request';
import {
	CHECK_ADDRESS_ADVICE,
	createTimeoutError,
	explainResponse,
	IP_ADDRESS_ADVICE,
	PROXY_SIGN_IN_REQUIRED,
	TRY_LATER_ADVICE,
} from './responseErrors';

const textSchema = z.union([z.string(), z.number()]).transform(String).catch('');
const statusSchema = z.coerce.number().int().min(100).max(599).optional().catch(undefined);
/**
 * An error of n8n's HTTP helper. Before n8n 2.41, the error has no cause. Instead, `messages` has the texts of the original
 * error, and `httpCode` has the original error's code or the HTTP status (n8n 12).
 */
const networkErrorSchema = z.object({
	message: textSchema,
	messages: z.array(textSchema).catch([]),
	code: textSchema,
	httpCode: textSchema,
	status: statusSchema,
	response: z.object({ status: statusSchema }).catch({}),
});

/** The texts and the HTTP status of a thrown error and its causes. */
interface NetworkErrorSummary {
	/** The messages and codes of the error and its causes, joined into one text. */
	messagesAndCodes: string;
	/** The codes of the error and its causes, joined into one text. */
	codes: string;
	/** The HTTP status of the response. It is undefined if no headers arrived. */
	status: number | undefined;
	/** The message of the innermost cause that has one. */
	message: string;
}

function readNetworkError(thrown: unknown): NetworkErrorSummary {
	const texts: string[] = [];
	const codes: string[] = [];
	let status: number | undefined;
	let message = String(thrown);
	let cause = thrown;
	while (cause && texts.length < 50) {
		const { data } = networkErrorSchema.safeParse(cause);
		if (!data) break;
		texts.push(data.message, ...data.messages, data.code, data.httpCode);
		codes.push(data.code, data.httpCode);
		status ??= data.response.status ?? data.status ?? statusSchema.parse(data.httpCode);
		message = data.message || message;
		cause = cause instanceof Error ? cause.cause : undefined;
	}
	return { messagesAndCodes: texts.join(' '), codes: codes.join(' '), status, message };
}

const TIMEOUT_ERROR = /ETIMEDOUT|ECONNABORTED|timeout/i;
const CONNECTION_LOST_ERROR = /ECONNRESET|EPIPE|ERR_NETWORK|ERR_BAD_RESPONSE|aborted|hang up|premature/i;
/**
 * Matches the codes of errors that happen before anything is sent. It is tested only on codes, because an error's message may
 * contain text from the platform.
 */
const NEVER_SENT_CODE = /\b(ECONNREFUSED|ENOTFOUND|EAI_AGAIN)\b/;
/** Matches zlib's errors for a body that isn't compressed in the way that its header says. */
const UNREADABLE_BODY_ERROR = /\bZ_DATA_ERROR\b|incorrect header check/;
const UNREACHABLE_CODE = /\b(EHOSTUNREACH|ENETUNREACH)\b/;
const STORAGE_ERROR = /ENOSPC|EDQUOT|EACCES|EPERM|EROFS|EMFILE|ENOENT|too large/i;

/**
 * Explains why a request got no response. Only two failures prove that the request did not reach the platform: a refused
 * connection, and a host name that could not be resolved.
 * @param thrown the error of n8n's HTTP helper, or of the code that reads a file
 * @returns `thrown` itself if it is already a RequestError
 */
export function explainNetworkError(thrown: unknown, request: ApiRequest, credential: Credential): RequestError {
	if (thrown instanceof RequestError) return thrown;
	const errorSummary = readNetworkError(thrown);
	const { messagesAndCodes, status, message } = errorSummary;
	const connectionError = explainConnectionError(errorSummary, credential);
	if (connectionError) return connectionError;
	if (TIMEOUT_ERROR.test(messagesAndCodes)) return createTimeoutError();
	if (CONNECTION_LOST_ERROR.test(messagesAndCodes))
		return new RequestError({
			reason: 'the connection ended before the response was complete',
			advice: 'Try again. If the error persists, check the network between n8n and the platform.',
			isTransient: true,
			mayHaveBeenApplied: true,
		});
	if (status !== undefined || UNREADABLE_BODY_ERROR.test(messagesAndCodes))
		return explainUnreadableBody(errorSummary, request, credential);
	return new RequestError({
		reason: STORAGE_ERROR.test(messagesAndCodes) ? 'n8n could not store the file' : 'the request failed',
		advice: `n8n reports: ${message}`,
		mayHaveBeenApplied: true,
	});
}

/**
 * Explains a response whose body can't be decompressed. For a JSON response, n8n's HTTP library throws an error with the
 * response's status (n8n 3). For a file, the code that reads the file throws an error without a status.
 */
function explainUnreadableBody(
	{ status, message }: NetworkErrorSummary,
	request: ApiRequest,
	credential: Credential,
): RequestError {
	const unreadableError = new RequestError({
		reason: `n8n cannot read the response${status === undefined ? '' : ` (${status})`}`,
		advice: `n8n reports: ${message}. A proxy between n8n and the platform may have changed the response.`,
		status,
		isTransient: true,
		mayHaveBeenApplied: true,
	});
	if (status === undefined) return unreadableError;
	return explainResponse(request, credential, { status, headers: {}, envelope: undefined }) ?? unreadableError;
}

/** Explains why no connection, or no secure connection, was made. @returns undefined for any other error */
function explainConnectionError(
	{ messagesAndCodes, codes, status }: NetworkErrorSummary,
	{ baseUrl }: Credential,
): RequestError | undefined {
	if (/cancell?ed/i.test(messagesAndCodes)) return new RequestError(RUN_STOPPED);
	if (status !== undefined) return undefined;
	if (/CERT|UNABLE_TO_VERIFY/.test(codes))
		return new RequestError({
			reason: "n8n does not trust the server's certificate",
			advice: `${CHECK_ADDRESS_ADVICE} If the address is right, the certificate may have expired, or a private authority that n8n does not know may have issued it.`,
		});
	if (/EPROTO|ERR_SSL_/.test(codes))
		return new RequestError({
			reason: `${baseUrl} does not support https`,
			advice: `${CHECK_ADDRESS_ADVICE} The port in the address may be the one for http.`,
		});
	const neverSentCode = NEVER_SENT_CODE.exec(codes)?.[0];
	const code = UNREACHABLE_CODE.exec(codes)?.[0] ?? neverSentCode;
	if (code === undefined) return undefined;
	return new RequestError({
		reason: `n8n cannot reach ${baseUrl} (${code})`,
		advice: `${CHECK_ADDRESS_ADVICE} Check that n8n's machine can reach this address. The platform may also be temporarily unavailable.`,
		isTransient: true,
		mayHaveBeenApplied: neverSentCode === undefined,
	});
}

/**
 * Explains why n8n got no token. The request that needed the token was not sent. The platform answers wrong client
 * credentials with a 400 and `invalid_client` (deployment behaviour, "Token, roles, errors").
 * @param thrown n8n's error, or a RequestError if n8n got no token within the node's option 'Timeout'
 */
export function explainTokenError(thrown: unknown, credential: Credential): RequestError {
	const errorSummary = readNetworkError(thrown);
	const { messagesAndCodes, status } = errorSummary;
	const isTimeout = thrown instanceof RequestError;
	const connectionError = explainConnectionError(errorSummary, credential);
	// A token request changes nothing on the platform, and the request that needed the token was not sent.
	if (connectionError) return new RequestError({ ...connectionError.details, mayHaveBeenApplied: false });
	const isServerError = status !== undefined && (status === 429 || status >= 500);
	if (
		isTimeout ||
		isServerError ||
		CONNECTION_LOST_ERROR.test(messagesAndCodes) ||
		TIMEOUT_ERROR.test(messagesAndCodes)
	)
		return new RequestError({
			reason: `the platform could not issue a token${describeTokenFailure(isServerError ? status : undefined, isTimeout)}`,
			advice: TRY_LATER_ADVICE,
			cause: status === 429 ? 'rate-limited' : undefined,
			// After a timeout n8n's own request is still running, and another one would wait for the same response.
			isTransient: !isTimeout,
			status: isServerError ? status : undefined,
		});
	if (status === 407) return new RequestError({ ...PROXY_SIGN_IN_REQUIRED, status });
	const isOtherServer = status !== undefined && (status < 400 || status === 404 || status === 405);
	if (isOtherServer || /content.type|JSON|without access token|Unsupported protocol/i.test(messagesAndCodes))
		return new RequestError({
			reason: "the server at 'Base URL' does not issue tokens for the platform",
			advice: `${CHECK_ADDRESS_ADVICE} Then save the credential, so that n8n gets a new token.`,
		});
	return new RequestError({
		reason: 'the platform did not accept the Client ID or Client Secret',
		advice: `Open the credential and enter both again, as the platform shows them under REST API. The platform shows the secret only once. If you no longer have it, create a new one. ${IP_ADDRESS_ADVICE}`,
	});
}

/** Describes the failure of a token request, as the end of a sentence. @param serverErrorStatus the status if it is 429 or 5xx */
function describeTokenFailure(serverErrorStatus: number | undefined, isTimeout: boolean): string {
	if (serverErrorStatus !== undefined) return ` (${serverErrorStatus})`;
	return isTimeout ? ' in time' : '';
}
