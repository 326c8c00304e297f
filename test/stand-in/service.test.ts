/** The service as the contract reads: tokens, permissions, company scope, bodies and filters. What each operation does is tried by test/nodes. */
import axios from 'axios';
import { z } from 'zod';
import { CONTRACT_KEYS } from '../contract/keys';
import { ALL, ApiClient, messages, page } from './apiClient';
import { isRow, type Row } from './http';
import { startService, type StandIn } from './index';

const SEARCH = 'POST /api/companies/search';
const GROUPS = 'POST /api/target-groups/search/current-company';

let service: StandIn;
let reseller: ApiClient;
let admin: ApiClient;
beforeAll(async () => {
	service = await startService();
	reseller = await new ApiClient(service, service.clients.reseller).signIn();
	admin = await new ApiClient(service, service.clients.companyAdmin).signIn();
});
beforeEach(() => service.reset());
afterAll(async () => service.close());

const idOf = (index: number): string => service.state.companies[index]?.companyResourceId ?? '';

test('the operations are those of the contract, each once; any other path is a 404 in the envelope', async () => {
	expect([...service.routes].sort()).toEqual([...CONTRACT_KEYS].sort());
	const response = await reseller.ask('GET /api/nothing');
	expect([response.status, response.data]).toEqual([404, expect.objectContaining({ data: null, status: 'error' })]);
	expect(service.requests('unknown')).toHaveLength(1);
});

describe('the token endpoint', () => {
	test('gives a bearer token with its permissions; only a Reseller has those of contract 5.5', async () => {
		const { status, data } = await reseller.requestToken();
		expect(data).toMatchObject({ expires_in: 3600, token_type: 'Bearer', scope: 'api1' });
		const permissionsOf = (answer: Row) => z.array(z.string()).parse(answer.permissions);
		const ofAdmin = permissionsOf((await admin.requestToken()).data);
		const isResellers = (permission: string) => /^(companies\|POST$|companies\/search|company-groups)/.test(permission);
		expect([status, ofAdmin.filter(isResellers)]).toEqual([200, []]);
		const others = permissionsOf(data).filter((permission) => !isResellers(permission));
		expect(others.sort()).toEqual(ofAdmin.sort());
	});

	test.each([
		['a wrong secret', { client_secret: 'no' }, 'invalid_client'],
		['another grant', { grant_type: 'password' }, 'unsupported_grant_type'],
		['another scope', { scope: 'openid' }, 'invalid_scope'],
	])('refuses %s', async (_what, form, error) => {
		const { status, data } = await reseller.requestToken(form);
		expect([status, data]).toEqual([400, { error }]);
	});

	test('breaks on JSON (deployment facts)', async () => {
		const url = `${service.url}/connect/token`;
		const { status } = await axios.post(url, { grant_type: 'client_credentials' }, { validateStatus: () => true });
		expect(status).toBe(500);
	});
});

