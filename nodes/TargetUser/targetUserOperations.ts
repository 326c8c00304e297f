import { omit } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { buildSearchFilter } from '../core/api/searchFilter';
import { normalizeEmailAddress } from '../core/fields/contact';
import type { FieldValues } from '../core/fields/field';
import { InvalidInputError } from '../core/http/errors';
import {
	defineComposite,
	defineOperation,
	type OperationHelpers,
	type PerformHelpers,
} from '../core/operation/defineOperation';
import { fileResponse } from '../core/response/fileResponse';
import { listResponse, USER_FILTERABLE_FIELDS, USER_SORTABLE_FIELDS } from '../core/response/listResponse';
import { emptyResponse, recordResponse } from '../core/response/recordResponse';
import type { ResultItem } from '../core/response/responseHandler';
import { formatList, isEmpty, isMasked, readId, toItemJson } from '../core/values';
import { PERSON_LIST_FIELDS } from '../domain/people/personFields';
import { formatActiveStatus, isActivePerson } from '../domain/people/personStatus';
import { TARGET_USER_ID_FIELDS } from '../domain/pickers/resourcePickers';
import { compareWithListOperation } from './compare/compareWithListOperation';
import { rememberGroupIds } from './groupMemberships';
import { importTargetUsersOperation } from './import/importTargetUsersOperation';
import { getTargetUsersOperation } from '../domain/people/targetUsersOperation';
import { getTargetUserOperation } from './getTargetUserOperation';
import {
	buildPersonBody,
	targetUserCreationFields,
	targetUserPickerFields,
	targetUserUpdateFields,
	targetUserUpsertFields,
} from './targetUserFields';
import { updatePersonIfChanged, updatePerson } from './updatePerson';

const createTargetUserOperation = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create target user',
	description: 'Create a person who gets trainings and simulations',
	endpoint: 'POST /api/target-users',
	scope: 'company',
	fields: targetUserCreationFields,
	request: ({ additionalFields, ...person }) => ({
		body: buildPersonBody({ ...person, ...additionalFields }, { isUpdate: false }),
	}),
	response: recordResponse({ valueField: 'resourceId' }),
	transformOutput: (json, { email }) => ({ email, ...json }),
});

const updateTargetUserOperation = defineOperation({
	value: 'update',
	name: 'Update',
	action: 'Update target user',
	description: 'Update a person who gets trainings and simulations',
	endpoint: 'PUT /api/target-users/{resourceId}',
	scope: 'company',
	fields: targetUserUpdateFields,
	isUpdate: true,
	request: ({ targetUser, additionalFields }) => ({
		path: { resourceId: targetUser.id },
		body: buildPersonBody(additionalFields, { isUpdate: true }),
	}),
	response: recordResponse({ valueField: 'resourceId' }),
	perform: async ({ targetUser }, helpers) => updatePerson(getTargetUserOperation, targetUser.id, helpers),
});

const deleteTargetUserOperation = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete target user',
	description: 'Delete a person who gets trainings and simulations',
	endpoint: 'DELETE /api/target-users/{resourceId}',
	scope: 'company',
	fields: targetUserPickerFields,
	request: ({ targetUser }) => ({ path: { resourceId: targetUser.id } }),
	response: emptyResponse({ deleted: true }),
});

const exportTargetUsersOperation = defineOperation({
	value: 'export',
	name: 'Export',
	action: 'Export target users',
	description: 'Export the list of people to a CSV or Excel file',
	endpoint: 'POST /api/target-users/search/export',
	scope: 'companies',
	response: fileResponse({
		fallbackName: 'target-users',
		sortableFields: USER_SORTABLE_FIELDS,
		filterableFields: USER_FILTERABLE_FIELDS,
	}),
});

const getGroupsOfTargetUserOperation = defineOperation({
	value: 'getGroups',
	name: 'Get Groups',
	action: 'Get groups of target user',
	description: 'List the target groups that a person is in',
	endpoint: 'POST /api/target-users/{resourceId}/groups',
	scope: 'company',
	fields: targetUserPickerFields,
	request: ({ targetUser }) => ({ path: { resourceId: targetUser.id } }),
	response: listResponse({
		outputFields: PERSON_LIST_FIELDS,
		identity: TARGET_USER_ID_FIELDS,
		sortableFields: USER_SORTABLE_FIELDS,
	}),
});

const getTargetUserCountOperation = defineOperation({
	value: 'getCountSummary',
	name: 'Get Count Summary',
	action: 'Get target user count summary',
	description: 'Get the number of people at a customer',
	endpoint: 'GET /api/target-users/count-summary',
	scope: 'companies',
	response: recordResponse({ valueField: 'count' }),
});

/** A person's ID, and the person's entry in the list of people. */
interface ListedPerson {
	id: string;
	record: IDataObject;
}

/**
 * Finds a person by email address, ignoring case.
 * @returns undefined if nobody has the address
 * @throws InvalidInputError if several people have the address, or if the platform masks addresses
 * @throws IncompleteListError if the list may be incomplete, because a person who is missing from the list would be added a second time
 * @throws RequestError
 */
