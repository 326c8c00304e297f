import pickFields from 'lodash/pick';
import { z } from 'zod';
import { check, dateTime, int32, invalid, missing } from '../envelope';
import { endlessCsv, exported } from '../files';
import { ok, type Answer, type Call, type Route, type Row } from '../http';
import { arrange, exportFormat } from '../paging';
import { between, guid, pick, seeded } from '../random';
import type { TargetUser } from '../seed';

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

/** Everybody in sight, the one with the most points first. */
export function ranked(call: Call): Array<{ user: TargetUser; rank: number; score: number }> {
	return usersOf(call)
		.map((user) => ({ user, score: points(user) }))
		.sort((a, b) => b.score - a.score)
		.map((each, at) => ({ ...each, rank: at + 1 }));
}

const boardRows = (call: Call): Row[] =>
	ranked(call).map(({ user, rank, score }) => ({
		rank,
		...pickFields(user, ['firstName', 'lastName', 'email', 'department', 'companyName']),
		points: score,
		badge: score > 4000 ? 'Gold' : score > 2500 ? 'Silver' : 'Bronze',
	}));

const ACTIONS = ['EmailOpened', 'LinkClicked', 'DataSubmitted', 'Reported', 'TrainingCompleted'] as const;

function events(user: TargetUser, day: number): Row[] {
	const next = seeded(`timeline ${user.resourceId}`);
	return Array.from({ length: between(next, 1, 4) }, (_, at) => {
		const actionType = pick(next, ACTIONS);
		const product = actionType === 'TrainingCompleted' ? 'Training' : pick(next, ['Phishing', 'Smishing', 'Quishing']);
		return {
			eventId: guid(`event ${user.resourceId} ${at}`),
			...pickFields(user, ['email', 'companyName']),
			product,
			actionType,
			difficultyType: pick(next, ['Easy', 'Medium', 'Hard']),
			failed: actionType === 'LinkClicked' || actionType === 'DataSubmitted',
			points: between(next, -50, 100),
			eventTime: new Date(day - between(next, 1, 300 * 1440) * 60_000).toISOString(),
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
	const format = exportFormat(asked.exportType, call);
	const bytes = call.options.exportBytes;
	if (bytes !== undefined) {
		const content = { bytes, chunks: () => endlessCsv(bytes) };
		return {
			status: 200,
			file: { fileName: `${fileName(name, call)}.csv`, mimeType: 'text/csv; charset=utf-8', content },
		};
	}
	const columns = { id: label, name: label, text: ['email', 'firstName', 'lastName'] };
	const { filter, pagination, reportAllPages } = asked;
	const shown = arrange(call, rows, columns, { filter, page: pagination ?? {}, all: reportAllPages === true });
	return await exported(shown, format, fileName(name, call));
}

const WIDGETS = [
	'Security Score',
	'Phishing Prone Percentage',
	'Training Completion',
	'Top Reporters',
	'Campaign Trend',
	'Most Clicked Scenarios',
].map((name) => ({ resourceId: guid(`widget ${name}`), name }));

const widgetBody = z.object({ widgetIds: strings, ...period }).passthrough();

async function timelineFile(call: Call): Promise<Answer> {
	const asked = check(timeline, call.json);
	ordered(asked);
	const all = usersOf(call);
	const id = asked.targetUserResourceId;
	const users = id ? all.filter((user) => user.resourceId === id) : all;
	if (id && users.length === 0) throw missing('target user');
	const [from, to] = [asked.startDate, asked.endDate].map((time) => time && new Date(time).toISOString());
	const rows = users
		.flatMap((user) => events(user, call.world.day))
		.filter(
			({ actionType, difficultyType, product, failed, eventTime }) =>
				among(asked.actionTypes, actionType) &&
				among(asked.difficultyTypes, difficultyType) &&
				among(asked.products, product) &&
				(asked.showOnlyFailedEvents !== true || failed === true) &&
				(!from || String(eventTime) >= from) &&
				(!to || String(eventTime) <= to),
		);
	return await file(call, asked, rows, 'User Timeline', 'eventId');
}

function searchWidgets({ json }: Call): Row[] {
	const { name } = check(z.object({ name: z.string().nullish() }).passthrough(), json);
	return WIDGETS.filter((widget) => widget.name.toLowerCase().includes((name ?? '').toLowerCase())).map(
		(widget, at) => ({ ...widget, chartType: at % 2 === 0 ? 'Bar' : 'Line' }),
	);
}

function widgetDatas({ json, home, companies }: Call): Row[] {
	const asked = check(widgetBody, json);
	ordered(asked);
	const ids = asked.widgetIds ?? WIDGETS.map(({ resourceId }) => resourceId);
	const strangers = ids.filter((id) => !WIDGETS.some(({ resourceId }) => resourceId === id));
	if (strangers.length > 0) throw invalid(...strangers.map((id) => `The WidgetIds has an unknown widget: ${id}.`));
	return WIDGETS.filter(({ resourceId }) => ids.includes(resourceId)).map((widget) => {
		const next = seeded(`${widget.name} ${home.company.companyResourceId}`);
		const value = (label: string) => ({ name: widget.name, label, value: between(next, 0, 100) });
		const values = ['Q1', 'Q2', 'Q3', 'Q4'].map(value);
		const date = '2026-01-01T00:00:00.000Z';
		return {
			...widget,
			datePeriod: asked.datePeriod ?? null,
			companyCount: companies.length,
			widgetDatas: [{ date, values, tableValues: [], tableDefinitions: [] }],
		};
	});
}

/** Contract 4.10. */
export function leaderboardRoutes(): Route[] {
	const read = { access: 'any', takes: 'json' } as const;
	return [
		{
			...read,
			key: 'POST /api/leaderboard/get-all/export',
			async handle(call) {
				const asked = check(board, call.json);
				ordered(asked);
				return await file(call, asked, boardRows(call), 'Leaderboard', 'email');
			},
		},
		{ ...read, key: 'POST /api/leaderboard/get-user-timeline/export', handle: timelineFile },
		{ ...read, key: 'POST /api/executive-report/search', handle: (call) => ok(searchWidgets(call)) },
		{ ...read, key: 'POST /api/executive-report/get-widget-datas', handle: (call) => ok(widgetDatas(call)) },
	];
}
