/** Lists that the contract does not have: used if a deployment has them, and no obstacle if it does not. */
import { SecurityAwarenessDirectEmailSetting } from '../../nodes/DirectEmailSetting/SecurityAwarenessDirectEmailSetting.node';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { SecurityAwarenessSamlSetting } from '../../nodes/SamlSetting/SecurityAwarenessSamlSetting.node';
import { SecurityAwarenessTrainingReport } from '../../nodes/TrainingReport/SecurityAwarenessTrainingReport.node';
import { ABSENT, deployment, type Given } from '../stand-in/deployment';
import { failureOf } from '../n8n-core/nodeFixture';
import { FOR_ONE, found, loaded, search, typeIt, useDeployments } from './fallbacks';

useDeployments();

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

test('coded values inside others keep the names of those, so that each is told apart (contract 2.8)', async () => {
	const enumNameValuePairs = {
		deliveryType: [
			{
				id: 1,
				name: 'Email',
				displayName: 'E-mail',
				enumResults: [
					{ id: 2, name: 'Plain', displayName: 'Plain Text', enumResults: [{ id: 3, name: 'Short', enumResults: [] }] },
				],
			},
		],
		priority: [{ id: 1, name: 'High', displayName: 'High', enumResults: null }],
	};
	const { store } = await deployment({ 'GET /api/enrollments/form-details': { data: { enumNameValuePairs } } });
	expect(await found(SecurityAwarenessEnrollment, 'searchCodedValues', store)).toEqual([
		['deliveryType: E-mail', 'deliveryType:1'],
		['deliveryType: E-mail: Plain Text', 'deliveryType: E-mail:2'],
		['deliveryType: E-mail: Plain Text: Short', 'deliveryType: E-mail: Plain Text:3'],
		['priority: High', 'priority:1'],
	]);
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
