import { difference, union } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { emptyResponse, recordResponse } from '../core/response/recordResponse';
import { defineComposite, defineOperation } from '../core/operation/defineOperation';
import { resourceMultiPicker, resourcePicker } from '../domain/pickers/resourcePickers';
import { membersFields } from './companyGroupFields';
import {
	getCompanyGroupMembersOperation,
	getCompanyGroupOperation,
	readGroupWithMembers,
	readListedMembers,
	toMemberRecords,
} from './readCompanyGroup';
import { formatList } from '../core/values';

const MISSING_MEMBERS_HINT =
	'Some companies are missing from the group after the change. Check the group on the platform.';

export const replaceCompanyGroupMembersOperation = defineOperation({
	value: 'replace',
	name: 'Replace',
	action: 'Replace company group members',
	description: 'Replace all members of a company group with other companies',
	endpoint: 'PUT /api/company-groups/{resourceId}/participants',
	scope: 'credential',
	fields: { companyGroup: resourcePicker('companyGroups'), ...membersFields },
	request: ({ companyGroup, companies = [] }) => ({
		path: { resourceId: companyGroup.id },
		body: { companyResourceIdArray: companies },
	}),
	response: recordResponse(),
	perform: async ({ companyGroup, companies = [] }, { send, context }) => {
		const [group = { json: {} }] = await send();
		// Some platforms add the companies without removing the others (deployment behaviour, "Company groups"), so the result is checked.
		const members = await readListedMembers(context, companyGroup.id);
		const wantedIds = new Set(companies);
		// If the list is empty although companies were sent, the platform doesn't show the companies of the group.
		if (!members || (members.length === 0 && wantedIds.size > 0)) {
			context.addHint(
				"The platform doesn't list the members of the group, so it couldn't be checked whether the change worked.",
			);
			return [group];
		}
		const unremovedMembers = members.filter(({ id }) => !wantedIds.has(id));
		const memberIds = new Set(members.map(({ id }) => id));
		const missingIds = [...wantedIds].filter((id) => !memberIds.has(id));
		if (unremovedMembers.length > 0) {
			const names = unremovedMembers.map(({ id, name }) => name || id);
			context.addHint(
				"The platform added the selected companies but kept other members. Remove them with 'Remove company group members'.",
				formatList(names, ', ', 3),
			);
		}
		if (missingIds.length > 0) context.addHint(MISSING_MEMBERS_HINT, formatList(missingIds, ', ', 3));
		const memberRecords = toMemberRecords(members);
		return [{ json: { ...group.json, members: memberRecords, notRemoved: toMemberRecords(unremovedMembers) } }];
	},
});

export const addCompanyGroupMembersOperation = defineComposite({
	value: 'add',
	name: 'Add',
	action: 'Add company group members',
	description: 'Add companies to a company group',
	scope: 'credential',
	fields: {
		companyGroup: resourcePicker('companyGroups'),
		companies: resourceMultiPicker('companies', {
			displayName: 'Company Names or IDs',
			description: 'The companies to add to the group',
			required: true,
		}),
	},
	isReadOnly: false,
	dependencies: [getCompanyGroupOperation, getCompanyGroupMembersOperation, replaceCompanyGroupMembersOperation],
	run: async ({ companyGroup, companies }, helpers) => {
		const { id: groupId } = companyGroup;
		const { name = companyGroup.name, memberIds: previousIds } = await readGroupWithMembers(groupId, helpers);
		// Some platforms replace all companies of the group, so the current companies are sent, too (deployment behaviour, "Company groups").
		const wantedIds = union(previousIds, companies);
		await helpers.callOperation(replaceCompanyGroupMembersOperation, {
			path: { resourceId: groupId },
			body: { companyResourceIdArray: wantedIds },
		});
		const addedCount = difference(companies, previousIds).length;
		const json: IDataObject = { added: addedCount, resourceId: groupId };
		if (name !== '') json.name = name;
		const members = await readListedMembers(helpers.context, groupId);
		if (!members) return [{ json }];

		const memberIds = members.map(({ id }) => id);
		const missingIds = difference(wantedIds, memberIds);
		if (missingIds.length > 0) helpers.context.addHint(MISSING_MEMBERS_HINT, formatList(missingIds, ', ', 3));
		return [{ json: { ...json, members: toMemberRecords(members) } }];
	},
});

export const removeCompanyGroupMembersOperation = defineOperation({
	value: 'remove',
	name: 'Remove',
	action: 'Remove company group members',
	description: 'Remove companies from a company group',
	endpoint: 'DELETE /api/company-groups/{resourceId}/participants',
	scope: 'credential',
	fields: {
		companyGroup: resourcePicker('companyGroups'),
		companies: resourceMultiPicker('companies', {
			displayName: 'Company Names or IDs',
			description: 'The companies to remove from the group',
			required: true,
		}),
	},
	request: ({ companyGroup, companies }) => ({
		path: { resourceId: companyGroup.id },
		body: { companyResourceIdArray: companies },
	}),
	response: emptyResponse(),
});
