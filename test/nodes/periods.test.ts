/** The period of a report: chosen from the list, typed, or by dates; and platforms that do not know a word for it. */
import { isEqual } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessExecutiveReport } from '../../nodes/ExecutiveReport/SecurityAwarenessExecutiveReport.node';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { callListSearch, runNode, type CredentialStore } from '../n8n-core';
import { closeOdd, failureOf, hintsOf, type NodeClass } from '../n8n-core/nodeFixture';
import { deployment, type Asked, type Given } from '../stand-in/deployment';

const REPORTS: Array<[name: string, node: NodeClass, operation: string, route: string]> = [
	['leaderboard', SecurityAwarenessLeaderboard, 'export', 'POST /api/leaderboard/get-all/export'],
	['timeline', SecurityAwarenessLeaderboard, 'exportUserTimeline', 'POST /api/leaderboard/get-user-timeline/export'],
	['widgets', SecurityAwarenessExecutiveReport, 'getWidgetData', 'POST /api/executive-report/get-widget-datas'],
];
/** The workflow's time zone in these tests is New York. */
const NOW = '2026-05-20T10:30:00.000-04:00';
const MONTH = { startDate: '2026-04-01T04:00:00.000Z', endDate: '2026-05-01T03:59:59.999Z' };
const ENTERED = { startDate: '2026-01-01T00:00:00.000Z', endDate: '2026-02-01T00:00:00.000Z' };
const none = { startDate: null, endDate: null };
const fromList = (value: string) => ({ __rl: true, mode: 'list', value, cachedResultName: value });
const byName = (value: string) => ({ __rl: true, mode: 'id', value });

beforeEach(() => {
	jest.spyOn(Math, 'random').mockReturnValue(0);
	jest.spyOn(Date, 'now').mockReturnValue(Date.parse(NOW));
});
afterEach(() => {
	jest.restoreAllMocks();
	closeOdd();
});

/** A platform that knows these words as periods. */
const knowing = async (route: string, words: string[]) => {
	const given: Given = ({ body }) =>
		typeof body.datePeriod === 'string' && !words.includes(body.datePeriod) ? 400 : [];
	return await deployment({ [route]: given });
};
const periodOf = ({ body }: Asked) => {
	const { datePeriod, startDate, endDate } = body;
	return { ...('datePeriod' in body ? { datePeriod } : {}), startDate, endDate };
};
/** The periods that were sent, one after the other; a refused export is also tried with an empty filter. */
const periodsIn = (asked: Asked[]) =>
	asked.map(periodOf).filter((period, index, all) => !isEqual(period, all[index - 1]));

