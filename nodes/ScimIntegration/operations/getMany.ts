import { pages } from '../../shared/answer/pages';
import { defineOperation } from '../../shared/operation/define';
import { SCIM_ID } from '../../shared/pickers/scim';

export const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many SCIM Integrations',
	action: 'Get many SCIM integrations',
	description: 'List the connections to identity providers, of one customer or of every one',
	contract: 'POST /api/scim/search',
	scope: 'companies',
	owned: SCIM_ID,
	fields: {},
	request: () => ({}),
	answer: pages({ identity: SCIM_ID, filterable: ['Name', 'CreateTime', 'GroupByCustomFieldName', 'GroupName'] }),
});
