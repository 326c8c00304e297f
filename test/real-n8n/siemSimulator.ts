/**
 * A simulated HTTP event collector, written from Splunk's public documentation of the HTTP Event Collector: the token is in the header
 * Authorization ("Splunk <token>"), a request contains several events one after the other, and the answers are 200 {"text":"Success"},
 * 403 for a wrong token and 503 {"text":"Server is busy"}.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const TOKEN = '0b1e7a52-siem';

/** The value of the header Authorization that the collector accepts. */
export const SIEM_AUTHORIZATION = `Splunk ${TOKEN}`;

/** A request whose events the collector has taken. */
export interface TakenBatch {
	contentType: string;
	/** The lines of the body. */
	lines: string[];
}

/**
 * How the collector answers a request. With 'take', it takes the events. With 'busy' and 'redirect', it refuses them. With 'lose answer', it
 * takes them, and closes the connection without an answer.
 */
export type CollectorAnswer = 'take' | 'busy' | 'redirect' | 'lose answer';

export interface SiemSimulator {
	url: string;
	batches: TakenBatch[];
	/** The number of requests, including refused ones. */
	countRequests: () => number;
	/** Decides what happens to the next request, by the number of requests before it since this call. */
	setAnswers: (chooseAnswer: (requestNumber: number) => CollectorAnswer) => void;
	/** Closes the port, so that connections are refused. */
	goDown: () => Promise<void>;
	/** Opens the same port again. */
	comeBack: () => Promise<void>;
	close: () => Promise<void>;
}

const listen = (server: Server, port: number): Promise<number> =>
	new Promise((resolve) => {
		server.listen(port, '127.0.0.1', () => {
			const address = server.address() as AddressInfo;
			resolve(address.port);
		});
	});

/** Starts a collector on a free port. */
export async function startSiem(): Promise<SiemSimulator> {
	const batches: TakenBatch[] = [];
	let requestCount = 0;
	let countSinceChoice = 0;
	let chooseAnswer: (requestNumber: number) => CollectorAnswer = () => 'take';
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			requestCount++;
			const answer = chooseAnswer(countSinceChoice++);
			const reply = (status: number, body: object) =>
				response
					.writeHead(status, { 'content-type': 'application/json', location: '/login' })
					.end(JSON.stringify(body));
			if (request.headers.authorization !== SIEM_AUTHORIZATION) return reply(403, { text: 'Invalid token', code: 4 });
			if (answer === 'busy') return reply(503, { text: 'Server is busy', code: 9 });
			if (answer === 'redirect') return reply(302, { text: 'Found' });
			const text = Buffer.concat(chunks).toString('utf8');
			batches.push({ contentType: request.headers['content-type'] ?? '', lines: text.split('\n') });
			if (answer === 'lose answer') return response.destroy();
			return reply(200, { text: 'Success', code: 0 });
		});
	});
	const port = await listen(server, 0);
	const goDown = () =>
		new Promise<void>((resolve) => {
			server.close(() => resolve());
			server.closeAllConnections();
		});
	return {
		url: `http://127.0.0.1:${port}/services/collector/event`,
		batches,
		countRequests: () => requestCount,
		setAnswers: (choose) => {
			chooseAnswer = choose;
			countSinceChoice = 0;
		},
		goDown,
		comeBack: async () => {
			await listen(server, port);
		},
		close: goDown,
	};
}
