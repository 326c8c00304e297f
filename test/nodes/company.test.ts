/** The operations of Company but for Get Many, which is in companySearch. */
import { createHash } from 'node:crypto';
import readXlsxFile from 'read-excel-file/node';
import { readBinary, storeBinary } from '../n8n-core';
import { catchNodeError, toItems, getJson, parseText, requireValue } from '../n8n-core/nodeFixture';
import { createCompanyFixture, flattenCompanies, listCompanyIds, sortById } from './companies';

const EXPORT = 'POST /api/companies/search/export';
const CREATE = 'POST /api/companies';

describe('company', () => {
	const { fixture, run } = createCompanyFixture();

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
		const [request] = fixture.standIn.getRequests(EXPORT);
		expect(createHash('sha256').update(content).digest('hex')).toBe(request?.sha256);
		expect(content.toString().trim().split('\r\n')).toHaveLength(fixture.standIn.world.companies.length + 1);
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
		expect(rows).toHaveLength(fixture.standIn.world.companies.length);
		const column = requireValue(header).indexOf('companyResourceId');
		expect(rows.map((row) => row[column]).sort()).toEqual(listCompanyIds(sortById(flattenCompanies(fixture.standIn.world.companyTree))));
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
			sort: { fields: { by: 'Name' } },
			filters: { searchText: 'a', isTargetUserCountExceededLimit: false },
			options: { isClustered: true },
		});
		const [, ...rows] = await sheetOf(items[0]);
		expect(rows).toHaveLength(7);
		expect(fixture.standIn.getRequests(EXPORT)[0]?.body).toMatchObject({
			pageNumber: 2,
			pageSize: 7,
			orderBy: 'Name',
			ascending: true,
			reportAllPages: false,
			exportType: 'Excel',
			isClustered: true,
			isTargetUserCountExceededLimit: false,
			filter: { SearchInputTextValue: 'a' },
		});
	});

	test('get: simplified and whole', async () => {
		const company = requireValue(fixture.standIn.world.companies[3]);
		const picked = { mode: 'list', value: company.companyResourceId };
		const simple = getJson((await run('get', { company: picked })).items);
		expect(Object.keys(requireValue(simple[0]))).toEqual([
			'companyName',
			'licenseTypeName',
			'licenseEndDate',
			'numberOfUsers',
			'isNumberOfUsersLimited',
			'targetUserCount',
			'industryName',
			'tags',
			'timeZoneId',
			'companyResourceId',
		]);
		const { children: _children, ...own } = company;
		const [whole] = getJson((await run('get', { company: picked, output: 'raw' })).items);
		expect(whole).toMatchObject({ ...own, numberOfUsers: Number(own.numberOfUsers), timeZoneId: 'Europe/Berlin' });
		expect(fixture.requests.map(({ path }) => path)).toEqual(Array(2).fill(`/api/companies/${company.companyResourceId}`));
	});

	test('get: an ID from an expression, one request an item; an unknown one is named', async () => {
		const ids = fixture.standIn.world.companies.slice(0, 3).map(({ companyResourceId }) => companyResourceId);
		const items = toItems(...ids.map((id) => ({ id })));
		const company = { mode: 'id', value: '={{ $json.id }}' };
		expect(listCompanyIds(getJson((await run('get', { company }, { items })).items))).toEqual(ids);
		const error = await catchNodeError(run('get', { company: { mode: 'id', value: 'no-such-company' } }));
		expect(error).toMatchObject({
			httpCode: '404',
			message: "Could not get company: nothing was found with the ID 'no-such-company' (404)",
		});
		expect(fixture.requests.at(-1)?.path).toBe('/api/companies/no-such-company');
	});

	test('get own: as a Company Admin', async () => {
		const own = fixture.standIn.world.companies.filter(
			({ companyResourceId }) => companyResourceId === fixture.standIn.clients.companyAdmin.companyResourceId,
		);
		const { items } = await run('getOwn', { output: 'raw' }, { clientName: 'companyAdmin' });
		expect(getJson(items)).toMatchObject(
			own.map(({ companyResourceId, companyName }) => ({ companyResourceId, companyName })),
		);
	});

	const required = () => {
		const { industryResourceId, licenseTypeResourceId } = requireValue(fixture.standIn.world.companies[0]);
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
		const made = requireValue(fixture.standIn.world.companies.find(({ companyName }) => companyName === required().name));
		const { companyResourceId, companyName } = made;
		expect(getJson(items)).toEqual([
			{ companyName, companyResourceId, name: companyName, resourceId: companyResourceId },
		]);
		expect(made).toMatchObject({
			numberOfUsers: '25',
			industryResourceId: required().industry.value,
			licenseTypeResourceId: required().licenseType.value,
		});
		const [request] = fixture.standIn.getRequests(CREATE);
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
			const groups = fixture.standIn.world.companyGroups.slice(0, 2).map(({ resourceId }) => resourceId);
			const { items } = await run(
				'create',
				{
					...required(),
					additionalFields: {
						logo: 'picture',
						address: '1 Road',
						description: 'd',
						websiteUrl: 'https://x.example',
						companyGroups: groups,
						isNumberOfUsersLimited: true,
						licenseModules: '={{ ["m1", "m2"] }}',
						licenseStartDate: '2026-01-01T00:00:00',
						licenseEndDate: '2031-01-01T00:00:00Z',
						notificationTemplateType: 'n',
						preferredLanguage: 'p',
						smtpConfiguration: 's',
						trainingContentType: 't',
						status: 1,
						tags: 'gold, pilot',
						additionalFieldsJson: '{ "NewField": "new", "Several": ["a", "b"], "TimeFormat": "hh:mm a" }',
					},
				},
				{ binaryMode, items: [{ json: {}, binary: { picture: await storeBinary(logo, file, binaryMode) } }] },
			);
			const id = parseText(items[0]?.json.resourceId);
			const sha256 = createHash('sha256').update(logo).digest('hex');
			expect(fixture.standIn.world.logos[id]).toEqual({ ...file, bytes: logo.length, sha256 });
			expect(fixture.standIn.getRequests(CREATE)[0]?.body).toMatchObject({
				files: [{ field: 'File', ...file, sha256 }],
				fields: {
					Address: '1 Road',
					Description: 'd',
					WebsiteUrl: 'https://x.example',
					CompanyGroupResourceIdArray: groups,
					IsNumberOfUsersLimited: 'true',
					LicenseModuleResourceIdArray: ['m1', 'm2'],
					StatusId: '1',
					Tags: ['gold', 'pilot'],
					LicenseStartDate: expect.stringMatching(/^20(25-12-31|26-01-01)T.*Z$/),
					LicenseEndDate: '2031-01-01T00:00:00.000Z',
					NotificationTemplateTypeResourceId: 'n',
					PreferredLanguageTypeResourceId: 'p',
					SmtpConfigurationTypeResourceId: 's',
					TrainingContentTypeResourceId: 't',
					NewField: 'new',
					Several: ['a', 'b'],
					TimeFormat: 'hh:mm a',
				},
			});
			expect(
				fixture.standIn.world.companyGroups.slice(0, 2).every(({ companyResourceIdArray }) => companyResourceIdArray.includes(id)),
			).toBe(true);
		},
	);

	test("create: the service's own objections are shown", async () => {
		const error = await catchNodeError(
			run('create', { ...required(), additionalFields: { companyGroups: ['ffffffff-0000-4000-8000-ffffffffffff'] } }),
		);
		expect(error.message).toBe('Could not create company: the service did not accept the input (400)');
		expect(error.description).toContain(
			'The CompanyGroupResourceIdArray has an unknown company group: ffffffff-0000-4000-8000-ffffffffffff.',
		);
	});

	test('get total monthly active users: every company once, children included', async () => {
		const { items } = await run('getTotalActiveUsers');
		const { companies } = fixture.standIn.world;
		expect(getJson(items)).toEqual([
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
		return requireValue(sheet).data;
	}
});
