import type { IExecuteFunctions, ILoadOptionsFunctions, IPollFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { InvalidInputError } from './errors';
import { tryParseJson } from '../values';

/** The name of the credential type. Every node and every request uses it. */
export const CREDENTIAL_TYPE = 'securityAwarenessOAuth2Api';

/**
 * The values of the credential's field 'AI Agents May'. Each level includes the levels before it.
 * - read: nothing is changed.
 * - change: changes that can be undone and send no email.
 * - email: sending email to people, or starting something that does.
 */
export const AGENT_LEVELS = ['read', 'change', 'email'] as const;
export type AgentLevel = (typeof AGENT_LEVELS)[number];

const textSchema = z.string().catch('');
const credentialSchema = z.object({
	serverUrl: textSchema,
	clientId: textSchema,
	clientSecret: textSchema,
	companyHeaderName: textSchema,
	allowPlainHttp: z.boolean().catch(false),
	readOnly: z.unknown(),
	// If the user never changed the field, n8n returns its default (n8n 16). Any unknown value comes from a mistake, so it
	// allows the least.
	agentsMay: z.enum(AGENT_LEVELS).catch('read'),
	oauthTokenData: z
		.object({ access_token: textSchema, permissions: z.array(z.string()).catch([]) })
		.catch({ access_token: '', permissions: [] }),
});

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/**
 * Matches headers that already have a meaning in HTTP. Under such a name, the company's ID would not arrive, or would replace
 * another header.
 */
const RESERVED_HEADER =
	/^(authorization|cookie|host|connection|content-.+|accept|accept-.+|transfer-encoding|user-agent)$/i;
const DEFAULT_COMPANY_HEADER = 'X-SERVICE-Company-Id';

const createFieldError = (field: string, complaint: string, advice: string) =>
	new InvalidInputError(complaint, [field], `${advice} Open the credential to change this.`);

/**
 * Parses the credential's field 'Base URL'.
 * @param input the entered URL. Surrounding spaces, trailing slashes and a trailing "/api" are removed.
 * @param allowPlainHttp true to allow http for hosts other than this machine
 * @returns scheme and host, without a trailing slash
 * @throws InvalidInputError for a URL without a scheme, or with a path, a query, a user or a password
 */
export function parseBaseUrl(input: string, allowPlainHttp: boolean): string {
	const createUrlError = (complaint: string, advice = 'Enter an address such as https://awareness.example.com.') =>
		createFieldError('Base URL', complaint, advice);
	const trimmedUrl = input.trim().replace(/(\/+api)?\/*$/i, '');
	if (trimmedUrl === '') throw createUrlError('is empty');
	if (!/^https?:\/\//i.test(trimmedUrl)) throw createUrlError('must begin with https://');
	const url = parseUrl(trimmedUrl);
	if (!url) throw createUrlError('is not a web address');
	// The URL differs from its origin if it has more than a scheme and a host.
	if (url.href !== `${url.origin}/`)
		throw createUrlError('must contain only https:// and the host, without a path, a user name or a password');
	if (url.protocol !== 'https:' && !allowPlainHttp && !LOOPBACK_HOST.test(url.hostname))
		throw createUrlError(
			'must begin with https://, because http:// does not encrypt your data',
			"Change it to https://, or turn on 'Allow Plain HTTP' for a test system.",
		);
	return url.origin;
}

/**
 * Parses a URL. Spaces and backslashes are rejected, because `URL` would remove or replace them.
 * @returns undefined if the text isn't a URL
 */
function parseUrl(text: string): URL | undefined {
	try {
		return /[\s\\]/.test(text) ? undefined : new URL(text);
	} catch {
		return undefined;
	}
}

/**
 * Parses the name of the header with the company's ID.
 * @returns the default name for an empty input
 * @throws InvalidInputError for a name that isn't allowed
 */
function parseHeaderName(input: string): string {
	const name = input.trim() === '' ? DEFAULT_COMPANY_HEADER : input.trim();
	if (HEADER_NAME.test(name) && !RESERVED_HEADER.test(name)) return name;
	throw createFieldError(
		'Company Header Name',
		'must be the name of a header that HTTP does not use for another purpose: letters, digits and hyphens, without spaces',
		`The default is ${DEFAULT_COMPANY_HEADER}.`,
	);
}

/** The values of the credential that requests need. */
export interface Credential {
	/** Scheme and host, without a trailing slash: https://example.com. */
	baseUrl: string;
	/** The name of the header with the company to act for. Rebranded platforms rename it (deployment facts, "Naming"). */
	companyHeaderName: string;
	/** The ID of the platform's API client. */
	clientId: string;
	/**
	 * True if only requests that change nothing may be sent. It is false only if the credential's field 'Read Only' is off or was
	 * never changed (n8n 16).
	 */
	isReadOnly: boolean;
	/** The most that an AI agent may do when it uses a node as a tool. */
	agentLevel: AgentLevel;
	/** The access token that n8n has stored. It is empty before n8n has fetched the first one. */
	token: string;
	/** The token's permissions, such as "companies/search|POST" (contract 5.2). Empty if the token lists none. */
	permissions: string[];
}

/**
 * Parses the data of the credential.
 * @param decryptedData the credential's data, as n8n returns it
 * @throws InvalidInputError with the label of the field whose value is invalid
 */
export function parseCredential(decryptedData: unknown): Credential {
	const data = credentialSchema.parse(decryptedData);
	return {
		baseUrl: parseBaseUrl(data.serverUrl, data.allowPlainHttp),
		companyHeaderName: parseHeaderName(data.companyHeaderName),
		clientId: data.clientId,
		isReadOnly: data.readOnly !== false,
		agentLevel: data.agentsMay,
		token: data.oauthTokenData.access_token,
		permissions: data.oauthTokenData.permissions,
	};
}

/** One of n8n's contexts from which requests are sent: a run, a list in the editor, or a poll. */
export type N8nContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/**
 * The time for which the credential is cached after it was read, in ms. Reading it takes 50 ms of CPU in a poll (n8n 15) and
 * 1 ms in a run.
 */
const CREDENTIAL_CACHE_MS = 1000;

/** An n8n context that is prepared for sending requests. See `wrapContext`. */
export interface RequestContext {
	/** All client secrets and tokens that the run has read or sent so far. They must never be shown. */
	secrets: Set<string>;
	/** Returns an n8n context whose requests end as soon as the signal is aborted. */
	withSignal(signal?: AbortSignal): N8nContext;
	/** Makes sure that the credential is read again before the next request. */
	forgetCredential(): void;
}

/**
 * Prepares n8n's context for sending requests. It changes the context in three ways:
 * - An aborted signal ends the request. In a run, n8n itself passes on only its own signal (n8n 3).
 * - All requests within a second use the same cached credential.
 * - A credential without a token gets an empty one, because n8n's `refreshOAuth2Token` needs a stored token (n8n 12).
 */
export function wrapContext(n8nContext: N8nContext): RequestContext {
	const secrets = new Set<string>();
	let cachedCredential: { time: number; data: ReturnType<N8nContext['getCredentials']> } | undefined;
	const readCredential = async (type: string) => {
		const data = { oauthTokenData: {}, ...(await n8nContext.getCredentials(type)) };
		const { clientSecret, oauthTokenData } = credentialSchema.parse(data);
		secrets.add(clientSecret).add(oauthTokenData.access_token);
		return data;
	};
	const getCredentials = async (type: string) => {
		if (!cachedCredential || performance.now() - cachedCredential.time >= CREDENTIAL_CACHE_MS)
			cachedCredential = { time: performance.now(), data: readCredential(type) };
		// n8n writes new tokens into the object, so each caller gets a copy.
		return { ...(await cachedCredential.data) };
	};
	return {
		secrets,
		withSignal(signal) {
			return new Proxy(n8nContext, {
				get(target, property): unknown {
					if (property === 'getCredentials') return getCredentials;
					if (property === 'getExecutionCancelSignal' && signal) return () => signal;
					return Reflect.get(target, property);
				},
			});
		},
		forgetCredential() {
			cachedCredential = undefined;
		},
	};
}

/** The claims of a token about its client. A claim that the token lacks is null. */
export interface TokenClaims {
	permissions: string[];
	role: string | null;
	companyResourceId: string | null;
	companyName: string | null;
}

const claimSchema = z.string().nullable().catch(null);
const tokenPayloadSchema = z
	.object({ role: claimSchema, user_company_resourceid: claimSchema, user_company_name: claimSchema })
	.catch({ role: null, user_company_resourceid: null, user_company_name: null });

/**
 * Reads the claims of the stored token (deployment facts, "Responses"). Without a token, or with one that can't be decoded,
 * all claims are null.
 */
export function readTokenClaims(credential: Credential): TokenClaims {
	const encodedPayload = credential.token.split('.')[1] ?? '';
	const payload = tryParseJson(Buffer.from(encodedPayload, 'base64url').toString('utf8'));
	const claims = tokenPayloadSchema.parse('value' in payload ? payload.value : undefined);
	return {
		permissions: credential.permissions,
		role: claims.role,
		companyResourceId: claims.user_company_resourceid,
		companyName: claims.user_company_name,
	};
}
