import { record } from '../../shared/answer/record';
import { defineOperation } from '../../shared/operation/define';
import { groupBody, groupFields } from '../fields';

export const create = defineOperation({
	value: 'create',
	name: 'Create Company Group',
	action: 'Create company group',
	description: 'Put customer companies together in a new group',
	contract: 'POST /api/company-groups',
	scope: 'credential',
	fields: groupFields,
	request: (values) => ({ body: groupBody(values) }),
	answer: record(),
});
