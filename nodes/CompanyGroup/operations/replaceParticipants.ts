import { record } from '../../shared/answer/record';
import { defineOperation } from '../../shared/operation/define';
import { companyGroupPicker } from '../../shared/pickers/companyGroup';
import { counted } from '../../shared/transport/counted';
import { joinFirst } from '../../shared/transport/joinFirst';
import { asParticipants, membersOf } from '../members';
import { participants, participantsOf } from '../participants';

export const replaceParticipants = defineOperation({
	value: 'replaceParticipants',
	name: 'Replace Company Group Participants',
	action: 'Replace company group participants',
	description: 'Make the given companies the only ones in a group',
	contract: 'PUT /api/company-groups/{resourceId}/participants',
	scope: 'credential',
	fields: { companyGroup: companyGroupPicker(), ...participants },
	request: ({ companyGroup, ...chosen }) => ({
		path: { resourceId: companyGroup.id },
		body: { companyResourceIdArray: participantsOf(chosen) },
	}),
	answer: record(),
	perform: async ({ companyGroup, ...chosen }, { send, session }) => {
		const [group = { json: {} }] = await send();
		// Some deployments only add the given companies (deployment behaviour, "Company groups"), so the result is read back.
		const members = await membersOf(session, companyGroup.id);
		const wanted = new Set(participantsOf(chosen));
		// A list that is empty although companies were given does not show the result.
		if (!members || (members.length === 0 && wanted.size > 0)) {
			session.hint(
				'The platform does not list who is in the group, so it was not checked whether only the given companies are.',
			);
			return [group];
		}
		const stayed = members.filter(({ id }) => !wanted.has(id));
		const there = new Set(members.map(({ id }) => id));
		const missing = [...wanted].filter((id) => !there.has(id));
		if (stayed.length > 0)
			session.hint(
				`The platform added the given companies, but left ${counted(stayed.length, 'other')} in the group: ${joinFirst(stayed.map(({ id, name }) => name || id))}. Remove ${stayed.length === 1 ? 'it' : 'them'} in the platform.`,
			);
		if (missing.length > 0)
			session.hint(
				`${missing.length} of the given companies ${missing.length === 1 ? 'is' : 'are'} not in the group afterwards: ${joinFirst(missing)}.`,
			);
		return [{ json: { ...group.json, participants: asParticipants(members), notRemoved: asParticipants(stayed) } }];
	},
});
