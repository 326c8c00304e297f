import { record } from '../../shared/answer/record';
import { defineOperation } from '../../shared/operation/define';
import { apiClientPicker } from '../../shared/pickers/apiClient';

export const get = defineOperation({
	value: 'get',
	name: 'Get API Client',
	action: 'Get API client',
	description: 'Get one REST API client; its secret is never shown again',
	contract: 'GET /api/companies/clients/{resourceId}',
	scope: 'company',
	fields: { apiClient: apiClientPicker() },
	request: ({ apiClient }) => ({ path: { resourceId: apiClient.id } }),
	answer: record(),
});
