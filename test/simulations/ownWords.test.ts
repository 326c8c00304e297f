/** The platforms' own words for what is asked, and what is sent where one does not take them. */
import type { IDataObject } from 'n8n-workflow';
import { toIdLocator } from '../cases';
import { findJob, NODE_FOLDERS, getCampaignKeys, fetchPeopleByAction } from '../cases/campaigns';
import { createOperationFixture, runCase } from '../cases/operationFixture';
import { parseBody } from '../n8n-core/nodeFixture';
import { failureOf } from '../nodes/deployed';
import { SIMULATORS } from '../stand-in/personality';

const live = createOperationFixture('deployed');
const plain = createOperationFixture('contract');
afterEach(() => live.standIn.setOptions({ refusedSearchTypes: [] }));

const run = async (g: typeof live, node: string, operation: string, parameters: IDataObject) =>
	runCase(g, { node, operation }, { parameters: { ...g.customer.companyParameters, returnAll: true, ...parameters } });

describe.each(SIMULATORS)('%s: who submitted', (simulator) => {
	const node = NODE_FOLDERS[simulator];
	const submitters = async (searchType: string) => {
		const { id, group, parameters } = findJob(live.customer, simulator);
		const wanted = await fetchPeopleByAction(live.customer, simulator, 'submitted', { id, group });
		live.standIn.clearLog();
		const asked = { ...parameters, output: 'raw', filters: { searchType: toIdLocator(searchType) } };
		const { items } = await run(live, node, 'searchJobUsers', asked);
		return { found: items.map(({ json }) => json.email).sort(), wanted: wanted.map(({ email }) => email).sort() };
	};
	const statuses = () => live.standIn.getRequests(getCampaignKeys(simulator).people).map(({ status }) => status);

	test('is asked by the type that platforms have', async () => {
		const { found, wanted } = await submitters('SubmittedData');
		expect(found).toEqual(wanted);
		expect([found.length > 0, statuses()]).toEqual([true, [200]]);
	});

	test('is found among all people where that type is refused', async () => {
		live.standIn.setOptions({ refusedSearchTypes: ['SubmittedData'] });
		const { found, wanted } = await submitters('SubmittedData');
		expect(found).toEqual(wanted);
		// Refused also with the two groups that some platforms want, and without activityType.
		expect(statuses()).toEqual([400, 400, 400, 400, 200]);
	});

	test('another type that is refused stays an error', async () => {
		live.standIn.setOptions({ refusedSearchTypes: ['MFA'] });
		expect(await failureOf(submitters('MFA'))).toContain("The value 'MFA' is not valid for SearchType.");
	});
});

describe('the executive report', () => {
	const DATA = 'POST /api/executive-report/get-widget-datas';
	const sent = async (g: typeof live, options: IDataObject) => {
		await run(g, 'ExecutiveReport', 'getWidgetData', { widgets: [], options });
		return g.standIn.getRequests(DATA).map((request) => [parseBody(request).datePeriod, request.status]);
	};

	test("the platform's own period is a number, and a text where that is refused", async () => {
		expect(await sent(live, { datePeriod: '2' })).toEqual([[2, 200]]);
		expect(await sent(plain, { datePeriod: '2' })).toEqual([
			[2, 400],
			['2', 200],
		]);
	});

	test('ours are dates, and a custom one has those that are entered', async () => {
		expect(await sent(live, { datePeriod: 'lastQuarter' })).toEqual([[undefined, 200]]);
		live.standIn.clearLog();
		expect(await sent(live, { datePeriod: '5', startDate: '2026-01-01' })).toEqual([[5, 200]]);
	});
});

test('an export as PDF, where the platform makes it', async () => {
	const asPdf = async (g: typeof live) => run(g, 'Leaderboard', 'export', { format: 'pdf' });
	const { items } = await asPdf(live);
	expect(items.map(({ json }) => [json.fileName, json.mimeType])).toEqual([
		[expect.stringMatching(/\.pdf$/), 'application/pdf'],
	]);
	expect(parseBody(live.standIn.getRequests('POST /api/leaderboard/get-all/export')[0]).exportType).toBe('Pdf');
	expect(await failureOf(asPdf(plain))).toContain("The ExportType 'Pdf' is not valid");
});

test('trainings are narrowed by what a person chooses, and by nothing else', async () => {
	const asked = async (filters: IDataObject) => {
		await run(live, 'Training', 'getMany', { filters });
		return parseBody(live.standIn.getRequests('POST /api/trainings/search').at(-1));
	};
	expect(await asked({ trainingSearchType: toIdLocator('3'), trainingType: toIdLocator('Learning Path') })).toMatchObject({
		trainingSearchType: 3,
		trainingType: 'Learning Path',
	});
	expect(Object.keys(await asked({}))).not.toEqual(expect.arrayContaining(['trainingType']));
});
