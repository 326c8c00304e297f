import { record } from '../../shared/answer/record';
import { defineOperation } from '../../shared/operation/define';
import { apiClientPicker } from '../../shared/pickers/apiClient';
import { clientBody, clientFields, credentialFields } from '../fields';

export const update = defineOperation({
	value: 'update',
	name: 'Update API Client',
	action: 'Update API client',
	description: 'Change a REST API client; all its values are replaced, including its credentials',
	contract: 'PUT /api/companies/clients/{resourceId}',
	scope: 'company',
	fields: { apiClient: apiClientPicker(), ...credentialFields, ...clientFields },
	request: ({ apiClient, clientId, clientSecret, ...client }) => ({
		path: { resourceId: apiClient.id },
		body: clientBody(client, { clientId, clientSecret }),
		secrets: [clientSecret],
	}),
	answer: record({ as: 'resourceId' }),
});
