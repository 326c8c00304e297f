import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import { z } from 'zod';

import { startStandIn } from '../stand-in';
import { ApiClient } from '../stand-in/apiClient';
import { writeChunk } from '../stand-in/send';

/** An answer that is ready to be sent. */
interface Answer {
	status: number;
	headers: Record<string, string>;
	content: Buffer;
}

/** What was asked in a time. */
export interface Counted {
	requests: number;
	mostInFlight: number;
}

/** A fast server before a stand-in service, with the distance that it keeps. */
export interface Front {
	secrets: { serverUrl: string; clientId: string; clientSecret: string };
	/** The IDs of all companies. */
	companyIds: string[];
	setExportBytes: (bytes: number) => void;
	/** @returns what was counted since the last time */
	count: () => Counted;
	close: () => Promise<void>;
}

/** How a front differs from the usual one. */
interface FrontOptions {
	/** Makes an answer itself, by the path and the company's ID; undefined where it makes none. */
	own?: (path: string, company: string) => { type: string; content: Buffer } | undefined;
	latencyMs?: number;
}

/** How long each answer takes on its way, in ms. */
export const LATENCY_MS = 20;
const KEPT_HEADERS = ['content-type', 'content-disposition', 'cache-control'];
const COMPANY_HEADER = 'x-service-company-id';
const EXPORT = '/api/leaderboard/get-all/export';
/** Larger than a file that the stand-in sends with its length. */
const PIECE = 2 ** 21;
const EVERYTHING = 1_000_000;

const search = z.object({ pageNumber: z.number(), pageSize: z.number() }).passthrough();
const list = z.object({ data: z.object({ results: z.array(z.unknown()) }).passthrough() }).passthrough();
const address = z.object({ port: z.number() });

/**
 * Starts a stand-in service and a front before it. A search in all of 27,000 companies takes the stand-in almost a
 * second, so each answer is asked for once, and the same bytes are sent from then on.
 */
export async function startFront(companies: number, options: FrontOptions = {}): Promise<Front> {
	const { own, latencyMs = LATENCY_MS } = options;
	const service = await startStandIn({ companyCount: companies });
	service.setOptions({ leaderboardExportBytes: PIECE });
	const { clientId, clientSecret } = service.clients.reseller;
	const api = new ApiClient(service, service.clients.reseller);
	const token = String((await api.requestToken()).data.access_token);
	const known = new Map<string, Promise<Answer>>();
	const lists = new Map<string, Promise<z.output<typeof list>>>();
	const counted = { requests: 0, mostInFlight: 0 };
	let inFlight = 0;
	let exportBytes = 0;

	const server = createServer((request, response) => {
		counted.requests++;
		counted.mostInFlight = Math.max(counted.mostInFlight, ++inFlight);
		response.once('close', () => inFlight--);
		void handle(request, response).catch(() => response.destroy());
	});
	// n8n's own node may send thousands of requests at once; none may be refused.
	await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1', backlog: 16_384 }, resolve));
	return {
		secrets: { serverUrl: `http://127.0.0.1:${address.parse(server.address()).port}`, clientId, clientSecret },
		companyIds: service.state.companies.map(({ companyResourceId }) => companyResourceId),
		setExportBytes: (bytes) => (exportBytes = bytes),
		count: () => {
			const now = { ...counted };
			Object.assign(counted, { requests: 0, mostInFlight: inFlight });
			return now;
		},
		close: async () => {
			server.closeAllConnections();
			server.close();
			await service.close();
		},
	};

	async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { method = 'GET', url = '', headers } = request;
		const body = await text(request);
		const company = String(headers[COMPANY_HEADER] ?? '');
		// Tokens are the stand-in's own, and so is the answer to who has none.
		const isPrepared = headers.authorization?.startsWith('Bearer ') && !url.startsWith('/connect/');
		const made = isPrepared ? own?.(url, company) : undefined;
		if (made) {
			await sleep(latencyMs);
			const { type, content } = made;
			return void response.writeHead(200, { 'content-type': type, 'content-length': content.length }).end(content);
		}
		const key = `${method} ${url} ${company} ${body}`;
		const answer = isPrepared
			? (known.get(key) ?? prepare(method, url, body, company))
			: forward(method, url, body, company, headers);
		if (isPrepared) known.set(key, answer);
		const { status, headers: sent, content } = await answer;
		await sleep(latencyMs);
		if (url === EXPORT) return await sendFile(response, await answer);
		response.writeHead(status, { ...sent, 'content-length': content.length }).end(content);
	}

	/** Answers from the stand-in; of a list that is read page by page, all is asked for once and cut into pages here. */
	async function prepare(method: string, url: string, body: string, company: string): Promise<Answer> {
		const asked = company === '' && url.endsWith('/search') ? search.safeParse(JSON.parse(body)).data : undefined;
		if (!asked) return await forward(method, url, body, company);
		const { pageNumber, pageSize, ...rest } = asked;
		const key = `${url} ${JSON.stringify(rest)}`;
		const whole = lists.get(key) ?? readWhole(method, url, rest);
		lists.set(key, whole);
		const { data, ...envelope } = await whole;
		const results = data.results.slice((pageNumber - 1) * pageSize, pageNumber * pageSize);
		const totalNumberOfPages = Math.ceil(data.results.length / pageSize);
		const page = { ...envelope, data: { ...data, pageNumber, pageSize, totalNumberOfPages, results } };
		return { status: 200, headers: { 'content-type': 'application/json' }, content: Buffer.from(JSON.stringify(page)) };
	}

	async function readWhole(method: string, url: string, rest: object) {
		const body = JSON.stringify({ ...rest, pageNumber: 1, pageSize: EVERYTHING });
		return list.parse(JSON.parse((await forward(method, url, body, '')).content.toString()));
	}

	/** A file of any size, in chunks and without its length, as the stand-in sends large ones. */
	async function sendFile(response: ServerResponse, { status, headers, content }: Answer): Promise<void> {
		response.writeHead(status, headers);
		for (let left = exportBytes; left > 0; left -= content.length)
			if (!(await writeChunk(response, left < content.length ? content.subarray(0, left) : content))) break;
		response.end();
	}

	async function forward(
		method: string,
		url: string,
		body: string,
		company: string,
		given: IncomingMessage['headers'] = {},
	): Promise<Answer> {
		const answer = await fetch(service.url + url, {
			method,
			headers: {
				authorization: given.authorization ?? `Bearer ${token}`,
				'content-type': given['content-type'] ?? 'application/json',
				...(company ? { [COMPANY_HEADER]: company } : {}),
			},
			...(method === 'GET' ? {} : { body }),
		});
		const kept = KEPT_HEADERS.flatMap((name) => {
			const value = answer.headers.get(name);
			return value === null ? [] : [[name, value] as const];
		});
		return {
			status: answer.status,
			headers: Object.fromEntries(kept),
			content: Buffer.from(await answer.arrayBuffer()),
		};
	}
}
