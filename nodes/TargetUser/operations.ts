import type { IDataObject } from 'n8n-workflow';

import type { Answered } from '../core/response/responseHandler';
import { file } from '../core/response/fileResponse';
import { pages, USER_CONDITIONS, USER_SORT } from '../core/response/listResponse';
import { done, record } from '../core/response/recordResponse';
import { normalizeAddress } from '../core/fields/contact';
import { defineComposite, defineOperation, type PerformTools, type Tools } from '../core/operation/defineOperation';
import { PERSON_ID } from '../domain/pickers/resourcePickers';
import { InvalidInput } from '../core/http/errors';
import { personBody, changedFields, createOrUpdateFields, newFields, ofPerson, RECORD, ROW } from './targetUserFields';
import { noteGroups } from './groupMemberships';
import { importFile } from './import/importFile';
import { nameStatus, readIsActive } from '../domain/people/personStatus';
import { updateIfChanged, updatePerson } from './updatePerson';
import { identityOf, isEmpty, isMasked, listOf, toJson } from '../core/values';
import { searchFilter } from '../core/http/requestVariants';

const NO_PHONE =
	'must not be empty, because nobody has this e-mail address yet, and the platform adds nobody without a number';

const create = defineOperation({
	value: 'create',
	name: 'Create Target User',
	description: 'Add a person who gets trainings and simulations; for an administrator: Create System User',
	endpoint: 'POST /api/target-users',
	scope: 'company',
	fields: newFields,
	request: ({ additionalFields, ...person }) => ({ body: { ...person, ...personBody(additionalFields) } }),
	answer: record({ as: 'resourceId' }),
	output: (json, { email }) => ({ email, ...json }),
});

const get = defineOperation({
	value: 'get',
	name: 'Get Target User',
	description: 'Get the details of a person',
	endpoint: 'GET /api/target-users/{resourceId}',
	scope: 'company',
	fields: ofPerson,
	request: ({ targetUser }) => ({ path: { resourceId: targetUser.id } }),
	answer: record({ known: RECORD }),
});

const update = defineOperation({
	value: 'update',
	name: 'Update Target User',
	description: 'Change the details of a person who is there, chosen from the list or by ID',
	endpoint: 'PUT /api/target-users/{resourceId}',
	scope: 'company',
	fields: changedFields,
	isUpdate: true,
	request: ({ targetUser, additionalFields }) => ({
		path: { resourceId: targetUser.id },
		body: personBody(additionalFields),
	}),
	answer: record({ as: 'resourceId' }),
	perform: async ({ targetUser }, tools) => updatePerson(get, targetUser.id, tools),
});

const deleteOne = defineOperation({
	value: 'delete',
	name: 'Delete Target User',
	description: 'Remove a person',
	endpoint: 'DELETE /api/target-users/{resourceId}',
	scope: 'company',
	fields: ofPerson,
	request: ({ targetUser }) => ({ path: { resourceId: targetUser.id } }),
	answer: done({ deleted: true }),
});

const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many Target Users',
	description: 'List the people of one customer or of every one',
	endpoint: 'POST /api/target-users/search',
	scope: 'companies',
	answer: pages({ known: ROW, identity: PERSON_ID, sortable: USER_SORT, conditions: USER_CONDITIONS }),
});

const exportMany = defineOperation({
	value: 'export',
	name: 'Export Target Users',
	description: 'Get the list of people as a CSV or Excel file',
	endpoint: 'POST /api/target-users/search/export',
	scope: 'companies',
	answer: file({ name: 'target-users', sortable: USER_SORT, conditions: USER_CONDITIONS }),
});

const getGroups = defineOperation({
	value: 'getGroups',
	name: 'Get Groups of Target User',
	description: 'List the target groups that a person is in',
	endpoint: 'POST /api/target-users/{resourceId}/groups',
	scope: 'company',
	fields: ofPerson,
	request: ({ targetUser }) => ({ path: { resourceId: targetUser.id } }),
	answer: pages({ known: ROW, identity: PERSON_ID, sortable: USER_SORT }),
});

const getCountSummary = defineOperation({
	value: 'getCountSummary',
	name: 'Get Count Summary',
	description: 'Get how many people a customer has, as the platform counts them',
	endpoint: 'GET /api/target-users/count-summary',
	scope: 'companies',
	answer: record({ as: 'count' }),
});

