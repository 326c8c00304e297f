import assert from 'node:assert/strict';
import { z } from 'zod';
import type { CustomerFixture } from './customerFixture';
import { defineCases, createExportRun, createListRun, omitAddedFields, type Case, type JsonObject } from './case';

const metricsSchema = z.object({
	metrics: z.array(
		z.object({ name: z.string(), widgets: z.array(z.object({ resourceId: z.string(), name: z.string() })) }),
	),
});

/** Fetches all widgets. On live deployments, the list is outside the contract and contains the metric of each widget. */
export async function fetchWidgets(
	customer: CustomerFixture,
): Promise<Array<{ resourceId: string; name: string; metric?: string }>> {
	if (customer.isDeployed)
		return metricsSchema
			.parse(await customer.fetchData('GET /api/executive-report/metrics'))
			.metrics.flatMap(({ name: metric, widgets }) => widgets.map((widget) => ({ ...widget, metric })));
	return z
		.array(z.object({ resourceId: z.string(), name: z.string() }))
		.parse(await customer.fetchList('POST /api/executive-report/search'));
}

const labelSchema = z.string();
const valueSchema = z.number();
const widgetSchema = z.object({
	resourceId: z.string(),
	name: z.string(),
	widgetDatas: z.array(
		z.object({
			date: z.string(),
			values: z.array(z.object({ label: labelSchema, value: valueSchema, name: z.string() })),
			tableValues: z.array(z.record(valueSchema)),
			tableDefinitions: z.array(z.object({ label: labelSchema, name: z.string() })),
		}),
	),
});

/** Converts the data of a widget to the expected items, one for each data point. */
function toPoints(widget: JsonObject): JsonObject[] {
	const { resourceId, name, widgetDatas } = widgetSchema.parse(widget);
	const widgetFields = { widgetId: resourceId, widgetName: name };
	return widgetDatas.flatMap(({ date, values, tableValues, tableDefinitions }) => [
		...values.map((point) => ({
			...widgetFields,
			series: point.name,
			point: point.label,
			value: point.value,
			date,
			part: 'chart',
		})),
		...tableValues.flatMap((row, index) =>
			tableDefinitions.map((column) => ({
				...widgetFields,
				series: column.label,
				point: index + 1,
				value: row[column.name],
				date,
				part: 'table',
			})),
		),
	]);
}

export const executiveReportCases: Case[] = defineCases('ExecutiveReport', {
	getMany: async (customer) => {
		const name = customer.isDeployed ? 'Board' : 'Training';
		return await createListRun(customer, 'POST /api/executive-report/search', { returnAll: undefined, name }, { name });
	},
	getWidgetData: async (customer) => {
		const widgets = (await fetchWidgets(customer)).slice(1, 3).map(({ resourceId }) => resourceId);
		const period = { datePeriod: 'Custom', startDate: '2026-01-01T00:00:00.000Z', endDate: '2026-02-01T00:00:00.000Z' };
		const parameters = { returnAll: undefined, widgets, options: period };
		const body = { widgetIds: widgets, ...period };
		const widgetRecords = await customer.fetchList('POST /api/executive-report/get-widget-datas', body);
		const expectedPoints = widgetRecords.flatMap((widget) => toPoints(widget));
		return {
			parameters: { ...customer.companyParameters, ...parameters },
			itemCount: expectedPoints.length,
			checkItems: (items) => assert.deepEqual(items.map(omitAddedFields), expectedPoints),
		};
	},
});

export const leaderboardCases: Case[] = defineCases(
	'Leaderboard',
	{
		export: (customer) =>
			createExportRun(customer, {
				key: 'POST /api/leaderboard/get-all/export',
				fileName: 'Leaderboard Harbour Bakery.csv',
				rowCount: customer.company.targetUserCount,
				parameters: customer.companyParameters,
			}),
		'user.exportTimeline': (customer) => {
			const options = { startDate: '2020-01-01', endDate: '2031-01-01' };
			// The number of events is not known, because the stand-in draws it.
			return createExportRun(customer, {
				key: 'POST /api/leaderboard/get-user-timeline/export',
				fileName: 'User Timeline Harbour Bakery.csv',
				parameters: { ...customer.companyParameters, options },
			});
		},
	},
	{ hasFileOutput: true },
);
