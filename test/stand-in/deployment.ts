/**
 * A service with only the operations that a test gives it, such as those that some deployments have although the
 * contract does not.
 */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { CredentialStore } from '../n8n-core';
import { answering, sendJson } from '../n8n-core/nodeFixture';

/**
 * What one operation answers with: its data, or a status and with it the whole body. A function gives the data, or the
 * status of a refusal.
 */
export type Given =
	{ data: unknown } | { csv: string } | { status: number; body?: unknown } | ((asked: Asked) => unknown);

export interface Asked {
	route: string;
	company: string | undefined;
	body: Record<string, unknown>;
}

const jsonOf = (text: string): unknown => (text.startsWith('{') ? JSON.parse(text) : {});
const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
	let text = '';
	request.on('data', (chunk: Buffer) => (text += chunk.toString()));
	await once(request, 'end');
	const body = jsonOf(text);
	return isObject(body) ? body : {};
}

/** Starts it; it is closed when the test ends. @param routes by "GET /api/codetypes"; every other path is a 404 */
export async function deployment(routes: Record<string, Given>): Promise<{ store: CredentialStore; asked: Asked[] }> {
	const asked: Asked[] = [];
	const { store } = await answering((request, response) => {
		const answer = async () => {
			const header = request.headers['x-service-company-id'];
			const one: Asked = {
				route: `${request.method} ${request.url}`,
				company: typeof header === 'string' ? header : undefined,
				body: await bodyOf(request),
			};
			asked.push(one);
			const given = routes[one.route];
			if (given === undefined)
				return sendJson(response, 404, { status: 'NOT_FOUND', message: 'There is no such address.' });
			if (typeof given === 'function') {
				const data = given(one);
				return typeof data === 'number'
					? sendJson(response, data, { status: 'INPUT_ERROR', message: 'Invalid request' })
					: sendJson(response, 200, { data, status: 'SUCCESS' });
			}
			if ('csv' in given) return response.writeHead(200, { 'content-type': 'text/csv' }).end(given.csv);
			if ('data' in given) return sendJson(response, 200, { ...given, status: 'SUCCESS' });
			if (typeof given.body === 'string')
				return response.writeHead(given.status, { 'content-type': 'text/html' }).end(given.body);
			return sendJson(response, given.status, given.body ?? { status: 'ERROR', message: 'No.' });
		};
		void answer();
	});
	return { store, asked };
}
