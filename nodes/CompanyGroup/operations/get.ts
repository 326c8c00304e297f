import { record } from '../../shared/answer/record';
import { defineOperation } from '../../shared/operation/define';
import { companyGroupPicker } from '../../shared/pickers/companyGroup';
import { asParticipants, membersOf } from '../members';

export const get = defineOperation({
	value: 'get',
	name: 'Get Company Group',
	action: 'Get company group',
	description: 'Get one group, with its participants if the platform gives them',
	contract: 'GET /api/company-groups/{resourceId}',
	scope: 'credential',
	fields: { companyGroup: companyGroupPicker() },
	request: ({ companyGroup }) => ({ path: { resourceId: companyGroup.id } }),
	answer: record(),
	perform: async ({ companyGroup }, { send, session }) => {
		const [group, ...others] = await send();
		// Some deployments return only the number of participants (deployment shapes).
		if (!group || others.length > 0 || Object.values(group.json).some(Array.isArray))
			return group ? [group, ...others] : others;
		const members = await membersOf(session, companyGroup.id);
		return [{ json: { ...group.json, ...(members ? { participants: asParticipants(members) } : {}) } }];
	},
});
