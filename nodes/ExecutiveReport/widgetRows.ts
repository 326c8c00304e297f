import { omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { isRecord, toJson } from '../core/values';

/**
 * The figures of a widget as rows for a sheet: the widget, the series, the point and its value, with the date where there is
 * one (deployment shapes: get-widget-datas). A cell of a table is a point: its column is the series, its row the point. A
 * field of a `dataObject` is a point as well. `part` tells these apart.
 * @returns one row for each point; for a widget without any, one with its own fields, so that nothing is lost
 */
export function rowsOf(widget: IDataObject): IDataObject[] {
	const { resourceId, name: widgetName = null, widgetDatas } = widget;
	const about = { ...(resourceId === undefined ? {} : { widgetId: resourceId }), widgetName };
	const rows = recordsIn(widgetDatas).flatMap(({ date = null, values, tableValues, tableDefinitions, dataObject }) => [
		...recordsIn(values).map(({ name = widgetName, label = null, value = null }) => ({
			...about,
			series: name,
			point: label,
			value,
			date,
			part: 'chart',
		})),
		...Object.entries(isRecord(dataObject) ? toJson(dataObject) : {}).map(([point, value]) => ({
			...about,
			series: widgetName,
			point,
			value,
			date,
			part: 'object',
		})),
		...cellsOf(recordsIn(tableValues), recordsIn(tableDefinitions)).map((cell) => ({
			...about,
			...cell,
			date,
			part: 'table',
		})),
	]);
	return rows.length > 0 ? rows : [{ ...about, ...omit(widget, ['resourceId', 'name']) }];
}

/** The cells of a table: the first column with text names the rows, and the others are series. */
function cellsOf(rows: IDataObject[], columns: IDataObject[]): IDataObject[] {
	const labels = new Map(columns.map(({ name, label }) => [name, label]));
	return rows.flatMap((row, index) => {
		const rowName = Object.keys(row).find((name) => typeof row[name] === 'string');
		return Object.entries(row)
			.filter(([name]) => name !== rowName)
			.map(([name, value]) => ({
				series: labels.get(name) ?? name,
				point: rowName === undefined ? index + 1 : row[rowName],
				value,
			}));
	});
}

const recordsIn = (value: unknown): IDataObject[] =>
	(Array.isArray(value) ? value : []).filter(isRecord).map((each) => toJson(each));
