import { list } from '../../shared/answer/record';
import { defineOperation } from '../../shared/operation/define';

export const getFields = defineOperation({
	value: 'getFields',
	name: 'Get SCIM Fields',
	action: 'Get SCIM fields',
	description: 'List the attributes of users, such as department, that can be mapped or grouped by',
	contract: 'GET /api/scim/fields',
	scope: 'company',
	fields: {},
	request: () => ({}),
	answer: list(),
});
