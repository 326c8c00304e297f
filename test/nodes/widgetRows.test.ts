/** Tests how widgets of the executive report are turned into rows for a spreadsheet (deployment shapes, "Leaderboard, executive report"). */
import type { IDataObject } from 'n8n-workflow';
import { toWidgetRows } from '../../nodes/ExecutiveReport/widgetRows';
import { SecurityAwarenessExecutiveReport } from '../../nodes/ExecutiveReport/SecurityAwarenessExecutiveReport.node';
import { startFakeServer, closeFakeServers, getJson, createNodeFixture } from '../n8n-core/nodeFixture';

const fixture = createNodeFixture();
afterEach(closeFakeServers);

const widgetFields = { widgetId: 'w', widgetName: 'Trend' };
const pickValues = (rows: IDataObject[]) => rows.map(({ series, point, value, date }) => [series, point, value, date]);
const buildPointRows = (fields: IDataObject) =>
	pickValues(toWidgetRows({ resourceId: 'w', name: 'Trend', ...fields }).filter((row) => 'part' in row));
const DAY = '2026-01-01T00:00:00Z';

test('a chart: each value becomes a row', () => {
	const values = [
		{ value: 3, label: 'Jan', name: 'Clicks', annotations: null },
		{ value: 4, label: 'Jan', name: 'Opens', annotations: null },
	];
	const widget = { resourceId: 'w', name: 'Trend', widgetDatas: [{ date: DAY, dataObject: null, values }] };
	expect(toWidgetRows(widget)).toEqual([
		{ ...widgetFields, series: 'Clicks', point: 'Jan', value: 3, date: DAY, part: 'chart' },
		{ ...widgetFields, series: 'Opens', point: 'Jan', value: 4, date: DAY, part: 'chart' },
	]);
});

test('a table: each column is a series, and the first column with text contains the names of the points', () => {
	const tableDefinitions = [
		{ name: 'user', label: 'User' },
		{ name: 'sent', label: 'Sent' },
		{ name: 'rate', label: 'Rate' },
	];
	const tableValues = [
		{ user: 'Anna', sent: 3, rate: '12%' },
		{ user: 'Ben', sent: 4, rate: null },
	];
	expect(buildPointRows({ widgetDatas: [{ date: null, values: [], tableValues, tableDefinitions }] })).toEqual([
		['Sent', 'Anna', 3, null],
		['Rate', 'Anna', '12%', null],
		['Sent', 'Ben', 4, null],
		['Rate', 'Ben', null, null],
	]);
	expect(buildPointRows({ widgetDatas: [{ tableValues: [{ a: 1 }, { a: 2 }], tableDefinitions: [] }] })).toEqual([
		['a', 1, 1, null],
		['a', 2, 2, null],
	]);
});

test('the fields of a dataObject become rows, too', () => {
	const dataObject = { total: 7, best: 'Anna' };
	const values = [{ label: 'Jan', value: 3 }];
	expect(buildPointRows({ widgetDatas: [{ date: DAY, dataObject, values }] })).toEqual([
		['Trend', 'Jan', 3, DAY],
		['Trend', 'total', 7, DAY],
		['Trend', 'best', 'Anna', DAY],
	]);
});

describe('the operation', () => {
	const chartWidget = {
		resourceId: 'w',
		name: 'Trend',
		widgetDatas: [{ date: DAY, values: [{ label: 'x', value: 1 }] }],
	};
	const emptyWidget = { resourceId: 'e', name: 'Empty', widgetDatas: [] };
	const getWidgetData = async (overrides: IDataObject) => {
		const { credentialStore } = await startFakeServer({
			'POST /api/executive-report/get-widget-datas': { data: [chartWidget, emptyWidget] },
		});
		const parameters = { operation: 'getWidgetData', companyScope: 'own', ...overrides };
		return getJson((await fixture.run(SecurityAwarenessExecutiveReport, parameters, { credentialStore })).items);
	};

	test('returns rows, and one row for a widget without figures', async () => {
		expect(await getWidgetData({})).toEqual([
			{ ...widgetFields, series: 'Trend', point: 'x', value: 1, date: DAY, part: 'chart' },
			{ widgetId: 'e', widgetName: 'Empty', widgetDatas: [] },
		]);
	});

	test('returns the unchanged widgets if Simplify is off', async () => {
		expect(await getWidgetData({ simplify: false })).toEqual([chartWidget, emptyWidget]);
	});
});
