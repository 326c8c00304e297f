import { differenceBy, isEqual, omit, xor } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { InvalidInputError } from '../core/http/errors';
import type { Operation, OperationTools } from '../core/operation/defineOperation';
import { updateRecord, type FieldSources, type UpdateTools } from '../core/operation/updateRecord';
import type { ResultItem } from '../core/response/responseHandler';
import { isEmpty, isScalar, toItemJson } from '../core/values';
import { readIsActive } from '../domain/people/personStatus';
import { readGroupIds, rememberGroups } from './groupMemberships';

/**
 * Maps each field of the update request to the field of a person's record that has its current value (deployment beyond, "People"). The
 * groups are missing, because the record doesn't have them.
 */
const PERSON_UPDATE_SOURCES: FieldSources = {
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
 * The fields that every update needs, with their labels in the form. An update without the groups would remove the person from all
 * groups.
 */
const REQUIRED_UPDATE_FIELDS = {
	email: 'Email',
	phoneNumber: 'Phone Number',
	targetGroupResourceIds: 'Target Group Names or IDs',
};

/** The names under which the list of people shows two fields. The list shows names in them, even if an update sent IDs. */
const LIST_FIELD_NAMES: Readonly<Record<string, string>> = {
	timeZoneId: 'timeZone',
	preferredLanguageId: 'preferredLanguage',
};

const storedCustomFieldsSchema = z.array(z.object({ resourceId: z.string().min(1) }).passthrough());
const customFieldsSchema = storedCustomFieldsSchema.catch([]);
const groupIdsSchema = z.array(z.string());

type CustomField = z.infer<typeof customFieldsSchema>[number];

/**
 * Reads a person's custom fields from the record.
 * @param path the path to the form field that the error names
 * @throws InvalidInputError if a custom field has no ID, because an update would remove it
 */
function readStoredCustomFields({ customFieldValues }: IDataObject, path: string[]): CustomField[] {
	const storedFields = storedCustomFieldsSchema.safeParse(customFieldValues ?? []);
	if (storedFields.success) return storedFields.data;
	throw new InvalidInputError(
		'cannot be changed, because the platform shows a custom field of this person without its ID',
		path,
		'Nothing was changed, because an update replaces all custom fields and that one would have been lost. Change the custom fields in the platform.',
	);
}

/** Merges the entered custom fields into the stored ones, because an update replaces the whole list. */
function mergeCustomFields(storedFields: CustomField[], enteredValue: unknown): CustomField[] {
	const enteredFields = customFieldsSchema.parse(enteredValue);
	const mergedFields = storedFields.map((storedField) => {
		const enteredField = enteredFields.find(({ resourceId }) => resourceId === storedField.resourceId);
		if (!enteredField || isSameValue(enteredField.value, storedField.value)) return storedField;
		// The timestamp of a date field belongs to the old value.
		return { ...omit(storedField, 'timestampValue'), ...enteredField };
	});
	return [...mergedFields, ...differenceBy(enteredFields, storedFields, 'resourceId')];
}

/** Returns true if two values are equal. An empty value equals a missing one, and a number equals its text. */
function isSameValue(enteredValue: unknown, storedValue: unknown): boolean {
	if (isEmpty(enteredValue) || isEmpty(storedValue)) return isEmpty(enteredValue) && isEmpty(storedValue);
	if (isScalar(enteredValue) && isScalar(storedValue)) return String(enteredValue) === String(storedValue);
	return isEqual(enteredValue, storedValue);
}

/** Reads the stored value of a field from a person's record or from an entry of the list. @returns undefined if it isn't shown */
function readPersonField(person: IDataObject, name: string): unknown {
	if (name === 'isActive') return readIsActive(person);
	return person[name] ?? person[LIST_FIELD_NAMES[name] ?? name];
}

/** The tools of an operation that updates a person. The body of the request has the entered values. */
type PersonTools = OperationTools & Pick<UpdateTools, 'request' | 'send'>;

/**
 * Checks if a person already has all entered values, so that no update is needed. The groups are compared last, because that takes further
 * requests.
 * @param person the person's record or entry in the list. A field that the list doesn't show counts as different.
 */
async function isUpToDate(personId: string, person: IDataObject, tools: PersonTools): Promise<boolean> {
	const { targetGroupResourceIds: enteredGroups, customFields, ...fields } = tools.request.body ?? {};
	const storedCustomFields = customFieldsSchema.parse(person.customFieldValues);
	const isStoredCustomField = ({ resourceId, value }: CustomField) =>
		isSameValue(value, storedCustomFields.find((storedField) => storedField.resourceId === resourceId)?.value);
	const hasAllFields =
		Object.entries(fields).every(([name, value]) => isSameValue(value, readPersonField(person, name))) &&
		customFieldsSchema.parse(customFields).every(isStoredCustomField);
	if (!hasAllFields || enteredGroups === undefined) return hasAllFields;
	const enteredGroupIds = groupIdsSchema.safeParse(enteredGroups);
	const storedGroupIds = await readGroupIds(personId, tools);
	if (!enteredGroupIds.success || storedGroupIds === undefined) return false;
	return xor(enteredGroupIds.data, storedGroupIds).length === 0;
}

/** Reads a person's record. @throws RequestError */
async function readPerson(personId: string, getOperation: Operation, tools: PersonTools): Promise<IDataObject> {
	const { data } = await tools.callOperation(getOperation, { path: { resourceId: personId } });
	return toItemJson(data);
}

/**
 * Updates a person. Fields without an entered value keep their stored value (see `updateRecord`).
 * @param getOperation the operation that reads a person's record
 * @param currentRecord the person's record if the caller has just read it
 * @throws InvalidInputError, RequestError
 */
export async function updatePerson(
	getOperation: Operation,
	personId: string,
	tools: PersonTools,
	currentRecord?: IDataObject,
): Promise<ResultItem[]> {
	const { body = {} } = tools.request;
	const record = currentRecord ?? (await readPerson(personId, getOperation, tools));
	const path = body.customFields === undefined ? ['additionalFields'] : ['additionalFields', 'customFields'];
	const storedCustomFields = readStoredCustomFields(record, path);
	const groupIds = body.targetGroupResourceIds ?? (await readGroupIds(personId, tools));
	const newBody: IDataObject = { ...body };
	if (body.customFields !== undefined) newBody.customFields = mergeCustomFields(storedCustomFields, body.customFields);
	newBody.targetGroupResourceIds = groupIds;
	// `updateRecord` reads the record before and after the update. The first time, it gets the record that was just read.
	let isFirstRead = true;
	const readRecord = async () => {
		if (!isFirstRead) return await readPerson(personId, getOperation, tools);
		isFirstRead = false;
		return record;
	};
	// Until the response to the update arrives, it is unknown which groups the person is in.
	await rememberGroups(personId, undefined, tools.context);
	const items = await updateRecord(
		readRecord,
		{ valueSources: PERSON_UPDATE_SOURCES, requiredFields: REQUIRED_UPDATE_FIELDS },
		{ ...tools, request: { ...tools.request, body: newBody } },
	);
	await rememberGroups(personId, groupIds, tools.context);
	return items;
}

/**
 * Updates a person like `updatePerson`, unless the person already has all entered values.
 * @param listedPerson the person's entry in the list of people
 * @returns undefined if no update was needed
 * @throws InvalidInputError, RequestError
 */
export async function updateIfChanged(
	getOperation: Operation,
	personId: string,
	tools: PersonTools,
	listedPerson: IDataObject,
): Promise<ResultItem[] | undefined> {
	if (await isUpToDate(personId, listedPerson, tools)) return undefined;
	const record = await readPerson(personId, getOperation, tools);
	if (await isUpToDate(personId, record, tools)) return undefined;
	return await updatePerson(getOperation, personId, tools, record);
}
