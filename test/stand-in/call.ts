/** Identifies the sender and the company of a request, and builds the `RouteCall` for the route's handler. */
import type { FastifyRequest } from 'fastify';
import lowerFirst from 'lodash/lowerFirst';
import { HttpError, createUnauthorizedError } from './envelope';
import { isJsonObject, type RequestBody, type RouteCall, type Caller, type Route, type StandInServer } from './http';
import type { PlatformProfile } from './profile';
import { toPermission } from './permissions';
import { isIpAddressAllowed, takeTokenUse, hasResellerRole, type Token } from './tokens';
import type { ApiClientRecord } from './companyData';
import type { Company } from './seed';

/** Converts the values of a record to texts. A list becomes the text of its first entry. */
export function toTexts(value: unknown): Record<string, string> {
	if (!isJsonObject(value)) return {};
	return Object.fromEntries(
		Object.entries(value).map(([name, entry]) => [name, Array.isArray(entry) ? String(entry[0]) : String(entry)]),
	);
}

/** Reads the company ID of a request from the company header or, if the header is missing or empty, from the query. */
export function readCompanyId(
	request: FastifyRequest,
	query: Record<string, string>,
	profile: PlatformProfile,
): string | undefined {
	const header = request.headers[profile.companyHeader];
	if (typeof header === 'string' && header !== '') return header;
	const name = Object.keys(query).find((key) => key.toLowerCase() === 'companyid');
	const value = name === undefined ? undefined : query[name];
	return value === '' ? undefined : value;
}

function readSecondCompanyHeader(
	request: FastifyRequest,
	{ secondCompanyHeader }: PlatformProfile,
): string | undefined {
	const value = secondCompanyHeader === undefined ? undefined : request.headers[secondCompanyHeader];
	return typeof value === 'string' && value !== '' ? value : undefined;
}

/**
 * Finds the API client that a token was issued for.
 * @param hasAuthorization true if the request has an Authorization header, even an invalid one
 * @returns undefined if the route accepts requests without a token
 * @throws HttpError 401 if the route needs a token and there is no valid one
 */
export function authenticate(
	server: StandInServer,
	route: Route,
	token: Token | undefined,
	hasAuthorization: boolean,
): ApiClientRecord | undefined {
	const client = token && takeTokenUse(token) ? server.world.findSignInClient(token.clientId) : undefined;
	if (client?.statusId === 1) return client;
	// Sign-in operations need no token. Only those that report errors as problem details reject an invalid one.
	if (route.access === 'open' && !(hasAuthorization && route.hasProblemDetails)) return undefined;
	throw createUnauthorizedError(
		hasAuthorization ? 'The access token is invalid or has expired.' : 'An access token is required.',
	);
}

function identifyCaller(
	server: StandInServer,
	route: Route,
	client: ApiClientRecord | undefined,
	remoteAddress: string,
): Caller {
	const { world } = server;
	if (!client) return { isReseller: false, company: world.resellerCompany };
	if (!isIpAddressAllowed(client, remoteAddress))
		throw new HttpError(403, [`Your IP address ${remoteAddress} is not allowed for this client.`]);
	const isReseller = hasResellerRole(client);
	if ((route.access === 'reseller' && !isReseller) || client.missingPermissions.includes(toPermission(route.key))) {
		throw new HttpError(403, ['You do not have permission to perform this operation.']);
	}
	return { isReseller, company: world.findCompany(client.companyResourceId) ?? world.resellerCompany };
}

function findScopedCompany(server: StandInServer, caller: Caller, companyId: string | undefined): Company | undefined {
	if (companyId === undefined) return undefined;
	const { name } = server.profile;
	if (name === 'deployed' && !caller.isReseller)
		throw new HttpError(403, ['A company must not be given: your own is meant already.']);
	const ownCompany = caller.company.companyResourceId === companyId ? caller.company : undefined;
	const company = ownCompany ?? (caller.isReseller ? server.world.findCompany(companyId) : undefined);
	if (!company) throw new HttpError(403, ['You are not authorized to act for this company.']);
	return company;
}

/**
 * Builds the `RouteCall` for a request.
 * @throws HttpError 400, 403 or 415 if the caller, the company or the kind of body is not allowed
 */
export function buildCall(
	server: StandInServer,
	request: FastifyRequest,
	route: Route,
	body: RequestBody,
	json: unknown,
	client: ApiClientRecord | undefined,
	companyId: string | undefined,
): RouteCall {
	const { world, options, profile, baseUrl } = server;
	const caller = identifyCaller(server, route, client, request.ip);
	const scopedCompany = client ? findScopedCompany(server, caller, companyId) : undefined;
	if (route.bodyType === 'json') {
		if (body.kind === 'malformed') throw new HttpError(400, ['The request body is not valid JSON.']);
		if (body.kind === 'none') throw new HttpError(400, ['A non-empty request body is required.']);
		if (body.kind !== 'json') throw new HttpError(415, ['The content type must be application/json.']);
	}
	if (route.bodyType === 'multipart' && body.kind !== 'multipart') {
		throw body.kind === 'none'
			? new HttpError(400, ['A non-empty request body is required.'])
			: new HttpError(415, ['The content type must be multipart/form-data.']);
	}
	const formEntries = body.kind === 'multipart' ? Object.entries(body.fields) : [];
	// A live deployment uses the reseller's own company if the request names no other.
	let visibleCompanies: Company[] = [caller.company];
	if (scopedCompany) visibleCompanies = [scopedCompany];
	else if (caller.isReseller && profile.name !== 'deployed') visibleCompanies.push(...world.companies);
	return {
		world,
		options,
		profile,
		isDeployed: profile.name === 'deployed',
		baseUrl,
		params: toTexts(request.params),
		query: toTexts(request.query),
		json,
		isJsonPatch: body.kind === 'json' && body.isJsonPatch,
		formFields: Object.fromEntries(formEntries.map(([name, values]) => [lowerFirst(name), values])),
		files: body.kind === 'multipart' ? body.files : [],
		caller,
		scopedCompany,
		secondCompanyHeader: readSecondCompanyHeader(request, profile),
		visibleCompanies,
		companyData: world.getCompanyData(scopedCompany ?? caller.company),
	};
}
