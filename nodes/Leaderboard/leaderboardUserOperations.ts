import type { IDataObject } from 'n8n-workflow';

import { fileResponse } from '../core/response/fileResponse';
import { listResponse, USER_SORTABLE_FIELDS } from '../core/response/listResponse';
import { plainListResponse } from '../core/response/recordResponse';
import { makeOptional, toggleField } from '../core/fields/fieldTypes';
import { rejectEmptyExpression, rejectEmptyExpressions, type FieldValues } from '../core/fields/field';
import { buildPeriodBody, reportPeriodFields } from '../core/fields/period';
import { createOptionsBlock } from '../core/operation/operationFields';
import { defineOperation } from '../core/operation/defineOperation';
import {
	buildTimelinePage,
	createTimelineCompleter,
	flattenPersonEvents,
	PERSON_EVENT_FIELDS,
	TIMELINE_ENDPOINT,
} from '../domain/people/personTimeline';
import { platformMultiPicker } from '../domain/pickers/platformLists';
import { REPORT_USER_ID_FIELDS, resourcePicker } from '../domain/pickers/resourcePickers';
import { formatCount, type Choice } from '../core/values';

const timelineFields = rejectEmptyExpressions({
	actionTypes: platformMultiPicker('actionTypes', {
		displayName: 'Action Type Names or IDs',
		description: 'Only include actions of these types. Leave empty to include all',
	}),
	...reportPeriodFields,
	difficultyTypes: platformMultiPicker('difficultyTypes', {
		displayName: 'Difficulty Type Names or IDs',
		description: 'Only include simulations of these difficulties, such as Easy. Leave empty to include all',
	}),
	products: platformMultiPicker('products', {
		displayName: 'Product Names or IDs',
		description: 'Only include actions in these products of the platform. Leave empty to include all',
	}),
	showOnlyFailedEvents: toggleField({
		displayName: 'Only Failed Actions',
		description: 'Whether to include only failed actions, such as failed simulations',
		default: true,
	}),
});

/** Returns the values that the user selected for a filter. If there are none, returns null, so that the platform doesn't filter. */
const toFilterValues = (values: string[] = []) => (values.length > 0 ? values : null);

/** Builds the request body of a timeline, except for the user's ID. */
const buildTimelineBody = (options: Partial<FieldValues<typeof timelineFields>>) => ({
	...buildPeriodBody(options),
	actionTypes: toFilterValues(options.actionTypes),
	difficultyTypes: toFilterValues(options.difficultyTypes),
	products: toFilterValues(options.products),
	showOnlyFailedEvents: options.showOnlyFailedEvents ?? false,
});

export const exportUserTimelineOperation = defineOperation({
	value: 'exportTimeline',
	name: 'Export Timeline',
	action: 'Export user timeline',
	description: "Export the timeline of users' actions to a CSV or Excel file",
	endpoint: 'POST /api/leaderboard/get-user-timeline/export',
	scope: 'companies',
	fields: createOptionsBlock({
		...timelineFields,
		targetUserResourceId: rejectEmptyExpression(
			makeOptional(
				resourcePicker('rankedUsers', {
					displayName: 'Target User',
					description: 'Only include this user. Leave empty to include all users.',
					required: false,
				}),
			),
		),
	}),
	request: ({ options }) => ({
		body: { ...buildTimelineBody(options), targetUserResourceId: options.targetUserResourceId?.id ?? null },
	}),
	response: fileResponse({ fallbackName: 'user-timeline', isFilterable: false, sortableFields: USER_SORTABLE_FIELDS }),
});

const targetUserField = resourcePicker('rankedUsers', {
	displayName: 'Target User',
	description: 'Select a user from the leaderboard, or enter the email address or ID',
});

/** Adds the user's ID to an output item, because the platform's records don't have it. */
const addUserId = (json: IDataObject, { targetUser }: { targetUser: Choice }): IDataObject => ({
	targetUserResourceId: targetUser.id,
	...json,
});

