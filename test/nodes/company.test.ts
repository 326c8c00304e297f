import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import readXlsxFile from 'read-excel-file/node';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { readBinary, storeBinary } from '../n8n-core';
import type { Company } from '../stand-in/seed';
import {
	answering,
	nodeFixture,
	failureOf,
	itemsOf,
	jsonOf,
	pageOf,
	sendJson,
	textOf,
	the,
	type RunMore,
} from '../n8n-core/nodeFixture';

const SEARCH = 'POST /api/companies/search';
const EXPORT = 'POST /api/companies/search/export';
const CREATE = 'POST /api/companies';

/** Companies as the node gives them: parents, then what is below them, each with its parent's ID. */
const flat = (companies: readonly Company[], parent?: string): IDataObject[] =>
	companies.flatMap(({ children, ...own }) => [
		{ ...own, ...(parent === undefined ? {} : { parentCompanyResourceId: parent }) },
		...flat(children, own.companyResourceId),
	]);

const by =
	<T>(key: (entry: T) => string, sign: 1 | -1 = 1) =>
	(one: T, other: T) =>
		sign * key(one).localeCompare(key(other));
const newestFirst = (companies: readonly Company[]) => [...companies].sort(by(({ createTime }) => createTime, -1));
const idsOf = (records: readonly IDataObject[]) => records.map(({ companyResourceId }) => companyResourceId);
const sorted = (records: readonly IDataObject[]) =>
	[...records].sort(by(({ companyResourceId }) => textOf(companyResourceId)));

const SIMPLE = [
	'companyName',
	'licenseTypeName',
	'licenseEndDate',
	'licenceExpired',
	'numberOfUsers',
	'targetUserCount',
	'monthlyActiveUserCount',
	'createTime',
	'companyResourceId',
	'parentCompanyResourceId',
];

