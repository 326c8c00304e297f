import { z } from 'zod';
import { check, dateTime, found, int32, invalid } from '../envelope';
import { endlessCsv, exported } from '../files';
import { ok, type Answer, type Call, type Route, type Row } from '../http';
import { arrange, exportFormat } from '../paging';
import { between, guid, pick, seeded } from '../random';
import { EPOCH, type TargetUser } from '../seed';

/** The fields that name a time. */
export const period = {
	datePeriod: z.string().nullish(),
	startDate: dateTime.nullish(),
	endDate: dateTime.nullish(),
};

const board = z
	.object({
		exportType: z.string().min(1),
		reportAllPages: z.boolean().nullish(),
		...period,
		pagination: z
			.object({
				pageNumber: int32.min(1).nullish(),
				pageSize: int32.min(1).nullish(),
				orderBy: z.string().nullish(),
				ascending: z.boolean().nullish(),
			})
			.nullish(),
		filter: z.unknown(),
	})
	.passthrough();

const strings = z.array(z.string()).nullish();

const timeline = board.extend({
	targetUserResourceId: z.string().nullish(),
	actionTypes: strings,
	difficultyTypes: strings,
	products: strings,
	showOnlyFailedEvents: z.boolean().nullish(),
});

/** Refuses an end before its start. */
export function ordered(asked: { startDate?: string | null | undefined; endDate?: string | null | undefined }): void {
	if (asked.startDate && asked.endDate && Date.parse(asked.endDate) < Date.parse(asked.startDate)) {
		throw invalid('The EndDate must not be before the StartDate.');
	}
}

/** Everybody in sight. */
export function usersOf(call: Call): TargetUser[] {
	return call.companies.flatMap((company) => call.world.of(company).users);
}

/** What somebody has earned. */
export function points(user: TargetUser): number {
	return between(seeded(`points ${user.resourceId}`), 0, 5000);
}

function boardRows(call: Call): Row[] {
	return usersOf(call)
		.map((user) => ({ user, score: points(user) }))
		.sort((a, b) => b.score - a.score)
		.map(({ user, score }, at) => ({
			rank: at + 1,
			firstName: user.firstName,
			lastName: user.lastName,
			email: user.email,
			department: user.department,
			companyName: user.companyName,
			points: score,
			badge: score > 4000 ? 'Gold' : score > 2500 ? 'Silver' : 'Bronze',
		}));
}

const ACTIONS = ['EmailOpened', 'LinkClicked', 'DataSubmitted', 'Reported', 'TrainingCompleted'] as const;

function events(user: TargetUser): Row[] {
	const next = seeded(`timeline ${user.resourceId}`);
	return Array.from({ length: between(next, 1, 4) }, (_, at) => {
		const actionType = pick(next, ACTIONS);
		return {
			eventId: guid(`event ${user.resourceId} ${at}`),
			email: user.email,
			companyName: user.companyName,
			product: actionType === 'TrainingCompleted' ? 'Training' : pick(next, ['Phishing', 'Smishing', 'Quishing']),
			actionType,
			difficultyType: pick(next, ['Easy', 'Medium', 'Hard']),
			failed: actionType === 'LinkClicked' || actionType === 'DataSubmitted',
			points: between(next, -50, 100),
			eventTime: new Date(EPOCH - between(next, 1, 300 * 1440) * 60_000).toISOString(),
		};
	});
}

function among(wanted: string[] | null | undefined, value: unknown): boolean {
	return !wanted || wanted.length === 0 || wanted.some((entry) => entry.toLowerCase() === String(value).toLowerCase());
}

/** The company's name is part of the file name, as awkward as it may be. */
function fileName(what: string, call: Call): string {
	return call.scope ? `${what} ${call.scope.companyName ?? call.scope.companyResourceId}` : what;
}

