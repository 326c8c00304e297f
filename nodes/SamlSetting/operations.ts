import { pages } from '../core/response/listResponse';
import { done, record } from '../core/response/recordResponse';
import { defineOperation } from '../core/operation/defineOperation';
import { pickerOf } from '../domain/pickers/resourcePickers';
import { create } from './createSamlSetting';

const deleteOne = defineOperation({
	value: 'delete',
	name: 'Delete SAML Setting',
	description: 'Remove a single sign-on setting; its users can then no longer sign in this way',
	endpoint: 'DELETE /api/companies/saml-settings/{resourceId}',
	scope: 'company',
	fields: { samlSettingId: pickerOf('samlSettings') },
	request: ({ samlSettingId }) => ({ path: { resourceId: samlSettingId.id } }),
	answer: done({ deleted: true }),
});

const get = defineOperation({
	value: 'get',
	name: 'Get SAML Setting',
	description: 'Get the configuration of one single sign-on setting',
	endpoint: 'GET /api/companies/saml-settings/{resourceId}',
	scope: 'company',
	fields: {
		samlSettingId: pickerOf('samlSettings'),
	},
	request: ({ samlSettingId }) => ({ path: { resourceId: samlSettingId.id } }),
	answer: record({
		known: {
			id: ['resourceId'],
			simplified: ['name', 'domain', 'idPSSOTargetUrl', 'idPEntityID', 'statusId', 'resourceId'],
			others: ['entityID', 'idPCertFingerprint', 'isDefaultRole', 'defaultRoleResourceId'],
		},
	}),
});

const getDefault = defineOperation({
	value: 'getDefault',
	name: 'Get Default SAML Setting',
	description: 'Get the values that an identity provider needs: entity ID, ACS URL and metadata address',
	endpoint: 'GET /api/companies/saml-settings/default',
	scope: 'company',
	answer: record(),
});

const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many SAML Settings',
	description: 'List the single sign-on settings of one customer or of every one',
	endpoint: 'POST /api/companies/saml-settings/search',
	scope: 'companies',
	answer: pages({ identity: ['resourceId'] }),
});

export const operations = [create, deleteOne, get, getDefault, getMany];
