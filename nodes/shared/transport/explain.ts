import { z } from 'zod';

import type { Connection } from './connection';
import type { Envelope } from './envelope';
import { ServiceError, STOPPED, type ServiceErrorDetails } from './errors';
import { permissionOf, type ServiceRequest } from './request';
import { listOf, redact } from './text';

const LATER = 'Try again later. If it goes on, ask the platform about it.';
const CHECK_ADDRESS = "Check the credential's Base URL: it must be the address of the API, not of the website.";
const IP_ADDRESSES = "If the client is restricted to certain IP addresses, n8n's address must be among them.";

/** How much of the service's messages is shown, in characters. */
const MAX_MESSAGES_LENGTH = 2000;
/** The longest wait that a Retry-After header can cause, in ms. */
const MAX_RETRY_AFTER_MS = 120_000;

/** @returns the wait that a Retry-After header (seconds or a date) asks for, in ms; undefined without a valid one */
export function retryAfterMs(header: unknown): number | undefined {
	if (typeof header !== 'string' || header.trim() === '') return undefined;
	const ms = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
	return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS);
}

/** What came back: the status, the headers by lower-case name, and what the body says. */
interface Reply {
	status: number;
	headers: Record<string, unknown>;
	envelope: Envelope | undefined;
}

/** The statuses of which the envelope's words say the same, on 2xx too (deployment behaviour). */
const STATUS_OF_WORD: Record<string, number> = { INPUT_ERROR: 400, INTERNAL_SERVER_ERROR: 500 };

/**
 * Explains an answer that means a failure (contract 7), also on 2xx (deployment behaviour).
 * @returns undefined for an answer that means success
 */
export function explainAnswer(request: ServiceRequest, connection: Connection, { status, headers, envelope }: Reply) {
	const isSuccess = status >= 200 && status < 300;
	if (isSuccess && !envelope?.failed) return undefined;
	const word = isSuccess ? STATUS_OF_WORD[envelope?.status?.toUpperCase() ?? ''] : undefined;
	const { reason, advice, ...explained } = explainStatus(word ?? status, request, connection);
	const wait = retryAfterMs(headers['retry-after']);
	const said = listOf(
		envelope?.messages.map((message) => (/[.!?…:]$/.test(message) ? message : `${message}.`)) ?? [],
		' ',
	);
	const words = said.length > MAX_MESSAGES_LENGTH ? `${said.slice(0, MAX_MESSAGES_LENGTH)}…` : said;
	const shown = words === '' ? '' : `The service says: ${words}`;
	return new ServiceError({
		...{ status, ...explained },
		reason: isSuccess ? reason : `${reason} (${status})`,
		advice: `${shown} ${advice}`.trim(),
		said: shown,
		...(wait === undefined ? {} : { retryAfterMs: wait }),
		// A 503 with Retry-After comes from a gateway that did not forward the request.
		...(status === 503 && wait !== undefined ? { mayHaveBeenApplied: false } : {}),
	});
}

/** What a person can do about each status (contract 7, deployment facts, deployment behaviour). */
const STATUSES: Record<number, ServiceErrorDetails> = {
	400: {
		reason: 'the service did not accept the input',
		advice: 'Check the values of the fields that it names.',
		isInputRefused: true,
	},
	401: {
		reason: 'the service does not accept the token',
		advice:
			'Open the credential and save it again, so that it is tested. If that does not help, create a new client secret in the platform under REST API and enter it.',
	},
	409: { reason: 'something with this name already exists', advice: 'Choose another name, or use the existing one.' },
	429: {
		reason: 'the service received too many requests',
		advice: "Wait a while, or lower 'Concurrency' in the node's options.",
		cause: 'rate-limited',
		transient: true,
	},
};

function explainStatus(status: number, request: ServiceRequest, connection: Connection): ServiceErrorDetails {
	if (status === 403) return { reason: 'access was refused', advice: adviceForForbidden(request, connection) };
	if (status === 404) return explainNotFound(request);
	if (status >= 500)
		return {
			reason: 'the service is having trouble',
			advice: LATER,
			transient: [502, 503, 504].includes(status),
			mayHaveBeenApplied: true,
		};
	const advice = status < 300 ? 'Change what it names and run the node again.' : CHECK_ADDRESS;
	return STATUSES[status] ?? { reason: 'the service could not carry it out', advice };
}

