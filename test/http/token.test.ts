/**
 * Tests that a token is requested as seldom as possible, and never in a loop. The requests go to the stand-in over real HTTP.
 */
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
import { useSimulatedDate } from '../setup/testClock';
import { chooseTimeout } from '../stand-in/chooseTimeout';
import { runWithClient } from './runWithClient';

const fixture = createNodeFixture({ companyCount: 12 });
useSimulatedDate();

const GET_COMPANY = 'GET /api/companies/{resourceId}';
const TOKEN_REJECTED = 'the platform does not accept the token (401)';
const CREDENTIAL_REJECTED = 'the platform did not accept the Client ID or Client Secret';
const onError = 'continueRegularOutput';

/** Runs a node that reads the same company once for each of `itemCount` items, with up to 20 requests at once. */
const readCompany = (itemCount: number, options: FixtureRunOptions, timeoutSeconds = chooseTimeout(undefined)) =>
	fixture.run(
		SecurityAwarenessCompany,
		{
			operation: 'get',
			company: { mode: 'id', value: requireValue(fixture.standIn.world.companies[0]).companyResourceId },
			options: { concurrency: 20, timeout: timeoutSeconds },
		},
		{ items: createIndexRecords(itemCount).map((json) => ({ json })), ...options },
	);

/** Creates a credential with a token that the platform no longer accepts. */
async function createExpiredCredential() {
	const credentialStore = fixture.createCredentialStore();
	await readCompany(1, { credentialStore });
	fixture.standIn.expireTokens();
	fixture.standIn.clearLog();
	return credentialStore;
}

const getStatuses = () => fixture.requests.map(({ status }) => status);

test('without a stored token, one token is fetched, and all requests are sent at once with it', async () => {
	fixture.standIn.setOptions({ latencyMs: 300 });
	const { items } = await readCompany(20, { credentialStore: fixture.createCredentialStore() });
	expect(items.some(isFailedItem)).toBe(false);
	expect([fixture.tokenRequestCount, fixture.requests.length]).toEqual([1, 20]);
	expect(fixture.maxInFlightCount).toBe(20);
});

test('a failed token request is repeated once for all requests', async () => {
	fixture.standIn.addFault({ route: TOKEN_ROUTE, kind: 'reset-before' });
	const { items } = await readCompany(10, { credentialStore: fixture.createCredentialStore() });
	expect(items.some(isFailedItem)).toBe(false);
	expect([fixture.tokenRequestCount, fixture.requests.length]).toEqual([2, 10]);
});

test.each([false, true])(
	'20 requests that get a 401 at the same time cost one token request (a new token revokes the earlier ones: %s)',
	async (shouldRevokeEarlierTokens) => {
		const credentialStore = await createExpiredCredential();
		fixture.standIn.setOptions({ latencyMs: 300, shouldRevokeEarlierTokens });
		const { items } = await readCompany(20, { credentialStore });
		expect(items.some(isFailedItem)).toBe(false);
		expect(fixture.tokenRequestCount).toBe(1);
		expect(getStatuses().sort()).toEqual([...Array<number>(20).fill(200), ...Array<number>(20).fill(401)]);
	},
);

test('a late 401, after another request has refreshed the token, does not refresh it again', async () => {
	let tokenCount = 0;
	const fakeServer = await startFakeServer(
		({ url, headers }, response) => {
			const isAccepted = headers.authorization === 'Bearer token-1';
			const sendResponse = () => sendJson(response, isAccepted ? 200 : 401, { data: { token: headers.authorization } });
			setTimeout(sendResponse, url === '/api/roles' ? 300 : 0);
		},
		(response) => sendJson(response, 200, { access_token: `token-${++tokenCount}`, token_type: 'Bearer' }),
	);
	fakeServer.credentialStore.data = {
		...fakeServer.credentialStore.data,
		oauthTokenData: { access_token: 'worn-out', token_type: 'Bearer' },
	};
	const readData = async (client: HttpClient, endpoint: 'GET /api/roles' | 'GET /api/company-groups') =>
		(await client.requestJson({ endpoint, purpose: 'ask' })).data;
	const results = await runWithClient(fakeServer.credentialStore, async (client) =>
		Promise.all([readData(client, 'GET /api/roles'), readData(client, 'GET /api/company-groups')]),
	);
	expect(results).toEqual([{ token: 'Bearer token-1' }, { token: 'Bearer token-1' }]);
	expect(fakeServer.getTokenRequestCount()).toBe(1);
	expect(fakeServer.requests).toHaveLength(4);
});

