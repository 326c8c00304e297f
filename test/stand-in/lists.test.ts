/** Bodies of searches, and how the list of companies is searched, sorted, filtered and paged. */
import { isRow, type Row } from './http';
import type { StandIn } from './index';
import { type ApiClient, ALL, messages, page, searchFor } from './apiClient';
import { GROUPS, ids, SEARCH, useSignedIn } from './testing';

let service: StandIn;
let reseller: ApiClient;
useSignedIn((started) => ({ service, reseller } = started));

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
