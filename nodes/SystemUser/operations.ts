import { record } from '../shared/answer/record';
import { collection } from '../shared/form/collection';
import { text, wholeNumber } from '../shared/form/fields';
import { defineOperation } from '../shared/operation/operation';
import { multiPickerOf } from '../shared/pickers/resources';

/** The fields of contract 2.12. */
const fields = {
	firstName: text({ displayName: 'First Name', placeholder: 'e.g. Nathan', required: true, max: 40 }),
	lastName: text({ displayName: 'Last Name', placeholder: 'e.g. Smith', required: true, max: 40 }),
	email: text({
		displayName: 'Email',
		placeholder: 'e.g. nathan@example.com',
		required: true,
		max: 320,
	}),
	phoneNumber: text({
		displayName: 'Phone Number',
		placeholder: 'e.g. +49 30 1234567',
		required: true,
		max: 20,
	}),
	additionalFields: collection({
		displayName: 'Additional Fields',
		fields: {
			companyResourceId: text({
				displayName: 'Company ID',
				description: "The company the user belongs to, where it is not the one chosen in 'Company Scope'",
			}),
			roleResourceIdList: multiPickerOf('roles', { displayName: 'Role Names or IDs' }),
			statusId: wholeNumber({
				displayName: 'Status ID',
				description: 'The status of the user, as a number; 1 is active',
				default: 1,
				min: 0,
			}),
		},
	}),
};

const create = defineOperation({
	value: 'create',
	name: 'Create System User',
	description: "Add a person who can sign in to the platform's administration",
	contract: 'POST /api/system-users',
	scope: 'company',
	fields,
	request: ({ additionalFields, ...user }) => ({ body: { ...user, ...additionalFields } }),
	answer: record({ as: 'resourceId' }),
});

export const operations = [create];
