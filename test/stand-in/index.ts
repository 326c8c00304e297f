import type { Socket } from 'node:net';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { BODY_LIMIT, registerBodyParsers } from './body';
import { ActiveFaults, TOKEN_ROUTE, type FaultRule } from './faults';
import type { ClientCredential } from './companyData';
import { DEFAULT_RUNTIME_OPTIONS, type RuntimeOptions, type Route, type StandInServer } from './http';
import { RequestLog, type LoggedRequest } from './log';
import { getProfile, type ProfileName } from './profile';
import { respond, rejectRequest } from './pipeline';
import { listAbsentKeys, listRoutes } from './routes';
import { IssuedTokens } from './tokens';
import { createInitialData, World } from './world';

export type { FaultKind, FaultRule } from './faults';
export type { ClientCredential } from './companyData';
export type { LoggedRequest } from './log';
export type { World } from './world';
export type { ProfileName } from './profile';

/** The settings that the stand-in is started with. */
export interface StandInOptions {
	/** The port to listen on. The default, 0, takes any free port. */
	port?: number;
	host?: string;
	/** The number of companies, nested ones included. The default is 500. */
	companyCount?: number;
	/** The delay before each response, in milliseconds. */
	latencyMs?: number;
	/** The platform profile that the stand-in follows. The default is 'contract'. */
	profile?: ProfileName;
	/** The time in milliseconds that seeded dates are relative to. The default is a fixed day. */
	referenceTime?: number;
	/**
	 * The name of the request header that contains the company's ID. White-label deployments rename it (deployment facts,
	 * "Naming"). The default is the contract's name.
	 */
	companyHeader?: string;
}

/** A running stand-in: a fake platform behind a real HTTP server. */
export interface StandIn {
	url: string;
	/** The API clients that tests can sign in with. */
	clients: Record<'reseller' | 'companyAdmin' | 'blocked' | 'limited', ClientCredential>;
	/** All requests so far, in order. The array stays the same, so tests can keep a reference to it. */
	log: LoggedRequest[];
	clearLog(): void;
	/**
	 * Returns the requests to one operation, given by its method and path in the contract. Without an argument, it
	 * returns all requests.
	 */
	getRequests(route?: string): LoggedRequest[];
	/** Adds a fault rule to the active ones. */
	addFault(rule: FaultRule): void;
	clearFaults(): void;
	/** Revokes every token issued so far, so that requests with these tokens get a 401. */
	expireTokens(): void;
	/** Changes settings while the stand-in runs, such as the latency or the largest page. */
	setOptions(options: Partial<RuntimeOptions>): void;
	/** The method and path of every operation that the stand-in serves, except the token endpoint. */
	routeKeys: readonly string[];
	/** The current data of the platform. */
	readonly world: World;
	/** Restores the seed data and clears the log and the faults. Tokens stay valid. */
	reset(): void;
	/** Stops the server and closes all connections. */
	close(): Promise<void>;
}

function buildClients(world: World): StandIn['clients'] {
	const buildClient = (name: string, role: string, companyResourceId?: string): ClientCredential => {
		const client: ClientCredential = {
			clientId: `${name}-client`,
			clientSecret: world.findSignInClient(`${name}-client`)?.clientSecret ?? '',
			role,
		};
		if (companyResourceId !== undefined) client.companyResourceId = companyResourceId;
		return client;
	};
	return {
		reseller: buildClient('reseller', 'Reseller'),
		companyAdmin: buildClient('company-admin', 'Company Admin', world.adminCompany.companyResourceId),
		blocked: buildClient('blocked', 'Reseller'),
		limited: buildClient('limited', 'Reseller'),
	};
}

function toFastifyPath(path: string): string {
	return path.replace(/\{(\w+)\}/g, ':$1');
}

