import { textField } from '../../core/fields/fieldTypes';
import { defineOperation } from '../../core/operation/defineOperation';
import { listResponse, USER_FILTERABLE_FIELDS, USER_SORTABLE_FIELDS } from '../../core/response/listResponse';
import { emptyResponse, recordResponse } from '../../core/response/recordResponse';
import { PERSON_LIST_FIELDS } from '../people/personFields';
import {
	resourceMultiPicker,
	resourcePicker,
	TARGET_GROUP_ID_FIELDS,
	TARGET_USER_ID_FIELDS,
} from '../pickers/resourcePickers';

export const targetGroupNameField = textField({
	displayName: 'Name',
	description: 'The name of the group',
	placeholder: 'e.g. Sales team',
	required: true,
});

/** The form field for a group's priority. It accepts any text, because no document lists the platform's priorities. */
export const targetGroupPriorityField = textField({
	displayName: 'Priority',
	description: "How important the group is, in the platform's words, as 'Get Many Target Groups' shows them",
	placeholder: 'e.g. Medium',
	required: true,
});

export const targetGroupPicker = resourcePicker('targetGroups', {
	displayName: 'Target Group',
	description: 'The group of users',
});

/** The form field that selects the people to add to a target group or to remove from it. */
export const groupMembersPicker = resourceMultiPicker('targetUsers', {
	displayName: 'Target User Names or IDs',
	required: true,
});

/** The properties that the definitions of all operations on one target group share. The platform responds with the group's ID. */
export const targetGroupOperationBase = {
	scope: 'company' as const,
	fields: { targetGroup: targetGroupPicker },
	request: ({ targetGroup }: { targetGroup: { id: string } }) => ({ path: { resourceId: targetGroup.id } }),
	response: recordResponse({ valueField: 'resourceId' }),
};

export const createTargetGroupOperation = defineOperation({
	value: 'create',
	name: 'Create Target Group',
	description: 'Add an empty group of people; for a group of customers: Create Company Group',
	endpoint: 'POST /api/target-groups',
	scope: 'company',
	fields: { name: targetGroupNameField, priority: targetGroupPriorityField },
	request: (body) => ({ body }),
	response: recordResponse({ valueField: 'resourceId' }),
	transformOutput: (json, values) => ({ name: values.name, ...json }),
});

export const deleteTargetGroupOperation = defineOperation({
	value: 'delete',
	name: 'Delete Target Group',
	description: 'Remove a group',
	endpoint: 'DELETE /api/target-groups/{resourceId}',
	...targetGroupOperationBase,
	response: emptyResponse({ deleted: true }),
});

export const getTargetGroupsOperation = defineOperation({
	value: 'getMany',
	name: 'Get Many Target Groups',
	description: 'List the groups of users that trainings and simulations are sent to, of one customer or of every one',
	endpoint: 'POST /api/target-groups/search/current-company',
	scope: 'companies',
	response: listResponse({ identity: TARGET_GROUP_ID_FIELDS }),
});

export const getTargetGroupMembersOperation = defineOperation({
	value: 'getMembers',
	name: 'Get Target Group Members',
	description: 'List the users in a group',
	endpoint: 'POST /api/target-groups/{resourceId}/users',
	...targetGroupOperationBase,
	response: listResponse({
		outputFields: PERSON_LIST_FIELDS,
		identity: TARGET_USER_ID_FIELDS,
		sortableFields: USER_SORTABLE_FIELDS,
		filterableFields: USER_FILTERABLE_FIELDS,
	}),
});

export const addTargetGroupMembersOperation = defineOperation({
	value: 'addMembers',
	name: 'Add Target Group Members',
	description: 'Put users in a group; a group that an identity provider fills takes none by hand',
	endpoint: 'PUT /api/target-groups/users',
	...targetGroupOperationBase,
	fields: { targetGroup: targetGroupPicker, people: groupMembersPicker },
	request: ({ targetGroup, people }) => ({
		body: { targetUserResourceIds: people, targetGroupResourceIds: [targetGroup.id] },
	}),
	response: emptyResponse(),
	transformOutput: (json, { targetGroup }) => ({ resourceId: targetGroup.id, ...json }),
});
