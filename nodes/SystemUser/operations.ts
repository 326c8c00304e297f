import { mapValues } from 'lodash';

import { pages, USER_SORT } from '../core/response/listResponse';
import { done, record } from '../core/response/recordResponse';
import { changes, collection } from '../core/fields/collection';
import { mustHaveValue } from '../core/fields/field';
import { emailField, phoneField } from '../core/fields/contact';
import { text } from '../core/fields/fieldTypes';
import { defineOperation, type PerformTools } from '../core/operation/defineOperation';
import { updateWhole } from '../core/operation/updateRecord';
import { statusPicker } from '../domain/pickers/platformLists';
import { multiPickerOf, pickerOf, SYSTEM_USER_ID } from '../domain/pickers/resourcePickers';
import { companyPicker } from '../core/companyScope/companyPicker';
import { InvalidInput } from '../core/http/errors';

const statusId = statusPicker('systemUserStatuses', 'The status of the user');

/** What is known of a system user (contract 2.12). */
const person = {
	firstName: text({ displayName: 'First Name', placeholder: 'e.g. Nathan', required: true, max: 40 }),
	lastName: text({ displayName: 'Last Name', placeholder: 'e.g. Smith', required: true, max: 40 }),
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

const fields = {
	...person,
	roles: mustHaveValue(multiPickerOf('roles', { displayName: 'Role Names or IDs' })),
	additionalFields: collection({
		displayName: 'Additional Fields',
		fields: {
			companyResourceId: companyPicker(
				"The company the user belongs to, where it is not the one chosen in 'Company Scope'",
			),
			statusId,
		},
	}),
};

const create = defineOperation({
	value: 'create',
	name: 'Create System User',
	description: 'Add an administrator, who can sign in to the platform; for people to be trained: Create Target User',
	endpoint: 'POST /api/system-users',
	scope: 'company',
	fields,
	request: ({ additionalFields: { companyResourceId: company, ...added }, roles, ...user }) => ({
		body: {
			...user,
			...(roles.length > 0 ? { roleResourceIdList: roles } : {}),
			...added,
			...(company ? { companyResourceId: company.id } : {}),
		},
	}),
	answer: record({ as: 'resourceId' }),
});

const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many System Users',
	description: 'List the people who can sign in to the administration, with their roles',
	endpoint: 'POST /api/system-users/search',
	scope: 'companies',
	answer: pages({
		identity: SYSTEM_USER_ID,
		sortable: { 'Create Time': 'CreateTime', ...USER_SORT },
		known: {
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
			others: ['isEditable', 'statusId'],
		},
	}),
});

/** A platform has no request for one system user: it is found in the list. @throws InvalidInput, ServiceError */
async function listedUser(id: string, { listComplete }: PerformTools) {
	const users = await listComplete(getMany, {}, { identity: SYSTEM_USER_ID });
	const found = users.find(({ resourceId }) => resourceId === id);
	if (found) return found;
	throw new InvalidInput('is no system user of the company', ['systemUser'], 'Choose one from the list.');
}

/** Where an update has its present values; the list shows roles by name alone, so a person gives these. */
const UPDATED = { ...mapValues(person, (_field, name) => name), statusId: 'statusId' };

const REQUIRED = mapValues(person, ({ property }) => property.displayName);

const systemUser = pickerOf('systemUsers', { description: 'The person who can sign in' });

const update = defineOperation({
	value: 'update',
	name: 'Update System User',
	description: 'Change a system user; the roles are replaced by those that you give',
	endpoint: 'PUT /api/system-users/{resourceId}',
	scope: 'company',
	fields: {
		systemUser,
		roles: multiPickerOf('roles', {
			displayName: 'Role Names or IDs',
			required: true,
			whenEmpty:
				'The platform replaces the roles and does not show their IDs: give those that the person has now, too.',
		}),
		additionalFields: changes({ ...person, statusId }),
	},
	isUpdate: true,
	request: ({ systemUser: { id }, roles, additionalFields }) => ({
		path: { resourceId: id },
		body: { roleResourceIdList: roles, ...additionalFields },
	}),
	answer: record({ as: 'resourceId' }),
	perform: async ({ systemUser: { id } }, tools) =>
		updateWhole(async () => listedUser(id, tools), { sources: UPDATED, required: REQUIRED }, tools),
});

const deleteOne = defineOperation({
	value: 'delete',
	name: 'Delete System User',
	description: 'Remove a person, who can then no longer sign in',
	endpoint: 'DELETE /api/system-users/{resourceId}',
	scope: 'company',
	fields: { systemUser },
	request: ({ systemUser: { id } }) => ({ path: { resourceId: id } }),
	answer: done({ deleted: true }),
});

export const operations = [create, deleteOne, getMany, update];
