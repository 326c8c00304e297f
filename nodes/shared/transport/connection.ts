import { z } from 'zod';

import { InvalidInput } from './errors';
import { limitsOf, type Limits } from './guard/limits';
import { jsonOrUndefined } from './json';

/** The credential type's name, which every node and every request uses. */
export const CREDENTIAL = 'securityAwarenessOAuth2Api';

/** The parts of the credential that a request needs. */
export interface Connection {
	/** Scheme and host, with no trailing slash: https://example.com. */
	baseUrl: string;
	/** The header that names the company to act for; white labels rename it. */
	companyHeader: string;
	/** A second header with the same value, for requests about enrollments (deployment behaviour). */
	enrollmentHeader: string;
	/** Entries such as "companies/search|POST" (contract 5.2); empty when the token lists none. */
	permissions: string[];
	/** The ID of the platform's API client. */
	clientId: string;
	/** Whether http is allowed for hosts other than this machine. */
	allowPlainHttp: boolean;
	/** The access token that n8n has stored; empty before the first one. */
	token: string;
	/** Whether n8n considers a token to be stored; if not, it requests one before it sends a request. */
	hasToken: boolean;
	/** What the credential allows. */
	limits: Limits;
	/** Values that must never be shown. */
	secrets: string[];
}

const credentialShape = z.object({
	serverUrl: z.unknown(),
	clientId: z.string().catch(''),
	clientSecret: z.unknown(),
	companyHeaderName: z.unknown(),
	enrollmentHeaderName: z.unknown(),
	allowPlainHttp: z.unknown(),
	oauthTokenData: z.unknown(),
	whatItMayDo: z.unknown(),
	onlyTheseCompanies: z.unknown(),
	companyIds: z.unknown(),
	agents: z.unknown(),
});

const tokenShape = z
	.object({ access_token: z.string().catch(''), permissions: z.array(z.string()).catch([]) })
	.partial()
	.catch({});
const storedTokenShape = z.object({ access_token: z.unknown() }).passthrough();

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** Whether data may be sent to this address: by https, or by http to this machine or where the credential allows it. */
export const isAllowed = ({ protocol, hostname }: URL, allowPlainHttp: boolean) =>
	protocol === 'https:' || (protocol === 'http:' && (allowPlainHttp || LOOPBACK.test(hostname)));

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Names that mean something else to HTTP or JavaScript: the company would get lost, or would replace another header. */
const RESERVED_HEADER =
	/^(authorization|proxy-.+|cookie|host|connection|content-.+|accept(-.+)?|transfer-encoding|te|trailer|upgrade|expect|keep-alive|range|if-.+|user-agent|__proto__)$/i;
const DEFAULT_COMPANY_HEADER = 'X-SERVICE-Company-Id';
const DEFAULT_ENROLLMENT_HEADER = 'x-ir-company-id';

const openCredential = (advice: string) => `${advice} Open the credential to change it.`;

/**
 * Parses an address.
 * @returns undefined for text that is none. URL.canParse cannot be used: in Node 20 its optimised form refuses letters
 * such as ü.
 */
export function parseUrl(text: string, base?: URL): URL | undefined {
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}

/**
 * The address to send requests to.
 * @param typed what a person entered; surrounding spaces, a trailing slash and a pasted "/api" are removed
 * @param allowPlainHttp whether http is allowed for hosts other than this machine
 * @returns scheme and host, without a trailing slash
 * @throws InvalidInput for an address without scheme, with a path, a query, a user or a password
 */
