/** When a token is asked for: as seldom as possible, and never in a loop. Against the stand-in service, over real HTTP. */
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import type { Service } from '../../nodes/shared/transport/service';
import {
	answering,
	failedItem,
	failureOf,
	isFailed,
	nodeFixture,
	sendJson,
	the,
	times,
	TOKEN,
	type RunMore,
} from '../n8n-core/nodeFixture';
import { turnClock } from '../setup/turnedClock';
import { inNode } from './inNode';

const b = nodeFixture({ companies: 12 });
turnClock();

const GET = 'GET /api/companies/{resourceId}';
const REFUSED = 'the service does not accept the token (401)';
const WRONG = 'the service did not accept the Client ID or Client Secret';
const onError = 'continueRegularOutput';

/** Reads a company for each of so many items, 20 at once. */
const get = async (count: number, more: RunMore) =>
	await b.run(
		SecurityAwarenessCompany,
		{
			operation: 'get',
			company: { mode: 'id', value: the(b.service.state.companies[0]).companyResourceId },
			options: { concurrency: 20 },
		},
		{ items: times(count).map((json) => ({ json })), ...more },
	);

/** A credential with a token that the service does not take any more. */
async function expired() {
	const store = b.newStore();
	await get(1, { store });
	b.service.expireTokens();
	b.service.clearLog();
	return store;
}

const statuses = () => b.asked.map(({ status }) => status);

test('without a stored token the first request goes alone, then the others at once, all with its token', async () => {
	b.service.setOptions({ latencyMs: 100 });
	const { items } = await get(20, { store: b.newStore() });
	expect(items.some(isFailed)).toBe(false);
	expect([b.tokenRequests, b.asked.length]).toEqual([1, 20]);
	const [first, second] = b.asked;
	expect(the(second).at - the(first).at).toBeGreaterThanOrEqual(100);
	expect(b.mostInFlight).toBe(19);
});

test('where the first request got no token, the next one goes alone in its place', async () => {
	b.service.fault({ route: TOKEN, kind: 'reset-before' });
	const { items } = await get(10, { store: b.newStore() });
	expect(items.some(isFailed)).toBe(false);
	expect([b.tokenRequests, b.asked.length]).toEqual([2, 10]);
});

test.each([false, true])(
	'20 requests that meet a 401 at once cost one token request (a new token voids the former: %s)',
	async (newTokenVoidsFormer) => {
		const store = await expired();
		b.service.setOptions({ latencyMs: 100, newTokenVoidsFormer });
		const { items } = await get(20, { store });
		expect(items.some(isFailed)).toBe(false);
		expect(b.tokenRequests).toBe(1);
		expect(statuses().sort()).toEqual([...Array<number>(20).fill(200), ...Array<number>(20).fill(401)]);
	},
);

test('a 401 that comes late, after another request has renewed the token, does not renew it again', async () => {
	let issued = 0;
	const odd = await answering(
		({ url, headers }, response) => {
			const isGood = headers.authorization === 'Bearer token-1';
			const answer = () => sendJson(response, isGood ? 200 : 401, { data: { token: headers.authorization } });
			setTimeout(answer, url === '/api/late' ? 5000 : 0);
		},
		(response) => sendJson(response, 200, { access_token: `token-${++issued}`, token_type: 'Bearer' }),
	);
	odd.store.data = { ...odd.store.data, oauthTokenData: { access_token: 'worn-out', token_type: 'Bearer' } };
	const ask = async (service: Service, contract: 'GET /api/late' | 'GET /api/early') =>
		(await service.json({ contract, repeatable: true, purpose: 'ask' })).data;
	const answers = await inNode(
		odd.store,
		async (service) => await Promise.all([ask(service, 'GET /api/late'), ask(service, 'GET /api/early')]),
	);
	expect(answers).toEqual([{ token: 'Bearer token-1' }, { token: 'Bearer token-1' }]);
	expect(odd.tokenRequests()).toBe(1);
	expect(odd.requests).toHaveLength(4);
});

test('a token that expires in mid-run, twice, is renewed twice, and every item has its answer', async () => {
	b.service.setOptions({ latencyMs: 5, newTokenVoidsFormer: true });
	for (const after of [15, 60]) b.service.fault({ route: GET, kind: 'expired-token', after });
	const { items } = await get(100, { store: b.newStore() });
	expect(items.map(isFailed)).toEqual(Array<boolean>(100).fill(false));
	expect(b.tokenRequests).toBe(3);
});

test('a second 401 is not renewed again: the error says what to do', async () => {
	b.service.fault({ route: GET, kind: 'status-401', times: Infinity });
	const error = await failureOf(get(1, { store: b.newStore() }));
	expect(error).toMatchObject({ message: expect.stringContaining(REFUSED), httpCode: '401' });
	expect(error.description).toContain('Open the credential and save it again');
	expect([b.tokenRequests, b.asked.length]).toEqual([2, 2]);
});

test('tokens that live for no time at all end each item in an error, none in a loop', async () => {
	const store = await expired();
	b.service.setOptions({ tokenLifetimeSeconds: 0 });
	const { items } = await get(30, { store, onError });
	expect(items.every((item) => failedItem(item).message.includes(REFUSED))).toBe(true);
	expect(b.asked).toHaveLength(60);
	expect(b.tokenRequests).toBeLessThanOrEqual(30);
});

test('a wrong secret is told as such: for the first token, and for a further one', async () => {
	const stores = [b.newStore('reseller', { clientSecret: 'wrong-secret' }), await expired()];
	the(stores[1]).data.clientSecret = 'changed-meanwhile';
	for (const store of stores) {
		b.service.clearLog();
		const error = await failureOf(get(1, { store }));
		expect(error.message).toContain(WRONG);
		expect(error.description).toMatch(/^Open the credential and enter both again.* create a new one\./);
		expect(JSON.stringify([error, error.message, error.stack])).not.toMatch(/wrong-secret|changed-meanwhile/);
		expect(b.service.requests(TOKEN).map(({ status }) => status)).toEqual([400]);
		expect(statuses().filter((status) => status !== 401)).toEqual([]);
	}
});

test('a secret that was corrected works at once', async () => {
	const store = b.newStore('reseller', { clientSecret: 'wrong-secret' });
	const { items } = await get(5, { store, onError });
	expect(items.every((item) => failedItem(item).message.includes(WRONG))).toBe(true);
	store.data.clientSecret = b.service.clients.reseller.clientSecret;
	expect((await get(5, { store })).items.some(isFailed)).toBe(false);
});
