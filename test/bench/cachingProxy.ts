/** A caching proxy between n8n and the stand-in, so that the stand-in's own time doesn't distort the measurements. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import { z } from 'zod';

import { startStandIn } from '../stand-in';
import { ApiClient } from '../stand-in/apiClient';
import { writeChunk } from '../stand-in/send';

/** A response that is ready to be sent. */
interface StoredResponse {
	status: number;
	headers: Record<string, string>;
	content: Buffer;
}

/** The requests that the proxy received since the counts were last read. */
export interface RequestCounts {
	requests: number;
	/** The largest number of requests that were in progress at the same time. */
	maxInFlight: number;
}

/** A proxy that forwards each different request to a stand-in once, and then repeats the response after a fixed delay. */
export interface CachingProxy {
	/** The values of a credential that connects to the proxy. */
	secrets: { serverUrl: string; clientId: string; clientSecret: string };
	/** The IDs of all companies of the stand-in. */
	companyIds: string[];
	/** Sets the size of the exported leaderboard file, in bytes. */
	setExportBytes: (bytes: number) => void;
	/** Returns the counts since the last call, and starts counting again. */
	readCounts: () => RequestCounts;
	/** Stops the proxy and the stand-in. */
	close: () => Promise<void>;
}

interface CachingProxyOptions {
	/** Builds a response that the proxy sends itself. Returns undefined if the request must be forwarded. */
	respond?: (path: string, companyId: string) => { type: string; content: Buffer } | undefined;
	/** The delay before each response, in milliseconds. The default is `LATENCY_MS`. */
	latencyMs?: number;
}

/** The delay before each response, in milliseconds. */
export const LATENCY_MS = 20;
const FORWARDED_HEADERS = ['content-type', 'content-disposition', 'cache-control'];
const COMPANY_HEADER = 'x-service-company-id';
const EXPORT_PATH = '/api/leaderboard/get-all/export';
/** The size of a chunk of an exported file. It is larger than any file that the stand-in sends with a Content-Length. */
const CHUNK_BYTES = 2 ** 21;
const ALL_RECORDS_PAGE_SIZE = 1_000_000;

const searchSchema = z.object({ pageNumber: z.number(), pageSize: z.number() }).passthrough();
const listSchema = z.object({ data: z.object({ results: z.array(z.unknown()) }).passthrough() }).passthrough();
const addressSchema = z.object({ port: z.number() });

/**
 * Starts a stand-in and a caching proxy in front of it. The stand-in needs almost a second to search 27,000 companies, so the
 * proxy requests each response once and then sends the same bytes again.
 */
