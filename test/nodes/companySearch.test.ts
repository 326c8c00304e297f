/** Company: Get Many, as it is shown, filtered, sorted and limited. */
import type { IDataObject } from 'n8n-workflow';
import type { Company } from '../stand-in/seed';
import { startFakeServer, getJson, parsePageNumber, sendJson, parseText } from '../n8n-core/nodeFixture';
import { createCompanyFixture, flattenCompanies, listCompanyIds, nestCompanies, sortNewestFirst, SIMPLIFIED_FIELDS, sortById } from './companies';

const SEARCH = 'POST /api/companies/search';

describe('company', () => {
	const { fixture, run, all } = createCompanyFixture();

	test('get many: everything, newest first, children behind their parents with the ID of these', async () => {
		expect(await all()).toEqual(flattenCompanies(sortNewestFirst(fixture.standIn.world.companyTree)));
		const pages = Math.ceil(fixture.standIn.world.companyTree.length / 100);
		const numbers = fixture.standIn.getRequests(SEARCH).map(parsePageNumber);
		expect(numbers).toHaveLength(pages);
		expect(new Set(numbers).size).toBe(pages);
		expect(fixture.standIn.getRequests(SEARCH)[0]?.body).toEqual({
			pageNumber: 1,
			pageSize: 100,
			orderBy: 'CreateTime',
			ascending: false,
			filter: { Condition: 'AND', SearchInputTextValue: '', FilterGroups: [] },
		});
		expect(fixture.requests.every(({ headers }) => headers['content-type'] === 'application/json')).toBe(true);
	});

	test('get many: children left inside their parents', async () => {
		expect(await all({ splitChildren: false })).toEqual(nestCompanies(sortNewestFirst(fixture.standIn.world.companyTree)));
	});

	test('get many: simplified unless asked otherwise, and 50 unless told', async () => {
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

	test('get many: expired licences, the longest expired first', async () => {
		const shown = await all({ show: 'expired' });
		const now = new Date().toISOString().slice(0, 10);
		const expected = flattenCompanies(fixture.standIn.world.companyTree).filter(
			(company) => company.licenceExpired === true || parseText(company.licenseEndDate) < now,
		);
		expect(expected.length).toBeGreaterThan(10);
		expect(sortById(shown)).toEqual(sortById(expected));
		const ends = shown
			.filter((company) => !('parentCompanyResourceId' in company))
			.map(({ licenseEndDate }) => parseText(licenseEndDate));
		expect(ends).toEqual([...ends].sort());
	});

	test('get many: over the licence limit', async () => {
		const shown = await all({ show: 'overLimit' });
		const expected = fixture.standIn.world.companies.filter(
			({ isNumberOfUsersLimited, targetUserCount, numberOfUsers }) =>
				isNumberOfUsersLimited && targetUserCount > Number(numberOfUsers),
		);
		expect(expected.length).toBeGreaterThan(3);
		expect(sortById(shown).map(({ companyResourceId }) => companyResourceId)).toEqual(listCompanyIds(sortById(expected)));
		expect(fixture.standIn.getRequests(SEARCH)[0]?.body).toMatchObject({ isTargetUserCountExceededLimit: true });
	});

	test('get many: recently created', async () => {
		const recent = (days: number) => {
			const since = new Date(Date.now() - days * 86_400_000).toISOString();
			return listCompanyIds(sortById(flattenCompanies(fixture.standIn.world.companyTree).filter(({ createTime }) => parseText(createTime) > since)));
		};
		expect(recent(30)).not.toEqual(recent(2));
		expect(listCompanyIds(sortById(await all({ show: 'recent' })))).toEqual(recent(30));
		expect(listCompanyIds(sortById(await all({ show: 'recent', createdWithinDays: 2 })))).toEqual(recent(2));
	});

	test('get many: recently created, the newest first (contract 4.3)', async () => {
		const shown = await all({ show: 'recent' });
		expect(fixture.standIn.getRequests(SEARCH)[0]?.body).toMatchObject({ orderBy: 'CreateTime', ascending: false });
		const times = shown.map(({ createTime }) => parseText(createTime));
		expect(new Set(times).size).toBeGreaterThan(2);
		expect(times).toEqual([...times].sort().reverse());
	});

	test('get many: what a deployment tells of a licence suffices, of parents and children alike', async () => {
		const past = '2020-01-01T00:00:00Z';
		const future = '2100-01-01T00:00:00Z';
		const company = (companyResourceId: string, more: IDataObject) => ({ companyResourceId, children: [], ...more });
		const results = [
			company('flag', { licenceExpired: true, licenseEndDate: future }),
			company('date', { licenseEndDate: past }),
			company('neither', {}),
			company('valid', {
				licenceExpired: false,
				licenseEndDate: future,
				children: [
					company('child', {
						licenceExpired: true,
						isNumberOfUsersLimited: true,
						numberOfUsers: '5',
						targetUserCount: 6,
					}),
					company('unlimited child', { isNumberOfUsersLimited: false, numberOfUsers: '5', targetUserCount: 6 }),
					company('child with room', { isNumberOfUsersLimited: true, numberOfUsers: '10', targetUserCount: 9 }),
				],
			}),
		];
		const odd = await startFakeServer((_request, response) =>
			sendJson(response, 200, { data: { results, totalNumberOfPages: 1 } }),
		);
		const shown = async (show: string) => listCompanyIds(getJson((await run('getMany', { show }, { credentialStore: odd.credentialStore })).items));
		expect(await shown('expired')).toEqual(['date', 'flag', 'child']);
		// Those of the list itself were chosen by the service.
		expect(await shown('overLimit')).toEqual(['flag', 'date', 'neither', 'valid', 'child']);
	});

	test.each([
		['recent', { by: 'Name', direction: 'descending' }],
		['expired', { by: 'CreateTime', direction: 'ascending' }],
	])('get many: sorted as asked also for %s', async (show, sort) => {
		await all({ show, sort: { fields: sort } });
		expect(fixture.standIn.getRequests(SEARCH)[0]?.body).toMatchObject({
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
		expect(listCompanyIds(sortById(await all({ filters })))).toEqual(listCompanyIds(sortById(expected)));
	});

	test('get many: the condition and groups reach the service as they are', async () => {
		const FilterGroups = [
			{ Condition: 'AND', FilterItems: [{ FieldName: 'Tags', Operator: 'contains', Value: 'vip' }] },
		];
		await all({ filters: { condition: 'OR', searchText: 'x', filterGroups: JSON.stringify(FilterGroups) } });
		expect(fixture.standIn.getRequests(SEARCH)[0]?.body).toMatchObject({
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
		const shown = await all({ sort: { fields: sort }, splitChildren: false });
		expect(fixture.standIn.getRequests(SEARCH)[0]?.body).toMatchObject(body);
		const key =
			{ Name: 'companyName', RenewalDate: 'licenseEndDate', CreateTime: 'createTime' }[parseText(body.orderBy)] ??
			parseText(body.orderBy);
		const values = shown.map((company) => company[key]).filter((value) => value !== null);
		const collator = new Intl.Collator('en', { sensitivity: 'variant' });
		const compare = (one: unknown, other: unknown) =>
			typeof one === 'number' && typeof other === 'number'
				? one - other
				: collator.compare(String(one).toLowerCase(), String(other).toLowerCase());
		expect(values).toEqual([...values].sort((one, other) => (body.ascending === true ? 1 : -1) * compare(one, other)));
	});
});
