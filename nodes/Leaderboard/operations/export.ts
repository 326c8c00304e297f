import { file } from '../../shared/answer/file';
import { USER_SORT } from '../../shared/answer/pages';
import { defineOperation } from '../../shared/operation/define';
import { inPeriod, periodsOf, reportPeriod } from '../../shared/pickers/datePeriod';
import { inPagination } from '../fields';

export const exportMany = defineOperation({
	value: 'export',
	name: 'Export Leaderboard',
	action: 'Export leaderboard',
	description: 'Get the ranking of users by points as a CSV or Excel file, one file per company',
	contract: 'POST /api/leaderboard/get-all/export',
	scope: 'companies',
	fields: { reportOptions: reportPeriod },
	request: ({ reportOptions }) => ({ body: periodsOf(reportOptions)[0] }),
	perform: async ({ reportOptions }, { send, session }) => await inPeriod(periodsOf(reportOptions), send, session),
	answer: file({
		name: 'leaderboard',
		page: inPagination,
		sortable: USER_SORT,
		// The fields of a row of the ranking (deployment beyond: get-all).
		filterable: ['Email', 'Department', 'FirstName', 'LastName', 'Points', 'PreferredLanguage', 'Rank'],
		defaultOrder: { orderBy: 'Email', ascending: true },
	}),
});
