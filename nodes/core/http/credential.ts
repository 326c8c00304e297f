import type { IExecuteFunctions, ILoadOptionsFunctions, IPollFunctions } from 'n8n-workflow';
import { z } from 'zod';

import { InvalidInput } from './errors';
import { tryJson } from '../values';

/** The credential type's name, which every node and every request uses. */
export const CREDENTIAL = 'securityAwarenessOAuth2Api';

/**
 * The values of the credential's field 'AI Agents May'. Each level includes the levels before it.
 * read: no changes. change: changes that can be undone, without any email. email: emailing people, or starting something that does.
 */
export const AGENT_LEVELS = ['read', 'change', 'email'] as const;
export type AgentLevel = (typeof AGENT_LEVELS)[number];

const text = z.string().catch('');
const credentialShape = z.object({
	serverUrl: text,
	clientId: text,
	clientSecret: text,
	companyHeaderName: text,
	allowPlainHttp: z.boolean().catch(false),
	readOnly: z.unknown(),
	// n8n gives the default if the field was never changed. An unknown value is an error, so it allows the least (n8n-facts 16).
	agentsMay: z.enum(AGENT_LEVELS).catch('read'),
	oauthTokenData: z
		.object({ access_token: text, permissions: z.array(z.string()).catch([]) })
		.catch({ access_token: '', permissions: [] }),
});

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Names that mean something else to HTTP: the company would get lost, or would replace another header. */
const RESERVED_HEADER =
	/^(authorization|cookie|host|connection|content-.+|accept|accept-.+|transfer-encoding|user-agent)$/i;
const DEFAULT_COMPANY_HEADER = 'X-SERVICE-Company-Id';

const invalid = (field: string, complaint: string, advice: string) =>
	new InvalidInput(complaint, [field], `${advice} Open the credential to change it.`);

/**
 * The address to send requests to.
 * @param typed what a person entered; surrounding spaces, trailing slashes and a pasted "/api" are removed
 * @param allowPlainHttp whether http is allowed for hosts other than this machine
 * @returns scheme and host, without a trailing slash
 * @throws InvalidInput for an address without scheme, with a path, a query, a user or a password
 */
