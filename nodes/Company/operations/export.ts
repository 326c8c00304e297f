import { file } from '../../shared/answer/file';
import { collection } from '../../shared/form/collection';
import { toggle } from '../../shared/form/toggle';
import { defineOperation } from '../../shared/operation/define';
import { COMPANY_FILTERABLE, COMPANY_SORT } from '../fields';

const fields = {
	additionalFields: collection({
		displayName: 'Additional Fields',
		fields: {
			isClustered: toggle({
				displayName: 'Clustered',
				default: true,
				description: 'Whether to ask for the clustered form of the export',
			}),
			isTargetUserCountExceededLimit: toggle({
				displayName: 'Only Over License Limit',
				default: true,
				description: 'Whether to export only companies with more users than their license allows',
			}),
		},
	}),
};

export const exportMany = defineOperation({
	value: 'export',
	name: 'Export Companies',
	action: 'Export companies',
	description: 'Get the list of customer companies as a CSV or Excel file',
	contract: 'POST /api/companies/search/export',
	scope: 'credential',
	fields,
	request: ({ additionalFields }) => ({ body: additionalFields }),
	answer: file({
		name: 'companies',
		sortable: COMPANY_SORT,
		filterable: COMPANY_FILTERABLE,
		defaultOrder: { orderBy: 'CreateTime', ascending: false },
	}),
});
