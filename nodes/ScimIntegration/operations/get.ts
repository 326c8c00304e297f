import { record } from '../../shared/answer/record';
import { defineOperation } from '../../shared/operation/define';
import { scimPicker } from '../../shared/pickers/scim';

export const get = defineOperation({
	value: 'get',
	name: 'Get SCIM Integration',
	action: 'Get SCIM integration',
	description: 'Get the details of one connection to an identity provider',
	contract: 'GET /api/scim/{resourceId}',
	scope: 'company',
	fields: { scimIntegration: scimPicker() },
	request: ({ scimIntegration }) => ({ path: { resourceId: scimIntegration.id } }),
	answer: record(),
});
