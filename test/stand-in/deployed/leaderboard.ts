/**
 * Routes for the lists of the leaderboard. In the contract, these lists can only be exported as files (deployment
 * beyond, "Leaderboard, executive report").
 */
import { z } from 'zod';
import { parseWithSchema, requireFound, int32Schema, createBadRequestError } from '../envelope';
import { markOutsideContract, okResponse, defineReadRoute, type RouteCall, type Route, type JsonObject } from '../http';
import { filterSortAndPage } from '../paging';
import { drawInteger, pickOne, createRandom, makeShortId } from '../random';
import { checkPeriodOrder, periodFields, getPoints, listVisibleUsers, rankUsers } from '../routes/leaderboard';
import type { TargetUser } from '../seed';
import { getPersonFields, getPhoneNumber } from './lists';

export const pageSchema = z
	.object({ pageNumber: int32Schema.min(1), pageSize: int32Schema.min(1), orderBy: z.string(), ascending: z.boolean() })
	.partial();

const leaderboardSchema = z
	.object({ ...periodFields, filter: z.unknown(), pagination: pageSchema.nullish() })
	.passthrough();

const userSchema = z.object({ ...periodFields, targetUserResourceId: z.string().min(1) }).passthrough();

export const optionalStringListSchema = z.array(z.string()).nullish();
const timelineSchema = userSchema.extend({
	actionTypes: optionalStringListSchema,
	difficultyTypes: optionalStringListSchema,
	products: optionalStringListSchema,
	showOnlyFailedEvents: z.boolean().nullish(),
	pagination: pageSchema.nullish(),
});

/** The columns of the lists of people and events. */
export const USER_COLUMNS = {
	idField: 'targetUserResourceId',
	nameField: 'email',
	textFields: ['email', 'firstName', 'lastName'],
};

/**
 * Selects one page of rows.
 * @throws HttpError 400 if orderBy is not the name of a field in the rows
 */
export function selectPage(
	rows: JsonObject[],
	body: { filter?: unknown; pagination?: z.output<typeof pageSchema> | null | undefined },
	call: RouteCall,
): JsonObject[] {
	const { orderBy, pageSize = 10, ...otherFields } = body.pagination ?? {};
	const knownFields = Object.keys(rows[0] ?? {}).map((name) => name.toLowerCase());
	if (orderBy !== undefined && rows.length > 0 && !knownFields.includes(orderBy.toLowerCase()))
		throw createBadRequestError(`The OrderBy field is not valid: ${orderBy}.`);
	const page: JsonObject = { ...otherFields, pageSize: Math.min(pageSize, call.options.maxPageSize) };
	if (orderBy !== undefined) page.orderBy = orderBy;
	return filterSortAndPage(call, rows, USER_COLUMNS, { filter: body.filter, page, shouldReturnAllPages: false });
}

/**
 * Creates the handler of a ranking. The response is a plain list without page counts, so each row contains the total
 * number of rows.
 * @param maxCount the maximum number of users in the ranking, the best first
 */
function createRankingHandler(maxCount = Infinity) {
	return (call: RouteCall): JsonObject[] => {
		const body = parseWithSchema(leaderboardSchema, call.json);
		checkPeriodOrder(body);
		const people = rankUsers(call).slice(0, maxCount);
		const rows = people.map(({ user, rank, score }) => ({
			rank,
			targetUserResourceId: user.resourceId,
			...getPersonFields(user),
			preferredLanguage: user.language,
			phoneNumber: getPhoneNumber(user),
			points: score,
			performance: score / 50,
			totalRowCount: people.length,
		}));
		return selectPage(rows, body, call);
	};
}

const findUser = (call: RouteCall, id: string): TargetUser =>
	requireFound(
		listVisibleUsers(call).find(({ resourceId }) => resourceId === id),
		'target user',
	);

const ACTIONS = ['EmailOpened', 'LinkClicked', 'DataSubmitted', 'Reported', 'TrainingCompleted'] as const;
const CAMPAIGN_NAMES = ['Invoice Overdue', 'Parcel Waiting'] as const;

/** The number of events that every user has. */
export const EVENTS_PER_USER = 12;

