/** Handles a request from its arrival to its response: authentication, faults, and the operation itself. */
import type { ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { toLoggedBody, readBody } from './body';
import { authenticate, buildCall, readCompanyId, toTexts } from './call';
import { toCamelCaseKeys, createBadRequestError, HttpError } from './envelope';
import { TOKEN_ROUTE, type FaultRule } from './faults';
import {
	isJsonObject,
	isMissingRoute,
	type RouteResponse,
	type RequestBody,
	type Route,
	type JsonObject,
	type StandInServer,
} from './http';
import type { LoggedRequest } from './log';
import { faultResponse, toOutgoingResponse, errorResponse } from './outgoing';
import { listPermissions } from './permissions';
import { listUndocumentedFields, removeUndocumentedFields } from './requestFields';
import { pause, sendResponse, type TransferFault, type OutgoingResponse } from './send';
import type { Token } from './tokens';

/** A request that is ready to be handled. */
interface PreparedRequest {
	/** The route; undefined for the token endpoint. */
	route: Route | undefined;
	token?: Token | undefined;
	/** The requested page, to which faults can be limited. */
	pageNumber?: number | undefined;
	/** Carries out the operation. */
	handle: () => Promise<RouteResponse> | RouteResponse;
}

function readPageNumber(json: unknown): number | undefined {
	if (!isJsonObject(json)) return undefined;
	const pageNumber = isJsonObject(json.pagination) ? json.pagination.pageNumber : json.pageNumber;
	return typeof pageNumber === 'number' ? pageNumber : undefined;
}

/**
 * Responds to one request. Any error becomes an error response.
 * @param entry the request's log entry, which this function completes
 */
export async function respond(
	server: StandInServer,
	request: FastifyRequest,
	rawResponse: ServerResponse,
	route: Route | undefined,
	entry: LoggedRequest,
): Promise<void> {
	try {
		const body = await readBody(request);
		entry.body = toLoggedBody(body);
		entry.query = toTexts(request.query);
		const companyId = readCompanyId(request, entry.query, server.profile);
		if (companyId !== undefined) entry.companyId = companyId;
		const isTokenRequest = entry.route === TOKEN_ROUTE;
		await respondWithFaults(
			server,
			rawResponse,
			entry,
			isTokenRequest ? prepareTokenRequest(server, body, entry) : prepareRequest(server, request, route, body, entry),
		);
	} catch (error) {
		await finishResponse(server, rawResponse, errorResponse(server, error, route), entry);
	}
}

/** Responds to a request that the HTTP server itself rejected, because it was too large or its framing was broken. */
export async function rejectRequest(
	server: StandInServer,
	rawResponse: ServerResponse,
	error: unknown,
	entry: LoggedRequest,
): Promise<void> {
	await finishResponse(server, rawResponse, errorResponse(server, error), entry);
}

/** Prepares a request to the token endpoint. */
function prepareTokenRequest(
	{ world, tokens, options, routes }: StandInServer,
	body: RequestBody,
	entry: LoggedRequest,
): PreparedRequest {
	const fields = body.kind === 'form' ? body.fields : undefined;
	if (fields?.client_id !== undefined) entry.clientId = fields.client_id;
	const buildJsonResponse = (
		status: number,
		data: JsonObject,
		headers: Record<string, string> = {},
	): RouteResponse => ({
		status,
		headers,
		text: JSON.stringify(data),
		mimeType: 'application/json; charset=utf-8',
	});
	const handle = () => {
		// Live deployments respond with 500 to a token request that is not a form (deployment facts, "Requests").
		if (!fields) throw new HttpError(500, ['An unexpected error occurred.'], 'INTERNAL_SERVER_ERROR');
		const client = world.findSignInClient(fields.client_id ?? '');
		if (client?.statusId !== 1 || client.clientSecret !== fields.client_secret)
			return buildJsonResponse(400, { error: 'invalid_client' });
		if (fields.grant_type !== 'client_credentials') return buildJsonResponse(400, { error: 'unsupported_grant_type' });
		if (fields.scope !== 'api1') return buildJsonResponse(400, { error: 'invalid_scope' });
		const { text, token } = tokens.issueToken(client, world, options);
		Object.assign(entry, { tokenOrdinal: token.ordinal, hasChangedData: true });
		const tokenResponse = {
			access_token: text,
			expires_in: options.tokenLifetimeSeconds,
			token_type: 'Bearer',
			scope: 'api1',
			permissions: listPermissions(client, routes, options),
		};
		return buildJsonResponse(200, tokenResponse, { 'cache-control': 'no-store' });
	};
	return { route: undefined, handle };
}

/**
 * Prepares a request to an operation.
 * @throws HttpError 401 or 404
 */
function prepareRequest(
	server: StandInServer,
	request: FastifyRequest,
	route: Route | undefined,
	body: RequestBody,
	entry: LoggedRequest,
): PreparedRequest {
	const [, bearer] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
	const token = server.tokens.findByText(bearer);
	if (token) Object.assign(entry, { tokenOrdinal: token.ordinal, clientId: token.clientId });
	if (!route || isMissingRoute(route, server.options)) throw new HttpError(404, ['There is no such operation.']);
	const client = authenticate(server, route, token, request.headers.authorization !== undefined);
	const json = body.kind === 'json' ? toCamelCaseKeys(body.value) : undefined;
	const handle = async () => {
		const call = buildCall(server, request, route, body, json, client, entry.companyId);
		const undocumentedFields = listUndocumentedFields(route.key, call);
		const { acceptedUndocumentedFields, undocumentedFieldsMode } = call.options;
		entry.undocumentedFields = undocumentedFields.filter(
			(path) => !acceptedUndocumentedFields.some((name) => path.split('.')[0] === name),
		);
		if (undocumentedFieldsMode === 'refused' && entry.undocumentedFields.length > 0)
			throw createBadRequestError(...entry.undocumentedFields.map((path) => `The field ${path} is not known.`));
		const response = await route.handle(
			undocumentedFields.length > 0 ? removeUndocumentedFields(route.key, call) : call,
		);
		entry.hasChangedData = route.isWrite === true;
		return response;
	};
	return { route, token, pageNumber: readPageNumber(json), handle };
}

async function finishResponse(
	{ options }: StandInServer,
	rawResponse: ServerResponse,
	outgoingResponse: OutgoingResponse,
	entry: LoggedRequest,
	transferFault?: TransferFault,
): Promise<void> {
	// The operation has already taken effect. Only its response is delayed, as if the server were far away.
	await pause(rawResponse, options.latencyMs);
	if (options.clockTime !== undefined && !rawResponse.headersSent)
		rawResponse.setHeader('date', new Date(options.clockTime).toUTCString());
	const isComplete = await sendResponse(rawResponse, outgoingResponse, entry, transferFault);
	// The size of a large export stays set until the export was delivered, so that a retry gets the same file.
	if (isComplete && outgoingResponse.isFile && !Buffer.isBuffer(outgoingResponse.content))
		options.leaderboardExportBytes = undefined;
}

/** Handles a request and sends its response. If a fault rule matches the request, its fault is applied. */
async function respondWithFaults(
	server: StandInServer,
	rawResponse: ServerResponse,
	entry: LoggedRequest,
	{ route, token, pageNumber, handle }: PreparedRequest,
): Promise<void> {
	server.options.beforeResponse?.();
	const rule = server.faults.takeMatchingRule(entry.route, entry.companyId, pageNumber);
	if (rule) entry.fault = rule.kind;
	const runHandler = async () => handle();
	const replacementResponse = rule ? faultResponse(server, rule, token) : undefined;
	if (replacementResponse) {
		if (rule?.shouldTakeEffect) await runHandler().catch(() => undefined);
		return await finishResponse(server, rawResponse, replacementResponse, entry);
	}
	if (rule?.kind === 'reset-before') {
		rawResponse.socket?.resetAndDestroy();
		return;
	}
	if (rule?.kind === 'stall') {
		await pause(rawResponse, rule.durationMs);
		if (rawResponse.destroyed) return;
	}
	const outgoingResponse = await runHandler()
		.then((routeResponse) => toOutgoingResponse(server, routeResponse, entry))
		.catch((error: unknown) => errorResponse(server, error, route));
	if (rule?.kind === 'reset-after') {
		rawResponse.socket?.resetAndDestroy();
		return;
	}
	if (rule?.kind === 'slow') await pause(rawResponse, rule.durationMs);
	await finishResponse(server, rawResponse, outgoingResponse, entry, rule && toTransferFault(rule));
}

function toTransferFault({ kind, durationMs }: FaultRule): TransferFault | undefined {
	if (kind === 'truncate' || kind === 'truncate-chunked') return { kind };
	return kind === 'stall-body' ? { kind, durationMs } : undefined;
}
