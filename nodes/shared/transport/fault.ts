import { z } from 'zod';

import type { Connection } from './connection';
import { ServiceError, STOPPED, type ServiceErrorDetails } from './errors';

const text = z.union([z.string(), z.number()]).transform(String).catch('');
const status = z.coerce.number().int().min(100).max(599).optional().catch(undefined);

/** n8n before 2.41 gives its errors no cause: what was thrown is left in `messages` and `httpCode`, a status or a code. */
const link = z
	.object({
		message: text,
		messages: z.array(text).catch([]),
		code: text,
		httpCode: text,
		status,
		config: z.object({ url: text }).optional().catch(undefined),
		response: z.object({ status }).optional().catch(undefined),
	})
	.transform(({ message, messages, code, httpCode, config, response, ...own }) => ({
		message,
		words: [message, ...messages].join(' '),
		codes: [code, httpCode],
		status: response?.status ?? own.status ?? status.parse(httpCode),
		url: config?.url ?? '',
	}));

type Link = z.infer<typeof link>;

/** What was thrown, and what caused it, outermost first. */
function chainOf(thrown: unknown): Link[] {
	const chain: Link[] = [];
	for (let next = thrown; next && chain.length < 6;) {
		const parsed = link.safeParse(next);
		if (!parsed.success) break;
		chain.push(parsed.data);
		// `cause` is not enumerable on errors, so it is read from the thing itself.
		next = next instanceof Error ? next.cause : undefined;
	}
	return chain;
}

const wordsOf = (chain: Link[]) => chain.map(({ words }) => words).join(' ');

const lacksToken = (chain: Link[]) => wordsOf(chain).includes('without access token');

/** Whether n8n has stored an answer as the token that holds none; it asks for no other by itself. */
export const isUnusableToken = (thrown: unknown) => lacksToken(chainOf(thrown));

/** Whether what was thrown only says that a request was given up. */
export const isCancelled = (thrown: unknown) => saysCancelled(chainOf(thrown));

const saysCancelled = (chain: Link[]) =>
	/canceled|cancelled/i.test(wordsOf(chain)) || chain.some(({ codes }) => codes.includes('ERR_CANCELED'));

/** No answer within the time that a person has set. */
export const responseTimeout = () =>
	new ServiceError({
		reason: 'the service did not answer in time',
		advice: "Raise 'Timeout' in the node's options, or ask for less at once.",
		cause: 'temporarily-unavailable',
		transient: true,
		mayHaveBeenApplied: true,
	});

/** No token within that time. Nothing was asked of the service yet. */
export const tokenTimeout = () =>
	new ServiceError({
		reason: 'the service could not issue a token in time',
		advice: "Try again later, or raise 'Timeout' in the node's options. If it goes on, ask the platform about it.",
		cause: 'temporarily-unavailable',
		transient: true,
		mayHaveBeenApplied: false,
	});

const NEVER_SENT = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'EADDRNOTAVAIL',
	'ERR_INVALID_URL',
]);
const CUT_OFF = new Set([
	'ECONNRESET',
	'ETIMEDOUT',
	'ECONNABORTED',
	'EPIPE',
	'ERR_NETWORK',
	'ERR_BAD_RESPONSE',
	'ERR_STREAM_PREMATURE_CLOSE',
]);
const CUT_WORDS = /aborted|hang up|premature/i;
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EACCES', 'EPERM', 'EROFS', 'EMFILE', 'ENOENT']);
const TOO_LATE = new Set(['ETIMEDOUT', 'ECONNABORTED']);
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/;

/**
 * What kept a request from being answered, for a person.
 * @param thrown what n8n's helper threw
 * @param asksForToken whether it is known to be from the token request
 */
