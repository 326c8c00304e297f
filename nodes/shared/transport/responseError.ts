import type { Connection } from './connection';
import type { Envelope } from './envelope';
import { ServiceError, type ServiceErrorDetails } from './errors';
import { permissionOf, type ServiceRequest } from './request';

/** The longest wait that a Retry-After header can cause, in ms. */
export const MAX_RETRY_AFTER_MS = 120_000;

/**
 * Parses a Retry-After header, in seconds or as a date.
 * @param now the time by the service's clock, in ms
 * @returns the wait in ms, from 0 to 120,000; undefined without a valid header
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

/** The service's messages as sentences, to be put in front of the advice. */
const serviceMessageOf = (envelope: Envelope | undefined) =>
	envelope && envelope.messages.length > 0
		? envelope.messages.map((message) => sentences(message)).join(' ')
		: undefined;

function adviceForForbidden(request: ServiceRequest, connection: Connection): string {
	const permission = permissionOf(request.contract);
	const { permissions } = connection;
	if (permissions.length > 0 && !permissions.includes(permission))
		return `This credential's token does not list the permission '${permission}'. Use the credential of a client whose role includes it (usually Reseller), or ask the platform's administrator to add it.`;
	if (request.company)
		return "Check that this company is one of your customers and that 'Company Scope' fits the credential: a Reseller acts for the customers it manages, a Company Admin only for its own company ('Credential's Own'). If the client is restricted to certain IP addresses, n8n's address must be among them.";
	return `This operation may need another role: a Reseller manages customers, a Company Admin only its own company. The permission is '${permission}'. If the client is restricted to certain IP addresses, n8n's address must be among them.`;
}

/**
 * What to say about a 404: the ID is wrong, or the service does not have the operation.
 * @param ids the IDs of the request, '' if it has none
 * @param mayLackOperation whether the operation is missing rather than the thing with that ID
 * @returns the reason and the advice
 */
function notFound(ids: string, mayLackOperation: boolean): [reason: string, advice: string] {
	if (ids === '')
		return [
			'the service does not know this address (404)',
			"Check the credential's Base URL, and ask the platform whether it offers this operation",
		];
	return mayLackOperation
		? [
				`this platform does not offer the operation, or has nothing with the ID ${ids} (404)`,
				'Ask the platform whether your license includes the operation. If it does, check the ID, and that it belongs to the company that was chosen',
			]
		: [
				`nothing was found with the ID ${ids} (404)`,
				'It may have been deleted, or belong to another company than the one chosen. If the ID is right, the platform may not offer this operation',
			];
}

/** What to say of a value that was sent as an ID and looks like a name, such as one that was dragged onto a field. */
function adviceForName({ company, path = {} }: ServiceRequest): string | undefined {
	const isLikeName = (id: string) => /\s/.test(id);
	if (company && isLikeName(company.id))
		return `'${company.id}' was entered as the ID of the company, and looks like a name: choose 'By Name' in 'Company' to enter a name`;
	const name = Object.values(path).find(isLikeName);
	return name === undefined
		? undefined
		: `'${name}' was entered as an ID, and looks like a name: choose the entry 'From List', or use a field that has its ID`;
}

const CHECK_FIELDS = 'Check the values of the fields that it names';

/**
 * Explains to a person what an answer means, by its HTTP status and its envelope (contract 2.1, 7).
 * @returns undefined for an answer that means success
 */
