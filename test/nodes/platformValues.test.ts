/**
 * Tests values that only some platforms accept. If a platform refuses such a value, the node sends another request
 * variant.
 */
import type { IDataObject } from 'n8n-workflow';
import { toIdLocator } from '../cases';
import { findJob, NODE_FOLDERS, getCampaignKeys, fetchPeopleByAction } from '../cases/campaigns';
import { createOperationFixture, runCase } from '../cases/operationFixture';
import { parseBody } from '../n8n-core/nodeFixture';
import { getFailureMessage } from './deployedFixture';
import { SIMULATORS } from '../stand-in/profile';

const deployedFixture = createOperationFixture('deployed');
const contractFixture = createOperationFixture('contract');
afterEach(() => deployedFixture.standIn.setOptions({ rejectedSearchTypes: [] }));

const run = async (fixture: typeof deployedFixture, node: string, operation: string, parameters: IDataObject) =>
	runCase(
		fixture,
		{ node, operation },
		{ parameters: { ...fixture.customer.companyParameters, returnAll: true, ...parameters } },
	);

describe.each(SIMULATORS)('%s: people who submitted data', (simulator) => {
	const node = NODE_FOLDERS[simulator];
	const searchSubmitters = async (searchType: string) => {
		const { id, group, parameters } = findJob(deployedFixture.customer, simulator);
		const submitters = await fetchPeopleByAction(deployedFixture.customer, simulator, 'submitted', { id, group });
		deployedFixture.standIn.clearLog();
		const searchParameters = { ...parameters, output: 'raw', filters: { searchType: toIdLocator(searchType) } };
		const { items } = await run(deployedFixture, node, 'result.getMany', searchParameters);
		return {
			emails: items.map(({ json }) => json.email).sort(),
			expectedEmails: submitters.map(({ email }) => email).sort(),
		};
	};
	const getStatuses = () =>
		deployedFixture.standIn.getRequests(getCampaignKeys(simulator).people).map(({ status }) => status);

	test('are searched by the search type of most platforms', async () => {
		const { emails, expectedEmails } = await searchSubmitters('SubmittedData');
		expect(emails).toEqual(expectedEmails);
		expect([emails.length > 0, getStatuses()]).toEqual([true, [200]]);
	});

	test('are selected from all people if the platform refuses the search type', async () => {
		deployedFixture.standIn.setOptions({ rejectedSearchTypes: ['SubmittedData'] });
		const { emails, expectedEmails } = await searchSubmitters('SubmittedData');
		expect(emails).toEqual(expectedEmails);
		// The node first tries its other request variants (with two filter groups, without activityType), which are refused
		// too.
		expect(getStatuses()).toEqual([400, 400, 400, 400, 200]);
	});

	test('the error is returned if the platform refuses another search type', async () => {
		deployedFixture.standIn.setOptions({ rejectedSearchTypes: ['MFA'] });
		expect(await getFailureMessage(searchSubmitters('MFA'))).toContain("The value 'MFA' is not valid for SearchType.");
	});
});

describe('the executive report', () => {
	const WIDGET_DATA_ROUTE = 'POST /api/executive-report/get-widget-datas';
	const runAndGetPeriods = async (fixture: typeof deployedFixture, options: IDataObject) => {
		await run(fixture, 'ExecutiveReport', 'getWidgetData', { widgets: [], options });
		return fixture.standIn
			.getRequests(WIDGET_DATA_ROUTE)
			.map((request) => [parseBody(request).datePeriod, request.status]);
	};

	test('a period of the platform is sent as a number, and as a text if the number is refused', async () => {
		expect(await runAndGetPeriods(deployedFixture, { datePeriod: '2' })).toEqual([[2, 200]]);
		expect(await runAndGetPeriods(contractFixture, { datePeriod: '2' })).toEqual([
			[2, 400],
			['2', 200],
		]);
	});

	test('a period of the node is sent as dates, and a custom period with the entered dates', async () => {
		expect(await runAndGetPeriods(deployedFixture, { datePeriod: 'lastQuarter' })).toEqual([[undefined, 200]]);
		deployedFixture.standIn.clearLog();
		expect(await runAndGetPeriods(deployedFixture, { datePeriod: '5', startDate: '2026-01-01' })).toEqual([[5, 200]]);
	});

	test.each(['5', '={{ 5 }}', "={{ 'custom (platform)' }}"])(
		'a custom period without a date is reported before any request is sent: %s',
		async (datePeriod) => {
			deployedFixture.standIn.clearLog();
			expect(await getFailureMessage(runAndGetPeriods(deployedFixture, { datePeriod }))).toContain(
				"'Date Period' in 'Options' is 'Custom (Platform)', which needs a date",
			);
			expect(deployedFixture.requests).toEqual([]);
		},
	);

	test('a period of the platform can be given by its name', async () => {
		expect(await runAndGetPeriods(deployedFixture, { datePeriod: "={{ 'Last 6 Months (Platform)' }}" })).toEqual([
			[2, 200],
		]);
	});
});

test('an export is a PDF file if the platform supports it', async () => {
	const exportAsPdf = async (fixture: typeof deployedFixture) =>
		run(fixture, 'Leaderboard', 'export', { format: 'pdf' });
	const { items } = await exportAsPdf(deployedFixture);
	expect(items.map(({ json }) => [json.fileName, json.mimeType])).toEqual([
		[expect.stringMatching(/\.pdf$/), 'application/pdf'],
	]);
	expect(parseBody(deployedFixture.standIn.getRequests('POST /api/leaderboard/get-all/export')[0]).exportType).toBe(
		'Pdf',
	);
	expect(await getFailureMessage(exportAsPdf(contractFixture))).toContain("The ExportType 'Pdf' is not valid");
});

test('trainings are filtered by the selected values, and by nothing else', async () => {
	const runAndGetBody = async (filters: IDataObject) => {
		await run(deployedFixture, 'Training', 'getMany', { filters });
		return parseBody(deployedFixture.standIn.getRequests('POST /api/trainings/search').at(-1));
	};
	expect(
		await runAndGetBody({ trainingSearchType: toIdLocator('3'), trainingType: toIdLocator('Learning Path') }),
	).toMatchObject({
		trainingSearchType: 3,
		trainingType: 'Learning Path',
	});
	expect(Object.keys(await runAndGetBody({}))).not.toEqual(expect.arrayContaining(['trainingType']));
});

test.each([
	['All', 1],
	['Popular', 2],
	['Favourites', 3],
	['Mine', 4],
])("the trainings of the collection '%s' have the number %d in the request", async (name, number) => {
	await run(deployedFixture, 'Training', 'getMany', {
		filters: { trainingSearchType: { __rl: true, mode: 'name', value: name } },
	});
	const request = deployedFixture.standIn.getRequests('POST /api/trainings/search').at(-1);
	expect(parseBody(request)).toMatchObject({ trainingSearchType: number });
});
