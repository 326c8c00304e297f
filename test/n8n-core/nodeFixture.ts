/** The fixture for tests of single nodes: a stand-in, credentials, and runs in n8n's workflow engine. */
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
import { requireValue } from './schemas';
import { TOKEN_ROUTE } from '../stand-in/faults';
import { startStandIn, type LoggedRequest, type StandInOptions, type StandIn } from '../stand-in';

/** The class of a node. */
export type NodeClass = new () => INodeType;
/** The name of one of the stand-in's API clients. */
export type ClientName = keyof StandIn['clients'];
export { TOKEN_ROUTE };

export interface FixtureRunOptions extends Partial<Omit<RunOptions, 'node' | 'parameters' | 'credential'>> {
	/** The API client whose credential is used. The default is the reseller's. */
	clientName?: ClientName;
	/** The credential to use instead of the shared one. */
	credentialStore?: CredentialStore;
}

/** Runs nodes against a stand-in. The stand-in is reset before each test. */
export class NodeFixture {
	private startedStandIn: StandIn | undefined;
	private storesByClient = new Map<ClientName, CredentialStore>();

	constructor(private readonly options: StandInOptions) {}

	/**
	 * The running stand-in.
	 * @throws Error before `start`
	 */
	get standIn(): StandIn {
		if (!this.startedStandIn) throw new Error('The service is not started yet');
		return this.startedStandIn;
	}

	async start(): Promise<void> {
		this.startedStandIn = await startStandIn(this.options);
	}

	/** Returns the data of a credential, as a user would enter it. */
	buildCredentialData(clientName: ClientName = 'reseller', overrides: IDataObject = {}): IDataObject {
		const { clientId, clientSecret } = this.standIn.clients[clientName];
		const { companyHeader } = this.options;
		const data: IDataObject = { serverUrl: this.standIn.url, clientId, clientSecret };
		if (companyHeader !== undefined) data.companyHeaderName = companyHeader;
		return { ...data, ...overrides };
	}

	/** Creates a credential that has no token yet. */
	createCredentialStore(clientName: ClientName = 'reseller', overrides: IDataObject = {}): CredentialStore {
		return new CredentialStore(parseCredentialValues(this.buildCredentialData(clientName, overrides)));
	}

	/** Returns the credential that the runs of this file share, including its token. */
	private getSharedCredential(clientName: ClientName = 'reseller'): CredentialStore {
		const credential = this.storesByClient.get(clientName) ?? this.createCredentialStore(clientName);
		this.storesByClient.set(clientName, credential);
		return credential;
	}

	/** Runs a node against the stand-in. */
	async run(nodeClass: NodeClass, parameters: IDataObject, options: FixtureRunOptions = {}): Promise<RunResult> {
		const { clientName, credentialStore, ...runOptions } = options;
		const credential = credentialStore ?? this.getSharedCredential(clientName);
		return await runNode({ node: getInstance(nodeClass), parameters, credential, ...runOptions });
	}

	/** Loads the list of a resource locator, as the editor does. */
	async searchList(
		nodeClass: NodeClass,
		method: string,
		options: { clientName?: ClientName; filter?: string; paginationToken?: string } = {},
	) {
		const { clientName, ...searchOptions } = options;
		const credential = this.getSharedCredential(clientName);
		return await callListSearch({
			node: getInstance(nodeClass),
			parameters: {},
			credential,
			method,
			...searchOptions,
		});
	}

	/** Loads the options of a drop-down list, as the editor does. */
	async loadOptions(nodeClass: NodeClass, method: string, clientName?: ClientName) {
		const credential = this.getSharedCredential(clientName);
		return await callLoadOptions({ node: getInstance(nodeClass), parameters: {}, credential, method });
	}

	/** The requests since the log was cleared, without token requests. */
	get requests(): LoggedRequest[] {
		return this.standIn.log.filter(({ route }) => route !== TOKEN_ROUTE);
	}

	/** The number of token requests since the log was cleared. */
	get tokenRequestCount(): number {
		return this.standIn.getRequests(TOKEN_ROUTE).length;
	}

	/** The largest number of requests that were in progress at once, without token requests. */
	get maxInFlightCount(): number {
		return Math.max(0, ...this.requests.map(({ inFlightCount }) => inFlightCount));
	}
}

/**
 * Creates a fixture that starts before the tests of a file, and resets before each of them. Random retry pauses are set
 * to zero.
 */
export function createNodeFixture(options: StandInOptions = {}): NodeFixture {
	const fixture = new NodeFixture(options);
	beforeAll(() => fixture.start());
	beforeEach(() => {
		fixture.standIn.reset();
		fixture.standIn.setOptions({
			latencyMs: 0,
			tokenLifetimeSeconds: 3600,
			shouldRevokeEarlierTokens: false,
			requestsPerToken: Infinity,
		});
		jest.spyOn(Math, 'random').mockReturnValue(0);
	});
	afterEach(() => {
		jest.restoreAllMocks();
		closeFakeServers();
	});
	afterAll(() => fixture.standIn.close());
	return fixture;
}

const credentialSchema = z.record(z.union([z.string(), z.number(), z.boolean()]));
/** Parses the data of a credential, whose values are texts, numbers or booleans. */
export const parseCredentialValues = (value: unknown) => credentialSchema.parse(value);

/** An error that n8n shows for a node. */
export type NodeError = NodeApiError | NodeOperationError;

/**
 * Returns the error that a run ends with.
 * @throws Error if the run succeeds, or throws another kind of error
 */
export async function catchNodeError(run: Promise<unknown>): Promise<NodeError> {
	const error: unknown = await run.then(
		() => undefined,
		(reason: unknown) => reason,
	);
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	throw new Error('The run did not end with an error of n8n', { cause: error });
}