describe.each([
	{ personality: 'contract', named: 'the contract' },
	{ personality: 'renamed', named: 'the other personality' },
] as const)('company, names as in $named', ({ personality }) => {
	const b = nodeFixture({ personality, companies: personality === 'renamed' ? 120 : 500 });
	const run = async (operation: string, parameters: IDataObject = {}, more?: RunMore) =>
		await b.run(SecurityAwarenessCompany, { operation, ...parameters }, more);
	const all = async (parameters: IDataObject = {}) =>
		jsonOf((await run('getMany', { returnAll: true, simplify: false, ...parameters })).items);

	test('get many: everything, newest first, children behind their parents with the ID of these', async () => {
		expect(await all()).toEqual(flat(newestFirst(b.service.state.tree)));
		const pages = Math.ceil(b.service.state.tree.length / 100);
		const numbers = b.service.requests(SEARCH).map(pageOf);
		expect(numbers).toHaveLength(pages);
		expect(new Set(numbers).size).toBe(pages);
		expect(b.service.requests(SEARCH)[0]?.body).toEqual({
			pageNumber: 1,
			pageSize: 100,
			orderBy: 'CreateTime',
			ascending: false,
			filter: { Condition: 'AND', SearchInputTextValue: '', FilterGroups: [] },
		});
		expect(b.asked.every(({ headers }) => headers['content-type'] === 'application/json')).toBe(true);
	});

	test('get many: children left inside their parents', async () => {
		expect(await all({ splitChildren: false })).toEqual(newestFirst(b.service.state.tree));
	});

	test('get many: simplified unless asked otherwise, and 50 unless told', async () => {
		const { items } = await run('getMany');
		expect(jsonOf(items)).toEqual(
			flat(newestFirst(b.service.state.tree))
				.slice(0, 50)
				.map((company) =>
					Object.fromEntries(SIMPLE.filter((name) => name in company).map((name) => [name, company[name]])),
				),
		);
	});

	test.each([1, 7, 100, 101, 499, 10_000])('get many: limit %d', async (limit) => {
		const { items } = await run('getMany', { limit });
		const expected = flat(newestFirst(b.service.state.tree)).slice(0, limit);
		expect(idsOf(jsonOf(items))).toEqual(idsOf(expected));
	});

	test('get many: expired licences, the longest expired first', async () => {
		const shown = await all({ show: 'expired' });
		const now = new Date().toISOString();
		const expected = flat(b.service.state.tree).filter(
			(company) => company.licenceExpired === true || textOf(company.licenseEndDate) < now,
		);
		expect(expected.length).toBeGreaterThan(10);
		expect(sorted(shown)).toEqual(sorted(expected));
		const ends = shown
			.filter((company) => !('parentCompanyResourceId' in company))
			.map(({ licenseEndDate }) => textOf(licenseEndDate));
		expect(ends).toEqual([...ends].sort());
	});

	test('get many: over the licence limit', async () => {
		const shown = await all({ show: 'overLimit' });
		const expected = b.service.state.companies.filter(
			({ isNumberOfUsersLimited, targetUserCount, numberOfUsers }) =>
				isNumberOfUsersLimited && targetUserCount > Number(numberOfUsers),
		);
		expect(expected.length).toBeGreaterThan(3);
		expect(sorted(shown).map(({ companyResourceId }) => companyResourceId)).toEqual(idsOf(sorted(expected)));
		expect(b.service.requests(SEARCH)[0]?.body).toMatchObject({ isTargetUserCountExceededLimit: true });
	});

	test('get many: recently created', async () => {
		const recent = (days: number) => {
			const since = new Date(Date.now() - days * 86_400_000).toISOString();
			return idsOf(sorted(flat(b.service.state.tree).filter(({ createTime }) => textOf(createTime) > since)));
		};
		expect(recent(30)).not.toEqual(recent(2));
		expect(idsOf(sorted(await all({ show: 'recent' })))).toEqual(recent(30));
		expect(idsOf(sorted(await all({ show: 'recent', createdWithinDays: 2 })))).toEqual(recent(2));
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
				...{ licenceExpired: false, licenseEndDate: future },
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
		const odd = await answering((_request, response) =>
			sendJson(response, 200, { data: { results, totalNumberOfPages: 1 } }),
		);
		const shown = async (show: string) => idsOf(jsonOf((await run('getMany', { show }, { store: odd.store })).items));
		expect(await shown('expired')).toEqual(['flag', 'date', 'child']);
		// Those of the list itself were chosen by the service.
		expect(await shown('overLimit')).toEqual(['flag', 'date', 'neither', 'valid', 'child']);
	});

	test.each([
		['recent', { by: 'Name', direction: 'descending' }],
		['expired', { by: 'CreateTime', direction: 'ascending' }],
	])('get many: sorted as asked also for %s', async (show, sort) => {
		await all({ show, sort });
		expect(b.service.requests(SEARCH)[0]?.body).toMatchObject({
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
					{ Condition: 'AND', FilterItems: [{ FieldName: 'LicenseTypeName', Operator: 'Equals', Value: 'Trial' }] },
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
						FilterItems: [{ FieldName: 'TargetUserCount', Operator: 'GreaterThan', Value: '15' }],
						FilterGroups: [
							{
								Condition: 'OR',
								FilterItems: ['Retail', 'Finance'].map((Value) => ({
									FieldName: 'IndustryName',
									Operator: 'Equals',
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
		const expected = b.service.state.companies.filter(matches);
		expect(expected.length).toBeGreaterThan(0);
		expect(idsOf(sorted(await all({ filters })))).toEqual(idsOf(sorted(expected)));
	});

	test('get many: the condition and groups reach the service as they are', async () => {
		const FilterGroups = [
			{ Condition: 'AND', FilterItems: [{ FieldName: 'Tags', Operator: 'Contains', Value: 'vip' }] },
		];
		await all({ filters: { condition: 'OR', searchText: 'x', filterGroups: JSON.stringify(FilterGroups) } });
		expect(b.service.requests(SEARCH)[0]?.body).toMatchObject({
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
			{ by: 'Name', fieldName: ' targetUserCount ', direction: 'descending' },
			{ orderBy: 'targetUserCount', ascending: false },
		],
	])('get many: sort %j', async (sort, body) => {
		const shown = await all({ sort, splitChildren: false });
		expect(b.service.requests(SEARCH)[0]?.body).toMatchObject(body);
		const key =
			{ Name: 'companyName', RenewalDate: 'licenseEndDate', CreateTime: 'createTime' }[textOf(body.orderBy)] ??
			textOf(body.orderBy);
		const values = shown.map((company) => company[key]).filter((value) => value !== null);
		const collator = new Intl.Collator('en', { sensitivity: 'variant' });
		const compare = (one: unknown, other: unknown) =>
			typeof one === 'number' && typeof other === 'number'
				? one - other
				: collator.compare(String(one).toLowerCase(), String(other).toLowerCase());
		expect(values).toEqual([...values].sort((one, other) => (body.ascending === true ? 1 : -1) * compare(one, other)));
	});

	test('export: CSV of all pages, unless told otherwise', async () => {
		const { items } = await run('export');
		const content = await readBinary(items[0]);
		expect(items).toMatchObject([
			{
				json: { fileName: 'Companies – Überblick.csv', mimeType: 'text/csv', bytes: content.length },
				pairedItem: { item: 0 },
			},
		]);
		expect(items[0]?.binary?.data).toMatchObject({
			fileName: 'Companies – Überblick.csv',
			mimeType: 'text/csv',
			fileExtension: 'csv',
		});
		const [request] = b.service.requests(EXPORT);
		expect(createHash('sha256').update(content).digest('hex')).toBe(request?.sha256);
		expect(content.toString().trim().split('\r\n')).toHaveLength(b.service.state.companies.length + 1);
		expect(request?.body).toEqual({
			pageNumber: 1,
			pageSize: 100,
			orderBy: 'CreateTime',
			ascending: false,
			filter: { Condition: 'AND', SearchInputTextValue: '', FilterGroups: [] },
			reportAllPages: true,
			exportType: 'CSV',
		});
	});

	test('export: Excel of all pages has one row for every company', async () => {
		const { items } = await run('export', { format: 'excel', binaryPropertyName: 'sheet' });
		const [header, ...rows] = await sheetOf(items[0], 'sheet');
		expect(rows).toHaveLength(b.service.state.companies.length);
		const column = the(header).indexOf('companyResourceId');
		expect(rows.map((row) => row[column]).sort()).toEqual(idsOf(sorted(flat(b.service.state.tree))));
		expect(items[0]?.binary?.sheet).toMatchObject({
			fileExtension: 'xlsx',
			mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
		});
	});

	test('export: one page, with the sort, the filters and the additional fields', async () => {
		const { items } = await run('export', {
			format: 'excel',
			allPages: false,
			pageNumber: 2,
			pageSize: 7,
			sort: { by: 'Name' },
			filters: { searchText: 'a' },
			additionalFields: { isClustered: true, isTargetUserCountExceededLimit: false },
		});
		const [, ...rows] = await sheetOf(items[0]);
		expect(rows).toHaveLength(7);
		expect(b.service.requests(EXPORT)[0]?.body).toMatchObject({
			...{ pageNumber: 2, pageSize: 7, orderBy: 'Name', ascending: true, reportAllPages: false, exportType: 'Excel' },
			...{ isClustered: true, isTargetUserCountExceededLimit: false, filter: { SearchInputTextValue: 'a' } },
		});
	});

	test('get: simplified and whole', async () => {
		const company = the(b.service.state.companies[3]);
		const picked = { mode: 'list', value: company.companyResourceId };
		const simple = jsonOf((await run('get', { company: picked })).items);
		expect(Object.keys(the(simple[0]))).toEqual(SIMPLE.filter((name) => name !== 'parentCompanyResourceId'));
		const { children: _children, ...own } = company;
		const [whole] = jsonOf((await run('get', { company: picked, simplify: false })).items);
		expect(whole).toMatchObject({ ...own, timeZoneId: 'Europe/Berlin' });
		expect(b.asked.map(({ path }) => path)).toEqual(Array(2).fill(`/api/companies/${company.companyResourceId}`));
	});

	test('get: an ID from an expression, one request an item; an unknown one is named', async () => {
		const ids = b.service.state.companies.slice(0, 3).map(({ companyResourceId }) => companyResourceId);
		const items = itemsOf(...ids.map((id) => ({ id })));
		const company = { mode: 'id', value: '={{ $json.id }}' };
		expect(idsOf(jsonOf((await run('get', { company }, { items })).items))).toEqual(ids);
		const error = await failureOf(run('get', { company: { mode: 'id', value: 'no such company' } }));
		expect(error).toMatchObject({
			httpCode: '404',
			message: "Could not get company: nothing was found with the ID 'no such company' (404)",
		});
		expect(b.asked.at(-1)?.path).toBe('/api/companies/no%20such%20company');
	});

	test('get own: as a Company Admin', async () => {
		const own = b.service.state.companies.filter(
			({ companyResourceId }) => companyResourceId === b.service.clients.companyAdmin.companyResourceId,
		);
		const { items } = await run('getOwn', { simplify: false }, { as: 'companyAdmin' });
		const expected =
			personality === 'renamed'
				? flat(own)
				: own.map(({ companyResourceId, companyName }) => ({ companyResourceId, companyName }));
		expect(jsonOf(items)).toMatchObject(expected);
		expect(items).toHaveLength(expected.length);
	});

	test('get own: as a Reseller, also where the answer is the whole tree', async () => {
		const { items } = await run('getOwn', {}, { as: 'reseller' });
		const { state } = b.service;
		const below = personality === 'renamed' ? flat(state.tree, state.reseller.companyResourceId) : [];
		expect(idsOf(jsonOf(items))).toEqual([state.reseller.companyResourceId, ...idsOf(below)]);
	});

	const required = () => {
		const { industryResourceId, licenseTypeResourceId } = the(b.service.state.companies[0]);
		return {
			name: 'Bäckerei "Größe" & Söhne 🥐',
			industry: { mode: 'list', value: industryResourceId, cachedResultName: 'Retail' },
			licenseType: { mode: 'id', value: licenseTypeResourceId },
			licensePeriodType: 'period-1',
			country: 'country-1',
			numberOfUsers: 25,
			timeZone: { mode: 'list', value: 'Europe/Berlin' },
		};
	};

	test('create: only what is required', async () => {
		const { items } = await run('create', required());
		const made = the(b.service.state.companies.find(({ companyName }) => companyName === required().name));
		expect(jsonOf(items)).toEqual([{ resourceId: made.companyResourceId }]);
		expect(made).toMatchObject({
			numberOfUsers: '25',
			industryResourceId: required().industry.value,
			licenseTypeResourceId: required().licenseType.value,
		});
		const [request] = b.service.requests(CREATE);
		expect(request?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
		expect(request?.body).toEqual({
			fields: {
				Name: required().name,
				IndustryResourceId: required().industry.value,
				CountryResourceId: 'country-1',
				LicenseTypeResourceId: required().licenseType.value,
				LicensePeriodTypeResourceId: 'period-1',
				NumberOfUsers: '25',
				TimeZoneId: 'Europe/Berlin',
				DateFormat: 'dd/MM/yyyy',
				TimeFormat: 'HH:mm',
			},
			files: [],
		});
	});

	test.each(['memory', 'filesystem'] as const)(
		'create: with a logo kept in %s and every additional field',
		async (binaryMode) => {
			const logo = Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 31) % 256));
			const file = { fileName: 'Logo – neu.png', mimeType: 'image/png' };
			const groups = b.service.state.groups.slice(0, 2).map(({ resourceId }) => resourceId);
			const { items } = await run(
				'create',
				{
					...required(),
					additionalFields: {
						logo: 'picture',
						address: '1 Road',
						description: 'd',
						websiteUrl: 'https://x.example',
						companyGroupIds: groups.join(', '),
						isNumberOfUsersLimited: true,
						licenseModuleIds: '={{ ["m1", "m2"] }}',
						licenseStartDate: '2026-01-01T00:00:00',
						licenseEndDate: '2031-01-01T00:00:00Z',
						notificationTemplateType: 'n',
						preferredLanguage: 'p',
						smtpConfiguration: 's',
						trainingContentType: 't',
						status: 1,
						tags: 'gold, pilot',
						moreFields: '{ "NewField": "new", "Several": ["a", "b"], "TimeFormat": "hh:mm a" }',
					},
				},
				{ binaryMode, items: [{ json: {}, binary: { picture: await storeBinary(logo, file, binaryMode) } }] },
			);
			const id = textOf(items[0]?.json.resourceId);
			const sha256 = createHash('sha256').update(logo).digest('hex');
			expect(b.service.state.logos[id]).toEqual({ ...file, bytes: logo.length, sha256 });
			expect(b.service.requests(CREATE)[0]?.body).toMatchObject({
				files: [{ field: 'File', ...file, sha256 }],
				fields: {
					...{
						Address: '1 Road',
						Description: 'd',
						WebsiteUrl: 'https://x.example',
						CompanyGroupResourceIdArray: groups,
					},
					...{
						IsNumberOfUsersLimited: 'true',
						LicenseModuleResourceIdArray: ['m1', 'm2'],
						StatusId: '1',
						Tags: ['gold', 'pilot'],
					},
					...{
						LicenseStartDate: expect.stringMatching(/^20(25-12-31|26-01-01)T.*Z$/),
						LicenseEndDate: '2031-01-01T00:00:00.000Z',
					},
					...{
						NotificationTemplateTypeResourceId: 'n',
						PreferredLanguageTypeResourceId: 'p',
						SmtpConfigurationTypeResourceId: 's',
					},
					...{ TrainingContentTypeResourceId: 't', NewField: 'new', Several: ['a', 'b'], TimeFormat: 'hh:mm a' },
				},
			});
			expect(
				b.service.state.groups.slice(0, 2).every(({ companyResourceIdArray }) => companyResourceIdArray.includes(id)),
			).toBe(true);
		},
	);

	test("create: the service's own objections are shown", async () => {
		const error = await failureOf(run('create', { ...required(), additionalFields: { companyGroupIds: 'nowhere' } }));
		expect(error.message).toBe('Could not create company: the service did not accept the input (400)');
		expect(error.description).toContain('The CompanyGroupResourceIdArray has an unknown company group: nowhere.');
	});

	test('get total monthly active users: every company once, children included', async () => {
		const { items } = await run('getTotalActiveUsers');
		const { companies } = b.service.state;
		expect(jsonOf(items)).toEqual([
			{
				totalMonthlyActiveUserCount: companies.reduce(
					(sum, { monthlyActiveUserCount }) => sum + monthlyActiveUserCount,
					0,
				),
				companyCount: companies.length,
				companiesWithoutCount: 0,
			},
		]);
	});

	async function sheetOf(item: Parameters<typeof readBinary>[0], field?: string) {
		const [sheet] = await readXlsxFile(await readBinary(item, field));
		return the(sheet).data;
	}
});
