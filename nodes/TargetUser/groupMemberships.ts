import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { OperationContext } from '../core/response/responseHandler';
import { LARGE_PAGE_SIZE } from '../core/pagination/readList';
import type { Tools } from '../core/operation/defineOperation';
import { PERSON_ID, TARGET_GROUP_ID } from '../domain/pickers/resourcePickers';
import { isMissing, rethrow } from '../core/http/errors';
import type { Service } from '../core/http/client';
import { getMany as getGroups, getMembers } from '../TargetGroup/operations';
import { identityOf, numberOf } from '../core/values';

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

/**
 * Reads all people in a group. An update removes a person from each group that isn't in its list, so no membership may be missing.
 * @param group the group's row, which counts its members (contract 2.6)
 */
async function readMembers(resourceId: string, name: string, group: IDataObject, { listComplete }: Tools) {
	const parts = { path: { resourceId }, body: { orderBy: 'Email' } };
	const counted = numberOf(group.userCount);
	const shape = {
		pageSize: LARGE_PAGE_SIZE,
		identity: PERSON_ID,
		atLeast: Number.isNaN(counted) ? undefined : counted,
	};
	return await listComplete(getMembers, parts, shape, `the list of the members of the target group '${name}'`);
}

async function readMemberships(tools: Tools): Promise<Memberships | undefined> {
	try {
		const found: Memberships = new Map();
		const groups = await tools.listComplete(getGroups, {}, { identity: TARGET_GROUP_ID });
		const named = groups.flatMap((group) => {
			const id = identityOf(group, TARGET_GROUP_ID);
			return id === undefined ? [] : [{ id, name: identityOf(group, ['name']) ?? id, group }];
		});
		const ids = named.map(({ id }) => id);
		const members = await Promise.all(named.map(({ id, name, group }) => readMembers(id, name, group, tools)));
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
 * @throws ServiceError, IncompleteList if a list of members may be incomplete
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
