/** Tests the hints after a run. They explain why the output is empty, and which of many items failed. */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessCompanyGroup } from '../../nodes/CompanyGroup/SecurityAwarenessCompanyGroup.node';
import { SecurityAwarenessEnrollment } from '../../nodes/Enrollment/SecurityAwarenessEnrollment.node';
import { SecurityAwarenessPhishingCampaign } from '../../nodes/PhishingCampaign/SecurityAwarenessPhishingCampaign.node';
import { SecurityAwarenessSmishingCampaign } from '../../nodes/SmishingCampaign/SecurityAwarenessSmishingCampaign.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { SecurityAwarenessTrainingReport } from '../../nodes/TrainingReport/SecurityAwarenessTrainingReport.node';
import { toIdLocator } from '../cases';
import { callListSearch } from '../n8n-core';
import {
	startFakeServer,
	closeFakeServers,
	catchNodeError,
	getHintMessages,
	isFailedItem,
	parseFailedItem,
	toItems,
	createNodeFixture,
	requireValue,
	type NodeClass,
} from '../n8n-core/nodeFixture';

const fixture = createNodeFixture({ companyCount: 6 });
const getCompany = (index = 1) => requireValue(fixture.standIn.world.companies[index]);
const buildOneCompany = (): IDataObject => ({
	companyScope: 'one',
	company: { __rl: true, mode: 'list', value: getCompany().companyResourceId, cachedResultName: 'Harbour <b>Bakery' },
});
const findSentJob = (simulator: 'phishing' | 'smishing') => {
	const campaigns = fixture.standIn.world.getCompanyData(getCompany().companyResourceId).getCampaigns(simulator);
	return toIdLocator(
		`${requireValue(campaigns.find(({ instanceGroups }) => instanceGroups.includes(1))).resourceId}/1`,
	);
};
const EVERY_COMPANY = { companyScope: 'every' };
const JULY_1990 = { period: 'custom', periodStart: '1990-07-01T00:00:00', periodEnd: '1990-07-31T00:00:00' };
const ALL_TIME = { period: 'custom', periodEnd: '2100-01-01', excludeTests: false };
const returnEmptyResults = (route: string) =>
	fixture.standIn.setOptions({
		transformEnvelope: (envelope, request) => (request.route.includes(route) ? { data: { results: [] } } : envelope),
	});
afterEach(() => fixture.standIn.setOptions({ transformEnvelope: undefined }));

