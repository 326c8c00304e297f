import formbody from '@fastify/formbody';
import fastify from 'fastify';

import { parseJson, replyToChatMessage, type ChatProduct } from './chatProducts';

/** A request that the inbox received. */
export interface ReceivedRequest {
	method: string;
	/** The path without the query string, such as /chatUrl. */
	path: string;
	headers: Record<string, string | string[] | undefined>;
	/** The parsed body of JSON and form requests, and the text of all others, also of wrong JSON. */
	body: unknown;
}

/** A server that replaces every system to which a workflow sends messages over HTTP, such as a chat, an email service or a vault. */
export interface Inbox {
	url: string;
	/** All accepted requests, in the order in which they arrived. */
	requests: ReceivedRequest[];
	/** Why the chat behind chatUrl doesn't post a message, once for each such message. `clear` keeps them. */
	chatFaults: string[];
	/** Returns the accepted requests to the URL of a setting, such as 'chatUrl'. */
	getRequests: (setting: string) => ReceivedRequest[];
	/**
	 * Makes the inbox answer the next `times` requests to the URL of a setting with 500, and not record these requests. It still
	 * accepts GET requests.
	 */
	refuseRequests: (setting: string, times: number) => void;
	/** Deletes all recorded requests and planned refusals. */
	clear: () => void;
	close: () => Promise<void>;
}

export interface InboxOptions {
	onRequest?: (request: ReceivedRequest) => void;
	chat?: ChatProduct;
}

const isJson = (contentType: string | undefined): boolean => contentType?.startsWith('application/json') === true;

/**
 * Starts an inbox on a free port. It accepts every method and path.
 * @param options.onRequest is called with each accepted request
 * @param options.chat the chat that answers behind chatUrl. By default, it accepts everything
 */
export async function startInbox({ onRequest, chat }: InboxOptions = {}): Promise<Inbox> {
	const requests: ReceivedRequest[] = [];
	const chatFaults: string[] = [];
	const refusalCountsByPath = new Map<string, number>();
	const app = fastify({ bodyLimit: 50_000_000, forceCloseConnections: true });
	app.removeAllContentTypeParsers();
	await app.register(formbody);
	app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
	app.all('*', async ({ method, url, headers, body }, reply) => {
		const [path = ''] = url.split('?');
		const remainingRefusals = method === 'GET' ? 0 : (refusalCountsByPath.get(path) ?? 0);
		if (remainingRefusals > 0) refusalCountsByPath.set(path, remainingRefusals - 1);
		if (remainingRefusals > 0) return await reply.code(500).send({ error: 'The stand-in refuses this one.' });
		const text = typeof body === 'string' ? body : '';
		const parsedBody = isJson(headers['content-type']) ? (parseJson(text) ?? text) : body;
		const request = { method, path, headers, body: parsedBody };
		requests.push(request);
		onRequest?.(request);
		if (chat === undefined || path !== '/chatUrl') return { ok: true };
		const chatReply = replyToChatMessage(chat, text);
		if (chatReply.fault !== undefined) chatFaults.push(chatReply.fault);
		return await reply.code(chatReply.status).type('text/plain').send(chatReply.body);
	});
	const url = await app.listen({ port: 0, host: '127.0.0.1' });
	return {
		url,
		requests,
		chatFaults,
		getRequests: (setting) => requests.filter(({ path }) => path === `/${setting}`),
		refuseRequests: (setting, times) => refusalCountsByPath.set(`/${setting}`, times),
		clear: () => {
			requests.length = 0;
			refusalCountsByPath.clear();
		},
		close: () => app.close(),
	};
}
