/** The executive report's figures as rows for a sheet (deployment shapes, "Leaderboard, executive report"). */
import type { IDataObject } from 'n8n-workflow';
import { toWidgetRows } from '../../nodes/ExecutiveReport/widgetRows';
import { SecurityAwarenessExecutiveReport } from '../../nodes/ExecutiveReport/SecurityAwarenessExecutiveReport.node';
import { startFakeServer, closeFakeServers, getJson, createNodeFixture } from '../n8n-core/nodeFixture';

const fixture = createNodeFixture();
afterEach(closeFakeServers);

const about = { widgetId: 'w', widgetName: 'Trend' };
const short = (rows: IDataObject[]) => rows.map(({ series, point, value, date }) => [series, point, value, date]);
const pointsIn = (fields: IDataObject) =>
	short(toWidgetRows({ resourceId: 'w', name: 'Trend', ...fields }).filter((row) => 'part' in row));
const DAY = '2026-01-01T00:00:00Z';

test('a chart: each value is a row', () => {
	const values = [
		{ value: 3, label: 'Jan', name: 'Clicks', annotations: null },
		{ value: 4, label: 'Jan', name: 'Opens', annotations: null },
	];
	const widget = { resourceId: 'w', name: 'Trend', widgetDatas: [{ date: DAY, dataObject: null, values }] };
	expect(toWidgetRows(widget)).toEqual([
		{ ...about, series: 'Clicks', point: 'Jan', value: 3, date: DAY, part: 'chart' },
		{ ...about, series: 'Opens', point: 'Jan', value: 4, date: DAY, part: 'chart' },
	]);
});

test('a table: a column is a series, and the first column with text names the points', () => {
	const tableDefinitions = [
		{ name: 'user', label: 'User' },
		{ name: 'sent', label: 'Sent' },
		{ name: 'rate', label: 'Rate' },
	];
	const tableValues = [
		{ user: 'Anna', sent: 3, rate: '12%' },
		{ user: 'Ben', sent: 4, rate: null },
	];
	expect(pointsIn({ widgetDatas: [{ date: null, values: [], tableValues, tableDefinitions }] })).toEqual([
		['Sent', 'Anna', 3, null],
		['Rate', 'Anna', '12%', null],
		['Sent', 'Ben', 4, null],
		['Rate', 'Ben', null, null],
	]);
	expect(pointsIn({ widgetDatas: [{ tableValues: [{ a: 1 }, { a: 2 }], tableDefinitions: [] }] })).toEqual([
		['a', 1, 1, null],
		['a', 2, 2, null],
	]);
});

test('the fields of a dataObject are rows as well', () => {
	const dataObject = { total: 7, best: 'Anna' };
	const values = [{ label: 'Jan', value: 3 }];
	expect(pointsIn({ widgetDatas: [{ date: DAY, dataObject, values }] })).toEqual([
		['Trend', 'Jan', 3, DAY],
		['Trend', 'total', 7, DAY],
		['Trend', 'best', 'Anna', DAY],
	]);
});

describe('the operation', () => {
	const chart = { resourceId: 'w', name: 'Trend', widgetDatas: [{ date: DAY, values: [{ label: 'x', value: 1 }] }] };
	const empty = { resourceId: 'e', name: 'Empty', widgetDatas: [] };
	const run = async (more: IDataObject) => {
		const { credentialStore: store } = await startFakeServer({
			'POST /api/executive-report/get-widget-datas': { data: [chart, empty] },
		});
		const parameters = { operation: 'getWidgetData', companyScope: 'own', ...more };
		return getJson((await fixture.run(SecurityAwarenessExecutiveReport, parameters, { credentialStore: store })).items);
	};

	test('gives rows; one for a widget without figures, with the same names', async () => {
		expect(await run({})).toEqual([
			{ ...about, series: 'Trend', point: 'x', value: 1, date: DAY, part: 'chart' },
			{ widgetId: 'e', widgetName: 'Empty', widgetDatas: [] },
		]);
	});

	test('gives what the service sent, on request', async () => {
		expect(await run({ simplify: false })).toEqual([chart, empty]);
	});
});
