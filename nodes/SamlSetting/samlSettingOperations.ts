import { listResponse } from '../core/response/listResponse';
import { emptyResponse, recordResponse } from '../core/response/recordResponse';
import { defineOperation } from '../core/operation/defineOperation';
import { resourcePicker } from '../domain/pickers/resourcePickers';
import { createSamlSettingOperation } from './createSamlSetting';

const deleteSamlSettingOperation = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete SAML setting',
	description: 'Delete a SAML setting so that users can no longer sign in with it',
	endpoint: 'DELETE /api/companies/saml-settings/{resourceId}',
	scope: 'company',
	fields: { samlSettingId: resourcePicker('samlSettings') },
	request: ({ samlSettingId: samlSetting }) => ({ path: { resourceId: samlSetting.id } }),
	response: emptyResponse({ deleted: true }),
});

const getSamlSettingOperation = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get SAML setting',
	description: 'Get a SAML setting with its domains, sign-in URL and status',
	endpoint: 'GET /api/companies/saml-settings/{resourceId}',
	scope: 'company',
	fields: { samlSettingId: resourcePicker('samlSettings') },
	request: ({ samlSettingId: samlSetting }) => ({ path: { resourceId: samlSetting.id } }),
	response: recordResponse({
		outputFields: {
			id: ['resourceId'],
			simplified: ['name', 'domain', 'idPSSOTargetUrl', 'idPEntityID', 'statusId', 'resourceId'],
			additional: ['entityID', 'idPCertFingerprint', 'isDefaultRole', 'defaultRoleResourceId'],
		},
	}),
});

const getDefaultSamlSettingOperation = defineOperation({
	value: 'getDefault',
	name: 'Get Default',
	action: 'Get default SAML setting',
	description: "Get the platform's entity ID, ACS URL and metadata URL, which you enter at the identity provider",
	endpoint: 'GET /api/companies/saml-settings/default',
	scope: 'company',
	response: recordResponse(),
});

const getSamlSettingsOperation = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many SAML settings',
	description: 'List the SAML settings (single sign-on) of one customer or all customers',
	endpoint: 'POST /api/companies/saml-settings/search',
	scope: 'companies',
	response: listResponse({ identity: ['resourceId'] }),
});

/** The operations of the SAML Setting node. The node's properties list their forms in this order. */
export const samlSettingOperations = [
	createSamlSettingOperation,
	deleteSamlSettingOperation,
	getSamlSettingOperation,
	getDefaultSamlSettingOperation,
	getSamlSettingsOperation,
];
