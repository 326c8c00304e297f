/** Faults on demand, hostile input, the log and the control interface. */
import { connect } from 'node:net';
import axios from 'axios';
import { isRow, type Row } from './http';
import type { FaultKind, StandIn } from './index';
import { page, ApiClient } from './apiClient';
import { BOARD, expectNoCrash, GROUPS, ids, SEARCH, useSignedIn } from './testing';

let service: StandIn;
let reseller: ApiClient;
let admin: ApiClient;
const companyAt = useSignedIn((started) => ({ service, reseller, admin } = started));

describe('faults', () => {
	const probe = 'POST /api/company-groups';
	const body = { name: 'Probe', companyResourceIdArray: [] };
	const landed = () => service.state.groups.filter((group) => group.name === 'Probe').length;

	it.each<[FaultKind, number]>([
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
	])('%s answers %d once, in the place of the operation', async (kind, status) => {
		service.fault({ kind, retryAfter: '3' });
		const response = await reseller.ask(probe, body);
		expect(response.status).toBe(status);
		expect(service.log.at(-1)).toMatchObject({ fault: kind, status, landed: false, route: probe });
		expect(landed()).toBe(0);
		if (status === 429 || status === 503) expect(response.headers['retry-after']).toBe('3');
		if (kind.startsWith('html')) expect(response.headers['content-type']).toContain('text/html');
		if (kind === 'error-envelope')
			expect(response.data).toMatchObject({ data: null, status: 'error', validationMessages: [expect.any(String)] });
		expect((await reseller.ask(probe, body)).status).toBe(200);
		expect(service.log.at(-1)).toMatchObject({ landed: true });
	});

	it.each<[FaultKind, number]>([
		['status-500', 500],
		['html-504', 504],
	])('%s answers %d although the operation was carried out, where a rule says so', async (kind, status) => {
		service.fault({ kind, route: probe, landed: true });
		expect((await reseller.ask(probe, body)).status).toBe(status);
		expect(service.log.at(-1)).toMatchObject({ fault: kind, status, landed: true });
		expect(landed()).toBe(1);
	});

	it('cut connections, before or after the effect', async () => {
		service.fault({ kind: 'reset-before', route: probe });
		service.fault({ kind: 'reset-after', route: probe });
		await expect(reseller.ask(probe, body)).rejects.toMatchObject({ code: 'ECONNRESET' });
		expect(landed()).toBe(0);
		await expect(reseller.ask(probe, body)).rejects.toMatchObject({ code: 'ECONNRESET' });
		expect(landed()).toBe(1);
		expect(service.log.map(({ status, landed: done }) => [status, done])).toEqual([
			[0, false],
			[0, true],
		]);
	});

	it('stall, for ever or for a while, before the answer or in its middle', async () => {
		service.fault({ kind: 'stall', route: probe });
		await expect(reseller.ask(probe, body, { timeout: 300 })).rejects.toMatchObject({ code: 'ECONNABORTED' });
		expect(landed()).toBe(0);
		service.fault({ kind: 'stall', route: probe, ms: 50 });
		expect((await reseller.ask(probe, body)).status).toBe(200);
		service.fault({ kind: 'stall-body', route: probe });
		await expect(reseller.ask(probe, body, { timeout: 300 })).rejects.toThrow();
		service.fault({ kind: 'stall-body', route: probe, ms: 30 });
		expect((await reseller.ask(probe, body)).data).toMatchObject({ data: { name: 'Probe' } });
		service.fault({ kind: 'slow', route: probe, ms: 1000 });
		await expect(reseller.ask(probe, body, { timeout: 300 })).rejects.toMatchObject({ code: 'ECONNABORTED' });
		// The effect of a slow request happens even if nobody waited for the answer.
		expect(landed()).toBe(4);
	});

	it.each<FaultKind>(['truncate', 'truncate-chunked'])('%s sends less than it promised', async (kind) => {
		service.fault({ kind, route: BOARD, times: 2 });
		await expect(reseller.file(BOARD, { exportType: 'CSV', reportAllPages: true })).rejects.toMatchObject({
			code: expect.stringMatching(/ECONNRESET|ERR_BAD_RESPONSE|ECONNABORTED/),
		});
		const entry = service.log.at(-1);
		expect(entry).toMatchObject({ fault: kind, status: 200 });
		expect(entry?.bytesSent).toBeGreaterThan(0);
		expect(entry?.sha256).toBeUndefined();
	});

	it('void the token that was used, and only this one', async () => {
		const apiClient = await new ApiClient(service, service.clients.reseller).signIn();
		service.fault({ kind: 'expired-token', route: GROUPS, after: 1 });
		const statuses = [];
		for (let at = 0; at < 4; at++) statuses.push((await apiClient.ask(GROUPS, page())).status);
		expect(statuses).toEqual([200, 401, 401, 401]);
		expect((await reseller.ask(GROUPS, page())).status).toBe(200);
	});

	it('hit only their route, company and page, so many times, after so many', async () => {
		const [one, two] = [companyAt(1).companyResourceId, companyAt(2).companyResourceId];
		service.fault({ kind: 'status-500', route: GROUPS, company: one, times: Infinity });
		service.fault({ kind: 'status-503', route: SEARCH, page: 2, after: 1, times: 2 });
		expect((await reseller.for(one).ask(GROUPS, page())).status).toBe(500);
		expect((await reseller.for(one).ask(GROUPS, page())).status).toBe(500);
		expect((await reseller.for(two).ask(GROUPS, page())).status).toBe(200);
		const pages = [1, 2, 2, 1, 2, 2];
		const statuses = [];
		for (const pageNumber of pages) statuses.push((await reseller.ask(SEARCH, page({ pageNumber }))).status);
		expect(statuses).toEqual([200, 200, 503, 200, 503, 200]);
		service.clearFaults();
		expect((await reseller.for(one).ask(GROUPS, page())).status).toBe(200);
	});

	it('hit the token endpoint only by its own key', async () => {
		service.fault({ kind: 'status-500', times: Infinity });
		expect((await reseller.requestToken()).status).toBe(200);
		service.fault({ kind: 'html-502', route: 'POST /connect/token' });
		expect((await reseller.requestToken()).status).toBe(502);
		expect((await reseller.requestToken()).status).toBe(200);
	});

	it('let records appear and vanish between pages', async () => {
		const before = await reseller.record(GROUPS, page({ pageSize: 5 }));
		service.fault({ kind: 'insert', route: GROUPS, page: 2 });
		const one = await reseller.results(GROUPS, page({ pageSize: 5 }));
		const two = await reseller.record(GROUPS, page({ pageSize: 5, pageNumber: 2 }));
		expect(Array.isArray(two.results) && two.results[0]).toEqual(one.at(-1));
		expect(two.totalNumberOfRecords).toBe(Number(before.totalNumberOfRecords) + 1);
		expect((await reseller.results(GROUPS, page({ pageSize: 1 })))[0]?.name).toBe('Appeared 1');
		service.clearFaults();
		service.fault({ kind: 'remove', route: SEARCH, page: 2 });
		const first = await reseller.results(SEARCH, page());
		const second = await reseller.results(SEARCH, page({ pageNumber: 2 }));
		expect(ids([...first, ...second])).toEqual(
			service.state.tree.filter((_company, at) => at !== 10 && at < 21).map((company) => company.companyResourceId),
		);
	});

	it('can redirect and can page for ever', async () => {
		service.fault({ kind: 'redirect', route: BOARD, to: `${service.url}/elsewhere` });
		const redirected = await reseller.ask(BOARD, { exportType: 'CSV' }, { maxRedirects: 0 });
		expect([redirected.status, redirected.headers.location]).toEqual([302, `${service.url}/elsewhere`]);
		service.fault({ kind: 'endless', route: SEARCH, times: Infinity });
		const real = service.state.tree.slice(0, 10).map((company) => company.companyResourceId);
		const far = await reseller.record(SEARCH, page({ pageNumber: 1 + Math.ceil(service.state.tree.length / 10) }));
		expect(far.totalNumberOfPages).toBe(1_000_000);
		expect(ids(Array.isArray(far.results) ? far.results.filter(isRow) : [])).toEqual(real);
	});
});

