import { DateTime } from 'luxon';

import type { Credential } from './credential';
import type { Envelope } from './envelope';
import { RequestError, type RequestErrorDetails } from './errors';
import type { ApiRequest } from './request';
import { getSearchAdvice } from './requestVariants';
import { isLikelyId } from './resourceId';
import { getEndpoint } from '../api/endpoint';
import { formatList, formatTime, isEmpty, isRecord, redact } from '../values';

export const TRY_LATER_ADVICE = "Try again later. If the error persists, contact the platform's support.";
export const CHECK_ADDRESS_ADVICE =
	"Check 'Base URL' in the credential: it must be the address of the platform's API, not of its website.";
export const IP_ADDRESS_ADVICE =
	"If the platform accepts the API client only from certain IP addresses, add n8n's address to them.";

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
	// A message about access or about a missing record is less helpful than the advice, so it comes last.
	const adviceParts = [403, 404].includes(status) ? [details.advice, serviceMessage] : [serviceMessage, details.advice];
	return new RequestError({
		status,
		...details,
		reason: isSuccessStatus ? details.reason : `${details.reason} (${status})`,
		advice: adviceParts.join(' ').trim(),
		serviceMessage,
		retryAfterMs: parseRetryAfter(headers['retry-after']),
	});
}

/** Joins the platform's messages to one text: "The platform says: …". @returns an empty text without messages */
function formatMessages(messages: string[]): string {
	const sentences = messages.map((message) => (/[.!?…:]$/.test(message) ? message : `${message}.`));
	const text = formatList(sentences, ' ');
	if (text === '') return '';
	return `The platform says: ${text.length > MAX_MESSAGES_LENGTH ? `${text.slice(0, MAX_MESSAGES_LENGTH)}…` : text}`;
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
	reason: 'a proxy between n8n and the platform requires a sign-in',
	advice:
		"Ask the administrator of n8n to set the proxy's user and password (HTTP_PROXY, HTTPS_PROXY), or to exclude the platform's address from the proxy (NO_PROXY).",
};

/**
 * The details of the error for each status that can be explained without the request (contract 7; deployment facts, "Responses";
 * deployment behaviour, "Token, roles, errors").
 */
const DETAILS_BY_STATUS: Record<number, RequestErrorDetails> = {
	401: {
		reason: 'the platform does not accept the token',
		advice:
			'Open the credential and save it again, so that n8n tests it. If the test fails, create a new client secret in the platform under REST API and enter it in the credential.',
	},
	405: { reason: 'the platform does not know this request', advice: CHECK_ADDRESS_ADVICE },
	407: PROXY_SIGN_IN_REQUIRED,
	429: {
		reason: 'the platform received too many requests',
		advice: "Run the node again in a few minutes, or lower 'Concurrency' in the node's options.",
		cause: 'rate-limited',
		isTransient: true,
	},
};

function explainStatus(status: number, request: ApiRequest): RequestErrorDetails {
	if (status === 404) return explainNotFound(request);
	if (status === 409) return explainConflict(request);
	if (status === 400)
		return {
			reason: 'the platform did not accept the input',
			advice: `Correct the fields that the platform names, and run the node again. ${getSearchAdvice(request)}`.trim(),
			isInputRejected: true,
		};
	if (status >= 500)
		return {
			reason: 'the platform had an internal error',
			advice: TRY_LATER_ADVICE,
			isTransient: [502, 503, 504].includes(status),
			mayHaveBeenApplied: true,
		};
	const advice = status < 300 ? 'Correct what the platform names, and run the node again.' : TRY_LATER_ADVICE;
	return DETAILS_BY_STATUS[status] ?? { reason: 'the platform could not do this', advice };
}

/** Explains a 409. If the request has a name, that name already exists (deployment facts, "Responses"). Otherwise the reason is unknown. */
function explainConflict({ body, multipart }: ApiRequest): RequestErrorDetails {
	const fields: Record<string, unknown> = { ...body, ...multipart };
	if (!isEmpty(fields.name) || !isEmpty(fields.Name))
		return {
			reason: 'something with this name already exists',
			advice: 'Enter another name, or use the existing record.',
		};
	return {
		reason: 'this conflicts with the current data on the platform',
		advice:
			'Look at the record in the platform. It may already exist, may have changed in the meantime, or may be in use.',
	};
}

/**
 * Explains a redirect. Redirects are not followed, because the platform's documents describe none, and because a write may already
 * have been carried out before the redirect. The query of the new URL is not shown, because it may contain a token.
 */
function explainRedirect(location: unknown, { baseUrl }: Credential): RequestErrorDetails {
	const details = {
		reason: 'the platform redirected the request to another address',
		mayHaveBeenApplied: true,
	};
	const targetUrl =
		typeof location === 'string' && URL.canParse(location, baseUrl) ? new URL(location, baseUrl) : undefined;
	if (targetUrl && targetUrl.origin !== baseUrl) {
		const advice = `The node does not follow redirects. The new address is ${targetUrl.origin}. If it is the platform's address, enter it as 'Base URL' in the credential.`;
		return { ...details, advice };
	}
	const targetSentence = targetUrl ? `The new address is ${targetUrl.origin}${targetUrl.pathname}. ` : '';
	const advice = `The node does not follow redirects. ${targetSentence}${CHECK_ADDRESS_ADVICE} A sign-in page between n8n and the platform can also cause this.`;
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
	const reason = 'the platform refused access';
	if (envelope?.statusWord === 'PRIVACY_ERROR')
		return {
			reason,
			advice: 'The customer has turned off access for resellers. Ask the customer to turn it on in the platform.',
			isAccessClosed: true,
		};
	if (company && hasSucceededBefore)
		return {
			reason,
			advice: `${companyAdvice}The credential's role is not the cause, because the same request succeeded for another company.`,
		};
	if (!isPermissionListed)
		return {
			reason,
			advice: `The credential's token does not include the permission '${permission}'. Use the credential of an API client whose role includes it (usually Reseller), or ask the platform's administrator to add the permission.`,
		};
	return {
		reason,
		advice: `${companyAdvice}A Reseller can act only for its customers, and a Company Admin only for its own company ('Credential's Own'). The request needs the permission '${permission}'. ${IP_ADDRESS_ADVICE}`,
	};
}

