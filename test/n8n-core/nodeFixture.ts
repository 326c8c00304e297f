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
import { instanceOf } from './package';
import { startService, type LoggedRequest, type ServiceOptions, type StandIn } from '../stand-in';

export type NodeClass = new () => INodeType;
export type Who = keyof StandIn['clients'];
export const TOKEN = 'POST /connect/token';

export interface RunMore extends Partial<Omit<RunOptions, 'node' | 'parameters' | 'credential'>> {
	/** Whose credential; the Reseller's, unless given. */
	as?: Who;
	/** A credential of the test's own. */
	store?: CredentialStore;
}

/** A service for one test file, as seeded before every test, and nodes that run against it. */
export class NodeFixture {
	private started: StandIn | undefined;
	private stores = new Map<Who, CredentialStore>();

	constructor(private readonly options: ServiceOptions) {}

	get service(): StandIn {
		if (!this.started) throw new Error('The service is not started yet');
		return this.started;
	}

	async start(): Promise<void> {
		this.started = await startService(this.options);
	}

	/** The data of a credential, as a person would fill it in. */
	credential(who: Who = 'reseller', more: IDataObject = {}): IDataObject {
		const { clientId, clientSecret } = this.service.clients[who];
		const { companyHeader } = this.options;
		const header = companyHeader === undefined ? {} : { companyHeaderName: companyHeader };
		return { serverUrl: this.service.url, clientId, clientSecret, ...header, ...more };
	}

	/** A credential that nothing has used yet, so without a token. */
	newStore(who: Who = 'reseller', more: IDataObject = {}): CredentialStore {
		return new CredentialStore(asData(this.credential(who, more)));
	}

	/** The credential that the runs of this file share, and with it the token. */
	private storeOf({ as = 'reseller', store }: { as?: Who; store?: CredentialStore }): CredentialStore {
		const shared = store ?? this.stores.get(as) ?? this.newStore(as);
		if (!store) this.stores.set(as, shared);
		return shared;
	}

	async run(nodeClass: NodeClass, parameters: IDataObject, { as, store, ...more }: RunMore = {}): Promise<RunResult> {
		const credential = this.storeOf({ ...(as ? { as } : {}), ...(store ? { store } : {}) });
		return await runNode({ node: instanceOf(nodeClass), parameters, credential, ...more });
	}

	async pick(nodeClass: NodeClass, method: string, more: { as?: Who; filter?: string; paginationToken?: string } = {}) {
		const { as, ...rest } = more;
		const credential = this.storeOf(as ? { as } : {});
		return await callListSearch({ node: instanceOf(nodeClass), parameters: {}, credential, method, ...rest });
	}

	async load(nodeClass: NodeClass, method: string, as?: Who) {
		const credential = this.storeOf(as ? { as } : {});
		return await callLoadOptions({ node: instanceOf(nodeClass), parameters: {}, credential, method });
	}

	/** What was asked of the service, tokens aside. */
	get asked(): LoggedRequest[] {
		return this.service.log.filter(({ route }) => route !== TOKEN);
	}

	get tokenRequests(): number {
		return this.service.requests(TOKEN).length;
	}

	/** The most requests that were in flight at once, tokens aside. */
	get mostInFlight(): number {
		return Math.max(0, ...this.asked.map(({ inFlight }) => inFlight));
	}
}

/** Starts a service for the file. Pauses between tries are random and up to half a minute: here they take no time. */
export function nodeFixture(options: ServiceOptions = {}): NodeFixture {
	const made = new NodeFixture(options);
	beforeAll(async () => made.start());
	beforeEach(() => {
		made.service.reset();
		made.service.setOptions({
			latencyMs: 0,
			tokenLifetimeSeconds: 3600,
			newTokenVoidsFormer: false,
			requestsPerToken: Infinity,
		});
		jest.spyOn(Math, 'random').mockReturnValue(0);
	});
	afterEach(() => {
		jest.restoreAllMocks();
		closeOdd();
	});
	afterAll(async () => made.service.close());
	return made;
}

const credentialData = z.record(z.union([z.string(), z.number(), z.boolean()]));
export const asData = (value: unknown) => credentialData.parse(value);

export type NodeError = NodeApiError | NodeOperationError;

/** The error a run ends with; a run that works is a failure of the test. */
export async function failureOf(run: Promise<unknown>): Promise<NodeError> {
	const thrown: unknown = await run.then(
		() => undefined,
		(error: unknown) => error,
	);
	if (thrown instanceof NodeApiError || thrown instanceof NodeOperationError) return thrown;
	throw new Error('The run did not end with an error of n8n', { cause: thrown });
}

export const jsonOf = (items: INodeExecutionData[] = []): IDataObject[] => items.map(({ json }) => json);
export const hintsOf = ({ hints }: RunResult): string[] => hints.map(({ message }) => message);

/** What an item on either output says about a failure. */
const failure = z.object({
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
export const failedItem = (item: INodeExecutionData | undefined) => failure.parse(item?.json);
export const isFailed = ({ json }: INodeExecutionData) => json.error !== undefined;

export const itemsOf = (...jsons: IDataObject[]): INodeExecutionData[] => jsons.map((json) => ({ json }));
export const times = (count: number): IDataObject[] => Array.from({ length: count }, (_, index) => ({ index }));

export const textOf = (value: unknown): string => z.string().parse(value);
const body = z.record(z.unknown());
/** A request's JSON body. */
export const bodyOf = (request: LoggedRequest | undefined) => body.parse(request?.body);
export const pageOf = (request: LoggedRequest | undefined): number => z.number().parse(bodyOf(request).pageNumber);

/** The value, where the test's own data must have one. */
export function the<T>(value: T | null | undefined): T {
	if (value === undefined || value === null) throw new Error('The test data has no such value');
	return value;
}

export type { BinaryMode };

const odd: Server[] = [];
export const closeOdd = () => {
	for (const server of odd.splice(0)) server.close().closeAllConnections();
};

/** A request to a server of `answering`. */
export interface Asked {
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
export type Given =
	{ data: unknown } | { csv: string } | { status: number; body?: unknown } | ((asked: Asked) => unknown);

type Answer = (asked: Asked, response: ServerResponse, token: string) => void;

const NOWHERE = { status: 404, body: { status: 'NOT_FOUND', message: 'There is no such address.' } };

/** Answers with only the operations that are given; every other path is a 404. */
const byRoute =
	(routes: Record<string, Given>): Answer =>
	(asked, response) => {
		const given = routes[asked.route] ?? NOWHERE;
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
export async function answering(answer: Answer | Record<string, Given>, onToken?: (response: ServerResponse) => void) {
	const send = typeof answer === 'function' ? answer : byRoute(answer);
	const requests: Asked[] = [];
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
		const asked: Asked = { route: `${method} ${url}`, url, headers, company, body: json };
		requests.push(asked);
		send(asked, response, token);
	};
	const server = createServer((request, response) => void serve(request, response)).listen(0, '127.0.0.1');
	odd.push(server);
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
