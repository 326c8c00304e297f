import formbody from '@fastify/formbody';
import fastify from 'fastify';

/** A request that came in. */
export interface Received {
	method: string;
	/** /chatUrl */
	path: string;
	headers: Record<string, string | string[] | undefined>;
	/** JSON and forms as objects, anything else as text. */
	body: unknown;
}

/** A server that replaces everything a workflow sends messages to over HTTP: a chat, a mail service, a vault. */
export interface Inbox {
	url: string;
	/** All that came and was taken, in order. */
	received: Received[];
	/** What came to the address of a setting: 'chatUrl'. */
	of: (setting: string) => Received[];
	/**
	 * Answers the next requests to that address with 500, this many times, and does not record them; a GET is still
	 * answered.
	 */
	refuse: (setting: string, times: number) => void;
	/** Forgets everything. */
	clear: () => void;
	close: () => Promise<void>;
}

/**
 * Starts one on a free port of this machine. It takes requests of all kinds to all paths.
 * @param tell is called with each that it takes
 */
export async function startInbox(tell: (request: Received) => void = () => undefined): Promise<Inbox> {
	const received: Received[] = [];
	const refusals = new Map<string, number>();
	const app = fastify({ bodyLimit: 50_000_000, forceCloseConnections: true });
	await app.register(formbody);
	app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
	app.all('*', async ({ method, url, headers, body }, reply) => {
		const [path = ''] = url.split('?');
		const left = method === 'GET' ? 0 : (refusals.get(path) ?? 0);
		if (left > 0) refusals.set(path, left - 1);
		if (left > 0) return await reply.code(500).send({ error: 'The stand-in refuses this one.' });
		const request = { method, path, headers, body };
		received.push(request);
		tell(request);
		return { ok: true };
	});
	const url = await app.listen({ port: 0, host: '127.0.0.1' });
	return {
		url,
		received,
		of: (setting) => received.filter(({ path }) => path === `/${setting}`),
		refuse: (setting, times) => refusals.set(`/${setting}`, times),
		clear: () => {
			received.length = 0;
			refusals.clear();
		},
		close: () => app.close(),
	};
}
