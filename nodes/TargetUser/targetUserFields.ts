import type { IDataObject } from 'n8n-workflow';

import { updateFieldsBlock, collectionField, additionalFieldsJsonField, rowsField } from '../core/fields/collection';
import { addJsonFields } from '../core/fields/jsonFields';
import { markAsListReplacement, type FieldValues } from '../core/fields/field';
import { emailField, phoneField } from '../core/fields/contact';
import { textField, toggleField } from '../core/fields/fieldTypes';
import { platformPicker } from '../domain/pickers/platformLists';
import { resourceMultiPicker, resourcePicker } from '../domain/pickers/resourcePickers';
import { personTimeZonePicker } from '../domain/pickers/timeZone';

/** The fields that every person must have (deployment beyond, "People"). */
export const REQUIRED_PERSON_FIELDS = ['email', 'phoneNumber'] as const;

const requiredEmailField = emailField({ displayName: 'Email', placeholder: 'e.g. nathan@example.com', required: true });
const PHONE_FIELD_SETTINGS = { displayName: 'Phone Number', placeholder: 'e.g. +49 30 1234567' };

/** The form fields for the details of a person, without the email address and the phone number (deployment beyond, "People"). */
const personDetailFields = {
	customFields: rowsField({
		displayName: 'Custom Fields',
		description: "Values for the company's custom fields, such as Cost Center",
		buttonText: 'Add Custom Field',
		rowLabel: 'Custom Field',
		fields: {
			customField: platformPicker('customFields', {
				displayName: 'Custom Field',
				description: 'The custom field to fill in',
				required: true,
			}),
			value: textField({
				displayName: 'Value',
				description: 'The value that the custom field should have',
				placeholder: 'e.g. Berlin',
			}),
		},
	}),
	department: textField({ displayName: 'Department', placeholder: 'e.g. Sales' }),
	firstName: textField({ displayName: 'First Name', placeholder: 'e.g. Nathan' }),
	isActive: toggleField({
		displayName: 'Active',
		description: 'Whether to let the person get trainings and simulations',
		default: true,
	}),
	lastName: textField({ displayName: 'Last Name', placeholder: 'e.g. Smith' }),
	managerEmail: emailField({ displayName: 'Manager Email', placeholder: 'e.g. ada@example.com' }),
	managerFirstName: textField({ displayName: 'Manager First Name', placeholder: 'e.g. Ada' }),
	managerLastName: textField({ displayName: 'Manager Last Name', placeholder: 'e.g. Jones' }),
	additionalFieldsJson: additionalFieldsJsonField(),
	preferredLanguageId: textField({
		displayName: 'Preferred Language ID',
		description: "The ID of the person's language",
		hint: "Find a person who has this language. Use 'Get target user' for this person, and copy preferredLanguageId into this field.",
	}),
	priority: textField({
		displayName: 'Priority',
		description: 'The priority as the platform shows it for other people, such as Medium',
		placeholder: 'e.g. Medium',
	}),
	targetGroupResourceIds: markAsListReplacement(
		resourceMultiPicker('targetGroups', {
			displayName: 'Target Group Names or IDs',
			description:
				'All target groups that the person should be in. An existing person is removed from all other groups',
		}),
		'targetGroupResourceIds',
		"To add people to groups, use 'Add target group members'. To choose the groups of a new person, use 'Create target user'.",
	),
	timeZoneId: personTimeZonePicker(),
};

const additionalPersonFields = collectionField({ displayName: 'Additional Fields', fields: personDetailFields });

/** The form fields for creating a person. */
export const targetUserCreationFields = {
	email: requiredEmailField,
	phoneNumber: phoneField({ ...PHONE_FIELD_SETTINGS, required: true }),
	additionalFields: additionalPersonFields,
};

/** The form fields for updating the person who has the entered email address, or creating one if nobody has it. */
export const targetUserUpsertFields = {
	email: requiredEmailField,
	phoneNumber: phoneField({
		...PHONE_FIELD_SETTINGS,
		hint: 'Required for new people. Leave empty to keep an existing number.',
	}),
	additionalFields: additionalPersonFields,
};

/** The form field that selects a person. */
export const targetUserPickerFields = { targetUser: resourcePicker('targetUsers') };

/** The form fields for updating a person. */
export const targetUserUpdateFields = {
	...targetUserPickerFields,
	additionalFields: updateFieldsBlock({
		...personDetailFields,
		email: requiredEmailField,
		phoneNumber: phoneField({ ...PHONE_FIELD_SETTINGS, required: true }),
	}),
};

/**
 * Builds the fields of a request body for the entered values (deployment beyond, "People").
 * @throws InvalidInputError if 'Additional Fields (JSON)' has a field that the form sets
 */
export function buildPersonBody(
	values: Partial<FieldValues<typeof personDetailFields>> & { email?: string; phoneNumber?: string | undefined },
	{ isUpdate }: { isUpdate: boolean },
): IDataObject {
	const { customFields: enteredCustomFields, additionalFieldsJson, ...otherFields } = values;
	const customFields = enteredCustomFields?.map(({ customField, value }) => ({ resourceId: customField, value }));
	return addJsonFields({ ...otherFields, customFields }, additionalFieldsJson, { isUpdate });
}
