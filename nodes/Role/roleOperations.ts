import { plainListResponse } from '../core/response/recordResponse';
import { defineOperation } from '../core/operation/defineOperation';

const getRolesOperation = defineOperation({
	value: 'getMany',
	name: 'Get Many Roles',
	description: 'List the roles that users and REST API clients of a customer can have',
	endpoint: 'GET /api/roles',
	scope: 'companies',
	response: plainListResponse(),
});

export const roleOperations = [getRolesOperation];
