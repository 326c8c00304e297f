import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServerResponse } from 'node:http';
import { loggedBody, readBody } from './body';
import { camel, failure, found, problem, Refusal, success } from './envelope';
import type { Faults } from './faults';
import { TOKEN_ROUTE, type FaultRule } from './faults';
import { isRow, type Answer, type Body, type Call, type Caller, type LiveOptions, type Route } from './http';
import type { RequestLog } from './log';
import { type LoggedRequest } from './log';
import type { Overlays } from './overlays';
import type { Personality } from './personality';
import { permission, permissionsOf } from './permissions';
import { fileOut, pause, send, textOut, type Mishap, type Outgoing } from './send';
import type { Tokens } from './tokens';
import { addressAllowed, isGood, isReseller, tokenAnswer, type Token } from './tokens';
import type { ApiClientRecord } from './holdings';
import type { World } from './world';
import type { Company } from './seed';

const JSON_TYPE = 'application/json; charset=utf-8';
const HTML_TYPE = 'text/html; charset=utf-8';

/** Everything that lives as long as the service does. */
export interface Service {
	world: World;
	readonly options: LiveOptions;
	readonly personality: Personality;
	readonly routes: readonly Route[];
	readonly tokens: Tokens;
	readonly log: RequestLog;
	readonly faults: Faults;
	readonly overlays: Overlays;
	baseUrl: string;
}

function texts(value: unknown): Record<string, string> {
	if (!isRow(value)) return {};
	return Object.fromEntries(
		Object.entries(value).map(([name, entry]) => [name, Array.isArray(entry) ? String(entry[0]) : String(entry)]),
	);
}

