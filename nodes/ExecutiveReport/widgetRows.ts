import { omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { filterRecords, isRecord, toItemJson } from '../core/values';

/**
 * Turns the figures of a widget into rows for a spreadsheet: the widget, the series, the point and its value, and the date if there is one
 * (deployment shapes, "Leaderboard, executive report"). In a table, each cell is a point: its column is the series, and its row is the
 * point. In a `dataObject`, each field is a point. The column `part` says which of these a row comes from.
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

/** Lists the points of a chart. */
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

/** Lists the points of an object: each of its fields. */
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

/** Lists the points of a table: each of its cells. The first column with text names the rows, and the other columns are series. */
function listTablePoints({ tableValues, tableDefinitions, date = null }: IDataObject): IDataObject[] {
	const labels = new Map(filterRecords(tableDefinitions).map(({ name, label }) => [name, label]));
	return filterRecords(tableValues).flatMap((row, index) => {
		const nameColumn = Object.keys(row).find((column) => typeof row[column] === 'string');
		const point = nameColumn === undefined ? index + 1 : row[nameColumn];
		return Object.entries(row)
			.filter(([column]) => column !== nameColumn)
			.map(([column, value]) =>
				toItemJson({ series: labels.get(column) ?? column, point, value, date, part: 'table' }),
			);
	});
}
