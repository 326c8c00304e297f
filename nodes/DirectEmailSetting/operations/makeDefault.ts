import { done } from '../../shared/answer/done';
import { defineOperation } from '../../shared/operation/define';
import { directEmailSettingPicker } from '../../shared/pickers/setting';

export const makeDefault = defineOperation({
	value: 'makeDefault',
	name: 'Make Direct Email Setting Default',
	action: 'Make direct email setting default',
	description: 'Make this the setting that a company uses unless another one is chosen',
	contract: 'PUT /api/companies/direct-email-settings/make-default/{resourceId}',
	noBody: true,
	scope: 'company',
	fields: {
		directEmailSettingId: directEmailSettingPicker(),
	},
	request: ({ directEmailSettingId }) => ({ path: { resourceId: directEmailSettingId } }),
	answer: done(),
});
