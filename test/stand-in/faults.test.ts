/** Tests the faults and the log of the stand-in. test/http/faults.test.ts tests how nodes handle faults. */
import { connect } from 'node:net';
import { ApiClient, buildPageBody } from './apiClient';
import { startStandIn, type FaultKind, type StandIn } from './index';
import { waitUntil } from '../setup/waitUntil';

const LEADERBOARD_EXPORT_ROUTE = 'POST /api/leaderboard/get-all/export';
const TARGET_GROUP_SEARCH_ROUTE = 'POST /api/target-groups/search/current-company';
const CREATE_GROUP_ROUTE = 'POST /api/company-groups';
const groupBody = { name: 'Probe', companyResourceIdArray: [] };

let standIn: StandIn;
let resellerClient: ApiClient;
beforeAll(async () => {
	standIn = await startStandIn({ companyCount: 40 });
	resellerClient = await new ApiClient(standIn, standIn.clients.reseller).signIn();
});
beforeEach(() => standIn.reset());
afterAll(async () => standIn.close());
const countCreatedGroups = () => standIn.world.companyGroups.filter(({ name }) => name === 'Probe').length;

test.each<[FaultKind, number]>([
	['status-429', 429],
	['status-500', 500],
	['html-502', 502],
	['status-503', 503],
	['html-504', 504],
	['status-401', 401],
	['forbidden-company', 403],
	['closed-access', 403],
	['error-envelope', 200],
	['html-200', 200],
	['empty', 200],
	['wrong-shape', 200],
])('%s responds with %d once, instead of the operation, or after it if the rule says so', async (kind, status) => {
	standIn.addFault({ kind, retryAfter: '3' });
	standIn.addFault({ kind, shouldTakeEffect: true });
	expect((await resellerClient.send(CREATE_GROUP_ROUTE, groupBody)).status).toBe(status);
	expect(standIn.log.at(-1)).toMatchObject({ fault: kind, status, hasChangedData: false, route: CREATE_GROUP_ROUTE });
	expect(countCreatedGroups()).toBe(0);
	expect((await resellerClient.send(CREATE_GROUP_ROUTE, groupBody)).status).toBe(status);
	expect(countCreatedGroups()).toBe(1);
	expect((await resellerClient.send(CREATE_GROUP_ROUTE, groupBody)).status).toBe(200);
	expect(standIn.log.at(-1)).toMatchObject({ hasChangedData: true });
});

test('connections are cut before or after the operation takes effect', async () => {
	for (const [kind, expectedGroupCount] of [
		['reset-before', 0],
		['reset-after', 1],
	] as const) {
		standIn.addFault({ kind, route: CREATE_GROUP_ROUTE });
		await expect(resellerClient.send(CREATE_GROUP_ROUTE, groupBody)).rejects.toMatchObject({ code: 'ECONNRESET' });
		expect([standIn.log.at(-1)?.status, countCreatedGroups()]).toEqual([0, expectedGroupCount]);
	}
});

test('a response is late, incomplete, or never sent', async () => {
	for (const kind of ['stall', 'stall-body', 'slow'] as const) {
		standIn.addFault({ kind, route: CREATE_GROUP_ROUTE, durationMs: 30 });
		expect((await resellerClient.send(CREATE_GROUP_ROUTE, groupBody)).status).toBe(200);
		standIn.addFault({ kind, route: CREATE_GROUP_ROUTE, durationMs: 2000 });
		await expect(resellerClient.send(CREATE_GROUP_ROUTE, groupBody, { timeout: 200 })).rejects.toThrow();
	}
	// A slow operation takes effect even if nobody waits for the response.
	expect(countCreatedGroups()).toBe(5);
});

test.each<FaultKind>(['truncate', 'truncate-chunked'])('%s sends less than it announced', async (kind) => {
	standIn.addFault({ kind, route: LEADERBOARD_EXPORT_ROUTE });
	await expect(
		resellerClient.downloadFile(LEADERBOARD_EXPORT_ROUTE, { exportType: 'CSV', reportAllPages: true }),
	).rejects.toThrow();
	expect(standIn.log.at(-1)).toMatchObject({ fault: kind, status: 200 });
	expect(standIn.log.at(-1)?.sha256).toBeUndefined();
});

