/** The service as a whole: its operations, tokens, permissions, company scope, the renamed personality, start and stop. */
import axios from 'axios';
import { waitUntil } from '../setup/waitUntil';
import { z } from 'zod';
import { CONTRACT_KEYS } from '../contract/keys';
import { startService, type StandIn } from './index';
import { messages, page, ApiClient } from './apiClient';
import { BOARD, GROUPS, ids, SEARCH, useSignedIn } from './testing';

let service: StandIn;
let reseller: ApiClient;
let admin: ApiClient;
const companyAt = useSignedIn((started) => ({ service, reseller, admin } = started));

describe('the operations', () => {
	it('are those of the contract, each once', () => {
		expect([...service.routes].sort()).toEqual([...CONTRACT_KEYS].sort());
	});

	it('answer 404 in the envelope for any other path', async () => {
		const response = await reseller.ask('GET /api/nothing');
		expect(response.status).toBe(404);
		expect(response.data).toMatchObject({ data: null, status: 'error' });
		expect(service.requests('unknown')).toHaveLength(1);
	});
});

describe('the token endpoint', () => {
	it('gives a bearer token with permissions for a form', async () => {
		const { status, data } = await reseller.requestToken();
		expect(status).toBe(200);
		expect(data).toMatchObject({ expires_in: 3600, token_type: 'Bearer', scope: 'api1' });
		expect(data.permissions).toEqual(
			expect.arrayContaining(['companies/search|POST', 'company-groups/{resourceId}|PUT']),
		);
		const [, claims = ''] = String(data.access_token).split('.');
		expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
			role: 'Reseller',
			client_id: 'reseller-client',
		});
	});

	it('lists no Reseller-only permission for a Company Admin, and all others (contract 5.5)', async () => {
		const permissions = async (client: ApiClient) =>
			z.array(z.string()).parse((await client.requestToken()).data.permissions);
		const ofAdmin = await permissions(admin);
		const isResellers = (permission: string) => /^(companies\|POST$|companies\/search|company-groups)/.test(permission);
		expect(ofAdmin.filter(isResellers)).toEqual([]);
		expect((await permissions(reseller)).filter((each) => !isResellers(each)).sort()).toEqual(ofAdmin.sort());
	});

	it.each([
		['a wrong secret', { client_secret: 'no' }, 'invalid_client'],
		['a wrong id', { client_id: 'no' }, 'invalid_client'],
		['another grant', { grant_type: 'password' }, 'unsupported_grant_type'],
		['another scope', { scope: 'openid' }, 'invalid_scope'],
	])('refuses %s', async (_what, form, error) => {
		const { status, data } = await reseller.requestToken(form);
		expect([status, data]).toEqual([400, { error }]);
		expect(service.log.at(-1)).toMatchObject({ route: 'POST /connect/token', status: 400, landed: false });
	});

	it('breaks on JSON', async () => {
		const response = await axios.post(
			`${service.url}/connect/token`,
			{ grant_type: 'client_credentials' },
			{ validateStatus: () => true },
		);
		expect(response.status).toBe(500);
		expect(response.data).toMatchObject({ code: 'INTERNAL_SERVER_ERROR' });
	});

	it('can be told that a new token voids the former one', async () => {
		service.setOptions({ newTokenVoidsFormer: true });
		const first = await new ApiClient(service, service.clients.limited).signIn();
		const second = await new ApiClient(service, service.clients.limited).signIn();
		expect((await first.ask('GET /api/roles')).status).toBe(401);
		expect((await second.ask('GET /api/roles')).status).toBe(200);
	});

	it('gives tokens that end', async () => {
		service.setOptions({ tokenLifetimeSeconds: 0 });
		const apiClient = await new ApiClient(service, service.clients.limited).signIn();
		expect((await apiClient.ask('GET /api/roles')).status).toBe(401);
	});
});

