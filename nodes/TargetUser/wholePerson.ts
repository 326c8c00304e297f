import { differenceBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { Answered } from '../shared/answer/answer';
import { identityOf } from '../shared/answer/paging';
import { searchFilter } from '../shared/form/search';
import type { Operation, Tools } from '../shared/operation/operation';
import { updateWhole, type Sources, type UpdateTools } from '../shared/operation/wholeRecord';
import { isMissing } from '../shared/pickers/listing';
import { PERSON_ID, TARGET_GROUP_ID } from '../shared/pickers/resources';
import { toJson } from '../shared/transport/envelope';
import { rethrow } from '../shared/transport/errors';
import { getMany as getGroups, getMembers } from '../TargetGroup/operations';

/** Where a person's record has each field of the update (deployment beyond); the groups are in no field of it. */
const SOURCES: Sources = {
	email: 'email',
	firstName: 'firstName',
	lastName: 'lastName',
	department: 'department',
	priority: 'priority',
	isActive: 'isActive',
	customFields: 'customFieldValues',
	phoneNumber: 'phoneNumber',
	targetGroupResourceIds: () => undefined,
	timeZoneId: 'timeZoneId',
	preferredLanguageId: 'preferredLanguageId',
	managerFirstName: 'managerFirstName',
	managerLastName: 'managerLastName',
	managerEmail: 'managerEmail',
};

/** What an update must have, by its names in the form; without the groups it would take the person out of all. */
const REQUIRED = {
	email: 'Email',
	phoneNumber: 'Phone Number',
	targetGroupResourceIds: 'Target Group Names or IDs',
};

type Asking = Pick<Tools, 'ask' | 'list'>;

/**
 * The IDs of the groups that a person is in, which are sent with every update. Neither the record has them, nor the person's own
 * list of groups, whose rows have the fields of people (deployment beyond); so the members of each group are searched.
 * @returns undefined where the platform does not list the members of groups
 */
async function groupIdsOf(record: IDataObject, { list }: Asking): Promise<string[] | undefined> {
	const id = identityOf(record, PERSON_ID);
	const filter = searchFilter({ searchText: identityOf(record, ['email']) });
	const isMember = async (resourceId: string) => {
		const asked = { path: { resourceId }, body: { orderBy: 'Email', filter } };
		const members = await list(getMembers, asked, { identity: PERSON_ID });
		return members.some((member) => identityOf(member, PERSON_ID) === id);
	};
	try {
		const groups = await list(getGroups, {}, { identity: TARGET_GROUP_ID });
		const ids = groups.flatMap((group) => identityOf(group, TARGET_GROUP_ID) ?? []);
		const found = await Promise.all(ids.map(async (each) => ((await isMember(each)) ? [each] : [])));
		return found.flat();
	} catch (error) {
		return isMissing(error) ? undefined : await rethrow(error);
	}
}

const valuesShape = z.array(z.object({ resourceId: z.string() }).passthrough()).catch([]);

/** A person's custom fields with the given values, because an update replaces the whole list. */
function customFieldsOf(record: IDataObject, given: unknown) {
	const there = valuesShape.parse(record.customFieldValues);
	const values = valuesShape.parse(given);
	return [
		...there.map((each) => ({ ...each, ...values.find(({ resourceId }) => resourceId === each.resourceId) })),
		...differenceBy(values, there, 'resourceId'),
	];
}

/**
 * Updates a person: what was not given stays as it is (see `updateWhole`).
 * @param get the operation that reads the record
 * @throws InvalidInput, ServiceError
 */
export async function updatePerson(get: Operation, tools: UpdateTools & Asking): Promise<Answered[]> {
	const { path = {}, body = {} } = tools.request;
	const record = toJson((await tools.ask(get, { path })).data);
	const whole = {
		...body,
		...(body.customFields === undefined ? {} : { customFields: customFieldsOf(record, body.customFields) }),
		targetGroupResourceIds: body.targetGroupResourceIds ?? (await groupIdsOf(record, tools)),
	};
	return await updateWhole(
		get,
		{ sources: SOURCES, required: REQUIRED },
		{ ...tools, request: { ...tools.request, body: whole } },
	);
}