function adviceForForbidden({ contract, company }: ServiceRequest, { permissions }: Connection): string {
	const permission = permissionOf(contract);
	if (permissions.length > 0 && !permissions.includes(permission))
		return `This credential's token does not list the permission '${permission}'. Use the credential of a client whose role includes it (usually Reseller), or ask the platform's administrator to add it.`;
	const mayBeCompany = company ? 'Check that this company is one of your customers. ' : '';
	return `${mayBeCompany}A Reseller acts for the customers it manages, a Company Admin only for its own company ('Credential's Own'); the permission is '${permission}'. ${IP_ADDRESSES}`;
}

function explainNotFound({ path = {}, isOptional, fallbackContracts }: ServiceRequest): ServiceErrorDetails {
	// The other values are the number of a job and words.
	const ids = Object.entries(path).flatMap(([name, id]) => (/id$/i.test(name) ? [`'${id}'`] : []));
	const mayLackOperation = isOptional === true || (fallbackContracts?.length ?? 0) > 0;
	const lacks = mayLackOperation ? 'this platform does not offer the operation' : '';
	const askPlatform = 'Ask the platform whether your license includes the operation.';
	if (ids.length === 0)
		return {
			reason: lacks || 'the service does not know this address',
			advice: `Check the credential's Base URL. ${askPlatform}`,
		};
	return {
		reason: `${lacks ? `${lacks}, or has nothing` : 'nothing was found'} with the ID ${ids.join(' and ')}`,
		advice:
			`It may have been deleted, or belong to another company than the one chosen. ${lacks && askPlatform}`.trim(),
	};
}

/** The error for an answer that is not in the form of this service. */
export function unexpectedResponse(body: unknown, status = 200): ServiceError {
	const isPage = typeof body === 'string' && /<\s*(!doctype|html|head|body)\b/i.test(body);
	return new ServiceError({
		reason: isPage ? 'a web page came back instead of data' : 'the answer is not in the format of this service',
		advice: `${CHECK_ADDRESS} A firewall or a sign-in page in between can also cause this.`,
		status,
		mayHaveBeenApplied: true,
	});
}

/** The error when no answer, or nothing more of a file, came within the node's 'Timeout'. */
export const timedOut = () =>
	new ServiceError({
		reason: 'the service did not answer in time',
		advice: "Raise 'Timeout' in the node's options, or ask for less at once.",
		transient: true,
		mayHaveBeenApplied: true,
	});

const text = z.union([z.string(), z.number()]).transform(String).catch('');
const statusShape = z.coerce.number().int().min(100).max(599).optional().catch(undefined);
/** n8n before 2.41 gives its errors no cause: the original is only left in `messages`, its code in `httpCode` (n8n-facts 12). */
const faultShape = z.object({
	...{ message: text, messages: z.array(text).catch([]), code: text, httpCode: text, status: statusShape },
	config: z.object({ url: text }).catch({ url: '' }),
	response: z.object({ status: statusShape }).catch({}),
});

/** The words of a thrown error and of its causes (messages, codes, addresses), the last message, and the status if any has one. */
function readFault(thrown: unknown) {
	const words: string[] = [];
	let status: number | undefined;
	let message = String(thrown);
	for (let next = thrown; next && words.length < 50; next = next instanceof Error ? next.cause : undefined) {
		const { data } = faultShape.safeParse(next);
		if (!data) break;
		words.push(data.message, ...data.messages, data.code, data.httpCode, data.config.url);
		status ??= data.response.status ?? data.status ?? statusShape.parse(data.httpCode);
		message = data.message || message;
	}
	return { words: words.join(' '), status, message };
}

const TOKEN_REQUEST = /OAuth2? access token|without access token|EAUTH|\/connect\/token/;
const LATE = /ETIMEDOUT|ECONNABORTED|timeout/i;
const LOST = /ECONNRESET|EPIPE|ERR_NETWORK|ERR_BAD_RESPONSE|aborted|hang up|premature/i;
const UNREACHABLE = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH/;

/**
 * Explains why a request got no answer.
 * @param thrown what n8n's HTTP helper, or the reader of a file, threw
 * @param isTokenRequest whether it is known to come from the token request
 * @returns `thrown` itself if it is a ServiceError already
 */
