/** What the tests of the nodes share: a stand-in service for the file, credentials for it, and runs in n8n's engine. */
import { once } from 'node:events';
import {
	createServer,
	type IncomingHttpHeaders,
	type IncomingMessage,
	type Server,
	type ServerResponse,
} from 'node:http';
import { text as readText } from 'node:stream/consumers';
import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type INodeExecutionData,
	type INodeType,
} from 'n8n-workflow';
import { z } from 'zod';
import {
	callListSearch,
	callLoadOptions,
	CredentialStore,
	runNode,
	type BinaryMode,
	type RunOptions,
	type RunResult,
} from '.';
import { getInstance } from './package';
import { startStandIn, type LoggedRequest, type StandInOptions, type StandIn } from '../stand-in';

export type NodeClass = new () => INodeType;
export type ClientName = keyof StandIn['clients'];
export const TOKEN_ROUTE = 'POST /connect/token';

export interface FixtureRunOptions extends Partial<Omit<RunOptions, 'node' | 'parameters' | 'credential'>> {
	/** Whose credential; the Reseller's, unless given. */
	clientName?: ClientName;
	/** A credential of the test's own. */
	store?: CredentialStore;
}

/** A service for one test file, as seeded before every test, and nodes that run against it. */
export class NodeFixture {
	private started: StandIn | undefined;
	private stores = new Map<ClientName, CredentialStore>();

	constructor(private readonly options: StandInOptions) {}

	get standIn(): StandIn {
		if (!this.started) throw new Error('The service is not started yet');
		return this.started;
	}

	async start(): Promise<void> {
		this.started = await startStandIn(this.options);
	}

	/** The data of a credential, as a person would fill it in. */
	buildCredentialData(who: ClientName = 'reseller', more: IDataObject = {}): IDataObject {
		const { clientId, clientSecret } = this.standIn.clients[who];
		const { companyHeader } = this.options;
		const header = companyHeader === undefined ? {} : { companyHeaderName: companyHeader };
		return { serverUrl: this.standIn.url, clientId, clientSecret, ...header, ...more };
	}

	/** A credential that nothing has used yet, so without a token. */
	createCredentialStore(who: ClientName = 'reseller', more: IDataObject = {}): CredentialStore {
		return new CredentialStore(parseCredentialValues(this.buildCredentialData(who, more)));
	}

	/** The credential that the runs of this file share, and with it the token. */
	private getCredentialStore({ as = 'reseller', store }: { as?: ClientName; store?: CredentialStore }): CredentialStore {
		const shared = store ?? this.stores.get(as) ?? this.createCredentialStore(as);
		if (!store) this.stores.set(as, shared);
		return shared;
	}

	async run(nodeClass: NodeClass, parameters: IDataObject, { clientName: as, store, ...more }: FixtureRunOptions = {}): Promise<RunResult> {
		const buildCredentialData = this.getCredentialStore({ ...(as ? { as } : {}), ...(store ? { store } : {}) });
		return await runNode({ node: getInstance(nodeClass), parameters, credential: buildCredentialData, ...more });
	}

	async searchList(nodeClass: NodeClass, method: string, more: { as?: ClientName; filter?: string; paginationToken?: string } = {}) {
		const { as, ...rest } = more;
		const buildCredentialData = this.getCredentialStore(as ? { as } : {});
		return await callListSearch({ node: getInstance(nodeClass), parameters: {}, credential: buildCredentialData, method, ...rest });
	}

	async loadOptions(nodeClass: NodeClass, method: string, as?: ClientName) {
		const buildCredentialData = this.getCredentialStore(as ? { as } : {});
		return await callLoadOptions({ node: getInstance(nodeClass), parameters: {}, credential: buildCredentialData, method });
	}

	/** What was asked of the service, tokens aside. */
	get requests(): LoggedRequest[] {
		return this.standIn.log.filter(({ route }) => route !== TOKEN_ROUTE);
	}

	get tokenRequestCount(): number {
		return this.standIn.getRequests(TOKEN_ROUTE).length;
	}

	/** The most requests that were in flight at once, tokens aside. */
	get maxInFlightCount(): number {
		return Math.max(0, ...this.requests.map(({ inFlight }) => inFlight));
	}
}

/** Starts a service for the file. Pauses between tries are random and up to half a minute: here they take no time. */
export function createNodeFixture(options: StandInOptions = {}): NodeFixture {
	const made = new NodeFixture(options);
	beforeAll(async () => made.start());
	beforeEach(() => {
		made.standIn.reset();
		made.standIn.setOptions({
			latencyMs: 0,
			tokenLifetimeSeconds: 3600,
			newTokenRevokesEarlierOnes: false,
			requestsPerToken: Infinity,
		});
		jest.spyOn(Math, 'random').mockReturnValue(0);
	});
	afterEach(() => {
		jest.restoreAllMocks();
		closeFakeServers();
	});
	afterAll(async () => made.standIn.close());
	return made;
}

const credentialSchema = z.record(z.union([z.string(), z.number(), z.boolean()]));
export const parseCredentialValues = (value: unknown) => credentialSchema.parse(value);

export type NodeError = NodeApiError | NodeOperationError;

/** The error a run ends with; a run that works is a failure of the test. */
export async function catchNodeError(run: Promise<unknown>): Promise<NodeError> {
	const thrown: unknown = await run.then(
		() => undefined,
		(error: unknown) => error,
	);
	if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) return thrown;
	throw new Error('The run did not end with an error of n8n', { cause: thrown });
}

