import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessCompanyGroup } from '../../nodes/CompanyGroup/SecurityAwarenessCompanyGroup.node';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import type { CredentialStore } from '../n8n-core';
import { NEW_COMPANY } from '../cases/newCompany';
import type { FaultKind } from '../stand-in';
import {
	answering,
	nodeFixture,
	failedItem,
	failureOf,
	isFailed,
	sendJson,
	the,
	times,
	TOKEN,
	type RunMore,
} from '../n8n-core/nodeFixture';
import { turnClock } from '../setup/turnedClock';

const b = nodeFixture({ companies: 60 });
turnClock();
const GET = 'GET /api/companies/{resourceId}';
const get = async (count: number, more: RunMore, options: IDataObject = { concurrency: 20 }) => {
	const ids = b.service.state.companies.slice(0, count).map(({ companyResourceId }) => companyResourceId);
	const items = times(count).map((json, index) => ({ json: { ...json, id: the(ids[index % ids.length]) } }));
	return await b.run(
		SecurityAwarenessCompany,
		{ operation: 'get', company: { mode: 'id', value: '={{ $json.id }}' }, options },
		{ items, ...more },
	);
};
/** A credential with a token that the service no longer takes. */
const expired = async () => {
	const store = b.newStore();
	await get(1, { store });
	b.service.expireTokens();
	b.service.clearLog();
	return store;
};
const group = (name = '={{ "Group " + $json.index }}') => ({ operation: 'create', name, participantsFrom: 'none' });

describe('one token for all', () => {
	test('a cold start with 20 items at once: one token request, then 20 at once', async () => {
		b.service.setOptions({ latencyMs: 100 });
		const { items } = await get(20, { store: b.newStore() });
		expect([items.length, b.tokenRequests, b.asked.length]).toEqual([20, 1, 20]);
		expect(b.mostInFlight).toBeGreaterThanOrEqual(10);
	});

	test('two nodes that start cold at once share the first token', async () => {
		b.service.setOptions({ latencyMs: 20, newTokenVoidsFormer: true });
		const store = b.newStore();
		await Promise.all([get(20, { store }), get(20, { store })]);
		expect([b.tokenRequests, b.asked.length]).toEqual([1, 40]);
	});

	test.each([false, true])(
		'20 that meet an expired token at once: one further token request (a new token voids the former: %s)',
		async (newTokenVoidsFormer) => {
			const store = await expired();
			b.service.setOptions({ latencyMs: 20, newTokenVoidsFormer });
			const { items } = await get(20, { store });
			expect([items.length, b.tokenRequests]).toEqual([20, 1]);
			expect(b.asked.filter(({ status }) => status === 401)).toHaveLength(20);
			expect(b.asked.filter(({ status }) => status === 200)).toHaveLength(20);
		},
	);

	test.each([false, true])(
		'nor more where two nodes meet it at once (a new token voids the former: %s)',
		async (newTokenVoidsFormer) => {
			const store = await expired();
			b.service.setOptions({ latencyMs: 5, newTokenVoidsFormer });
			await Promise.all([get(30, { store }, { concurrency: 7 }), get(30, { store }, { concurrency: 11 })]);
			expect([b.tokenRequests, b.asked.filter(({ status }) => status === 200).length]).toEqual([1, 60]);
		},
	);

	test('a token that expires in mid-run, again and again, where each new one voids the former: every item gets its answer', async () => {
		b.service.setOptions({ latencyMs: 3, newTokenVoidsFormer: true });
		for (const after of [10, 25, 40]) b.service.fault({ route: GET, kind: 'expired-token', after });
		const { items } = await get(60, { store: b.newStore() }, { concurrency: 10 });
		expect(items.some(isFailed)).toBe(false);
		expect(items).toHaveLength(60);
		expect(b.tokenRequests).toBeLessThanOrEqual(4);
	});

	test('a token that lives for no time at all ends in an error, not in a loop', async () => {
		b.service.setOptions({ tokenLifetimeSeconds: 0 });
		const error = await failureOf(get(1, { store: b.newStore() }));
		expect(error.message).toContain('the service does not accept the token (401)');
		expect([b.tokenRequests, b.asked.length]).toEqual([2, 2]);
	});

	test('runs that share a credential share its token, and each may renew it', async () => {
		const store = await expired();
		for (const requests of [1, 1, 2, 2]) {
			await get(3, { store });
			expect(b.tokenRequests).toBe(requests);
			if (requests === 1 && b.asked.length > 6) b.service.expireTokens();
		}
	});

	test('the token request is a form with the credential in its body', async () => {
		await get(1, { store: b.newStore() });
		const { clientId, clientSecret } = b.service.clients.reseller;
		const [request] = b.service.requests(TOKEN);
		expect(request?.headers['content-type']).toBe('application/x-www-form-urlencoded');
		expect(request?.headers.authorization).toBeUndefined();
		expect(request?.body).toEqual({
			grant_type: 'client_credentials',
			client_id: clientId,
			client_secret: clientSecret,
			scope: 'api1',
		});
	});

	test.each(['json', 'multipart', 'file'])(
		'a write or a file that meets an expired token goes through: %s',
		async (kind) => {
			const store = await expired();
			if (kind === 'json') await b.run(SecurityAwarenessCompanyGroup, group('New'), { store });
			else if (kind === 'file')
				await b.run(SecurityAwarenessLeaderboard, { operation: 'export', companyScope: 'own' }, { store });
			else await b.run(SecurityAwarenessCompany, NEW_COMPANY, { store });
			expect(b.asked.map(({ status }) => status)).toEqual([401, 200]);
			expect(b.tokenRequests).toBe(1);
		},
	);
});

