/** Answers requests: who asks, what goes wrong on purpose, what the operation says. */
import type { ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { loggedBody, readBody } from './body';
import { authenticate, callOf, scopeAsked, texts } from './call';
import { camel, invalid, Refusal } from './envelope';
import { TOKEN_ROUTE } from './faults';
import { isRow, type Answer, type Body, type Route, type Row, type Service } from './http';
import type { LoggedRequest } from './log';
import { insteadOf, outgoingOf, refused } from './outgoing';
import { permissionsOf } from './permissions';
import { listUndescribedFields, ignoreUndescribed } from './requestFields';
import { pause, send, type Mishap, type Outgoing } from './send';
import type { Token } from './tokens';

/** What a request was found to be, before it is answered. */
interface Asked {
	route: Route | undefined;
	token?: Token | undefined;
	page?: number | undefined;
	/** Carries it out. */
	handle: () => Promise<Answer> | Answer;
}

function pageNumber(json: unknown): number | undefined {
	if (!isRow(json)) return undefined;
	const page = isRow(json.pagination) ? json.pagination.pageNumber : json.pageNumber;
	return typeof page === 'number' ? page : undefined;
}

/** Answers one request that was noted in the log already. */
export async function answer(
	service: Service,
	request: FastifyRequest,
	raw: ServerResponse,
	route: Route | undefined,
	entry: LoggedRequest,
): Promise<void> {
	try {
		const body = await readBody(request);
		entry.body = loggedBody(body);
		entry.query = texts(request.query);
		const scope = scopeAsked(request, entry.query, service.personality);
		if (scope !== undefined) entry.companyId = scope;
		const isToken = entry.route === TOKEN_ROUTE;
		await answered(
			service,
			raw,
			entry,
			isToken ? forToken(service, body, entry) : asked(service, request, route, body, entry),
		);
	} catch (error) {
		await finish(service, raw, refused(service, error, route), entry);
	}
}

/** Answers a request that the server itself could not take (too large, broken framing). */
export async function reject(
	service: Service,
	raw: ServerResponse,
	error: unknown,
	entry: LoggedRequest,
): Promise<void> {
	await finish(service, raw, refused(service, error), entry);
}

/** The token endpoint's answer. */
function forToken({ world, tokens, options, routes }: Service, body: Body, entry: LoggedRequest): Asked {
	const fields = body.kind === 'form' ? body.fields : undefined;
	if (fields?.client_id !== undefined) entry.clientId = fields.client_id;
	const json = (status: number, data: Row, headers: Record<string, string> = {}): Answer => ({
		status,
		headers,
		text: JSON.stringify(data),
		mimeType: 'application/json; charset=utf-8',
	});
	const handle = () => {
		// Live deployments fail on anything that is not a form (deployment facts).
		if (!fields) throw new Refusal(500, ['An unexpected error occurred.'], 'INTERNAL_SERVER_ERROR');
		const client = world.signIn(fields.client_id ?? '');
		if (client?.statusId !== 1 || client.clientSecret !== fields.client_secret)
			return json(400, { error: 'invalid_client' });
		if (fields.grant_type !== 'client_credentials') return json(400, { error: 'unsupported_grant_type' });
		if (fields.scope !== 'api1') return json(400, { error: 'invalid_scope' });
		const { text, token } = tokens.issue(client, world, options);
		Object.assign(entry, { token: token.ordinal, landed: true });
		const given = {
			access_token: text,
			expires_in: options.tokenLifetimeSeconds,
			token_type: 'Bearer',
			scope: 'api1',
			permissions: permissionsOf(client, routes, options),
		};
		return json(200, given, { 'cache-control': 'no-store' });
	};
	return { route: undefined, handle };
}

function asked(
	service: Service,
	request: FastifyRequest,
	route: Route | undefined,
	body: Body,
	entry: LoggedRequest,
): Asked {
	const [, bearer] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
	const token = service.tokens.find(bearer);
	if (token) Object.assign(entry, { token: token.ordinal, clientId: token.clientId });
	if (!route || (route.beside && !service.options.helpers)) throw new Refusal(404, ['There is no such operation.']);
	const client = authenticate(service, route, token, request.headers.authorization !== undefined);
	const json = body.kind === 'json' ? camel(body.value) : undefined;
	const handle = async () => {
		const call = callOf(service, request, route, body, json, client, entry.companyId);
		const undescribed = listUndescribedFields(route.key, call);
		const { exempt } = call.options;
		entry.undescribed = undescribed.filter((path) => !exempt.some((name) => path.split('.')[0] === name));
		if (call.options.undescribed === 'refused' && entry.undescribed.length > 0)
			throw invalid(...entry.undescribed.map((path) => `The field ${path} is not known.`));
		const given = await route.handle(undescribed.length > 0 ? ignoreUndescribed(route.key, call) : call);
		entry.landed = route.write === true;
		return given;
	};
	return { route, token, page: pageNumber(json), handle };
}

async function finish(
	{ options }: Service,
	raw: ServerResponse,
	out: Outgoing,
	entry: LoggedRequest,
	mishap?: Mishap,
): Promise<void> {
	// The effect happens at once and the answer comes late, as from a service that is far away.
	await pause(raw, options.latencyMs);
	if (options.clock !== undefined && !raw.headersSent) raw.setHeader('date', new Date(options.clock).toUTCString());
	const whole = await send(raw, out, entry, mishap);
	// The size of a large export stays set until one was delivered, so that a repeated request gets the same file.
	if (whole && out.isFile && !Buffer.isBuffer(out.content)) options.exportBytes = undefined;
}

/** Answers, with the fault that is due. */
async function answered(
	service: Service,
	raw: ServerResponse,
	entry: LoggedRequest,
	{ route, token, page, handle }: Asked,
): Promise<void> {
	service.options.beforeAnswer?.();
	const rule = service.faults.take(entry.route, entry.companyId, page);
	if (rule) entry.fault = rule.kind;
	const carriedOut = async () => handle();
	const instead = rule ? insteadOf(service, rule, token) : undefined;
	if (instead) {
		if (rule?.landed) await carriedOut().catch(() => undefined);
		return await finish(service, raw, instead, entry);
	}
	if (rule?.kind === 'reset-before') return void raw.socket?.resetAndDestroy();
	if (rule?.kind === 'stall') {
		await pause(raw, rule.ms);
		if (raw.destroyed) return;
	}
	const out = await carriedOut()
		.then((given) => outgoingOf(service, given, entry))
		.catch((error: unknown) => refused(service, error, route));
	if (rule?.kind === 'reset-after') return void raw.socket?.resetAndDestroy();
	if (rule?.kind === 'slow') await pause(raw, rule.ms);
	await finish(service, raw, out, entry, rule && mishapOf(rule));
}

function mishapOf({ kind, ms }: { kind: string; ms?: number | undefined }): Mishap | undefined {
	if (kind === 'truncate' || kind === 'truncate-chunked') return { kind };
	return kind === 'stall-body' ? { kind, ms } : undefined;
}
