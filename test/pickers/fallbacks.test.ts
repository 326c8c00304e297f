/** Lists beside the contract's 85: chosen from where a deployment has them, and never in the way where it has not. */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessDirectEmailSetting } from '../../nodes/DirectEmailSetting/SecurityAwarenessDirectEmailSetting.node';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { SecurityAwarenessSamlSetting } from '../../nodes/SamlSetting/SecurityAwarenessSamlSetting.node';
import { SecurityAwarenessTrainingReport } from '../../nodes/TrainingReport/SecurityAwarenessTrainingReport.node';
import { callListSearch, callLoadOptions, type CredentialStore } from '../n8n-core';
import { ABSENT, deployment, type Given } from '../stand-in/deployment';
import { closeOdd, failureOf, type NodeClass } from '../n8n-core/nodeFixture';

beforeEach(() => void jest.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => {
	jest.restoreAllMocks();
	closeOdd();
});

const OWN = { companyScope: 'own' };
const FOR_ONE = { companyScope: 'one', company: { mode: 'id', value: 'customer-1' } };

async function search(
	node: NodeClass,
	method: string,
	store: CredentialStore,
	more: { filter?: string; parameters?: IDataObject; paginationToken?: string } = {},
) {
	return await callListSearch({ node: new node(), credential: store, method, parameters: OWN, ...more });
}
const found = async (...args: Parameters<typeof search>) =>
	(await search(...args)).results.map(({ name, value }) => [name, value]);
const loaded = async (node: NodeClass, method: string, credential: CredentialStore, parameters: IDataObject = OWN) =>
	(await callLoadOptions({ node: new node(), credential, method, parameters })).map(({ name, value }) => [name, value]);

