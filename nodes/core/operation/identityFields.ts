import { isUndefined, omitBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { isEmailAddress } from '../fields/contact';
import { isRecord, toItemJson } from '../values';

/** Returns the name and the email address of a record, if they are among the sent fields. */
export const pickNameAndEmail = (sentFields: Record<string, unknown>): IDataObject =>
	toItemJson(omitBy({ name: sentFields.name ?? sentFields.Name, email: sentFields.email }, isUndefined));

/**
 * Returns the fields that identify the written record. The output needs them, because most responses to a write contain only an ID. A name
 * that the request doesn't send is taken from the form field in which the user selected the record.
 * @param resourceId the ID of the record, if the request's path has it
 * @param values the values of the form
 */
export function getIdentityFields(
	resourceId: string | undefined,
	sentFields: Record<string, unknown>,
	values: Record<string, unknown>,
): IDataObject {
	if (resourceId === undefined) return pickNameAndEmail(sentFields);
	return { ...pickSelectedName(resourceId, values), ...pickNameAndEmail(sentFields), resourceId };
}

/** Returns the name of the selected record with this ID. The name of a person is the email address. Without a name, returns no fields. */
function pickSelectedName(resourceId: string, values: Record<string, unknown>): IDataObject {
	const selectedRecord = Object.values(values).find((value) => isRecord(value) && value.id === resourceId);
	const name = isRecord(selectedRecord) ? selectedRecord.name : undefined;
	if (typeof name !== 'string' || name === '') return {};
	return isEmailAddress(name) ? { email: name } : { name };
}
