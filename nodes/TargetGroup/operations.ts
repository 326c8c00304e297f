import { pages, USER_CONDITIONS, USER_SORT } from '../core/response/listResponse';
import { done, record } from '../core/response/recordResponse';
import { changes } from '../core/fields/collection';
import { text, toggle } from '../core/fields/fieldTypes';
import { defineOperation } from '../core/operation/defineOperation';
import { updateWhole } from '../core/operation/updateRecord';
import { multiPickerOf, PERSON_ID, pickerOf, TARGET_GROUP_ID } from '../domain/pickers/resourcePickers';
import { ROW } from '../TargetUser/targetUserFields';

const name = text({
	displayName: 'Name',
	description: 'The name of the group',
	placeholder: 'e.g. Sales team',
	required: true,
});

// No document lists the words; the groups that are there have them.
export const priority = text({
	displayName: 'Priority',
	description: "How important the group is, in the platform's words, as 'Get Many Target Groups' shows them",
	placeholder: 'e.g. Medium',
	required: true,
});

const targetGroup = pickerOf('targetGroups', { displayName: 'Target Group', description: 'The group of users' });

/** What acts on one group, and is answered with its ID. */
const ofOne = {
	scope: 'company' as const,
	fields: { targetGroup },
	request: ({ targetGroup: { id } }: { targetGroup: { id: string } }) => ({ path: { resourceId: id } }),
	answer: record({ as: 'resourceId' }),
};

/** The people to add or remove. */
export const people = multiPickerOf('targetUsers', { displayName: 'Target User Names or IDs', required: true });

export const create = defineOperation({
	value: 'create',
	name: 'Create Target Group',
	description: 'Add an empty group of people; for a group of customers: Create Company Group',
	endpoint: 'POST /api/target-groups',
	scope: 'company',
	fields: { name, priority },
	request: (body) => ({ body }),
	answer: record({ as: 'resourceId' }),
	output: (json, values) => ({ name: values.name, ...json }),
});

const get = defineOperation({
	value: 'get',
	name: 'Get Target Group',
	description: 'Get one group, and whether an identity provider fills it',
	endpoint: 'GET /api/target-groups/{resourceId}',
	...ofOne,
});

export const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many Target Groups',
	description: 'List the groups of users that trainings and simulations are sent to, of one customer or of every one',
	endpoint: 'POST /api/target-groups/search/current-company',
	scope: 'companies',
	answer: pages({ identity: TARGET_GROUP_ID }),
});

const WHOLE = {
	sources: { name: 'name', priority: 'priority' },
	required: { name: name.property.displayName, priority: priority.property.displayName },
};

const update = defineOperation({
	value: 'update',
	name: 'Update Target Group',
	description: 'Change the name or the priority of a group, or whether it is active',
	endpoint: 'PUT /api/target-groups/{resourceId}',
	...ofOne,
	fields: {
		targetGroup,
		additionalFields: changes({
			isActive: toggle({
				displayName: 'Active',
				description: 'Whether the group is active; it is sent only if you add it',
				default: true,
			}),
			name,
			priority,
		}),
	},
	isUpdate: true,
	request: ({ targetGroup: { id }, additionalFields }) => ({ path: { resourceId: id }, body: additionalFields }),
	// isActive is not required, and no record shows it (deployment beyond): it is sent only where it was given.
	perform: async (_values, tools) => updateWhole(get, WHOLE, tools),
});

export const deleteOne = defineOperation({
	value: 'delete',
	name: 'Delete Target Group',
	description: 'Remove a group',
	endpoint: 'DELETE /api/target-groups/{resourceId}',
	...ofOne,
	answer: done({ deleted: true }),
});

export const getMembers = defineOperation({
	value: 'getMembers',
	name: 'Get Target Group Members',
	description: 'List the users in a group',
	endpoint: 'POST /api/target-groups/{resourceId}/users',
	...ofOne,
	answer: pages({ known: ROW, identity: PERSON_ID, sortable: USER_SORT, conditions: USER_CONDITIONS }),
});

export const addMembers = defineOperation({
	value: 'addMembers',
	name: 'Add Target Group Members',
	description: 'Put users in a group; a group that an identity provider fills takes none by hand',
	endpoint: 'PUT /api/target-groups/users',
	...ofOne,
	fields: { targetGroup, people },
	request: (values) => ({
		body: { targetUserResourceIds: values.people, targetGroupResourceIds: [values.targetGroup.id] },
	}),
	answer: done(),
	output: (json, values) => ({ resourceId: values.targetGroup.id, ...json }),
});

const removeMembers = defineOperation({
	value: 'removeMembers',
	name: 'Remove Target Group Members',
	description: 'Take users out of a group',
	endpoint: 'DELETE /api/target-groups/{resourceId}/users',
	...ofOne,
	fields: { targetGroup, people },
	request: (values) => ({
		path: { resourceId: values.targetGroup.id },
		body: { targetUserResourceIds: values.people },
	}),
	answer: done(),
});

export const operations = [addMembers, create, deleteOne, get, getMany, getMembers, removeMembers, update];
