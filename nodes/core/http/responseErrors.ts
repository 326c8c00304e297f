import { DateTime } from 'luxon';

import type { Connection } from './credential';
import type { Envelope } from './envelope';
import { ServiceError, type ServiceErrorDetails } from './errors';
import { looksLikeId, type ServiceRequest } from './request';
import { chosenAdvice } from './requestVariants';
import { endpointOf } from '../api/endpoint';
import { formatTime, isEmpty, listOf, redact } from '../values';

export const LATER = 'Try again later. If it goes on, ask the platform about it.';
export const CHECK_ADDRESS = "Check the credential's Base URL: it must be the address of the API, not of the website.";
export const IP_ADDRESSES = "If the client is restricted to certain IP addresses, n8n's address must be among them.";

/** How much of the service's messages is shown, in characters. */
const MAX_MESSAGES_LENGTH = 2000;
/** The longest time that a run waits because of a Retry-After header, in ms. If the platform asks for more, the run sends no more requests. */
const MAX_WAIT_MS = 120_000;

/** @returns the wait that a Retry-After header (seconds, or a date as in HTTP) asks for, in ms; undefined without a valid one */
export function retryAfterMs(header: unknown): number | undefined {
	if (typeof header !== 'string') return undefined;
	const isSeconds = /^\d+(\.\d+)?$/.test(header.trim());
	const ms = isSeconds ? Number(header) * 1000 : DateTime.fromHTTP(header.trim()).toMillis() - Date.now();
	return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
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
 * @param hasWorked whether the same request has worked in this run, for another item or company
 * @returns undefined for an answer that means success
 */
export function explainAnswer(request: ServiceRequest, connection: Connection, reply: Reply, hasWorked = false) {
	const { status, headers, envelope } = reply;
	const isSuccess = status >= 200 && status < 300;
	if (isSuccess && !envelope?.failed) return undefined;
	const word = isSuccess ? STATUS_OF_WORD[envelope?.status?.toUpperCase() ?? ''] : undefined;
	const { reason, advice, ...explained } =
		status === 403
			? explainForbidden(request, connection, envelope, hasWorked)
			: status >= 300 && status < 400
				? explainRedirect(headers.location, connection)
				: explainStatus(word ?? status, request);
	const wait = retryAfterMs(headers['retry-after']);
	const said = listOf(
		envelope?.messages.map((message) => (/[.!?…:]$/.test(message) ? message : `${message}.`)) ?? [],
		' ',
	);
	const words = said.length > MAX_MESSAGES_LENGTH ? `${said.slice(0, MAX_MESSAGES_LENGTH)}…` : said;
	const shown = words === '' ? '' : `The service says: ${words}`;
	return new ServiceError({
		status,
		...explained,
		reason: isSuccess ? reason : `${reason} (${status})`,
		advice: `${shown} ${advice}`.trim(),
		said: shown,
		retryAfterMs: wait,
	});
}

/** What a proxy says that n8n's machine goes through (407). */
export const PROXY_SIGN_IN: ServiceErrorDetails = {
	reason: 'a proxy between n8n and the service asks for a sign-in',
	advice:
		"Ask whoever runs n8n to give it the proxy's user and password (HTTP_PROXY, HTTPS_PROXY), or to leave the service's address out (NO_PROXY).",
};

/** What a person can do about each status (contract 7, deployment facts, deployment behaviour). */
const STATUSES: Record<number, ServiceErrorDetails> = {
	401: {
		reason: 'the service does not accept the token',
		advice:
			'Open the credential and save it again, so that it is tested. If that does not help, create a new client secret in the platform under REST API and enter it.',
	},
	405: { reason: 'the service does not know this request', advice: CHECK_ADDRESS },
	407: PROXY_SIGN_IN,
	429: {
		reason: 'the service received too many requests',
		advice: "Wait a while, or lower 'Concurrency' in the node's options.",
		cause: 'rate-limited',
		transient: true,
	},
};

function explainStatus(status: number, request: ServiceRequest): ServiceErrorDetails {
	if (status === 404) return explainNotFound(request);
	if (status === 409) return explainConflict(request);
	if (status === 400)
		return {
			reason: 'the service did not accept the input',
			advice: `Check the values of the fields that it names. ${chosenAdvice(request)}`.trim(),
			isInputRefused: true,
		};
	if (status >= 500)
		return {
			reason: 'the service is having trouble',
			advice: LATER,
			transient: [502, 503, 504].includes(status),
			mayHaveBeenApplied: true,
		};
	const advice = status < 300 ? 'Change what it names and run the node again.' : LATER;
	return STATUSES[status] ?? { reason: 'the service could not carry it out', advice };
}

/** Explains a 409. If a name was sent, it already exists (deployment facts, "Responses"). No other reason is documented. */
function explainConflict({ body, form }: ServiceRequest): ServiceErrorDetails {
	const { name, Name } = { ...body, ...form };
	if (!isEmpty(name) || !isEmpty(Name))
		return {
			reason: 'something with this name already exists',
			advice: 'Choose another name, or use the existing one.',
		};
	return {
		reason: 'it conflicts with what is on the platform now',
		advice: 'Look at it in the platform. It may already exist, may have changed in the meantime, or may be in use.',
	};
}

/** A redirect is not followed: no fact names one, and it may come before or after a write was carried out. Its query may hold a token. */
function explainRedirect(location: unknown, { baseUrl }: Connection): ServiceErrorDetails {
	const to = typeof location === 'string' && URL.canParse(location, baseUrl) ? new URL(location, baseUrl) : undefined;
	const newAddress = `The new address is ${to?.origin}: if it is the platform's, enter it as 'Base URL' in the credential.`;
	return {
		reason: 'the service sends to another address, which is not followed',
		advice:
			to === undefined || to.origin === baseUrl
				? `${to ? `It sends to ${to.origin}${to.pathname}. ` : ''}${CHECK_ADDRESS} A sign-in page in between can also cause this.`
				: newAddress,
		mayHaveBeenApplied: true,
	};
}

function explainForbidden(
	{ endpoint, company }: ServiceRequest,
	{ permissions }: Connection,
	envelope: Envelope | undefined,
	hasWorked: boolean,
): ServiceErrorDetails {
	const { permission } = endpointOf(endpoint);
	const isListed = permissions.length === 0 || permissions.includes(permission);
	const mayBeName = company?.name === '' && !looksLikeId(company.id);
	const orName = mayBeName ? `; if '${company.id}' is its name, choose 'By Name' in 'Company'` : '';
	const mayBeCompany = company ? `Check that this company is one of your customers${orName}. ` : '';
	const reason = 'access was refused';
	if (envelope?.status === 'PRIVACY_ERROR')
		return {
			reason,
			advice: 'The customer has closed the access for resellers: ask there to open it in the platform.',
		};
	if (company && hasWorked)
		return { reason, advice: `${mayBeCompany}It is not the credential's role: the same worked for another company.` };
	if (!isListed)
		return {
			reason,
			advice: `This credential's token does not list the permission '${permission}'. Use the credential of a client whose role includes it (usually Reseller), or ask the platform's administrator to add it.`,
		};
	return {
		reason,
		advice: `${mayBeCompany}A Reseller acts for the customers it manages, a Company Admin only for its own company ('Credential's Own'); the permission is '${permission}'. ${IP_ADDRESSES}`,
	};
}

function explainNotFound({ endpoint, path = {} }: ServiceRequest): ServiceErrorDetails {
	// The other values are the number of a job and words.
	const given = Object.entries(path).flatMap(([name, id]) => (/id$/i.test(name) ? [id] : []));
	const ids = given.map((id) => `'${id}'`);
	const mayBeName = given.every(looksLikeId) ? '' : 'A name is not accepted as an ID. ';
	const { optional, elsewhere } = endpointOf(endpoint);
	const mayLackOperation = optional || elsewhere !== undefined;
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
			`It may have been deleted, or belong to another company than the one chosen. ${mayBeName}${lacks && askPlatform}`.trim(),
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

/**
 * Finds the time when the platform allows requests again, if a failure asks for a longer wait than `MAX_WAIT_MS`.
 * @returns ms since 1970; undefined if the run can go on
 */
export function findResumeTime({ details }: ServiceError): number | undefined {
	const { retryAfterMs: wait = 0, status = 0 } = details;
	const isWait = status === 429 || status >= 500;
	return isWait && wait > MAX_WAIT_MS ? Date.now() + wait : undefined;
}

/**
 * Creates the error of a request while the platform allows no requests.
 * @param resumesAt the time when it allows requests again, in ms since 1970
 * @param timezone the workflow's time zone
 * @param failure the service's answer; undefined if the request was not sent
 */
export function createPauseError(resumesAt: number, timezone: string, failure?: ServiceError): ServiceError {
	// Rounded up to a whole minute, so that no request comes too early.
	const time = formatTime(Math.ceil(resumesAt / 60_000) * 60_000, timezone);
	const when = time === undefined ? 'after a very long time' : `at ${time}`;
	const advice =
		'It asks for a wait of more than two minutes, so this run sends no more requests. After that time, run the node again with what is left.';
	return new ServiceError({
		...failure?.details,
		reason: `the platform allows requests again ${when}`,
		advice: `${failure?.details.said ?? ''} ${advice}`.trim(),
		cause: 'rate-limited',
		transient: false,
		retryAfterMs: Math.max(resumesAt - Date.now(), 0),
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

const NOT_REPEATED =
	'It was not repeated, because the service may have carried it out anyway: check there before you run it again.';

/** The error of a request that is not sent again: without secrets, and with how often it was tried and what may have become of it. */
export function finalError(
	{ details }: ServiceError,
	request: ServiceRequest,
	tries: number,
	secrets: Iterable<string>,
) {
	const isUncertain = !endpointOf(request.endpoint).reads && details.mayHaveBeenApplied;
	const often = tries > 1 ? [`It was tried ${tries} times.`] : [];
	const advice = [details.advice, ...(isUncertain ? [NOT_REPEATED] : []), ...often].join(' ');
	return new ServiceError({
		...details,
		reason: redact(details.reason, secrets),
		said: redact(details.said ?? '', secrets),
		advice: redact(advice, secrets),
	});
}
