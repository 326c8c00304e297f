import { record } from '../../shared/answer/record';
import { simplifyField } from '../../shared/answer/simplify';
import { defineOperation } from '../../shared/operation/define';
import { apiClientPicker } from '../../shared/pickers/apiClient';

export const get = defineOperation({
	value: 'get',
	name: 'Get API Client',
	action: 'Get API client',
	description: 'Get one REST API client; some platforms show its secret here, which Simplify leaves out',
	outputsSecret: true,
	contract: 'GET /api/companies/clients/{resourceId}',
	scope: 'company',
	fields: { apiClient: apiClientPicker(), simplify: simplifyField },
	request: ({ apiClient }) => ({ path: { resourceId: apiClient.id } }),
	answer: record(),
	perform: async ({ simplify }, { send }) => {
		const found = await send();
		return simplify ? found.map(({ json: { clientSecret: _secret, ...json } }) => ({ json })) : found;
	},
});
