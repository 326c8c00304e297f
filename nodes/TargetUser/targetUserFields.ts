import { isUndefined, omitBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { updateFieldsBlock, collectionField, additionalFieldsJsonField, rowsField } from '../core/fields/collection';
import { markAsListReplacement, type FieldValues } from '../core/fields/field';
import { emailField, phoneField } from '../core/fields/contact';
import { textField, toggleField } from '../core/fields/fieldTypes';
import { platformPicker } from '../domain/pickers/platformLists';
import { resourceMultiPicker, resourcePicker } from '../domain/pickers/resourcePickers';

/** The fields that every person must have (deployment beyond, "People"). */
export const REQUIRED_PERSON_FIELDS = ['email', 'phoneNumber'] as const;

const requiredEmailField = emailField({ displayName: 'Email', placeholder: 'e.g. nathan@example.com', required: true });
const PHONE_FIELD_SETTINGS = { displayName: 'Phone Number', placeholder: 'e.g. +49 30 1234567' };

/** The form fields for the details of a person, without the email address and the phone number (deployment beyond, "People"). */
const personDetailFields = {
	customFields: rowsField({
		displayName: 'Custom Fields',
		description: "The company's own fields; those that are not named here stay as they are",
		buttonText: 'Add Custom Field',
		rowLabel: 'Custom Field',
		fields: {
			customField: platformPicker('customFields', { displayName: 'Custom Field', required: true }),
			value: textField({ displayName: 'Value' }),
		},
	}),
	department: textField({ displayName: 'Department', placeholder: 'e.g. Sales' }),
	firstName: textField({ displayName: 'First Name', placeholder: 'e.g. Nathan' }),
	isActive: toggleField({
		displayName: 'Active',
		description: 'Whether the person gets trainings and simulations',
		default: true,
	}),
	lastName: textField({ displayName: 'Last Name', placeholder: 'e.g. Smith' }),
	managerEmail: emailField({ displayName: 'Manager Email', placeholder: 'e.g. ada@example.com' }),
	managerFirstName: textField({ displayName: 'Manager First Name', placeholder: 'e.g. Ada' }),
	managerLastName: textField({ displayName: 'Manager Last Name', placeholder: 'e.g. Jones' }),
	additionalFieldsJson: additionalFieldsJsonField(),
	preferredLanguageId: textField({
		displayName: 'Preferred Language ID',
		description: "The ID of a language, as 'Get Target User' shows it of somebody who has it",
	}),
	priority: textField({ displayName: 'Priority', placeholder: 'e.g. Medium' }),
	targetGroupResourceIds: markAsListReplacement(
		resourceMultiPicker('targetGroups', {
			displayName: 'Target Group Names or IDs',
			hint: 'They replace all groups of somebody who is there already',
		}),
		'targetGroupResourceIds',
		"'Add Target Group Members' adds people to groups. 'Create Target User' takes groups for somebody new.",
	),
	timeZoneId: platformPicker('timeZones', { displayName: 'Time Zone', idExample: 'Europe/Berlin' }),
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
		hint: 'Required for a new person; left empty, the number of one who is there stays',
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

/** Builds the fields of a request body for the entered 'Additional Fields' (deployment beyond, "People"). */
export function buildPersonBody(
	values: Partial<FieldValues<typeof personDetailFields>> & { email?: string; phoneNumber?: string },
): IDataObject {
	const { customFields: enteredCustomFields, additionalFieldsJson, ...otherFields } = values;
	const customFields = enteredCustomFields?.map(({ customField, value }) => ({ resourceId: customField, value }));
	return omitBy({ ...otherFields, customFields, ...additionalFieldsJson }, isUndefined);
}
