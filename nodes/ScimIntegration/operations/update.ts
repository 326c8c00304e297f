import { record } from '../../shared/answer/record';
import { text } from '../../shared/form/text';
import { defineOperation } from '../../shared/operation/define';
import { scimPicker } from '../../shared/pickers/scim';

export const update = defineOperation({
	value: 'update',
	name: 'Update SCIM Integration',
	action: 'Update SCIM integration',
	description: 'Rename a connection to an identity provider',
	contract: 'PUT /api/scim/{resourceId}',
	scope: 'company',
	fields: {
		scimIntegration: scimPicker(),
		name: text({
			displayName: 'Name',
			description: 'The new name of the integration',
			required: true,
			max: 30,
		}),
	},
	request: ({ scimIntegration, name }) => ({
		path: { resourceId: scimIntegration.id },
		body: { name },
	}),
	answer: record({ as: 'resourceId' }),
});
