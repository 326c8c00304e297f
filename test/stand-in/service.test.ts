/** Tests the profile 'contract': tokens, permissions, companies, bodies and filters. test/nodes tests the operations. */
import axios from 'axios';
import { z } from 'zod';
import { CONTRACT_KEYS } from '../contract/keys';
import { MATCH_ALL_FILTER, ApiClient, readMessages, buildPageBody } from './apiClient';
import { isJsonObject, type JsonObject } from './http';
import { startStandIn, type StandIn } from './index';

const COMPANY_SEARCH = 'POST /api/companies/search';
const TARGET_GROUP_SEARCH = 'POST /api/target-groups/search/current-company';

let standIn: StandIn;
let resellerClient: ApiClient;
let adminClient: ApiClient;
beforeAll(async () => {
	standIn = await startStandIn();
	resellerClient = await new ApiClient(standIn, standIn.clients.reseller).signIn();
	adminClient = await new ApiClient(standIn, standIn.clients.companyAdmin).signIn();
});
beforeEach(() => standIn.reset());
afterAll(async () => standIn.close());

const getCompanyId = (index: number): string => standIn.world.companies[index]?.companyResourceId ?? '';

test('serves each operation of the contract once; any other path is a 404 in the envelope', async () => {
	expect([...standIn.routeKeys].sort()).toEqual([...CONTRACT_KEYS].sort());
	const response = await resellerClient.send('GET /api/nothing');
	expect([response.status, response.data]).toEqual([404, expect.objectContaining({ data: null, status: 'error' })]);
	expect(standIn.getRequests('unknown')).toHaveLength(1);
});

describe('the token endpoint', () => {
	test('issues a bearer token with its permissions; only a Reseller has those of contract 5.5', async () => {
		const { status, data } = await resellerClient.requestToken();
		expect(data).toMatchObject({ expires_in: 3600, token_type: 'Bearer', scope: 'api1' });
		const parsePermissions = (tokenResponse: JsonObject) => z.array(z.string()).parse(tokenResponse.permissions);
		const adminPermissions = parsePermissions((await adminClient.requestToken()).data);
		const isResellerPermission = (permission: string) =>
			/^(companies\|POST$|companies\/search|company-groups)/.test(permission);
		expect([status, adminPermissions.filter(isResellerPermission)]).toEqual([200, []]);
		const sharedPermissions = parsePermissions(data).filter((permission) => !isResellerPermission(permission));
		expect(sharedPermissions.sort()).toEqual(adminPermissions.sort());
	});

	test.each([
		['a wrong secret', { client_secret: 'no' }, 'invalid_client'],
		['another grant', { grant_type: 'password' }, 'unsupported_grant_type'],
		['another scope', { scope: 'openid' }, 'invalid_scope'],
	])('refuses %s', async (_title, form, error) => {
		const { status, data } = await resellerClient.requestToken(form);
		expect([status, data]).toEqual([400, { error }]);
	});

	test('breaks on JSON (deployment facts, "Requests")', async () => {
		const url = `${standIn.url}/connect/token`;
		const { status } = await axios.post(url, { grant_type: 'client_credentials' }, { validateStatus: () => true });
		expect(status).toBe(500);
	});
});