describe('an empty output is explained', () => {
	test.each<[name: string, node: NodeClass, buildParameters: () => IDataObject, expectedHint: RegExp]>([
		[
			'a list for every customer',
			SecurityAwarenessTargetGroup,
			() => ({ operation: 'getMany', ...EVERY_COMPANY, filters: { searchText: 'a-secret' } }),
			/^There are no target groups at any of 6 customers \(filtered by 'Search Text'\)\.$/,
		],
		[
			'a list for some customers',
			SecurityAwarenessTargetGroup,
			() => ({
				operation: 'getMany',
				...EVERY_COMPANY,
				onlyCompanies: { nameContains: getCompany().companyName },
				filters: { searchText: 'a-secret' },
			}),
			/^There are no target groups at .+ \(filtered by 'Name Contains', 'Search Text'\)\.$/,
		],
		[
			'a list for one customer, whose name is not rendered as HTML',
			SecurityAwarenessEnrollment,
			() => ({ operation: 'getMany', ...buildOneCompany(), filters: { searchText: 'a-secret' } }),
			/^There are no enrollments at Harbour &lt;b>Bakery \(filtered by 'Search Text'\)\.$/,
		],
		[
			"a list for the credential's own company",
			SecurityAwarenessEnrollment,
			() => ({ operation: 'getMany', companyScope: 'own', filters: { searchText: 'a-secret' } }),
			/^There are no enrollments \(filtered by 'Search Text'\)\.$/,
		],
		[
			'a period without simulations',
			SecurityAwarenessPhishingCampaign,
			() => ({ resource: 'result', operation: 'getManyByPeriod', ...EVERY_COMPANY, ...JULY_1990 }),
			/^There is no phishing campaign job from 1 July 1990 to 31 July 1990 at any of 6 customers\.$/,
		],
		[
			'a period without trainings',
			SecurityAwarenessTrainingReport,
			() => ({ resource: 'progress', operation: 'getManyByPeriod', ...buildOneCompany(), ...JULY_1990 }),
			/^There is no enrollment from 1 July 1990 to 31 July 1990 at Harbour &lt;b>Bakery\.$/,
		],
		[
			'several simulations in which nobody clicked',
			SecurityAwarenessPhishingCampaign,
			() => ({
				resource: 'result',
				operation: 'getManyByPeriod',
				...EVERY_COMPANY,
				...ALL_TIME,
				onlyPeopleWho: 'clicked',
			}),
			/^The node read \d+ phishing campaign jobs until \d+ \w+ \d{4} at 6 customers, but there is no one in them \(filtered by 'Only People Who' \(Clicked\)\)\.$/,
		],
		[
			'one simulation in which nobody clicked',
			SecurityAwarenessPhishingCampaign,
			() => ({ resource: 'result', operation: 'getClicked', ...buildOneCompany(), job: findSentJob('phishing') }),
			/^The node read 1 phishing campaign job at Harbour &lt;b>Bakery, but no one clicked the link\.$/,
		],
		[
			'one text message that nobody reported',
			SecurityAwarenessSmishingCampaign,
			() => ({ resource: 'result', operation: 'getReported', ...buildOneCompany(), job: findSentJob('smishing') }),
			/^The node read 1 smishing campaign job at Harbour &lt;b>Bakery, but no one reported the message\.$/,
		],
	])('%s', async (_name, node, buildParameters, expectedHint) => {
		returnEmptyResults('{searchType}/search');
		const result = await fixture.run(node, { returnAll: true, ...buildParameters() }, { alwaysOutputData: true });
		// n8n itself adds an empty item, because the node's setting 'Always Output Data' is on.
		expect(result.items.map(({ json }) => json)).toEqual([{}]);
		expect(getHintMessages(result)).toEqual([expect.stringMatching(expectedHint)]);
		expect(getHintMessages(result).join()).not.toContain('a-secret');
	});

	test('several items: the hint counts their customers, and there is no hint if one item has results', async () => {
		const parameters = {
			operation: 'getMany',
			companyScope: 'one',
			company: toIdLocator('={{ $json.id }}'),
			filters: { searchText: '={{ $json.text }}' },
		};
		const run = async (...searchTexts: string[]) =>
			getHintMessages(
				await fixture.run(SecurityAwarenessTargetGroup, parameters, {
					items: toItems(...searchTexts.map((text, index) => ({ id: getCompany(index).companyResourceId, text }))),
				}),
			);
		expect(await run('nowhere', 'nowhere')).toEqual([
			"There are no target groups at any of 2 customers (filtered by 'Search Text').",
		]);
		expect(await run('nowhere', '')).toEqual([]);
	});

	test('several items: the hint has the number of the records that were read for all of them', async () => {
		const campaigns = fixture.standIn.world.getCompanyData(getCompany().companyResourceId).getCampaigns('phishing');
		const jobs = campaigns
			.filter(({ instanceGroups }) => instanceGroups.includes(1))
			.map(({ resourceId }) => `${resourceId}/1`);
		returnEmptyResults('{searchType}/search');
		const result = await fixture.run(
			SecurityAwarenessPhishingCampaign,
			{
				resource: 'result',
				operation: 'getClicked',
				...buildOneCompany(),
				job: toIdLocator('={{ $json.job }}'),
				returnAll: true,
			},
			{ items: toItems(...jobs.slice(0, 2).map((job) => ({ job }))) },
		);
		expect(getHintMessages(result)).toEqual([
			'The node read 2 phishing campaign jobs at Harbour &lt;b>Bakery, but no one clicked the link.',
		]);
	});

	test.each([
		['the same period', ['1990-07-01', '1990-07-01'], ' from 1 July 1990 to 31 July 1990'],
		['different periods, so that the hint names none', ['1990-07-01', '1990-07-02'], ''],
	])('two items with %s', async (_name, periodStarts, expectedPeriod) => {
		const parameters = {
			resource: 'progress',
			operation: 'getManyByPeriod',
			...buildOneCompany(),
			...JULY_1990,
			periodStart: '={{ $json.periodStart }}',
		};
		const result = await fixture.run(SecurityAwarenessTrainingReport, parameters, {
			items: toItems(...periodStarts.map((periodStart) => ({ periodStart }))),
		});
		expect(getHintMessages(result)).toEqual([`There is no enrollment${expectedPeriod} at Harbour &lt;b>Bakery.`]);
	});
});

test('continue on failure: the hint counts the failed items, and names their customers even if no request was sent', async () => {
	const parameters = {
		operation: 'getMany',
		companyScope: 'one',
		company: toIdLocator('={{ $json.companyResourceId }}'),
		returnAll: false,
		limit: '={{ $json.limit }}',
	};
	const items = toItems(
		...[50, 0, 50, 0].map((limit, index) => ({
			companyResourceId: getCompany(index).companyResourceId,
			companyName: `Customer ${index}`,
			limit,
		})),
	);
	const result = await fixture.run(SecurityAwarenessTargetGroup, parameters, {
		items,
		onError: 'continueRegularOutput',
	});
	expect(getHintMessages(result)).toEqual([
		"2 of 4 failed: item 2 of 4 at Customer 1, item 4 of 4 at Customer 3 ('Limit' must be a whole number of at least 1, but is '0'). In the output, the field 'message' says more.",
	]);
	expect(result.items.filter(isFailedItem).map(({ json }) => json.companyName)).toEqual(['Customer 1', 'Customer 3']);
});

