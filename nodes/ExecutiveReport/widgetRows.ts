import { omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { filterRecords, isRecord, toItemJson } from '../core/values';

/**
 * Turns the figures of a widget into rows for a spreadsheet (deployment shapes, "Leaderboard, executive report"). Each row holds one point:
 * a value of a chart, a field of a `dataObject`, or a cell of a table. The column `part` says which of these the point comes from. The other
 * columns are the widget's name, the series, the name of the point, its value, and the date if there is one. For a cell, the table's column
 * is the series, and the table's row is the point.
 * @returns one row for each point; for a widget without points, one row with the widget's own fields, so that nothing is lost
 */
export function toWidgetRows(widget: IDataObject): IDataObject[] {
	const { resourceId, name: widgetName = null, widgetDatas } = widget;
	const widgetColumns: IDataObject = {};
	if (resourceId !== undefined) widgetColumns.widgetId = resourceId;
	widgetColumns.widgetName = widgetName;

	const points = filterRecords(widgetDatas).flatMap((widgetData) => [
		...listChartPoints(toItemJson(widgetData), widgetName),
		...listObjectPoints(toItemJson(widgetData), widgetName),
		...listTablePoints(toItemJson(widgetData)),
	]);
	if (points.length === 0) return [{ ...widgetColumns, ...omit(widget, ['resourceId', 'name']) }];
	return points.map((point) => ({ ...widgetColumns, ...point }));
}

function listChartPoints({ values, date = null }: IDataObject, widgetName: IDataObject[string]): IDataObject[] {
	return filterRecords(values)
		.map((entry) => toItemJson(entry))
		.map(({ name = widgetName, label = null, value = null }) => ({
			series: name,
			point: label,
			value,
			date,
			part: 'chart',
		}));
}

/** Lists the points of a `dataObject`. Each of its fields is a point. */
function listObjectPoints({ dataObject, date = null }: IDataObject, widgetName: IDataObject[string]): IDataObject[] {
	const fields = isRecord(dataObject) ? toItemJson(dataObject) : {};
	return Object.entries(fields).map(([name, value]) => ({
		series: widgetName,
		point: name,
		value,
		date,
		part: 'object',
	}));
}

/** Lists the points of a table. The first column with text holds the names of the points, and every other column is a series. */
function listTablePoints({ tableValues, tableDefinitions, date = null }: IDataObject): IDataObject[] {
	const labelsByColumn = new Map(filterRecords(tableDefinitions).map(({ name, label }) => [name, label]));
	return filterRecords(tableValues).flatMap((row, index) => {
		const pointNameColumn = Object.keys(row).find((column) => typeof row[column] === 'string');
		const point = pointNameColumn === undefined ? index + 1 : row[pointNameColumn];
		return Object.entries(row)
			.filter(([column]) => column !== pointNameColumn)
			.map(([column, value]) =>
				toItemJson({ series: labelsByColumn.get(column) ?? column, point, value, date, part: 'table' }),
			);
	});
}
