import { record } from '../../shared/answer/record';
import { defineOperation } from '../../shared/operation/define';
import { companyGroupPicker } from '../../shared/pickers/companyGroup';
import { participants, participantsOf } from './participants';

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
});
