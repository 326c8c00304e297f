import { z } from 'zod';

import type { Connection } from './credential';
import { ServiceError, STOPPED } from './errors';
import { CHECK_ADDRESS, explainAnswer, IP_ADDRESSES, LATER, PROXY_SIGN_IN, timedOut } from './responseErrors';
import type { ServiceRequest } from './request';

const text = z.union([z.string(), z.number()]).transform(String).catch('');
const statusShape = z.coerce.number().int().min(100).max(599).optional().catch(undefined);
/** n8n before 2.41 gives its errors no cause: the original is only left in `messages`, its code or status in `httpCode` (n8n-facts 12). */
const faultShape = z.object({
	message: text,
	messages: z.array(text).catch([]),
	code: text,
	httpCode: text,
	status: statusShape,
	response: z.object({ status: statusShape }).catch({}),
});

/** What a thrown error and its causes say: their messages and codes, the last message, and the status of an answer that began. */
function readFault(thrown: unknown) {
	const words: string[] = [];
	const codes: string[] = [];
	let status: number | undefined;
	let message = String(thrown);
	for (let next = thrown; next && words.length < 50; next = next instanceof Error ? next.cause : undefined) {
		const { data } = faultShape.safeParse(next);
		if (!data) break;
		words.push(data.message, ...data.messages, data.code, data.httpCode);
		codes.push(data.code, data.httpCode);
		status ??= data.response.status ?? data.status ?? statusShape.parse(data.httpCode);
		message = data.message || message;
	}
	return { words: words.join(' '), codes: codes.join(' '), status, message };
}

const LATE = /ETIMEDOUT|ECONNABORTED|timeout/i;
const LOST = /ECONNRESET|EPIPE|ERR_NETWORK|ERR_BAD_RESPONSE|aborted|hang up|premature/i;
/** Nothing was sent: a code, because the words of an error may be the service's. */
const NOT_CONNECTED = /\b(ECONNREFUSED|ENOTFOUND|EAI_AGAIN)\b/;
/** What zlib says of a body that is not compressed as its header says. */
const UNREADABLE = /\bZ_DATA_ERROR\b|incorrect header check/;
const UNREACHABLE = /\b(EHOSTUNREACH|ENETUNREACH)\b/;

/**
 * Explains why a request got no answer. Only a connection that was refused, or a name that does not resolve, is sure not to have
 * brought it to the service.
 * @param thrown what n8n's HTTP helper, or the reader of a file, threw
 * @returns `thrown` itself if it is a ServiceError already
 */
export function explainFault(thrown: unknown, request: ServiceRequest, connection: Connection): ServiceError {
	if (thrown instanceof ServiceError) return thrown;
	const fault = readFault(thrown);
	const { words, status, message } = fault;
	const unconnected = explainUnconnected(fault, connection);
	if (unconnected) return unconnected;
	if (LATE.test(words)) return timedOut();
	if (LOST.test(words))
		return new ServiceError({
			reason: 'the connection was cut before the answer was complete',
			advice: 'Try again. If it goes on, look at the network between n8n and the service.',
			transient: true,
			mayHaveBeenApplied: true,
		});
	if (status !== undefined || UNREADABLE.test(words)) return explainUnreadable(status, message, request, connection);
	const isStorage = /ENOSPC|EDQUOT|EACCES|EPERM|EROFS|EMFILE|ENOENT|too large/i.test(words);
	return new ServiceError({
		reason: isStorage ? 'n8n could not store the file' : 'the request could not be made',
		advice: `n8n reports: ${message}`,
		mayHaveBeenApplied: true,
	});
}

/** An answer whose body cannot be decompressed: n8n's HTTP library throws, with its status (n8n-facts 16); of a file, whoever reads it, without. */
function explainUnreadable(
	status: number | undefined,
	message: string,
	request: ServiceRequest,
	connection: Connection,
) {
	const unreadable = new ServiceError({
		reason: `the answer cannot be read${status === undefined ? '' : ` (${status})`}`,
		advice: `n8n reports: ${message}. A proxy between n8n and the service may have changed the answer.`,
		status,
		transient: true,
		mayHaveBeenApplied: true,
	});
	if (status === undefined) return unreadable;
	return explainAnswer(request, connection, { status, headers: {}, envelope: undefined }) ?? unreadable;
}

/** Explains why there was no connection to the service, or none that is safe; undefined where there was one. */
function explainUnconnected({ words, codes, status }: ReturnType<typeof readFault>, { baseUrl }: Connection) {
	if (/cancell?ed/i.test(words)) return new ServiceError(STOPPED);
	if (status !== undefined) return undefined;
	if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(codes))
		return new ServiceError({
			reason: "the server's certificate is not trusted",
			advice: `${CHECK_ADDRESS} If it is right, the certificate may have expired or be issued by a private authority that n8n does not know.`,
		});
	if (/EPROTO|ERR_SSL_/.test(codes))
		return new ServiceError({
			reason: `${baseUrl} does not support https`,
			advice: `${CHECK_ADDRESS} Its port may be the one for http.`,
		});
	const [refused] = NOT_CONNECTED.exec(codes) ?? [];
	const [code = refused] = UNREACHABLE.exec(codes) ?? [];
	if (code === undefined) return undefined;
	return new ServiceError({
		reason: `${baseUrl} cannot be reached (${code})`,
		advice: `${CHECK_ADDRESS} n8n's machine must be able to reach it. If all is right, the service may be down for the moment.`,
		transient: true,
		mayHaveBeenApplied: refused === undefined,
	});
}

/**
 * Explains why n8n got no token: what it was needed for was not sent. Wrong credentials get a 400, `invalid_client` (deployment behaviour).
 * @param thrown what n8n threw; a ServiceError when 'Timeout' was over
 */
export function explainTokenFault(thrown: unknown, connection: Connection): ServiceError {
	const fault = readFault(thrown);
	const { words, status } = fault;
	const isLate = thrown instanceof ServiceError;
	const unconnected = explainUnconnected(fault, connection);
	// Nothing that changes anything was sent.
	if (unconnected) return new ServiceError({ ...unconnected.details, mayHaveBeenApplied: false });
	const isTrouble = status !== undefined && (status === 429 || status >= 500);
	if (isLate || isTrouble || LOST.test(words) || LATE.test(words))
		return new ServiceError({
			reason: `the service could not issue a token${isTrouble ? ` (${status})` : isLate ? ' in time' : ''}`,
			advice: LATER,
			cause: status === 429 ? 'rate-limited' : undefined,
			// n8n's own request goes on, so that another one would wait for the same.
			transient: !isLate,
			status: isTrouble ? status : undefined,
		});
	if (status === 407) return new ServiceError({ ...PROXY_SIGN_IN, status });
	const isOtherServer = status !== undefined && (status < 400 || status === 404 || status === 405);
	if (isOtherServer || /content.type|JSON|without access token|Unsupported protocol/i.test(words))
		return new ServiceError({
			reason: 'that address does not issue tokens for this service',
			advice: `${CHECK_ADDRESS} Then save it, so that n8n gets a new token.`,
		});
	return new ServiceError({
		reason: 'the service did not accept the Client ID or Client Secret',
		advice: `Open the credential and enter both again, as the platform shows them under REST API. The secret is shown there only once: if you no longer have it, create a new one. ${IP_ADDRESSES}`,
	});
}
