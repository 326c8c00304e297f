import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import { z } from 'zod';

import { startService, type StandIn } from '../stand-in';
import { write } from '../stand-in/send';

/** An answer that is ready to be sent. */
interface Prepared {
	status: number;
	headers: Record<string, string>;
	content: Buffer;
}

const KEPT_HEADERS = ['content-type', 'content-disposition', 'cache-control'];
const COMPANY_HEADER = 'x-service-company-id';
const EXPORT = '/api/leaderboard/get-all/export';
/** A list that is asked for in pages: what is asked, and which page. */
const search = z.object({ pageNumber: z.number(), pageSize: z.number() }).passthrough();
const page = z.object({ data: z.object({ results: z.array(z.unknown()) }).passthrough() }).passthrough();
const tokenAnswer = z.object({ access_token: z.string() });
/** Larger than a file that the stand-in sends with its length. */
const PIECE = 2 ** 21;
const EVERYTHING = 1_000_000;

/** Where a service listens, and a client for it. */
export const placeShape = z.object({ url: z.string(), clientId: z.string(), clientSecret: z.string() });
export type Place = z.output<typeof placeShape>;

/** What was asked in a time. */
export interface Counted {
	requests: number;
	mostInFlight: number;
	/** How often each path was asked, by its name; one that names a company by `<path> of a company`. */
	paths: Record<string, number>;
}

/**
 * A fast server before the stand-in service. A search for 50,000 records takes the stand-in almost a second, and one in
 * all of 50,000 companies several, so each answer is asked for once, and the same bytes are sent from then on.
 */
export class Front {
	latencyMs = 0;
	exportBytes = 0;
	private requests = 0;
	private inFlight = 0;
	private mostInFlight = 0;
	private paths: Record<string, number> = {};
	private readonly prepared = new Map<string, Promise<Prepared>>();
	private readonly lists = new Map<string, Promise<z.output<typeof page>>>();
	private token = '';

	private constructor(
		readonly service: StandIn,
		readonly place: Place,
	) {}

	/** Starts a stand-in service and a front before it, on a free port. */
	static async start(companies: number): Promise<Front> {
		const service = await startService({ companies });
		const server = createServer();
		// n8n's own node may send thousands of requests at once; none may be refused.
		await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1', backlog: 16_384 }, resolve));
		const { port } = z.object({ port: z.number() }).parse(server.address());
		const { clientId, clientSecret } = service.clients.reseller;
		const front = new Front(service, { url: `http://127.0.0.1:${port}`, clientId, clientSecret });
		await front.open();
		server.on('request', (request, response) => {
			void front
				.handle(request, response)
				.catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
		});
		return front;
	}

	/** @returns what was counted since the last time */
	count(): Counted {
		const { requests, mostInFlight, paths } = this;
		Object.assign(this, { requests: 0, mostInFlight: this.inFlight, paths: {} });
		return { requests, mostInFlight, paths };
	}

	/** Forgets its answers, after the data of the service have changed. */
	forget(): void {
		this.prepared.clear();
		this.lists.clear();
	}

	/** Gets a token of its own, with which it asks for what it prepares. */
	private async open(): Promise<void> {
		const { clientId, clientSecret } = this.service.clients.reseller;
		const form = { grant_type: 'client_credentials', scope: 'api1', client_id: clientId, client_secret: clientSecret };
		const answer = await fetch(`${this.service.url}/connect/token`, {
			method: 'POST',
			body: new URLSearchParams(form),
		});
		this.token = tokenAnswer.parse(await answer.json()).access_token;
	}

