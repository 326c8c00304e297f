/** What a company is created with: chosen from the platform's own lists, else from existing companies, else typed. */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { ABSENT, deployment, type Given } from '../stand-in/deployment';
import { failureOf } from '../n8n-core/nodeFixture';
import { sample } from '../setup/depth';
import { found, loaded, search, typeIt, useDeployments } from './fallbacks';

useDeployments();

const lookup = (id: number, name: string): IDataObject => ({
	resourceId: `r${id}`,
	genericCodeTypeId: id,
	name,
	code: `c${id}`,
	orderNumber: 1,
});

/** The kinds as one deployment may spell them, each with two values. */
const CODE_TYPES: Array<[method: string, kind: string, spelled: string, plural: string]> = [
	['searchIndustries', 'industry', 'Industries', 'industries'],
	['searchCountries', 'country', 'COUNTRY', 'countries'],
	['searchLicensePeriodTypes', 'license period type', 'LicensePeriodType', 'license period types'],
	['searchLanguages', 'language', 'Preferred_Language_Type', 'languages'],
	[
		'searchNotificationTemplateTypes',
		'notification template type',
		'Notification Template',
		'notification template types',
	],
	['searchTrainingContentTypes', 'training content type', 'training-content', 'training content types'],
	['searchSmtpConfigurationTypes', 'SMTP configuration type', 'Smtp Configuration', 'SMTP configuration types'],
];
const codeTypes: Record<string, Given> = {
	'GET /api/codetypes': {
		data: [
			// Others that sound alike.
			...['Country Calling Code', 'Training Language', 'Smtp', 'Industry Sector Group'].map((name, at) => ({
				id: 900 + at,
				name,
				description: null,
			})),
			...CODE_TYPES.map(([, , name], id) => ({ id, name, description: 'd' })),
		],
	},
	...Object.fromEntries(
		CODE_TYPES.map(([, , name], id) => [
			`GET /api/lookups/${id}`,
			{ data: [lookup(id, `${name} B`), lookup(id + 100, `${name} A`)] },
		]),
	),
};
const COMPANIES: Given = {
	data: {
		results: [
			{
				companyResourceId: '1',
				industryResourceId: 'i2',
				industryName: 'Retail',
				licenseTypeResourceId: 'l1',
				licenseTypeName: 'Gold',
			},
			{
				companyResourceId: '2',
				industryResourceId: 'i1',
				industryName: 'Finance',
				licenseTypeResourceId: 'l1',
				licenseTypeName: 'Gold',
			},
		],
		totalNumberOfPages: 1,
	},
};
const LICENSES: Given = {
	data: {
		licenses: [
			{
				resourceId: 'basic',
				name: 'Basic',
				licenseModules: [{ resourceId: 'm1', name: 'Phishing', isAvailable: true }],
			},
			{ resourceId: 'full', name: 'Full' },
		],
		allLicenseModules: [
			{ resourceId: 'm1', name: 'Phishing', isAvailable: true },
			{ resourceId: 'm2', name: 'Smishing', isAvailable: false },
		],
	},
};

