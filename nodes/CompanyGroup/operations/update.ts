import { record } from '../../shared/answer/record';
import { defineOperation } from '../../shared/operation/define';
import { companyGroupPicker } from '../../shared/pickers/companyGroup';
import { groupBody, groupFields } from '../fields';

export const update = defineOperation({
	value: 'update',
	name: 'Update Company Group',
	action: 'Update company group',
	description: 'Change the name and the participants of a group',
	contract: 'PUT /api/company-groups/{resourceId}',
	scope: 'credential',
	fields: { companyGroup: companyGroupPicker(), ...groupFields },
	request: ({ companyGroup, ...values }) => ({
		path: { resourceId: companyGroup.id },
		body: groupBody(values),
	}),
	answer: record(),
});