async function file(
	call: Call,
	asked: z.output<typeof board>,
	rows: Row[],
	name: string,
	label: string,
): Promise<Answer> {
	const format = exportFormat(asked.exportType);
	const bytes = call.options.exportBytes;
	if (bytes !== undefined) {
		const content = { bytes, chunks: () => endlessCsv(bytes) };
		return {
			status: 200,
			file: { fileName: `${fileName(name, call)}.csv`, mimeType: 'text/csv; charset=utf-8', content },
		};
	}
	const shown = arrange(
		rows,
		{ id: label, name: label, text: ['email', 'firstName', 'lastName'] },
		asked.filter,
		asked.pagination ?? {},
		asked.reportAllPages === true,
	);
	return await exported(shown, format, fileName(name, call));
}

const WIDGETS = [
	'Security Score',
	'Phishing Prone Percentage',
	'Training Completion',
	'Top Reporters',
	'Campaign Trend',
	'Most Clicked Scenarios',
];

function widgetId(name: string): string {
	return guid(`widget ${name}`);
}

const widgets = z.object({ widgetIds: strings, ...period }).passthrough();

/** Contract 4.10. */
export function leaderboardRoutes(): Route[] {
	const read = { access: 'any', takes: 'json' } as const;
	return [
		{
			key: 'POST /api/leaderboard/get-all/export',
			...read,
			async handle(call) {
				const asked = check(board, call.json);
				ordered(asked);
				return await file(call, asked, boardRows(call), 'Leaderboard', 'email');
			},
		},
		{
			key: 'POST /api/leaderboard/get-user-timeline/export',
			...read,
			async handle(call) {
				const asked = check(timeline, call.json);
				ordered(asked);
				const all = usersOf(call);
				const wanted = asked.targetUserResourceId;
				const users = wanted
					? [
							found(
								all.find((user) => user.resourceId === wanted),
								'target user',
							),
						]
					: all;
				const rows = users
					.flatMap(events)
					.filter(
						(event) =>
							among(asked.actionTypes, event.actionType) &&
							among(asked.difficultyTypes, event.difficultyType) &&
							among(asked.products, event.product) &&
							(asked.showOnlyFailedEvents !== true || event.failed === true) &&
							(!asked.startDate || String(event.eventTime) >= new Date(asked.startDate).toISOString()) &&
							(!asked.endDate || String(event.eventTime) <= new Date(asked.endDate).toISOString()),
					);
				return await file(call, asked, rows, 'User Timeline', 'eventId');
			},
		},
		{
			key: 'POST /api/executive-report/search',
			...read,
			handle(call) {
				const { name } = check(z.object({ name: z.string().nullish() }).passthrough(), call.json);
				const found = WIDGETS.filter((widget) => widget.toLowerCase().includes((name ?? '').toLowerCase()));
				return ok(
					found.map((widget, at) => ({
						resourceId: widgetId(widget),
						name: widget,
						chartType: at % 2 === 0 ? 'Bar' : 'Line',
					})),
				);
			},
		},
		{
			key: 'POST /api/executive-report/get-widget-datas',
			...read,
			handle(call) {
				const asked = check(widgets, call.json);
				ordered(asked);
				const wanted = asked.widgetIds ?? WIDGETS.map(widgetId);
				const strangers = wanted.filter((id) => !WIDGETS.some((widget) => widgetId(widget) === id));
				if (strangers.length > 0)
					throw invalid(...strangers.map((id) => `The WidgetIds has an unknown widget: ${id}.`));
				return ok(
					WIDGETS.filter((widget) => wanted.includes(widgetId(widget))).map((widget) => {
						const next = seeded(`${widget} ${call.home.company.companyResourceId}`);
						const values = ['Q1', 'Q2', 'Q3', 'Q4'].map((label) => ({
							name: widget,
							label,
							value: between(next, 0, 100),
						}));
						return {
							resourceId: widgetId(widget),
							name: widget,
							datePeriod: asked.datePeriod ?? null,
							companyCount: call.companies.length,
							widgetDatas: [{ date: '2026-01-01T00:00:00.000Z', values, tableValues: [], tableDefinitions: [] }],
						};
					}),
				);
			},
		},
	];
}