describe('the log', () => {
	it('tells what came and what was answered, but no token', async () => {
		const apiClient = new ApiClient(service, service.clients.reseller, companyAt(4).companyResourceId);
		await apiClient.ask(`${GROUPS}?x=1`, page());
		const [signIn, asked] = service.log;
		expect(signIn).toMatchObject({
			route: 'POST /connect/token',
			clientId: 'reseller-client',
			token: expect.any(Number),
			status: 200,
			body: { grant_type: 'client_credentials' },
		});
		expect(asked).toMatchObject({
			route: GROUPS,
			method: 'POST',
			path: '/api/target-groups/search/current-company',
			query: { x: '1' },
			companyId: companyAt(4).companyResourceId,
			clientId: 'reseller-client',
			token: signIn?.token,
			body: page(),
			status: 200,
			landed: false,
			inFlight: 1,
		});
		expect(JSON.stringify(service.log)).not.toMatch(/eyJ/);
		expect(service.requests(GROUPS)).toHaveLength(1);
		service.clearLog();
		expect(service.log).toHaveLength(0);
	});

	it('counts the requests in flight', async () => {
		service.setOptions({ latencyMs: 400 });
		await Promise.all(Array.from({ length: 6 }, async () => await reseller.ask('GET /api/roles')));
		expect(service.log.map((entry) => entry.inFlight).sort()).toEqual([1, 2, 3, 4, 5, 6]);
		await reseller.ask('GET /api/roles');
		expect(service.log.at(-1)?.inFlight).toBe(1);
	});
});

