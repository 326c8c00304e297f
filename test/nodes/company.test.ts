/** Tests the operations of Company, except for Get Many, which companySearch.test.ts tests. */
import { createHash } from 'node:crypto';
import readXlsxFile from 'read-excel-file/node';
import { readBinary, storeBinary } from '../n8n-core';
import { catchNodeError, toItems, getJson, parseText, requireValue } from '../n8n-core/nodeFixture';
import { createCompanyFixture, flattenCompanies, listCompanyIds, sortById } from './companyFixture';

const EXPORT_COMPANIES = 'POST /api/companies/search/export';
const CREATE_COMPANY = 'POST /api/companies';

describe('company', () => {
	const { fixture, run } = createCompanyFixture();

	test('export: by default, a CSV file of all pages', async () => {
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
		const [request] = fixture.standIn.getRequests(EXPORT_COMPANIES);
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

	test('export: an Excel file of all pages has one row for every company', async () => {
		const { items } = await run('export', { format: 'excel', binaryPropertyName: 'sheet' });
		const [header, ...rows] = await readSheetRows(items[0], 'sheet');
		expect(rows).toHaveLength(fixture.standIn.world.companies.length);
		const idColumnIndex = requireValue(header).indexOf('companyResourceId');
		expect(rows.map((row) => row[idColumnIndex]).sort()).toEqual(
			listCompanyIds(sortById(flattenCompanies(fixture.standIn.world.companyTree))),
		);
		expect(items[0]?.binary?.sheet).toMatchObject({
			fileExtension: 'xlsx',
			mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
		});
	});

	test('export: one page, with the sort order, the filters and the additional fields', async () => {
		const { items } = await run('export', {
			format: 'excel',
			allPages: false,
			pageNumber: 2,
			pageSize: 7,
			sort: { fields: { by: 'Name' } },
			filters: { searchText: 'a', isTargetUserCountExceededLimit: false },
			options: { isClustered: true },
		});
		const [, ...rows] = await readSheetRows(items[0]);
		expect(rows).toHaveLength(7);
		expect(fixture.standIn.getRequests(EXPORT_COMPANIES)[0]?.body).toMatchObject({
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

	test('get: simplified and with all fields', async () => {
		const company = requireValue(fixture.standIn.world.companies[3]);
		const companyLocator = { mode: 'list', value: company.companyResourceId };
		const simplified = getJson((await run('get', { company: companyLocator })).items);
		expect(Object.keys(requireValue(simplified[0]))).toEqual([
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
		const { children: _children, ...fields } = company;
		const [record] = getJson((await run('get', { company: companyLocator, output: 'raw' })).items);
		expect(record).toMatchObject({
			...fields,
			numberOfUsers: Number(fields.numberOfUsers),
			timeZoneId: 'Europe/Berlin',
		});
		expect(fixture.requests.map(({ path }) => path)).toEqual(
			Array(2).fill(`/api/companies/${company.companyResourceId}`),
		);
	});

	test('get: an ID from an expression causes one request for each item; the error names an unknown ID', async () => {
		const ids = fixture.standIn.world.companies.slice(0, 3).map(({ companyResourceId }) => companyResourceId);
		const items = toItems(...ids.map((id) => ({ id })));
		const company = { mode: 'id', value: '={{ $json.id }}' };
		expect(listCompanyIds(getJson((await run('get', { company }, { items })).items))).toEqual(ids);
		const error = await catchNodeError(run('get', { company: { mode: 'id', value: 'no-such-company' } }));
		expect(error).toMatchObject({
			httpCode: '404',
			message: "Could not get company: the platform has no record with the ID 'no-such-company' (404)",
		});
		expect(fixture.requests.at(-1)?.path).toBe('/api/companies/no-such-company');
	});

	test('get own: a Company Admin gets its own company', async () => {
		const ownCompanies = fixture.standIn.world.companies.filter(
			({ companyResourceId }) => companyResourceId === fixture.standIn.clients.companyAdmin.companyResourceId,
		);
		const { items } = await run('getOwn', { output: 'raw' }, { clientName: 'companyAdmin' });
		expect(getJson(items)).toMatchObject(
			ownCompanies.map(({ companyResourceId, companyName }) => ({ companyResourceId, companyName })),
		);
	});

	const getRequiredFields = () => {
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

	test('create: only with the required fields', async () => {
		const { items } = await run('create', getRequiredFields());
		const company = requireValue(
			fixture.standIn.world.companies.find(({ companyName }) => companyName === getRequiredFields().name),
		);
		const { companyResourceId, companyName } = company;
		expect(getJson(items)).toEqual([
			{ companyName, companyResourceId, name: companyName, resourceId: companyResourceId },
		]);
		expect(company).toMatchObject({
			numberOfUsers: '25',
			industryResourceId: getRequiredFields().industry.value,
			licenseTypeResourceId: getRequiredFields().licenseType.value,
		});
		const [request] = fixture.standIn.getRequests(CREATE_COMPANY);
		expect(request?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
		expect(request?.body).toEqual({
			fields: {
				Name: getRequiredFields().name,
				IndustryResourceId: getRequiredFields().industry.value,
				CountryResourceId: 'country-1',
				LicenseTypeResourceId: getRequiredFields().licenseType.value,
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
		'create: with every additional field and a logo that n8n keeps in %s',
		async (binaryMode) => {
			const logo = Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * 31) % 256));
			const file = { fileName: 'Logo – neu.png', mimeType: 'image/png' };
			const groups = fixture.standIn.world.companyGroups.slice(0, 2).map(({ resourceId }) => resourceId);
			const { items } = await run(
				'create',
				{
					...getRequiredFields(),
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
						additionalFieldsJson: '{ "NewField": "new", "Several": ["a", "b"] }',
					},
				},
				{ binaryMode, items: [{ json: {}, binary: { picture: await storeBinary(logo, file, binaryMode) } }] },
			);
			const id = parseText(items[0]?.json.resourceId);
			const sha256 = createHash('sha256').update(logo).digest('hex');
			expect(fixture.standIn.world.logos[id]).toEqual({ ...file, bytes: logo.length, sha256 });
			expect(fixture.standIn.getRequests(CREATE_COMPANY)[0]?.body).toMatchObject({
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
					TimeFormat: 'HH:mm',
				},
			});
			expect(
				fixture.standIn.world.companyGroups
					.slice(0, 2)
					.every(({ companyResourceIdArray }) => companyResourceIdArray.includes(id)),
			).toBe(true);
		},
	);

	test("create: the error shows the platform's own messages", async () => {
		const error = await catchNodeError(
			run('create', {
				...getRequiredFields(),
				additionalFields: { companyGroups: ['ffffffff-0000-4000-8000-ffffffffffff'] },
			}),
		);
		expect(error.message).toBe('Could not create company: the platform did not accept the input (400)');
		expect(error.description).toContain(
			'The CompanyGroupResourceIdArray has an unknown company group: ffffffff-0000-4000-8000-ffffffffffff.',
		);
	});

	test('get total monthly active users: counts every company once, including children', async () => {
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

	/** Reads the rows of an Excel file. */
	async function readSheetRows(item: Parameters<typeof readBinary>[0], field?: string) {
		const [sheet] = await readXlsxFile(await readBinary(item, field));
		return requireValue(sheet).data;
	}
});