export const getJson = (items: INodeExecutionData[] = []): IDataObject[] => items.map(({ json }) => json);
export const getHintMessages = ({ hints }: RunResult): string[] => hints.map(({ message }) => message);

/** What an item on either output says about a failure. */
const failedItemSchema = z.object({
	error: z
		.object({
			message: z.string(),
			description: z.string(),
			httpCode: z.number().optional(),
			companyResourceId: z.string().optional(),
			companyName: z.string().optional(),
		})
		.strict(),
	message: z.string(),
});
export const parseFailedItem = (item: INodeExecutionData | undefined) => failedItemSchema.parse(item?.json);
export const isFailedItem = ({ json }: INodeExecutionData) => json.error !== undefined;

export const toItems = (...jsons: IDataObject[]): INodeExecutionData[] => jsons.map((json) => ({ json }));
export const createIndexRecords = (count: number): IDataObject[] => Array.from({ length: count }, (_, index) => ({ index }));

export const parseText = (value: unknown): string => z.string().parse(value);
const body = z.record(z.unknown());
/** A request's JSON body. */
export const parseBody = (request: LoggedRequest | undefined) => body.parse(request?.body);
export const parsePageNumber = (request: LoggedRequest | undefined): number => z.number().parse(parseBody(request).pageNumber);

/** The value, where the test's own data must have one. */
export function requireValue<T>(value: T | null | undefined): T {
	if (value === undefined || value === null) throw new Error('The test data has no such value');
	return value;
}

export type { BinaryMode };

const openServers: Server[] = [];
export const closeFakeServers = () => {
	for (const server of openServers.splice(0)) server.close().closeAllConnections();
};

/** A request to a server of `answering`. */
export interface FakeServerRequest {
	/** As it was sent: "GET /api/companies/c1". */
	route: string;
	url: string;
	headers: IncomingHttpHeaders;
	company: unknown;
	/** Of JSON. */
	body: Record<string, unknown>;
}

/**
 * What one operation answers with: its data, or a status and with it the whole body. A function gives the data, or the
 * status of a refusal.
 */
export type RouteReply =
	{ data: unknown } | { csv: string } | { status: number; body?: unknown } | ((asked: FakeServerRequest) => unknown);

type RequestHandler = (asked: FakeServerRequest, response: ServerResponse, token: string) => void;

const NOT_FOUND_REPLY = { status: 404, body: { status: 'NOT_FOUND', message: 'There is no such address.' } };

/** Answers with only the operations that are given; every other path is a 404. */
const createRouteHandler =
	(routes: Record<string, RouteReply>): RequestHandler =>
	(asked, response) => {
		const given = routes[asked.route] ?? NOT_FOUND_REPLY;
		if (typeof given === 'function') {
			const data = given(asked);
			return typeof data === 'number'
				? sendJson(response, data, { status: 'INPUT_ERROR', message: 'Invalid request' })
				: sendJson(response, 200, { data, status: 'SUCCESS' });
		}
		if ('csv' in given) return response.writeHead(200, { 'content-type': 'text/csv' }).end(given.csv);
		if ('data' in given) return sendJson(response, 200, { ...given, status: 'SUCCESS' });
		if (typeof given.body === 'string')
			return response.writeHead(given.status, { 'content-type': 'text/html' }).end(given.body);
		return sendJson(response, given.status, given.body ?? { status: 'ERROR', message: 'No.' });
	};

/**
 * A server that answers as a test tells it to, until the test ends, for what the stand-in service never does. It issues tokens.
 * @param answer by "GET /api/codetypes", or a function that sends it
 */
export async function startFakeServer(answer: RequestHandler | Record<string, RouteReply>, onToken?: (response: ServerResponse) => void) {
	const send = typeof answer === 'function' ? answer : createRouteHandler(answer);
	const requests: FakeServerRequest[] = [];
	let tokenRequests = 0;
	const token = 'the-token-of-the-odd-service';
	const serve = async (request: IncomingMessage, response: ServerResponse) => {
		const sent = await readText(request).catch(() => '');
		const { url = '', method, headers } = request;
		if (url === '/connect/token') {
			tokenRequests++;
			if (onToken) onToken(response);
			else sendJson(response, 200, { access_token: token, token_type: 'Bearer', expires_in: 3600 });
			return;
		}
		const json = sent.startsWith('{') ? body.parse(JSON.parse(sent)) : {};
		const company = headers['x-service-company-id'];
		const asked: FakeServerRequest = { route: `${method} ${url}`, url, headers, company, body: json };
		requests.push(asked);
		send(asked, response, token);
	};
	const server = createServer((request, response) => void serve(request, response)).listen(0, '127.0.0.1');
	openServers.push(server);
	await once(server, 'listening');
	const { port } = z.object({ port: z.number() }).parse(server.address());
	const serverUrl = `http://127.0.0.1:${port}`;
	return {
		url: serverUrl,
		requests,
		tokenRequests: () => tokenRequests,
		store: new CredentialStore({ serverUrl, clientId: 'id', clientSecret: 'the-secret-of-the-odd-service' }),
	};
}

/** An answer of the service's. */
export const sendJson = (
	response: ServerResponse,
	status: number,
	body: unknown,
	headers: Record<string, string> = {},
) => response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