async function findPersonByEmail(email: string, helpers: OperationHelpers): Promise<ListedPerson | undefined> {
	const body = { filter: buildSearchFilter({ searchText: email }) };
	const options = { identity: TARGET_USER_ID_FIELDS };
	const records = await helpers.listRecordsCompletely(getTargetUsersOperation, { body }, options);
	// A masked address can't be compared with the entered one, so a person who is in the list might be added a second time.
	if (records.some((record) => isMasked(record.email)))
		throw new InvalidInputError(
			"can't be found, because the platform masks email addresses",
			['email'],
			"Nothing was changed. Use 'Update target user' with the person's ID, or 'Create target user' for a new person.",
		);
	const people = records.flatMap((record): ListedPerson[] => {
		const id = readId(record, TARGET_USER_ID_FIELDS);
		const hasEmail = normalizeEmailAddress(readId(record, ['email']) ?? '') === normalizeEmailAddress(email);
		return hasEmail && id !== undefined ? [{ id, record }] : [];
	});
	if (people.length < 2) return people[0];
	throw new InvalidInputError(
		`is the address of ${people.length} people: ${formatList(people.map(({ id }) => id))}`,
		['email'],
		"Nothing was changed. Use 'Update target user' with the ID of the person that you mean, or delete the duplicates.",
	);
}

const MISSING_PHONE_NUMBER_COMPLAINT =
	'must not be empty, because no person has this email address yet, and a new person needs a phone number';

/** Adds a person. @throws InvalidInputError if no phone number was entered, RequestError */
async function addPerson(body: IDataObject, helpers: OperationHelpers): Promise<ResultItem[]> {
	if (body.phoneNumber === undefined) throw new InvalidInputError(MISSING_PHONE_NUMBER_COMPLAINT, ['phoneNumber']);
	const { data } = await helpers.callOperation(createTargetUserOperation, { body });
	const json = toItemJson(data, 'resourceId');
	const personId = readId(json, TARGET_USER_ID_FIELDS);
	if (personId !== undefined) await rememberGroupIds(personId, body.targetGroupResourceIds, helpers.context);
	return [{ json: { ...json, result: 'created' } }];
}

/** Updates a person, unless the person already has all entered values. @throws InvalidInputError, RequestError */
async function updateExistingPerson(
	person: ListedPerson,
	body: IDataObject,
	helpers: OperationHelpers,
): Promise<ResultItem[]> {
	const path = { resourceId: person.id };
	const send: PerformHelpers['send'] = async (overrides = {}) => {
		const { data } = await helpers.callOperation(updateTargetUserOperation, { path, body: overrides.body ?? {} });
		return [{ json: { ...toItemJson(data, 'resourceId'), result: 'updated' } }];
	};
	const updateHelpers = { ...helpers, request: { path, body }, send };
	const items = await updatePersonIfChanged(getTargetUserOperation, person.id, updateHelpers, person.record);
	return items ?? [{ json: { ...path, result: 'unchanged' } }];
}

const INACTIVE_PERSON_HINT =
	"Inactive people get no trainings and no simulations. To activate them, add 'Active' in 'Additional Fields' and turn it on.";

/** Builds the request body that creates or updates a person. @throws InvalidInputError if the JSON has a field that the form sets */
function buildUpsertBody(values: FieldValues<typeof targetUserUpsertFields>): IDataObject {
	const { email, phoneNumber, additionalFields } = values;
	const enteredPhoneNumber = isEmpty(phoneNumber) ? undefined : phoneNumber;
	return buildPersonBody({ email, phoneNumber: enteredPhoneNumber, ...additionalFields }, { isUpdate: true });
}

const createOrUpdateTargetUserOperation = defineComposite({
	value: 'createOrUpdate',
	name: 'Create or Update',
	action: 'Create or update target user',
	description: 'Create a person, or update the person who already has the email address (upsert)',
	outputNote:
		"If the person exists already, the target groups that you add replace all current groups. In the output, 'result' is 'created', 'updated', or 'unchanged' if the person already had all values.",
	scope: 'company',
	fields: targetUserUpsertFields,
	isReadOnly: false,
	dependencies: [getTargetUsersOperation, createTargetUserOperation, getTargetUserOperation, updateTargetUserOperation],
	check: (values) => buildUpsertBody(values),
	run: async (values, helpers) => {
		const { email } = values;
		const body = omit(buildUpsertBody(values), 'email');
		const person = await findPersonByEmail(email, helpers);
		const items = person
			? await updateExistingPerson(person, body, helpers)
			: await addPerson({ email, ...body }, helpers);
		const enteredStatus = formatActiveStatus(isActivePerson({ isActive: body.isActive }));
		const status = enteredStatus ?? formatActiveStatus(person && isActivePerson(person.record));
		if (status === 'Inactive' && enteredStatus === null) helpers.context.addHint(INACTIVE_PERSON_HINT, email);
		return items.map((item) => ({ ...item, json: { ...item.json, status } }));
	},
	transformOutput: (json, { email }) => ({ email, ...json }),
});

/** The operations of the Target User node. Their forms follow each other in this order in the node's properties. */
export const targetUserOperations = [
	compareWithListOperation,
	createTargetUserOperation,
	createOrUpdateTargetUserOperation,
	deleteTargetUserOperation,
	exportTargetUsersOperation,
	getTargetUserOperation,
	getTargetUserCountOperation,
	getGroupsOfTargetUserOperation,
	getTargetUsersOperation,
	importTargetUsersOperation,
	updateTargetUserOperation,
];
