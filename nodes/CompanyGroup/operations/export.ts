import { file } from '../../shared/answer/file';
import { DEFAULT_SORT } from '../../shared/answer/pages';
import { defineOperation } from '../../shared/operation/define';
import { GROUP_FILTERABLE } from '../fields';

export const exportMany = defineOperation({
	value: 'export',
	name: 'Export Company Groups',
	action: 'Export company groups',
	description: 'Get the list of groups as a CSV or Excel file',
	contract: 'POST /api/company-groups/search/export',
	scope: 'credential',
	fields: {},
	request: () => ({}),
	answer: file({
		name: 'company-groups',
		// Contract 2.16 spells it so for this export.
		spelling: { csv: 'Csv', excel: 'Excel' },
		sortable: DEFAULT_SORT,
		filterable: GROUP_FILTERABLE,
		defaultOrder: { orderBy: 'CreateTime', ascending: false },
	}),
});
