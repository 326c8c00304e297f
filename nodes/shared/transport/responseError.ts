import type { Connection } from './connection';
import type { Envelope } from './envelope';
import { ServiceError, type ServiceErrorDetails } from './errors';
import { permissionOf, type ServiceRequest } from './request';

/** Longest wait that a Retry-After is followed for, in ms. */
export const MAX_RETRY_AFTER_MS = 120_000;

/**
 * Takes a Retry-After header, in seconds or as a date.
 * @param now what the clock of whoever wrote it shows, in ms
 * @returns ms, clamped to 0 … 120 s; undefined for none
 */
export function retryAfterMs(header: unknown, now = Date.now()): number | undefined {
	if (typeof header !== 'string' || header.trim() === '') return undefined;
	const text = header.trim();
	const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
	return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS);
}

const sentences = (...parts: Array<string | undefined>) =>
	parts
		.filter((part): part is string => part !== undefined && part !== '')
		.map((part) => (/[.!?…:]$/.test(part) ? part : `${part}.`))
		.join(' ');

/** What the service said, to be put in front of what a person can do. */
const wordsOf = (envelope: Envelope | undefined) =>
	envelope && envelope.messages.length > 0
		? envelope.messages.map((message) => sentences(message)).join(' ')
		: undefined;

function forbidden(request: ServiceRequest, connection: Connection): string {
	const permission = permissionOf(request.contract);
	const { permissions } = connection;
	if (permissions.length > 0 && !permissions.includes(permission))
		return `This credential's token does not list the permission '${permission}'. Use the credential of a client whose role includes it (usually Reseller), or ask the platform's administrator to add it.`;
	if (request.company)
		return "Check that this company is one of your customers and that 'Company Scope' fits the credential: a Reseller acts for the customers it manages, a Company Admin only for its own company ('Credential's Own'). If the client is restricted to certain IP addresses, n8n's address must be among them.";
	return `This operation may need another role: a Reseller manages customers, a Company Admin only its own company. The permission is '${permission}'. If the client is restricted to certain IP addresses, n8n's address must be among them.`;
}

const CHECK_FIELDS = 'Check the values of the fields that it names';

/** What a status means, for a person. @returns undefined for one that means success */
export function errorOfResponse(
	request: ServiceRequest,
	connection: Connection,
	answer: { status: number; envelope: Envelope | undefined; headers: Record<string, unknown> },
): ServiceError | undefined {
	const { status, envelope, headers } = answer;
	// A date is by the clock of the machine that answered, which may be slow.
	const servedAt = Date.parse(String(headers.date));
	const wait = retryAfterMs(headers['retry-after'], Number.isNaN(servedAt) ? undefined : servedAt);
	const said = wordsOf(envelope);
	const tell = (reason: string, advice: string, details: Partial<ServiceErrorDetails> = {}) =>
		new ServiceError({
			reason,
			advice: sentences(said === undefined ? undefined : `The service says: ${said}`, advice),
			...(said === undefined ? {} : { said }),
			cause: 'refused',
			status,
			mayHaveBeenApplied: false,
			transient: false,
			...(wait === undefined ? {} : { retryAfterMs: wait }),
			...details,
		});

	if (status >= 200 && status < 300) {
		if (!envelope?.failed) return undefined;
		const { outcome = '' } = envelope;
		if (/^INPUT_ERROR$/i.test(outcome))
			return tell('the service did not accept the input', CHECK_FIELDS, { isInputRefused: true });
		if (/^INTERNAL_SERVER_ERROR$/i.test(outcome))
			return tell('the service is having trouble', 'Try again later. If it goes on, ask the platform about it', {
				mayHaveBeenApplied: true,
			});
		return tell('the service could not carry it out', 'Change what it names and run the node again');
	}
	const ids = idsOf(request);
	switch (status) {
		case 400:
		case 422:
			return tell(`the service did not accept the input (${status})`, CHECK_FIELDS, { isInputRefused: true });
		case 401:
			return tell(
				'the service does not accept the token (401)',
				'Open the credential and save it again, so that it is tested. If that does not help, create a new client secret in the platform under REST API and enter it. If it happens only now and then, another system may sign in with the same client and void its tokens: give each a client of its own',
				{ cause: 'credential-invalid' },
			);
		case 403:
			return tell('access was refused (403)', forbidden(request, connection), {
				cause: 'configuration-invalid',
			});
		case 404:
			return tell(
				ids !== '' ? `nothing was found with the ID ${ids} (404)` : 'the service does not know this address (404)',
				ids !== ''
					? 'It may have been deleted, or belong to another company than the one chosen'
					: "Check the credential's Base URL, and whether the platform offers this operation",
				{ cause: 'configuration-invalid' },
			);
		case 409:
			return tell('something of that name exists already (409)', 'Choose another name, or use the one that exists');
		case 413:
			return tell('the service finds it too large (413)', 'Send a smaller file');
		case 429:
			return tell(
				'the service received too many requests (429)',
				"Wait a while, or lower 'Concurrency' in the node's options",
				{ cause: 'rate-limited', transient: true },
			);
		default: {
			if (status < 500)
				return tell(
					`the service answered with status ${status}`,
					status < 400
						? "Check the credential's Base URL: the address forwards to another one"
						: 'Check the values of the fields',
					status < 400 ? { cause: 'configuration-invalid' } : {},
				);
			// A gateway's 503 with Retry-After turned the request away at the door; any other 5xx may have done its work.
			const turnedAway = status === 503 && wait !== undefined;
			return tell(
				`the service is having trouble (${status})`,
				'Try again later. If it goes on, ask the platform about it',
				{
					cause: 'temporarily-unavailable',
					transient: [502, 503, 504].includes(status),
					mayHaveBeenApplied: !turnedAway,
				},
			);
		}
	}
}

const idsOf = ({ path = {} }: ServiceRequest) =>
	Object.values(path)
		.map((id) => `'${id}'`)
		.join(' and ');

/**
 * An operation that was looked for wherever deployments have it, and answered with 404 each time. What a deployment does
 * not have is said as that: an ID that is wrong is refused in words of its own at the one place that exists.
 * @param problems what came of each place, that of the contract first
 */
export function notOffered(request: ServiceRequest, problems: [ServiceError, ...ServiceError[]]): ServiceError {
	const [{ details }] = problems;
	if (problems.some((problem) => problem.details.said !== details.said)) return problems[0];
	const ids = idsOf(request);
	const advice =
		'It was looked for wherever platforms are known to have it. Ask the platform whether your licence includes it.';
	return new ServiceError({
		...details,
		reason:
			ids === '' || details.said === undefined
				? 'this platform does not offer the operation (404)'
				: `this platform does not offer the operation, or has nothing with the ID ${ids} (404)`,
		advice: sentences(details.said === undefined ? undefined : `The service says: ${details.said}`, advice),
	});
}

/** An answer that is no JSON of the service's. */
export function notTheService(body: unknown, status = 200): ServiceError {
	const isPage = typeof body === 'string' && /<\s*(!doctype|html|head|body)\b/i.test(body);
	return new ServiceError({
		reason: isPage ? 'a web page came back instead of data' : 'the answer is not in the form that this service uses',
		advice: isPage
			? "Check the credential's Base URL: it must be the address of the API, not of the website. A firewall or a sign-in page in between can also answer so."
			: "Check the credential's Base URL. If it is right, the platform may have changed its interface: please report this to the makers of these nodes.",
		cause: 'configuration-invalid',
		status,
		mayHaveBeenApplied: true,
		transient: false,
	});
}