describe('a service that takes no token', () => {
	test('is asked twice for one item, and tells what to do', async () => {
		b.service.fault({ route: GET, kind: 'status-401', times: Infinity });
		const error = await failureOf(get(1, { store: b.newStore() }));
		expect([b.tokenRequests, b.asked.length]).toEqual([2, 2]);
		expect(error).toMatchObject({
			message: 'Could not get company: the service does not accept the token (401)',
			httpCode: '401',
		});
		expect(error.description).toContain('Open the credential and save it again');
	});

	test('is not asked for ever by 50 items', async () => {
		b.service.fault({ route: GET, kind: 'status-401', times: Infinity });
		const { items } = await get(50, { store: b.newStore(), onError: 'continueRegularOutput' });
		expect(items.every(isFailed)).toBe(true);
		expect(b.asked.length).toBeLessThanOrEqual(150);
		expect(b.tokenRequests).toBeLessThanOrEqual(51);
	});
});

describe('a wrong secret', () => {
	const REFUSED = 'the service did not accept the Client ID or Client Secret';

	test.each([5, 20])(
		'costs 50 items one token request each of the %d in flight at most, and no other',
		async (concurrency) => {
			const { items } = await get(
				50,
				{ store: b.newStore('reseller', { clientSecret: 'wrong' }), onError: 'continueRegularOutput' },
				{ concurrency },
			);
			expect(
				items.map((item, index) => failedItem(item).message === `Could not get company: ${REFUSED} [item ${index}]`),
			).toEqual(Array(50).fill(true));
			expect(failedItem(items[0]).error.description).toContain('create a new one');
			expect(b.asked).toEqual([]);
			expect(b.tokenRequests).toBeLessThanOrEqual(concurrency);
		},
	);

	test('that was right when the token was fetched is named when this is renewed', async () => {
		const store = await expired();
		store.data = { ...store.data, clientSecret: 'changed meanwhile' };
		const { items } = await get(50, { store, onError: 'continueRegularOutput' }, { concurrency: 5 });
		expect(items.every((item) => failedItem(item).message.includes(REFUSED))).toBe(true);
		expect(b.tokenRequests).toBeLessThanOrEqual(5);
	});

	test.each<[string, number, string, string]>([
		['400, as live deployments answer', 400, '{"error":"invalid_client"}', 'application/json'],
		[
			'400 with a word more',
			400,
			'{"error":"invalid_client","error_description":"Unknown client"}',
			'application/json; charset=utf-8',
		],
		['401', 401, '{"error":"invalid_client"}', 'application/json'],
		['400 in other words', 400, '{"message":"Client is unknown"}', 'application/json'],
		['403', 403, '{}', 'application/json'],
	])('is what it is called: %s, for the first token and for a further one', async (_name, status, body, type) => {
		for (const oauthTokenData of [undefined, { access_token: 'worn-out', token_type: 'Bearer' }]) {
			const odd = await answering(
				(_request, response) => sendJson(response, 401, {}),
				(response) => response.writeHead(status, { 'content-type': type }).end(body),
			);
			if (oauthTokenData) odd.store.data = { ...odd.store.data, oauthTokenData };
			const error = await failureOf(get(1, { store: odd.store }));
			expect(error.message).toBe(`Could not get company: ${REFUSED}`);
			expect(odd.tokenRequests()).toBe(1);
		}
	});

	test('is forgotten as soon as the credential is corrected', async () => {
		const store = b.newStore('reseller', { clientSecret: 'wrong' });
		await failureOf(get(1, { store }));
		store.data = { ...store.data, clientSecret: b.service.clients.reseller.clientSecret };
		expect((await get(1, { store })).items).toHaveLength(1);
	});
});