describe('authorization', () => {
	it.each([
		['no token', ''],
		['an unknown token', 'Bearer nonsense'],
		['another scheme', 'Basic abc'],
	])('answers 401 to %s', async (_what, authorization) => {
		const response = await reseller.ask('GET /api/roles', undefined, { headers: { authorization } });
		expect(response.status).toBe(401);
		expect(response.headers['www-authenticate']).toContain('Bearer');
		expect(response.data).toMatchObject({ status: 'error', data: null });
	});

	it('can expire every token at once', async () => {
		const apiClient = await new ApiClient(service, service.clients.reseller).signIn();
		const others = [await new ApiClient(service, service.clients.reseller).signIn(), apiClient];
		service.expireTokens();
		for (const other of others) expect((await other.ask('GET /api/roles')).status).toBe(401);
		await reseller.signIn();
		await admin.signIn();
		expect((await reseller.ask('GET /api/roles')).status).toBe(200);
	});

	it('refuses every call from an address that is not allowed, but gives the token', async () => {
		const apiClient = new ApiClient(service, service.clients.blocked);
		expect((await apiClient.requestToken()).status).toBe(200);
		const response = await apiClient.ask('GET /api/roles');
		expect(response.status).toBe(403);
		expect(messages(response)).toMatch(/IP address .* not allowed/);
	});

	it('refuses what a client lacks', async () => {
		const apiClient = new ApiClient(service, service.clients.limited);
		expect((await apiClient.requestToken()).data.permissions).not.toContain('companies/search|POST');
		expect((await apiClient.ask(SEARCH, page())).status).toBe(403);
		expect((await apiClient.ask(BOARD, { exportType: 'CSV' })).status).toBe(403);
		expect((await apiClient.ask(GROUPS, page())).status).toBe(200);
	});

	it.each([
		SEARCH,
		'POST /api/companies/search/export',
		'GET /api/company-groups',
		'POST /api/company-groups/search',
		'POST /api/company-groups',
	])('keeps %s for Resellers', async (key) => {
		const response = await admin.ask(key, key.startsWith('POST') ? page({ exportType: 'CSV' }) : undefined);
		expect(response.status).toBe(403);
		expect(messages(response)).toContain('permission');
	});
});

describe('scoping', () => {
	it('gives a Reseller everything without a company, and one company with the header or the query', async () => {
		const company = companyAt(7);
		const all = await reseller.record(GROUPS, page());
		expect(all.totalNumberOfRecords).toBe(service.state.targetGroups.length);
		expect(service.state.targetGroups.length).toBeGreaterThan(1000);
		const own = service.state.targetGroups.filter((group) => group.companyResourceId === company.companyResourceId);
		const byHeader = await reseller.for(company.companyResourceId).results(GROUPS, page());
		const byQuery = await reseller.results(`${GROUPS}?companyId=${company.companyResourceId}`, page());
		expect(ids(byHeader, 'resourceId')).toEqual(own.map((group) => group.resourceId));
		expect(byQuery).toEqual(byHeader);
		expect(service.log.map((entry) => entry.companyId)).toEqual([
			undefined,
			company.companyResourceId,
			company.companyResourceId,
		]);
	});

	it('prefers the header', async () => {
		const [first, second] = [companyAt(1), companyAt(2)];
		const rows = await reseller
			.for(first.companyResourceId)
			.results(`${GROUPS}?companyId=${second.companyResourceId}`, page());
		expect(new Set(ids(rows, 'companyName'))).toEqual(new Set([first.companyName]));
	});

	it('refuses unknown and foreign companies', async () => {
		for (const id of ['no-such-company', service.state.foreign.companyResourceId]) {
			const response = await reseller.for(id).ask(GROUPS, page());
			expect(response.status).toBe(403);
			expect(messages(response)).toContain('company');
		}
	});

	it('gives a Company Admin its own company only', async () => {
		const own = service.clients.companyAdmin.companyResourceId ?? '';
		const rows = await admin.results(GROUPS, page());
		expect(rows.length).toBeGreaterThan(0);
		expect(await admin.for(own).results(GROUPS, page())).toEqual(rows);
		expect((await admin.for(companyAt(5).companyResourceId).ask(GROUPS, page())).status).toBe(403);
		expect((await admin.ask(`GET /api/companies/${own}`)).status).toBe(200);
		expect((await admin.ask(`GET /api/companies/${companyAt(5).companyResourceId}`)).status).toBe(403);
	});
});

