import { pick } from 'lodash';
import { z } from 'zod';
import { parseWithSchema, dateTimeSchema, int32Schema, createBadRequestError, createNotFoundError } from '../envelope';
import { generateCsv, exportResponse } from '../files';
import { okResponse, type RouteResponse, type RouteCall, type Route, type JsonObject } from '../http';
import { filterSortAndPage, parseExportFormat } from '../paging';
import { drawInteger, makeGuid, pickOne, createRandom } from '../random';
import type { TargetUser } from '../seed';

/** The body fields that name a period. */
export const periodFields = {
	datePeriod: z.string().nullish(),
	startDate: dateTimeSchema.nullish(),
	endDate: dateTimeSchema.nullish(),
};

const exportSchema = z
	.object({
		exportType: z.string().min(1),
		reportAllPages: z.boolean().nullish(),
		...periodFields,
		pagination: z
			.object({
				pageNumber: int32Schema.min(1).nullish(),
				pageSize: int32Schema.min(1).nullish(),
				orderBy: z.string().nullish(),
				ascending: z.boolean().nullish(),
			})
			.nullish(),
		filter: z.unknown(),
	})
	.passthrough();

const optionalStringListSchema = z.array(z.string()).nullish();

const timelineSchema = exportSchema.extend({
	targetUserResourceId: z.string().nullish(),
	actionTypes: optionalStringListSchema,
	difficultyTypes: optionalStringListSchema,
	products: optionalStringListSchema,
	showOnlyFailedEvents: z.boolean().nullish(),
});

/**
 * Checks that a period does not end before it starts.
 * @throws HttpError 400
 */
export function checkPeriodOrder(body: {
	startDate?: string | null | undefined;
	endDate?: string | null | undefined;
}): void {
	if (body.startDate && body.endDate && Date.parse(body.endDate) < Date.parse(body.startDate)) {
		throw createBadRequestError('The EndDate must not be before the StartDate.');
	}
}

/** Lists the users that a call can see. */
export function listVisibleUsers(call: RouteCall): TargetUser[] {
	return call.visibleCompanies.flatMap((company) => call.world.getCompanyData(company).users);
}

/** Returns the points that a user has earned. */
export function getPoints(user: TargetUser): number {
	return drawInteger(createRandom(`points ${user.resourceId}`), 0, 5000);
}

/** Ranks the users that a call can see by their points, the best first. */
export function rankUsers(call: RouteCall): Array<{ user: TargetUser; rank: number; score: number }> {
	return listVisibleUsers(call)
		.map((user) => ({ user, score: getPoints(user) }))
		.sort((a, b) => b.score - a.score)
		.map((entry, index) => ({ ...entry, rank: index + 1 }));
}

function getBadge(score: number): string {
	if (score > 4000) return 'Gold';
	return score > 2500 ? 'Silver' : 'Bronze';
}

const buildLeaderboardRows = (call: RouteCall): JsonObject[] =>
	rankUsers(call).map(({ user, rank, score }) => ({
		rank,
		...pick(user, ['firstName', 'lastName', 'email', 'department', 'companyName']),
		points: score,
		badge: getBadge(score),
	}));

const ACTIONS = ['EmailOpened', 'LinkClicked', 'DataSubmitted', 'Reported', 'TrainingCompleted'] as const;

function buildEvents(user: TargetUser, referenceTime: number): JsonObject[] {
	const random = createRandom(`timeline ${user.resourceId}`);
	return Array.from({ length: drawInteger(random, 1, 4) }, (_, index) => {
		const actionType = pickOne(random, ACTIONS);
		const product =
			actionType === 'TrainingCompleted' ? 'Training' : pickOne(random, ['Phishing', 'Smishing', 'Quishing']);
		return {
			eventId: makeGuid(`event ${user.resourceId} ${index}`),
			...pick(user, ['email', 'companyName']),
			product,
			actionType,
			difficultyType: pickOne(random, ['Easy', 'Medium', 'Hard']),
			failed: actionType === 'LinkClicked' || actionType === 'DataSubmitted',
			points: drawInteger(random, -50, 100),
			eventTime: new Date(referenceTime - drawInteger(random, 1, 300 * 1440) * 60_000).toISOString(),
		};
	});
}

function isAmong(acceptedValues: string[] | null | undefined, value: unknown): boolean {
	return (
		!acceptedValues ||
		acceptedValues.length === 0 ||
		acceptedValues.some((entry) => entry.toLowerCase() === String(value).toLowerCase())
	);
}

/** Builds a file name that contains the name of the company, which can have unusual characters. */
function buildFileName(baseName: string, call: RouteCall): string {
	return call.scopedCompany
		? `${baseName} ${call.scopedCompany.companyName ?? call.scopedCompany.companyResourceId}`
		: baseName;
}

