import { done } from '../../shared/answer/done';
import { defineOperation } from '../../shared/operation/define';
import { apiClientPicker } from '../../shared/pickers/apiClient';

export const deleteOne = defineOperation({
	value: 'delete',
	name: 'Delete API Client',
	action: 'Delete API client',
	description: 'Remove a REST API client; systems that use it can no longer sign in',
	contract: 'DELETE /api/companies/clients/{resourceId}',
	scope: 'company',
	fields: { apiClient: apiClientPicker() },
	request: ({ apiClient }) => ({ path: { resourceId: apiClient.id } }),
	answer: done({ deleted: true }),
});