describe('the control door', () => {
	it('does what the interface does, unlogged', async () => {
		const control = async (name: string, data: unknown = {}) =>
			await axios.post(`${service.url}/__control/${name}`, data, { validateStatus: () => true });
		expect((await control('fault', { kind: 'status-429', times: 'Infinity', retryAfter: 7 })).status).toBe(200);
		expect((await control('fault', { kind: 'nonsense' })).status).toBe(400);
		expect((await reseller.ask('GET /api/roles')).headers['retry-after']).toBe('7');
		const { data: log } = await axios.get<unknown[]>(
			`${service.url}/__control/log?route=${encodeURIComponent('GET /api/roles')}`,
		);
		expect(log).toHaveLength(1);
		await control('reset');
		expect((await reseller.ask('GET /api/roles')).status).toBe(200);
		await control('options', { exportBytes: 1000, latencyMs: 1 });
		expect((await reseller.file(BOARD, { exportType: 'CSV' })).bytes).toHaveLength(1000);
		const { data: state } = await axios.get<Row>(`${service.url}/__control/state`);
		expect(Array.isArray(state.companies) && state.companies.length).toBe(500);
		await control('clear-log');
		expect(service.log).toHaveLength(0);
		await control('expire-tokens');
		expect((await reseller.ask('GET /api/roles')).status).toBe(401);
		await reseller.signIn();
		await admin.signIn();
	});
});

describe('hostile input', () => {
	it('never breaks the service', async () => {
		await expectNoCrash(service, reseller.for(companyAt(1).companyResourceId), page());
		expect((await reseller.ask('GET /api/roles')).status).toBe(200);
	}, 20_000);

	it('survives broken framing and broken forms', async () => {
		const { port } = new URL(service.url);
		const raw = async (text: string) =>
			await new Promise<string>((resolve) => {
				const socket = connect(Number(port), '127.0.0.1', () => socket.end(text));
				let answer = '';
				socket.on('data', (chunk) => (answer += chunk.toString()));
				socket.on('close', () => resolve(answer));
				socket.on('error', () => resolve(answer));
			});
		expect(await raw('NONSENSE\r\n\r\n')).toContain('400');
		expect(
			await raw(
				'POST /api/companies HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data\r\nContent-Length: 3\r\n\r\nabc',
			),
		).toMatch(/^HTTP\/1.1 40/);
		expect(
			await raw(
				'POST /api/companies HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 30\r\n\r\n--b\r\nContent-Disp',
			),
		).not.toContain('500');
		expect((await reseller.ask('GET /api/roles')).status).toBe(200);
	});
});
