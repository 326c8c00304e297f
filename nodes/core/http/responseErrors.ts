import { DateTime } from 'luxon';

import type { Credential } from './credential';
import type { Envelope } from './envelope';
import { RequestError, type RequestErrorDetails } from './errors';
import type { ApiRequest } from './request';
import { getSearchAdvice } from './requestVariants';
import { isLikelyId } from './resourceId';
import { getEndpoint } from '../api/endpoint';
import { formatList, formatTime, isEmpty, redact } from '../values';

export const TRY_LATER_ADVICE = 'Try again later. If it goes on, ask the platform about it.';
export const CHECK_ADDRESS_ADVICE =
	"Check the credential's Base URL: it must be the address of the API, not of the website.";
export const IP_ADDRESS_ADVICE =
	"If the client is restricted to certain IP addresses, n8n's address must be among them.";

/** The largest number of characters that are shown of the platform's messages. */
const MAX_MESSAGES_LENGTH = 2000;
/**
 * The longest wait that the client accepts from a Retry-After header, in ms. If the platform asks for a longer wait, the run sends
 * no more requests.
 */
const MAX_RETRY_AFTER_MS = 120_000;

/**
 * Parses a Retry-After header, which contains seconds or an HTTP date.
 * @returns the time to wait, in ms, or undefined without a valid header
 */
export function parseRetryAfter(header: unknown): number | undefined {
	if (typeof header !== 'string') return undefined;
	const hasSeconds = /^\d+(\.\d+)?$/.test(header.trim());
	const ms = hasSeconds ? Number(header) * 1000 : DateTime.fromHTTP(header.trim()).toMillis() - Date.now();
	return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}

/** A response whose body was parsed. */
interface ParsedResponse {
	status: number;
	/** The headers, by lower-case name. */
	headers: Record<string, unknown>;
	envelope: Envelope | undefined;
}

/**
 * The HTTP status for each status word. It is used if the response itself has a status of 2xx (deployment behaviour, "Token,
 * roles, errors").
 */
const STATUS_BY_WORD: Record<string, number> = { INPUT_ERROR: 400, INTERNAL_SERVER_ERROR: 500 };

/**
 * Explains a response that reports a failure (contract 7). A response with a status of 2xx may report one too (deployment
 * behaviour, "Token, roles, errors").
 * @param hasSucceededBefore true if the same endpoint has succeeded in this run, for another item or company
 * @returns undefined for a response that reports success
 */
export function explainResponse(
	request: ApiRequest,
	credential: Credential,
	response: ParsedResponse,
	hasSucceededBefore = false,
): RequestError | undefined {
	const { status, headers, envelope } = response;
	const isSuccessStatus = status >= 200 && status < 300;
	if (isSuccessStatus && !envelope?.isFailure) return undefined;
	const details = explainFailure(request, credential, response, hasSucceededBefore);
	const serviceMessage = formatMessages(envelope?.messages ?? []);
	return new RequestError({
		status,
		...details,
		reason: isSuccessStatus ? details.reason : `${details.reason} (${status})`,
		advice: `${serviceMessage} ${details.advice}`.trim(),
		serviceMessage,
		retryAfterMs: parseRetryAfter(headers['retry-after']),
	});
}

/** Joins the platform's messages to one text: "The service says: …". @returns an empty text without messages */
function formatMessages(messages: string[]): string {
	const sentences = messages.map((message) => (/[.!?…:]$/.test(message) ? message : `${message}.`));
	const text = formatList(sentences, ' ');
	if (text === '') return '';
	return `The service says: ${text.length > MAX_MESSAGES_LENGTH ? `${text.slice(0, MAX_MESSAGES_LENGTH)}…` : text}`;
}

function explainFailure(
	request: ApiRequest,
	credential: Credential,
	{ status, headers, envelope }: ParsedResponse,
	hasSucceededBefore: boolean,
): RequestErrorDetails {
	if (status === 403) return explainForbidden(request, credential, envelope, hasSucceededBefore);
	if (status >= 300 && status < 400) return explainRedirect(headers.location, credential);
	const isSuccessStatus = status >= 200 && status < 300;
	const impliedStatus = isSuccessStatus ? STATUS_BY_WORD[envelope?.statusWord?.toUpperCase() ?? ''] : undefined;
	return explainStatus(impliedStatus ?? status, request);
}

/** The details of the error for status 407: a proxy between n8n and the platform requires a sign-in. */
export const PROXY_SIGN_IN_REQUIRED: RequestErrorDetails = {
	reason: 'a proxy between n8n and the service asks for a sign-in',
	advice:
		"Ask whoever runs n8n to give it the proxy's user and password (HTTP_PROXY, HTTPS_PROXY), or to leave the service's address out (NO_PROXY).",
};

