import { z } from 'zod';
import type { Visitor } from './visitor';
import { casesOf, file, lists, the, type Case } from './case';

const metrics = z.object({
	metrics: z.array(
		z.object({ name: z.string(), widgets: z.array(z.object({ resourceId: z.string(), name: z.string() })) }),
	),
});

/** The widgets that there are, with the metric that each belongs to: a live deployment has a list of them, beside the contract. */
export async function widgetsOf(
	visitor: Visitor,
): Promise<Array<{ resourceId: string; name: string; metric?: string }>> {
	if (visitor.isDeployed)
		return metrics
			.parse(await visitor.ask('GET /api/executive-report/metrics'))
			.metrics.flatMap(({ name: metric, widgets }) => widgets.map((widget) => ({ ...widget, metric })));
	return z
		.array(z.object({ resourceId: z.string(), name: z.string() }))
		.parse(await visitor.list('POST /api/executive-report/search'));
}

/** The figures behind the executive report. */
export const executiveReportCases: Case[] = casesOf('ExecutiveReport', {
	getMany: async (visitor) => {
		const name = visitor.isDeployed ? 'Board' : 'Training';
		return await lists(visitor, 'POST /api/executive-report/search', { returnAll: undefined, name }, { name });
	},
	getWidgetData: async (visitor) => {
		const widgets = (await widgetsOf(visitor)).slice(1, 3).map(({ resourceId }) => resourceId);
		const period = { datePeriod: 'Custom', startDate: '2026-01-01T00:00:00.000Z', endDate: '2026-02-01T00:00:00.000Z' };
		const parameters = { returnAll: undefined, widgets, reportOptions: period };
		return await lists(visitor, 'POST /api/executive-report/get-widget-datas', parameters, {
			widgetIds: widgets,
			...period,
		});
	},
});

/** The ranking of users, as files. */
export const leaderboardCases: Case[] = casesOf(
	'Leaderboard',
	{
		export: (visitor) =>
			file(visitor, {
				key: 'POST /api/leaderboard/get-all/export',
				fileName: 'Leaderboard Harbour Bakery.csv',
				rows: visitor.company.targetUserCount,
				parameters: visitor.scoped,
			}),
		exportUserTimeline: (visitor) => {
			const { resourceId } = the(visitor.holdings.users[0]);
			const options = { targetUserResourceId: resourceId, startDate: '2020-01-01', endDate: '2031-01-01' };
			// How many events a user has is the service's own affair.
			return file(visitor, {
				key: 'POST /api/leaderboard/get-user-timeline/export',
				fileName: 'User Timeline Harbour Bakery.csv',
				parameters: { ...visitor.scoped, reportOptions: options },
			});
		},
	},
	true,
);
