/** Tests the operation Get Many of Company: output, filters, sorting and limits. */
import type { IDataObject } from 'n8n-workflow';
import type { Company } from '../stand-in/seed';
import {
	startFakeServer,
	getHintMessages,
	getJson,
	parsePageNumber,
	sendJson,
	parseText,
} from '../n8n-core/nodeFixture';
import {
	createCompanyFixture,
	flattenCompanies,
	listCompanyIds,
	nestCompanies,
	sortNewestFirst,
	SIMPLIFIED_FIELDS,
	sortById,
} from './companyFixture';

const SEARCH_COMPANIES = 'POST /api/companies/search';

describe('company', () => {
	const { fixture, run, getAllCompanies } = createCompanyFixture();

	test('get many: returns all companies, newest first, each followed by its children with the ID of their parent', async () => {
		expect(await getAllCompanies()).toEqual(flattenCompanies(sortNewestFirst(fixture.standIn.world.companyTree)));
		const pageCount = Math.ceil(fixture.standIn.world.companyTree.length / 100);
		const pageNumbers = fixture.standIn.getRequests(SEARCH_COMPANIES).map(parsePageNumber);
		expect(pageNumbers).toHaveLength(pageCount);
		expect(new Set(pageNumbers).size).toBe(pageCount);
		expect(fixture.standIn.getRequests(SEARCH_COMPANIES)[0]?.body).toEqual({
			pageNumber: 1,
			pageSize: 100,
			orderBy: 'CreateTime',
			ascending: false,
			filter: { Condition: 'AND', SearchInputTextValue: '', FilterGroups: [] },
		});
		expect(fixture.requests.every(({ headers }) => headers['content-type'] === 'application/json')).toBe(true);
	});

	test('get many: children can stay inside their parents', async () => {
		expect(await getAllCompanies({ splitChildren: false })).toEqual(
			nestCompanies(sortNewestFirst(fixture.standIn.world.companyTree)),
		);
	});

	test('get many: the defaults are simplified output and a limit of 50', async () => {
		const { items } = await run('getMany');
		expect(getJson(items)).toEqual(
			flattenCompanies(sortNewestFirst(fixture.standIn.world.companyTree))
				.slice(0, 50)
				.map((company) =>
					Object.fromEntries(SIMPLIFIED_FIELDS.filter((name) => name in company).map((name) => [name, company[name]])),
				),
		);
	});

	test.each([1, 7, 100, 101, 499, 10_000])('get many: limit %d', async (limit) => {
		const { items } = await run('getMany', { limit });
		const expected = flattenCompanies(sortNewestFirst(fixture.standIn.world.companyTree)).slice(0, limit);
		expect(listCompanyIds(getJson(items))).toEqual(listCompanyIds(expected));
	});

	test.each([
		['splits', {}],
		['splits and sorts', { show: 'expired' }],
	])(
		'get many: a hint says that there are more results than the limit, in a list that the node %s',
		async (_name, parameters) => {
			const count = (await getAllCompanies(parameters)).length;
			const getHints = async (limit: number) => getHintMessages(await run('getMany', { ...parameters, limit }));
			expect(await getHints(count - 1)).toEqual([expect.stringMatching(/^There are more results than 'Limit'\./)]);
			expect(await getHints(count)).toEqual([]);
		},
	);

	test('get many: expired licenses, the one that expired first comes first', async () => {
		const companies = await getAllCompanies({ show: 'expired' });
		const today = new Date().toISOString().slice(0, 10);
		const expected = flattenCompanies(fixture.standIn.world.companyTree).filter(
			(company) => company.licenceExpired === true || parseText(company.licenseEndDate) < today,
		);
		expect(expected.length).toBeGreaterThan(10);
		expect(sortById(companies)).toEqual(sortById(expected));
		const endDates = companies
			.filter((company) => !('parentCompanyResourceId' in company))
			.map(({ licenseEndDate }) => parseText(licenseEndDate));
		expect(endDates).toEqual([...endDates].sort());
	});

	test('get many: more users than the license allows', async () => {
		const companies = await getAllCompanies({ show: 'overLimit' });
		const expected = fixture.standIn.world.companies.filter(
			({ isNumberOfUsersLimited, targetUserCount, numberOfUsers }) =>
				isNumberOfUsersLimited && targetUserCount > Number(numberOfUsers),
		);
		expect(expected.length).toBeGreaterThan(3);
		expect(sortById(companies).map(({ companyResourceId }) => companyResourceId)).toEqual(
			listCompanyIds(sortById(expected)),
		);
		expect(fixture.standIn.getRequests(SEARCH_COMPANIES)[0]?.body).toMatchObject({
			isTargetUserCountExceededLimit: true,
		});
	});

	test('get many: recently created', async () => {
		const listIdsCreatedWithin = (days: number) => {
			const since = new Date(Date.now() - days * 86_400_000).toISOString();
			return listCompanyIds(
				sortById(
					flattenCompanies(fixture.standIn.world.companyTree).filter(({ createTime }) => parseText(createTime) > since),
				),
			);
		};
		expect(listIdsCreatedWithin(30)).not.toEqual(listIdsCreatedWithin(2));
		expect(listCompanyIds(sortById(await getAllCompanies({ show: 'recent' })))).toEqual(listIdsCreatedWithin(30));
		expect(listCompanyIds(sortById(await getAllCompanies({ show: 'recent', createdWithinDays: 2 })))).toEqual(
			listIdsCreatedWithin(2),
		);
	});

	test('get many: recently created, the newest first (contract 4.3)', async () => {
		const companies = await getAllCompanies({ show: 'recent' });
		expect(fixture.standIn.getRequests(SEARCH_COMPANIES)[0]?.body).toMatchObject({
			orderBy: 'CreateTime',
			ascending: false,
		});
		const times = companies.map(({ createTime }) => parseText(createTime));
		expect(new Set(times).size).toBeGreaterThan(2);
		expect(times).toEqual([...times].sort().reverse());
	});

	test('get many: expired and over-limit companies are found by every license field of a live deployment, also among child companies', async () => {
		const pastDate = '2020-01-01T00:00:00Z';
		const futureDate = '2100-01-01T00:00:00Z';
		const createCompany = (companyResourceId: string, fields: IDataObject) => ({
			companyResourceId,
			children: [],
			...fields,
		});
		const results = [
			createCompany('flag', { licenceExpired: true, licenseEndDate: futureDate }),
			createCompany('date', { licenseEndDate: pastDate }),
			createCompany('neither', {}),
			createCompany('valid', {
				licenceExpired: false,
				licenseEndDate: futureDate,
				children: [
					createCompany('child', {
						licenceExpired: true,
						isNumberOfUsersLimited: true,
						numberOfUsers: '5',
						targetUserCount: 6,
					}),
					createCompany('child that may be unlimited', { numberOfUsers: '5', targetUserCount: 6 }),
					createCompany('unlimited child', { isNumberOfUsersLimited: false, numberOfUsers: '5', targetUserCount: 6 }),
					createCompany('child at its limit', { isNumberOfUsersLimited: true, numberOfUsers: '9', targetUserCount: 9 }),
					createCompany('child with room', { isNumberOfUsersLimited: true, numberOfUsers: '10', targetUserCount: 9 }),
				],
			}),
		];
		const fakeServer = await startFakeServer((_request, response) =>
			sendJson(response, 200, { data: { results, totalNumberOfPages: 1 } }),
		);
		const listIds = async (show: string) =>
			listCompanyIds(getJson((await run('getMany', { show }, { credentialStore: fakeServer.credentialStore })).items));
		expect(await listIds('expired')).toEqual(['date', 'flag', 'child']);
		// The platform filters the parent companies itself, so the node returns all of them.
		expect(await listIds('overLimit')).toEqual([
			'flag',
			'date',
			'neither',
			'valid',
			'child',
			'child that may be unlimited',
		]);
	});

	test.each([
		['recent', { by: 'Name', direction: 'descending' }],
		['expired', { by: 'CreateTime', direction: 'ascending' }],
	])('get many: the selected sort order also applies to %s', async (show, sort) => {
		await getAllCompanies({ show, sort: { fields: sort } });
		expect(fixture.standIn.getRequests(SEARCH_COMPANIES)[0]?.body).toMatchObject({
			orderBy: sort.by,
			ascending: sort.direction === 'ascending',
		});
	});

	test.each<[string, IDataObject, (company: Company) => boolean]>([
		['text', { searchText: 'bakery' }, ({ companyName }) => (companyName ?? '').toLowerCase().includes('bakery')],
		['text that looks like code', { searchText: '=1+1' }, ({ companyName }) => companyName === '=1+1'],
		[
			'one group',
			{
				filterGroups: JSON.stringify([
					{ Condition: 'AND', FilterItems: [{ FieldName: 'LicenseTypeName', Operator: 'eq', Value: 'Trial' }] },
				]),
			},
			({ licenseTypeName }) => licenseTypeName === 'Trial',
		],
		[
			'nested groups, from an expression',
			{
				filterGroups: `={{ ${JSON.stringify([
					{
						Condition: 'AND',
						FilterItems: [{ FieldName: 'TargetUserCount', Operator: 'gt', Value: '15' }],
						FilterGroups: [
							{
								Condition: 'OR',
								FilterItems: ['Retail', 'Finance'].map((Value) => ({
									FieldName: 'IndustryName',
									Operator: 'eq',
									Value,
								})),
							},
						],
					},
				])} }}`,
			},
			({ targetUserCount, industryName }) => targetUserCount > 15 && ['Retail', 'Finance'].includes(industryName),
		],
	])('get many: filter by %s', async (_name, filters, matches) => {
		const expected = fixture.standIn.world.companies.filter(matches);
		expect(expected.length).toBeGreaterThan(0);
		expect(listCompanyIds(sortById(await getAllCompanies({ filters })))).toEqual(listCompanyIds(sortById(expected)));
	});

	test('get many: the condition and the groups are sent unchanged', async () => {
		const FilterGroups = [
			{ Condition: 'AND', FilterItems: [{ FieldName: 'Tags', Operator: 'contains', Value: 'vip' }] },
		];
		await getAllCompanies({
			filters: { condition: 'OR', searchText: 'x', filterGroups: JSON.stringify(FilterGroups) },
		});
		expect(fixture.standIn.getRequests(SEARCH_COMPANIES)[0]?.body).toMatchObject({
			filter: { Condition: 'OR', SearchInputTextValue: 'x', FilterGroups },
		});
	});

	test.each<[IDataObject, IDataObject]>([
		[{ by: 'Name' }, { orderBy: 'Name', ascending: true }],
		[
			{ by: 'RenewalDate', direction: 'descending' },
			{ orderBy: 'RenewalDate', ascending: false },
		],
		[{ direction: 'ascending' }, { orderBy: 'CreateTime', ascending: true }],
		[
			{ by: 'other', fieldName: ' targetUserCount ', direction: 'descending' },
			{ orderBy: 'targetUserCount', ascending: false },
		],
	])('get many: sort %j', async (sort, body) => {
		const companies = await getAllCompanies({ sort: { fields: sort }, splitChildren: false });
		expect(fixture.standIn.getRequests(SEARCH_COMPANIES)[0]?.body).toMatchObject(body);
		const key =
			{ Name: 'companyName', RenewalDate: 'licenseEndDate', CreateTime: 'createTime' }[parseText(body.orderBy)] ??
			parseText(body.orderBy);
		const values = companies.map((company) => company[key]).filter((value) => value !== null);
		const collator = new Intl.Collator('en', { sensitivity: 'variant' });
		const compare = (a: unknown, b: unknown) =>
			typeof a === 'number' && typeof b === 'number'
				? a - b
				: collator.compare(String(a).toLowerCase(), String(b).toLowerCase());
		expect(values).toEqual([...values].sort((a, b) => (body.ascending === true ? 1 : -1) * compare(a, b)));
	});
});
