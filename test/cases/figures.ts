import assert from 'node:assert/strict';
import { z } from 'zod';
import type { CustomerFixture } from './customerFixture';
import { defineCases, createExportRun, createListRun, omitAddedFields, type Case, type JsonObject } from './case';

const metrics = z.object({
	metrics: z.array(
		z.object({ name: z.string(), widgets: z.array(z.object({ resourceId: z.string(), name: z.string() })) }),
	),
});

/** The widgets that there are, with the metric that each belongs to: a live deployment has a list of them, beside the contract. */
export async function fetchWidgets(
	customer: CustomerFixture,
): Promise<Array<{ resourceId: string; name: string; metric?: string }>> {
	if (customer.isDeployed)
		return metrics
			.parse(await customer.fetchData('GET /api/executive-report/metrics'))
			.metrics.flatMap(({ name: metric, widgets }) => widgets.map((widget) => ({ ...widget, metric })));
	return z
		.array(z.object({ resourceId: z.string(), name: z.string() }))
		.parse(await customer.fetchList('POST /api/executive-report/search'));
}

const label = z.string();
const value = z.number();
const widgetShape = z.object({
	resourceId: z.string(),
	name: z.string(),
	widgetDatas: z.array(
		z.object({
			date: z.string(),
			values: z.array(z.object({ label, value, name: z.string() })),
			tableValues: z.array(z.record(value)),
			tableDefinitions: z.array(z.object({ label, name: z.string() })),
		}),
	),
});

/** What a widget shows, as rows. */
function toPoints(widget: JsonObject): JsonObject[] {
	const { resourceId, name, widgetDatas } = widgetShape.parse(widget);
	const about = { widgetId: resourceId, widgetName: name };
	return widgetDatas.flatMap(({ date, values, tableValues, tableDefinitions }) => [
		...values.map((each) => ({
			...about,
			series: each.name,
			point: each.label,
			value: each.value,
			date,
			part: 'chart',
		})),
		...tableValues.flatMap((row, at) =>
			tableDefinitions.map((column) => ({
				...about,
				series: column.label,
				point: at + 1,
				value: row[column.name],
				date,
				part: 'table',
			})),
		),
	]);
}

/** The figures behind the executive report. */
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
		const listed = await customer.fetchList('POST /api/executive-report/get-widget-datas', body);
		const rows = listed.flatMap((widget) => toPoints(widget));
		return {
			parameters: { ...customer.companyParameters, ...parameters },
			itemCount: rows.length,
			checkItems: (items) => assert.deepEqual(items.map(omitAddedFields), rows),
		};
	},
});

/** The ranking of users, as files. */
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
		exportUserTimeline: (customer) => {
			const options = { startDate: '2020-01-01', endDate: '2031-01-01' };
			// How many events a user has is the service's own affair.
			return createExportRun(customer, {
				key: 'POST /api/leaderboard/get-user-timeline/export',
				fileName: 'User Timeline Harbour Bakery.csv',
				parameters: { ...customer.companyParameters, options: options },
			});
		},
	},
	{ returnsFile: true },
);
