import { remarkOn } from '../../shared/answer/paging';
import { numberOf } from '../../shared/form/value';
import { defineComposite } from '../../shared/operation/composite';
import { listCompanies } from '../../shared/pickers/companies';
import { getMany } from './getMany';

export const getTotalActiveUsers = defineComposite({
	value: 'getTotalActiveUsers',
	name: 'Get Total Monthly Active Users',
	action: 'Get total monthly active users',
	description: 'Add up the monthly active users of all customer companies, child companies included, each counted once',
	scope: 'credential',
	fields: {},
	reads: true,
	steps: [getMany],
	run: async (_values, { session: { service, hint } }) => {
		const list = await listCompanies(service);
		const { records } = list;
		const remark = remarkOn(list, 'The list of companies');
		if (remark !== undefined) hint(`${remark} So the total may be wrong.`);
		const counts = records.map(({ monthlyActiveUserCount }) => numberOf(monthlyActiveUserCount ?? NaN));
		const known = counts.filter((count) => Number.isFinite(count));
		return [
			{
				json: {
					totalMonthlyActiveUserCount: known.reduce((sum, count) => sum + count, 0),
					companyCount: records.length,
					companiesWithoutCount: records.length - known.length,
				},
			},
		];
	},
});