export function baseUrlOf(typed: unknown, allowPlainHttp: boolean): string {
	const invalid = (complaint: string, advice: string) =>
		new InvalidInput(complaint, ['Base URL'], openCredential(advice));
	const text = typeof typed === 'string' ? typed.trim() : '';
	const example = 'For example https://awareness.example.com.';
	if (text === '') throw invalid('is empty', example);
	if (!/^https?:\/\//i.test(text)) throw invalid('must begin with https://', example);
	// The URL parser would silently remove a line break, and read a backslash as a slash.
	const url = /[\s\\]/.test(text) ? undefined : parseUrl(text);
	if (url === undefined) throw invalid('is not a web address', example);
	if (url.username !== '' || url.password !== '')
		throw invalid(
			'must not hold a user name or password',
			'Leave out what stands before the @; the Client ID and Client Secret have fields of their own.',
		);
	const path = url.pathname
		.replace(/\/+$/, '')
		.replace(/\/api$/i, '')
		.replace(/\/+$/, '');
	if (path !== '' || url.search !== '' || url.hash !== '')
		throw invalid('must not have a path', `Enter only the scheme and the host. ${example}`);
	if (!isAllowed(url, allowPlainHttp))
		throw invalid(
			'must begin with https://, because over http:// others can read your data on the way',
			"Change it to https://, or switch on 'Allow Plain HTTP' for a test system.",
		);
	return url.origin;
}

/** @param typed what a person entered; empty means `defaultName` @throws InvalidInput naming the field */
function headerNameOf(typed: unknown, label: string, defaultName: string): string {
	const text = typeof typed === 'string' ? typed.trim() : '';
	const name = text === '' ? defaultName : text;
	if (!HEADER_NAME.test(name))
		throw new InvalidInput(
			'must be a header name: letters, digits and hyphens only, with no blanks or line breaks',
			[label],
			openCredential(`The default is ${defaultName}.`),
		);
	if (RESERVED_HEADER.test(name))
		throw new InvalidInput(
			`must not be '${name}', which has another meaning`,
			[label],
			openCredential(`The default is ${defaultName}.`),
		);
	return name;
}

/**
 * Reads what a person entered in the credential.
 * @param stored the decrypted credential, as n8n gives it
 * @throws InvalidInput naming the credential's field
 */
export function connectionOf(stored: unknown): Connection {
	const parsed = credentialShape.safeParse(stored);
	if (!parsed.success)
		throw new InvalidInput('could not be read', ['Credential'], 'Open the credential and save it again.');
	const { serverUrl, clientId, clientSecret, companyHeaderName, enrollmentHeaderName, allowPlainHttp, oauthTokenData } =
		parsed.data;
	const companyHeader = headerNameOf(companyHeaderName, 'Company Header Name', DEFAULT_COMPANY_HEADER);
	const { access_token: token = '', permissions = [] } = tokenShape.parse(oauthTokenData);
	const storedToken = storedTokenShape.safeParse(oauthTokenData);
	return {
		baseUrl: baseUrlOf(serverUrl, allowPlainHttp === true),
		companyHeader,
		enrollmentHeader: headerNameOf(enrollmentHeaderName, 'Enrollment Header Name', DEFAULT_ENROLLMENT_HEADER),
		clientId,
		allowPlainHttp: allowPlainHttp === true,
		permissions,
		token,
		hasToken: storedToken.success && Object.keys(storedToken.data).length > 0 && storedToken.data.access_token !== '',
		limits: limitsOf(parsed.data),
		secrets: [clientSecret, token].filter((value): value is string => typeof value === 'string'),
	};
}

/** What a token says about its client; null where it says nothing. */
export interface Access {
	permissions: string[];
	role: string | null;
	companyResourceId: string | null;
	companyName: string | null;
}

const text = z.string().nullable().catch(null);
const claimsShape = z.object({
	role: z.union([text, z.array(z.string()).transform((roles) => roles.join(', '))]).catch(null),
	user_company_resourceid: text,
	user_company_name: text,
});

/** Reads the claims of the stored token, which may be absent (deployment facts). */
export function accessOf({ permissions, token }: Connection): Access {
	const parsed = claimsShape.safeParse(tokenPayload(token));
	const { role, user_company_resourceid, user_company_name } = parsed.success
		? parsed.data
		: { role: null, user_company_resourceid: null, user_company_name: null };
	return {
		permissions,
		role,
		companyResourceId: user_company_resourceid,
		companyName: user_company_name,
	};
}

const tokenPayload = (token: string): unknown =>
	jsonOrUndefined(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
