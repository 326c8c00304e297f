/** When a token is asked for: as seldom as possible, and never in a loop. Against the stand-in service, over real HTTP. */
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import type { HttpClient } from '../../nodes/core/http/client';
import {
	startFakeServer,
	parseFailedItem,
	catchNodeError,
	isFailedItem,
	createNodeFixture,
	sendJson,
	requireValue,
	createIndexRecords,
	TOKEN_ROUTE,
	type FixtureRunOptions,
} from '../n8n-core/nodeFixture';
import { useSimulatedClock } from '../setup/turnedClock';
import { runWithClient } from './runWithClient';

const b = createNodeFixture({ companyCount: 12 });
useSimulatedClock();

const GET = 'GET /api/companies/{resourceId}';
const REFUSED = 'the service does not accept the token (401)';
const WRONG = 'the service did not accept the Client ID or Client Secret';
const onError = 'continueRegularOutput';

/** Reads a company for each of so many items, 20 at once. */
const get = async (count: number, more: FixtureRunOptions) =>
	b.run(
		SecurityAwarenessCompany,
		{
			operation: 'get',
			company: { mode: 'id', value: requireValue(b.standIn.state.companies[0]).companyResourceId },
			options: { concurrency: 20 },
		},
		{ items: createIndexRecords(count).map((json) => ({ json })), ...more },
	);

/** A credential with a token that the service does not take any more. */
async function expired() {
	const store = b.createCredentialStore();
	await get(1, { store });
	b.standIn.expireTokens();
	b.standIn.clearLog();
	return store;
}

const statuses = () => b.requests.map(({ status }) => status);

test('without a stored token one is fetched, then all requests go at once with it', async () => {
	b.standIn.setOptions({ latencyMs: 100 });
	const { items } = await get(20, { store: b.createCredentialStore() });
	expect(items.some(isFailedItem)).toBe(false);
	expect([b.tokenRequestCount, b.requests.length]).toEqual([1, 20]);
	expect(b.maxInFlightCount).toBe(20);
});

test('where no token came, it is asked for again, once for all', async () => {
	b.standIn.addFault({ route: TOKEN_ROUTE, kind: 'reset-before' });
	const { items } = await get(10, { store: b.createCredentialStore() });
	expect(items.some(isFailedItem)).toBe(false);
	expect([b.tokenRequestCount, b.requests.length]).toEqual([2, 10]);
});

test.each([false, true])(
	'20 requests that meet a 401 at once cost one token request (a new token voids the former: %s)',
	async (newTokenVoidsFormer) => {
		const store = await expired();
		b.standIn.setOptions({ latencyMs: 100, newTokenRevokesEarlierOnes: newTokenVoidsFormer });
		const { items } = await get(20, { store });
		expect(items.some(isFailedItem)).toBe(false);
		expect(b.tokenRequestCount).toBe(1);
		expect(statuses().sort()).toEqual([...Array<number>(20).fill(200), ...Array<number>(20).fill(401)]);
	},
);

test('a 401 that comes late, after another request has renewed the token, does not renew it again', async () => {
	let issued = 0;
	const odd = await startFakeServer(
		({ url, headers }, response) => {
			const isGood = headers.authorization === 'Bearer token-1';
			const answer = () => sendJson(response, isGood ? 200 : 401, { data: { token: headers.authorization } });
			setTimeout(answer, url === '/api/roles' ? 5000 : 0);
		},
		(response) => sendJson(response, 200, { access_token: `token-${++issued}`, token_type: 'Bearer' }),
	);
	odd.store.data = { ...odd.store.data, oauthTokenData: { access_token: 'worn-out', token_type: 'Bearer' } };
	const ask = async (service: HttpClient, endpoint: 'GET /api/roles' | 'GET /api/company-groups') =>
		(await service.requestJson({ endpoint, purpose: 'ask' })).data;
	const answers = await runWithClient(odd.store, async (service) =>
		Promise.all([ask(service, 'GET /api/roles'), ask(service, 'GET /api/company-groups')]),
	);
	expect(answers).toEqual([{ token: 'Bearer token-1' }, { token: 'Bearer token-1' }]);
	expect(odd.tokenRequests()).toBe(1);
	expect(odd.requests).toHaveLength(4);
});

test('a token that another run has renewed meanwhile is used, and none is asked for', async () => {
	let asked = 0;
	const odd = await startFakeServer(
		({ headers }, response) => {
			asked++;
			const isLate = asked > 3;
			if (asked === 3) odd.store.data.oauthTokenData = { access_token: 'of-another-run', token_type: 'Bearer' };
			const isGood = headers.authorization === (isLate ? 'Bearer of-another-run' : 'Bearer first');
			sendJson(response, isGood ? 200 : 401, { data: { name: 'Company' } });
		},
		(response) => sendJson(response, 200, { access_token: 'of-nobody', token_type: 'Bearer' }),
	);
	odd.store.data = { ...odd.store.data, oauthTokenData: { access_token: 'first', token_type: 'Bearer' } };
	const { items } = await get(8, { store: odd.store, onError });
	expect(items.some(isFailedItem)).toBe(false);
	expect(odd.tokenRequests()).toBe(0);
});

