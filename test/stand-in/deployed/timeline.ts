/** The route that lists people with their events (deployment onboarding 3). */
import groupBy from 'lodash/groupBy';
import { z } from 'zod';
import type { PersonEvent } from '../companyData';
import { parseWithSchema } from '../envelope';
import { markOutsideContract, okResponse, type JsonObject, type Route, type RouteCall } from '../http';
import { filterSortAndPage } from '../paging';
import { SIMULATORS, type Simulator } from '../profile';
import { getJobPeople, type UserAction } from '../routes/campaign-people';
import { listCampaigns, wasSent } from '../routes/campaigns';
import { checkPeriodOrder, periodFields, rankUsers } from '../routes/leaderboard';
import { addHours, getProgress } from '../routes/training-report-lists';
import { isAmong, optionalStringListSchema, pageSchema, selectPage, USER_COLUMNS } from './leaderboard';
import { getPersonFields } from './lists';

const timelineSchema = z
	.object({
		...periodFields,
		filter: z.unknown(),
		actionTypes: optionalStringListSchema,
		difficultyTypes: optionalStringListSchema,
		products: optionalStringListSchema,
		showOnlyFailedEvents: z.boolean().nullish(),
		userPagination: pageSchema.nullish(),
		timelinePagination: pageSchema.nullish(),
		includeTimeline: z.boolean().nullish(),
	})
	.passthrough();
type TimelineBody = z.output<typeof timelineSchema>;

const ACTION_TYPES: Partial<Record<UserAction, string>> = {
	opened: 'EmailOpened',
	clicked: 'LinkClicked',
	submitted: 'DataSubmitted',
	reported: 'Reported',
};
const PRODUCTS: Record<Simulator, string> = { phishing: 'Phishing', quishing: 'Quishing', smishing: 'Smishing' };

/**
 * Lists the events of campaign jobs. Bots have events like people, and no field shows them (deployment onboarding 3).
 * Test campaigns have none (deployment behaviour, "Trainings, groups, enrollments").
 */
function listSimulationEvents(call: RouteCall, simulator: Simulator): PersonEvent[] {
	const campaigns = listCampaigns(call, simulator).filter(
		(campaign) => wasSent(campaign) && !campaign.excludeFromReports,
	);
	return campaigns.flatMap((campaign) =>
		campaign.instanceGroups.flatMap((group) =>
			getJobPeople(call.world, campaign, group).flatMap(({ user, activities }) =>
				Object.entries(ACTION_TYPES).flatMap(([action, actionType]) =>
					activities[action as UserAction].map(({ time }) => ({
						targetUserResourceId: user.resourceId,
						resourceId: campaign.resourceId,
						name: campaign.name,
						actionType,
						actionTime: time,
						productType: PRODUCTS[simulator],
						difficultyType: campaign.difficulty,
					})),
				),
			),
		),
	);
}

/** Lists the completed trainings. */
function listTrainingEvents(call: RouteCall): PersonEvent[] {
	const enrollments = call.visibleCompanies.flatMap((company) => call.world.getCompanyData(company).enrollments);
	return enrollments
		.filter(({ markedAsTest, excludeFromReports }) => !markedAsTest && !excludeFromReports)
		.flatMap(({ resourceId, name }) =>
			getProgress({ ...call, params: { enrollmentId: resourceId } })
				.people.filter(({ status }) => status === 'Completed')
				.map(({ user, sentTime }) => ({
					targetUserResourceId: user.resourceId,
					resourceId,
					name,
					actionType: 'TrainingCompleted',
					actionTime: addHours(sentTime, 48),
					productType: 'Training',
					difficultyType: null,
				})),
		);
}

function isFailedEvent({ actionType }: PersonEvent): boolean {
	return actionType === 'LinkClicked' || actionType === 'DataSubmitted';
}

function createEventFilter(body: TimelineBody): (event: PersonEvent) => boolean {
	const startTime = Date.parse(body.startDate ?? '1970-01-01');
	const endTime = Date.parse(body.endDate ?? '9999-01-01');
	return (event) => {
		const time = Date.parse(event.actionTime);
		return (
			time >= startTime &&
			time <= endTime &&
			isAmong(body.actionTypes, event.actionType) &&
			isAmong(body.difficultyTypes, event.difficultyType) &&
			isAmong(body.products, event.productType) &&
			(body.showOnlyFailedEvents !== true || isFailedEvent(event))
		);
	};
}

function buildEventRow(event: PersonEvent): JsonObject {
	const isFailed = isFailedEvent(event);
	return {
		resourceId: event.resourceId,
		name: event.name,
		productType: event.productType,
		ActionType: event.actionType,
		result: isFailed ? 'Failed' : 'Passed',
		points: isFailed ? -100 : 100,
		difficultyType: event.difficultyType,
		ActionTime: event.actionTime,
		ActionTimeWithDay: `Thursday, ${event.actionTime}`,
		timeZoneId: 'UTC',
		trainingType: null,
		campaignType: event.productType === 'Training' ? null : 'Click-Only',
		categoryDescription: null,
		pointRule: { ruleName: event.actionType, earned: !isFailed, lostPoints: isFailed ? 100 : 0 },
	};
}

function searchWithTimeline(call: RouteCall): JsonObject {
	const body = parseWithSchema(timelineSchema, call.json);
	checkPeriodOrder(body);
	const addedEvents = call.visibleCompanies.flatMap((company) => call.world.getCompanyData(company).personEvents);
	const events = [
		...SIMULATORS.flatMap((simulator) => listSimulationEvents(call, simulator)),
		...listTrainingEvents(call),
		...addedEvents,
	].filter(createEventFilter(body));
	const eventsByUserId = groupBy(events, ({ targetUserResourceId }) => targetUserResourceId);
	const userRows = rankUsers(call).map(({ user, rank, score }) => ({
		rank,
		targetUserResourceId: user.resourceId,
		...getPersonFields(user),
		preferredLanguage: user.language,
		points: score,
		performance: score / 50,
	}));
	const { filter, userPagination, timelinePagination } = body;
	const users = selectPage(userRows, { filter, pagination: userPagination }, call).map((row) => {
		const eventRows = (eventsByUserId[String(row.targetUserResourceId)] ?? []).map(buildEventRow);
		const page = selectPage(eventRows, { pagination: timelinePagination }, call);
		return { ...row, timeline: body.includeTimeline === true ? page : [], timelineTotalCount: eventRows.length };
	});
	const matchingUsers = filterSortAndPage(call, userRows, USER_COLUMNS, {
		filter,
		page: {},
		shouldReturnAllPages: true,
	});
	return {
		users,
		totalUserCount: matchingUsers.length,
		currentPage: userPagination?.pageNumber ?? 1,
		pageSize: userPagination?.pageSize ?? 10,
	};
}

/** Creates the route of people with their events. */
export function timelineRoutes(): Route[] {
	return [
		markOutsideContract({
			key: 'POST /api/leaderboard/search-with-timeline',
			access: 'any',
			bodyType: 'json',
			handle: (call) => okResponse(searchWithTimeline(call)),
		}),
	];
}