describe('the renamed personality', () => {
	let renamed: StandIn;
	let apiClient: ApiClient;
	beforeAll(async () => {
		renamed = await startService({ personality: 'renamed', companies: 60 });
		apiClient = await new ApiClient(renamed, renamed.clients.reseller, undefined, 'X-ACME-Company-Id').signIn();
	});
	afterAll(async () => await renamed.close());

	it('has every open name the other way', async () => {
		const company = renamed.state.companies[4]?.companyResourceId ?? '';
		const scoped = apiClient.for(company);
		expect(await scoped.record(GROUPS, page())).toHaveProperty(
			'totalNumberOfRecords',
			renamed.state.of(company).targetGroups.length,
		);
		expect((await apiClient.for(company, 'X-SERVICE-Company-Id').record(GROUPS, page())).totalNumberOfRecords).toBe(
			renamed.state.targetGroups.length,
		);
		const [enrollment] = await scoped.results('POST /api/enrollments/search', page());
		expect(enrollment).toHaveProperty('enrollmentId');
		expect(enrollment).not.toHaveProperty('resourceId');
		const [user] = await scoped.results(
			`POST /api/training-reports/${String(enrollment?.enrollmentId)}/users/search`,
			{},
		);
		expect(user).toHaveProperty('targetUserResourceId');
		expect((await scoped.results('POST /api/companies/clients/search', page()))[0]).toHaveProperty('clientName');
		const [job] = await scoped.results('POST /api/smishing-simulator/smishing-campaign-job-report/search', page());
		expect(job).not.toHaveProperty('resourceId');
		const clicked = '/api/smishing-simulator/smishing-campaign-job-report/search-sms-clicked';
		expect((await scoped.ask(`POST ${clicked}/${String(job?.smishingCampaignResourceId)}`, {})).status).toBe(200);
		expect(await apiClient.list('GET /api/companies/my')).toMatchObject([{ children: expect.any(Array) }]);
		expect(renamed.state.companies.filter((entry) => entry.companyName === null)).toHaveLength(1);
	});

	it('has agent-auth without v2, and another envelope', async () => {
		expect(await apiClient.record('POST /api/agent-auth/login-url', { sessionId: 's' })).toHaveProperty('redirectUrl');
		expect(renamed.log.at(-1)?.route).toBe('POST /api/v2/agent-auth/login-url');
		expect((await apiClient.ask('POST /api/v2/agent-auth/login-url', { sessionId: 's' })).status).toBe(404);
		const refused = await apiClient.ask(SEARCH, {});
		expect(refused.data).toMatchObject({
			isSuccess: false,
			messages: expect.arrayContaining([expect.stringContaining('PageNumber')]),
		});
		expect(refused.data).not.toHaveProperty('validationMessages');
	});
});

describe('starting and stopping', () => {
	it('closes at once although requests are stalled', async () => {
		const other = await startService({ companies: 5 });
		other.fault({ kind: 'stall', route: 'POST /connect/token' });
		const hanging = new ApiClient(other, other.clients.reseller).requestToken();
		const seen = expect(hanging).rejects.toThrow();
		await waitUntil('the request came', () => other.log.length > 0);
		const before = Date.now();
		await other.close();
		expect(Date.now() - before).toBeLessThan(500);
		await seen;
	});

	it('gives the same seed each time, for few companies too', async () => {
		const few = await Promise.all([0, 1, 40].map(async (companies) => await startService({ companies })));
		expect(few.map((entry) => entry.state.companies.length)).toEqual([0, 1, 40]);
		await Promise.all(few.map(async (entry) => await entry.close()));
		const again = await startService();
		const plain = (standIn: StandIn) =>
			standIn.state.companies.map(({ createTime: _time, children: _children, ...rest }) => rest);
		expect(plain(again)).toEqual(plain(service));
		await again.close();
	});
});
