import type { Socket } from 'node:net';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { beginningOf } from './beginning';
import { BODY_LIMIT, installBodies } from './body';
import { CONTROL, installControl } from './control';
import { Faults, TOKEN_ROUTE, type FaultRule } from './faults';
import type { LiveOptions, Route } from './http';
import { RequestLog, type LoggedRequest } from './log';
import { personality as personalityOf, type PersonalityName } from './personality';
import { Pipeline } from './pipeline';
import type { Service } from './service';
import { absentKeys, allRoutes } from './routes';
import { Tokens } from './tokens';
import { stateOf, type State } from './state';
import { World } from './world';
import type { Client } from './holdings';

export type { FaultKind, FaultRule } from './faults';
export type { LoggedRequest } from './log';
export type { PersonalityName } from './personality';
export type { FullReportJob } from './full-report';
export type { Client } from './holdings';
export type { State } from './state';

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
	/** The name of the header with the company, which white-label deployments rename (deployment facts); the contract's, unless given. */
	companyHeader?: string;
	tokenLifetimeSeconds?: number;
	/** The company 'Harbour Bakery' and the Company Admin's have a job with 500 people in each simulator: see state.fullReportJob. */
	bigJob?: boolean;
	/** A new token of a client voids the former ones of it. */
	newTokenVoidsFormer?: boolean;
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
	state: State;
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

/** Where an operation is served: its key's path in the server's notation. */
function pathsOf(route: Route): string[] {
	const [, path = ''] = route.key.split(' ');
	return (route.paths ?? [path]).map(inServersNotation);
}

/** Starts the service; it answers when the promise is fulfilled. */
export async function startService(options: ServiceOptions = {}): Promise<StandIn> {
	const { port = 0, host = '127.0.0.1', companies = 500 } = options;
	const startedAt = Date.now();
	const named = personalityOf(options.personality ?? 'contract');
	const personality = { ...named, scopeHeader: options.companyHeader?.toLowerCase() ?? named.scopeHeader };
	const beginning = beginningOf(companies, startedAt, personality.name);
	const seed = () => new World(beginning, personality.name, options.bigJob);
	const service: Service = {
		world: seed(),
		options: {
			latencyMs: options.latencyMs ?? 0,
			tokenLifetimeSeconds: options.tokenLifetimeSeconds ?? 3600,
			newTokenVoidsFormer: options.newTokenVoidsFormer ?? false,
			maxPageSize: Infinity,
			exportBytes: undefined,
			helpers: true,
			participants: 'add',
			inputErrorsAs200: false,
			createdCampaigns: undefined,
			clock: undefined,
			garble: undefined,
			beforeAnswer: undefined,
		},
		personality,
		routes: allRoutes(personality),
		tokens: new Tokens(),
		log: new RequestLog(),
		faults: new Faults(),
		baseUrl: '',
	};
	const pipeline = new Pipeline(service);
	const state = stateOf(() => service.world);
	const entries = new WeakMap<FastifyRequest, LoggedRequest>();
	const noted = (request: FastifyRequest, key: string): LoggedRequest => {
		const there = entries.get(request);
		if (there) return there;
		const [path = ''] = request.url.split('?');
		const entry = service.log.open(key, request.method, path, request.headers);
		entries.set(request, entry);
		return entry;
	};

	const app = fastify({
		bodyLimit: BODY_LIMIT,
		exposeHeadRoutes: false,
		forceCloseConnections: true,
		routerOptions: { maxParamLength: 4096 },
		frameworkErrors(error, request, reply) {
			const entry = noted(request, 'unknown');
			reply.raw.once('close', () => service.log.close());
			reply.hijack();
			void pipeline.reject(reply, error, entry);
		},
	});
	await installBodies(app);

	const keys = new Map<string, string>([['POST /connect/token', TOKEN_ROUTE]]);
	app.addHook('onRequest', (request, reply, done) => {
		if (!request.url.startsWith(CONTROL)) {
			noted(request, keys.get(`${request.method} ${request.routeOptions.url ?? ''}`) ?? 'unknown');
			reply.raw.once('close', () => service.log.close());
		}
		done();
	});
	const serve = (route: Route | undefined) => async (request: FastifyRequest, reply: FastifyReply) => {
		reply.hijack();
		await pipeline.run(request, reply, route, noted(request, route?.key ?? 'unknown'));
	};
	app.post('/connect/token', serve(undefined));
	for (const key of absentKeys(personality)) {
		const [method = 'POST', path = ''] = key.split(' ');
		const url = inServersNotation(path);
		keys.set(`${method} ${url}`, key);
		app.route({ method, url, handler: serve(undefined) });
	}
	for (const route of service.routes) {
		const [method = 'GET'] = route.key.split(' ');
		for (const url of pathsOf(route)) {
			keys.set(`${method} ${url}`, route.key);
			app.route({ method, url, handler: serve(route) });
		}
	}
	app.setNotFoundHandler(serve(undefined));
	app.setErrorHandler(async (error, request, reply) => {
		if (request.url.startsWith(CONTROL)) return await reply.code(400).send({ ok: false, message: String(error) });
		reply.hijack();
		return await pipeline.reject(reply, error, noted(request, 'unknown'));
	});

	const reset = () => {
		service.world = seed();
		service.log.clear();
		service.faults.clear();
		service.options.exportBytes = undefined;
	};
	installControl(app, service, state, reset);

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
		state,
		reset,
		async close() {
			// Stalled connections would keep the server open for ever.
			for (const socket of sockets) socket.destroy();
			await app.close();
		},
	};
}