function getCompanyAdvice(company: { id: string; name: string }): string {
	const isLikelyName = company.name === '' && !isLikelyId(company.id);
	const nameAdvice = isLikelyName ? `If '${company.id}' is its name, select 'By Name' in 'Company'. ` : '';
	return `Is this one of your customers? ${nameAdvice}`;
}

/**
 * Collects the IDs of records in a request: those in the path, or else those in the body. The fields of a new record are left out, because
 * they are not the record that a 404 is about.
 */
function collectRecordIds({ path = {}, body = {} }: ApiRequest): string[] {
	// Only placeholders whose name ends with "id" stand for IDs. Others stand for a campaign job's number or the type of a search.
	const pathIds = Object.entries(path).flatMap(([name, value]) => (/id$/i.test(name) ? [value] : []));
	const isNewRecord = !isEmpty(body.name) || !isEmpty(body.email);
	return pathIds.length > 0 || isNewRecord ? pathIds : collectIdsInBody(body);
}

/** Collects the values of the fields of a body that are named after the IDs of records, such as `resourceIds`, at any depth. */
function collectIdsInBody(value: unknown, name = ''): string[] {
	if (Array.isArray(value)) return value.flatMap((entry) => collectIdsInBody(entry, name));
	if (isRecord(value)) return Object.entries(value).flatMap(([key, entry]) => collectIdsInBody(entry, key));
	return typeof value === 'string' && /resourceIds?$/i.test(name) ? [value] : [];
}

/**
 * Explains a 404. The platform may lack the record or, if the contract doesn't describe the endpoint, the endpoint itself (deployment
 * beyond, "How to use this file"). The error names the record first, because that is the more frequent cause.
 */
function explainNotFound(request: ApiRequest): RequestErrorDetails {
	const { endpoint, path = {} } = request;
	const ids = collectRecordIds(request);
	const { isOptional, alternativeEndpoint } = getEndpoint(endpoint);
	const mayEndpointBeMissing = isOptional || alternativeEndpoint !== undefined;
	if (ids.length === 0)
		return {
			reason: mayEndpointBeMissing
				? 'the platform does not support this operation'
				: 'the platform does not know this address',
			advice: "Check 'Base URL' in the credential. Ask the platform whether your license includes this operation.",
		};
	const idText = formatList(
		ids.map((id) => `'${id}'`),
		' and ',
		3,
	);
	const { instanceGroup: jobNumber } = path;
	const recordText =
		jobNumber === undefined ? `no record with the ID ${idText}` : `no job ${jobNumber} of the campaign ${idText}`;
	const deletedAdvice =
		jobNumber === undefined
			? 'It may have been deleted, or belong to another company than the selected one.'
			: "The job or its campaign may have been deleted, or belong to another company than the selected one. Check the number after the slash in 'Campaign Job'.";
	const nameAdvice = ids.every(isLikelyId) ? '' : 'If you entered a name, select the record from the list.';
	const adviceParts = [deletedAdvice, nameAdvice];
	return {
		reason: `the platform has ${recordText}${mayEndpointBeMissing ? ', or does not support this operation' : ''}`,
		advice: adviceParts.filter((part) => part !== '').join(' '),
	};
}

/** Creates the error for a response that doesn't have the platform's format. */
export function createUnexpectedResponseError(body: unknown, status = 200): RequestError {
	const isWebPage = typeof body === 'string' && /<\s*(!doctype|html|head|body)\b/i.test(body);
	return new RequestError({
		reason: isWebPage ? 'the platform sent a web page instead of data' : "the response is not in the platform's format",
		advice: `${CHECK_ADDRESS_ADVICE} A firewall or a sign-in page between n8n and the platform can also cause this.`,
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
	const resumeText = resumeTime === undefined ? 'for a very long time' : `until ${resumeTime}`;
	const advice =
		'This wait is longer than two minutes, so the run sends no more requests. After that time, run the node again for the remaining items.';
	return new RequestError({
		...failure?.details,
		reason: `the platform asks to wait ${resumeText}`,
		advice: `${failure?.details.serviceMessage ?? ''} ${advice}`.trim(),
		cause: 'rate-limited',
		isTransient: false,
		retryAfterMs: Math.max(resumesAt - Date.now(), 0),
	});
}

/** Creates the error for a response, or the next data of a file, that doesn't arrive within the node's option 'Timeout'. */
export const createTimeoutError = () =>
	new RequestError({
		reason: 'the platform did not respond in time',
		advice: "Increase 'Timeout' in the node's options, or request less data at once.",
		isTransient: true,
		mayHaveBeenApplied: true,
	});

const NOT_REPEATED_ADVICE =
	'The request was not repeated, because the platform may have carried it out. Check this on the platform before you run the node again.';

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
	if (tryCount > 1) adviceParts.push(`The request was sent ${tryCount} times.`);
	return new RequestError({
		...details,
		reason: redact(details.reason, secrets),
		serviceMessage: redact(details.serviceMessage ?? '', secrets),
		advice: redact(adviceParts.join(' '), secrets),
	});
}
