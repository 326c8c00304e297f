import { updateFieldsBlock } from '../core/fields/collection';
import { toggleField } from '../core/fields/fieldTypes';
import { defineOperation } from '../core/operation/defineOperation';
import { updateRecord } from '../core/operation/updateRecord';
import {
	targetGroupOperationBase,
	targetGroupNameField,
	targetGroupPicker,
	targetGroupPriorityField,
} from '../domain/targetGroups/sharedTargetGroupOperations';

export const getTargetGroupOperation = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get target group',
	description: 'Get the name, priority and other details of a target group',
	outputNote: 'isScimGroup or isGoogleGroup is true if an identity provider manages the group.',
	endpoint: 'GET /api/target-groups/{resourceId}',
	...targetGroupOperationBase,
});

/**
 * The record fields that hold the current values for an update, and the labels of the fields that every update must send. `isActive` is in
 * neither list, because no record shows it (deployment beyond, "Target groups").
 */
const TARGET_GROUP_UPDATE_SETTINGS = {
	currentValueSources: { name: 'name', priority: 'priority' },
	requiredFields: {
		name: targetGroupNameField.property.displayName,
		priority: targetGroupPriorityField.property.displayName,
	},
};

export const updateTargetGroupOperation = defineOperation({
	value: 'update',
	name: 'Update',
	action: 'Update target group',
	description: 'Change the name, priority or status of a target group',
	endpoint: 'PUT /api/target-groups/{resourceId}',
	...targetGroupOperationBase,
	fields: {
		targetGroup: targetGroupPicker,
		additionalFields: updateFieldsBlock({
			isActive: toggleField({
				displayName: 'Active',
				description: 'Whether to set the group to active. If turned off, the group is set to inactive.',
				default: true,
			}),
			name: targetGroupNameField,
			priority: targetGroupPriorityField,
		}),
	},
	isUpdate: true,
	request: ({ targetGroup, additionalFields }) => ({
		path: { resourceId: targetGroup.id },
		body: additionalFields,
	}),
	perform: async (_values, helpers) => updateRecord(getTargetGroupOperation, TARGET_GROUP_UPDATE_SETTINGS, helpers),
});
