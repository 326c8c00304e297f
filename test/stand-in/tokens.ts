import { createHmac } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import { numericId } from './random';
import { companyRoleId, roleId, type ApiClientRecord } from './holdings';
import type { World } from './world';

/** How long tokens last. */
export interface Lifetime {
	tokenLifetimeSeconds: number;
	newTokenVoidsFormer: boolean;
	/** How many requests a token is good for. */
	requestsPerToken: number;
}

/** A token that was given out. */
export interface Token {
	ordinal: number;
	clientId: string;
	expiresAt: number;
	/** How many more requests it is good for. */
	left: number;
	void: boolean;
}

function base64url(value: unknown): string {
	return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function jwt(claims: Record<string, unknown>): string {
	const signed = `${base64url({ alg: 'HS256', typ: 'at+jwt' })}.${base64url(claims)}`;
	return `${signed}.${createHmac('sha256', 'stand-in').update(signed).digest('base64url')}`;
}

/** Whether a client works as a Reseller. */
export function isReseller(client: ApiClientRecord): boolean {
	return [roleId('Reseller'), companyRoleId(client.companyResourceId, 'Reseller')].some((id) =>
		client.roleResourceIdList.includes(id),
	);
}

/** Whether a text is an IP address or a CIDR range. */
export function isAddress(entry: string): boolean {
	const [address, prefix, ...rest] = entry.split('/');
	const family = isIP(address ?? '');
	if (family === 0 || rest.length > 0) return false;
	return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

/** Whether a client may call from this address. */
export function addressAllowed(client: ApiClientRecord, remote: string): boolean {
	if (!client.hasIpAddressRestriction) return true;
	const address = remote.replace(/^::ffff:(?=\d+\.)/, '');
	const list = new BlockList();
	for (const entry of client.allowedIpAddresses.filter(isAddress)) {
		const [from = '', prefix] = entry.split('/');
		const family = isIP(from) === 6 ? 'ipv6' : 'ipv4';
		if (prefix === undefined) list.addAddress(from, family);
		else list.addSubnet(from, Number(prefix), family);
	}
	return isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** All tokens that were given out, by their text. */
export class Tokens {
	readonly #tokens = new Map<string, Token>();

	/** Makes a token for a client. */
	issue(client: ApiClientRecord, world: World, options: Lifetime): { text: string; token: Token } {
		if (options.newTokenVoidsFormer) {
			for (const former of this.#tokens.values()) if (former.clientId === client.clientId) former.void = true;
		}
		const now = Date.now();
		const ordinal = this.#tokens.size + 1;
		const company = world.company(client.companyResourceId) ?? world.reseller;
		const reseller = isReseller(client);
		const text = jwt({
			iss: 'stand-in',
			client_id: client.clientId,
			jti: String(ordinal),
			iat: Math.floor(now / 1000),
			exp: Math.floor(now / 1000) + options.tokenLifetimeSeconds,
			scope: ['api1'],
			role: reseller ? 'Reseller' : 'Company Admin',
			reseller_access: String(reseller),
			company_admin_access: String(!reseller),
			user_company_resourceid: company.companyResourceId,
			user_company_name: company.companyName,
			...(world.personality === 'deployed'
				? {
						user_company_id: numericId(company.companyResourceId),
						user_company_parentcompany_resourceid: world.reseller.companyResourceId,
					}
				: {}),
		});
		const token = {
			ordinal,
			clientId: client.clientId,
			expiresAt: now + options.tokenLifetimeSeconds * 1000,
			left: options.requestsPerToken,
			void: false,
		};
		this.#tokens.set(text, token);
		return { text, token };
	}

	/** A token by its text, whether or not it is still good. */
	find(text: string | undefined): Token | undefined {
		return text === undefined ? undefined : this.#tokens.get(text);
	}

	/** Makes every token that was issued so far invalid. */
	expireAll(): void {
		for (const token of this.#tokens.values()) token.void = true;
	}
}

/** Whether a token is still valid; with this it is used once. */
export function isGood(token: Token): boolean {
	return !token.void && Date.now() < token.expiresAt && token.left-- > 0;
}
