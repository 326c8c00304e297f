import { z } from 'zod';

import type { Connection } from './connection';
import { ServiceError, STOPPED, type ServiceErrorDetails } from './errors';

const text = z.union([z.string(), z.number()]).transform(String).catch('');
const status = z.coerce.number().int().min(100).max(599).optional().catch(undefined);

/**
 * n8n before 2.41 gives its errors no cause: the original error is only left in `messages`, and its status or code in
 * `httpCode`.
 */
const errorShape = z
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

type ErrorInfo = z.infer<typeof errorShape>;

/** A thrown error and its causes, outermost first, at most 6. */
function chainOf(thrown: unknown): ErrorInfo[] {
	const chain: ErrorInfo[] = [];
	for (let next = thrown; next && chain.length < 6;) {
		const parsed = errorShape.safeParse(next);
		if (!parsed.success) break;
		chain.push(parsed.data);
		// `cause` is not enumerable on errors, so it is read from the error itself.
		next = next instanceof Error ? next.cause : undefined;
	}
	return chain;
}

const messagesOf = (chain: ErrorInfo[]) => chain.map(({ words }) => words).join(' ');

const lacksToken = (chain: ErrorInfo[]) => messagesOf(chain).includes('without access token');

/** Whether n8n has stored a token answer without a token in it; n8n does not request another one by itself. */
export const isUnusableToken = (thrown: unknown) => lacksToken(chainOf(thrown));

/** Whether an error only says that a request was cancelled. */
export const isCancelled = (thrown: unknown) => hasCancelled(chainOf(thrown));

const hasCancelled = (chain: ErrorInfo[]) =>
	/canceled|cancelled/i.test(messagesOf(chain)) || chain.some(({ codes }) => codes.includes('ERR_CANCELED'));

/** The error when no answer came within the node's 'Timeout'. */
export const responseTimeout = () =>
	new ServiceError({
		reason: 'the service did not answer in time',
		advice: "Raise 'Timeout' in the node's options, or ask for less at once.",
		cause: 'temporarily-unavailable',
		transient: true,
		mayHaveBeenApplied: true,
	});

/** The error when no token came within that time. The request itself was not sent yet. */
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
const CONNECTION_LOST = new Set([
	'ECONNRESET',
	'ETIMEDOUT',
	'ECONNABORTED',
	'EPIPE',
	'ERR_NETWORK',
	'ERR_BAD_RESPONSE',
	'ERR_STREAM_PREMATURE_CLOSE',
]);
const CONNECTION_LOST_TEXT = /aborted|hang up|premature/i;
const STORAGE_FAILED = new Set(['ENOSPC', 'EDQUOT', 'EACCES', 'EPERM', 'EROFS', 'EMFILE', 'ENOENT']);
const TIMED_OUT = new Set(['ETIMEDOUT', 'ECONNABORTED']);
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/;

/**
 * Explains to a person why a request got no answer.
 * @param thrown what n8n's HTTP helper threw
 * @param isTokenRequest whether it is known to come from the token request
 * @returns `thrown` itself if it is a ServiceError already
 */
export function errorOfFault(thrown: unknown, connection: Connection, isTokenRequest = false): ServiceError {
	if (thrown instanceof ServiceError) return thrown;
	const chain = chainOf(thrown);
	const codes = chain.flatMap((each) => each.codes);
	const code = codes.find((each) => NEVER_SENT.has(each) || CONNECTION_LOST.has(each)) ?? '';
	const words = messagesOf(chain);
	const isAboutToken =
		isTokenRequest ||
		lacksToken(chain) ||
		words.includes('OAuth2 access token') ||
		codes.some((each) => each === 'EAUTH' || each === 'ESTATUS') ||
		chain.some(({ url }) => url.endsWith('/connect/token'));
	const base = { transient: false, mayHaveBeenApplied: false } as const;
	const problem = (reason: string, advice: string, details: Omit<Partial<ServiceErrorDetails>, 'reason'>) =>
		new ServiceError({ ...base, cause: 'temporarily-unavailable', ...details, reason, advice });

	if (hasCancelled(chain)) return new ServiceError(STOPPED);
	if (CERTIFICATE.test(codes.join(' ')))
		return problem(
			"the server's certificate is not trusted",
			"Check the credential's Base URL. If it is right, the certificate may have expired or be issued by a private authority that n8n does not know.",
			{ cause: 'configuration-invalid' },
		);
	// For example an https request to a port for http.
	if (codes.some((each) => each === 'EPROTO' || each.startsWith('ERR_SSL_')))
		return problem(
			`${connection.baseUrl} does not support https`,
			"Check the credential's Base URL: its port may be the one for http.",
			{ cause: 'configuration-invalid' },
		);
	if (NEVER_SENT.has(code))
		return problem(
			`${connection.baseUrl} cannot be reached (${code})`,
			"Check the credential's Base URL for typing mistakes, and that n8n's machine can reach it. If it is right, the service may be down for the moment.",
			{ transient: code !== 'ERR_INVALID_URL' },
		);
	if (isAboutToken) return tokenError(chain, code, problem);
	if (TIMED_OUT.has(code) || /timeout/i.test(words)) return responseTimeout();
	if (CONNECTION_LOST.has(code) || CONNECTION_LOST_TEXT.test(words))
		return problem(
			'the connection was cut before the answer was complete',
			"Try again. If it goes on, look at the network between n8n and the service, or raise 'Timeout' in the node's options: the service may pause in the middle of its answer.",
			{ transient: true, mayHaveBeenApplied: true },
		);
	const isStorage = codes.some((each) => STORAGE_FAILED.has(each)) || /too large|exceeds/i.test(words);
	return problem(
		isStorage ? 'n8n could not store the file' : 'the request could not be made',
		`n8n reports: ${chain.at(-1)?.message ?? String(thrown)}`,
		{ cause: 'refused', mayHaveBeenApplied: true },
	);
}

/** Explains why n8n got no token. The request itself was not sent yet, so nothing can have been carried out. */
function tokenError(
	chain: ErrorInfo[],
	code: string,
	problem: (reason: string, advice: string, details: Partial<ServiceErrorDetails>) => ServiceError,
): ServiceError {
	const status = chain.map((each) => each.status).find((each) => each !== undefined);
	const isLost = CONNECTION_LOST.has(code) || CONNECTION_LOST_TEXT.test(messagesOf(chain));
	if (isLost || (status !== undefined && (status >= 500 || status === 429)))
		return problem(
			`the service could not issue a token${status === undefined ? '' : ` (${status})`}`,
			'Try again later. If it goes on, ask the platform about it.',
			{
				transient: true,
				...(status === undefined ? {} : { status }),
				cause: status === 429 ? 'rate-limited' : 'temporarily-unavailable',
			},
		);
	const isWrongAddress = status !== undefined && (status < 400 || status === 404 || status === 405);
	if (
		isWrongAddress ||
		lacksToken(chain) ||
		/content.type|JSON|HTTP status (404|30\d)|Unsupported protocol/i.test(messagesOf(chain))
	)
		return problem(
			'that address does not issue tokens for this service',
			"Check the credential's Base URL: it must be the address of the API, not of the website.",
			{ cause: 'configuration-invalid' },
		);
	return problem(
		'the service did not accept the Client ID or Client Secret',
		"Open the credential and enter both again, as the platform shows them under REST API. The secret is shown there only once: if you no longer have it, create a new one. If the client is restricted to certain IP addresses, n8n's address must be among them.",
		{ cause: 'credential-invalid' },
	);
}