/**
 * The details of the error for each status that can be explained without the request (contract 7; deployment facts, "Responses";
 * deployment behaviour, "Token, roles, errors").
 */
const DETAILS_BY_STATUS: Record<number, RequestErrorDetails> = {
	401: {
		reason: 'the service does not accept the token',
		advice:
			'Open the credential and save it again, so that it is tested. If that does not help, create a new client secret in the platform under REST API and enter it.',
	},
	405: { reason: 'the service does not know this request', advice: CHECK_ADDRESS_ADVICE },
	407: PROXY_SIGN_IN_REQUIRED,
	429: {
		reason: 'the service received too many requests',
		advice: "Wait a while, or lower 'Concurrency' in the node's options.",
		cause: 'rate-limited',
		isTransient: true,
	},
};

function explainStatus(status: number, request: ApiRequest): RequestErrorDetails {
	if (status === 404) return explainNotFound(request);
	if (status === 409) return explainConflict(request);
	if (status === 400)
		return {
			reason: 'the service did not accept the input',
			advice: `Check the values of the fields that it names. ${getSearchAdvice(request)}`.trim(),
			isInputRejected: true,
		};
	if (status >= 500)
		return {
			reason: 'the service is having trouble',
			advice: TRY_LATER_ADVICE,
			isTransient: [502, 503, 504].includes(status),
			mayHaveBeenApplied: true,
		};
	const advice = status < 300 ? 'Change what it names and run the node again.' : TRY_LATER_ADVICE;
	return DETAILS_BY_STATUS[status] ?? { reason: 'the service could not carry it out', advice };
}

/** Explains a 409. If the request has a name, that name already exists (deployment facts, "Responses"). Otherwise the reason is unknown. */
function explainConflict({ body, multipart }: ApiRequest): RequestErrorDetails {
	const fields: Record<string, unknown> = { ...body, ...multipart };
	if (!isEmpty(fields.name) || !isEmpty(fields.Name))
		return {
			reason: 'something with this name already exists',
			advice: 'Choose another name, or use the existing one.',
		};
	return {
		reason: 'it conflicts with what is on the platform now',
		advice: 'Look at it in the platform. It may already exist, may have changed in the meantime, or may be in use.',
	};
}

/**
 * Explains a redirect. Redirects are not followed, because the platform's documents describe none, and because a write may already
 * have been carried out before the redirect. The query of the new URL is not shown, because it may contain a token.
 */
function explainRedirect(location: unknown, { baseUrl }: Credential): RequestErrorDetails {
	const details = {
		reason: 'the service sends to another address, which is not followed',
		mayHaveBeenApplied: true,
	};
	const targetUrl =
		typeof location === 'string' && URL.canParse(location, baseUrl) ? new URL(location, baseUrl) : undefined;
	if (targetUrl && targetUrl.origin !== baseUrl) {
		const advice = `The new address is ${targetUrl.origin}: if it is the platform's, enter it as 'Base URL' in the credential.`;
		return { ...details, advice };
	}
	const targetSentence = targetUrl ? `It sends to ${targetUrl.origin}${targetUrl.pathname}. ` : '';
	const advice = `${targetSentence}${CHECK_ADDRESS_ADVICE} A sign-in page in between can also cause this.`;
	return { ...details, advice };
}

function explainForbidden(
	{ endpoint, company }: ApiRequest,
	{ permissions }: Credential,
	envelope: Envelope | undefined,
	hasSucceededBefore: boolean,
): RequestErrorDetails {
	const { permission } = getEndpoint(endpoint);
	const isPermissionListed = permissions.length === 0 || permissions.includes(permission);
	const companyAdvice = company ? getCompanyAdvice(company) : '';
	const reason = 'access was refused';
	if (envelope?.statusWord === 'PRIVACY_ERROR')
		return {
			reason,
			advice: 'The customer has closed the access for resellers: ask there to open it in the platform.',
		};
	if (company && hasSucceededBefore)
		return { reason, advice: `${companyAdvice}It is not the credential's role: the same worked for another company.` };
	if (!isPermissionListed)
		return {
			reason,
			advice: `This credential's token does not list the permission '${permission}'. Use the credential of a client whose role includes it (usually Reseller), or ask the platform's administrator to add it.`,
		};
	return {
		reason,
		advice: `${companyAdvice}A Reseller acts for the customers it manages, a Company Admin only for its own company ('Credential's Own'); the permission is '${permission}'. ${IP_ADDRESS_ADVICE}`,
	};
}

function getCompanyAdvice(company: { id: string; name: string }): string {
	const isLikelyName = company.name === '' && !isLikelyId(company.id);
	const nameAdvice = isLikelyName ? `; if '${company.id}' is its name, choose 'By Name' in 'Company'` : '';
	return `Check that this company is one of your customers${nameAdvice}. `;
}

