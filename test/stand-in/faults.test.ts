/** Faults on demand, and the log. What a fault does to a node is in test/http/faults.test.ts. */
import { connect } from 'node:net';
import { ApiClient, page } from './apiClient';
import { startService, type FaultKind, type StandIn } from './index';
import { waitUntil } from '../setup/waitUntil';

const BOARD = 'POST /api/leaderboard/get-all/export';
const GROUPS = 'POST /api/target-groups/search/current-company';
const CREATE = 'POST /api/company-groups';
const body = { name: 'Probe', companyResourceIdArray: [] };

let service: StandIn;
let reseller: ApiClient;
beforeAll(async () => {
	service = await startService({ companies: 40 });
	reseller = await new ApiClient(service, service.clients.reseller).signIn();
});
beforeEach(() => service.reset());
afterAll(async () => service.close());
const landed = () => service.state.groups.filter(({ name }) => name === 'Probe').length;

test.each<[FaultKind, number]>([
	['status-429', 429],
	['status-500', 500],
	['html-502', 502],
	['status-503', 503],
	['html-504', 504],
	['status-401', 401],
	['forbidden-company', 403],
	['error-envelope', 200],
	['html-200', 200],
	['empty', 200],
	['wrong-shape', 200],
])('%s answers %d once, in the place of the operation, or after it where a rule says so', async (kind, status) => {
	service.fault({ kind, retryAfter: '3' });
	service.fault({ kind, landed: true });
	expect((await reseller.ask(CREATE, body)).status).toBe(status);
	expect(service.log.at(-1)).toMatchObject({ fault: kind, status, landed: false, route: CREATE });
	expect(landed()).toBe(0);
	expect((await reseller.ask(CREATE, body)).status).toBe(status);
	expect(landed()).toBe(1);
	expect((await reseller.ask(CREATE, body)).status).toBe(200);
	expect(service.log.at(-1)).toMatchObject({ landed: true });
});

test('connections are cut, before or after the effect', async () => {
	for (const [kind, expected] of [
		['reset-before', 0],
		['reset-after', 1],
	] as const) {
		service.fault({ kind, route: CREATE });
		await expect(reseller.ask(CREATE, body)).rejects.toMatchObject({ code: 'ECONNRESET' });
		expect([service.log.at(-1)?.status, landed()]).toEqual([0, expected]);
	}
});

test('an answer comes late, in part, or never', async () => {
	for (const kind of ['stall', 'stall-body', 'slow'] as const) {
		service.fault({ kind, route: CREATE, ms: 30 });
		expect((await reseller.ask(CREATE, body)).status).toBe(200);
		service.fault({ kind, route: CREATE, ms: 2000 });
		await expect(reseller.ask(CREATE, body, { timeout: 200 })).rejects.toThrow();
	}
	// What is slow takes effect even if nobody waits for the answer.
	expect(landed()).toBe(5);
});

test.each<FaultKind>(['truncate', 'truncate-chunked'])('%s sends less than it promised', async (kind) => {
	service.fault({ kind, route: BOARD });
	await expect(reseller.file(BOARD, { exportType: 'CSV', reportAllPages: true })).rejects.toThrow();
	expect(service.log.at(-1)).toMatchObject({ fault: kind, status: 200 });
	expect(service.log.at(-1)?.sha256).toBeUndefined();
});

test('a large file is as large as wanted, until it was delivered', async () => {
	const bytes = 3_000_001;
	service.setOptions({ exportBytes: bytes });
	service.fault({ kind: 'truncate-chunked', route: BOARD });
	await expect(reseller.file(BOARD, { exportType: 'CSV' })).rejects.toThrow();
	expect((await reseller.file(BOARD, { exportType: 'CSV' })).bytes).toHaveLength(bytes);
	expect((await reseller.file(BOARD, { exportType: 'CSV' })).bytes.length).toBeLessThan(10_000);
});

test('a token is voided, and only this one', async () => {
	const other = await new ApiClient(service, service.clients.reseller).signIn();
	service.fault({ kind: 'expired-token', route: GROUPS });
	expect((await other.ask(GROUPS, page())).status).toBe(401);
	expect((await other.ask(GROUPS, page())).status).toBe(401);
	expect((await reseller.ask(GROUPS, page())).status).toBe(200);
});

test('a rule hits only its route, company and page, so many times, after so many; the token endpoint by its own key', async () => {
	const one = service.state.companies[1]?.companyResourceId ?? '';
	service.fault({ kind: 'status-500', route: GROUPS, company: one, times: Infinity });
	const ask = async (client: ApiClient, more = {}) => (await client.ask(GROUPS, page(more))).status;
	expect([await ask(reseller.for(one)), await ask(reseller.for(one)), await ask(reseller)]).toEqual([500, 500, 200]);
	service.clearFaults();
	service.fault({ kind: 'status-503', route: GROUPS, page: 2, after: 1, times: 2 });
	const statuses = [];
	for (const pageNumber of [1, 2, 2, 1, 2, 2]) statuses.push(await ask(reseller, { pageNumber }));
	expect(statuses).toEqual([200, 200, 503, 200, 503, 200]);
	service.fault({ kind: 'status-500', times: Infinity });
	expect((await reseller.requestToken()).status).toBe(200);
	service.fault({ kind: 'html-502', route: 'POST /connect/token' });
	expect((await reseller.requestToken()).status).toBe(502);
});

test('the log tells what came and what was answered, but no token', async () => {
	const company = service.state.companies[4]?.companyResourceId;
	const client = new ApiClient(service, service.clients.reseller, company);
	await client.ask(`${GROUPS}?x=1`, page());
	const [signIn, asked] = service.log;
	expect(signIn).toMatchObject({ route: 'POST /connect/token', clientId: 'reseller-client', status: 200 });
	expect(asked).toMatchObject({
		route: GROUPS,
		method: 'POST',
		path: '/api/target-groups/search/current-company',
		query: { x: '1' },
		companyId: company,
		token: signIn?.token,
		body: page(),
		status: 200,
		landed: false,
		inFlight: 1,
	});
	expect(JSON.stringify(service.log)).not.toMatch(/eyJ/);
});

test('broken framing does not break the service, and it closes at once although requests are stalled', async () => {
	const other = await startService({ companies: 1 });
	const socket = connect(Number(new URL(other.url).port), '127.0.0.1', () => socket.end('NONSENSE\r\n\r\n'));
	const [answer] = await Promise.all([new Promise((resolve) => socket.once('data', resolve))]);
	expect(String(answer)).toContain('400');
	other.fault({ kind: 'stall', route: 'POST /connect/token' });
	const hanging = expect(new ApiClient(other, other.clients.reseller).requestToken()).rejects.toThrow();
	await waitUntil('the request came', () => other.requests('POST /connect/token').length > 0);
	await other.close();
	await hanging;
});
