/** Finds out who sent a request and for which company, and prepares what an operation gets of it. */
import type { FastifyRequest } from 'fastify';
import { Refusal, unauthorized } from './envelope';
import { isRow, type Body, type Call, type Caller, type Route, type Service } from './http';
import type { Personality } from './personality';
import { permission } from './permissions';
import { addressAllowed, isGood, isReseller, type Token } from './tokens';
import type { ApiClientRecord } from './holdings';
import type { Company } from './seed';

/** The values of a record as text; of a list only its first value. */
export function texts(value: unknown): Record<string, string> {
	if (!isRow(value)) return {};
	return Object.fromEntries(
		Object.entries(value).map(([name, entry]) => [name, Array.isArray(entry) ? String(entry[0]) : String(entry)]),
	);
}

/** The company that a request is scoped to: from the header or else from the query. */
export function scopeAsked(
	request: FastifyRequest,
	query: Record<string, string>,
	personality: Personality,
): string | undefined {
	const header = request.headers[personality.scopeHeader];
	if (typeof header === 'string' && header !== '') return header;
	const name = Object.keys(query).find((key) => key.toLowerCase() === 'companyid');
	const value = name === undefined ? undefined : query[name];
	return value === '' ? undefined : value;
}

function secondHeaderOf(request: FastifyRequest, { secondHeader }: Personality): string | undefined {
	const value = secondHeader === undefined ? undefined : request.headers[secondHeader];
	return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The client behind a token; undefined only where no token is needed. @throws Refusal 401 */
export function authenticate(
	service: Service,
	route: Route,
	token: Token | undefined,
	sent: boolean,
): ApiClientRecord | undefined {
	const client = token && isGood(token) ? service.world.signIn(token.clientId) : undefined;
	if (client?.statusId === 1) return client;
	// Sign-in operations need no token; an invalid one is reported only by those that can answer 401.
	if (route.access === 'open' && !(sent && route.problems)) return undefined;
	throw unauthorized(sent ? 'The access token is invalid or has expired.' : 'An access token is required.');
}

function callerOf(service: Service, route: Route, client: ApiClientRecord | undefined, remote: string): Caller {
	const { world } = service;
	if (!client) return { reseller: false, company: world.reseller };
	if (!addressAllowed(client, remote))
		throw new Refusal(403, [`Your IP address ${remote} is not allowed for this client.`]);
	const reseller = isReseller(client);
	if ((route.access === 'reseller' && !reseller) || client.lacks.includes(permission(route.key))) {
		throw new Refusal(403, ['You do not have permission to perform this operation.']);
	}
	return { reseller, company: world.company(client.companyResourceId) ?? world.reseller };
}

function scopedTo(service: Service, caller: Caller, asked: string | undefined): Company | undefined {
	if (asked === undefined) return undefined;
	const { name } = service.personality;
	if (name === 'deployed' && !caller.reseller)
		throw new Refusal(403, ['A company must not be given: your own is meant already.']);
	const own = caller.company.companyResourceId === asked ? caller.company : undefined;
	const company = own ?? (caller.reseller ? service.world.company(asked) : undefined);
	if (!company) throw new Refusal(403, ['You are not authorized to act for this company.']);
	return company;
}

/** What the operation is given. @throws Refusal where the caller, the company or the kind of body is not allowed */
export function callOf(
	service: Service,
	request: FastifyRequest,
	route: Route,
	body: Body,
	json: unknown,
	client: ApiClientRecord | undefined,
	asked: string | undefined,
): Call {
	const { world, options, personality, baseUrl } = service;
	const caller = callerOf(service, route, client, request.ip);
	const scope = client ? scopedTo(service, caller, asked) : undefined;
	if (route.takes === 'json') {
		if (body.kind === 'malformed') throw new Refusal(400, ['The request body is not valid JSON.']);
		if (body.kind === 'none') throw new Refusal(400, ['A non-empty request body is required.']);
		if (body.kind !== 'json') throw new Refusal(415, ['The content type must be application/json.']);
	}
	if (route.takes === 'multipart' && body.kind !== 'multipart') {
		throw body.kind === 'none'
			? new Refusal(400, ['A non-empty request body is required.'])
			: new Refusal(415, ['The content type must be multipart/form-data.']);
	}
	const fields = body.kind === 'multipart' ? Object.entries(body.fields) : [];
	return {
		world,
		options,
		personality,
		isDeployed: personality.name === 'deployed',
		baseUrl,
		params: texts(request.params),
		query: texts(request.query),
		json,
		patch: body.kind === 'json' && body.patch,
		form: Object.fromEntries(fields.map(([name, values]) => [name.charAt(0).toLowerCase() + name.slice(1), values])),
		files: body.kind === 'multipart' ? body.files : [],
		caller,
		scope,
		secondHeader: secondHeaderOf(request, personality),
		// A live deployment uses the reseller's own company if the request names no other.
		companies: scope
			? [scope]
			: caller.reseller && personality.name !== 'deployed'
				? [caller.company, ...world.companies]
				: [caller.company],
		home: world.of(scope ?? caller.company),
	};
}
