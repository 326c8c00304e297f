import assert from 'node:assert/strict';
import { z } from 'zod';
import type { CustomerFixture } from './customerFixture';
import { casesOf, file, lists, sentIn, type Case, type Row } from './case';

const metrics = z.object({
	metrics: z.array(
		z.object({ name: z.string(), widgets: z.array(z.object({ resourceId: z.string(), name: z.string() })) }),
	),
});

/** The widgets that there are, with the metric that each belongs to: a live deployment has a list of them, beside the contract. */
export async function widgetsOf(
	customer: CustomerFixture,
): Promise<Array<{ resourceId: string; name: string; metric?: string }>> {
	if (customer.isDeployed)
		return metrics
			.parse(await customer.ask('GET /api/executive-report/metrics'))
			.metrics.flatMap(({ name: metric, widgets }) => widgets.map((widget) => ({ ...widget, metric })));
	return z
		.array(z.object({ resourceId: z.string(), name: z.string() }))
		.parse(await customer.list('POST /api/executive-report/search'));
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
function pointsOf(widget: Row): Row[] {
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
export const executiveReportCases: Case[] = casesOf('ExecutiveReport', {
	getMany: async (customer) => {
		const name = customer.isDeployed ? 'Board' : 'Training';
		return await lists(customer, 'POST /api/executive-report/search', { returnAll: undefined, name }, { name });
	},
	getWidgetData: async (customer) => {
		const widgets = (await widgetsOf(customer)).slice(1, 3).map(({ resourceId }) => resourceId);
		const period = { datePeriod: 'Custom', startDate: '2026-01-01T00:00:00.000Z', endDate: '2026-02-01T00:00:00.000Z' };
		const parameters = { returnAll: undefined, widgets, options: period };
		const body = { widgetIds: widgets, ...period };
		const listed = await customer.list('POST /api/executive-report/get-widget-datas', body);
		const rows = listed.flatMap((widget) => pointsOf(widget));
		return {
			parameters: { ...customer.scoped, ...parameters },
			items: rows.length,
			expect: (items) => assert.deepEqual(items.map(sentIn), rows),
		};
	},
});

/** The ranking of users, as files. */
export const leaderboardCases: Case[] = casesOf(
	'Leaderboard',
	{
		export: (customer) =>
			file(customer, {
				key: 'POST /api/leaderboard/get-all/export',
				fileName: 'Leaderboard Harbour Bakery.csv',
				rows: customer.company.targetUserCount,
				parameters: customer.scoped,
			}),
		exportUserTimeline: (customer) => {
			const options = { startDate: '2020-01-01', endDate: '2031-01-01' };
			// How many events a user has is the service's own affair.
			return file(customer, {
				key: 'POST /api/leaderboard/get-user-timeline/export',
				fileName: 'User Timeline Harbour Bakery.csv',
				parameters: { ...customer.scoped, options: options },
			});
		},
	},
	{ isFile: true },
);