/** Starts a stand-in. When the promise resolves, the stand-in accepts requests. */
export async function startStandIn(options: StandInOptions = {}): Promise<StandIn> {
	const { port = 0, host = '127.0.0.1', companyCount = 500, latencyMs = 0 } = options;
	const baseProfile = getProfile(options.profile ?? 'contract');
	const profile = { ...baseProfile, companyHeader: options.companyHeader?.toLowerCase() ?? baseProfile.companyHeader };
	const initialData = createInitialData(companyCount, profile.name, options.referenceTime);
	const server: StandInServer = {
		world: new World(initialData, profile.name),
		options: { ...DEFAULT_RUNTIME_OPTIONS, latencyMs },
		profile,
		routes: listRoutes(profile),
		tokens: new IssuedTokens(),
		log: new RequestLog(),
		faults: new ActiveFaults(),
		baseUrl: '',
	};
	const logEntries = new WeakMap<FastifyRequest, LoggedRequest>();
	const getLogEntry = (request: FastifyRequest, reply: FastifyReply, key: string): LoggedRequest => {
		const existingEntry = logEntries.get(request);
		if (existingEntry) return existingEntry;
		const [path = ''] = request.url.split('?');
		const entry = server.log.startRequest(key, request.method, path, request.headers);
		reply.raw.once('close', () => server.log.endRequest());
		logEntries.set(request, entry);
		return entry;
	};
	const rejectBrokenRequest = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
		reply.hijack();
		const entry = getLogEntry(request, reply, 'unknown');
		rejectRequest(server, reply.raw, error, entry).catch(() => reply.raw.destroy());
	};

	const app = fastify({
		bodyLimit: BODY_LIMIT,
		exposeHeadRoutes: false,
		forceCloseConnections: true,
		routerOptions: { maxParamLength: 4096 },
		frameworkErrors: rejectBrokenRequest,
	});
	await registerBodyParsers(app);
	app.setErrorHandler(rejectBrokenRequest);

	const routeKeysByUrl = new Map<string, string>();
	app.addHook('onRequest', (request, reply, done) => {
		getLogEntry(request, reply, routeKeysByUrl.get(`${request.method} ${request.routeOptions.url ?? ''}`) ?? 'unknown');
		done();
	});
	const createHandler = (route: Route | undefined) => async (request: FastifyRequest, reply: FastifyReply) => {
		reply.hijack();
		await respond(server, request, reply.raw, route, getLogEntry(request, reply, 'unknown'));
	};
	const addRoute = (key: string, route?: Route) => {
		const [method = 'GET', path = ''] = (route?.servedAt ?? key).split(' ');
		const url = toFastifyPath(path);
		routeKeysByUrl.set(`${method} ${url}`, key);
		app.route({ method, url, handler: createHandler(route) });
	};
	addRoute(TOKEN_ROUTE);
	for (const key of listAbsentKeys(profile)) addRoute(key);
	for (const route of server.routes) addRoute(route.key, route);
	app.setNotFoundHandler(createHandler(undefined));

	const sockets = new Set<Socket>();
	app.server.on('connection', (socket) => {
		sockets.add(socket);
		socket.once('close', () => sockets.delete(socket));
	});
	server.baseUrl = await app.listen({ port, host });

	return {
		url: server.baseUrl,
		clients: buildClients(server.world),
		log: server.log.entries,
		clearLog: () => server.log.clear(),
		getRequests: (route) => server.log.getRequestsTo(route),
		addFault: (rule) => server.faults.add(rule),
		clearFaults: () => server.faults.clear(),
		expireTokens: () => server.tokens.expireAll(),
		setOptions: (changes) => {
			Object.assign(server.options, changes);
		},
		routeKeys: server.routes.map((route) => route.key),
		get world() {
			return server.world;
		},
		reset() {
			server.world = new World(initialData, profile.name);
			server.log.clear();
			server.faults.clear();
			server.options.leaderboardExportBytes = undefined;
		},
		async close() {
			// Stalled connections would keep the server open forever.
			for (const socket of sockets) socket.destroy();
			await app.close();
		},
	};
}
