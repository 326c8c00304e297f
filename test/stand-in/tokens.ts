import { createHmac } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import { makeNumericId } from './random';
import { getCompanyRoleId, getSharedRoleId, type ApiClientRecord } from './companyData';
import type { World } from './world';

/** Settings that limit how long access tokens are valid. */
export interface TokenOptions {
	tokenLifetimeSeconds: number;
	/** True if a new token revokes all earlier tokens of the same API client. */
	shouldRevokeEarlierTokens: boolean;
	/** The number of requests that a token can be used for. */
	requestsPerToken: number;
}

/** An issued access token. */
export interface Token {
	/** The number of the token in order of issue, starting with 1. */
	ordinal: number;
	clientId: string;
	/** The time at which the token expires, in milliseconds. */
	expiresAt: number;
	/** The number of further requests that the token can be used for. */
	remainingRequests: number;
	isRevoked: boolean;
}

function encodeBase64Url(value: unknown): string {
	return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function buildJwt(claims: Record<string, unknown>): string {
	const content = `${encodeBase64Url({ alg: 'HS256', typ: 'at+jwt' })}.${encodeBase64Url(claims)}`;
	return `${content}.${createHmac('sha256', 'stand-in').update(content).digest('base64url')}`;
}

/** Returns true if a client has the role Reseller. */
export function hasResellerRole(client: ApiClientRecord): boolean {
	return [getSharedRoleId('Reseller'), getCompanyRoleId(client.companyResourceId, 'Reseller')].some((id) =>
		client.roleResourceIdList.includes(id),
	);
}

/** Returns true if a text is an IP address or a CIDR range. */
export function isIpAddressOrRange(entry: string): boolean {
	const [address, prefix, ...rest] = entry.split('/');
	const family = isIP(address ?? '');
	if (family === 0 || rest.length > 0) return false;
	return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

/** Returns true if a client's settings allow requests from an IP address. */
export function isIpAddressAllowed(client: ApiClientRecord, remoteAddress: string): boolean {
	if (!client.hasIpAddressRestriction) return true;
	const ipAddress = remoteAddress.replace(/^::ffff:(?=\d+\.)/, '');
	const allowedIps = new BlockList();
	for (const entry of client.allowedIpAddresses.filter(isIpAddressOrRange)) {
		const [firstIpAddress = '', prefix] = entry.split('/');
		const family = isIP(firstIpAddress) === 6 ? 'ipv6' : 'ipv4';
		if (prefix === undefined) allowedIps.addAddress(firstIpAddress, family);
		else allowedIps.addSubnet(firstIpAddress, Number(prefix), family);
	}
	return isIP(ipAddress) !== 0 && allowedIps.check(ipAddress, isIP(ipAddress) === 6 ? 'ipv6' : 'ipv4');
}

/** All issued tokens, by their text. */
export class IssuedTokens {
	readonly #tokens = new Map<string, Token>();

	/** Issues a token for a client. */
	issueToken(client: ApiClientRecord, world: World, options: TokenOptions): { text: string; token: Token } {
		if (options.shouldRevokeEarlierTokens) {
			for (const earlierToken of this.#tokens.values())
				if (earlierToken.clientId === client.clientId) earlierToken.isRevoked = true;
		}
		const now = Date.now();
		const ordinal = this.#tokens.size + 1;
		const company = world.findCompany(client.companyResourceId) ?? world.resellerCompany;
		const isReseller = hasResellerRole(client);
		const claims: Record<string, unknown> = {
			iss: 'stand-in',
			client_id: client.clientId,
			jti: String(ordinal),
			iat: Math.floor(now / 1000),
			exp: Math.floor(now / 1000) + options.tokenLifetimeSeconds,
			scope: ['api1'],
			role: isReseller ? 'Reseller' : 'Company Admin',
			reseller_access: String(isReseller),
			company_admin_access: String(!isReseller),
			user_company_resourceid: company.companyResourceId,
			user_company_name: company.companyName,
		};
		if (world.profileName === 'deployed') {
			claims.user_company_id = makeNumericId(company.companyResourceId);
			claims.user_company_parentcompany_resourceid = world.resellerCompany.companyResourceId;
		}
		const text = buildJwt(claims);
		const token = {
			ordinal,
			clientId: client.clientId,
			expiresAt: now + options.tokenLifetimeSeconds * 1000,
			remainingRequests: options.requestsPerToken,
			isRevoked: false,
		};
		this.#tokens.set(text, token);
		return { text, token };
	}

	/** Finds a token by its text, whether or not it is still valid. */
	findByText(text: string | undefined): Token | undefined {
		return text === undefined ? undefined : this.#tokens.get(text);
	}

	/** Revokes every token issued so far. */
	expireAll(): void {
		for (const token of this.#tokens.values()) token.isRevoked = true;
	}
}

/** Returns true if a token is valid, and counts one use of it. */
export function takeTokenUse(token: Token): boolean {
	return !token.isRevoked && Date.now() < token.expiresAt && token.remainingRequests-- > 0;
}