test('a token that expires in mid-run, twice, is renewed twice, and every item has its answer', async () => {
	b.standIn.setOptions({ latencyMs: 5, newTokenRevokesEarlierOnes: true });
	for (const after of [15, 60]) b.standIn.addFault({ route: GET, kind: 'expired-token', skipCount: after });
	const { items } = await get(100, { store: b.createCredentialStore() });
	expect(items.map(isFailedItem)).toEqual(Array<boolean>(100).fill(false));
	expect(b.tokenRequestCount).toBe(3);
});

test('a token that is never accepted is fetched five times, then the error says what to do', async () => {
	b.standIn.addFault({ route: GET, kind: 'status-401', times: Infinity });
	const error = await catchNodeError(get(1, { store: b.createCredentialStore() }));
	expect(error).toMatchObject({ message: expect.stringContaining(REFUSED), httpCode: '401' });
	expect(error.description).toContain('Open the credential and save it again');
	expect([b.tokenRequestCount, b.requests.length]).toEqual([5, 5]);
});

test('tokens that live for no time at all end each item in an error, none in a loop', async () => {
	const store = await expired();
	b.standIn.setOptions({ tokenLifetimeSeconds: 0 });
	const { items } = await get(30, { store, onError });
	expect(items.every((item) => parseFailedItem(item).message.includes(REFUSED))).toBe(true);
	// Five for the run, not for each item.
	expect(b.tokenRequestCount).toBe(5);
	expect(b.requests.length).toBeLessThanOrEqual(20 * 6 + 10);
});

test.each([false, true])(
	'a token that is good for three requests is replaced as often as it takes (a new one voids the former: %s)',
	async (newTokenVoidsFormer) => {
		b.standIn.setOptions({ requestsPerToken: 3, newTokenRevokesEarlierOnes: newTokenVoidsFormer });
		const { items } = await b.run(
			SecurityAwarenessTargetGroup,
			{ operation: 'getMany', companyScope: 'every', onlyCompanies: {}, limit: 1 },
			{ store: b.createCredentialStore() },
		);
		expect(items.some(isFailedItem)).toBe(false);
		const answered = statuses().filter((status) => status === 200).length;
		expect(answered).toBeGreaterThan(12);
		expect(b.tokenRequestCount).toBe(Math.ceil(answered / 3));
	},
);

test.each(['stall', 'html-200', 'status'] as const)(
	'a token endpoint that does not work is asked once for the run, not once for each item: %s',
	async (kind) => {
		b.standIn.addFault({ route: TOKEN_ROUTE, kind, status: 407, times: Infinity });
		const { items } = await get(30, { store: b.createCredentialStore(), onError });
		const says = {
			stall: /could not issue a token in time/,
			'html-200': /does not issue tokens/,
			status: /a proxy between n8n and the service asks for a sign-in/,
		};
		expect(items.map((item) => says[kind].test(parseFailedItem(item).message))).toEqual(Array<boolean>(30).fill(true));
		expect([b.tokenRequestCount, b.requests.length]).toEqual([1, 0]);
	},
);

test('all tokens of a run are replaced in what the service says, not only the last', async () => {
	let issued = 0;
	const odd = await startFakeServer(
		({ headers }, response) => {
			const isOld = headers.authorization === 'Bearer token-of-before';
			const message = `token-of-before and token-1 and ${headers.authorization ?? ''}`;
			sendJson(response, isOld ? 401 : 400, { data: null, validationMessages: [message] });
		},
		(response) => sendJson(response, 200, { access_token: `token-${++issued}`, token_type: 'Bearer' }),
	);
	odd.store.data = { ...odd.store.data, oauthTokenData: { access_token: 'token-of-before', token_type: 'Bearer' } };
	const error = await catchNodeError(get(1, { store: odd.store }));
	expect(error.description).toContain('••• and ••• and Bearer •••');
	expect(issued).toBe(1);
});

test('a wrong secret is told as such: for the first token, and for a further one', async () => {
	const stores = [b.createCredentialStore('reseller', { clientSecret: 'wrong-secret' }), await expired()];
	requireValue(stores[1]).data.clientSecret = 'changed-meanwhile';
	for (const store of stores) {
		b.standIn.clearLog();
		const error = await catchNodeError(get(1, { store }));
		expect(error.message).toContain(WRONG);
		expect(error.description).toMatch(/^Open the credential and enter both again.* create a new one\./);
		expect(JSON.stringify([error, error.message, error.stack])).not.toMatch(/wrong-secret|changed-meanwhile/);
		expect(b.standIn.getRequests(TOKEN_ROUTE).map(({ status }) => status)).toEqual([400]);
		expect(statuses().filter((status) => status !== 401)).toEqual([]);
	}
});

test('a secret that was corrected works at once', async () => {
	const store = b.createCredentialStore('reseller', { clientSecret: 'wrong-secret' });
	const { items } = await get(5, { store, onError });
	expect(items.every((item) => parseFailedItem(item).message.includes(WRONG))).toBe(true);
	store.data.clientSecret = b.standIn.clients.reseller.clientSecret;
	expect((await get(5, { store })).items.some(isFailedItem)).toBe(false);
});