test('a token that another run has refreshed in the meantime is used, and no token is requested', async () => {
	let requestCount = 0;
	const fakeServer = await startFakeServer(
		({ headers }, response) => {
			requestCount++;
			const isAfterRefresh = requestCount > 3;
			if (requestCount === 3)
				fakeServer.credentialStore.data.oauthTokenData = { access_token: 'of-another-run', token_type: 'Bearer' };
			const isAccepted = headers.authorization === (isAfterRefresh ? 'Bearer of-another-run' : 'Bearer first');
			sendJson(response, isAccepted ? 200 : 401, { data: { name: 'Company' } });
		},
		(response) => sendJson(response, 200, { access_token: 'of-nobody', token_type: 'Bearer' }),
	);
	fakeServer.credentialStore.data = {
		...fakeServer.credentialStore.data,
		oauthTokenData: { access_token: 'first', token_type: 'Bearer' },
	};
	const { items } = await readCompany(8, { credentialStore: fakeServer.credentialStore, onError });
	expect(items.some(isFailedItem)).toBe(false);
	expect(fakeServer.getTokenRequestCount()).toBe(0);
});

test('a token that another run has stored is used after one second; until then, the credential is not read again', async () => {
	const fakeServer = await startFakeServer(({ headers }, response) =>
		sendJson(response, 200, { data: { token: headers.authorization } }),
	);
	const { credentialStore } = fakeServer;
	const storeToken = (token: string) => {
		credentialStore.data.oauthTokenData = { access_token: token, token_type: 'Bearer' };
	};
	storeToken('first');
	const clock = jest.spyOn(performance, 'now').mockReturnValue(5000);
	const results = await runWithClient(credentialStore, async (client) => {
		const readToken = async () => (await client.requestJson({ endpoint: 'GET /api/roles', purpose: 'ask' })).data;
		storeToken('second');
		clock.mockReturnValue(5999);
		const earlyToken = await readToken();
		clock.mockReturnValue(6000);
		return [earlyToken, await readToken()];
	});
	expect(results).toEqual([{ token: 'Bearer first' }, { token: 'Bearer second' }]);
});

// A token that is never accepted is fetched five times. More refreshes are allowed if requests succeed between them.
test.each([2, 7])(
	'a token that expires %d times during a run is refreshed as often, and every item succeeds',
	async (expiryCount) => {
		fixture.standIn.setOptions({ latencyMs: 5, shouldRevokeEarlierTokens: true });
		for (let index = 0; index < expiryCount; index++)
			fixture.standIn.addFault({ route: GET_COMPANY, kind: 'expired-token', skipCount: 15 * (index + 1) });
		const { items } = await readCompany(120, { credentialStore: fixture.createCredentialStore() });
		expect(items.map(isFailedItem)).toEqual(Array<boolean>(120).fill(false));
		expect(fixture.tokenRequestCount).toBe(1 + expiryCount);
	},
);

test('a token that is never accepted is fetched five times, and then the error says what to do', async () => {
	fixture.standIn.addFault({ route: GET_COMPANY, kind: 'status-401', times: Infinity });
	const error = await catchNodeError(readCompany(1, { credentialStore: fixture.createCredentialStore() }));
	expect(error).toMatchObject({ message: expect.stringContaining(TOKEN_REJECTED), httpCode: '401' });
	expect(error.description).toContain('Open the credential and save it again');
	expect([fixture.tokenRequestCount, fixture.requests.length]).toEqual([5, 5]);
});

test('tokens that expire immediately cause an error for each item, and no loop', async () => {
	const credentialStore = await createExpiredCredential();
	fixture.standIn.setOptions({ tokenLifetimeSeconds: 0 });
	const { items } = await readCompany(30, { credentialStore, onError });
	expect(items.every((item) => parseFailedItem(item).message.includes(TOKEN_REJECTED))).toBe(true);
	// At most five tokens are fetched for the whole run, not for each item.
	expect(fixture.tokenRequestCount).toBe(5);
	expect(fixture.requests.length).toBeLessThanOrEqual(20 * 6 + 10);
});

