import { plainListResponse } from '../core/response/recordResponse';
import { defineOperation } from '../core/operation/defineOperation';

const getRolesOperation = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many roles',
	description: 'List the roles that system users and REST API clients of a customer can have',
	endpoint: 'GET /api/roles',
	scope: 'companies',
	response: plainListResponse(),
});

export const roleOperations = [getRolesOperation];
