import { additionalFieldsJson, changes, collection } from '../core/fields/collection';
import { mustHaveValue, showWhen, type Values } from '../core/fields/field';
import { text, texts, toggle } from '../core/fields/fieldTypes';
import { statusPicker } from '../domain/pickers/platformLists';
import { multiPickerOf } from '../domain/pickers/resourcePickers';

const furtherFields = {
	additionalFieldsJson: additionalFieldsJson(),
	statusId: statusPicker('clientStatuses', 'The status of the client; a new one is active'),
};

/** The fields of an API client without its credentials (contract 2.11). */
export const clientFields = {
	name: text({
		displayName: 'Name',
		description: 'The name of the client',
		placeholder: 'e.g. n8n',
		required: true,
		max: 64,
	}),
	roles: multiPickerOf('roles', { displayName: 'Role Names or IDs', required: true }),
	hasIpAddressRestriction: mustHaveValue(
		toggle({
			displayName: 'Restrict IP Addresses',
			description: 'Whether the client may only be used from certain addresses',
			default: false,
		}),
	),
	allowedIpAddresses: showWhen(
		{ hasIpAddressRestriction: [true] },
		texts({
			displayName: 'Allowed IP Addresses',
			description: 'Addresses or ranges, separated by commas',
			placeholder: 'e.g. 203.0.113.7, 2001:db8::/32',
			required: true,
		}),
	),
	additionalFields: collection({ displayName: 'Additional Fields', fields: furtherFields }),
};

/** The same for an update, which leaves the status. */
export const changedFields = { ...clientFields, additionalFields: changes(furtherFields) };

/** The fields for a client's credentials, for operations that do not generate them. */
export const credentialFields = {
	clientId: text({
		displayName: 'Client ID',
		description: "From the operation 'Generate Client Credentials'",
		required: true,
		max: 32,
	}),
	clientSecret: text({
		displayName: 'Client Secret',
		description: 'From the same operation',
		password: true,
		required: true,
		max: 100,
	}),
};

/** What a new client has unless something else is given: it is active (contract 2.11). */
export const NEW_CLIENT = { statusId: 1 };

/** The request body for creating and updating (contract 2.11). */
export function clientBody(
	{ roles, hasIpAddressRestriction, allowedIpAddresses = [], ...client }: Values<typeof clientFields>,
	credentials: { clientId: string; clientSecret: string },
) {
	const { additionalFieldsJson: more, ...added } = client.additionalFields;
	return {
		name: client.name,
		clientId: credentials.clientId,
		clientSecret: credentials.clientSecret,
		hasIpAddressRestriction,
		allowedIpAddresses: hasIpAddressRestriction ? allowedIpAddresses : null,
		roleResourceIdList: roles,
		...added,
		...more,
	};
}