	private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		this.requests++;
		const path = `${request.url ?? ''}${request.headers[COMPANY_HEADER] ? ' of a company' : ''}`;
		this.paths[path] = (this.paths[path] ?? 0) + 1;
		this.mostInFlight = Math.max(this.mostInFlight, ++this.inFlight);
		response.once('close', () => this.inFlight--);
		const body = await text(request);
		const isExport = request.url === EXPORT && this.exportBytes > 0;
		const answer = isExport ? await this.piece(body) : await this.answer(request, body);
		if (this.latencyMs > 0) await sleep(this.latencyMs);
		if (isExport) await this.sendFile(response, answer);
		else
			response
				.writeHead(answer.status, { ...answer.headers, 'content-length': answer.content.length })
				.end(answer.content);
	}

	private async answer(request: IncomingMessage, body: string): Promise<Prepared> {
		const { method = 'GET', url = '', headers } = request;
		const company = String(headers[COMPANY_HEADER] ?? '');
		const authorization = String(headers.authorization ?? '');
		// Token requests, and requests without a token, are forwarded to the stand-in service.
		if (url.startsWith('/connect/') || !authorization.startsWith('Bearer '))
			return await this.forward(method, url, body, company, authorization, String(headers['content-type'] ?? ''));
		const key = `${method} ${url} ${company} ${body}`;
		const known = this.prepared.get(key);
		if (known) return await known;
		const made = this.prepare(method, url, body, company);
		this.prepared.set(key, made);
		return await made;
	}

	private async prepare(method: string, url: string, body: string, company: string): Promise<Prepared> {
		const asked = company === '' && url.endsWith('/search') ? search.safeParse(JSON.parse(body)).data : undefined;
		if (!asked) return await this.forward(method, url, body, company);
		const { pageNumber, pageSize, ...rest } = asked;
		const key = `${url} ${company} ${JSON.stringify(rest)}`;
		const whole = this.lists.get(key) ?? this.whole(method, url, rest, company);
		this.lists.set(key, whole);
		const { data, ...envelope } = await whole;
		const results = data.results.slice((pageNumber - 1) * pageSize, pageNumber * pageSize);
		const pages = Math.ceil(data.results.length / pageSize);
		return {
			status: 200,
			headers: { 'content-type': 'application/json; charset=utf-8' },
			content: Buffer.from(
				JSON.stringify({ data: { ...data, pageNumber, pageSize, totalNumberOfPages: pages, results }, ...envelope }),
			),
		};
	}

	/** All of a list, which the front then cuts into pages itself. */
	private async whole(method: string, url: string, rest: object, company: string) {
		const body = JSON.stringify({ ...rest, pageNumber: 1, pageSize: EVERYTHING });
		const { content } = await this.forward(method, url, body, company);
		return page.parse(JSON.parse(content.toString()));
	}

	/** The beginning of a large export. */
	private async piece(body: string): Promise<Prepared> {
		const key = `piece ${body}`;
		const made = this.prepared.get(key) ?? this.forward('POST', EXPORT, body, '');
		if (!this.prepared.has(key)) this.service.setOptions({ exportBytes: PIECE });
		this.prepared.set(key, made);
		return await made;
	}

	/** A file of any size, in chunks and without its length, as the stand-in sends large ones. */
	private async sendFile(response: ServerResponse, { status, headers, content }: Prepared): Promise<void> {
		response.writeHead(status, headers);
		for (let left = this.exportBytes; left > 0; left -= content.length)
			if (!(await write(response, left < content.length ? content.subarray(0, left) : content))) break;
		response.end();
	}

	private async forward(
		method: string,
		url: string,
		body: string,
		company: string,
		authorization = `Bearer ${this.token}`,
		type = 'application/json',
	): Promise<Prepared> {
		const answer = await fetch(this.service.url + url, {
			method,
			headers: { authorization, 'content-type': type, ...(company ? { [COMPANY_HEADER]: company } : {}) },
			...(method === 'GET' ? {} : { body }),
		});
		const headers = Object.fromEntries(
			KEPT_HEADERS.flatMap((name) => {
				const value = answer.headers.get(name);
				return value === null ? [] : [[name, value]];
			}),
		);
		return { status: answer.status, headers, content: Buffer.from(await answer.arrayBuffer()) };
	}
}
