import { isUndefined, omitBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { changes, collection, additionalFieldsJson, rows } from '../core/fields/collection';
import { markAsReplacing, type Values } from '../core/fields/field';
import { emailField, phoneField } from '../core/fields/contact';
import { text, toggle } from '../core/fields/fieldTypes';
import { platformPicker } from '../domain/pickers/platformLists';
import { multiPickerOf, PERSON_ID, pickerOf } from '../domain/pickers/resourcePickers';

/** What a person's record and a row of a list have in common (deployment beyond). */
const SIMPLIFIED = ['email', 'firstName', 'lastName', 'department', 'priority', 'phoneNumber'];

/** A row of a list of people, for 'Output'. */
export const ROW = {
	simplified: [...SIMPLIFIED, 'status', 'preferredLanguage', 'createTime', 'resourceId'],
	others: ['timeZone', 'updateTime', 'isEditable', 'scimSettingName', 'ldapConfigName', 'customFieldValues'],
};

/** A person's record. */
export const RECORD = {
	simplified: [...SIMPLIFIED, 'isActive', 'timeZoneId', 'preferredLanguageId', 'resourceId'],
	others: ['customFieldValues', 'managerEmail', 'managerFirstName', 'managerFullName', 'managerLastName'],
	id: PERSON_ID,
};

/** Nobody can be without them (deployment beyond). */
export const REQUIRED = ['email', 'phoneNumber'] as const;

const email = emailField({ displayName: 'Email', placeholder: 'e.g. nathan@example.com', required: true });
const PHONE = { displayName: 'Phone Number', placeholder: 'e.g. +49 30 1234567' };

/** What a person's record has besides e-mail address and phone number (deployment beyond). */
const details = {
	customFields: rows({
		displayName: 'Custom Fields',
		description: "The company's own fields; those that are not named here stay as they are",
		button: 'Add Custom Field',
		row: 'Custom Field',
		fields: {
			customField: platformPicker('customFields', { displayName: 'Custom Field', required: true }),
			value: text({ displayName: 'Value' }),
		},
	}),
	department: text({ displayName: 'Department', placeholder: 'e.g. Sales' }),
	firstName: text({ displayName: 'First Name', placeholder: 'e.g. Nathan' }),
	isActive: toggle({
		displayName: 'Active',
		description: 'Whether the person gets trainings and simulations',
		default: true,
	}),
	lastName: text({ displayName: 'Last Name', placeholder: 'e.g. Smith' }),
	managerEmail: emailField({ displayName: 'Manager Email', placeholder: 'e.g. ada@example.com' }),
	managerFirstName: text({ displayName: 'Manager First Name', placeholder: 'e.g. Ada' }),
	managerLastName: text({ displayName: 'Manager Last Name', placeholder: 'e.g. Jones' }),
	additionalFieldsJson: additionalFieldsJson(),
	preferredLanguageId: text({
		displayName: 'Preferred Language ID',
		description: "The ID of a language, as 'Get Target User' shows it of somebody who has it",
	}),
	priority: text({ displayName: 'Priority', placeholder: 'e.g. Medium' }),
	targetGroupResourceIds: markAsReplacing(
		multiPickerOf('targetGroups', {
			displayName: 'Target Group Names or IDs',
			hint: 'They replace all groups of somebody who is there already',
		}),
		'targetGroupResourceIds',
		"'Add Target Group Members' adds people to groups. 'Create Target User' takes groups for somebody new.",
	),
	timeZoneId: platformPicker('timeZones', { displayName: 'Time Zone', example: 'Europe/Berlin' }),
};

const additionalFields = collection({ displayName: 'Additional Fields', fields: details });

/** The fields for adding a person. */
export const newFields = { email, phoneNumber: phoneField({ ...PHONE, required: true }), additionalFields };

/** The fields for adding a person, or changing the one with that e-mail address. */
export const createOrUpdateFields = {
	email,
	phoneNumber: phoneField({
		...PHONE,
		hint: 'Required for a new person; left empty, the number of one who is there stays',
	}),
	additionalFields,
};

/** The field that chooses a person. */
export const ofPerson = { targetUser: pickerOf('targetUsers') };

/** The fields for changing a person. */
export const changedFields = {
	...ofPerson,
	additionalFields: changes({ ...details, email, phoneNumber: phoneField({ ...PHONE, required: true }) }),
};

/** 'Additional Fields' as a body has them (deployment beyond), without those that have no value. */
export function personBody({
	customFields,
	additionalFieldsJson: more,
	...given
}: Partial<Values<typeof details>> & { email?: string; phoneNumber?: string }): IDataObject {
	const named = customFields?.map(({ customField, value }) => ({ resourceId: customField, value }));
	return omitBy({ ...given, customFields: named, ...more }, isUndefined);
}
