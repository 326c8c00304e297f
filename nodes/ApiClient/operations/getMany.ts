import { pages } from '../../shared/answer/pages';
import { defineOperation } from '../../shared/operation/define';
import { CLIENT_ID } from '../../shared/pickers/apiClient';

export const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many API Clients',
	action: 'Get many API clients',
	description: 'List the REST API clients of one customer or of every one',
	contract: 'POST /api/companies/clients/search',
	scope: 'companies',
	owned: CLIENT_ID,
	fields: {},
	request: () => ({}),
	answer: pages({ identity: CLIENT_ID, filterable: ['ClientName', 'ClientId', 'CreateTime', 'StatusName'] }),
});