describe('access', () => {
	test.each(['', 'Bearer nonsense', 'Basic abc'])('is refused with the authorization "%s"', async (authorization) => {
		const response = await resellerClient.send('GET /api/roles', undefined, { headers: { authorization } });
		expect([response.status, response.headers['www-authenticate']]).toEqual([401, expect.stringContaining('Bearer')]);
	});

	test('is refused with a token that has expired or was revoked', async () => {
		standIn.setOptions({ tokenLifetimeSeconds: 0 });
		const expiredClient = await new ApiClient(standIn, standIn.clients.limited).signIn();
		standIn.setOptions({ tokenLifetimeSeconds: 3600, shouldRevokeEarlierTokens: true });
		const earlierClient = await new ApiClient(standIn, standIn.clients.limited).signIn();
		const newestClient = await new ApiClient(standIn, standIn.clients.limited).signIn();
		standIn.setOptions({ shouldRevokeEarlierTokens: false });
		const requestStatuses = async () =>
			Promise.all(
				[expiredClient, earlierClient, newestClient].map(
					async (client) => (await client.send('GET /api/roles')).status,
				),
			);
		expect(await requestStatuses()).toEqual([401, 401, 200]);
		standIn.expireTokens();
		expect(await requestStatuses()).toEqual([401, 401, 401]);
		await resellerClient.signIn();
		await adminClient.signIn();
	});

	test('is refused to an address that is not allowed, a client without the permission, and a Company Admin', async () => {
		const response = await new ApiClient(standIn, standIn.clients.blocked).send('GET /api/roles');
		expect([response.status, readMessages(response)]).toEqual([
			403,
			expect.stringMatching(/IP address .* not allowed/),
		]);
		const limitedClient = new ApiClient(standIn, standIn.clients.limited);
		expect([
			(await limitedClient.send(COMPANY_SEARCH, buildPageBody())).status,
			(await limitedClient.send(TARGET_GROUP_SEARCH, buildPageBody())).status,
		]).toEqual([403, 200]);
		for (const key of [COMPANY_SEARCH, 'GET /api/company-groups', 'POST /api/company-groups'])
			expect([key, (await adminClient.send(key, key.startsWith('POST') ? buildPageBody() : undefined)).status]).toEqual(
				[key, 403],
			);
	});

	test('gives a Reseller all companies, or one named by header or query, and a Company Admin its own', async () => {
		const listGroupIds = (id: string) =>
			standIn.world.getCompanyData(id).targetGroups.map(({ resourceId }) => resourceId);
		expect((await resellerClient.fetchRecord(TARGET_GROUP_SEARCH, buildPageBody())).totalNumberOfRecords).toBe(
			standIn.world.targetGroups.length,
		);
		const groupsByHeader = await resellerClient
			.scopeToCompany(getCompanyId(7))
			.fetchResults(`${TARGET_GROUP_SEARCH}?companyId=${getCompanyId(8)}`, buildPageBody());
		const groupsByQuery = await resellerClient.fetchResults(
			`${TARGET_GROUP_SEARCH}?companyId=${getCompanyId(7)}`,
			buildPageBody(),
		);
		expect(groupsByHeader.map(({ resourceId }) => resourceId)).toEqual(listGroupIds(getCompanyId(7)));
		expect(groupsByQuery).toEqual(groupsByHeader);
		const ownCompanyId = standIn.clients.companyAdmin.companyResourceId ?? '';
		expect(
			(await adminClient.fetchResults(TARGET_GROUP_SEARCH, buildPageBody())).map(({ resourceId }) => resourceId),
		).toEqual(listGroupIds(ownCompanyId));
		const foreignCompanyId = standIn.world.foreignCompany.companyResourceId;
		const refusedClients = [
			resellerClient.scopeToCompany('nobody'),
			resellerClient.scopeToCompany(foreignCompanyId),
			adminClient.scopeToCompany(getCompanyId(5)),
		];
		for (const client of refusedClients)
			expect((await client.send(TARGET_GROUP_SEARCH, buildPageBody())).status).toBe(403);
		expect((await adminClient.send(`GET /api/companies/${getCompanyId(5)}`)).status).toBe(403);
	});
});