export function errorOfFault(thrown: unknown, connection: Connection, asksForToken = false): ServiceError {
	if (thrown instanceof ServiceError) return thrown;
	const chain = chainOf(thrown);
	const codes = chain.flatMap((each) => each.codes);
	const code = codes.find((each) => NEVER_SENT.has(each) || CUT_OFF.has(each)) ?? '';
	const words = wordsOf(chain);
	const forToken =
		asksForToken ||
		lacksToken(chain) ||
		words.includes('OAuth2 access token') ||
		codes.some((each) => each === 'EAUTH' || each === 'ESTATUS') ||
		chain.some(({ url }) => url.endsWith('/connect/token'));
	const base = { transient: false, mayHaveBeenApplied: false } as const;
	const problem = (reason: string, advice: string, details: Omit<Partial<ServiceErrorDetails>, 'reason'>) =>
		new ServiceError({ ...base, cause: 'temporarily-unavailable', ...details, reason, advice });

	if (saysCancelled(chain)) return new ServiceError(STOPPED);
	if (CERTIFICATE.test(codes.join(' ')))
		return problem(
			"the server's certificate is not trusted",
			"Check the credential's Base URL. If it is right, the certificate may have expired or be issued by a private authority that n8n does not know.",
			{ cause: 'configuration-invalid' },
		);
	// Such as an http port that is asked for https.
	if (codes.some((each) => each === 'EPROTO' || each.startsWith('ERR_SSL_')))
		return problem(
			`${connection.baseUrl} does not speak https`,
			"Check the credential's Base URL: its port may be the one for http.",
			{ cause: 'configuration-invalid' },
		);
	if (NEVER_SENT.has(code))
		return problem(
			`${connection.baseUrl} cannot be reached (${code})`,
			"Check the credential's Base URL for typing mistakes, and that n8n's machine can reach it. If it is right, the service may be down for the moment.",
			{ transient: code !== 'ERR_INVALID_URL' },
		);
	if (forToken) return tokenProblem(chain, code, problem);
	if (TOO_LATE.has(code) || /timeout/i.test(words)) return responseTimeout();
	if (CUT_OFF.has(code) || CUT_WORDS.test(words))
		return problem(
			'the connection was cut before the answer was complete',
			"Try again. If it goes on, look at the network between n8n and the service, or raise 'Timeout' in the node's options: the service may pause in the middle of its answer.",
			{ transient: true, mayHaveBeenApplied: true },
		);
	const isStore = codes.some((each) => NO_ROOM.has(each)) || /too large|exceeds/i.test(words);
	return problem(
		isStore ? 'n8n could not store the file' : 'the request could not be made',
		`n8n reports: ${chain.at(-1)?.message ?? String(thrown)}`,
		{ cause: 'refused', mayHaveBeenApplied: true },
	);
}

/** What kept n8n from getting a token. Nothing was asked of the service yet, so nothing can have landed. */
function tokenProblem(
	chain: Link[],
	code: string,
	problem: (reason: string, advice: string, details: Partial<ServiceErrorDetails>) => ServiceError,
): ServiceError {
	const status = chain.map((each) => each.status).find((each) => each !== undefined);
	const isCut = CUT_OFF.has(code) || CUT_WORDS.test(wordsOf(chain));
	if (isCut || (status !== undefined && (status >= 500 || status === 429)))
		return problem(
			`the service could not issue a token${status === undefined ? '' : ` (${status})`}`,
			'Try again later. If it goes on, ask the platform about it.',
			{
				transient: true,
				...(status === undefined ? {} : { status }),
				cause: status === 429 ? 'rate-limited' : 'temporarily-unavailable',
			},
		);
	const isElsewhere = status !== undefined && (status < 400 || status === 404 || status === 405);
	if (
		isElsewhere ||
		lacksToken(chain) ||
		/content.type|JSON|HTTP status (404|30\d)|Unsupported protocol/i.test(wordsOf(chain))
	)
		return problem(
			'there is no sign-in for this service at that address',
			"Check the credential's Base URL: it must be the address of the API, not of the website.",
			{ cause: 'configuration-invalid' },
		);
	return problem(
		'the service did not accept the Client ID or Client Secret',
		"Open the credential and enter both again, as the platform shows them under REST API. The secret is shown there only once: if you no longer have it, create a new one. If the client is restricted to certain IP addresses, n8n's address must be among them.",
		{ cause: 'credential-invalid' },
	);
}
