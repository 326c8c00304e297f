import { done } from '../../shared/answer/done';
import { defineOperation } from '../../shared/operation/define';

export const revoke = defineOperation({
	value: 'revoke',
	name: 'Revoke Google Connection',
	action: 'Revoke connection',
	description: 'Remove the Google connection of the company from the platform',
	contract: 'DELETE /api/googleoauth/revoke',
	scope: 'company',
	fields: {},
	request: () => ({}),
	answer: done({ deleted: true }),
});