export function errorOfResponse(
	request: ServiceRequest,
	connection: Connection,
	answer: { status: number; envelope: Envelope | undefined; headers: Record<string, unknown> },
): ServiceError | undefined {
	const { status, envelope, headers } = answer;
	// A date in Retry-After follows the clock of the service, which may be wrong.
	const servedAt = Date.parse(String(headers.date));
	const wait = retryAfterMs(headers['retry-after'], Number.isNaN(servedAt) ? undefined : servedAt);
	const serviceMessage = serviceMessageOf(envelope);
	const error = (reason: string, advice: string, details: Partial<ServiceErrorDetails> = {}) =>
		new ServiceError({
			reason,
			advice: sentences(serviceMessage === undefined ? undefined : `The service says: ${serviceMessage}`, advice),
			...(serviceMessage === undefined ? {} : { serviceMessage }),
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
			return error('the service did not accept the input', CHECK_FIELDS, { isInputRefused: true });
		if (/^INTERNAL_SERVER_ERROR$/i.test(outcome))
			return error('the service is having trouble', 'Try again later. If it goes on, ask the platform about it', {
				mayHaveBeenApplied: true,
			});
		return error('the service could not carry it out', 'Change what it names and run the node again');
	}
	const ids = idsOf(request);
	const nameAdvice = adviceForName(request);
	switch (status) {
		case 400:
		case 422:
			return error(`the service did not accept the input (${status})`, sentences(nameAdvice, CHECK_FIELDS), {
				isInputRefused: true,
			});
		case 401:
			return error(
				'the service does not accept the token (401)',
				'Open the credential and save it again, so that it is tested. If that does not help, create a new client secret in the platform under REST API and enter it. If it happens only now and then, another system may sign in with the same client, which can make earlier tokens of that client invalid: create a separate client for each system',
				{ cause: 'credential-invalid' },
			);
		case 403:
			return error('access was refused (403)', sentences(nameAdvice, adviceForForbidden(request, connection)), {
				cause: 'configuration-invalid',
			});
		case 404: {
			// A service that has the operation usually says in a message what it did not find.
			const [reason, advice] = notFound(ids, request.isOptional === true || serviceMessage === undefined);
			return error(reason, sentences(nameAdvice, advice), { cause: 'configuration-invalid' });
		}
		case 409:
			return error('something with this name already exists (409)', 'Choose another name, or use the existing one');
		case 413:
			return error('the request is too large for the service (413)', 'Send a smaller file');
		case 429:
			return error(
				'the service received too many requests (429)',
				"Wait a while, or lower 'Concurrency' in the node's options",
				{ cause: 'rate-limited', transient: true },
			);
		default: {
			if (status < 500)
				return error(
					`the service answered with status ${status}`,
					status < 400
						? "Check the credential's Base URL: the address forwards to another one"
						: 'Check the values of the fields',
					status < 400 ? { cause: 'configuration-invalid' } : {},
				);
			// A 503 with Retry-After comes from a gateway that did not forward the request; after any other 5xx it may have
			// been carried out.
			const wasNotProcessed = status === 503 && wait !== undefined;
			return error(
				`the service is having trouble (${status})`,
				'Try again later. If it goes on, ask the platform about it',
				{
					cause: 'temporarily-unavailable',
					transient: [502, 503, 504].includes(status),
					mayHaveBeenApplied: !wasNotProcessed,
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
 * The error of an operation if every known path was tried and answered with 404. If all answers have the same message,
 * the deployment does not offer the operation. If the messages differ, the operation exists at one of the paths and the ID
 * is wrong, so the error of the contract's path is returned.
 * @param problems the error of each path, that of the contract first
 */
export function notOffered(request: ServiceRequest, problems: [ServiceError, ...ServiceError[]]): ServiceError {
	const [{ details }] = problems;
	if (problems.some((problem) => problem.details.serviceMessage !== details.serviceMessage)) return problems[0];
	const ids = idsOf(request);
	const advice =
		'It was tried at every path that platforms are known to use. Ask the platform whether your license includes it.';
	return new ServiceError({
		...details,
		reason:
			ids === '' || details.serviceMessage === undefined
				? 'this platform does not offer the operation (404)'
				: `this platform does not offer the operation, or has nothing with the ID ${ids} (404)`,
		advice: sentences(
			details.serviceMessage === undefined ? undefined : `The service says: ${details.serviceMessage}`,
			advice,
		),
	});
}

/** The error for an answer that is not JSON in the form of this service. */
export function unexpectedResponse(body: unknown, status = 200): ServiceError {
	const isPage = typeof body === 'string' && /<\s*(!doctype|html|head|body)\b/i.test(body);
	return new ServiceError({
		reason: isPage ? 'a web page came back instead of data' : 'the answer is not in the format of this service',
		advice: isPage
			? "Check the credential's Base URL: it must be the address of the API, not of the website. A firewall or a sign-in page in between can also cause this."
			: "Check the credential's Base URL. If it is right, the platform may have changed its interface: please report this to the makers of these nodes.",
		cause: 'configuration-invalid',
		status,
		mayHaveBeenApplied: true,
		transient: false,
	});
}
