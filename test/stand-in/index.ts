import type { Socket } from 'node:net';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { BODY_LIMIT, installBodies } from './body';
import { Faults, TOKEN_ROUTE, type FaultRule } from './faults';
import type { Client } from './holdings';
import { LIVE_OPTIONS, type LiveOptions, type Route, type Service } from './http';
import { RequestLog, type LoggedRequest } from './log';
import { personality as personalityOf, type PersonalityName } from './personality';
import { answer, reject } from './pipeline';
import { absentKeys, allRoutes } from './routes';
import { Tokens } from './tokens';
import { beginningOf, World } from './world';

export type { FaultKind, FaultRule } from './faults';
export type { Client } from './holdings';
export type { LoggedRequest } from './log';
export type { PersonalityName } from './personality';
export type { World as State } from './world';

/** The settings of the service. */
export interface ServiceOptions {
	/** 0 (the default) takes any free port. */
	port?: number;
	host?: string;
	/** How many companies there are, nested ones included. */
	companies?: number;
	latencyMs?: number;
	/** Which deployment it acts as; 'contract', unless given. */
	personality?: PersonalityName;
	/** The moment that seeded dates are based on, so that they are of today; a fixed day unless given. */
	today?: number;
	/** The name of the header with the company, which white-label deployments rename (deployment facts); the contract's, unless given. */
	companyHeader?: string;
}

/** A running stand-in service. */
export interface StandIn {
	url: string;
	clients: { reseller: Client; companyAdmin: Client; blocked: Client; limited: Client };
	/** Every request in order; always the same array. */
	log: LoggedRequest[];
	clearLog(): void;
	/** The requests of one operation (a contract key), or all. */
	requests(route?: string): LoggedRequest[];
	fault(rule: FaultRule): void;
	clearFaults(): void;
	/** Makes every token that was issued so far invalid, so that it is answered with 401. */
	expireTokens(): void;
	/** Changes latency, token life, the largest page and so on while it runs; exportBytes is the size of the next leaderboard export. */
	setOptions(options: Partial<LiveOptions>): void;
	/** The keys of all operations that are served, token endpoint excluded. */
	routes: readonly string[];
	/** All data, as it is now. */
	readonly state: World;
	/** Back to the seed; log and faults cleared, tokens kept. */
	reset(): void;
	close(): Promise<void>;
}

function clientsOf(world: World): StandIn['clients'] {
	const client = (name: string, role: string, companyResourceId?: string): Client => ({
		clientId: `${name}-client`,
		clientSecret: world.signIn(`${name}-client`)?.clientSecret ?? '',
		role,
		...(companyResourceId === undefined ? {} : { companyResourceId }),
	});
	return {
		reseller: client('reseller', 'Reseller'),
		companyAdmin: client('company-admin', 'Company Admin', world.adminCompany.companyResourceId),
		blocked: client('blocked', 'Reseller'),
		limited: client('limited', 'Reseller'),
	};
}

const inServersNotation = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

/** Starts the service; it answers when the promise is fulfilled. */
export async function startService(options: ServiceOptions = {}): Promise<StandIn> {
	const { port = 0, host = '127.0.0.1', companies = 500, latencyMs = 0 } = options;
	const named = personalityOf(options.personality ?? 'contract');
	const personality = { ...named, scopeHeader: options.companyHeader?.toLowerCase() ?? named.scopeHeader };
	const beginning = beginningOf(companies, personality.name, options.today);
	const service: Service = {
		world: new World(beginning, personality.name),
		options: { ...LIVE_OPTIONS, latencyMs },
		personality,
		routes: allRoutes(personality),
		tokens: new Tokens(),
		log: new RequestLog(),
		faults: new Faults(),
		baseUrl: '',
	};
	const entries = new WeakMap<FastifyRequest, LoggedRequest>();
	const noted = (request: FastifyRequest, reply: FastifyReply, key: string): LoggedRequest => {
		const there = entries.get(request);
		if (there) return there;
		const [path = ''] = request.url.split('?');
		const entry = service.log.open(key, request.method, path, request.headers);
		reply.raw.once('close', () => service.log.close());
		entries.set(request, entry);
		return entry;
	};
	const refuse = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
		reply.hijack();
		void reject(service, reply.raw, error, noted(request, reply, 'unknown'));
	};

	const app = fastify({
		bodyLimit: BODY_LIMIT,
		exposeHeadRoutes: false,
		forceCloseConnections: true,
		routerOptions: { maxParamLength: 4096 },
		frameworkErrors: refuse,
	});
	await installBodies(app);
	app.setErrorHandler(refuse);

	const keys = new Map<string, string>();
	app.addHook('onRequest', (request, reply, done) => {
		noted(request, reply, keys.get(`${request.method} ${request.routeOptions.url ?? ''}`) ?? 'unknown');
		done();
	});
	const serve = (route: Route | undefined) => async (request: FastifyRequest, reply: FastifyReply) => {
		reply.hijack();
		await answer(service, request, reply.raw, route, noted(request, reply, 'unknown'));
	};
	const add = (key: string, route?: Route) => {
		const [method = 'GET', path = ''] = (route?.at ?? key).split(' ');
		const url = inServersNotation(path);
		keys.set(`${method} ${url}`, key);
		app.route({ method, url, handler: serve(route) });
	};
	add(TOKEN_ROUTE);
	for (const key of absentKeys(personality)) add(key);
	for (const route of service.routes) add(route.key, route);
	app.setNotFoundHandler(serve(undefined));

	const sockets = new Set<Socket>();
	app.server.on('connection', (socket) => {
		sockets.add(socket);
		socket.once('close', () => sockets.delete(socket));
	});
	service.baseUrl = await app.listen({ port, host });

	return {
		url: service.baseUrl,
		clients: clientsOf(service.world),
		log: service.log.entries,
		clearLog: () => service.log.clear(),
		requests: (route) => service.log.of(route),
		fault: (rule) => service.faults.add(rule),
		clearFaults: () => service.faults.clear(),
		expireTokens: () => service.tokens.expireAll(),
		setOptions: (changes) => void Object.assign(service.options, changes),
		routes: service.routes.map((route) => route.key),
		get state() {
			return service.world;
		},
		reset() {
			service.world = new World(beginning, personality.name);
			service.log.clear();
			service.faults.clear();
			service.options.exportBytes = undefined;
		},
		async close() {
			// Stalled connections would keep the server open for ever.
			for (const socket of sockets) socket.destroy();
			await app.close();
		},
	};
}