describe('the body of a search', () => {
	test.each([
		['nothing', undefined, /body is required/],
		['an empty object', {}, /PageNumber.*PageSize.*OrderBy.*Ascending.*Filter/],
		['a null filter', buildPageBody({ filter: null }), /Filter field is required/],
		[
			'a null condition',
			buildPageBody({ filter: { ...MATCH_ALL_FILTER, Condition: null } }),
			/Condition field is required/,
		],
		[
			'null groups',
			buildPageBody({ filter: { ...MATCH_ALL_FILTER, FilterGroups: null } }),
			/FilterGroups field is required/,
		],
		['an unknown condition', buildPageBody({ filter: { ...MATCH_ALL_FILTER, Condition: 'XOR' } }), /'AND' or 'OR'/],
		['page 0', buildPageBody({ pageNumber: 0 }), /PageNumber.*greater/],
		['numbers as text', buildPageBody({ pageSize: '10' }), /PageSize.*number/],
		['a null orderBy', buildPageBody({ orderBy: null }), /OrderBy field is required/],
	])('with %s is a 400', async (_title, body, expected) => {
		const response = await resellerClient.send(COMPANY_SEARCH, body);
		expect([response.status, readMessages(response)]).toEqual([400, expect.stringMatching(expected)]);
	});

	test('can have keys in either case, and can omit optional fields', async () => {
		const camelCaseBody = buildPageBody({
			filter: { condition: 'or', searchInputTextValue: 'bakery', filterGroups: [] },
		});
		const bakeries = await resellerClient.fetchResults(COMPANY_SEARCH, camelCaseBody);
		expect(bakeries).toHaveLength(8);
		expect(
			await resellerClient.fetchResults(
				COMPANY_SEARCH,
				buildPageBody({ filter: { ...MATCH_ALL_FILTER, SearchInputTextValue: 'BAKERY' }, PageSize: 10 }),
			),
		).toEqual(bakeries);
		const body = { pageNumber: 1, pageSize: 3, filter: MATCH_ALL_FILTER };
		expect([
			(await resellerClient.send(TARGET_GROUP_SEARCH, body)).status,
			(await resellerClient.send(COMPANY_SEARCH, body)).status,
		]).toEqual([200, 400]);
		expect((await resellerClient.send('POST /api/scim/search', {})).status).toBe(200);
	});

	test('for API clients causes a 500 without a filter, and cannot be json-patch (contract 7)', async () => {
		const key = 'POST /api/companies/clients/search';
		expect((await resellerClient.send(key, buildPageBody({ filter: null }))).status).toBe(500);
		const headers = { 'content-type': 'application/json-patch+json' };
		expect((await resellerClient.send(key, JSON.stringify(buildPageBody()), { headers })).status).toBe(400);
		expect((await resellerClient.send(COMPANY_SEARCH, JSON.stringify(buildPageBody()), { headers })).status).toBe(200);
	});

	test.each<[operator: string, field: string, value: string, isMatch: (row: JsonObject) => boolean]>([
		['eq', 'Name', 'Old Mill Bakery', (row) => row.companyName === 'Old Mill Bakery'],
		['gt', 'targetUserCount', '15', (row) => Number(row.targetUserCount) > 15],
		['lt', 'RenewalDate', '2025-01-01', (row) => String(row.licenseEndDate) < '2025'],
		['contains', 'tags', 'nis2', (row) => Array.isArray(row.tags) && row.tags.includes('nis2')],
		['neq', 'licenceExpired', 'false', (row) => row.licenceExpired === true],
	])('filters by %s on %s, including children', async (Operator, FieldName, Value, isMatch) => {
		const FilterGroups = [{ Condition: 'AND', FilterItems: [{ FieldName, Operator, Value }], FilterGroups: [] }];
		const rows = await resellerClient.fetchResults(
			COMPANY_SEARCH,
			buildPageBody({ filter: { ...MATCH_ALL_FILTER, FilterGroups }, pageSize: 500 }),
		);
		const flattenRows = (list: JsonObject[]): JsonObject[] =>
			list.flatMap((row) => [
				row,
				...flattenRows(Array.isArray(row.children) ? row.children.filter(isJsonObject) : []),
			]);
		const expectedIds = standIn.world.companies.filter(isMatch).map(({ companyResourceId }) => companyResourceId);
		expect(expectedIds.length).toBeGreaterThan(0);
		expect(flattenRows(rows).map(({ companyResourceId }) => companyResourceId)).toEqual(expectedIds);
	});

	test.each([
		['Nonsense', 'eq'],
		['Name', 'Sounds like'],
		['Name', 'constructor'],
	])('with an unknown filter field or operator is a 400: %s, %s', async (FieldName, Operator) => {
		const FilterGroups = [{ Condition: 'AND', FilterItems: [{ FieldName, Operator, Value: 'x' }], FilterGroups: [] }];
		expect(
			(await resellerClient.send(COMPANY_SEARCH, buildPageBody({ filter: { ...MATCH_ALL_FILTER, FilterGroups } })))
				.status,
		).toBe(400);
	});

	test('returns the requested page, sorted', async () => {
		const body = { orderBy: 'CompanyName', ascending: false, pageSize: 7, pageNumber: 2 };
		const { results, ...counts } = await resellerClient.fetchRecord(COMPANY_SEARCH, buildPageBody(body));
		const names = standIn.world.companyTree.map(({ companyName }) => companyName ?? '');
		const collator = new Intl.Collator('en', { sensitivity: 'variant' });
		const sortedNames = names.map((name) => name.toLowerCase()).sort((a, b) => collator.compare(b, a));
		expect(
			z
				.array(z.object({ companyName: z.string() }))
				.parse(results)
				.map((row) => row.companyName.toLowerCase()),
		).toEqual(sortedNames.slice(7, 14));
		const { length } = names;
		expect(counts).toMatchObject({ totalNumberOfRecords: length, totalNumberOfPages: Math.ceil(length / 7) });
	});
});

test('an export contains one page and must have a supported type', async () => {
	const key = 'POST /api/companies/search/export';
	const { bytes } = await resellerClient.downloadFile(key, buildPageBody({ exportType: 'CSV', pageSize: 7 }));
	expect(bytes.toString().trim().split('\r\n')).toHaveLength(8);
	expect((await resellerClient.send(key, buildPageBody({ exportType: 'PDF' }))).status).toBe(400);
});

test('the seed data is the same each time, also with few companies', async () => {
	for (const companyCount of [0, 1, 500]) {
		const otherStandIn = await startStandIn({ companyCount });
		const listCompanyNames = ({ world }: StandIn) =>
			world.companies.map(({ companyResourceId, companyName }) => [companyResourceId, companyName]);
		expect(otherStandIn.world.companies).toHaveLength(companyCount);
		if (companyCount === 500) expect(listCompanyNames(otherStandIn)).toEqual(listCompanyNames(standIn));
		await otherStandIn.close();
	}
});
