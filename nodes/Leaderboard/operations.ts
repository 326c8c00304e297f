import type { IDataObject } from 'n8n-workflow';

import { file } from '../core/response/fileResponse';
import { pages, USER_SORT } from '../core/response/listResponse';
import { plainList } from '../core/response/recordResponse';
import { optional, toggle } from '../core/fields/fieldTypes';
import { mustHaveValue, mustHaveValues, type Values } from '../core/fields/field';
import { periodBody, reportPeriod } from '../core/fields/period';
import { optionsOf } from '../core/operation/operationFields';
import { defineOperation } from '../core/operation/defineOperation';
import { platformMultiPicker } from '../domain/pickers/platformLists';
import { pickerOf, TARGET_USER_ID } from '../domain/pickers/resourcePickers';

const exportMany = defineOperation({
	value: 'export',
	name: 'Export Leaderboard',
	description: 'Get the ranking of users by points as a CSV or Excel file, one file per company',
	endpoint: 'POST /api/leaderboard/get-all/export',
	scope: 'companies',
	fields: optionsOf(reportPeriod),
	request: ({ options }) => ({ body: periodBody(options) }),
	answer: file({ name: 'leaderboard', sortable: USER_SORT }),
});

/** Values for a filter; none means all. */
const some = (values: string[] = []) => (values.length > 0 ? values : null);

const timelineFields = mustHaveValues({
	actionTypes: platformMultiPicker('actionTypes', {
		displayName: 'Action Type Names or IDs',
		description: 'Only these kinds of actions; empty means all',
	}),
	...reportPeriod,
	difficultyTypes: platformMultiPicker('difficultyTypes', {
		displayName: 'Difficulty Type Names or IDs',
		description: 'Only simulations of these difficulties; empty means all',
	}),
	products: platformMultiPicker('products', {
		displayName: 'Product Names or IDs',
		description: 'Only what was done in these products; empty means all',
	}),
	showOnlyFailedEvents: toggle({
		displayName: 'Only Failed Events',
		description: 'Whether to return only the events that users failed',
		default: true,
	}),
});

const timelineBody = (chosen: Partial<Values<typeof timelineFields>>) => ({
	...periodBody(chosen),
	actionTypes: some(chosen.actionTypes),
	difficultyTypes: some(chosen.difficultyTypes),
	products: some(chosen.products),
	showOnlyFailedEvents: chosen.showOnlyFailedEvents ?? false,
});

const exportUserTimeline = defineOperation({
	value: 'exportUserTimeline',
	name: 'Export User Timeline',
	description: 'Get what users did and when, such as trainings passed and simulations failed, as a CSV or Excel file',
	endpoint: 'POST /api/leaderboard/get-user-timeline/export',
	scope: 'companies',
	fields: optionsOf({
		...timelineFields,
		targetUserResourceId: mustHaveValue(
			optional(
				pickerOf('rankedUsers', {
					displayName: 'Target User',
					description: 'Only this user',
					required: false,
				}),
			),
		),
	}),
	request: ({ options }) => ({
		body: { ...timelineBody(options), targetUserResourceId: options.targetUserResourceId?.id ?? null },
	}),
	answer: file({ name: 'user-timeline', isFiltered: false, sortable: USER_SORT }),
});

/** What the two rankings have in common. */
const ranking = {
	scope: 'companies' as const,
	fields: optionsOf(reportPeriod),
	request: ({ options }: { options: Partial<Values<typeof reportPeriod>> }) => ({ body: periodBody(options) }),
	answer: pages({
		identity: TARGET_USER_ID,
		sortable: { Rank: 'Rank', Points: 'Points', ...USER_SORT },
		known: {
			simplified: [
				'email',
				'firstName',
				'lastName',
				'department',
				'rank',
				'points',
				'performance',
				'preferredLanguage',
				'targetUserResourceId',
			],
			others: ['phoneNumber', 'totalRowCount'],
		},
	}),
};

const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many Leaderboard Users',
	description: 'List the ranking of users with their points, the best first',
	endpoint: 'POST /api/leaderboard/get-all',
	...ranking,
});

const getTopPerformers = defineOperation({
	value: 'getTopPerformers',
	name: 'Get Top Performers',
	description: 'List the users whom the platform counts among the best, with their points',
	endpoint: 'POST /api/leaderboard/get-top-performers',
	...ranking,
});

const targetUser = pickerOf('rankedUsers', {
	displayName: 'Target User',
	description: 'Choose one of the leaderboard, or enter the Target User ID of another row or operation',
});

/** What is of one user: the rows do not say of whom. */
const ofUser = (json: IDataObject, { targetUser: { id } }: { targetUser: { id: string } }): IDataObject => ({
	targetUserResourceId: id,
	...json,
});

const getUserTimeline = defineOperation({
	value: 'getUserTimeline',
	name: 'Get User Timeline',
	description: 'List what one user did and when, and the points for it, the latest first',
	endpoint: 'POST /api/leaderboard/get-user-timeline',
	scope: 'company',
	fields: { targetUser, ...optionsOf(timelineFields) },
	request: ({ targetUser: { id }, options }) => ({ body: { ...timelineBody(options), targetUserResourceId: id } }),
	answer: pages({
		// An event has no ID of its own in the description: its resourceId may be that of the campaign.
		identity: [],
		isFiltered: false,
		sortable: { 'Action Time': 'ActionTime', Name: 'Name', Points: 'Points' },
		known: {
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
			others: ['ActionTimeWithDay', 'campaignPerformance', 'pointRule', 'timeZoneId', 'trainingType'],
		},
	}),
	output: ofUser,
});

const getUserPerformance = defineOperation({
	value: 'getUserPerformance',
	name: 'Get User Performance',
	description: 'Get the rank and the points of one user for each kind of simulation',
	endpoint: 'POST /api/leaderboard/user-performance',
	scope: 'company',
	fields: { targetUser, ...optionsOf(reportPeriod) },
	request: ({ targetUser: { id }, options }) => ({ body: { ...periodBody(options), targetUserResourceId: id } }),
	answer: plainList(),
	output: ofUser,
});

export const operations = [
	exportMany,
	exportUserTimeline,
	getMany,
	getTopPerformers,
	getUserPerformance,
	getUserTimeline,
];