export function baseUrlOf(typed: string, allowPlainHttp: boolean): string {
	const refuse = (complaint: string, advice = 'For example https://awareness.example.com.') =>
		invalid('Base URL', complaint, advice);
	const trimmed = typed.trim().replace(/(\/+api)?\/*$/i, '');
	if (trimmed === '') throw refuse('is empty');
	if (!/^https?:\/\//i.test(trimmed)) throw refuse('must begin with https://');
	const url = urlOf(trimmed);
	if (!url) throw refuse('is not a web address');
	// An address whose whole is not its origin has more than a scheme and a host.
	if (url.href !== `${url.origin}/`)
		throw refuse('must have only https:// and the host, without a path, a user name or a password');
	if (url.protocol !== 'https:' && !allowPlainHttp && !LOOPBACK.test(url.hostname))
		throw refuse(
			'must begin with https://, because over http:// others can read your data on the way',
			"Change it to https://, or switch on 'Allow Plain HTTP' for a test system.",
		);
	return url.origin;
}

/** @returns undefined for text that is no address; the parser would remove a line break, and read a backslash as a slash */
function urlOf(typed: string): URL | undefined {
	try {
		return /[\s\\]/.test(typed) ? undefined : new URL(typed);
	} catch {
		return undefined;
	}
}

function headerNameOf(typed: string): string {
	const name = typed.trim() === '' ? DEFAULT_COMPANY_HEADER : typed.trim();
	if (HEADER_NAME.test(name) && !RESERVED_HEADER.test(name)) return name;
	throw invalid(
		'Company Header Name',
		'must be the name of a header that has no other meaning: letters, digits and hyphens, without blanks',
		`The default is ${DEFAULT_COMPANY_HEADER}.`,
	);
}

/** The parts of the credential that a request needs. */
export type Connection = ReturnType<typeof connectionOf>;

/**
 * Reads what a person entered in the credential.
 * @param stored the decrypted credential, as n8n gives it
 * @throws InvalidInput naming the credential's field
 */
export function connectionOf(stored: unknown) {
	const { serverUrl, allowPlainHttp, companyHeaderName, clientId, readOnly, agentsMay, oauthTokenData } =
		credentialShape.parse(stored);
	const { access_token: token, permissions } = oauthTokenData;
	return {
		/** Scheme and host, with no trailing slash: https://example.com. */
		baseUrl: baseUrlOf(serverUrl, allowPlainHttp),
		/** The header that names the company to act for; white labels rename it (deployment facts). */
		companyHeader: headerNameOf(companyHeaderName),
		/** The ID of the platform's API client. */
		clientId,
		/** Whether only requests that change nothing are sent: unless it is plainly off, as n8n has it in a field never touched (n8n-facts 16). */
		isReadOnly: readOnly !== false,
		/** How much an AI agent may do if a node is its tool. */
		agentsMay,
		/** The access token that n8n has stored; empty before the first one. */
		token,
		/** Entries such as "companies/search|POST" (contract 5.2); empty when the token lists none. */
		permissions,
	};
}

/** The contexts of n8n that requests can be made from: a run, a list in the editor, a poll. */
export type ServiceContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** For how long requests are sent with one reading of the credential: each one costs 50 ms of CPU in a poll (n8n-facts 15), 1 ms in a run. */
const MOST_AGE_MS = 1000;

/**
 * n8n's context as requests are made with it. It differs in three things: an aborted signal ends the request, also in a run, where
 * n8n passes on its own signal only (n8n-facts 3); one reading of the credential serves the requests of a second; and a credential
 * that has no token has an empty one, without which n8n cannot be asked for a token alone (n8n-facts 12).
 */
export function contextsFor(n8n: ServiceContext) {
	const secrets = new Set<string>();
	let latest: { at: number; stored: ReturnType<ServiceContext['getCredentials']> } | undefined;
	const read = async (type: string) => {
		const stored = { oauthTokenData: {}, ...(await n8n.getCredentials(type)) };
		const { clientSecret, oauthTokenData } = credentialShape.parse(stored);
		secrets.add(clientSecret).add(oauthTokenData.access_token);
		return stored;
	};
	const getCredentials = async (type: string) => {
		if (!latest || performance.now() - latest.at >= MOST_AGE_MS) latest = { at: performance.now(), stored: read(type) };
		// A copy, because n8n writes new tokens into it.
		return { ...(await latest.stored) };
	};
	return {
		/** The secrets and tokens that every reading has shown: they must never be. */
		secrets,
		/** The context whose requests end when the signal is aborted. */
		cancelledBy: (signal?: AbortSignal): ServiceContext =>
			new Proxy(n8n, {
				get: (target, name): unknown => {
					if (name === 'getCredentials') return getCredentials;
					return name === 'getExecutionCancelSignal' && signal ? () => signal : Reflect.get(target, name);
				},
			}),
		/** After this the credential is read anew. */
		forget: () => (latest = undefined),
	};
}

/** What a token says about its client; null where it says nothing. */
export interface Access {
	permissions: string[];
	role: string | null;
	companyResourceId: string | null;
	companyName: string | null;
}

const claim = z.string().nullable().catch(null);
const claimsShape = z
	.object({ role: claim, user_company_resourceid: claim, user_company_name: claim })
	.catch({ role: null, user_company_resourceid: null, user_company_name: null });

/** Reads the claims of the stored token, which may be absent (deployment facts). */
export function accessOf({ permissions, token }: Connection): Access {
	const payload = tryJson(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
	const claims = claimsShape.parse('value' in payload ? payload.value : undefined);
	return {
		permissions,
		role: claims.role,
		companyResourceId: claims.user_company_resourceid,
		companyName: claims.user_company_name,
	};
}