describe('who may', () => {
	test.each(['', 'Bearer nonsense', 'Basic abc'])('not: authorization "%s"', async (authorization) => {
		const response = await reseller.ask('GET /api/roles', undefined, { headers: { authorization } });
		expect([response.status, response.headers['www-authenticate']]).toEqual([401, expect.stringContaining('Bearer')]);
	});

	test('not: a token that ended, one that a newer one voids, one that was made invalid', async () => {
		service.setOptions({ tokenLifetimeSeconds: 0 });
		const ended = await new ApiClient(service, service.clients.limited).signIn();
		service.setOptions({ tokenLifetimeSeconds: 3600, newTokenVoidsFormer: true });
		const former = await new ApiClient(service, service.clients.limited).signIn();
		const newest = await new ApiClient(service, service.clients.limited).signIn();
		service.setOptions({ newTokenVoidsFormer: false });
		const statuses = async () =>
			Promise.all([ended, former, newest].map(async (each) => (await each.ask('GET /api/roles')).status));
		expect(await statuses()).toEqual([401, 401, 200]);
		service.expireTokens();
		expect(await statuses()).toEqual([401, 401, 401]);
		await reseller.signIn();
		await admin.signIn();
	});

	test('not: an address that is not allowed, a client without the permission, a Company Admin', async () => {
		const blocked = await new ApiClient(service, service.clients.blocked).ask('GET /api/roles');
		expect([blocked.status, messages(blocked)]).toEqual([403, expect.stringMatching(/IP address .* not allowed/)]);
		const limited = new ApiClient(service, service.clients.limited);
		expect([(await limited.ask(SEARCH, page())).status, (await limited.ask(GROUPS, page())).status]).toEqual([
			403, 200,
		]);
		for (const key of [SEARCH, 'GET /api/company-groups', 'POST /api/company-groups'])
			expect([key, (await admin.ask(key, key.startsWith('POST') ? page() : undefined)).status]).toEqual([key, 403]);
	});

	test('a Reseller: everything, or one company by header or query; a Company Admin: its own', async () => {
		const groupsOf = (id: string) => service.state.of(id).targetGroups.map(({ resourceId }) => resourceId);
		expect((await reseller.record(GROUPS, page())).totalNumberOfRecords).toBe(service.state.targetGroups.length);
		const byHeader = await reseller.for(idOf(7)).results(`${GROUPS}?companyId=${idOf(8)}`, page());
		const byQuery = await reseller.results(`${GROUPS}?companyId=${idOf(7)}`, page());
		expect(byHeader.map(({ resourceId }) => resourceId)).toEqual(groupsOf(idOf(7)));
		expect(byQuery).toEqual(byHeader);
		const own = service.clients.companyAdmin.companyResourceId ?? '';
		expect((await admin.results(GROUPS, page())).map(({ resourceId }) => resourceId)).toEqual(groupsOf(own));
		const foreign = service.state.foreign.companyResourceId;
		const refused = [reseller.for('nobody'), reseller.for(foreign), admin.for(idOf(5))];
		for (const each of refused) expect((await each.ask(GROUPS, page())).status).toBe(403);
		expect((await admin.ask(`GET /api/companies/${idOf(5)}`)).status).toBe(403);
	});
});

