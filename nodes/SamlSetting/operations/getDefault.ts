import { record } from '../../shared/answer/record';
import { defineOperation } from '../../shared/operation/define';

export const getDefault = defineOperation({
	value: 'getDefault',
	name: 'Get Default SAML Setting',
	action: 'Get default SAML setting',
	description: 'Get the values that an identity provider needs: entity ID, ACS URL and metadata address',
	contract: 'GET /api/companies/saml-settings/default',
	scope: 'company',
	fields: {},
	request: () => ({}),
	answer: record(),
});
