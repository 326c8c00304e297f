import { mapValues } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { listResponse, USER_SORTABLE_FIELDS } from '../core/response/listResponse';
import { emptyResponse, recordResponse } from '../core/response/recordResponse';
import { updateFieldsBlock, collectionField } from '../core/fields/collection';
import { rejectEmptyExpression } from '../core/fields/field';
import { emailField, phoneField } from '../core/fields/contact';
import { textField } from '../core/fields/fieldTypes';
import { defineOperation, type PerformHelpers } from '../core/operation/defineOperation';
import { updateRecord } from '../core/operation/updateRecord';
import { statusPicker } from '../domain/pickers/platformLists';
import { resourceMultiPicker, resourcePicker, SYSTEM_USER_ID_FIELDS } from '../domain/pickers/resourcePickers';
import { companyPicker } from '../core/companyScope/companyPicker';
import { InvalidInputError } from '../core/http/errors';
import { omitUndefined } from '../core/values';

const systemUserStatusPicker = statusPicker('systemUserStatuses', 'The status of the system user, such as Active');

/** The form fields for the details of a system user (contract 2.12). */
const personalFields = {
	firstName: textField({ displayName: 'First Name', placeholder: 'e.g. Nathan', required: true, max: 40 }),
	lastName: textField({ displayName: 'Last Name', placeholder: 'e.g. Smith', required: true, max: 40 }),
	email: emailField({
		displayName: 'Email',
		placeholder: 'e.g. nathan@example.com',
		required: true,
		max: 320,
	}),
	phoneNumber: phoneField({
		displayName: 'Phone Number',
		placeholder: 'e.g. +49 30 1234567',
		required: true,
		max: 20,
	}),
};

const systemUserCreationFields = {
	...personalFields,
	roles: rejectEmptyExpression(
		resourceMultiPicker('roles', {
			displayName: 'Role Names or IDs',
			description: 'The roles that the system user should have, such as Company Admin',
		}),
	),
	additionalFields: collectionField({
		displayName: 'Additional Fields',
		fields: {
			companyResourceId: companyPicker(
				"The company that the system user belongs to, if it isn't the one in 'Company Scope'",
			),
			statusId: systemUserStatusPicker,
		},
	}),
};

const createSystemUserOperation = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create system user',
	description: 'Create an administrator who can sign in to the platform',
	endpoint: 'POST /api/system-users',
	scope: 'company',
	fields: systemUserCreationFields,
	request: ({ additionalFields, roles, ...details }) => {
		const { companyResourceId: company, ...otherFields } = additionalFields;
		return {
			body: omitUndefined({
				...details,
				roleResourceIdList: roles.length > 0 ? roles : undefined,
				...otherFields,
				companyResourceId: company?.id,
			}),
		};
	},
	response: recordResponse({ valueField: 'resourceId' }),
});

const getSystemUsersOperation = defineOperation({
	value: 'getMany',
	name: 'Get Many',
	action: 'Get many system users',
	description: 'List the administrators who can sign in to the platform, with their roles',
	endpoint: 'POST /api/system-users/search',
	scope: 'companies',
	response: listResponse({
		identity: SYSTEM_USER_ID_FIELDS,
		sortableFields: { 'Create Time': 'CreateTime', ...USER_SORTABLE_FIELDS },
		outputFields: {
			simplified: [
				'companyName',
				'email',
				'firstName',
				'lastName',
				'phoneNumber',
				'roles',
				'statusName',
				'createTime',
				'resourceId',
				'companyResourceId',
			],
			additional: ['isEditable', 'statusId'],
		},
	}),
});

/**
 * Finds a system user in the list of system users, because the platform has no endpoint for a single user.
 * @throws InvalidInputError if the user isn't in the list, RequestError
 */
async function findSystemUser(id: string, helpers: PerformHelpers): Promise<IDataObject> {
	const options = { identity: SYSTEM_USER_ID_FIELDS };
	const systemUsers = await helpers.listRecordsCompletely(getSystemUsersOperation, {}, options);
	const systemUser = systemUsers.find(({ resourceId }) => resourceId === id);
	if (systemUser) return systemUser;
	throw new InvalidInputError('is not a system user of this company', ['systemUser'], 'Select one from the list.');
}

/**
 * Maps each request field of an update to the field in the list of system users that has its current value. The roles are missing here,
 * because the list shows only the names of roles, not their IDs.
 */
const SYSTEM_USER_CURRENT_VALUE_SOURCES = {
	firstName: 'firstName',
	lastName: 'lastName',
	email: 'email',
	phoneNumber: 'phoneNumber',
	statusId: 'statusId',
};

/** The form labels of the request fields that every update must send. */
const REQUIRED_FIELD_LABELS = mapValues(personalFields, ({ property }) => property.displayName);

const systemUserPicker = resourcePicker('systemUsers', {
	description: 'Select the system user (administrator), or enter the email address or ID',
});

const updateSystemUserOperation = defineOperation({
	value: 'update',
	name: 'Update',
	action: 'Update system user',
	description: 'Change the details of a system user (administrator) and replace all roles',
	endpoint: 'PUT /api/system-users/{resourceId}',
	scope: 'company',
	fields: {
		systemUser: systemUserPicker,
		roles: resourceMultiPicker('roles', {
			displayName: 'Role Names or IDs',
			description: 'All roles that the system user should have. They replace the current roles',
			required: true,
			emptyAdvice: 'The platform replaces all roles, so select the current roles of the system user as well.',
		}),
		additionalFields: updateFieldsBlock({ ...personalFields, statusId: systemUserStatusPicker }),
	},
	isUpdate: true,
	request: ({ systemUser, roles, additionalFields }) => ({
		path: { resourceId: systemUser.id },
		body: { roleResourceIdList: roles, ...additionalFields },
	}),
	response: recordResponse({ valueField: 'resourceId' }),
	perform: async ({ systemUser }, helpers) =>
		updateRecord(
			() => findSystemUser(systemUser.id, helpers),
			{ currentValueSources: SYSTEM_USER_CURRENT_VALUE_SOURCES, requiredFields: REQUIRED_FIELD_LABELS },
			helpers,
		),
});

const deleteSystemUserOperation = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete system user',
	description: 'Delete a system user so that this administrator can no longer sign in',
	endpoint: 'DELETE /api/system-users/{resourceId}',
	scope: 'company',
	fields: { systemUser: systemUserPicker },
	request: ({ systemUser }) => ({ path: { resourceId: systemUser.id } }),
	response: emptyResponse({ deleted: true }),
});

/** The operations of the System User node. The node's properties list their forms in this order. */
export const systemUserOperations = [
	createSystemUserOperation,
	deleteSystemUserOperation,
	getSystemUsersOperation,
	updateSystemUserOperation,
];