/**
 * The row of the only person with an e-mail address, whatever its case, and the person's ID.
 * @returns undefined if there is none
 * @throws InvalidInput if there are several
 * @throws ServiceError; IncompleteList, because a person who is missing from the list would be added a second time
 */
async function personOf(email: string, { listComplete }: Tools): Promise<{ id: string; row: IDataObject } | undefined> {
	const body = { filter: searchFilter({ searchText: email }) };
	const listed = await listComplete(getMany, { body }, { identity: PERSON_ID });
	// A masked address can't be compared, so the same person might be added a second time.
	if (listed.some((row) => isMasked(row.email)))
		throw new InvalidInput(
			"can't be found, because the platform masks email addresses",
			['email'],
			"Nothing was changed. Use 'Update Target User' with the person's ID, or 'Create Target User' for a new person.",
		);
	const people = listed.flatMap((row) => {
		const id = identityOf(row, PERSON_ID);
		const isMeant = normalizeAddress(identityOf(row, ['email']) ?? '') === normalizeAddress(email);
		return isMeant && id !== undefined ? [{ id, row }] : [];
	});
	if (people.length < 2) return people[0];
	throw new InvalidInput(
		`is the address of ${people.length} people: ${listOf(people.map(({ id }) => id))}`,
		['email'],
		"Nothing was changed. Use 'Update Target User' with the ID of the one that you mean, or delete the others.",
	);
}

/** Adds somebody. @throws InvalidInput without a number, ServiceError */
async function add(body: IDataObject, { ask, context }: Tools): Promise<Answered[]> {
	if (body.phoneNumber === undefined) throw new InvalidInput(NO_PHONE, ['phoneNumber']);
	const json = toJson((await ask(create, { body })).data, 'resourceId');
	const id = identityOf(json, PERSON_ID);
	if (id !== undefined) await noteGroups(id, body.targetGroupResourceIds, context);
	return [{ json: { ...json, action: 'created' } }];
}

/** Updates a person from the list, unless all values are the same already. @throws InvalidInput, ServiceError */
async function change(person: { id: string; row: IDataObject }, body: IDataObject, tools: Tools): Promise<Answered[]> {
	const path = { resourceId: person.id };
	const send: PerformTools['send'] = async (changed = {}) => {
		const { data } = await tools.ask(update, { path, body: changed.body ?? {} });
		return [{ json: { ...toJson(data, 'resourceId'), action: 'updated' } }];
	};
	const changing = { ...tools, request: { path, body }, send };
	const items = await updateIfChanged(get, person.id, changing, person.row);
	return items ?? [{ json: { ...path, action: 'unchanged' } }];
}

const INACTIVE =
	"Inactive people get no trainings and no simulations. To activate them, add 'Active' in 'Additional Fields' and turn it on.";

const createOrUpdate = defineComposite({
	value: 'createOrUpdate',
	name: 'Create or Update Target User',
	description: 'Change the person with an e-mail address, or add one if there is none (upsert)',
	outputNote:
		"'action' is 'created', 'updated', or 'unchanged' if all values were the same already. 'status' is Active or Inactive. For a new person it is empty unless you add 'Active', because the platform doesn't return it.",
	scope: 'company',
	fields: createOrUpdateFields,
	reads: false,
	uses: [getMany, create, get, update],
	run: async ({ email, phoneNumber, additionalFields }, tools) => {
		const number = isEmpty(phoneNumber?.trim()) ? {} : { phoneNumber };
		const body: IDataObject = { ...number, ...personBody(additionalFields) };
		const person = await personOf(email, tools);
		const wantedStatus = nameStatus(readIsActive({ isActive: body.isActive }));
		const status = wantedStatus ?? nameStatus(person && readIsActive(person.row));
		const answered = person ? await change(person, body, tools) : await add({ email, ...body }, tools);
		if (status === 'Inactive' && wantedStatus === null) tools.context.hint(INACTIVE, email);
		return answered.map(({ json, ...item }) => ({ ...item, json: { ...json, status } }));
	},
	output: (json, { email }) => ({ email, ...json }),
});

export const operations = [
	create,
	createOrUpdate,
	deleteOne,
	exportMany,
	get,
	getCountSummary,
	getGroups,
	getMany,
	importFile,
	update,
];
