import { record } from '../../shared/answer/record';
import { defineOperation } from '../../shared/operation/define';
import { companyGroupPicker } from '../../shared/pickers/companyGroup';

export const get = defineOperation({
	value: 'get',
	name: 'Get Company Group',
	action: 'Get company group',
	description: 'Get one group with its participants',
	contract: 'GET /api/company-groups/{resourceId}',
	scope: 'credential',
	fields: { companyGroup: companyGroupPicker() },
	request: ({ companyGroup }) => ({ path: { resourceId: companyGroup.id } }),
	answer: record(),
});
