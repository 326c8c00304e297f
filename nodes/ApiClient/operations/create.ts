import { record } from '../../shared/answer/record';
import { defineOperation } from '../../shared/operation/define';
import { clientBody, clientFields, credentialFields } from '../fields';

export const create = defineOperation({
	value: 'create',
	name: 'Create API Client',
	action: 'Create API client',
	description: 'Create a REST API client from generated credentials, with at least one role',
	contract: 'POST /api/companies/clients',
	scope: 'company',
	fields: { ...credentialFields, ...clientFields },
	request: ({ clientId, clientSecret, ...client }) => ({
		body: clientBody(client, { clientId, clientSecret }),
		secrets: [clientSecret],
	}),
	answer: record({ as: 'resourceId' }),
});
