import { record } from '../shared/answer/record';
import { defineOperation } from '../shared/operation/operation';
import { pickerOf } from '../shared/pickers/resources';
import { create } from './create';

const get = defineOperation({
	value: 'get',
	name: 'Get SAML Setting',
	description: 'Get the configuration of one single sign-on setting',
	contract: 'GET /api/companies/saml-settings/{resourceId}',
	scope: 'company',
	fields: {
		samlSettingId: pickerOf('samlSettings'),
	},
	request: ({ samlSettingId }) => ({ path: { resourceId: samlSettingId.id } }),
	answer: record({
		known: {
			id: ['resourceId'],
			simplified: [
				'resourceId',
				'name',
				'statusId',
				'domain',
				'idPSSOTargetUrl',
				'idPEntityID',
				'entityID',
				'idPCertFingerprint',
				'isDefaultRole',
				'defaultRoleResourceId',
			],
		},
	}),
});

const getDefault = defineOperation({
	value: 'getDefault',
	name: 'Get Default SAML Setting',
	description: 'Get the values that an identity provider needs: entity ID, ACS URL and metadata address',
	contract: 'GET /api/companies/saml-settings/default',
	scope: 'company',
	answer: record(),
});

export const operations = [create, get, getDefault];
