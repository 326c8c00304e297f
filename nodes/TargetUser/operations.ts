import { file } from '../shared/answer/file';
import { pages, USER_SORT } from '../shared/answer/pages';
import { identityOf } from '../shared/answer/paging';
import { done, record } from '../shared/answer/record';
import { normalized } from '../shared/form/fields';
import { searchFilter } from '../shared/form/search';
import { defineComposite, defineOperation, type PerformTools, type Tools } from '../shared/operation/operation';
import { PERSON_ID } from '../shared/pickers/resources';
import { toJson } from '../shared/transport/envelope';
import { InvalidInput } from '../shared/transport/errors';
import { listOf } from '../shared/transport/text';
import { bodyOf, changedFields, createOrUpdateFields, newFields, ofPerson, RECORD, ROW } from './fields';
import { importFile } from './importFile';
import { updatePerson } from './wholePerson';

const NO_PHONE =
	'must not be empty, because nobody has this e-mail address yet, and the platform adds nobody without a number';

const create = defineOperation({
	value: 'create',
	name: 'Create Target User',
	description: 'Add a person who gets trainings and simulations',
	contract: 'POST /api/target-users',
	isOptional: true,
	scope: 'company',
	fields: newFields,
	request: ({ additionalFields, ...person }) => ({ body: { ...person, ...bodyOf(additionalFields) } }),
	answer: record({ as: 'resourceId' }),
	output: (json, { email }) => ({ email, ...json }),
});

const get = defineOperation({
	value: 'get',
	name: 'Get Target User',
	description: 'Get the details of a person',
	contract: 'GET /api/target-users/{resourceId}',
	isOptional: true,
	scope: 'company',
	fields: ofPerson,
	request: ({ targetUser }) => ({ path: { resourceId: targetUser.id } }),
	answer: record({ known: RECORD }),
});

const update = defineOperation({
	value: 'update',
	name: 'Update Target User',
	description: 'Change the details of a person',
	contract: 'PUT /api/target-users/{resourceId}',
	isOptional: true,
	scope: 'company',
	fields: changedFields,
	request: ({ targetUser, additionalFields }) => ({
		path: { resourceId: targetUser.id },
		body: bodyOf(additionalFields),
	}),
	answer: record({ as: 'resourceId' }),
	perform: async (_values, tools) => await updatePerson(get, tools),
});

const deleteOne = defineOperation({
	value: 'delete',
	name: 'Delete Target User',
	description: 'Remove a person',
	contract: 'DELETE /api/target-users/{resourceId}',
	isOptional: true,
	scope: 'company',
	fields: ofPerson,
	request: ({ targetUser }) => ({ path: { resourceId: targetUser.id } }),
	answer: done({ deleted: true }),
});

const getMany = defineOperation({
	value: 'getMany',
	name: 'Get Many Target Users',
	description: 'List the people of one customer or of every one',
	contract: 'POST /api/target-users/search',
	isOptional: true,
	scope: 'companies',
	answer: pages({ known: ROW, identity: PERSON_ID, sortable: USER_SORT }),
});

const exportMany = defineOperation({
	value: 'export',
	name: 'Export Target Users',
	description: 'Get the list of people as a CSV or Excel file',
	contract: 'POST /api/target-users/search/export',
	isOptional: true,
	scope: 'companies',
	answer: file({ name: 'target-users', sortable: USER_SORT }),
});

const getGroups = defineOperation({
	value: 'getGroups',
	name: 'Get Groups of Target User',
	description: 'List the target groups that a person is in',
	contract: 'POST /api/target-users/{resourceId}/groups',
	isOptional: true,
	scope: 'company',
	fields: ofPerson,
	request: ({ targetUser }) => ({ path: { resourceId: targetUser.id } }),
	answer: pages({ known: ROW, identity: PERSON_ID, sortable: USER_SORT }),
});

const getCountSummary = defineOperation({
	value: 'getCountSummary',
	name: 'Get Count Summary',
	description: 'Get how many people a customer has, as the platform counts them',
	contract: 'GET /api/target-users/count-summary',
	isOptional: true,
	scope: 'companies',
	answer: record({ as: 'count' }),
});

/**
 * The ID of the only person with an e-mail address, whatever its case.
 * @returns undefined if there is none
 * @throws InvalidInput if there are several
 */
async function idByEmail(email: string, { list }: Tools): Promise<string | undefined> {
	const body = { filter: searchFilter({ searchText: email }) };
	const listed = await list(getMany, { body }, { identity: PERSON_ID });
	const found = listed.filter((person) => normalized(identityOf(person, ['email']) ?? '') === normalized(email));
	const ids = found.flatMap((person) => identityOf(person, PERSON_ID) ?? []);
	if (ids.length < 2) return ids[0];
	throw new InvalidInput(
		`is the address of ${ids.length} people: ${listOf(ids)}`,
		['email'],
		"Nothing was changed. Use 'Update Target User' with the ID of the one that you mean, or delete the others.",
	);
}

const createOrUpdate = defineComposite({
	value: 'createOrUpdate',
	name: 'Create or Update Target User',
	description: 'Change the person with an e-mail address, or add one if there is none',
	scope: 'company',
	fields: createOrUpdateFields,
	reads: false,
	uses: [getMany, create, get, update],
	run: async ({ email, phoneNumber, additionalFields }, tools) => {
		const given = { ...(phoneNumber === '' ? {} : { phoneNumber }), ...bodyOf(additionalFields) };
		const resourceId = await idByEmail(email, tools);
		if (resourceId === undefined) {
			if (given.phoneNumber === undefined) throw new InvalidInput(NO_PHONE, ['phoneNumber']);
			const { data } = await tools.ask(create, { body: { email, ...given } });
			return [{ json: { ...toJson(data, 'resourceId'), action: 'created' } }];
		}
		const path = { resourceId };
		const send: PerformTools['send'] = async ({ body = {} } = {}) => {
			const { data } = await tools.ask(update, { path, body });
			return [{ json: { ...toJson(data, 'resourceId'), action: 'updated' } }];
		};
		return await updatePerson(get, { ...tools, request: { path, body: given }, send });
	},
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
