/** Hostile input: redirects, and what the token endpoint could answer. */
import { type IDataObject } from 'n8n-workflow';
import { SecurityAwarenessApiClient } from '../../nodes/ApiClient/SecurityAwarenessApiClient.node';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import {
	answering,
	nodeFixture,
	failedItem,
	isFailed,
	itemsOf,
	sendJson,
	TOKEN,
	type NodeClass,
} from '../n8n-core/nodeFixture';
import { patience, expectUnpolluted, endOf, expectNone, expectReadable, ownCompany, onError } from './hostile';

const b = nodeFixture({ companies: 40 });
afterEach(expectUnpolluted);

describe('a redirect to another host', () => {
	const newClient = (clientSecret: string): IDataObject => ({
		operation: 'create',
		...ownCompany,
		name: 'n8n',
		clientId: 'id',
		clientSecret,
		roles: ['role'],
	});
	/** n8n itself shows a node's parameters, so the secret comes with the item. */
	const items = itemsOf({ secret: 'the-secret-in-the-body' });
	const doings: Array<[string, NodeClass, IDataObject]> = [
		['a read', SecurityAwarenessCompany, { operation: 'getOwn' }],
		['a search', SecurityAwarenessTargetGroup, { operation: 'getMany', ...ownCompany }],
		['a write with a secret', SecurityAwarenessApiClient, newClient('={{ $json.secret }}')],
		['a file', SecurityAwarenessLeaderboard, { operation: 'export', ...ownCompany }],
	];

	test.each(
		[301, 302, 303, 307, 308].flatMap((status) =>
			doings.map(([name, node, parameters]) => ({ status, name, node, parameters })),
		),
	)('$status, $name: no token goes there, and no secret', async ({ status, name, node, parameters }) => {
		const bodies: string[] = [];
		const other = await answering((request, response) => {
			request.on('data', (chunk: Buffer) => bodies.push(chunk.toString()));
			response.writeHead(200, { 'content-type': 'text/csv' }).end('a,b');
		});
		for (const to of [other.url, other.url.replace('127.0.0.1', 'localhost')]) {
			const odd = await answering((_request, response) =>
				response.writeHead(status, { location: `${to}/elsewhere` }).end(),
			);
			const ended = await endOf(b.run(node, parameters, { store: odd.store, items }));
			expectNone(
				[ended],
				[
					'the-token-of-the-odd-service',
					'the-secret-of-the-odd-service',
					...('error' in ended ? ['the-secret-in-the-body'] : []),
				],
			);
			// What is asked in JSON is for the service alone, so it is not followed at all.
			if (name !== 'a file')
				expect('error' in ended && ended.error.message).toMatch(
					new RegExp(`: the service answered with status ${status}$`),
				);
		}
		expect(JSON.stringify(other.requests.map(({ headers }) => headers))).not.toMatch(/authorization|bearer|the-token/i);
		expect(bodies.join('')).not.toContain('the-secret');
		if (name !== 'a file') expect(other.requests).toEqual([]);
	});
});