test.each([false, true])(
	'a token that is valid for three requests is refreshed as often as necessary (a new token revokes the earlier ones: %s)',
	async (shouldRevokeEarlierTokens) => {
		fixture.standIn.setOptions({ requestsPerToken: 3, shouldRevokeEarlierTokens });
		const { items } = await fixture.run(
			SecurityAwarenessTargetGroup,
			{ operation: 'getMany', companyScope: 'every', onlyCompanies: {}, limit: 1 },
			{ credentialStore: fixture.createCredentialStore() },
		);
		expect(items.some(isFailedItem)).toBe(false);
		const successCount = getStatuses().filter((status) => status === 200).length;
		expect(successCount).toBeGreaterThan(12);
		expect(fixture.tokenRequestCount).toBe(Math.ceil(successCount / 3));
	},
);

test.each(['stall', 'html-200', 'status'] as const)(
	'a token endpoint that does not work is called once for the run, not once for each item: %s',
	async (kind) => {
		fixture.standIn.addFault({ route: TOKEN_ROUTE, kind, status: 407, times: Infinity });
		const options: FixtureRunOptions = { credentialStore: fixture.createCredentialStore(), onError };
		const { items } = await readCompany(30, options, chooseTimeout(kind));
		const expectedMessages = {
			stall: /could not issue a token in time/,
			'html-200': /does not issue tokens/,
			status: /a proxy between n8n and the platform requires a sign-in/,
		};
		expect(items.map((item) => expectedMessages[kind].test(parseFailedItem(item).message))).toEqual(
			Array<boolean>(30).fill(true),
		);
		expect([fixture.tokenRequestCount, fixture.requests.length]).toEqual([1, 0]);
	},
);

test("all tokens of a run are redacted in the platform's messages, also one that begins with another one", async () => {
	let tokenCount = 0;
	const fakeServer = await startFakeServer(
		({ headers }, response) => {
			const isStoredToken = headers.authorization === 'Bearer token-of-before';
			const message = `token-of-before and token-of-before-1 and ${headers.authorization ?? ''}`;
			sendJson(response, isStoredToken ? 401 : 400, { data: null, validationMessages: [message] });
		},
		(response) => sendJson(response, 200, { access_token: `token-of-before-${++tokenCount}`, token_type: 'Bearer' }),
	);
	fakeServer.credentialStore.data = {
		...fakeServer.credentialStore.data,
		oauthTokenData: { access_token: 'token-of-before', token_type: 'Bearer' },
	};
	const error = await catchNodeError(readCompany(1, { credentialStore: fakeServer.credentialStore }));
	expect(error.description).toContain('••• and ••• and Bearer •••');
	expect(tokenCount).toBe(1);
});

test('a wrong secret has a clear error, for the first token and for a later one', async () => {
	const credentialStores = [
		fixture.createCredentialStore('reseller', { clientSecret: 'wrong-secret' }),
		await createExpiredCredential(),
	];
	requireValue(credentialStores[1]).data.clientSecret = 'changed-meanwhile';
	for (const credentialStore of credentialStores) {
		fixture.standIn.clearLog();
		const error = await catchNodeError(readCompany(1, { credentialStore }));
		expect(error.message).toContain(CREDENTIAL_REJECTED);
		expect(error.description).toMatch(/^Open the credential and enter both again.* create a new one\./);
		expect(JSON.stringify([error, error.message, error.stack])).not.toMatch(/wrong-secret|changed-meanwhile/);
		expect(fixture.standIn.getRequests(TOKEN_ROUTE).map(({ status }) => status)).toEqual([400]);
		expect(getStatuses().filter((status) => status !== 401)).toEqual([]);
	}
});

test('a corrected secret works immediately', async () => {
	const credentialStore = fixture.createCredentialStore('reseller', { clientSecret: 'wrong-secret' });
	const { items } = await readCompany(5, { credentialStore, onError });
	expect(items.every((item) => parseFailedItem(item).message.includes(CREDENTIAL_REJECTED))).toBe(true);
	credentialStore.data.clientSecret = fixture.standIn.clients.reseller.clientSecret;
	expect((await readCompany(5, { credentialStore })).items.some(isFailedItem)).toBe(false);
});
