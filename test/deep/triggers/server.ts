import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';

import type { IHttpRequestOptions, IPollFunctions } from 'n8n-workflow';
import { z } from 'zod';

import type { Answers, Asked } from './answers';
import { MINUTE } from './deployment';

const HEADER = 'x-service-company-id';
const address = z.object({ port: z.number() });

const textOf = (header: string | string[] | undefined): string | undefined =>
	Array.isArray(header) ? header[0] : header;

async function bodyOf(request: IncomingMessage): Promise<unknown> {
	request.setEncoding('utf8');
	let text = '';
	for await (const part of request) text += String(part);
	if (!text.startsWith('{')) return undefined;
	const body: unknown = JSON.parse(text);
	return body;
}

/** What is sent back. */
interface Answered {
	status: number;
	body: unknown;
	date?: string | undefined;
}

/** n8n's helper that sends a request with a credential. */
export type HttpHelper = (this: IPollFunctions, type: string, options: IHttpRequestOptions) => Promise<unknown>;

/** A request that the server has answered. */
export interface Request {
	path: string;
	company?: string | undefined;
	status: number;
}

/**
 * The model's own HTTP server. It answers out of the Answers that are set just now, so that one server serves many
 * histories, and takes as long as the deployment says by turning the platform's clock: requests that come together take
 * the time of one.
 */
export class ModelServer {
	answers: Answers | undefined;
	/** What was asked since this was emptied, tokens aside. */
	requests: Request[] = [];
	private readonly server: Server = createServer((request, response) => void this.handle(request, response));
	url = '';

	async start(): Promise<void> {
		this.server.keepAliveTimeout = 60_000;
		this.server.listen(0, '127.0.0.1');
		await once(this.server, 'listening');
		this.url = `http://127.0.0.1:${address.parse(this.server.address()).port}`;
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		this.server.close();
		await once(this.server, 'close');
	}

	private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const { answers } = this;
		const body = await bodyOf(request).catch(() => undefined);
		const path = (request.url ?? '').replace(/\?.*$/, '');
		if (path === '/connect/token') {
			send(response, 200, { access_token: 'model-token', token_type: 'Bearer', expires_in: 3600 });
			return;
		}
		if (!answers) {
			response.destroy();
			return;
		}
		const asked: Asked = { method: request.method ?? '', path, company: textOf(request.headers[HEADER]), body };
		const answer = await this.ask(answers, asked);
		if (!answer) {
			response.destroy();
			return;
		}
		response.sendDate = false;
		if (answer.date) response.setHeader('date', answer.date);
		send(response, answer.status, answer.body);
	}

	/** @returns the answer, after the time that it takes; undefined where the connection breaks */
	private async ask(answers: Answers, asked: Asked): Promise<Answered | undefined> {
		const { clock } = answers.platform;
		const startedAt = clock.now();
		// Requests that were sent together are there by then.
		await setImmediate();
		const { status, data, broken } = answers.answer(asked);
		this.requests.push({ path: asked.path, company: asked.company, status });
		if (broken === 'hang') await this.quiet();
		const isHanging = broken === 'hang';
		// Who waits for it does so until a time is over.
		clock.passTo(
			isHanging ? Math.min(startedAt + 2 * MINUTE, clock.nextTimeout()) : startedAt + answers.deployment.latencyMs,
		);
		if (broken) return undefined;
		const message = status === 200 ? null : `The model answers ${status}`;
		const envelope = { data, status: status === 200 ? 'SUCCESS' : 'INPUT_ERROR', message, validationMessages: null };
		// A page for people is all there is.
		const body = typeof data === 'string' ? data : envelope;
		return { status, body, date: answers.dateHeader() };
	}

	/** Waits until nobody asks for anything: who waits for one that hangs does not hold up others. */
	private async quiet(): Promise<void> {
		for (let before = -1; this.requests.length > before;) {
			before = this.requests.length;
			for (let turn = 0; turn < 50; turn++) await setImmediate();
		}
	}

	/**
	 * Answers what n8n's HTTP helper is asked for, without HTTP, which takes a quarter of the time. The credential is read
	 * all the same, as n8n's helper does.
	 */
	direct(): HttpHelper {
		const { ask, url } = { ask: this.ask.bind(this), url: this.url };
		const current = () => this.answers;
		return async function (type, options) {
			await this.getCredentials(type);
			const answers = current();
			const headers = new Map(
				Object.entries(options.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
			);
			const company = headers.get(HEADER);
			const asked: Asked = {
				method: options.method ?? 'GET',
				path: decodeURI(options.url.slice(url.length)).replace(/\?.*$/, ''),
				company: typeof company === 'string' ? company : undefined,
				body: JSON.parse(JSON.stringify(options.body ?? null)),
			};
			const answer = answers && (await ask(answers, asked));
			if (!answer) throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
			const body: unknown = JSON.parse(JSON.stringify(answer.body));
			const date = answer.date ? { date: answer.date } : {};
			return { statusCode: answer.status, headers: { 'content-type': 'application/json', ...date }, body };
		};
	}
}

function send(response: ServerResponse, status: number, body: unknown): void {
	const [text, type] = typeof body === 'string' ? [body, 'text/html'] : [JSON.stringify(body), 'application/json'];
	response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) });
	response.end(text);
}