export const getUserTimelineOperation = defineOperation({
	value: 'getTimeline',
	name: 'Get Timeline',
	action: 'Get user timeline',
	description: 'List what a user did, with times and points, latest first',
	endpoint: 'POST /api/leaderboard/get-user-timeline',
	scope: 'company',
	fields: { targetUser: targetUserField, ...createOptionsBlock(timelineFields) },
	request: ({ targetUser, options }) => ({
		body: { ...buildTimelineBody(options), targetUserResourceId: targetUser.id },
	}),
	response: listResponse({
		// An event can't be recognized by an ID: no document mentions one, and its resourceId may be the ID of the campaign.
		identity: [],
		isFilterable: false,
		sortableFields: { 'Action Time': 'ActionTime', Name: 'Name', Points: 'Points' },
		outputFields: {
			id: ['resourceId'],
			simplified: [
				'ActionTime',
				'ActionType',
				'name',
				'result',
				'points',
				'productType',
				'campaignType',
				'difficultyType',
				'categoryDescription',
				'resourceId',
				'targetUserResourceId',
			],
			additional: ['ActionTimeWithDay', 'campaignPerformance', 'pointRule', 'timeZoneId', 'trainingType'],
		},
	}),
	transformOutput: addUserId,
});

const CHANGED_TIMELINES_HINT =
	'Some events may be missing or appear twice, because they changed while the node read them. Run the node again.';

export const getManyUsersWithTimelineOperation = defineOperation({
	value: 'getManyWithTimeline',
	name: 'Get Many With Timeline',
	action: 'Get many users with timeline',
	description: "List the events of many users, one item per event with the user's fields",
	outputNote:
		"Each item is one event: what a user did, when, with which result and points. With the output Raw, the fields userPoints, userPerformance and rank are the totals of the user. In an event, resourceId is probably the ID of the campaign or the training. The platform doesn't mark bots here. To leave out bots, use the operations of the campaign nodes.",
	endpoint: TIMELINE_ENDPOINT,
	scope: 'companies',
	fields: createOptionsBlock(timelineFields),
	request: ({ options }) => ({ body: { ...buildTimelineBody(options), ...buildTimelinePage() } }),
	response: listResponse({
		identity: REPORT_USER_ID_FIELDS,
		sortableFields: { Rank: 'Rank', Points: 'Points', ...USER_SORTABLE_FIELDS },
		outputFields: PERSON_EVENT_FIELDS,
		fields: createOptionsBlock({
			includeUsersWithoutEvents: toggleField({
				displayName: 'Users Without Events',
				description: 'Whether to also return one item for each user who has no events',
				default: true,
			}),
		}),
		toQuery: ({ options: { includeUsersWithoutEvents } }) => ({
			flatten: (users) => users.flatMap((user) => flattenPersonEvents(user, includeUsersWithoutEvents)),
			// With a condition, the limit counts events. Otherwise users without events would count too.
			shouldKeep: () => true,
		}),
	}),
	perform: async (_values, { context, send }) => {
		const { completePage, countIncompletePeople } = createTimelineCompleter(context.client);
		const items = await send({}, { completePage });
		const incompletePeopleCount = countIncompletePeople();
		if (incompletePeopleCount > 0) context.addHint(CHANGED_TIMELINES_HINT, formatCount(incompletePeopleCount, 'user'));
		return items;
	},
});

export const getUserPerformanceOperation = defineOperation({
	value: 'getPerformance',
	name: 'Get Performance',
	action: 'Get user performance',
	description: 'Get the rank and points of a user for each kind of simulation',
	endpoint: 'POST /api/leaderboard/user-performance',
	scope: 'company',
	fields: { targetUser: targetUserField, ...createOptionsBlock(reportPeriodFields) },
	request: ({ targetUser, options }) => ({
		body: { ...buildPeriodBody(options), targetUserResourceId: targetUser.id },
	}),
	response: plainListResponse(),
	transformOutput: addUserId,
});
