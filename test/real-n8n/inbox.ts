import formbody from '@fastify/formbody';
import fastify from 'fastify';

/** A request that the inbox received. */
export interface ReceivedRequest {
	method: string;
	/** The path without the query string, such as /chatUrl. */
	path: string;
	headers: Record<string, string | string[] | undefined>;
	/** The parsed body of JSON and form requests, and the text of all others. */
	body: unknown;
}

/** A server that replaces every system to which a workflow sends messages over HTTP, such as a chat, an email service or a vault. */
export interface Inbox {
	url: string;
	/** All accepted requests, in the order in which they arrived. */
	requests: ReceivedRequest[];
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

/**
 * Starts an inbox on a free port. It accepts every method and path.
 * @param onRequest is called with each accepted request
 */
export async function startInbox(onRequest: (request: ReceivedRequest) => void = () => undefined): Promise<Inbox> {
	const requests: ReceivedRequest[] = [];
	const refusalCountsByPath = new Map<string, number>();
	const app = fastify({ bodyLimit: 50_000_000, forceCloseConnections: true });
	await app.register(formbody);
	app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
	app.all('*', async ({ method, url, headers, body }, reply) => {
		const [path = ''] = url.split('?');
		const remainingRefusals = method === 'GET' ? 0 : (refusalCountsByPath.get(path) ?? 0);
		if (remainingRefusals > 0) refusalCountsByPath.set(path, remainingRefusals - 1);
		if (remainingRefusals > 0) return await reply.code(500).send({ error: 'The stand-in refuses this one.' });
		const request = { method, path, headers, body };
		requests.push(request);
		onRequest(request);
		return { ok: true };
	});
	const url = await app.listen({ port: 0, host: '127.0.0.1' });
	return {
		url,
		requests,
		getRequests: (setting) => requests.filter(({ path }) => path === `/${setting}`),
		refuseRequests: (setting, times) => refusalCountsByPath.set(`/${setting}`, times),
		clear: () => {
			requests.length = 0;
			refusalCountsByPath.clear();
		},
		close: () => app.close(),
	};
}
