import { done } from '../../shared/answer/done';
import { idField } from '../../shared/fields/id';
import { defineOperation } from '../../shared/operation/define';

export const makeDefault = defineOperation({
	value: 'makeDefault',
	name: 'Make Direct Email Setting Default',
	action: 'Make direct email setting default',
	description: 'Let a company send by this setting unless another is named',
	contract: 'PUT /api/companies/direct-email-settings/make-default/{resourceId}',
	noBody: true,
	scope: 'company',
	fields: {
		directEmailSettingId: idField({
			displayName: 'Direct Email Setting ID',
			description: 'As the platform gave it when the setting was created',
		}),
	},
	request: ({ directEmailSettingId }) => ({ path: { resourceId: directEmailSettingId } }),
	answer: done(),
});
