import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { toError, isNotFound } from '../core/http/errors';
import { RunCacheKey } from '../core/http/runCache';
import type { OperationHelpers } from '../core/operation/defineOperation';
import { LARGE_PAGE_SIZE } from '../core/pagination/readList';
import type { OperationContext } from '../core/response/responseHandler';
import { parseNumber, readId } from '../core/values';
import { TARGET_GROUP_ID_FIELDS, TARGET_USER_ID_FIELDS } from '../domain/pickers/resourcePickers';
import {
	getTargetGroupMembersOperation,
	getTargetGroupsOperation,
} from '../domain/targetGroups/sharedTargetGroupOperations';

/**
 * The IDs of each person's groups, by the person's ID. The IDs are undefined if an update may have changed the groups since they were read.
 */
type GroupIdsByPerson = Map<string, string[] | undefined>;

/**
 * The key of the run's cache of group IDs. The cache holds the group IDs of a company's people by company ID, or undefined if the platform
 * doesn't list the members of groups.
 */
const MEMBERSHIPS_CACHE_KEY = new RunCacheKey<Promise<GroupIdsByPerson | undefined>>();

const getMembershipsByCompany = ({ client }: OperationContext) => client.cache.getMap(MEMBERSHIPS_CACHE_KEY);

const getCompanyKey = ({ company }: OperationContext) => company?.id ?? '';

interface TargetGroup {
	id: string;
	/** The name, or the ID if the group has no name. */
	name: string;
	record: IDataObject;
}

/**
 * Reads all members of a group. The list must be complete, because the groups in an update of a person replace all groups of the person: a
 * membership that was missed would be removed.
 * @param group the group; its record has the expected number of members (contract 2.6)
 * @throws IncompleteListError, RequestError
 */
async function readGroupMembers(group: TargetGroup, helpers: OperationHelpers): Promise<IDataObject[]> {
	const memberCount = parseNumber(group.record.userCount);
	const options = {
		pageSize: LARGE_PAGE_SIZE,
		identity: TARGET_USER_ID_FIELDS,
		expectedCount: Number.isNaN(memberCount) ? undefined : memberCount,
	};
	return await helpers.listRecordsCompletely(
		getTargetGroupMembersOperation,
		{ path: { resourceId: group.id }, body: { orderBy: 'Email' } },
		options,
		`the list of the members of the target group '${group.name}'`,
	);
}

/**
 * Reads the members of all groups of a company.
 * @returns the IDs of each person's groups, or undefined if the platform doesn't list members
 */
async function readMemberships(helpers: OperationHelpers): Promise<GroupIdsByPerson | undefined> {
	try {
		const records = await helpers.listRecordsCompletely(
			getTargetGroupsOperation,
			{},
			{ identity: TARGET_GROUP_ID_FIELDS },
		);
		const groups = records.flatMap((record): TargetGroup[] => {
			const id = readId(record, TARGET_GROUP_ID_FIELDS);
			return id === undefined ? [] : [{ id, name: readId(record, ['name']) ?? id, record }];
		});
		const groupsWithMembers = await Promise.all(
			groups.map(async (group) => ({ groupId: group.id, members: await readGroupMembers(group, helpers) })),
		);
		const groupIdsByPerson: GroupIdsByPerson = new Map();
		for (const { groupId, members } of groupsWithMembers) {
			for (const member of members) {
				const personId = readId(member, TARGET_USER_ID_FIELDS);
				if (personId !== undefined)
					groupIdsByPerson.set(personId, [...(groupIdsByPerson.get(personId) ?? []), groupId]);
			}
		}
		return groupIdsByPerson;
	} catch (error) {
		if (isNotFound(error)) return undefined;
		throw toError(error);
	}
}

/**
 * Reads the IDs of the groups that a person is in. The person's record doesn't have them. The platform's list of a person's groups doesn't
 * have them either, because the entries of that list have the fields of people (deployment beyond, "People"). Therefore the members of all
 * groups are read, once per run and company.
 * @returns undefined if the platform doesn't list the members of groups
 * @throws IncompleteListError if a list of members may be incomplete, RequestError
 */
export async function readGroupIds(personId: string, helpers: OperationHelpers): Promise<string[] | undefined> {
	const membershipsByCompany = getMembershipsByCompany(helpers.context);
	const companyKey = getCompanyKey(helpers.context);
	const pendingMemberships = membershipsByCompany.get(companyKey) ?? readMemberships(helpers);
	membershipsByCompany.set(companyKey, pendingMemberships);
	let groupIdsByPerson: GroupIdsByPerson | undefined;
	try {
		groupIdsByPerson = await pendingMemberships;
	} catch (error) {
		// The failed result is removed from the cache, so that the next item tries again.
		membershipsByCompany.delete(companyKey);
		throw toError(error);
	}
	if (!groupIdsByPerson) return undefined;
	if (!groupIdsByPerson.has(personId)) return [];
	const groupIds = groupIdsByPerson.get(personId);
	if (groupIds) return groupIds;
	// The stored value is undefined, because an update may have changed the groups. Therefore the groups are read again.
	membershipsByCompany.delete(companyKey);
	return await readGroupIds(personId, helpers);
}

const groupIdsSchema = z.array(z.string()).optional().catch(undefined);

/** Stores the IDs of a person's groups for the following items of the run. @param groupIds undefined if an update may have changed them */
export async function rememberGroupIds(personId: string, groupIds: unknown, context: OperationContext): Promise<void> {
	const groupIdsByPerson = await getMembershipsByCompany(context).get(getCompanyKey(context));
	groupIdsByPerson?.set(personId, groupIdsSchema.parse(groupIds));
}
