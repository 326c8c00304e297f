import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import axios from 'axios';
import fc from 'fast-check';
import { deepOr } from '../setup/depth';
import readXlsxFile from 'read-excel-file/node';
import { isRow, type Row } from './http';
import { waitUntil } from '../setup/waitUntil';
import { startService, type FaultKind, type StandIn } from './index';
import { ALL, messages, page, parseCsv, searchFor, ApiClient } from './apiClient';

const SEARCH = 'POST /api/companies/search';
const GROUPS = 'POST /api/target-groups/search/current-company';
const BOARD = 'POST /api/leaderboard/get-all/export';

let service: StandIn;
let reseller: ApiClient;
let admin: ApiClient;

beforeAll(async () => {
	service = await startService();
	reseller = await new ApiClient(service, service.clients.reseller).signIn();
	admin = await new ApiClient(service, service.clients.companyAdmin).signIn();
});

afterAll(async () => await service.close());

beforeEach(() => {
	service.reset();
	service.setOptions({ latencyMs: 0, maxPageSize: Infinity, newTokenVoidsFormer: false, tokenLifetimeSeconds: 3600 });
});

/** A company by its place in the listing. */
function companyAt(at: number) {
	const company = service.state.companies[at];
	if (!company) throw new Error('too few companies');
	return company;
}

function ids(rows: Row[], field = 'companyResourceId'): unknown[] {
	return rows.map((row) => row[field]);
}