/** Returns the JSON of items. */
export const getJson = (items: INodeExecutionData[] = []): IDataObject[] => items.map(({ json }) => json);
/** Returns the messages of a run's hints. */
export const getHintMessages = ({ hints }: RunResult): string[] => hints.map(({ message }) => message);

/** The schema of an item that describes an error, on the regular output or on the error output. */
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
/**
 * Parses the JSON of an item that describes an error.
 * @throws ZodError if it is another item
 */
export const parseFailedItem = (item: INodeExecutionData | undefined) => failedItemSchema.parse(item?.json);
/** Returns true if an item describes an error. */
export const isFailedItem = ({ json }: INodeExecutionData) => json.error !== undefined;

/** Creates items from JSON objects. */
export const toItems = (...jsons: IDataObject[]): INodeExecutionData[] => jsons.map((json) => ({ json }));
/** Creates `count` JSON objects that each contain their index. */
export const createIndexRecords = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ index }));

/**
 * Returns a value that must be a text.
 * @throws ZodError if it is not
 */
export const parseText = (value: unknown): string => z.string().parse(value);
const bodySchema = z.record(z.unknown());
/** Parses the JSON body of a logged request. */
export const parseBody = (request: LoggedRequest | undefined) => bodySchema.parse(request?.body);
/** Parses the page number in the body of a logged request. */
export const parsePageNumber = (request: LoggedRequest | undefined): number =>
	z.number().parse(parseBody(request).pageNumber);

export { requireValue };

export type { BinaryMode };

const openServers: Server[] = [];
/** Closes the fake servers that the current test has started. */
export const closeFakeServers = () => {
	for (const server of openServers.splice(0)) server.close().closeAllConnections();
};

/** A request to a fake server. */
export interface FakeServerRequest {
	/** The method and path: "GET /api/companies/c1". */
	route: string;
	url: string;
	headers: IncomingHttpHeaders;
	/** The value of the header that contains the company's ID. */
	companyId: unknown;
	/** The parsed JSON body; empty if the body is no JSON object. */
	body: Record<string, unknown>;
}

/**
 * The reply of a fake server to one route: the data in an envelope, a CSV, or a status with the whole body. A function
 * returns the data, or a number to reply with an error of that status.
 */
export type RouteReply =
	{ data: unknown } | { csv: string } | { status: number; body?: unknown } | ((request: FakeServerRequest) => unknown);

type RequestHandler = (request: FakeServerRequest, response: ServerResponse, token: string) => void;

const NOT_FOUND_REPLY = { status: 404, body: { status: 'NOT_FOUND', message: 'There is no such address.' } };

/** Creates a handler that replies to the listed routes, and with a 404 to any other. */
function createRouteHandler(routes: Record<string, RouteReply>): RequestHandler {
	return (request, response) => {
		const reply = routes[request.route] ?? NOT_FOUND_REPLY;
		if (typeof reply === 'function') {
			const data = reply(request);
			return typeof data === 'number'
				? sendJson(response, data, { status: 'INPUT_ERROR', message: 'Invalid request' })
				: sendJson(response, 200, { data, status: 'SUCCESS' });
		}
		if ('csv' in reply) return response.writeHead(200, { 'content-type': 'text/csv' }).end(reply.csv);
		if ('data' in reply) return sendJson(response, 200, { ...reply, status: 'SUCCESS' });
		if (typeof reply.body === 'string')
			return response.writeHead(reply.status, { 'content-type': 'text/html' }).end(reply.body);
		return sendJson(response, reply.status, reply.body ?? { status: 'ERROR', message: 'No.' });
	};
}

/**
 * Starts a server that sends the replies of a test. It is for replies that the stand-in never sends. The server also
 * issues tokens, and it is closed after the test.
 * @param replies the reply to each route, such as "GET /api/codetypes", or a function that handles every request
 * @param onToken replies to token requests
 */
export async function startFakeServer(
	replies: RequestHandler | Record<string, RouteReply>,
	onToken?: (response: ServerResponse) => void,
) {
	const handleRequest = typeof replies === 'function' ? replies : createRouteHandler(replies);
	const requests: FakeServerRequest[] = [];
	let tokenRequestCount = 0;
	const token = 'the-token-of-the-odd-service';
	const serve = async (request: IncomingMessage, response: ServerResponse) => {
		const bodyText = await readText(request).catch(() => '');
		const { url = '', method, headers } = request;
		if (url === '/connect/token') {
			tokenRequestCount++;
			if (onToken) onToken(response);
			else sendJson(response, 200, { access_token: token, token_type: 'Bearer', expires_in: 3600 });
			return;
		}
		const body = bodyText.startsWith('{') ? bodySchema.parse(JSON.parse(bodyText)) : {};
		const companyId = headers['x-service-company-id'];
		const fakeRequest: FakeServerRequest = { route: `${method} ${url}`, url, headers, companyId, body };
		requests.push(fakeRequest);
		handleRequest(fakeRequest, response, token);
	};
	const server = createServer((request, response) => {
		serve(request, response).catch((error: Error) => response.destroy(error));
	}).listen(0, '127.0.0.1');
	openServers.push(server);
	await once(server, 'listening');
	const { port } = z.object({ port: z.number() }).parse(server.address());
	const serverUrl = `http://127.0.0.1:${port}`;
	return {
		url: serverUrl,
		requests,
		getTokenRequestCount: () => tokenRequestCount,
		credentialStore: new CredentialStore({ serverUrl, clientId: 'id', clientSecret: 'the-secret-of-the-odd-service' }),
	};
}

/** Sends a JSON response. */
export const sendJson = (
	response: ServerResponse,
	status: number,
	body: unknown,
	headers: Record<string, string> = {},
) => response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
