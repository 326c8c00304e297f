/** The operations with secrets, and responses that contain secrets without a need (contract 2.11; deployment activity 5, 9). */
import type { JsonObject } from '../stand-in/http';
import { isJsonObject } from '../stand-in/http';

/** The operations with a secret in their parameters or output. */
export const SECRET_CASE_NAMES = [
	'Account login',
	'Account agentSignIn.getLoginUrl',
	'Account agentSignIn.exchangeCode',
	'ApiClient generateCredentials',
	'ApiClient create',
	'ApiClient update',
	'ApiClient provision',
	'GoogleOAuth complete',
	'ScimIntegration create',
	'ScimIntegration revokeToken',
];

/**
 * Adds fields to every record in the data of a response: to each record of a list, or to a single record.
 * @param addedFields the fields that the platform sends without a need
 */
export function addFieldsToRecords(data: unknown, addedFields: JsonObject): unknown {
	if (Array.isArray(data))
		return data.map((record: unknown) => (isJsonObject(record) ? { ...record, ...addedFields } : record));
	if (!isJsonObject(data)) return data;
	const listName = ['items', 'results'].find((name) => name in data);
	if (listName !== undefined) return { ...data, [listName]: addFieldsToRecords(data[listName], addedFields) };
	const [onlyName, ...otherNames] = Object.keys(data);
	// An empty object is no record. It means that the operation has no result.
	if (onlyName === undefined) return data;
	// Some responses have an object that contains only a list.
	if (otherNames.length === 0 && Array.isArray(data[onlyName]))
		return { [onlyName]: addFieldsToRecords(data[onlyName], addedFields) };
	return { ...data, ...addedFields };
}