/** Builds the events of a user. Events have no IDs. Their resourceId is the ID of the campaign. */
function buildEvents({ resourceId }: TargetUser, referenceTime: number): JsonObject[] {
	const random = createRandom(`events ${resourceId}`);
	return Array.from({ length: EVENTS_PER_USER }, (_, index) => {
		const name = pickOne(random, CAMPAIGN_NAMES);
		const action = pickOne(random, ACTIONS);
		const isFailed = action === 'LinkClicked' || action === 'DataSubmitted';
		const time = new Date(referenceTime - index * 86_400_000).toISOString();
		const earnedPoints = isFailed ? -10 : 20;
		return {
			resourceId: makeShortId(`campaign ${name}`),
			name,
			timeZoneId: 'UTC',
			campaignPerformance: 50,
			difficultyType: pickOne(random, ['Easy', 'Medium', 'Hard']),
			points: earnedPoints,
			ActionTime: time,
			ActionTimeWithDay: `Thursday, ${time}`,
			trainingType: 1,
			categoryDescription: 'Finance',
			result: isFailed ? 'Failed' : 'Passed',
			campaignType: 'Email',
			productType: action === 'TrainingCompleted' ? 'Training' : 'Phishing',
			ActionType: action,
			pointRule: {
				ruleName: action,
				earned: !isFailed,
				lostPoints: isFailed ? 10 : 0,
				rulePoint: 20,
				lastPoint: earnedPoints,
			},
		};
	});
}

export function isAmong(acceptedValues: string[] | null | undefined, value: unknown): boolean {
	return !acceptedValues || acceptedValues.length === 0 || acceptedValues.includes(String(value));
}

function buildTimeline(call: RouteCall): JsonObject[] {
	const { filter: _filter, ...body } = parseWithSchema(timelineSchema.extend({ filter: z.undefined() }), call.json);
	checkPeriodOrder(body);
	const events = buildEvents(findUser(call, body.targetUserResourceId), call.world.referenceTime).filter(
		({ ActionType, difficultyType, productType, result }) =>
			isAmong(body.actionTypes, ActionType) &&
			isAmong(body.difficultyTypes, difficultyType) &&
			isAmong(body.products, productType) &&
			(body.showOnlyFailedEvents !== true || result === 'Failed'),
	);
	return selectPage(events, body, call);
}

const SIMULATION_TYPES = ['Phishing', 'Smishing', 'Quishing'] as const;

function buildPerformance(call: RouteCall): JsonObject[] {
	const body = parseWithSchema(userSchema, call.json);
	checkPeriodOrder(body);
	const user = findUser(call, body.targetUserResourceId);
	const random = createRandom(`performance ${user.resourceId}`);
	return SIMULATION_TYPES.map((phishingType, index) => ({
		rank: drawInteger(random, 1, 100),
		phishingTypeId: index + 1,
		phishingType,
		performance: drawInteger(random, 0, 100),
		totalPerformance: drawInteger(random, 0, 100),
		totalPoints: getPoints(user),
	}));
}

const buildChoices = (values: readonly string[]): JsonObject[] =>
	values.map((value) => ({ text: value.replace(/(?<=.)(?=[A-Z])/g, ' '), value, extraDatas: [] }));

const FORM_DETAILS: JsonObject = {
	gamificationActionTypes: buildChoices(ACTIONS),
	gamificationProductTypes: buildChoices(['Phishing', 'Smishing', 'Quishing', 'Training']),
	gamificationScenarioDifficultyTypes: buildChoices(['Easy', 'Medium', 'Hard']),
	gamificationTrainingCategories: buildChoices(['Basics', 'Advanced', 'Compliance']),
};

/** The number of users in the platform's list of top performers. */
export const TOP_PERFORMER_COUNT = 10;

const defineListRoute = (name: string, listRows: (call: RouteCall) => JsonObject[]): Route => ({
	key: `POST /api/leaderboard/${name}`,
	access: 'any',
	bodyType: 'json',
	handle: (call) => okResponse(listRows(call)),
});

/** Creates the routes of the leaderboard's lists. */
export function leaderboardRowRoutes(): Route[] {
	return [
		defineListRoute('get-all', createRankingHandler()),
		defineListRoute('get-top-performers', createRankingHandler(TOP_PERFORMER_COUNT)),
		defineListRoute('get-user-timeline', buildTimeline),
		defineListRoute('user-performance', buildPerformance),
		defineReadRoute('GET /api/leaderboard/form-details', () => FORM_DETAILS),
	].map(markOutsideContract);
}
