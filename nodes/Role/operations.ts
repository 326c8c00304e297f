import { plainList } from '../core/response/recordResponse';
import { defineOperation } from '../core/operation/defineOperation';

const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many Roles',
	description: 'List the roles that users and REST API clients of a customer can have',
	endpoint: 'GET /api/roles',
	scope: 'companies',
	answer: plainList(),
});

export const operations = [getMany];