test.each([
	['id', ''],
	['name', ''],
	['name', 'Nobody Ltd'],
	['list', null],
])('continue on failure: the hint names the item if its customer has no ID: %s %j', async (mode, wrongCompany) => {
	const { companyResourceId, companyName } = getCompany(0);
	const rightCompany = mode === 'name' ? companyName : companyResourceId;
	const result = await fixture.run(
		SecurityAwarenessTargetGroup,
		{ operation: 'getMany', companyScope: 'one', company: { __rl: true, mode, value: '={{ $json.company }}' } },
		{
			items: toItems({ company: rightCompany }, { company: wrongCompany }, { company: rightCompany }),
			onError: 'continueRegularOutput',
		},
	);
	expect(getHintMessages(result)).toEqual([
		expect.stringMatching(/^1 of 3 failed: item 2 of 3.* \(.+\)\. In the output/),
	]);
});

test('continue on failure: without a customer, the hint names the failed items, and counts them from 1', async () => {
	const parameters = { operation: 'create', name: '={{ $json.name }}' };
	const result = await fixture.run(SecurityAwarenessCompanyGroup, parameters, {
		items: toItems({ name: 'A' }, { name: '' }, { name: 'C' }),
		onError: 'continueRegularOutput',
	});
	expect(getHintMessages(result)).toEqual([
		"1 of 3 failed: item 2 of 3 ('Name' must not be empty). In the output, the field 'message' says more.",
	]);
	expect(parseFailedItem(result.items[1]).message).toMatch(/ \[item 2 of 3\]$/);
});

test('continue on failure: the hint names the failed items in the order of the input', async () => {
	const { credentialStore } = await startFakeServer({});
	const result = await fixture.run(
		SecurityAwarenessTargetGroup,
		{ operation: 'getMany', companyScope: 'own', returnAll: false, limit: '={{ $json.limit }}' },
		{ items: toItems({ limit: 1 }, { limit: 0 }), credentialStore, onError: 'continueRegularOutput' },
	);
	expect(getHintMessages(result)).toEqual([
		expect.stringMatching(/^2 of 2 failed: item 1 of 2 \(.*404\)\); item 2 of 2 \('Limit' must be/),
	]);
});

test('a loop over IDs: the hint has the names of the customers, as the output', async () => {
	const parameters = {
		operation: 'getMany',
		companyScope: 'one',
		company: toIdLocator('={{ $json.id }}'),
		returnAll: false,
		limit: 1,
	};
	const result = await fixture.run(SecurityAwarenessTargetGroup, parameters, {
		items: toItems(...[0, 1, 0].map((index) => ({ id: getCompany(index).companyResourceId }))),
	});
	const names = [0, 1].map((index) => getCompany(index).companyName);
	expect(result.items.map(({ json }) => json.companyName)).toEqual([...names, names[0]]);
	expect(getHintMessages(result)).toEqual([
		`There are more results than 'Limit'. To get the others, increase 'Limit' or turn on 'Return All'. This applies to 2 of 2 customers: ${names.join(', ').replaceAll('<', '&lt;')}.`,
	]);
});

describe('n8n renders errors as HTML', () => {
	afterEach(closeFakeServers);
	const IMAGE_TAG = '<img src=x onerror=alert(1)>';
	const escapeForHtml = (text: string) => text.replaceAll('<', '&lt;');
	const SEARCH_ROUTE = 'POST /api/target-groups/search/current-company';
	const startRejectingServer = async () =>
		(
			await startFakeServer({
				[SEARCH_ROUTE]: { status: 400, body: { status: 'INPUT_ERROR', validationMessages: [IMAGE_TAG] } },
			})
		).credentialStore;

	test("the service's message, a customer's name and the entered text are shown as text", async () => {
		const store = await startRejectingServer();
		const rejection = await catchNodeError(
			fixture.run(
				SecurityAwarenessTargetGroup,
				{ operation: 'getMany', ...buildOneCompany() },
				{ credentialStore: store },
			),
		);
		expect(rejection.message).toContain("for 'Harbour &lt;b>Bakery'");
		expect(rejection.description).toContain(`The platform says: ${escapeForHtml(IMAGE_TAG)}`);
		const invalidInput = await catchNodeError(
			fixture.run(SecurityAwarenessTargetGroup, { operation: 'getMany', ...buildOneCompany(), returnAll: IMAGE_TAG }),
		);
		expect(invalidInput.message).toBe(`'Return All' must be true or false, but is '${escapeForHtml(IMAGE_TAG)}'`);
	});

	test('in the editor: the error of a list that cannot be read is escaped', async () => {
		const listSearch = callListSearch({
			node: new SecurityAwarenessTargetGroup(),
			method: 'searchTargetGroups',
			parameters: { operation: 'get', companyScope: 'own' },
			credential: await startRejectingServer(),
		});
		expect((await catchNodeError(listSearch)).description).toContain(`The platform says: ${escapeForHtml(IMAGE_TAG)}`);
	});

	test('error items are data, so they are not escaped', async () => {
		const parameters = { operation: 'getMany', ...buildOneCompany() };
		const store = await startRejectingServer();
		const { items } = await fixture.run(SecurityAwarenessTargetGroup, parameters, {
			credentialStore: store,
			onError: 'continueRegularOutput',
		});
		expect(items[0]?.json.error).toMatchObject({
			message: expect.stringContaining("for 'Harbour <b>Bakery'"),
			description: expect.stringContaining(IMAGE_TAG),
		});
	});
});
