/** The executive report's figures as rows for a sheet, whatever form a platform gives them (contract 4.10: not described). */
import type { IDataObject } from 'n8n-workflow';
import { rowsOf } from '../../nodes/ExecutiveReport/points';
import { SecurityAwarenessExecutiveReport } from '../../nodes/ExecutiveReport/SecurityAwarenessExecutiveReport.node';
import { closeOdd, jsonOf, nodeFixture } from '../n8n-core/nodeFixture';
import { deployment } from '../stand-in/deployment';

const b = nodeFixture();
afterEach(closeOdd);

const about = { widgetId: 'w', widgetName: 'Trend' };
const short = (rows: IDataObject[]) => rows.map(({ series, point, value, date }) => [series, point, value, date]);
const pointsIn = (fields: IDataObject) =>
	short(rowsOf({ resourceId: 'w', name: 'Trend', ...fields }).filter((row) => 'part' in row));
const DAY = '2026-01-01T00:00:00Z';

test('a chart: each value is a row', () => {
	const values = [
		{ value: 3, label: 'Jan', name: 'Clicks', annotations: null },
		{ value: '4', label: 'Jan', name: 'Opens', annotations: null },
	];
	const widget = { resourceId: 'w', name: 'Trend', widgetDatas: [{ date: DAY, dataObject: null, values }] };
	expect(rowsOf(widget)).toEqual([
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
		{ user: 'Ben', sent: '4', rate: null },
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

test.each<[string, IDataObject, unknown[]]>([
	['points of the widget itself', { series: [{ label: 'Q1', value: 10 }] }, [['Trend', 'Q1', 10, null]]],
	['points without a label', { data: [{ name: 'Q1', count: 5 }] }, [['Trend', 'Q1', 5, null]]],
	['points at dates', { data: [{ date: DAY, value: 1 }] }, [['Trend', DAY, 1, DAY]]],
	[
		'series with points in them',
		{
			series: [
				{ name: 'A', data: [{ label: 'x', y: 1 }] },
				{ name: 'B', data: [{ label: 'x', y: 2 }] },
			],
		},
		[
			['A', 'x', 1, null],
			['B', 'x', 2, null],
		],
	],
	['a point without a value', { values: [{ label: 'x', value: null }] }, [['Trend', 'x', null, null]]],
	['nothing', { widgetDatas: [] }, []],
	['lists of something else', { tags: ['a', 1, null], widgetDatas: [[1, 2]] }, []],
])('%s', (_what, fields, rows) => {
	expect(pointsIn(fields)).toEqual(rows);
});

test('lists inside each other without an end are not searched for ever', () => {
	const deep = Array.from({ length: 500 }).reduce<IDataObject>((inner) => ({ list: [inner] }), {
		label: 'x',
		value: 1,
	});
	expect(pointsIn(deep)).toEqual([]);
});

test('the fields of a dataObject beside values or a table are rows as well', () => {
	const dataObject = { total: '7', best: { name: 'Anna', rate: null }, days: [1, { label: 'x', value: 2 }] };
	const fields = [
		['Trend', 'total', 7, DAY],
		['Trend', 'best.name', 'Anna', DAY],
		['Trend', 'best.rate', null, DAY],
		['Trend', 'days.1', 1, DAY],
		['Trend', 'x', 2, DAY],
	];
	const values = [{ label: 'Jan', value: 3 }];
	expect(pointsIn({ widgetDatas: [{ date: DAY, dataObject, values }] })).toEqual([['Trend', 'Jan', 3, DAY], ...fields]);
	expect(pointsIn({ widgetDatas: [{ date: DAY, dataObject, tableValues: [{ a: 1 }] }] })).toEqual([
		...fields,
		['a', 1, 1, DAY],
	]);
	expect(pointsIn({ widgetDatas: [{ dataObject: 5 }] })).toEqual([['Trend', 'dataObject', 5, null]]);
});

describe('the operation', () => {
	const chart = { resourceId: 'w', name: 'Trend', widgetDatas: [{ date: DAY, values: [{ label: 'x', value: 1 }] }] };
	const empty = { resourceId: 'e', name: 'Empty', widgetDatas: [] };
	const run = async (more: IDataObject, typeVersion?: number) => {
		const { store } = await deployment({ 'POST /api/executive-report/get-widget-datas': { data: [chart, empty] } });
		const parameters = { operation: 'getWidgetData', companyScope: 'own', ...more };
		const options = { store, ...(typeVersion === undefined ? {} : { typeVersion }) };
		return jsonOf((await b.run(SecurityAwarenessExecutiveReport, parameters, options)).items);
	};

	test('gives rows; one for a widget without figures, with the same names', async () => {
		expect(await run({})).toEqual([
			{ ...about, series: 'Trend', point: 'x', value: 1, date: DAY, part: 'chart' },
			{ widgetId: 'e', widgetName: 'Empty', widgetDatas: [] },
		]);
	});

	test('gives what the service sent, on request and in workflows that were saved before', async () => {
		expect(await run({ simplify: false })).toEqual([chart, empty]);
		expect(await run({}, 1)).toEqual([chart, empty]);
	});
});