describe.each(REPORTS)('%s', (_name, node, operation, route) => {
	const run = async (store: CredentialStore, reportOptions: IDataObject, more: IDataObject = {}) =>
		await runNode({
			...{ node: new node(), credential: store },
			parameters: { operation, companyScope: 'own', reportOptions, ...more },
		});

	test('a period from the list is sent as its dates', async () => {
		const { store, asked } = await knowing(route, ['Custom']);
		await run(store, { datePeriod: fromList('lastMonth') });
		expect(periodsIn(asked)).toEqual([{ datePeriod: 'Custom', ...MONTH }]);
	});

	test('a platform that does not know the word for dates gets the dates alone', async () => {
		const { store, asked } = await knowing(route, []);
		const result = await run(store, { datePeriod: fromList('lastMonth') });
		expect(periodsIn(asked)).toEqual([{ datePeriod: 'Custom', ...MONTH }, MONTH]);
		// A person did not choose that word.
		expect(hintsOf(result)).toEqual([]);
	});

	test('a word of the platform goes as it is, with the dates if there are any', async () => {
		const { store, asked } = await knowing(route, ['LastYear']);
		await run(store, { datePeriod: byName('LastYear') });
		await run(store, { datePeriod: 'LastYear', ...ENTERED });
		expect(periodsIn(asked)).toEqual([
			{ datePeriod: 'LastYear', ...none },
			{ datePeriod: 'LastYear', ...ENTERED },
		]);
	});

	test('a word that is refused gives way to the dates that were entered, or that it means', async () => {
		const { store, asked } = await knowing(route, ['Custom']);
		const withDates = await run(store, { datePeriod: 'Fiscal', ...ENTERED });
		const meaning = await run(store, { datePeriod: 'last month' });
		expect(periodsIn(asked)).toEqual([
			{ datePeriod: 'Fiscal', ...ENTERED },
			ENTERED,
			{ datePeriod: 'last month', ...none },
			{ datePeriod: 'Custom', ...MONTH },
		]);
		const told = (word: string) => `The platform does not know the period '${word}', so its dates were sent instead.`;
		expect([withDates, meaning].map(hintsOf)).toEqual([[told('Fiscal')], [told('last month')]]);
	});

	test('a word without a meaning is refused, and nothing is sent in its place', async () => {
		const { store, asked } = await knowing(route, ['Custom']);
		const error = await failureOf(run(store, { datePeriod: 'Fiscal' }));
		expect(error.message).toContain('(400)');
		expect(periodsIn(asked)).toHaveLength(1);
	});

	test('dates beside a period from the list, and an end before the start, are refused before anything is sent', async () => {
		const { store, asked } = await knowing(route, []);
		const both = await failureOf(run(store, { datePeriod: fromList('lastMonth'), startDate: ENTERED.startDate }));
		expect(both.message).toMatch(
			/^'Date Period' in 'Report (Period|Options)' is 'Last Month', so there can be no other dates$/,
		);
		expect(both.description).toContain("Remove 'Start Date' and 'End Date', or remove 'Date Period'.");
		const wrong = { startDate: ENTERED.endDate, endDate: ENTERED.startDate };
		expect((await failureOf(run(store, wrong))).message).toContain("'End Date'");
		expect(asked).toEqual([]);
	});

	test.each([{}, { datePeriod: '' }, { datePeriod: byName('') }, { datePeriod: fromList('') }])(
		'%j is no period',
		async (reportOptions) => {
			const { store, asked } = await knowing(route, []);
			await run(store, reportOptions);
			expect(periodsIn(asked)).toEqual([none]);
		},
	);

	test('the list has what people ask for, and is searched', async () => {
		const { store } = await deployment({});
		const search = async (filter?: string) =>
			(
				await callListSearch({
					...{ node: new node(), credential: store, parameters: { operation }, method: 'searchDatePeriods' },
					...(filter ? { filter } : {}),
				})
			).results.map(({ name }) => name);
		expect(await search()).toEqual(
			expect.arrayContaining(['Last 7 Days', 'Last 30 Days', 'This Month', 'Last Month', 'Last Quarter', 'This Year']),
		);
		expect(await search('QUARTER')).toEqual(['Last Quarter', 'This Quarter']);
	});
});

test('for every company a refused word is tried once', async () => {
	const [node, operation, route] = [
		SecurityAwarenessExecutiveReport,
		'getWidgetData',
		'POST /api/executive-report/get-widget-datas',
	];
	const companies = Array.from({ length: 12 }, (_, index) => ({
		companyResourceId: `c${index}`,
		companyName: `Company ${index}`,
	}));
	const { store, asked } = await deployment({
		[route]: ({ body }) => ('datePeriod' in body ? 400 : []),
		'POST /api/companies/search': { data: { results: companies, totalNumberOfPages: 1, totalNumberOfRecords: 12 } },
	});
	const reportOptions = { datePeriod: fromList('lastMonth') };
	const parameters = { operation, companyScope: 'every', reportOptions, options: { concurrency: 1 } };
	await runNode({ node: new node(), credential: store, parameters });
	const periods = asked.filter((each) => each.route === route).map(periodOf);
	expect(periods.filter((period) => 'datePeriod' in period)).toHaveLength(1);
	expect(periods.filter((period) => !('datePeriod' in period))).toEqual(Array(12).fill(MONTH));
});