describe('trouble at the token endpoint', () => {
	const stores: Array<[string, () => Promise<CredentialStore>]> = [
		['the first token', async () => b.newStore()],
		['a further token', expired],
	];
	const cases = (kinds: FaultKind[]) => stores.flatMap(([when, store]) => kinds.map((kind) => ({ when, store, kind })));

	test.each(
		cases([
			'status-429',
			'status-500',
			'html-502',
			'status-503',
			'reset-before',
			'reset-after',
			'truncate',
			'truncate-chunked',
		]),
	)('$kind for $when, once: a write goes through all the same, and only once', async ({ kind, store }) => {
		const credential = await store();
		b.service.fault({ route: TOKEN, kind });
		await b.run(SecurityAwarenessCompanyGroup, group('New'), { store: credential });
		expect(b.service.state.groups.filter(({ name }) => name === 'New')).toHaveLength(1);
	});

	test.each(cases(['status-429', 'status-500', 'html-502', 'status-503', 'reset-before', 'truncate']))(
		'$kind for $when, always: three tries, then what to do',
		async ({ kind, store }) => {
			const credential = await store();
			b.service.fault({ route: TOKEN, kind, times: Infinity });
			const error = await failureOf(b.run(SecurityAwarenessCompanyGroup, group('New'), { store: credential }));
			expect(error.message).toMatch(/^Could not create company group: the service could not issue a token/);
			expect(error.description).toMatch(/^Try again later\..* It was tried 3 times\.$/);
			expect(b.tokenRequests).toBe(3);
			expect(b.asked.filter(({ status }) => status !== 401)).toEqual([]);
		},
	);

	test.each(cases(['html-200', 'empty', 'wrong-shape', 'error-envelope']))(
		'$kind for $when: the address is not that of the service',
		async ({ kind, store }) => {
			const credential = await store();
			b.service.fault({ route: TOKEN, kind, times: Infinity });
			const error = await failureOf(b.run(SecurityAwarenessCompanyGroup, group('New'), { store: credential }));
			// Where JSON without a token comes back, n8n from 2.41 on keeps the former token, which is refused then.
			const isJson = kind === 'wrong-shape' || kind === 'error-envelope';
			expect(error.message).toMatch(
				isJson
					? /(that address does not issue tokens for this service|does not accept the token \(401\))$/
					: /that address does not issue tokens for this service$/,
			);
			expect(b.tokenRequests).toBeLessThanOrEqual(2);
		},
	);

	test.each(cases(['wrong-shape', 'error-envelope']))(
		'$kind for $when: n8n keeps it as the token, but it is not used for ever',
		async ({ kind, store }) => {
			const credential = await store();
			b.service.fault({ route: TOKEN, kind, times: Infinity });
			await failureOf(get(1, { store: credential }));
			b.service.clearFaults();
			expect((await get(1, { store: credential })).items).toHaveLength(1);
		},
	);
});

test('an http port that is asked for https is called that', async () => {
	const error = await failureOf(
		get(1, { store: b.newStore('reseller', { serverUrl: b.service.url.replace('http:', 'https:') }) }),
	);
	expect(error.message).toMatch(/: https:\/\/127\.0\.0\.1:\d+ does not support https$/);
	expect(error.description).toContain('its port may be the one for http');
});
