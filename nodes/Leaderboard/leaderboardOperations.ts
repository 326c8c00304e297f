import { fileResponse } from '../core/response/fileResponse';
import { listResponse, USER_SORTABLE_FIELDS } from '../core/response/listResponse';
import type { FieldValues } from '../core/fields/field';
import { buildPeriodBody, reportPeriodFields } from '../core/fields/period';
import { createOptionsBlock } from '../core/operation/operationFields';
import { defineOperation } from '../core/operation/defineOperation';
import { REPORT_USER_ID_FIELDS } from '../domain/pickers/resourcePickers';

export const exportLeaderboardOperation = defineOperation({
	value: 'export',
	name: 'Export',
	action: 'Export leaderboard',
	description: 'Export the ranking of users by points as a CSV or Excel file, one file per company',
	endpoint: 'POST /api/leaderboard/get-all/export',
	scope: 'companies',
	fields: createOptionsBlock(reportPeriodFields),
	request: ({ options }) => ({ body: buildPeriodBody(options) }),
	response: fileResponse({ fallbackName: 'leaderboard', sortableFields: USER_SORTABLE_FIELDS }),
});

/** The parts that are the same in the ranking of all people and the ranking of the top performers. */
const sharedRankingProperties = {
	scope: 'companies' as const,
	fields: createOptionsBlock(reportPeriodFields),
	request: ({ options }: { options: Partial<FieldValues<typeof reportPeriodFields>> }) => ({
		body: buildPeriodBody(options),
	}),
	response: listResponse({
		identity: REPORT_USER_ID_FIELDS,
		sortableFields: { Rank: 'Rank', Points: 'Points', ...USER_SORTABLE_FIELDS },
		outputFields: {
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
			additional: ['phoneNumber', 'totalRowCount'],
		},
	}),
};

export const getManyLeaderboardUsersOperation = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many leaderboard users',
	description: 'List users with their rank and points, best first',
	endpoint: 'POST /api/leaderboard/get-all',
	...sharedRankingProperties,
});

export const getTopPerformersOperation = defineOperation({
	value: 'getTopPerformers',
	name: 'Get Top Performers',
	action: 'Get top leaderboard performers',
	description: 'List the users at the top of the ranking, with their rank and points',
	endpoint: 'POST /api/leaderboard/get-top-performers',
	...sharedRankingProperties,
});
