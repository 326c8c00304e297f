import { file } from '../shared/answer/file';
import { missingHint } from '../shared/answer/paging';
import { record } from '../shared/answer/record';
import { numberOf, toggle } from '../shared/form/fields';
import { filtersOf } from '../shared/form/search';
import { optionsOf } from '../shared/operation/form';
import { defineComposite, defineOperation } from '../shared/operation/operation';
import { listCompanies, uniqueCompanies } from '../shared/pickers/companies';
import { companyPicker } from '../shared/pickers/resources';
import { asListed, COMPANY, COMPANY_SORT, LICENSE_NOTE } from './fields';
import { create } from './create';
import { getMany } from './getMany';

const fields = {
	filters: filtersOf({
		isTargetUserCountExceededLimit: toggle({
			displayName: 'Only Over License Limit',
			default: true,
			description: 'Whether to export only companies with more users than their license allows',
		}),
	}),
	...optionsOf({
		isClustered: toggle({
			displayName: 'Clustered',
			default: true,
			description: 'Whether to ask for the clustered form of the export',
		}),
	}),
};

const exportMany = defineOperation({
	value: 'export',
	name: 'Export Companies',
	description: 'Get the list of customer companies as a CSV or Excel file',
	contract: 'POST /api/companies/search/export',
	scope: 'credential',
	fields,
	request: ({ filters, options }) => ({ body: { ...filters, ...options } }),
	answer: file({
		name: 'companies',
		sortable: COMPANY_SORT,
	}),
});

const get = defineOperation({
	value: 'get',
	name: 'Get Company',
	description: 'Get the details of one customer company',
	outputNote: LICENSE_NOTE,
	contract: 'GET /api/companies/{resourceId}',
	scope: 'credential',
	fields: { company: companyPicker() },
	request: ({ company }) => ({ path: { resourceId: company.id } }),
	answer: record({ known: COMPANY }),
	output: (json) => asListed(json),
});

const getOwn = defineOperation({
	value: 'getOwn',
	name: 'Get Own Company',
	description: 'Get the company that the credential belongs to; for a Reseller, on some platforms, all its customers',
	outputNote: LICENSE_NOTE,
	contract: 'GET /api/companies/my',
	scope: 'credential',
	answer: record({ known: COMPANY, flatten: uniqueCompanies }),
	output: (json) => asListed(json),
});

const getTotalActiveUsers = defineComposite({
	value: 'getTotalActiveUsers',
	name: 'Get Total Monthly Active Users',
	description: 'Add up the monthly active users of all customer companies, child companies included, each counted once',
	scope: 'credential',
	reads: true,
	uses: [getMany],
	run: async (_values, { context: { service, hint } }) => {
		const list = await listCompanies(service);
		const { records } = list;
		const missing = missingHint(list, 'The list of companies');
		if (missing !== undefined) hint(`${missing} So the total may be wrong.`);
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

export const operations = [create, exportMany, get, getMany, getOwn, getTotalActiveUsers];
