import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServerResponse } from 'node:http';
import { loggedBody, readBody } from './body';
import { camel, Refusal } from './envelope';
import { TOKEN_ROUTE } from './faults';
import { isRow, type Answer, type Body, type Route } from './http';
import type { LoggedRequest } from './log';
import { permissionsOf } from './permissions';
import { pause, send, type Mishap, type Outgoing } from './send';
import { tokenAnswer, type Token } from './tokens';
import type { Service } from './service';
import { authenticate, callOf, scopeAsked, texts } from './call';
import { insteadOf, outgoingOf, refused } from './outgoing';

function pageNumber(json: unknown): number | undefined {
	if (!isRow(json)) return undefined;
	const page = isRow(json.pagination) ? json.pagination.pageNumber : json.pageNumber;
	return typeof page === 'number' ? page : undefined;
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
			await this.#finish(raw, refused(this.service, error, route), entry);
		}
	}

	/** Answers a request that the server itself could not take (too large, broken framing). */
	async reject(reply: FastifyReply, error: unknown, entry: LoggedRequest): Promise<void> {
		await this.#finish(reply.raw, refused(this.service, error), entry);
	}

	async #tokenEndpoint(body: Body, raw: ServerResponse, entry: LoggedRequest): Promise<void> {
		const { world, tokens, options, routes } = this.service;
		const fields = body.kind === 'form' ? body.fields : undefined;
		if (fields?.client_id !== undefined) entry.clientId = fields.client_id;
		await this.#withFault(raw, undefined, entry, undefined, undefined, async () => {
			// Live deployments fail on anything that is not a form.
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
		const client = authenticate(this.service, route, token, request.headers.authorization !== undefined);
		const json = body.kind === 'json' ? camel(body.value) : undefined;
		await this.#withFault(raw, route, entry, token, pageNumber(json), async () => {
			const call = callOf(this.service, request, route, body, json, client, scope);
			const answer = await route.handle(call);
			entry.landed = route.write === true;
			return answer;
		});
	}

	async #finish(raw: ServerResponse, out: Outgoing, entry: LoggedRequest, mishap?: Mishap): Promise<void> {
		// The effect happens at once and the answer comes late, as from a service that is far away.
		await pause(raw, this.service.options.latencyMs);
		const { clock } = this.service.options;
		if (clock !== undefined && !raw.headersSent) raw.setHeader('date', new Date(clock).toUTCString());
		const whole = await send(raw, out, entry, mishap);
		// The size of a large export stays set until one was delivered, so that a repeated request gets the same file.
		if (whole && out.isFile && !Buffer.isBuffer(out.content)) this.service.options.exportBytes = undefined;
	}

	async #withFault(
		raw: ServerResponse,
		route: Route | undefined,
		entry: LoggedRequest,
		token: Token | undefined,
		page: number | undefined,
		handle: () => Promise<Answer>,
	): Promise<void> {
		this.service.options.beforeAnswer?.();
		const rule = this.service.faults.take(entry.route, entry.companyId, page);
		if (rule) entry.fault = rule.kind;
		const instead = rule ? insteadOf(this.service, rule, token) : undefined;
		if (instead) {
			if (rule?.landed) await handle().catch(() => undefined);
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
			default:
		}
		const out = await handle()
			.then((answer) => outgoingOf(this.service, answer, entry))
			.catch((error: unknown) => refused(this.service, error, route));
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
}
