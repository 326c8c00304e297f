import { difference, union } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { emptyResponse, recordResponse } from '../core/response/recordResponse';
import { defineComposite, defineOperation } from '../core/operation/defineOperation';
import { resourceMultiPicker, resourcePicker } from '../domain/pickers/resourcePickers';
import { participantsFields } from './companyGroupFields';
import {
	getCompanyGroupMembersOperation,
	getCompanyGroupOperation,
	readAllMemberIds,
	readListedMembers,
	toParticipants,
} from './readCompanyGroup';
import { formatList } from '../core/values';

export const replaceCompanyGroupMembersOperation = defineOperation({
	value: 'replaceParticipants',
	name: 'Replace Company Group Participants',
	description: 'Make the given companies the only ones in a group',
	endpoint: 'PUT /api/company-groups/{resourceId}/participants',
	scope: 'credential',
	fields: { companyGroup: resourcePicker('companyGroups'), ...participantsFields },
	request: ({ companyGroup, participantList = [] }) => ({
		path: { resourceId: companyGroup.id },
		body: { companyResourceIdArray: participantList },
	}),
	response: recordResponse(),
	perform: async ({ companyGroup, participantList = [] }, { send, context }) => {
		const [group = { json: {} }] = await send();
		// Some platforms add the companies without removing the others (deployment behaviour, "Company groups"), so the result is checked.
		const members = await readListedMembers(context, companyGroup.id);
		const wantedIds = new Set(participantList);
		// If the list is empty although companies were sent, the platform doesn't show the companies of the group.
		if (!members || (members.length === 0 && wantedIds.size > 0)) {
			context.addHint(
				'The platform does not list who is in the group, so it was not checked whether only the given companies are.',
			);
			return [group];
		}
		const unremovedMembers = members.filter(({ id }) => !wantedIds.has(id));
		const memberIds = new Set(members.map(({ id }) => id));
		const missingIds = [...wantedIds].filter((id) => !memberIds.has(id));
		if (unremovedMembers.length > 0) {
			const names = unremovedMembers.map(({ id, name }) => name || id);
			context.addHint(
				"The platform added the given companies, but left others in the group. Remove them with 'Remove Company Group Participants'.",
				formatList(names, ', ', 3),
			);
		}
		if (missingIds.length > 0)
			context.addHint('Not all of the given companies are in the group afterwards.', formatList(missingIds, ', ', 3));
		const participants = toParticipants(members);
		return [{ json: { ...group.json, participants, notRemoved: toParticipants(unremovedMembers) } }];
	},
});

export const addCompanyGroupMembersOperation = defineComposite({
	value: 'addParticipants',
	name: 'Add Company Group Participants',
	description: 'Put companies in a group and keep those that are in it',
	scope: 'credential',
	fields: {
		companyGroup: resourcePicker('companyGroups'),
		participantList: resourceMultiPicker('companies', { displayName: 'Company Names or IDs', required: true }),
	},
	isReadOnly: false,
	dependencies: [getCompanyGroupOperation, getCompanyGroupMembersOperation, replaceCompanyGroupMembersOperation],
	run: async ({ companyGroup: { id: groupId }, participantList }, helpers) => {
		const previousIds = await readAllMemberIds(groupId, helpers);
		// Some platforms replace all companies of the group, so the current companies are sent, too (deployment behaviour, "Company groups").
		const wantedIds = union(previousIds, participantList);
		await helpers.callOperation(replaceCompanyGroupMembersOperation, {
			path: { resourceId: groupId },
			body: { companyResourceIdArray: wantedIds },
		});
		const addedCount = difference(participantList, previousIds).length;
		const json: IDataObject = { resourceId: groupId, added: addedCount };
		const members = await readListedMembers(helpers.context, groupId);
		if (!members) return [{ json }];

		const memberIds = members.map(({ id }) => id);
		const missingIds = difference(wantedIds, memberIds);
		if (missingIds.length > 0)
			helpers.context.addHint(
				'Not all of these companies are in the group afterwards.',
				formatList(missingIds, ', ', 3),
			);
		return [{ json: { ...json, participants: toParticipants(members) } }];
	},
});

export const removeCompanyGroupMembersOperation = defineOperation({
	value: 'removeParticipants',
	name: 'Remove Company Group Participants',
	description: 'Take companies out of a group',
	endpoint: 'DELETE /api/company-groups/{resourceId}/participants',
	scope: 'credential',
	fields: {
		companyGroup: resourcePicker('companyGroups'),
		participantList: resourceMultiPicker('companies', { displayName: 'Company Names or IDs', required: true }),
	},
	request: ({ companyGroup, participantList }) => ({
		path: { resourceId: companyGroup.id },
		body: { companyResourceIdArray: participantList },
	}),
	response: emptyResponse(),
});
