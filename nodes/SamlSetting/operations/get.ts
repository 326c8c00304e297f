import { record } from '../../shared/answer/record';
import { idField } from '../../shared/fields/id';
import { defineOperation } from '../../shared/operation/define';

export const get = defineOperation({
	value: 'get',
	name: 'Get SAML Setting',
	action: 'Get SAML setting',
	description: 'Get the configuration of one single sign-on setting',
	contract: 'GET /api/companies/saml-settings/{resourceId}',
	scope: 'company',
	fields: {
		samlSettingId: idField({
			displayName: 'SAML Setting ID',
			description: 'As the platform gave it when the setting was created',
		}),
	},
	request: ({ samlSettingId }) => ({ path: { resourceId: samlSettingId } }),
	answer: record({
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
	}),
});
