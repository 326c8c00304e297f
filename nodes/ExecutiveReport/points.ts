import { omit } from 'lodash';
import type { GenericValue, IDataObject } from 'n8n-workflow';

import { identityOf } from '../shared/answer/page';
import { isEmpty, isRecord, isScalar } from '../shared/form/value';
import { WIDGET_ID } from '../shared/pickers/widget';
import { toJson } from '../shared/transport/envelope';

/** The names of a widget's name, of a series, of a point in it and of its value; the first match counts. */
const NAME = ['name', 'widgetName', 'title'] as const;
const SERIES = ['name', 'series', 'seriesName'] as const;
const POINT = ['label', 'point', 'category', 'date'] as const;
const VALUE = ['value', 'count', 'y'] as const;

/** How many lists inside each other are searched for points. */
const MAX_DEPTH = 8;

/** What is known of a point from what it is in. */
interface Above {
	series: GenericValue;
	date: GenericValue;
}

/**
 * The figures of a widget as rows for a sheet: the widget, the series, the point and its value, with the date where there is
 * one. The contract does not describe a widget's data (contract 4.10); a live deployment has charts and tables in it
 * (deployment shapes: get-widget-datas), where a cell of a table is a point: its column is the series, its row the point. A
 * field of a `dataObject` is a point as well. If a widget has several of these, `part` tells them apart.
 * @returns one row for each point; for a widget without any, one with its own fields, so that nothing is lost
 */
export function rowsOf(widget: IDataObject): IDataObject[] {
	const [id, name] = [WIDGET_ID, NAME].map((names) => names.find((each) => identityOf(widget, [each]) !== undefined));
	const widgetName = name === undefined ? null : (identityOf(widget, [name]) ?? null);
	const about = { ...(id === undefined ? {} : { widgetId: identityOf(widget, [id]) }), widgetName };
	const points = pointsIn(widget, { series: widgetName, date: null }, 0);
	if (points.length > 0) return points.map((point) => ({ ...about, ...point }));
	return [
		{
			...about,
			...omit(
				widget,
				[id, name, ...Object.keys(about)].filter((each) => each !== undefined),
			),
		},
	];
}

function pointsIn(record: IDataObject, above: Above, depth: number): IDataObject[] {
	const date = isScalar(record.date) ? record.date : above.date;
	const { tableValues, tableDefinitions, dataObject, ...others } = record;
	const points = Object.values(others).flatMap((value) => {
		const entries: unknown[] = Array.isArray(value) ? value : [];
		return entries.filter(isRecord).flatMap((entry) => pointOrPoints(toJson(entry), { ...above, date }, depth));
	});
	return [
		...points,
		...fieldsOf(dataObject, [], { ...above, date }, depth),
		...cellsOf(tableValues, tableDefinitions).map((cell) => ({ ...cell, date, part: 'table' })),
	];
}

function pointOrPoints(entry: IDataObject, above: Above, depth: number): IDataObject[] {
	const value = VALUE.find((name) => name in entry && !isNested(entry[name]));
	const point = POINT.find((name) => isScalar(entry[name]));
	const series = identityOf(entry, SERIES);
	if (value === undefined)
		return depth === MAX_DEPTH ? [] : pointsIn(entry, { ...above, series: series ?? above.series }, depth + 1);
	// Without a label, the name is that of the point and not of a series.
	const own =
		point === undefined
			? { series: above.series, point: series ?? null }
			: { series: series ?? above.series, point: entry[point] };
	return [{ ...own, value: numeric(entry[value]), date: point === 'date' ? entry.date : above.date, part: 'chart' }];
}

/** The fields of an object, also of those inside it, as points; entries of a list that are points themselves stay so. */
function fieldsOf(value: unknown, path: string[], above: Above, depth: number): IDataObject[] {
	if (isNested(value) && depth < MAX_DEPTH) {
		if (isRecord(value))
			return Object.entries(value).flatMap(([name, each]) => fieldsOf(each, [...path, name], above, depth + 1));
		const entries: unknown[] = Array.isArray(value) ? value : [];
		return entries.flatMap((entry, index) => {
			const points = isRecord(entry) ? pointOrPoints(toJson(entry), above, depth) : [];
			return points.length > 0 ? points : fieldsOf(entry, [...path, String(index + 1)], above, depth + 1);
		});
	}
	if (path.length === 0 && isEmpty(value)) return [];
	const point = path.length === 0 ? 'dataObject' : path.join('.');
	const own = toJson({ value }).value;
	return [{ series: above.series, point, value: isNested(own) ? own : numeric(own), date: above.date, part: 'object' }];
}

/** The cells of a table: the first column with text names the rows, and the others are series. */
function cellsOf(tableValues: unknown, tableDefinitions: unknown): IDataObject[] {
	const rows = listOf(tableValues);
	const labels = new Map(
		listOf(tableDefinitions).map((column) => [identityOf(column, ['name']), identityOf(column, ['label', 'name'])]),
	);
	return rows.flatMap((row, index) => {
		const names = Object.keys(row).filter((name) => !isNested(row[name]));
		const rowName = names.find((name) => typeof row[name] === 'string' && typeof numeric(row[name]) === 'string');
		return names
			.filter((name) => name !== rowName || names.length === 1)
			.map((name) => ({
				series: labels.get(name) ?? name,
				point: rowName === undefined || names.length === 1 ? index + 1 : row[rowName],
				value: numeric(row[name]),
			}));
	});
}

const listOf = (value: unknown): IDataObject[] =>
	(Array.isArray(value) ? value : []).filter(isRecord).map((each) => toJson(each));

const isNested = (value: unknown) => typeof value === 'object' && value !== null;

/** A number that was sent as text becomes one; anything else stays. */
const numeric = (value: IDataObject[string]): IDataObject[string] =>
	typeof value === 'string' && !isEmpty(value.trim()) && Number.isFinite(Number(value)) ? Number(value) : value;
