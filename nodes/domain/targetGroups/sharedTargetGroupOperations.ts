import type { Field } from '../../core/fields/field';
import { textField } from '../../core/fields/fieldTypes';
import { defineOperation } from '../../core/operation/defineOperation';
import { createListSource, createWholeListSource, type ReadChoices } from '../../core/pickers/listSource';
import { listPicker, parseTypedValue } from '../../core/pickers/picker';
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
	description: 'The name of the target group, such as Sales Team',
	placeholder: 'e.g. Sales Team',
	required: true,
});

const TARGET_GROUP_LIST = 'POST /api/target-groups/search/current-company';

const groupPrioritySource = createListSource({
	endpoint: TARGET_GROUP_LIST,
	idFields: ['priority'],
	nameFields: ['priority'],
	isPerCompany: true,
});

/** Reads the priorities that the target groups of the selected company have (contract 2.6). */
const readPriorities: ReadChoices = async (context) => (await groupPrioritySource.readAll(context)).choices;

/**
 * The form field for a group's priority. Its list has the priorities of existing groups, because no document lists the platform's
 * priorities. For the same reason, the user may enter any other text.
 */
export const targetGroupPriorityField: Field<string> = {
	...listPicker({
		displayName: 'Priority',
		description: 'How important the target group is, such as Medium. The list shows the priorities of existing groups.',
		listMethod: 'searchTargetGroupPriorities',
		noun: 'priority',
		idModeLabel: 'By Name',
		idExample: 'Medium',
		source: createWholeListSource(readPriorities),
	}),
	parse: (raw) => parseTypedValue(raw, 1) ?? '',
};

export const targetGroupPicker = resourcePicker('targetGroups', {
	displayName: 'Target Group',
	description: 'Select the target group, or enter its name or ID',
});

/** Creates the form field that selects the people to add to a target group or to remove from it. */
export const groupMembersPicker = (description: string) =>
	resourceMultiPicker('targetUsers', {
		displayName: 'Target User Names or IDs',
		description,
		hint: 'In an expression, you can use email addresses or IDs',
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
	name: 'Create',
	action: 'Create target group',
	description: 'Create an empty target group for a customer',
	endpoint: 'POST /api/target-groups',
	scope: 'company',
	fields: { name: targetGroupNameField, priority: targetGroupPriorityField },
	request: (body) => ({ body }),
	response: recordResponse({ valueField: 'resourceId' }),
	transformOutput: (json, values) => ({ name: values.name, ...json }),
});

export const deleteTargetGroupOperation = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete target group',
	description: 'Delete a target group',
	endpoint: 'DELETE /api/target-groups/{resourceId}',
	...targetGroupOperationBase,
	response: emptyResponse({ deleted: true }),
});

export const getTargetGroupsOperation = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many target groups',
	description: 'List target groups, which are the groups of people that get trainings and campaigns',
	endpoint: TARGET_GROUP_LIST,
	scope: 'companies',
	response: listResponse({ identity: TARGET_GROUP_ID_FIELDS }),
});

export const getTargetGroupMembersOperation = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many target group members',
	description: 'List the people in a target group',
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
	value: 'add',
	name: 'Add',
	action: 'Add target group members',
	description: 'Add people to a target group',
	outputNote:
		"You can't add people to a group that an identity provider manages. Add the people at the identity provider instead.",
	endpoint: 'PUT /api/target-groups/users',
	...targetGroupOperationBase,
	fields: { targetGroup: targetGroupPicker, people: groupMembersPicker('The people to add to the target group') },
	request: ({ targetGroup, people }) => ({
		body: { targetUserResourceIds: people, targetGroupResourceIds: [targetGroup.id] },
	}),
	response: emptyResponse(),
	transformOutput: (json, { targetGroup }) => ({ resourceId: targetGroup.id, ...json }),
});
