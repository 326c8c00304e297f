import { file } from '../../shared/answer/file';
import { USER_SORT } from '../../shared/answer/pages';
import { collection } from '../../shared/form/collection';
import { period, periodOf } from '../../shared/form/period';
import { defineOperation } from '../../shared/operation/define';
import { inPagination } from '../fields';

export const exportMany = defineOperation({
	value: 'export',
	name: 'Export Leaderboard',
	action: 'Export leaderboard',
	description: 'Get the ranking of users by points as a CSV or Excel file, one file per company',
	contract: 'POST /api/leaderboard/get-all/export',
	scope: 'companies',
	fields: {
		reportOptions: collection({ displayName: 'Report Period', button: 'Add Date', fields: period }),
	},
	request: ({ reportOptions }) => ({ body: periodOf(reportOptions) }),
	answer: file({
		name: 'leaderboard',
		page: inPagination,
		sortable: USER_SORT,
		defaultOrder: { orderBy: 'Email', ascending: true },
	}),
});