test('a large file has the requested size until it was delivered once', async () => {
	const byteCount = 3_000_001;
	standIn.setOptions({ leaderboardExportBytes: byteCount });
	standIn.addFault({ kind: 'truncate-chunked', route: LEADERBOARD_EXPORT_ROUTE });
	await expect(resellerClient.downloadFile(LEADERBOARD_EXPORT_ROUTE, { exportType: 'CSV' })).rejects.toThrow();
	expect((await resellerClient.downloadFile(LEADERBOARD_EXPORT_ROUTE, { exportType: 'CSV' })).bytes).toHaveLength(
		byteCount,
	);
	expect(
		(await resellerClient.downloadFile(LEADERBOARD_EXPORT_ROUTE, { exportType: 'CSV' })).bytes.length,
	).toBeLessThan(10_000);
});

test('only the token of the request is revoked', async () => {
	const otherClient = await new ApiClient(standIn, standIn.clients.reseller).signIn();
	standIn.addFault({ kind: 'expired-token', route: TARGET_GROUP_SEARCH_ROUTE });
	expect((await otherClient.send(TARGET_GROUP_SEARCH_ROUTE, buildPageBody())).status).toBe(401);
	expect((await otherClient.send(TARGET_GROUP_SEARCH_ROUTE, buildPageBody())).status).toBe(401);
	expect((await resellerClient.send(TARGET_GROUP_SEARCH_ROUTE, buildPageBody())).status).toBe(200);
});

test('a rule applies to its route, company and page, with its limits; the token endpoint has its own key', async () => {
	const companyId = standIn.world.companies[1]?.companyResourceId ?? '';
	standIn.addFault({ kind: 'status-500', route: TARGET_GROUP_SEARCH_ROUTE, companyId, times: Infinity });
	const requestStatus = async (client: ApiClient, pageFields = {}) =>
		(await client.send(TARGET_GROUP_SEARCH_ROUTE, buildPageBody(pageFields))).status;
	expect([
		await requestStatus(resellerClient.scopeToCompany(companyId)),
		await requestStatus(resellerClient.scopeToCompany(companyId)),
		await requestStatus(resellerClient),
	]).toEqual([500, 500, 200]);
	standIn.clearFaults();
	standIn.addFault({ kind: 'status-503', route: TARGET_GROUP_SEARCH_ROUTE, pageNumber: 2, skipCount: 1, times: 2 });
	const statuses = [];
	for (const pageNumber of [1, 2, 2, 1, 2, 2]) statuses.push(await requestStatus(resellerClient, { pageNumber }));
	expect(statuses).toEqual([200, 200, 503, 200, 503, 200]);
	standIn.addFault({ kind: 'status-500', times: Infinity });
	expect((await resellerClient.requestToken()).status).toBe(200);
	standIn.addFault({ kind: 'html-502', route: 'POST /connect/token' });
	expect((await resellerClient.requestToken()).status).toBe(502);
});

test('the log contains requests and responses, but no token', async () => {
	const company = standIn.world.companies[4]?.companyResourceId;
	const client = new ApiClient(standIn, standIn.clients.reseller, company);
	await client.send(`${TARGET_GROUP_SEARCH_ROUTE}?x=1`, buildPageBody());
	const [signInRequest, groupRequest] = standIn.log;
	expect(signInRequest).toMatchObject({ route: 'POST /connect/token', clientId: 'reseller-client', status: 200 });
	expect(groupRequest).toMatchObject({
		route: TARGET_GROUP_SEARCH_ROUTE,
		method: 'POST',
		path: '/api/target-groups/search/current-company',
		query: { x: '1' },
		companyId: company,
		tokenOrdinal: signInRequest?.tokenOrdinal,
		body: buildPageBody(),
		status: 200,
		hasChangedData: false,
		inFlightCount: 1,
	});
	expect(JSON.stringify(standIn.log)).not.toMatch(/eyJ/);
});

test('survives broken framing, and closes at once although requests are stalled', async () => {
	const otherStandIn = await startStandIn({ companyCount: 1 });
	const socket = connect(Number(new URL(otherStandIn.url).port), '127.0.0.1', () => socket.end('NONSENSE\r\n\r\n'));
	const response = await new Promise((resolve) => socket.once('data', resolve));
	expect(String(response)).toContain('400');
	otherStandIn.addFault({ kind: 'stall', route: 'POST /connect/token' });
	const stalledRequest = new ApiClient(otherStandIn, otherStandIn.clients.reseller).requestToken();
	const rejection = expect(stalledRequest).rejects.toThrow();
	await waitUntil('the request came', () => otherStandIn.getRequests('POST /connect/token').length > 0);
	await otherStandIn.close();
	await rejection;
});
