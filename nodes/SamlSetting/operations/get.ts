import { record } from '../../shared/answer/record';
import { defineOperation } from '../../shared/operation/define';
import { samlSettingPicker } from '../../shared/pickers/setting';

export const get = defineOperation({
	value: 'get',
	name: 'Get SAML Setting',
	action: 'Get SAML setting',
	description: 'Get the configuration of one single sign-on setting',
	contract: 'GET /api/companies/saml-settings/{resourceId}',
	scope: 'company',
	fields: {
		samlSettingId: samlSettingPicker(),
	},
	request: ({ samlSettingId }) => ({ path: { resourceId: samlSettingId } }),
	answer: record({
		known: {
			id: ['resourceId'],
			essentials: [
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
			others: ['assertionConsumerServiceUrl', 'entityId', 'metadataFileName', 'metadataUrl'],
		},
	}),
});
