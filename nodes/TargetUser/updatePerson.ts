import { differenceBy, isEqual, omit, xor } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { InvalidInputError } from '../core/http/errors';
import type { Operation, OperationHelpers } from '../core/operation/defineOperation';
import { updateRecord, type CurrentValueSources, type UpdateHelpers } from '../core/operation/updateRecord';
import type { ResultItem } from '../core/response/responseHandler';
import { isEmpty, isScalar, toItemJson } from '../core/values';
import { isActivePerson } from '../domain/people/personStatus';
import { readGroupIds, rememberGroupIds } from './groupMemberships';

/**
 * Maps each field of the update request to the field of a person's record that holds the current value (deployment beyond, "People"). The
 * groups are missing here, because the record doesn't have them.
 */
const PERSON_UPDATE_SOURCES: CurrentValueSources = {
	email: 'email',
	firstName: 'firstName',
	lastName: 'lastName',
	department: 'department',
	priority: 'priority',
	isActive: 'isActive',
	customFields: 'customFieldValues',
	phoneNumber: 'phoneNumber',
	timeZoneId: 'timeZoneId',
	preferredLanguageId: 'preferredLanguageId',
	managerFirstName: 'managerFirstName',
	managerLastName: 'managerLastName',
	managerEmail: 'managerEmail',
};

/**
 * The fields that every update must send, each with its label in the form. An update without the groups would remove the person from all
 * groups.
 */
const REQUIRED_UPDATE_FIELDS = {
	email: 'Email',
	phoneNumber: 'Phone Number',
	targetGroupResourceIds: 'Target Group Names or IDs',
};

/**
 * Two fields have a different name in the list of people. There they hold text such as the name of the language, even if an update sent an
 * ID.
 */
const LIST_FIELD_BY_RECORD_FIELD: Readonly<Record<string, string>> = {
	timeZoneId: 'timeZone',
	preferredLanguageId: 'preferredLanguage',
};

const strictCustomFieldsSchema = z.array(z.object({ resourceId: z.string().min(1) }).passthrough());
const lenientCustomFieldsSchema = strictCustomFieldsSchema.catch([]);
const groupIdsSchema = z.array(z.string());

type CustomField = z.infer<typeof lenientCustomFieldsSchema>[number];

/**
 * Reads a person's custom fields from the record.
 * @param path the path to the form field that the error names
 * @throws InvalidInputError if a custom field has no ID, because an update would remove it
 */
function readStoredCustomFields({ customFieldValues }: IDataObject, path: string[]): CustomField[] {
	const storedFields = strictCustomFieldsSchema.safeParse(customFieldValues ?? []);
	if (storedFields.success) return storedFields.data;
	throw new InvalidInputError(
		"can't be changed, because the platform shows a custom field of this person without its ID",
		path,
		'Nothing was changed, because an update replaces all custom fields and would have deleted this one. Change the custom fields on the platform.',
	);
}

/** Merges the entered custom fields into the stored ones, because an update replaces the whole list. */
function mergeCustomFields(storedFields: CustomField[], enteredValue: unknown): CustomField[] {
	const enteredFields = lenientCustomFieldsSchema.parse(enteredValue);
	const mergedFields = storedFields.map((storedField) => {
		const enteredField = enteredFields.find(({ resourceId }) => resourceId === storedField.resourceId);
		if (!enteredField || isSameValue(enteredField.value, storedField.value)) return storedField;
		// The timestamp of a date field belongs to the old value, so it is not sent.
		return { ...omit(storedField, 'timestampValue'), ...enteredField };
	});
	return [...mergedFields, ...differenceBy(enteredFields, storedFields, 'resourceId')];
}

/** Returns true if two values are equal. An empty value equals a missing one, and the number 1 equals the text '1'. */
function isSameValue(enteredValue: unknown, storedValue: unknown): boolean {
	if (isEmpty(enteredValue) || isEmpty(storedValue)) return isEmpty(enteredValue) && isEmpty(storedValue);
	if (isScalar(enteredValue) && isScalar(storedValue)) return String(enteredValue) === String(storedValue);
	return isEqual(enteredValue, storedValue);
}

/** Reads a field of a person's record or of an entry in the list of people. @returns undefined if the platform doesn't show the field */
function readPersonField(person: IDataObject, name: string): unknown {
	if (name === 'isActive') return isActivePerson(person);
	return person[name] ?? person[LIST_FIELD_BY_RECORD_FIELD[name] ?? name];
}

