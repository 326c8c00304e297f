import { done } from '../../shared/answer/done';
import { defineOperation } from '../../shared/operation/define';

export const logout = defineOperation({
	value: 'logout',
	name: 'Log Out',
	action: 'Log out',
	description: 'End the session of the signed-in person',
	contract: 'GET /api/account/logout',
	hasSideEffects: true,
	scope: 'credential',
	fields: {},
	request: () => ({}),
	answer: done(),
});