const typeIt = (plural: string) => [`This platform does not list its ${plural}: choose 'By ID' and enter it`, ''];
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

	test.each(ABSENT)('where a platform %s, it is typed', async (_how, given) => {
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

	test.each(ABSENT)(
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

	test.each(ABSENT)('where a platform %s, license modules are typed', async (_how, given) => {
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

describe.each([
	['searchSamlSettings', SecurityAwarenessSamlSetting, 'POST /api/companies/saml-settings/search', 'SAML settings'],
	[
		'searchDirectEmailSettings',
		SecurityAwarenessDirectEmailSetting,
		'POST /api/companies/direct-email-settings/search',
		'direct email settings',
	],
] as const)('%s', (method, node, route, plural) => {
	const results = [{ resourceId: 's1', name: 'Okta', statusId: 1 }, { resourceId: 's2' }];

	test("the customer's, page by page, searched by the service", async () => {
		const { store, asked } = await deployment({
			[route]: ({ body }) => ({
				results: body.pageNumber === 1 ? results : [{ resourceId: 's3', name: 'Last' }],
				totalNumberOfPages: 2,
				totalNumberOfRecords: 3,
			}),
		});
		const first = await search(node, method, store, { parameters: FOR_ONE, filter: 'o' });
		expect(first.results).toEqual([
			{ name: 'Okta', value: 's1' },
			{ name: 'No name (s2)', value: 's2' },
		]);
		const second = await search(node, method, store, {
			parameters: FOR_ONE,
			paginationToken: String(first.paginationToken),
		});
		expect(second).toEqual({ results: [{ name: 'Last', value: 's3' }] });
		expect(asked.map(({ company }) => company)).toEqual(['customer-1', 'customer-1']);
		expect(asked[0]?.body).toMatchObject({ pageNumber: 1, filter: { SearchInputTextValue: 'o' } });
	});

	test('there is none yet', async () => {
		const { store } = await deployment({ [route]: { data: { results: [], totalNumberOfPages: 0 } } });
		expect(await found(node, method, store)).toEqual([]);
	});

	test.each(ABSENT.filter(([how]) => !/empty|nothing|list of texts|another form/.test(how)))(
		'where a platform %s, the ID is typed',
		async (_how, given) => {
			const { store } = await deployment(given ? { [route]: given } : {});
			expect(await found(node, method, store)).toEqual([
				[
					`This platform does not list ${plural}: choose 'By ID' and enter the one it gave when the setting was created`,
					'',
				],
			]);
		},
	);

	test('before a company is chosen it says so', async () => {
		const { store, asked } = await deployment({});
		const error = await failureOf(
			search(node, method, store, { parameters: { companyScope: 'one', company: { mode: 'list', value: '' } } }),
		);
		expect(error.message).toBe("'Company' must be filled in first");
		expect(asked).toEqual([]);
	});
});

test('direct email settings: one object where a page is expected', async () => {
	const { store } = await deployment({
		'POST /api/companies/direct-email-settings/search': { data: { resourceId: 'only', name: 'Microsoft 365' } },
	});
	expect(await found(SecurityAwarenessDirectEmailSetting, 'searchDirectEmailSettings', store)).toEqual([
		['Microsoft 365', 'only'],
	]);
});

describe('the leaderboard', () => {
	const ROUTE = 'GET /api/leaderboard/form-details';
	const KINDS = [
		['loadActionTypes', 'gamificationActionTypes', 'action types', 'Action Types'],
		['loadDifficultyTypes', 'gamificationScenarioDifficultyTypes', 'difficulty types', 'Difficulty Types'],
		['loadProducts', 'gamificationProductTypes', 'products', 'Products'],
	] as const;

	test.each(KINDS)("%s: the customer's, those inside others too, each once", async (method, part) => {
		const others = Object.fromEntries(KINDS.map(([, name]) => [name, [{ text: 'Wrong', value: 'wrong' }]]));
		const own = [
			{
				text: 'Phishing',
				value: '1',
				extraDatas: [
					{ text: 'Clicked', value: 11, extraDatas: [{ text: 'Twice', value: '111', extraDatas: null }] },
					{ text: 'Again', value: '1' },
				],
			},
			{ text: null, value: 'E-mail/SMS' },
			{ text: 'Group', extraDatas: [{ text: 'In it', value: '2' }] },
			'odd',
		];
		const { store, asked } = await deployment({ [ROUTE]: { data: { ...others, [part]: own } } });
		const shown = await loaded(SecurityAwarenessLeaderboard, method, store, FOR_ONE);
		expect(shown).toEqual(
			expect.arrayContaining([
				['Phishing: Clicked', '11'],
				['Phishing: Clicked: Twice', '111'],
				['E-mail/SMS', 'E-mail/SMS'],
				['Group: In it', '2'],
			]),
		);
		expect(shown.filter(([, value]) => value === '1')).toHaveLength(1);
		expect(shown).toHaveLength(5);
		expect(asked.map(({ company }) => company)).toEqual(['customer-1']);
	});

	test.each(ABSENT)('where a platform %s, they are typed', async (_how, given) => {
		const { store } = await deployment(given ? { [ROUTE]: given } : {});
		for (const [method, , plural, field] of KINDS)
			expect(await loaded(SecurityAwarenessLeaderboard, method, store)).toEqual([
				[`This platform does not list its ${plural}: enter them in '${field}'`, ''],
			]);
	});
});

describe('training reports', () => {
	const ROUTE = 'GET /api/training-reports/form-details';
	const details: Given = {
		data: {
			ShowByExamStatus: [
				{ id: 1, name: 'FirstAttempt', displayName: 'First Attempt' },
				{ id: 2, name: 'Failed', enumResults: [{ id: 3, name: 'FailedTwice', displayName: 'Twice' }] },
				{ id: 9 },
			],
			training_types: [
				{ id: 0, name: 'Survey', displayName: 'Survey' },
				{ id: 4, name: 'LearningPath', displayName: 'Learning Path' },
				{ name: 'no number' },
			],
			deliveryTypes: [{ id: 7, name: 'Email', displayName: 'E-mail' }],
			odd: 'no list',
		},
	};

	test("each kind by what the service takes: its word, or its number; the customer's", async () => {
		const { store, asked } = await deployment({ [ROUTE]: details });
		const shown = async (method: string, filter?: string) =>
			await found(SecurityAwarenessTrainingReport, method, store, {
				parameters: FOR_ONE,
				...(filter ? { filter } : {}),
			});
		expect(await shown('searchExamStatuses')).toEqual([
			['First Attempt', 'FirstAttempt'],
			['Failed', 'Failed'],
			['Failed: Twice', 'FailedTwice'],
			['9', '9'],
		]);
		expect(await shown('searchTrainingTypes')).toEqual([
			['Survey', 'Survey'],
			['Learning Path', 'LearningPath'],
		]);
		expect(await shown('searchTrainingTypeNumbers')).toEqual([
			['Survey', '0'],
			['Learning Path', '4'],
		]);
		expect(await shown('searchTrainingTypeNumbers', 'PATH')).toEqual([['Learning Path', '4']]);
		expect(new Set(asked.map(({ company }) => company))).toEqual(new Set(['customer-1']));
	});

	test('where no list is called so, it is typed: nothing is taken from others', async () => {
		const { store } = await deployment({
			[ROUTE]: {
				data: { a: [{ id: 1, name: 'x', displayName: 'X' }], UserStatus: [{ id: 2, name: 'y' }], TrainingTypes: 'odd' },
			},
		});
		expect(await found(SecurityAwarenessTrainingReport, 'searchExamStatuses', store)).toEqual([
			typeIt('exam statuses'),
		]);
		expect(await found(SecurityAwarenessTrainingReport, 'searchTrainingTypeNumbers', store)).toEqual([
			typeIt('training types'),
		]);
	});

	test.each(ABSENT)('where a platform %s, it is typed', async (_how, given) => {
		const { store } = await deployment(given ? { [ROUTE]: given } : {});
		expect(await found(SecurityAwarenessTrainingReport, 'searchExamStatuses', store)).toEqual([
			typeIt('exam statuses'),
		]);
		for (const method of ['searchTrainingTypes', 'searchTrainingTypeNumbers'])
			expect(await found(SecurityAwarenessTrainingReport, method, store)).toEqual([typeIt('training types')]);
	});
});