function explainNotFound({ endpoint, path = {} }: ApiRequest): RequestErrorDetails {
	// Only placeholders whose name ends with "id" stand for IDs. Others stand for a campaign job's number or the type of a search.
	const ids = Object.entries(path).flatMap(([name, value]) => (/id$/i.test(name) ? [value] : []));
	const { isOptional, alternativeEndpoint } = getEndpoint(endpoint);
	const mayEndpointBeMissing = isOptional || alternativeEndpoint !== undefined;
	const licenseAdvice = 'Ask the platform whether your license includes the operation.';
	if (ids.length === 0)
		return {
			reason: mayEndpointBeMissing
				? 'this platform does not offer the operation'
				: 'the service does not know this address',
			advice: `Check the credential's Base URL. ${licenseAdvice}`,
		};
	const notFoundText = mayEndpointBeMissing
		? 'this platform does not offer the operation, or has nothing'
		: 'nothing was found';
	const nameAdvice = ids.every(isLikelyId) ? '' : 'A name is not accepted as an ID. ';
	const advice = `It may have been deleted, or belong to another company than the one chosen. ${nameAdvice}${mayEndpointBeMissing ? licenseAdvice : ''}`;
	return {
		reason: `${notFoundText} with the ID ${ids.map((id) => `'${id}'`).join(' and ')}`,
		advice: advice.trim(),
	};
}

/** Creates the error for a response that doesn't have the platform's format. */
export function createUnexpectedResponseError(body: unknown, status = 200): RequestError {
	const isWebPage = typeof body === 'string' && /<\s*(!doctype|html|head|body)\b/i.test(body);
	return new RequestError({
		reason: isWebPage ? 'a web page came back instead of data' : 'the answer is not in the format of this service',
		advice: `${CHECK_ADDRESS_ADVICE} A firewall or a sign-in page in between can also cause this.`,
		status,
		mayHaveBeenApplied: true,
	});
}

/**
 * Finds the time when the platform allows requests again, if a failure asks for a longer wait than `MAX_RETRY_AFTER_MS`.
 * @returns ms since 1970; undefined if the run can go on
 */
export function findResumeTime({ details }: RequestError): number | undefined {
	const { retryAfterMs = 0, status = 0 } = details;
	const canAskForPause = status === 429 || status >= 500;
	return canAskForPause && retryAfterMs > MAX_RETRY_AFTER_MS ? Date.now() + retryAfterMs : undefined;
}

/**
 * Creates the error for a request that fails because the platform asked for a long pause.
 * @param resumesAt the time when the platform allows requests again, in ms since 1970
 * @param timezone the workflow's time zone
 * @param failure the platform's response that asked for the pause; undefined if the request was not sent
 */
export function createPauseError(resumesAt: number, timezone: string, failure?: RequestError): RequestError {
	// The time is rounded up to a whole minute, so that no request comes too early.
	const resumeTime = formatTime(Math.ceil(resumesAt / 60_000) * 60_000, timezone);
	const resumeText = resumeTime === undefined ? 'after a very long time' : `at ${resumeTime}`;
	const advice =
		'It asks for a wait of more than two minutes, so this run sends no more requests. After that time, run the node again with what is left.';
	return new RequestError({
		...failure?.details,
		reason: `the platform allows requests again ${resumeText}`,
		advice: `${failure?.details.serviceMessage ?? ''} ${advice}`.trim(),
		cause: 'rate-limited',
		isTransient: false,
		retryAfterMs: Math.max(resumesAt - Date.now(), 0),
	});
}

/** Creates the error for a response, or the next data of a file, that doesn't arrive within the node's option 'Timeout'. */
export const createTimeoutError = () =>
	new RequestError({
		reason: 'the service did not answer in time',
		advice: "Raise 'Timeout' in the node's options, or ask for less at once.",
		isTransient: true,
		mayHaveBeenApplied: true,
	});

const NOT_REPEATED_ADVICE =
	'It was not repeated, because the service may have carried it out anyway: check there before you run it again.';

/**
 * Creates the error of a request that is not sent again. The error says how often the request was tried, and warns if a write may
 * have been carried out. Secrets in its texts are replaced by •••.
 */
export function createFinalError(
	{ details }: RequestError,
	request: ApiRequest,
	tryCount: number,
	secrets: Iterable<string>,
): RequestError {
	const adviceParts = [details.advice];
	if (!getEndpoint(request.endpoint).isReadOnly && details.mayHaveBeenApplied) adviceParts.push(NOT_REPEATED_ADVICE);
	if (tryCount > 1) adviceParts.push(`It was tried ${tryCount} times.`);
	return new RequestError({
		...details,
		reason: redact(details.reason, secrets),
		serviceMessage: redact(details.serviceMessage ?? '', secrets),
		advice: redact(adviceParts.join(' '), secrets),
	});
}