async function createFileResponse(
	call: RouteCall,
	body: z.output<typeof exportSchema>,
	rows: JsonObject[],
	name: string,
	idField: string,
): Promise<RouteResponse> {
	const format = parseExportFormat(body.exportType, call);
	const bytes = call.options.leaderboardExportBytes;
	if (bytes !== undefined) {
		const content = { bytes, chunks: () => generateCsv(bytes) };
		return {
			status: 200,
			file: { fileName: `${buildFileName(name, call)}.csv`, mimeType: 'text/csv; charset=utf-8', content },
		};
	}
	const columns = { idField, nameField: idField, textFields: ['email', 'firstName', 'lastName'] };
	const { filter, pagination, reportAllPages } = body;
	const selectedRows = filterSortAndPage(call, rows, columns, {
		filter,
		page: pagination ?? {},
		shouldReturnAllPages: reportAllPages === true,
	});
	return await exportResponse(selectedRows, format, buildFileName(name, call));
}

const WIDGETS = [
	'Security Score',
	'Phishing Prone Percentage',
	'Training Completion',
	'Top Reporters',
	'Campaign Trend',
	'Most Clicked Scenarios',
].map((name) => ({ resourceId: makeGuid(`widget ${name}`), name }));

const widgetSchema = z.object({ widgetIds: optionalStringListSchema, ...periodFields }).passthrough();

function toIsoTime(time: string | null | undefined): string | null | undefined {
	return time && new Date(time).toISOString();
}

async function exportTimeline(call: RouteCall): Promise<RouteResponse> {
	const body = parseWithSchema(timelineSchema, call.json);
	checkPeriodOrder(body);
	const visibleUsers = listVisibleUsers(call);
	const id = body.targetUserResourceId;
	const users = id ? visibleUsers.filter((user) => user.resourceId === id) : visibleUsers;
	if (id && users.length === 0) throw createNotFoundError('target user');
	const startTime = toIsoTime(body.startDate);
	const endTime = toIsoTime(body.endDate);
	const rows = users
		.flatMap((user) => buildEvents(user, call.world.referenceTime))
		.filter(
			({ actionType, difficultyType, product, failed, eventTime }) =>
				isAmong(body.actionTypes, actionType) &&
				isAmong(body.difficultyTypes, difficultyType) &&
				isAmong(body.products, product) &&
				(body.showOnlyFailedEvents !== true || failed === true) &&
				(!startTime || String(eventTime) >= startTime) &&
				(!endTime || String(eventTime) <= endTime),
		);
	return await createFileResponse(call, body, rows, 'User Timeline', 'eventId');
}

function searchWidgets({ json }: RouteCall): JsonObject[] {
	const { name } = parseWithSchema(z.object({ name: z.string().nullish() }).passthrough(), json);
	return WIDGETS.filter((widget) => widget.name.toLowerCase().includes((name ?? '').toLowerCase())).map(
		(widget, index) => ({ ...widget, chartType: index % 2 === 0 ? 'Bar' : 'Line' }),
	);
}

function buildWidgetData({ json, companyData, visibleCompanies }: RouteCall): JsonObject[] {
	const body = parseWithSchema(widgetSchema, json);
	checkPeriodOrder(body);
	const ids = body.widgetIds ?? WIDGETS.map(({ resourceId }) => resourceId);
	const unknownIds = ids.filter((id) => !WIDGETS.some(({ resourceId }) => resourceId === id));
	if (unknownIds.length > 0)
		throw createBadRequestError(...unknownIds.map((id) => `The WidgetIds has an unknown widget: ${id}.`));
	return WIDGETS.filter(({ resourceId }) => ids.includes(resourceId)).map((widget) => {
		const random = createRandom(`${widget.name} ${companyData.company.companyResourceId}`);
		const buildPoint = (label: string) => ({ name: widget.name, label, value: drawInteger(random, 0, 100) });
		const values = ['Q1', 'Q2', 'Q3', 'Q4'].map(buildPoint);
		const date = '2026-01-01T00:00:00.000Z';
		return {
			...widget,
			datePeriod: body.datePeriod ?? null,
			companyCount: visibleCompanies.length,
			widgetDatas: [{ date, values, tableValues: [], tableDefinitions: [] }],
		};
	});
}

/** Creates the routes of contract 4.10. */
export function leaderboardRoutes(): Route[] {
	const routeDefaults = { access: 'any', bodyType: 'json' } as const;
	return [
		{
			...routeDefaults,
			key: 'POST /api/leaderboard/get-all/export',
			async handle(call) {
				const body = parseWithSchema(exportSchema, call.json);
				checkPeriodOrder(body);
				return await createFileResponse(call, body, buildLeaderboardRows(call), 'Leaderboard', 'email');
			},
		},
		{ ...routeDefaults, key: 'POST /api/leaderboard/get-user-timeline/export', handle: exportTimeline },
		{ ...routeDefaults, key: 'POST /api/executive-report/search', handle: (call) => okResponse(searchWidgets(call)) },
		{
			...routeDefaults,
			key: 'POST /api/executive-report/get-widget-datas',
			handle: (call) => okResponse(buildWidgetData(call)),
		},
	];
}