/** The functions for updating a person, and the request, whose body has the values that the user entered. */
type PersonUpdateHelpers = OperationHelpers & Pick<UpdateHelpers, 'request' | 'send'>;

/**
 * Returns true if a person already has all entered values, so that no update is needed. The groups are compared last, because reading them
 * takes further requests.
 * @param person the person's record or entry in the list of people. A field that it doesn't have counts as different.
 */
async function hasAllEnteredValues(
	personId: string,
	person: IDataObject,
	helpers: PersonUpdateHelpers,
): Promise<boolean> {
	const { targetGroupResourceIds: enteredGroups, customFields, ...otherFields } = helpers.request.body ?? {};
	const storedCustomFields = lenientCustomFieldsSchema.parse(person.customFieldValues);
	const isStoredCustomField = ({ resourceId, value }: CustomField) =>
		isSameValue(value, storedCustomFields.find((storedField) => storedField.resourceId === resourceId)?.value);
	const hasAllOtherValues =
		Object.entries(otherFields).every(([name, value]) => isSameValue(value, readPersonField(person, name))) &&
		lenientCustomFieldsSchema.parse(customFields).every(isStoredCustomField);
	if (!hasAllOtherValues || enteredGroups === undefined) return hasAllOtherValues;
	const enteredGroupIds = groupIdsSchema.safeParse(enteredGroups);
	const storedGroupIds = await readGroupIds(personId, helpers);
	if (!enteredGroupIds.success || storedGroupIds === undefined) return false;
	return xor(enteredGroupIds.data, storedGroupIds).length === 0;
}

/** Reads a person's record. @throws RequestError */
async function readPerson(
	personId: string,
	getPersonOperation: Operation,
	helpers: PersonUpdateHelpers,
): Promise<IDataObject> {
	const { data } = await helpers.callOperation(getPersonOperation, { path: { resourceId: personId } });
	return toItemJson(data);
}

/**
 * Updates a person. Fields without an entered value keep their stored value (see `updateRecord`).
 * @param getPersonOperation the operation that reads a person's record
 * @param currentRecord the person's record, if the caller has just read it
 * @throws InvalidInputError, RequestError
 */
export async function updatePerson(
	getPersonOperation: Operation,
	personId: string,
	helpers: PersonUpdateHelpers,
	currentRecord?: IDataObject,
): Promise<ResultItem[]> {
	const { body = {} } = helpers.request;
	const record = currentRecord ?? (await readPerson(personId, getPersonOperation, helpers));
	const path = body.customFields === undefined ? ['additionalFields'] : ['additionalFields', 'customFields'];
	const storedCustomFields = readStoredCustomFields(record, path);
	const groupIds = body.targetGroupResourceIds ?? (await readGroupIds(personId, helpers));
	const newBody: IDataObject = { ...body };
	if (body.customFields !== undefined) newBody.customFields = mergeCustomFields(storedCustomFields, body.customFields);
	newBody.targetGroupResourceIds = groupIds;
	// `updateRecord` reads the record before and after the update. The first time, it gets the record that was just read.
	let isFirstRead = true;
	const readRecord = async () => {
		if (!isFirstRead) return await readPerson(personId, getPersonOperation, helpers);
		isFirstRead = false;
		return record;
	};
	// Until the response to the update arrives, it is unknown which groups the person is in. Therefore the remembered groups are discarded.
	await rememberGroupIds(personId, undefined, helpers.context);
	const items = await updateRecord(
		readRecord,
		{ currentValueSources: PERSON_UPDATE_SOURCES, requiredFields: REQUIRED_UPDATE_FIELDS },
		{ ...helpers, request: { ...helpers.request, body: newBody } },
	);
	await rememberGroupIds(personId, groupIds, helpers.context);
	return items;
}

/**
 * Updates a person like `updatePerson`, unless the person already has all entered values.
 * @param listedPerson the person's entry in the list of people
 * @returns undefined if no update was needed
 * @throws InvalidInputError, RequestError
 */
export async function updatePersonIfChanged(
	getPersonOperation: Operation,
	personId: string,
	helpers: PersonUpdateHelpers,
	listedPerson: IDataObject,
): Promise<ResultItem[] | undefined> {
	if (await hasAllEnteredValues(personId, listedPerson, helpers)) return undefined;
	const record = await readPerson(personId, getPersonOperation, helpers);
	if (await hasAllEnteredValues(personId, record, helpers)) return undefined;
	return await updatePerson(getPersonOperation, personId, helpers, record);
}