describe('what the token endpoint answers', () => {
	const EVER = 10_000;
	const good = { access_token: 'a-good-token-1234', token_type: 'Bearer', expires_in: 3600 };
	const answers: Array<[string, (secret: string) => { body: string; type?: string; status?: number }]> = [
		['a web page', () => ({ body: '<!DOCTYPE html><html><body>Sign in</body></html>', type: 'text/html' })],
		['5 MB of a web page', () => ({ body: `<html>${'x'.repeat(5_000_000)}</html>`, type: 'text/html' })],
		['5 MB of JSON', () => ({ body: JSON.stringify({ ...good, rest: 'x'.repeat(5_000_000) }) })],
		['a token of 5 MB', () => ({ body: JSON.stringify({ ...good, access_token: 'x'.repeat(5_000_000) }) })],
		[
			'a token with line breaks',
			() => ({ body: JSON.stringify({ ...good, access_token: 'secret-token-part\r\nX-Evil: 1' }) }),
		],
		[
			'a token with a line break at its end',
			() => ({ body: JSON.stringify({ ...good, access_token: 'secret-token-part\n' }) }),
		],
		[
			'a token with letters that a header cannot carry',
			() => ({ body: JSON.stringify({ ...good, access_token: 'secret-token-part-株' }) }),
		],
		['an empty token', () => ({ body: JSON.stringify({ ...good, access_token: '' }) })],
		['no token', () => ({ body: '{}' })],
		['a token that is a number', () => ({ body: JSON.stringify({ ...good, access_token: 5 }) })],
		[
			'a token that is an object',
			() => ({ body: JSON.stringify({ ...good, access_token: { a: 'secret-token-part' } }) }),
		],
		...['-1', '0', '"soon"', '1e308', 'null', '{}', '[]', 'true'].map((expires): [string, () => { body: string }] => [
			`a life of ${expires}`,
			() => ({ body: `{"access_token":"a-good-token-1234","token_type":"Bearer","expires_in":${expires}}` }),
		]),
		['another kind of token', () => ({ body: JSON.stringify({ ...good, token_type: 'Mac\r\nX: 1' }) })],
		['null', () => ({ body: 'null' })],
		['a list', () => ({ body: '[]' })],
		['a text', () => ({ body: '"secret-token-part"' })],
		['cut JSON', () => ({ body: '{"access_token":"secret-token-part' })],
		[
			'what would pollute',
			() => ({ body: '{"__proto__":{"polluted":true},"access_token":"a-good-token-1234","token_type":"Bearer"}' }),
		],
		['permissions that are none', () => ({ body: JSON.stringify({ ...good, permissions: { a: 1 } }) })],
		[
			'the secret in an error',
			(secret) => ({
				status: 400,
				body: JSON.stringify({ error: 'invalid_client', error_description: `You sent ${secret}` }),
			}),
		],
		['a redirect to nowhere', () => ({ status: 302, body: '' })],
	];

	test.each(answers)(
		'%s: ends soon, with the data or an error for a person, and shows no secret',
		async (_name, answer) => {
			const secret = 'the-secret-of-the-odd-service';
			const results: unknown[] = [];
			for (const mode of ['stopWorkflow', onError] as const) {
				const odd = await answering(
					(_request, response) => sendJson(response, 200, { data: { name: 'there' }, status: 'success' }),
					(response) => {
						const { body, type = 'application/json', status = 200 } = answer(secret);
						response.writeHead(status, { 'content-type': type }).end(body);
					},
				);
				const at = Date.now();
				const ended = await endOf(
					b.run(SecurityAwarenessCompany, { operation: 'getOwn' }, { store: odd.store, onError: mode }),
				);
				expect(Date.now() - at).toBeLessThan(EVER);
				if ('result' in ended)
					for (const item of ended.result.items.filter(isFailed))
						expectReadable(failedItem(item).message, failedItem(item).error.description);
				results.push(ended);
				for (const { headers } of odd.requests) expect(headers).not.toHaveProperty('x-evil');
				expect(odd.tokenRequests()).toBeLessThanOrEqual(6);
				expectUnpolluted();
			}
			expectNone(results, [secret, 'secret-token-part', 'a-good-token-1234', 'x'.repeat(1000)]);
		},
		patience,
	);

	test.each([301, 302, 303])('a redirect (%d) of the token request takes no secret to another host', async (status) => {
		const bodies: string[] = [];
		const other = await answering((request, response) => {
			request.on('data', (chunk: Buffer) => bodies.push(chunk.toString()));
			sendJson(response, 200, good);
		});
		const odd = await answering(
			(_request, response) => sendJson(response, 200, { data: {} }),
			(response) => response.writeHead(status, { location: `${other.url}/elsewhere` }).end(),
		);
		await endOf(b.run(SecurityAwarenessCompany, { operation: 'getOwn' }, { store: odd.store }));
		expect(bodies.join('') + JSON.stringify(other.requests)).not.toContain('the-secret');
		expect(b.service.requests(TOKEN)).toEqual([]);
	});
});