export async function startCachingProxy(
	companyCount: number,
	options: CachingProxyOptions = {},
): Promise<CachingProxy> {
	const { respond, latencyMs = LATENCY_MS } = options;
	const standIn = await startStandIn({ companyCount });
	standIn.setOptions({ leaderboardExportBytes: CHUNK_BYTES });
	const { clientId, clientSecret } = standIn.clients.reseller;
	const apiClient = new ApiClient(standIn, standIn.clients.reseller);
	const token = String((await apiClient.requestToken()).data.access_token);
	const responsesByRequest = new Map<string, Promise<StoredResponse>>();
	const listsByRequest = new Map<string, Promise<z.output<typeof listSchema>>>();
	const counts = { requests: 0, maxInFlight: 0 };
	let inFlight = 0;
	let exportBytes = 0;

	const server = createServer((request, response) => {
		counts.requests++;
		counts.maxInFlight = Math.max(counts.maxInFlight, ++inFlight);
		response.once('close', () => inFlight--);
		handleRequest(request, response).catch(() => response.destroy());
	});
	// n8n's own node may send thousands of requests at once, and none of them may be refused.
	await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1', backlog: 16_384 }, resolve));
	return {
		/** The values of a credential that connects to the proxy. */
		secrets: { serverUrl: `http://127.0.0.1:${addressSchema.parse(server.address()).port}`, clientId, clientSecret },
		companyIds: standIn.world.companies.map(({ companyResourceId }) => companyResourceId),
		/** Sets the size of the exported leaderboard file, in bytes. */
		setExportBytes: (bytes) => (exportBytes = bytes),
		readCounts: () => {
			const countsSinceLastCall = { ...counts };
			Object.assign(counts, { requests: 0, maxInFlight: inFlight });
			return countsSinceLastCall;
		},
		close: async () => {
			server.closeAllConnections();
			server.close();
			await standIn.close();
		},
	};

	async function handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { method = 'GET', url = '', headers } = request;
		const body = await text(request);
		const companyId = String(headers[COMPANY_HEADER] ?? '');
		// The stand-in itself issues tokens and answers requests without a token.
		const isCacheable = headers.authorization?.startsWith('Bearer ') && !url.startsWith('/connect/');
		const customResponse = isCacheable ? respond?.(url, companyId) : undefined;
		if (customResponse) {
			await sleep(latencyMs);
			const { type, content } = customResponse;
			response.writeHead(200, { 'content-type': type, 'content-length': content.length }).end(content);
			return;
		}
		const key = `${method} ${url} ${companyId} ${body}`;
		const pendingResponse = isCacheable
			? (responsesByRequest.get(key) ?? prepareResponse(method, url, body, companyId))
			: forwardRequest(method, url, body, companyId, headers);
		if (isCacheable) responsesByRequest.set(key, pendingResponse);
		const storedResponse = await pendingResponse;
		await sleep(latencyMs);
		if (url === EXPORT_PATH) return await sendFile(response, storedResponse);
		const { status, headers: responseHeaders, content } = storedResponse;
		response.writeHead(status, { ...responseHeaders, 'content-length': content.length }).end(content);
	}

	/** Gets the response from the stand-in. A searched list is requested once as a whole, and then cut into pages here. */
	async function prepareResponse(
		method: string,
		url: string,
		body: string,
		companyId: string,
	): Promise<StoredResponse> {
		const searchRequest =
			companyId === '' && url.endsWith('/search') ? searchSchema.safeParse(JSON.parse(body)).data : undefined;
		if (!searchRequest) return await forwardRequest(method, url, body, companyId);
		const { pageNumber, pageSize, ...searchWithoutPage } = searchRequest;
		const key = `${url} ${JSON.stringify(searchWithoutPage)}`;
		const completeList = listsByRequest.get(key) ?? readCompleteList(method, url, searchWithoutPage);
		listsByRequest.set(key, completeList);
		const { data, ...envelope } = await completeList;
		const results = data.results.slice((pageNumber - 1) * pageSize, pageNumber * pageSize);
		const totalNumberOfPages = Math.ceil(data.results.length / pageSize);
		const page = { ...envelope, data: { ...data, pageNumber, pageSize, totalNumberOfPages, results } };
		return { status: 200, headers: { 'content-type': 'application/json' }, content: Buffer.from(JSON.stringify(page)) };
	}

	/** Reads all records of a list in one page. */
	async function readCompleteList(method: string, url: string, searchWithoutPage: object) {
		const body = JSON.stringify({ ...searchWithoutPage, pageNumber: 1, pageSize: ALL_RECORDS_PAGE_SIZE });
		return listSchema.parse(JSON.parse((await forwardRequest(method, url, body, '')).content.toString()));
	}

	/** Sends a file of the size set by `setExportBytes`, in chunks and without a Content-Length, as the stand-in sends large files. */
	async function sendFile(response: ServerResponse, { status, headers, content }: StoredResponse): Promise<void> {
		response.writeHead(status, headers);
		for (let remainingBytes = exportBytes; remainingBytes > 0; remainingBytes -= content.length)
			if (!(await writeChunk(response, content.subarray(0, Math.min(remainingBytes, content.length))))) break;
		response.end();
	}

	/** Forwards a request to the stand-in. Without an Authorization header it uses the token of the proxy. */
	async function forwardRequest(
		method: string,
		url: string,
		body: string,
		companyId: string,
		requestHeaders: IncomingMessage['headers'] = {},
	): Promise<StoredResponse> {
		const headers: Record<string, string> = {
			authorization: requestHeaders.authorization ?? `Bearer ${token}`,
			'content-type': requestHeaders['content-type'] ?? 'application/json',
		};
		if (companyId) headers[COMPANY_HEADER] = companyId;
		const response = await fetch(standIn.url + url, { method, headers, body: method === 'GET' ? undefined : body });
		const forwardedHeaders = FORWARDED_HEADERS.flatMap((name) => {
			const value = response.headers.get(name);
			return value === null ? [] : [[name, value] as const];
		});
		return {
			status: response.status,
			headers: Object.fromEntries(forwardedHeaders),
			content: Buffer.from(await response.arrayBuffer()),
		};
	}
}