describe('the body of a search', () => {
	test.each([
		['nothing', undefined, /body is required/],
		['an empty object', {}, /PageNumber.*PageSize.*OrderBy.*Ascending.*Filter/],
		['a null filter', page({ filter: null }), /Filter field is required/],
		['a null condition', page({ filter: { ...ALL, Condition: null } }), /Condition field is required/],
		['null groups', page({ filter: { ...ALL, FilterGroups: null } }), /FilterGroups field is required/],
		['an unknown condition', page({ filter: { ...ALL, Condition: 'XOR' } }), /'AND' or 'OR'/],
		['page 0', page({ pageNumber: 0 }), /PageNumber.*greater/],
		['numbers as text', page({ pageSize: '10' }), /PageSize.*number/],
		['a null orderBy', page({ orderBy: null }), /OrderBy field is required/],
	])('with %s is a 400', async (_what, body, expected) => {
		const response = await reseller.ask(SEARCH, body);
		expect([response.status, messages(response)]).toEqual([400, expect.stringMatching(expected)]);
	});

	test('may have keys in either case, and leave out what the contract lets it', async () => {
		const camel = page({ filter: { condition: 'or', searchInputTextValue: 'bakery', filterGroups: [] } });
		const found = await reseller.results(SEARCH, camel);
		expect(found).toHaveLength(8);
		expect(
			await reseller.results(SEARCH, page({ filter: { ...ALL, SearchInputTextValue: 'BAKERY' }, PageSize: 10 })),
		).toEqual(found);
		const body = { pageNumber: 1, pageSize: 3, filter: ALL };
		expect([(await reseller.ask(GROUPS, body)).status, (await reseller.ask(SEARCH, body)).status]).toEqual([200, 400]);
		expect((await reseller.ask('POST /api/scim/search', {})).status).toBe(200);
	});

	test('for clients breaks the service without a filter, and may not be json-patch (contract 7)', async () => {
		const key = 'POST /api/companies/clients/search';
		expect((await reseller.ask(key, page({ filter: null }))).status).toBe(500);
		const headers = { 'content-type': 'application/json-patch+json' };
		expect((await reseller.ask(key, JSON.stringify(page()), { headers })).status).toBe(400);
		expect((await reseller.ask(SEARCH, JSON.stringify(page()), { headers })).status).toBe(200);
	});

	test.each<[operator: string, field: string, value: string, keeps: (row: Row) => boolean]>([
		['eq', 'Name', 'Old Mill Bakery', (row) => row.companyName === 'Old Mill Bakery'],
		['gt', 'targetUserCount', '15', (row) => Number(row.targetUserCount) > 15],
		['lt', 'RenewalDate', '2025-01-01', (row) => String(row.licenseEndDate) < '2025'],
		['contains', 'tags', 'nis2', (row) => Array.isArray(row.tags) && row.tags.includes('nis2')],
		['neq', 'licenceExpired', 'false', (row) => row.licenceExpired === true],
	])('filters by %s on %s, children too', async (Operator, FieldName, Value, keeps) => {
		const FilterGroups = [{ Condition: 'AND', FilterItems: [{ FieldName, Operator, Value }], FilterGroups: [] }];
		const rows = await reseller.results(SEARCH, page({ filter: { ...ALL, FilterGroups }, pageSize: 500 }));
		const flat = (list: Row[]): Row[] =>
			list.flatMap((row) => [row, ...flat(Array.isArray(row.children) ? row.children.filter(isRow) : [])]);
		const expected = service.state.companies.filter(keeps).map(({ companyResourceId }) => companyResourceId);
		expect(expected.length).toBeGreaterThan(0);
		expect(flat(rows).map(({ companyResourceId }) => companyResourceId)).toEqual(expected);
	});

	test.each([
		['Nonsense', 'eq'],
		['Name', 'Sounds like'],
		['Name', 'constructor'],
	])('with a filter that nobody knows is a 400: %s, %s', async (FieldName, Operator) => {
		const FilterGroups = [{ Condition: 'AND', FilterItems: [{ FieldName, Operator, Value: 'x' }], FilterGroups: [] }];
		expect((await reseller.ask(SEARCH, page({ filter: { ...ALL, FilterGroups } }))).status).toBe(400);
	});

	test('gives the page that was asked for, sorted', async () => {
		const body = { orderBy: 'CompanyName', ascending: false, pageSize: 7, pageNumber: 2 };
		const { results, ...counts } = await reseller.record(SEARCH, page(body));
		const names = service.state.tree.map(({ companyName }) => companyName ?? '');
		const order = new Intl.Collator('en', { sensitivity: 'variant' });
		const sorted = names.map((name) => name.toLowerCase()).sort((a, b) => order.compare(b, a));
		expect(
			z
				.array(z.object({ companyName: z.string() }))
				.parse(results)
				.map((row) => row.companyName.toLowerCase()),
		).toEqual(sorted.slice(7, 14));
		const { length } = names;
		expect(counts).toMatchObject({ totalNumberOfRecords: length, totalNumberOfPages: Math.ceil(length / 7) });
	});
});

test('an export is one page, of a type that there is', async () => {
	const key = 'POST /api/companies/search/export';
	const { bytes } = await reseller.file(key, page({ exportType: 'CSV', pageSize: 7 }));
	expect(bytes.toString().trim().split('\r\n')).toHaveLength(8);
	expect((await reseller.ask(key, page({ exportType: 'PDF' }))).status).toBe(400);
});

test('the seed is the same each time, also for few companies', async () => {
	for (const companies of [0, 1, 500]) {
		const again = await startService({ companies });
		const plain = ({ state }: StandIn) =>
			state.companies.map(({ companyResourceId, companyName }) => [companyResourceId, companyName]);
		expect(again.state.companies).toHaveLength(companies);
		if (companies === 500) expect(plain(again)).toEqual(plain(service));
		await again.close();
	}
});