describe('what a company is created with', () => {
	test.each(CODE_TYPES)(
		'%s: the values of the code type that is called so, in their order, with search',
		async (method, _kind, spelled) => {
			const { store, asked } = await deployment(codeTypes);
			const at = CODE_TYPES.findIndex(([each]) => each === method);
			const values = [
				[`${spelled} B`, `r${at}`],
				[`${spelled} A`, `r${at + 100}`],
			];
			expect(await found(SecurityAwarenessCompany, method, store)).toEqual(values);
			expect(await found(SecurityAwarenessCompany, method, store, { filter: ' b' })).toEqual(values.slice(0, 1));
			expect(await found(SecurityAwarenessCompany, method, store, { filter: 'no such thing' })).toEqual([]);
			// The company is only being made: nobody is acted for.
			expect(asked.map(({ company }) => company)).toEqual(asked.map(() => undefined));
		},
	);

	const typed = CODE_TYPES.filter(([method]) => method !== 'searchIndustries');

	test.each(sample(ABSENT, 3))('where a platform %s, it is typed', async (_how, given) => {
		for (const [method, , , plural] of typed) {
			for (const routes of [given ? { 'GET /api/codetypes': given } : {}, { ...codeTypes, ...emptied(given) }]) {
				const { store } = await deployment(routes);
				expect(await found(SecurityAwarenessCompany, method, store)).toEqual([typeIt(plural)]);
			}
		}
	});

	/** The code types are there, but not their values. */
	const emptied = (given: Given | undefined) =>
		Object.fromEntries(CODE_TYPES.map((_type, id) => [`GET /api/lookups/${id}`, given ?? { status: 404 }]));

	test.each(sample(ABSENT, 3, 2))(
		'where a platform %s, industries and license types are those of existing companies',
		async (_how, given) => {
			const { store } = await deployment({
				...(given ? { 'GET /api/codetypes': given, 'GET /api/lookups/licenses': given } : {}),
				'POST /api/companies/search': COMPANIES,
			});
			expect(await found(SecurityAwarenessCompany, 'searchIndustries', store)).toEqual([
				['Finance', 'i1'],
				['Retail', 'i2'],
			]);
			expect(await found(SecurityAwarenessCompany, 'searchLicenseTypes', store, { filter: 'GOLD' })).toEqual([
				['Gold', 'l1'],
			]);
		},
	);

	test('a first company has no other to choose from: then it is said how to go on', async () => {
		const { store } = await deployment({
			'POST /api/companies/search': { data: { results: [], totalNumberOfPages: 0 } },
		});
		expect(await found(SecurityAwarenessCompany, 'searchIndustries', store)).toEqual([
			["This platform does not list its industries, and no company has one yet: choose 'By ID' and enter it", ''],
		]);
		expect(await found(SecurityAwarenessCompany, 'searchLicenseTypes', store)).toEqual([
			["This platform does not list its license types, and no company has one yet: choose 'By ID' and enter it", ''],
		]);
	});

	test('license types and modules, without a company', async () => {
		const { store, asked } = await deployment({ 'GET /api/lookups/licenses': LICENSES });
		expect(await found(SecurityAwarenessCompany, 'searchLicenseTypes', store)).toEqual([
			['Basic', 'basic'],
			['Full', 'full'],
		]);
		expect(await loaded(SecurityAwarenessCompany, 'loadLicenseModules', store)).toEqual([
			['Phishing', 'm1'],
			['Smishing', 'm2'],
		]);
		expect(asked.map(({ route }) => route)).toEqual(Array(2).fill('GET /api/lookups/licenses'));
	});

	test.each(sample(ABSENT, 3, 1))('where a platform %s, license modules are typed', async (_how, given) => {
		const { store } = await deployment(given ? { 'GET /api/lookups/licenses': given } : {});
		expect(await loaded(SecurityAwarenessCompany, 'loadLicenseModules', store)).toEqual([
			["This platform does not list its license modules: enter their IDs in 'License Module IDs'", ''],
		]);
	});

	test.each([
		['searchDateFormats', 'dateFormatList', 'date formats'],
		['searchTimeFormats', 'timeFormatList', 'time formats'],
	])('%s: as the platform has them, else typed', async (method, list, plural) => {
		const there = await deployment({
			'GET /api/timezone/timezones': {
				data: { timeZoneList: [], dateFormatList: ['d'], timeFormatList: ['t'], [list]: ['one/two', 'three'] },
			},
		});
		expect(await found(SecurityAwarenessCompany, method, there.store)).toEqual([
			['one/two', 'one/two'],
			['three', 'three'],
		]);
		for (const [, given] of ABSENT) {
			const { store } = await deployment(given ? { 'GET /api/timezone/timezones': given } : {});
			expect(await found(SecurityAwarenessCompany, method, store)).toEqual([typeIt(plural)]);
		}
	});

	test('a list is known by any of the words for it', async () => {
		const { store } = await deployment({
			'GET /api/codetypes': { data: [{ id: 'l', name: 'Languages' }] },
			'GET /api/lookups/l': { data: [{ resourceId: 'en', name: 'English' }] },
		});
		expect(await found(SecurityAwarenessCompany, 'searchLanguages', store)).toEqual([['English', 'en']]);
	});

	test('a value without an ID can be seen, one without a name is known by its code', async () => {
		const { store } = await deployment({
			'GET /api/codetypes': { data: [{ id: 'x', name: 'Country' }] },
			'GET /api/lookups/x': {
				data: [{ name: 'Nowhere' }, { resourceId: 'r', name: '', code: 'DE' }, { resourceId: 's' }],
			},
		});
		expect(await found(SecurityAwarenessCompany, 'searchCountries', store)).toEqual([
			['Nowhere (no ID)', ''],
			['DE', 'r'],
			['No name (s)', 's'],
		]);
	});

	test('what is no matter of the platform is told: a refused credential, trouble that may pass', async () => {
		const refused = await deployment({ 'GET /api/codetypes': { status: 401 } });
		expect((await failureOf(search(SecurityAwarenessCompany, 'searchCountries', refused.store))).message).toContain(
			'(401)',
		);
		const troubled = await deployment({ 'GET /api/codetypes': { status: 503 } });
		expect((await failureOf(search(SecurityAwarenessCompany, 'searchCountries', troubled.store))).message).toContain(
			'the service is having trouble (503)',
		);
		expect(troubled.asked.length).toBeGreaterThan(1);
	});

	test('company groups', async () => {
		const { store } = await deployment({
			'POST /api/company-groups/search': {
				data: { results: [{ resourceId: 'g', name: 'Group' }], totalNumberOfPages: 1 },
			},
		});
		expect(await loaded(SecurityAwarenessCompany, 'loadCompanyGroups', store)).toEqual([['Group', 'g']]);
	});
});