describe('the operations', () => {
	it('are those of the contract, each once', () => {
		const contract = readFileSync(join(__dirname, '../contract/reseller-management-api.md'), 'utf8');
		const rows = [...contract.matchAll(/^\| (GET|POST|PUT|DELETE) \| (\/api\/\S+) \|/gm)].map(
			([, method, path]) => `${method} ${path}`,
		);
		const keys = rows.flatMap((key) =>
			key.includes('/phishing-')
				? ['phishing', 'smishing', 'quishing'].map((name) => key.replaceAll('phishing', name))
				: [key],
		);
		expect(rows).toHaveLength(67);
		expect([...service.routes].sort()).toEqual(keys.sort());
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

	it('lists no Reseller-only permission for a Company Admin', async () => {
		const { data } = await admin.requestToken();
		expect(data.permissions).toEqual(expect.arrayContaining(['companies/my|GET', 'trainings/search|POST']));
		expect(data.permissions).not.toEqual(
			expect.arrayContaining([expect.stringMatching(/^companies\/search|^company-groups/)]),
		);
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

describe('bodies', () => {
	it.each([
		['nothing', undefined, /body is required/],
		['an empty object', {}, /PageNumber.*PageSize.*OrderBy.*Ascending.*Filter/],
		['no filter', page({ filter: undefined }), /Filter field is required/],
		['a null filter', page({ filter: null }), /Filter field is required/],
		['a null condition', page({ filter: { ...ALL, Condition: null } }), /Condition field is required/],
		['a null text', page({ filter: { ...ALL, SearchInputTextValue: null } }), /SearchInputTextValue field is required/],
		['null groups', page({ filter: { ...ALL, FilterGroups: null } }), /FilterGroups field is required/],
		['an unknown condition', page({ filter: { ...ALL, Condition: 'XOR' } }), /'AND' or 'OR'/],
		['page 0', page({ pageNumber: 0 }), /PageNumber.*greater/],
		['half a page', page({ pageNumber: 1.5 }), /PageNumber.*integer/],
		['page size -1', page({ pageSize: -1 }), /PageSize.*greater/],
		['numbers as text', page({ pageSize: '10' }), /PageSize.*number/],
		['a null orderBy', page({ orderBy: null }), /OrderBy field is required/],
		['ascending as text', page({ ascending: 'true' }), /Ascending.*boolean/],
		['an array', [], /request body/],
	])('of a company search: %s is a 400', async (_what, body, expected) => {
		const response = await reseller.ask(SEARCH, body);
		expect(response.status).toBe(400);
		expect(messages(response)).toMatch(expected);
	});

	it('may have keys in PascalCase or camelCase', async () => {
		const camel = await reseller.results(
			SEARCH,
			page({ filter: { condition: 'or', searchInputTextValue: 'bakery', filterGroups: [] } }),
		);
		expect(await reseller.results(SEARCH, searchFor('BAKERY', { PageSize: 10 }))).toEqual(camel);
		expect(camel).toHaveLength(8);
	});

	it('may leave out orderBy and ascending where the contract says so', async () => {
		const body = { pageNumber: 1, pageSize: 3, filter: ALL };
		for (const key of [GROUPS, 'POST /api/trainings/search']) expect((await reseller.ask(key, body)).status).toBe(200);
		for (const key of [
			SEARCH,
			'POST /api/company-groups/search',
			'POST /api/enrollments/search',
			'POST /api/quishing-simulator/quishing-campaign/search',
		]) {
			expect((await reseller.ask(key, body)).status).toBe(400);
		}
		expect((await reseller.ask('POST /api/scim/search', {})).status).toBe(200);
	});

	it('of a client search break the service without a filter, and may not be json-patch', async () => {
		const key = 'POST /api/companies/clients/search';
		const headers = { 'content-type': 'application/json-patch+json' };
		const broken = await reseller.ask(key, page({ filter: null }));
		expect([broken.status, broken.data]).toEqual([500, expect.objectContaining({ code: 'INTERNAL_SERVER_ERROR' })]);
		expect((await reseller.ask(key, page({ filter: { ...ALL, SearchInputTextValue: null } }))).status).toBe(400);
		expect((await reseller.ask(key, JSON.stringify(page()), { headers })).status).toBe(400);
		expect((await reseller.ask(SEARCH, JSON.stringify(page()), { headers })).status).toBe(200);
	});

	it('of other types, or broken ones, are refused in the envelope', async () => {
		const send = async (data: string | Buffer, type: string) =>
			await reseller.ask(SEARCH, data, { headers: { 'content-type': type } });
		expect((await send('{"pageNumber":', 'application/json')).status).toBe(400);
		expect((await send('<a/>', 'application/xml')).status).toBe(415);
		expect((await send('a=1', 'application/x-www-form-urlencoded')).status).toBe(415);
		expect((await send(`${'['.repeat(20_000)}${']'.repeat(20_000)}`, 'application/json')).status).toBe(400);
		const large = await send(Buffer.alloc(51 * 1024 * 1024, ' '), 'application/json');
		expect([large.status, large.data]).toEqual([413, expect.objectContaining({ status: 'error' })]);
		expect((await reseller.ask('POST /api/companies', { name: 'x' })).status).toBe(415);
		expect((await reseller.ask('GET /api/companies/%E0%A4%A')).status).toBe(400);
		expect((await reseller.ask(`GET /api/companies/${'x'.repeat(3000)}`)).status).toBe(404);
	});
});

describe('company search', () => {
	it('pages through the top level; nested companies come inside their parents', async () => {
		const first = await reseller.record(SEARCH, page({ pageSize: 100 }));
		const { tree, companies } = service.state;
		expect(companies).toHaveLength(500);
		expect(first).toMatchObject({
			pageNumber: 1,
			pageSize: 100,
			totalNumberOfRecords: tree.length,
			totalNumberOfPages: Math.ceil(tree.length / 100),
		});
		expect(first.limitExceededCompanyCount).toBeGreaterThan(5);
		const pages = [];
		for (let at = 1; at <= Number(first.totalNumberOfPages); at++)
			pages.push(await reseller.results(SEARCH, page({ pageSize: 100, pageNumber: at })));
		expect(pages.flat()).toEqual(tree);
		expect(await reseller.results(SEARCH, page({ pageNumber: 9999 }))).toEqual([]);
	});

	it('can have a largest page', async () => {
		service.setOptions({ maxPageSize: 20 });
		const answer = await reseller.record(SEARCH, page({ pageSize: 1000 }));
		expect(answer).toMatchObject({ pageSize: 20, totalNumberOfPages: Math.ceil(service.state.tree.length / 20) });
		expect(answer.results).toHaveLength(20);
	});

	it('has the awkward names, deep nesting, two of one name, recent and expired ones', () => {
		const { companies } = service.state;
		const names = companies.map((company) => company.companyName ?? '');
		expect(names).toEqual(
			expect.arrayContaining([
				'=1+1',
				'../etc',
				"O'Brien's Pub Group",
				' Leading Space Ltd',
				'Trailing Space Ltd ',
				'Rocket 🚀 Labs',
			]),
		);
		expect(names.filter((name) => name === 'Twin Peaks Consulting')).toHaveLength(2);
		expect(names.filter((name) => name.length === 64)).toHaveLength(1);
		expect(new Set(names).size).toBe(499);
		expect(new Set(companies.map((company) => company.companyResourceId)).size).toBe(500);
		expect(companies.some((company) => company.children.some((child) => child.children.length > 0))).toBe(true);
		expect(companies.filter((company) => Date.now() - Date.parse(company.createTime) < 7 * 86_400_000)).toHaveLength(
			10,
		);
		expect(companies.filter((company) => company.licenceExpired).length).toBeGreaterThan(30);
		for (const company of companies)
			expect(company.licenceExpired).toBe(Date.parse(company.licenseEndDate) < Date.now());
	});

	it('finds text in nested companies too, and shows exactly those that match', async () => {
		const expected = service.state.companies
			.filter((company) => company.companyName?.toLowerCase().includes('ü'))
			.map((company) => company.companyResourceId);
		const tops = await reseller.results(SEARCH, searchFor('Ü', { pageSize: 100 }));
		const all = (rows: Row[]): Row[] =>
			rows.flatMap((row) => [row, ...all(Array.isArray(row.children) ? row.children.filter(isRow) : [])]);
		expect(new Set(ids(all(tops)))).toEqual(new Set(expected));
		const nested = service.state.tree.flatMap((company) => company.children)[0];
		expect(ids(await reseller.results(SEARCH, searchFor(nested?.companyName ?? '')))).toContain(
			nested?.companyResourceId,
		);
	});

	it('shows only companies over their licence limit when asked', async () => {
		const { limitExceededCompanyCount, results } = await reseller.record(
			SEARCH,
			page({ pageSize: 500, isTargetUserCountExceededLimit: true }),
		);
		expect(limitExceededCompanyCount).toBe(
			service.state.companies.filter(
				(company) => company.isNumberOfUsersLimited && company.targetUserCount > Number(company.numberOfUsers),
			).length,
		);
		expect(Array.isArray(results) && results.length).toBeGreaterThan(5);
		for (const row of Array.isArray(results) ? results.filter(isRow) : [])
			expect(Number(row.targetUserCount)).toBeGreaterThan(Number(row.numberOfUsers));
	});

	it('sorts by any field, case-insensitively, both ways, and tolerates an unknown one', async () => {
		const newest = await reseller.results(SEARCH, page({ orderBy: 'CreateTime', ascending: false, pageSize: 10 }));
		expect(newest.map((row) => row.createTime)).toEqual(
			service.state.tree
				.map((company) => company.createTime)
				.sort()
				.reverse()
				.slice(0, 10),
		);
		const renewal = await reseller.results(SEARCH, page({ orderBy: 'RenewalDate', pageSize: 400 }));
		expect(renewal.map((row) => row.licenseEndDate)).toEqual(
			service.state.tree.map((company) => company.licenseEndDate).sort(),
		);
		const users = await reseller.results(SEARCH, page({ orderBy: 'NUMBEROFUSERS', ascending: false, pageSize: 400 }));
		const counts = users.map((row) => Number(row.numberOfUsers));
		expect(counts).toEqual([...counts].sort((a, b) => b - a));
		expect(ids(await reseller.results(SEARCH, page({ orderBy: 'Nonsense' })))).toEqual(
			service.state.tree.slice(0, 10).map((company) => company.companyResourceId),
		);
	});

	it.each([
		['Equal', 'CompanyName', '=1+1', (row: Row) => row.companyName === '=1+1'],
		['starts-with', 'name', 'old', (row: Row) => row.companyName === 'Old Mill Bakery'],
		['GreaterThan', 'targetUserCount', '15', (row: Row) => Number(row.targetUserCount) > 15],
		['<=', 'TargetUserCount', '7', (row: Row) => Number(row.targetUserCount) <= 7],
		['LessThan', 'RenewalDate', '2025-01-01', (row: Row) => String(row.licenseEndDate) < '2025'],
		['Contains', 'tags', 'nis2', (row: Row) => Array.isArray(row.tags) && row.tags.includes('nis2')],
		['NotEqual', 'licenceExpired', 'false', (row: Row) => row.licenceExpired === true],
	])('filters by %s on %s', async (Operator, FieldName, Value, test) => {
		const filter = {
			...ALL,
			FilterGroups: [{ Condition: 'AND', FilterItems: [{ FieldName, Operator, Value }], FilterGroups: [] }],
		};
		const rows = await reseller.results(SEARCH, page({ filter, pageSize: 500 }));
		expect(rows.length).toBeGreaterThan(0);
		expect(rows.every(test)).toBe(true);
		const count = (list: Row[]): number =>
			list.reduce((sum, row) => sum + 1 + count(Array.isArray(row.children) ? row.children.filter(isRow) : []), 0);
		expect(count(rows)).toBe(service.state.companies.filter(test).length);
	});

	it('nests filter groups and refuses unknown fields and operators', async () => {
		const item = (FieldName: string, Value: string, Operator = 'Contains') => ({ FieldName, Operator, Value });
		const group = (Condition: string, FilterItems: Row[], FilterGroups: Row[] = []) => ({
			Condition,
			FilterItems,
			FilterGroups,
		});
		const filter = {
			...ALL,
			FilterGroups: [
				group('OR', [item('Name', 'Harbour')], [group('AND', [item('Name', 'Village'), item('Name', 'Bakery')])]),
			],
		};
		expect(ids(await reseller.results(SEARCH, page({ filter })), 'companyName').sort()).toEqual([
			'Harbour Bakery',
			'The Village Bakery',
		]);
		for (const wrong of [item('Nonsense', 'x'), item('Name', 'x', 'Sounds like'), item('Name', 'x', 'constructor')]) {
			expect(
				(await reseller.ask(SEARCH, page({ filter: { ...ALL, FilterGroups: [group('AND', [wrong])] } }))).status,
			).toBe(400);
		}
		expect(
			(
				await reseller.ask(
					SEARCH,
					page({
						filter: { ...ALL, FilterGroups: [group('AND', [{ FieldName: 'Name', Operator: 'Equal', Value: 1 }])] },
					}),
				)
			).status,
		).toBe(400);
	});
});

describe('exports', () => {
	const key = 'POST /api/companies/search/export';

	it('give every company, one row each, as CSV', async () => {
		const { bytes, disposition, type } = await reseller.file(key, page({ exportType: 'csv', reportAllPages: true }));
		const [header = [], ...rows] = parseCsv(bytes.toString('utf8'));
		expect(type).toContain('text/csv');
		expect(disposition).toContain("filename*=UTF-8''Companies%20%E2%80%93%20%C3%9Cberblick.csv");
		expect(rows.map((row) => row[header.indexOf('companyName')])).toEqual(
			service.state.companies.map((company) => company.companyName),
		);
		const entry = service.requests(key).at(-1);
		expect(entry).toMatchObject({ bytesSent: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') });
	});

	it('give a real workbook for Excel, the same bytes each time', async () => {
		const { bytes, type } = await reseller.file(key, page({ exportType: 'EXCEL', reportAllPages: true }));
		expect(type).toContain('spreadsheetml');
		const [sheet] = await readXlsxFile(bytes);
		expect(sheet?.data).toHaveLength(501);
		// An archive's time, which would differ from one export to the next, is a fixed one.
		expect(bytes.readUInt16LE(12)).toBe(((2026 - 1980) << 9) | (1 << 5) | 15);
		expect((await reseller.file(key, page({ exportType: 'Excel', reportAllPages: true }))).bytes.equals(bytes)).toBe(
			true,
		);
	});

	it('give one page without reportAllPages', async () => {
		const { bytes } = await reseller.file(key, page({ exportType: 'CSV', pageSize: 7 }));
		expect(parseCsv(bytes.toString())).toHaveLength(8);
		const groups = await reseller.file('POST /api/company-groups/search/export', {
			pageNumber: 2,
			pageSize: 25,
			orderBy: 'Name',
			ascending: true,
			exportType: 'Csv',
		});
		expect(parseCsv(groups.bytes.toString())).toHaveLength(6);
		expect(groups.disposition).toBe('attachment; filename="company-groups.csv"');
	});

	it('need a type that exists', async () => {
		expect((await reseller.ask(key, page({ exportType: 'PDF' }))).status).toBe(400);
		expect((await reseller.ask(key, page())).status).toBe(400);
		expect((await reseller.ask(BOARD, {})).status).toBe(400);
	});

	it('of the leaderboard cover the scoped company or all', async () => {
		const company = service.state.companies.find((entry) => entry.companyName === '../etc');
		const one = await reseller
			.for(company?.companyResourceId ?? '')
			.file(BOARD, { exportType: 'CSV', reportAllPages: true });
		expect(parseCsv(one.bytes.toString())).toHaveLength((company?.targetUserCount ?? 0) + 1);
		expect(one.disposition).toBe('attachment; filename="Leaderboard ../etc.csv"');
		const all = await reseller.file(BOARD, {
			exportType: 'CSV',
			reportAllPages: true,
			startDate: null,
			endDate: null,
			datePeriod: 'AllTime',
		});
		expect(parseCsv(all.bytes.toString())).toHaveLength(service.state.users.length + 1);
		const paged = await reseller.file(BOARD, {
			exportType: 'CSV',
			filter: { ...ALL, SearchInputTextValue: 'anna' },
			pagination: { pageNumber: 1, pageSize: 4, orderBy: 'Email', ascending: true },
		});
		expect(parseCsv(paged.bytes.toString())).toHaveLength(5);
		expect(
			(await reseller.ask(BOARD, { exportType: 'CSV', startDate: '2026-02-01', endDate: '2026-01-01' })).status,
		).toBe(400);
		expect((await reseller.ask(BOARD, { exportType: 'CSV', startDate: 'yesterday' })).status).toBe(400);
	});

	it('of the timeline can be narrowed', async () => {
		const company = companyAt(3);
		const user = service.state.of(company.companyResourceId).users[0];
		const scoped = reseller.for(company.companyResourceId);
		const timeline = 'POST /api/leaderboard/get-user-timeline/export';
		const failed = await scoped.file(timeline, {
			exportType: 'CSV',
			reportAllPages: true,
			showOnlyFailedEvents: true,
			actionTypes: ['LinkClicked'],
		});
		const [header = [], ...rows] = parseCsv(failed.bytes.toString());
		expect(rows.every((row) => row[header.indexOf('actionType')] === 'LinkClicked')).toBe(true);
		expect(
			(await scoped.ask(timeline, { exportType: 'CSV', targetUserResourceId: user?.resourceId, reportAllPages: true }))
				.status,
		).toBe(200);
		expect((await scoped.ask(timeline, { exportType: 'CSV', targetUserResourceId: 'nobody' })).status).toBe(404);
	});

	it('can be as large as wanted, the same bytes each time', async () => {
		const bytes = 3_000_001;
		service.setOptions({ exportBytes: bytes });
		service.fault({ kind: 'truncate-chunked', route: BOARD });
		await expect(reseller.file(BOARD, { exportType: 'CSV' })).rejects.toThrow();
		const whole = await reseller.file(BOARD, { exportType: 'CSV' });
		expect(whole.bytes).toHaveLength(bytes);
		expect(whole.bytes.subarray(-2).toString()).toBe('\r\n');
		expect(service.requests(BOARD).at(-1)).toMatchObject({
			bytesSent: bytes,
			sha256: createHash('sha256').update(whole.bytes).digest('hex'),
		});
		expect((await reseller.file(BOARD, { exportType: 'CSV' })).bytes.length).toBeLessThan(10_000);
	});
});

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
		// A slow answer's effect is there although nobody waited for it.
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

describe('companies', () => {
	const creation = (change: Record<string, string | undefined> = {}): FormData => {
		const form = new FormData();
		const fields: Record<string, string | undefined> = {
			Name: 'Neue Bäckerei',
			IndustryResourceId: companyAt(0).industryResourceId,
			CountryResourceId: 'de',
			LicenseTypeResourceId: companyAt(0).licenseTypeResourceId,
			LicensePeriodTypeResourceId: 'year',
			NumberOfUsers: '25',
			TimeZoneId: 'Europe/Berlin',
			DateFormat: 'dd.MM.yyyy',
			TimeFormat: 'HH:mm',
			...change,
		};
		for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, value);
		return form;
	};

	it('are created from a form with a logo, listed, and read back', async () => {
		const form = creation({
			IsNumberOfUsersLimited: 'true',
			LicenseEndDate: '2032-01-01T00:00:00Z',
			Description: 'New',
		});
		form.append('Tags', 'one');
		form.append('Tags', 'two');
		const logo = Buffer.from('a logo');
		form.append('File', new Blob([logo], { type: 'image/png' }), 'logo.png');
		const { resourceId } = await reseller.record('POST /api/companies', form);
		expect(await reseller.record(`GET /api/companies/${String(resourceId)}`)).toMatchObject({
			companyName: 'Neue Bäckerei',
			numberOfUsers: '25',
			tags: ['one', 'two'],
			description: 'New',
		});
		expect(ids(await reseller.results(SEARCH, searchFor('neue bäck')))).toEqual([resourceId]);
		const sha256 = createHash('sha256').update(logo).digest('hex');
		expect(service.state.logos[String(resourceId)]).toEqual({
			fileName: 'logo.png',
			mimeType: 'image/png',
			bytes: 6,
			sha256,
		});
		expect(service.requests('POST /api/companies')[0]).toMatchObject({
			landed: true,
			body: {
				fields: { Name: 'Neue Bäckerei', Tags: ['one', 'two'] },
				files: [{ field: 'File', fileName: 'logo.png', mimeType: 'image/png', bytes: 6, sha256 }],
			},
		});
	});

	it.each([
		['no name', { Name: undefined }, /Name field is required/],
		['a name that is too long', { Name: 'x'.repeat(65) }, /at most 64/],
		['a number that is none', { NumberOfUsers: '12.5' }, /NumberOfUsers|numberOfUsers/],
		['a date that is none', { LicenseEndDate: 'soon' }, /LicenseEndDate/],
		['a long description', { Description: 'x'.repeat(301) }, /Description.*300/],
	])('are not created with %s', async (_what, change, expected) => {
		const response = await reseller.ask('POST /api/companies', creation(change));
		expect(response.status).toBe(400);
		expect(messages(response)).toMatch(expected);
		expect(service.state.companies).toHaveLength(500);
	});

	it('answer 404 when unknown, 403 when foreign', async () => {
		expect((await reseller.ask('GET /api/companies/unknown')).status).toBe(404);
		expect((await reseller.ask(`GET /api/companies/${service.state.foreign.companyResourceId}`)).status).toBe(403);
	});

	it('tell a caller its own', async () => {
		expect(await admin.record('GET /api/companies/my')).toMatchObject({
			companyResourceId: service.clients.companyAdmin.companyResourceId,
		});
		expect(await reseller.record('GET /api/companies/my')).toMatchObject({ companyName: 'Northwind Reseller' });
	});
});

describe('company groups', () => {
	it('are created, read, changed and given other participants', async () => {
		const [one, two, three] = [
			companyAt(1).companyResourceId,
			companyAt(2).companyResourceId,
			companyAt(3).companyResourceId,
		];
		const { resourceId } = await reseller.record('POST /api/company-groups', {
			name: 'Three',
			companyResourceIdArray: [one, two],
		});
		const path = `/api/company-groups/${String(resourceId)}`;
		expect(await reseller.record(`GET ${path}`)).toMatchObject({
			name: 'Three',
			companies: [{ companyResourceId: one }, { companyResourceId: two }],
		});
		await reseller.record(`PUT ${path}/participants`, { companyResourceIdArray: [three] });
		expect((await reseller.record(`GET ${path}`)).companyResourceIdArray).toEqual([three]);
		await reseller.record(`PUT ${path}/participants`, [one, three]);
		await reseller.record(`PUT ${path}`, { name: 'Renamed', companyResourceIdArray: [two] });
		expect(await reseller.record(`GET ${path}`)).toMatchObject({ name: 'Renamed', companyResourceIdArray: [two] });
		expect(ids(await reseller.list('GET /api/company-groups'), 'name')).toContain('Renamed');
		expect(await reseller.results('POST /api/company-groups/search', searchFor('renam'))).toHaveLength(1);
		await reseller.record(`PUT ${path}/participants`, { companyResourceIdArray: [] });
		expect((await reseller.record(`GET ${path}`)).companyCount).toBe(0);
	});

	it('are checked', async () => {
		const key = 'POST /api/company-groups';
		expect((await reseller.ask(key, { name: '' })).status).toBe(400);
		expect((await reseller.ask(key, { name: 'x'.repeat(65) })).status).toBe(400);
		expect((await reseller.ask(key, { name: 'x'.repeat(64) })).status).toBe(200);
		const unknown = await reseller.ask(key, { name: 'x', companyResourceIdArray: ['nope'] });
		expect([unknown.status, messages(unknown)]).toEqual([400, expect.stringContaining('nope')]);
		expect(
			(await reseller.ask('PUT /api/company-groups/unknown/participants', { companyResourceIdArray: [] })).status,
		).toBe(404);
		const group = service.state.groups[0]?.resourceId ?? '';
		expect((await reseller.ask(`PUT /api/company-groups/${group}/participants`, {})).status).toBe(400);
	});
});

describe('clients and roles', () => {
	it('are provisioned step by step; the new client can sign in', async () => {
		const company = companyAt(6).companyResourceId;
		const scoped = reseller.for(company);
		const role = (await scoped.list('GET /api/roles')).find((entry) => entry.name === 'Company Admin');
		const generated = await scoped.record('GET /api/companies/clients/generate-client-credentials');
		expect(String(generated.clientId).length).toBeLessThanOrEqual(32);
		expect(String(generated.clientSecret).length).toBeLessThanOrEqual(100);
		const body = { name: 'Nightly', ...generated, statusId: 1, roleResourceIdList: [role?.resourceId] };
		const { resourceId } = await scoped.record('POST /api/companies/clients', body);
		const client = {
			clientId: String(generated.clientId),
			clientSecret: String(generated.clientSecret),
			role: 'Company Admin',
		};
		const apiClient = new ApiClient(service, client);
		expect((await apiClient.record('GET /api/companies/my')).companyResourceId).toBe(company);
		expect(await scoped.results('POST /api/companies/clients/search', searchFor('nightly'))).toEqual([
			expect.objectContaining({ resourceId, name: 'Nightly', statusId: 1 }),
		]);
		const path = `/api/companies/clients/${String(resourceId)}`;
		await scoped.record(`PUT ${path}`, {
			...body,
			name: 'Weekly',
			hasIpAddressRestriction: true,
			allowedIpAddresses: ['10.0.0.0/8', '::1'],
		});
		expect(await scoped.record(`GET ${path}`)).toMatchObject({
			name: 'Weekly',
			allowedIpAddresses: ['10.0.0.0/8', '::1'],
		});
		expect(JSON.stringify(await scoped.record(`GET ${path}`))).not.toContain(generated.clientSecret);
		expect((await apiClient.ask('GET /api/roles')).status).toBe(403);
		await scoped.ask(`DELETE ${path}`);
		expect((await scoped.ask(`GET ${path}`)).status).toBe(404);
		expect((await apiClient.requestToken()).data).toEqual({ error: 'invalid_client' });
	});

	it.each([
		['no name', { name: '' }, /Name field is required/],
		['a long client id', { clientId: 'x'.repeat(33) }, /ClientId.*32/],
		['a long secret', { clientSecret: 'x'.repeat(101) }, /ClientSecret.*100/],
		['no roles', { roleResourceIdList: [] }, /role should be selected/],
		['null roles', { roleResourceIdList: null }, /role should be selected/],
		['an unknown status', { statusId: 99 }, /StatusId/],
		['no addresses', { hasIpAddressRestriction: true }, /Invalid ip address/],
		['an empty address', { hasIpAddressRestriction: true, allowedIpAddresses: [''] }, /Invalid ip address/],
		['a bad range', { hasIpAddressRestriction: true, allowedIpAddresses: ['10.0.0.0/33'] }, /Invalid ip address/],
	])('are refused with %s', async (_what, change, expected) => {
		const role = (await reseller.list('GET /api/roles'))[0];
		const body = {
			name: 'N',
			clientId: 'c',
			clientSecret: 's',
			statusId: 1,
			roleResourceIdList: [role?.resourceId],
			...change,
		};
		const response = await reseller.ask('POST /api/companies/clients', body);
		expect([response.status, messages(response)]).toEqual([400, expect.stringMatching(expected)]);
	});
});

describe('system users, SCIM, direct email, SAML', () => {
	it('create a system user in the scoped company', async () => {
		const company = companyAt(2).companyResourceId;
		const body = { firstName: 'Ada', lastName: 'L', email: 'ada@x.example', phoneNumber: '1' };
		await reseller.for(company).record('POST /api/system-users', body);
		expect(service.state.of(company).systemUsers).toMatchObject([{ email: 'ada@x.example' }]);
		for (const wrong of [
			{ ...body, firstName: 'x'.repeat(41) },
			{ ...body, phoneNumber: undefined },
			{ ...body, email: 'no' },
			{ ...body, phoneNumber: '1'.repeat(21) },
		]) {
			expect((await reseller.ask('POST /api/system-users', wrong)).status).toBe(400);
		}
		expect((await reseller.ask('POST /api/system-users', { ...body, companyResourceId: 'nope' })).status).toBe(403);
	});

	it('create, rename, revoke a SCIM integration', async () => {
		const company = companyAt(2).companyResourceId;
		const scoped = reseller.for(company);
		const [field] = await scoped.list('GET /api/scim/fields');
		const groupResourceId = service.state.of(company).targetGroups[0]?.resourceId;
		const body = {
			name: 'Okta',
			groupResourceId,
			fieldMappings: [{ customFieldResourceId: 'c', scimFieldResourceId: field?.resourceId }],
			syncPlatformGroup: true,
		};
		const made = await scoped.record('POST /api/scim', body);
		expect(made).toMatchObject({ scimToken: expect.any(String), scimEndpointUrl: expect.stringContaining('http') });
		expect((await scoped.ask('POST /api/scim', body)).status).toBe(409);
		expect((await scoped.ask('POST /api/scim', { ...body, name: 'Other', groupResourceId: 'nope' })).status).toBe(400);
		expect((await scoped.ask('POST /api/scim', { name: 'x'.repeat(31) })).status).toBe(400);
		const path = `/api/scim/${String(made.resourceId)}`;
		expect((await scoped.record(`POST ${path}/revoke`)).scimToken).not.toBe(made.scimToken);
		await scoped.record(`PUT ${path}`, { name: 'Entra' });
		await scoped.record(`PUT ${path}`, {});
		expect(await scoped.record(`GET ${path}`)).toMatchObject({ name: 'Entra', groupResourceId });
		expect(ids(await scoped.results('POST /api/scim/search', {}), 'name')).toEqual(['Directory Sync', 'Entra']);
		expect((await reseller.for(companyAt(3).companyResourceId).ask(`GET ${path}`)).status).toBe(404);
	});

	it('create, test and choose a direct email setting', async () => {
		const base = '/api/companies/direct-email-settings';
		const body = { name: 'M365', tenantId: 't', allowedDomains: ['a.example'], type: 1 };
		const { resourceId } = await reseller.record(`POST ${base}`, body);
		expect((await reseller.ask(`POST ${base}`, body)).status).toBe(409);
		expect((await reseller.ask(`POST ${base}`, { ...body, name: 'x', type: 3 })).status).toBe(400);
		expect((await reseller.ask(`POST ${base}`, { ...body, name: 'x', allowedDomains: [] })).status).toBe(400);
		await reseller.record(`POST ${base}/test`, {
			resourceId,
			from: 'a@a.example',
			fromName: 'A',
			to: 'b@a.example',
			message: 'Hello',
			tenantId: 't',
			type: 1,
		});
		await reseller.record(`PUT ${base}/make-default/${String(resourceId)}`);
		expect(service.state.emailSettings).toMatchObject([{ resourceId, isDefault: true, testsSent: 1 }]);
		expect((await reseller.ask(`PUT ${base}/make-default/nope`)).status).toBe(404);
	});

	it('create a SAML setting from a form with a metadata file', async () => {
		const form = (change: Record<string, string> = {}, file = true) => {
			const made = new FormData();
			const fields = {
				Name: 'SSO',
				IdPSSOTargetUrl: 'https://idp.example',
				IdPEntityID: 'idp',
				StatusId: '1',
				'Domain[0]': 'a.example',
				IdPCertFingerprintTypeId: '2',
				...change,
			};
			for (const [name, value] of Object.entries(fields)) made.append(name, value);
			made.append('Domain[1]', 'b.example');
			if (file) made.append('File', new Blob(['<xml/>'], { type: 'text/xml' }), 'metadata.xml');
			return made;
		};
		const base = '/api/companies/saml-settings';
		const { resourceId } = await reseller.record(`POST ${base}`, form());
		expect(await reseller.record(`GET ${base}/${String(resourceId)}`)).toMatchObject({
			name: 'SSO',
			domain: ['a.example', 'b.example'],
			statusId: 1,
			metadataFileName: 'metadata.xml',
		});
		for (const wrong of [
			form({ Name: '' }),
			form({ StatusId: '2' }),
			form({ IdPCertFingerprintTypeId: '3' }),
			form({}, false),
			form({ Name: 'x'.repeat(65) }),
		]) {
			expect((await reseller.ask(`POST ${base}`, wrong)).status).toBe(400);
		}
		expect(await reseller.record(`GET ${base}/default`)).toHaveProperty('entityId');
		expect((await reseller.ask(`GET ${base}/nope`)).status).toBe(404);
	});
});

describe('sign-in', () => {
	it('logs in and out without a token', async () => {
		const ask = async (data: unknown) =>
			await axios.post(`${service.url}/api/account/login`, data, { validateStatus: () => true });
		expect((await ask({ ...service.state.login, bypassSaml: true })).data).toMatchObject({
			data: { accessToken: expect.any(String) },
		});
		expect((await ask({ ...service.state.login, password: 'no' })).status).toBe(401);
		expect((await ask({ username: 'x' })).status).toBe(400);
		expect((await axios.get(`${service.url}/api/account/logout`)).status).toBe(200);
	});

	it('takes an agent code once', async () => {
		const url = await reseller.record('POST /api/v2/agent-auth/login-url', { sessionId: 's1' });
		const authCode = new URL(String(url.redirectUrl)).searchParams.get('authCode');
		expect(await reseller.record('POST /api/v2/agent-auth/token', { authCode })).toHaveProperty('accessToken');
		const replay = await reseller.ask('POST /api/v2/agent-auth/token', { authCode });
		expect(replay.status).toBe(401);
		expect(replay.headers['content-type']).toContain('application/problem+json');
		expect(replay.data).toMatchObject({
			status: 401,
			title: expect.any(String),
			detail: expect.stringContaining('used'),
		});
		expect((await reseller.ask('POST /api/v2/agent-auth/login-url', {})).data).toMatchObject({
			status: 400,
			detail: expect.stringContaining('SessionId'),
		});
	});

	it('connects and disconnects Google', async () => {
		expect(await reseller.data('GET /api/googleoauth/authorize')).toMatch(/^https:/);
		expect(await reseller.record('GET /api/googleoauth/callback?Code=c&State=s')).toHaveProperty('resourceId');
		expect((await reseller.ask('GET /api/googleoauth/callback?Code=c')).status).toBe(400);
		expect((await reseller.ask('DELETE /api/googleoauth/revoke')).status).toBe(200);
	});
});

describe('trainings and enrollments', () => {
	it('go from a training to reports', async () => {
		const company = companyAt(9).companyResourceId;
		const scoped = reseller.for(company);
		const [training] = await scoped.results('POST /api/trainings/search', searchFor('Phishing Essentials'));
		const [group] = await scoped.results(GROUPS, searchFor('everybody'));
		const body = {
			trainingId: training?.trainingId,
			name: 'Autumn',
			targetGroupResourceIds: [group?.resourceId],
			awardCertificate: true,
			enrollmentScheduler: { scheduledDate: '2026-05-01T08:00:00Z', dueDate: '2026-06-01T08:00:00Z' },
		};
		const created = await scoped.ask('POST /api/enrollments', body);
		expect(created.status).toBe(201);
		expect(created.data).toMatchObject({
			data: {
				id: expect.any(String),
				trainingName: 'Phishing Essentials',
				totalTargetUserCount: group?.userCount,
				awardCertificate: true,
			},
		});
		const id = String(isRow(created.data) && isRow(created.data.data) ? created.data.data.id : '');
		expect(await scoped.results('POST /api/enrollments/search', searchFor('autumn'))).toMatchObject([
			{ resourceId: id, name: 'Autumn' },
		]);
		const report = `/api/training-reports/${id}`;
		expect((await scoped.record(`POST ${report}/users/search`, {})).totalNumberOfRecords).toBe(0);
		expect(await scoped.record(`POST /api/enrollments/${id}/send`)).toEqual({ resourceId: id });
		expect(service.state.of(company).enrollments.at(-1)).toMatchObject({ sendCount: 1, name: 'Autumn' });
		expect(await scoped.record(`GET ${report}/summary`)).toMatchObject({
			totalTargetUserCount: group?.userCount,
			completedCount: 0,
		});
		const users = await scoped.results(
			`POST ${report}/users/search`,
			page({ orderBy: 'Email', trainingType: 0, pageSize: 50 }),
		);
		expect(users).toHaveLength(Number(group?.userCount));
		expect(await scoped.record(`GET ${report}/interactions/${String(users[0]?.resourceId)}`)).toMatchObject({
			email: users[0]?.email,
		});
		expect(await scoped.results(`POST ${report}/sending-report/search`, page())).not.toHaveLength(0);
		expect(
			parseCsv(
				(
					await scoped.file(`POST ${report}/sending-report/search/export`, page({ reportAllPages: true }))
				).bytes.toString(),
			),
		).toHaveLength(users.length + 1);
		expect(await scoped.record(`GET /api/enrollments/${id}`)).toMatchObject({
			resourceId: id,
			name: 'Autumn',
			targetGroupResourceIds: [group?.resourceId],
		});
		expect((await reseller.for(companyAt(8).companyResourceId).ask(`GET /api/enrollments/${id}`)).status).toBe(404);
	});

	it('are checked', async () => {
		const company = companyAt(9).companyResourceId;
		const scoped = reseller.for(company);
		const foreign = service.state.of(companyAt(8).companyResourceId).targetGroups[0]?.resourceId;
		const good = {
			trainingId: service.state.trainings[0]?.trainingId,
			name: 'N',
			targetGroupResourceIds: [service.state.of(company).targetGroups[0]?.resourceId],
		};
		const wrong = [
			{ trainingId: 'no' },
			{ trainingId: undefined },
			{ name: '' },
			{ targetGroupResourceIds: [] },
			{ targetGroupResourceIds: [foreign] },
			{ enrollmentScheduler: { dueDate: 'x' } },
		];
		for (const change of wrong)
			expect((await scoped.ask('POST /api/enrollments', { ...good, ...change })).status).toBe(400);
		expect((await scoped.ask('POST /api/enrollments', good)).status).toBe(201);
		expect((await scoped.ask('POST /api/enrollments/nope/send')).status).toBe(404);
		expect((await scoped.ask('POST /api/training-reports/nope/users/search', {})).status).toBe(404);
	});

	it('list surveys alone, certificates, reminders and notifications', async () => {
		const company = companyAt(9).companyResourceId;
		const scoped = reseller.for(company);
		const surveys = await scoped.results('POST /api/enrollments/search', page({ enrollmentType: 'Survey' }));
		expect(surveys).toHaveLength(1);
		const [finished, running] = service.state.of(company).enrollments;
		expect(
			await scoped.results(`POST /api/enrollments/${finished?.resourceId}/certificates/search`, {}),
		).not.toHaveLength(0);
		const reminders = {
			trainingType: 'Training',
			reportAllPages: false,
			showByExamStatus: '',
			pageNumber: 1,
			pageSize: 5,
		};
		expect(
			await scoped.record(`POST /api/training-reports/${running?.resourceId}/reminder-mails/search`, reminders),
		).toHaveProperty('results');
		const sent = await scoped.results(`POST /api/notifications/${running?.resourceId}/search`, {
			companyId: 1,
			enrollmentId: null,
			status: 'Sent',
			type: '',
		});
		expect(sent.every((row) => row.status === 'Sent')).toBe(true);
		expect(await scoped.record('GET /api/enrollments/form-details')).toMatchObject({
			enumNameValuePairs: expect.any(Object),
			canSaveVendor: false,
		});
	});
});

describe.each(['phishing', 'smishing', 'quishing'])('%s campaigns', (simulator) => {
	const base = `/api/${simulator}-simulator/${simulator}-campaign`;

	it('have jobs, each with what people did', async () => {
		const scoped = reseller.for(companyAt(11).companyResourceId);
		expect(await scoped.results(`POST ${base}/search`, page())).toHaveLength(3);
		const jobs = await scoped.results(`POST ${base}-job-report/search`, page());
		expect(jobs).toHaveLength(3);
		const { resourceId, instanceGroup } = jobs[0] ?? {};
		const summary = await scoped.record(
			`GET ${base}-job-report/summary/${String(resourceId)}/${String(instanceGroup)}`,
		);
		const opened = await scoped.record(
			`POST ${base}-job-report/email-opened/search/${String(resourceId)}/${String(instanceGroup)}`,
			{ orderBy: 'Email' },
		);
		expect(opened.totalNumberOfRecords).toBe(summary.opened);
		for (const verb of ['opened', 'clicked', 'submitted']) {
			const rows = await scoped.results(
				`POST ${base}-job-report/search-email-${verb}/${String(resourceId)}`,
				page({ pageSize: 100 }),
			);
			expect(rows.filter((row) => row.instanceGroup === instanceGroup)).toHaveLength(Number(summary[verb]));
		}
		expect(
			parseCsv((await scoped.file(`POST ${base}-job-report/search/export`, page())).bytes.toString()),
		).toHaveLength(4);
		expect(parseCsv((await scoped.file(`POST ${base}/search/export`, page())).bytes.toString())).toHaveLength(4);
		expect((await scoped.ask(`GET ${base}-job-report/summary/${String(resourceId)}/99`)).status).toBe(404);
		expect((await scoped.ask(`POST ${base}-job-report/search-email-opened/nope`, {})).status).toBe(404);
		expect((await scoped.ask(`POST ${base}-job-report/search-sms-clicked/${String(resourceId)}`, {})).status).toBe(404);
	});
});

describe('executive reports', () => {
	it('give widgets and their data', async () => {
		const widgets = await reseller.list('POST /api/executive-report/search', { name: null });
		expect(widgets.length).toBeGreaterThan(3);
		const data = await reseller.list('POST /api/executive-report/get-widget-datas', {
			widgetIds: [widgets[0]?.resourceId],
			datePeriod: 'LastYear',
			startDate: null,
			endDate: null,
		});
		expect(data).toMatchObject([{ name: widgets[0]?.name, series: expect.any(Array) }]);
		expect((await reseller.ask('POST /api/executive-report/get-widget-datas', { widgetIds: ['nope'] })).status).toBe(
			400,
		);
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

describe('hostile input', () => {
	it('never breaks the service', async () => {
		const company = companyAt(1).companyResourceId;
		const keys = service.routes.filter((key) => !key.includes('/companies/clients/search'));
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...keys),
				fc.jsonValue({ maxDepth: 4 }),
				fc.webSegment(),
				fc.option(fc.jsonValue({ maxDepth: 3 })),
				async (key, body, segment, filter) => {
					const path = key.replace(/\{\w+\}/g, segment === '' ? 'x' : segment);
					const sent = key.startsWith('GET')
						? undefined
						: JSON.stringify(isRow(body) ? { ...page(), ...body, filter } : body);
					const response = await reseller.for(company).ask(path, sent);
					expect(response.status).toBeLessThan(500);
				},
			),
			{ numRuns: deepOr(150, 30), seed: 7 },
		);
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
