import type { IDataObject } from 'n8n-workflow';

import { additionalFieldsJsonField, updateFieldsBlock, collectionField } from '../core/fields/collection';
import { rejectEmptyExpression, showWhen, type FieldValues } from '../core/fields/field';
import { addJsonFields, omitJsonNames } from '../core/fields/jsonFields';
import { textField, textListField, toggleField } from '../core/fields/fieldTypes';
import { statusPicker } from '../domain/pickers/platformLists';
import { resourceMultiPicker } from '../domain/pickers/resourcePickers';

const optionalClientFields = {
	additionalFieldsJson: additionalFieldsJsonField(),
	statusId: statusPicker('clientStatuses', 'The status of the client, such as Active'),
};

/** The form fields of an API client, except its credentials (contract 2.11). */
export const apiClientFields = {
	name: textField({
		displayName: 'Name',
		description: 'A name that says which system uses the client, such as n8n',
		placeholder: 'e.g. n8n',
		required: true,
		max: 64,
	}),
	roles: resourceMultiPicker('roles', {
		displayName: 'Role Names or IDs',
		description: 'The roles that the client should have, such as Company Admin',
		required: true,
	}),
	hasIpAddressRestriction: rejectEmptyExpression(
		toggleField({
			displayName: 'Restrict IP Addresses',
			description: 'Whether to let the client sign in only from certain IP addresses',
			default: false,
		}),
	),
	allowedIpAddresses: showWhen(
		{ hasIpAddressRestriction: [true] },
		textListField({
			displayName: 'Allowed IP Addresses',
			description: 'The IP addresses or ranges (CIDR) that the client may sign in from, separated by commas',
			placeholder: 'e.g. 203.0.113.7, 2001:db8::/32',
			required: true,
		}),
	),
	additionalFields: collectionField({ displayName: 'Additional Fields', fields: optionalClientFields }),
};

/** The form fields that update an API client. The status changes only if the user adds its field. */
export const apiClientUpdateFields = { ...apiClientFields, additionalFields: updateFieldsBlock(optionalClientFields) };

/** The form fields for a client's credentials. Operations that generate the credentials don't have these fields. */
export const clientCredentialFields = {
	clientId: textField({
		displayName: 'Client ID',
		description: "The client ID from 'Generate API client credentials'",
		required: true,
		max: 32,
	}),
	clientSecret: textField({
		displayName: 'Client Secret',
		description: "The client secret from 'Generate API client credentials'",
		password: true,
		required: true,
		max: 100,
	}),
};

/** The values that a new client gets if the user doesn't enter others. Status 1 means active (contract 2.11). */
const NEW_CLIENT_DEFAULTS = { statusId: 1 };

/**
 * Builds the request body that creates or updates a client (contract 2.11).
 * @throws InvalidInputError if 'Additional Fields (JSON)' has a field that the form sets
 */
export function buildApiClientBody(
	values: FieldValues<typeof apiClientFields>,
	credentials: { clientId: string; clientSecret: string },
	{ isUpdate }: { isUpdate: boolean },
): IDataObject {
	const { hasIpAddressRestriction, allowedIpAddresses = [] } = values;
	const { additionalFieldsJson, ...additionalFields } = values.additionalFields;
	const body = {
		name: values.name,
		clientId: credentials.clientId,
		clientSecret: credentials.clientSecret,
		hasIpAddressRestriction,
		allowedIpAddresses: hasIpAddressRestriction ? allowedIpAddresses : null,
		roleResourceIdList: values.roles,
		...additionalFields,
	};
	return addJsonFields(body, additionalFieldsJson, { isUpdate });
}

/** Builds the request body that creates a client. @throws InvalidInputError if the JSON has a field that the form sets */
export function buildNewClientBody(
	values: FieldValues<typeof apiClientFields>,
	credentials: { clientId: string; clientSecret: string },
): IDataObject {
	const body = buildApiClientBody(values, credentials, { isUpdate: false });
	return { ...omitJsonNames(NEW_CLIENT_DEFAULTS, body), ...body };
}