export function explainFault(thrown: unknown, { baseUrl }: Connection, isTokenRequest = false): ServiceError {
	if (thrown instanceof ServiceError) return thrown;
	const { words, status, message } = readFault(thrown);
	if (/cancell?ed/i.test(words)) return new ServiceError(STOPPED);
	if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(words))
		return new ServiceError({
			reason: "the server's certificate is not trusted",
			advice: `${CHECK_ADDRESS} If it is right, the certificate may have expired or be issued by a private authority that n8n does not know.`,
		});
	if (/EPROTO|ERR_SSL_/.test(words))
		return new ServiceError({
			reason: `${baseUrl} does not support https`,
			advice: `${CHECK_ADDRESS} Its port may be the one for http.`,
		});
	const [unreachable] = UNREACHABLE.exec(words) ?? [];
	if (unreachable)
		return new ServiceError({
			reason: `${baseUrl} cannot be reached (${unreachable})`,
			advice: `${CHECK_ADDRESS} n8n's machine must be able to reach it. If all is right, the service may be down for the moment.`,
			transient: true,
		});
	const [isLate, isCut] = [LATE.test(words), LOST.test(words)];
	// A request itself is sent with ignoreHttpStatusErrors, so only a token request throws for a status. The error of an answer
	// that is cut has a status too, and such a write may have landed.
	if (isTokenRequest || TOKEN_REQUEST.test(words) || (status !== undefined && !isLate && !isCut))
		return explainTokenFault(words, status);
	if (isLate) return timedOut();
	if (isCut)
		return new ServiceError({
			reason: 'the connection was cut before the answer was complete',
			advice: 'Try again. If it goes on, look at the network between n8n and the service.',
			transient: true,
			mayHaveBeenApplied: true,
		});
	const isStorage = /ENOSPC|EDQUOT|EACCES|EPERM|EROFS|EMFILE|ENOENT|too large/i.test(words);
	return new ServiceError({
		reason: isStorage ? 'n8n could not store the file' : 'the request could not be made',
		advice: `n8n reports: ${message}`,
		mayHaveBeenApplied: true,
	});
}

/** Explains why n8n got no token: the request itself was not sent. Wrong ones get a 400, `invalid_client` (deployment behaviour). */
function explainTokenFault(words: string, status: number | undefined): ServiceError {
	const isTrouble = status !== undefined && (status === 429 || status >= 500);
	if (isTrouble || LOST.test(words) || LATE.test(words))
		return new ServiceError({
			reason: `the service could not issue a token${isTrouble ? ` (${status})` : ''}`,
			advice: LATER,
			...(status === 429 ? { cause: 'rate-limited' } : {}),
			transient: true,
			...(isTrouble ? { status } : {}),
		});
	const isOtherServer = status !== undefined && (status < 400 || status === 404 || status === 405);
	if (
		isOtherServer ||
		/content.type|JSON|without access token|Unsupported protocol|HTTP status (30\d|404|405)/i.test(words)
	)
		return new ServiceError({
			reason: 'that address does not issue tokens for this service',
			advice: `${CHECK_ADDRESS} Then save it, so that n8n gets a new token.`,
		});
	return new ServiceError({
		reason: 'the service did not accept the Client ID or Client Secret',
		advice: `Open the credential and enter both again, as the platform shows them under REST API. The secret is shown there only once: if you no longer have it, create a new one. ${IP_ADDRESSES}`,
	});
}

const NOT_REPEATED =
	'It was not repeated, because the service may have carried it out anyway: check there before you run it again.';

/** The error of a request that is not sent again: without secrets, and with how often it was tried and what may have become of it. */
export function finalError({ details }: ServiceError, request: ServiceRequest, tries: number, secrets: string[]) {
	const isUncertain = !request.repeatable && details.mayHaveBeenApplied;
	const often = tries > 1 ? [`It was tried ${tries} times.`] : [];
	const advice = [details.advice, ...(isUncertain ? [NOT_REPEATED] : []), ...often].join(' ');
	return new ServiceError({
		...details,
		reason: redact(details.reason, secrets),
		said: redact(details.said ?? '', secrets),
		advice: redact(advice, secrets),
	});
}
