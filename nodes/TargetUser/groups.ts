import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { OperationContext } from '../shared/answer/answer';
import { LARGE_PAGE_SIZE } from '../shared/answer/list';
import type { Tools } from '../shared/operation/operation';
import { PERSON_ID, TARGET_GROUP_ID } from '../shared/pickers/resources';
import { isMissing, rethrow } from '../shared/transport/errors';
import type { Service } from '../shared/transport/service';
import { getMany as getGroups, getMembers } from '../TargetGroup/operations';
import { identityOf } from '../shared/values';

/** The IDs of the groups that each person is in, by the person's ID; undefined while that is not certain. */
type Memberships = Map<string, string[] | undefined>;

/** What was read of each company in a run, for all rows; undefined where the platform does not list the members of groups. */
const membershipsOf = new WeakMap<Service, Map<string, Promise<Memberships | undefined>>>();

function knownOf({ service }: OperationContext) {
	const ofRun = membershipsOf.get(service) ?? new Map<string, Promise<Memberships | undefined>>();
	membershipsOf.set(service, ofRun);
	return ofRun;
}

const keyOf = ({ company }: OperationContext) => company?.id ?? '';

/** The people in a group, all of them: an update takes a person out of each group that its list leaves out. */
async function readMembers(resourceId: string, name: string, { listComplete }: Tools): Promise<IDataObject[]> {
	const parts = { path: { resourceId }, body: { orderBy: 'Email' } };
	const shape = { pageSize: LARGE_PAGE_SIZE, identity: PERSON_ID };
	return await listComplete(getMembers, parts, shape, `the list of the members of the target group '${name}'`);
}

async function readMemberships(tools: Tools): Promise<Memberships | undefined> {
	try {
		const found: Memberships = new Map();
		const groups = await tools.listComplete(getGroups, {}, { identity: TARGET_GROUP_ID });
		const named = groups.flatMap((group) => {
			const id = identityOf(group, TARGET_GROUP_ID);
			return id === undefined ? [] : [{ id, name: identityOf(group, ['name']) ?? id }];
		});
		const ids = named.map(({ id }) => id);
		const members = await Promise.all(named.map(({ id, name }) => readMembers(id, name, tools)));
		members.forEach((people, index) => {
			for (const person of people.flatMap((each) => identityOf(each, PERSON_ID) ?? []))
				found.set(person, [...(found.get(person) ?? []), ...ids.slice(index, index + 1)]);
		});
		return found;
	} catch (error) {
		return isMissing(error) ? undefined : await rethrow(error);
	}
}

/**
 * The IDs of the groups that a person is in. Neither the record has them, nor the person's own list of groups, whose rows have
 * the fields of people (deployment beyond); so the members of all groups are read, once for all rows of a run.
 * @returns undefined where the platform does not list the members of groups
 * @throws ServiceError, IncompleteList where the person may be in a group whose list does not show it
 */
export async function groupIdsOf(person: string, tools: Tools): Promise<string[] | undefined> {
	const ofRun = knownOf(tools.context);
	const key = keyOf(tools.context);
	const reading = ofRun.get(key) ?? readMemberships(tools);
	ofRun.set(key, reading);
	try {
		const memberships = await reading;
		const ids = memberships?.get(person);
		if (ids || !memberships?.has(person)) return memberships && (ids ?? []);
	} catch (error) {
		// The next row tries again.
		ofRun.delete(key);
		return await rethrow(error);
	}
	ofRun.delete(key);
	return await groupIdsOf(person, tools);
}

const idsShape = z.array(z.string()).optional().catch(undefined);

/** Tells the following rows of the run which groups a person is in from now on. @param groups undefined if that is not certain */
export async function noteGroups(person: string, groups: unknown, context: OperationContext): Promise<void> {
	(await knownOf(context).get(keyOf(context)))?.set(person, idsShape.parse(groups));
}