/** The company that a request asks to be scoped to: the header before the query. */
function scopeAsked(
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

function pageNumber(json: unknown): number | undefined {
	if (!isRow(json)) return undefined;
	const page = isRow(json.pagination) ? json.pagination.pageNumber : json.pageNumber;
	return typeof page === 'number' ? page : undefined;
}

function unauthorized(message: string): Refusal {
	return new Refusal(401, [message], undefined, { 'www-authenticate': 'Bearer error="invalid_token"' });
}

/** Answers requests: who asks, what goes wrong on purpose, what the operation says. */
export class Pipeline {
	constructor(private readonly service: Service) {}

	/** Answers one request that was noted in the log already. */
	async run(
		request: FastifyRequest,
		reply: FastifyReply,
		route: Route | undefined,
		entry: LoggedRequest,
	): Promise<void> {
		const raw = reply.raw;
		try {
			const body = await readBody(request);
			entry.body = loggedBody(body);
			entry.query = texts(request.query);
			const scope = scopeAsked(request, entry.query, this.service.personality);
			if (scope !== undefined) entry.companyId = scope;
			if (entry.route === TOKEN_ROUTE) await this.#tokenEndpoint(body, raw, entry);
			else await this.#operation(request, raw, route, body, scope, entry);
		} catch (error) {
			await this.#finish(raw, this.#refused(error, route), entry);
		}
	}

	/** Answers a request that the server itself could not take (too large, broken framing). */
	async reject(reply: FastifyReply, error: unknown, entry: LoggedRequest): Promise<void> {
		await this.#finish(reply.raw, this.#refused(error, undefined), entry);
	}

	async #tokenEndpoint(body: Body, raw: ServerResponse, entry: LoggedRequest): Promise<void> {
		const { world, tokens, options, routes } = this.service;
		const fields = body.kind === 'form' ? body.fields : undefined;
		if (fields?.client_id !== undefined) entry.clientId = fields.client_id;
		await this.#withFault(raw, undefined, entry, undefined, undefined, async () => {
			// Live deployments break on anything but a form.
			if (!fields) throw new Refusal(500, ['An unexpected error occurred.'], 'INTERNAL_SERVER_ERROR');
			const { answer, token } = tokenAnswer(fields, world, tokens, options, (client) =>
				permissionsOf(client, routes, options),
			);
			if (token) {
				entry.token = token.ordinal;
				entry.landed = true;
			}
			return answer;
		});
	}

	async #operation(
		request: FastifyRequest,
		raw: ServerResponse,
		route: Route | undefined,
		body: Body,
		scope: string | undefined,
		entry: LoggedRequest,
	): Promise<void> {
		const [, bearer] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
		const token = this.service.tokens.find(bearer);
		if (token) {
			entry.token = token.ordinal;
			entry.clientId = token.clientId;
		}
		if (!route || (route.beside && !this.service.options.helpers))
			throw new Refusal(404, ['There is no such operation.']);
		const client = this.#authenticate(route, token, request.headers.authorization !== undefined);
		const json = body.kind === 'json' ? camel(body.value) : undefined;
		await this.#withFault(raw, route, entry, token, pageNumber(json), async (endless) => {
			const call = this.#call(request, route, body, json, client, scope);
			const answer = await route.handle({ ...call, endless });
			entry.landed = route.write === true;
			return answer;
		});
	}

	/** The client behind a token; undefined only where no token is needed. */
	#authenticate(route: Route, token: Token | undefined, sent: boolean): ApiClientRecord | undefined {
		const client = token && isGood(token, this.service.options) ? this.service.world.signIn(token.clientId) : undefined;
		if (client?.statusId === 1) return client;
		// Sign-in operations need no token; a bad one is told where they say that they answer 401.
		if (route.access === 'open' && !(sent && route.problems)) return undefined;
		throw unauthorized(sent ? 'The access token is invalid or has expired.' : 'An access token is required.');
	}

	#caller(route: Route, client: ApiClientRecord | undefined, remote: string): Caller {
		const { world } = this.service;
		if (!client) return { reseller: false, company: world.reseller };
		if (!addressAllowed(client, remote))
			throw new Refusal(403, [`Your IP address ${remote} is not allowed for this client.`]);
		const reseller = isReseller(client);
		if ((route.access === 'reseller' && !reseller) || client.lacks.includes(permission(route.key))) {
			throw new Refusal(403, ['You do not have permission to perform this operation.']);
		}
		return { reseller, company: world.company(client.companyResourceId) ?? world.reseller };
	}

	#scoped(caller: Caller, asked: string | undefined): Company | undefined {
		if (asked === undefined) return undefined;
		const { name } = this.service.personality;
		if (name === 'deployed' && !caller.reseller)
			throw new Refusal(403, ['A company must not be given: your own is meant already.']);
		const own = caller.company.companyResourceId === asked ? caller.company : undefined;
		const company = own ?? (caller.reseller ? this.service.world.company(asked) : undefined);
		if (!company) throw new Refusal(403, ['You are not authorized to act for this company.']);
		return company;
	}

	#call(
		request: FastifyRequest,
		route: Route,
		body: Body,
		json: unknown,
		client: ApiClientRecord | undefined,
		asked: string | undefined,
	): Omit<Call, 'endless'> {
		const { world, options, personality, baseUrl, overlays } = this.service;
		const caller = this.#caller(route, client, request.ip);
		const scope = client ? this.#scoped(caller, asked) : undefined;
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
			// A live deployment acts in the reseller's own company where no other is given.
			companies: scope
				? [scope]
				: caller.reseller && personality.name !== 'deployed'
					? [caller.company, ...world.companies]
					: [caller.company],
			home: world.of(scope ?? caller.company),
			tamper: (rows, idField, nameField) =>
				overlays.apply(listKey(route.key, request.url, asked), rows, idField, nameField),
		};
	}

	#refused(error: unknown, route: Route | undefined): Outgoing {
		if (error instanceof Refusal) {
			const asProblem = route?.problems === true && (error.status === 400 || error.status === 401);
			if (!asProblem) return this.#failed(error.status, error.messages, error.code, error.headers);
			return textOut(
				error.status,
				error.headers,
				JSON.stringify(problem(error.status, error.messages)),
				'application/problem+json; charset=utf-8',
			);
		}
		const status =
			error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500;
		if (status >= 400 && status < 500)
			return this.#failed(status, [error instanceof Error ? error.message : 'The request is not valid.']);
		return this.#failed(500, ['An unexpected error occurred.'], 'INTERNAL_SERVER_ERROR');
	}

	#failed(status: number, messages: string[], code?: string, headers: Record<string, string> = {}): Outgoing {
		const { personality, options } = this.service;
		const disguised = personality.name === 'deployed' && status === 400 && options.inputErrorsAs200;
		return textOut(
			disguised ? 200 : status,
			headers,
			JSON.stringify(failure({ status, messages, code }, personality.name)),
			JSON_TYPE,
		);
	}

	#outgoing(answer: Answer): Outgoing {
		if ('file' in answer) return fileOut(answer.status, answer.headers ?? {}, answer.file);
		if ('text' in answer) return textOut(answer.status, answer.headers ?? {}, answer.text, answer.mimeType);
		const { options, personality } = this.service;
		const envelope = success(answer.data, personality.name);
		return textOut(
			answer.status,
			answer.headers ?? {},
			JSON.stringify(options.garble ? options.garble(envelope) : envelope),
			JSON_TYPE,
		);
	}

	async #finish(raw: ServerResponse, out: Outgoing, entry: LoggedRequest, mishap?: Mishap): Promise<void> {
		// The effect is there at once, the answer comes late: as with a service far away.
		await pause(raw, this.service.options.latencyMs);
		const { clock } = this.service.options;
		if (clock !== undefined && !raw.headersSent) raw.setHeader('date', new Date(clock).toUTCString());
		const whole = await send(raw, out, entry, mishap);
		// A big export stays asked for until one was delivered, so that a retry gets the same file.
		if (whole && out.isFile && !Buffer.isBuffer(out.content)) this.service.options.exportBytes = undefined;
	}

	async #withFault(
		raw: ServerResponse,
		route: Route | undefined,
		entry: LoggedRequest,
		token: Token | undefined,
		page: number | undefined,
		handle: (endless: boolean) => Promise<Answer>,
	): Promise<void> {
		this.service.options.beforeAnswer?.();
		const rule = this.service.faults.take(entry.route, entry.companyId, page);
		if (rule) entry.fault = rule.kind;
		const instead = rule ? this.#instead(rule, token) : undefined;
		if (instead) {
			if (rule?.landed) await handle(false).catch(() => undefined);
			return await this.#finish(raw, instead, entry);
		}
		switch (rule?.kind) {
			case 'reset-before':
				raw.socket?.resetAndDestroy();
				return;
			case 'stall':
				await pause(raw, rule.ms);
				if (raw.destroyed) return;
				break;
			case 'insert':
			case 'remove':
				if (route) this.service.overlays.add(listKey(route.key, entry.path, entry.companyId), rule.kind);
				break;
			default:
		}
		const out = await handle(rule?.kind === 'endless')
			.then((answer) => this.#outgoing(answer))
			.catch((error: unknown) => this.#refused(error, route));
		switch (rule?.kind) {
			case 'reset-after':
				raw.socket?.resetAndDestroy();
				return;
			case 'slow':
				await pause(raw, rule.ms);
				break;
			case 'truncate':
			case 'truncate-chunked':
				return await this.#finish(raw, out, entry, { kind: rule.kind });
			case 'stall-body':
				return await this.#finish(raw, out, entry, { kind: 'stall-body', ms: rule.ms });
			default:
		}
		await this.#finish(raw, out, entry);
	}

	/** What a gateway shows that got no answer of the service's. */
	#gatewayPage(status: number, name: string, headers: Record<string, string>): Outgoing {
		const title = `${status} ${name}`;
		return textOut(
			status,
			headers,
			`<html><head><title>${title}</title></head><body><center><h1>${title}</h1></center></body></html>`,
			HTML_TYPE,
		);
	}

	/** The answer of those faults that take the operation's place. */
	#instead(rule: FaultRule, token: Token | undefined): Outgoing | undefined {
		const refusal = (status: number, message: string, headers: Record<string, string> = {}, code?: string) =>
			this.#refused(new Refusal(status, [message], code, headers), undefined);
		const retry: Record<string, string> = rule.retryAfter === undefined ? {} : { 'retry-after': rule.retryAfter };
		switch (rule.kind) {
			case 'status-429':
				return refusal(429, 'Too many requests.', retry);
			case 'status-500':
				return refusal(500, 'An unexpected error occurred.', {}, 'INTERNAL_SERVER_ERROR');
			case 'status-503':
				return refusal(503, 'The service is temporarily unavailable.', retry);
			case 'html-502':
				return this.#gatewayPage(502, 'Bad Gateway', retry);
			case 'html-504':
				return this.#gatewayPage(504, 'Gateway Time-out', retry);
			case 'html-200':
				return textOut(
					200,
					{},
					'<!DOCTYPE html><html><head><title>Sign in</title></head><body><form action="/login"><input name="username"></form></body></html>',
					HTML_TYPE,
				);
			case 'error-envelope':
				return { ...refusal(400, 'The operation could not be completed.'), status: 200 };
			case 'expired-token':
			case 'status-401':
				if (rule.kind === 'expired-token' && token) token.void = true;
				return this.#refused(unauthorized('The access token is invalid or has expired.'), undefined);
			case 'forbidden-company':
				return refusal(403, 'You are not authorized to act for this company.');
			case 'empty':
				return { status: 200, headers: {}, content: Buffer.alloc(0), isFile: false };
			case 'redirect':
				return {
					status: 302,
					headers: { location: found(rule.to, 'address to redirect to') },
					content: Buffer.alloc(0),
					isFile: false,
				};
			case 'echo':
				return refusal(400, `You came with ${this.service.tokens.textOf(token)}.`);
			case 'wrong-shape':
				return textOut(200, {}, JSON.stringify({ greeting: 'hello', items: [1, 2, 3] }), JSON_TYPE);
			default:
				return undefined;
		}
	}
}

/** A list and its export are one list: what appears in one appears in the other. */
function listKey(key: string, url: string, company: string | undefined): string {
	const [method = ''] = key.split(' ');
	const [path = ''] = url.split('?');
	return `${method} ${path.replace(/\/export$/, '')} ${company ?? ''}`;
}
