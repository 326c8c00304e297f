import { omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { filterRecords, isRecord, toItemJson } from '../core/values';

/**
 * Turns the figures of a widget into rows for a spreadsheet (deployment shapes, "Leaderboard, executive report"). Each row has the widget's
 * name, the series, the point, its value, and the date if there is one. The points come from charts, from the fields of a `dataObject`, and
 * from the cells of a table. The column `part` says from which of these. For a cell, its column is the series, and its row is the point.
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

/** Lists the points of an object. Each field of the object is a point. */
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

/** Lists the points of a table. The first column with text has the names of the points, and each other column is a series. */
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
