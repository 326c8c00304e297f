import { differenceBy, isEqual, omit, xor } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { Answered } from '../core/response/responseHandler';
import type { Operation, Tools } from '../core/operation/defineOperation';
import { updateWhole, type Sources, type UpdateTools } from '../core/operation/updateRecord';
import { InvalidInput } from '../core/http/errors';
import { groupIdsOf, noteGroups } from './groupMemberships';
import { readIsActive } from '../domain/people/personStatus';
import { isEmpty, isScalar, toJson } from '../core/values';

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

/** Where a row of the list has them under another name; what it shows may be a name where an ID was given. */
const IN_ROW: Readonly<Record<string, string>> = { timeZoneId: 'timeZone', preferredLanguageId: 'preferredLanguage' };

const storedValuesShape = z.array(z.object({ resourceId: z.string().min(1) }).passthrough());
const valuesShape = storedValuesShape.catch([]);
const idsShape = z.array(z.string());

/**
 * Reads a person's custom fields from the record.
 * @param path leads to the changed field in the form
 * @throws InvalidInput if one of them has no ID, because an update would remove it
 */
function readStoredValues({ customFieldValues }: IDataObject, path: string[]) {
	const stored = storedValuesShape.safeParse(customFieldValues ?? []);
	if (stored.success) return stored.data;
	throw new InvalidInput(
		'cannot be changed, because the platform shows a custom field of this person without its ID',
		path,
		'Nothing was changed, because an update replaces all custom fields and that one would have been lost. Change the custom fields in the platform.',
	);
}

/** A person's custom fields with the given values, because an update replaces the whole list. */
function customFieldsOf(there: ReturnType<typeof readStoredValues>, given: unknown) {
	const values = valuesShape.parse(given);
	return [
		...there.map((each) => {
			const next = values.find(({ resourceId }) => resourceId === each.resourceId);
			// The time of a date field is that of its old value.
			return next && !isSame(next.value, each.value) ? { ...omit(each, 'timestampValue'), ...next } : each;
		}),
		...differenceBy(values, there, 'resourceId'),
	];
}

/** Whether a value that was given is the one that is there; empty is the same as none. */
function isSame(given: unknown, there: unknown): boolean {
	if (isEmpty(given) || isEmpty(there)) return isEmpty(given) && isEmpty(there);
	return isScalar(given) && isScalar(there) ? String(given) === String(there) : isEqual(given, there);
}

/** What a record, or a row of the list, has of a field. @returns undefined if it does not show it */
function valueIn(record: IDataObject, name: string): unknown {
	if (name === 'isActive') return readIsActive(record);
	return record[name] ?? record[IN_ROW[name] ?? name];
}

/** What a person is changed with: the tools of an operation, and what was given. */
type PersonTools = Tools & Pick<UpdateTools, 'request' | 'send'>;

/**
 * Whether a person is as was wanted, so that nothing must be written. The groups are looked at last, because they are read.
 * @param record the person's record, or the row of a list, which shows less: what it does not show is not as was wanted
 */
async function isAsWanted(id: string, record: IDataObject, tools: PersonTools): Promise<boolean> {
	const { targetGroupResourceIds: groups, customFields, ...fields } = tools.request.body ?? {};
	const there = valuesShape.parse(record.customFieldValues);
	const isThere = ({ resourceId, value }: { resourceId: string; value?: unknown }) =>
		isSame(value, there.find((each) => each.resourceId === resourceId)?.value);
	const areSame =
		Object.entries(fields).every(([name, value]) => isSame(value, valueIn(record, name))) &&
		valuesShape.parse(customFields).every(isThere);
	if (!areSame || groups === undefined) return areSame;
	const wanted = idsShape.safeParse(groups);
	const present = await groupIdsOf(id, tools);
	return wanted.success && present !== undefined && xor(wanted.data, present).length === 0;
}

/**
 * Updates a person: what was not given stays as it is (see `updateWhole`).
 * @param get the operation that reads the record
 * @param known the record, if it was read just now
 * @throws InvalidInput, ServiceError
 */
export async function updatePerson(
	get: Operation,
	id: string,
	tools: PersonTools,
	known?: IDataObject,
): Promise<Answered[]> {
	const { body = {} } = tools.request;
	const read = async () => toJson((await tools.ask(get, { path: { resourceId: id } })).data);
	const record = known ?? (await read());
	const path = body.customFields === undefined ? ['additionalFields'] : ['additionalFields', 'customFields'];
	const customFields = readStoredValues(record, path);
	const groups = body.targetGroupResourceIds ?? (await groupIdsOf(id, tools));
	const whole = {
		...body,
		...(body.customFields === undefined ? {} : { customFields: customFieldsOf(customFields, body.customFields) }),
		targetGroupResourceIds: groups,
	};
	const unused = [record];
	const next = async () => unused.pop() ?? (await read());
	// Until the answer is there, nobody knows whether it has landed.
	await noteGroups(id, undefined, tools.context);
	const answered = await updateWhole(
		next,
		{ sources: SOURCES, required: REQUIRED },
		{ ...tools, request: { ...tools.request, body: whole } },
	);
	await noteGroups(id, groups, tools.context);
	return answered;
}

/**
 * The same, unless the person is as was wanted already.
 * @param row the person in the list of people
 * @returns undefined if nothing had to be written
 */
export async function updateIfChanged(
	get: Operation,
	id: string,
	tools: PersonTools,
	row: IDataObject,
): Promise<Answered[] | undefined> {
	if (await isAsWanted(id, row, tools)) return undefined;
	const record = toJson((await tools.ask(get, { path: { resourceId: id } })).data);
	return (await isAsWanted(id, record, tools)) ? undefined : await updatePerson(get, id, tools, record);
}
