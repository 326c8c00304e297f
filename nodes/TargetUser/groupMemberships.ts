import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { toError, isNotFound } from '../core/http/errors';
import { RunCacheKey } from '../core/http/runCache';
import type { OperationTools } from '../core/operation/defineOperation';
import { LARGE_PAGE_SIZE } from '../core/pagination/readList';
import type { OperationContext } from '../core/response/responseHandler';
import { parseNumber, readId } from '../core/values';
import { TARGET_GROUP_ID_FIELDS, TARGET_USER_ID_FIELDS } from '../domain/pickers/resourcePickers';
import {
	getTargetGroupMembersOperation,
	getTargetGroupsOperation,
} from '../domain/targetGroups/sharedTargetGroupOperations';

/** The IDs of each person's groups, by the person's ID. They are undefined if an update may have changed them since they were read. */
type Memberships = Map<string, string[] | undefined>;

/** The run's cache of memberships, by company ID. They are undefined if the platform doesn't list the members of groups. */
const MEMBERSHIPS_CACHE_KEY = new RunCacheKey<Promise<Memberships | undefined>>();

const getRunMemberships = ({ client }: OperationContext) => client.cache.getMap(MEMBERSHIPS_CACHE_KEY);

const getCompanyKey = ({ company }: OperationContext) => company?.id ?? '';

/** A target group with its ID, its name (or its ID if it has none) and its record. */
interface TargetGroup {
	id: string;
	name: string;
	record: IDataObject;
}

/**
 * Reads all members of a group. The list must be complete, because an update removes a person from each group that isn't in the request.
 * @param group the group; its record has the expected number of members (contract 2.6)
 * @throws IncompleteListError, RequestError
 */
async function readMembers(group: TargetGroup, tools: OperationTools): Promise<IDataObject[]> {
	const memberCount = parseNumber(group.record.userCount);
	const options = {
		pageSize: LARGE_PAGE_SIZE,
		identity: TARGET_USER_ID_FIELDS,
		expectedCount: Number.isNaN(memberCount) ? undefined : memberCount,
	};
	return await tools.listRecordsCompletely(
		getTargetGroupMembersOperation,
		{ path: { resourceId: group.id }, body: { orderBy: 'Email' } },
		options,
		`the list of the members of the target group '${group.name}'`,
	);
}

/** Reads the members of all groups of a company. @returns undefined if the platform doesn't list the members of groups */
async function readMemberships(tools: OperationTools): Promise<Memberships | undefined> {
	try {
		const records = await tools.listRecordsCompletely(
			getTargetGroupsOperation,
			{},
			{ identity: TARGET_GROUP_ID_FIELDS },
		);
		const groups = records.flatMap((record): TargetGroup[] => {
			const id = readId(record, TARGET_GROUP_ID_FIELDS);
			return id === undefined ? [] : [{ id, name: readId(record, ['name']) ?? id, record }];
		});
		const groupsWithMembers = await Promise.all(
			groups.map(async (group) => ({ groupId: group.id, members: await readMembers(group, tools) })),
		);
		const memberships: Memberships = new Map();
		for (const { groupId, members } of groupsWithMembers) {
			for (const member of members) {
				const personId = readId(member, TARGET_USER_ID_FIELDS);
				if (personId !== undefined) memberships.set(personId, [...(memberships.get(personId) ?? []), groupId]);
			}
		}
		return memberships;
	} catch (error) {
		if (isNotFound(error)) return undefined;
		throw toError(error);
	}
}

/**
 * Reads the IDs of the groups that a person is in. The person's record doesn't have them. The platform's list of a person's groups doesn't
 * have them either, because its entries have the fields of people (deployment beyond, "People"). Therefore the members of all groups are
 * read, once per run and company.
 * @returns undefined if the platform doesn't list the members of groups
 * @throws IncompleteListError if a list of members may be incomplete, RequestError
 */
export async function readGroupIds(personId: string, tools: OperationTools): Promise<string[] | undefined> {
	const runMemberships = getRunMemberships(tools.context);
	const companyKey = getCompanyKey(tools.context);
	const pendingMemberships = runMemberships.get(companyKey) ?? readMemberships(tools);
	runMemberships.set(companyKey, pendingMemberships);
	let memberships: Memberships | undefined;
	try {
		memberships = await pendingMemberships;
	} catch (error) {
		// The failed result is removed from the cache, so that the next item tries again.
		runMemberships.delete(companyKey);
		throw toError(error);
	}
	if (!memberships) return undefined;
	if (!memberships.has(personId)) return [];
	const groupIds = memberships.get(personId);
	if (groupIds) return groupIds;
	// An update may have changed the groups, so they are read again.
	runMemberships.delete(companyKey);
	return await readGroupIds(personId, tools);
}

const groupIdsSchema = z.array(z.string()).optional().catch(undefined);

/** Remembers a person's groups for the following items of the run. @param groupIds undefined if an update may have changed the groups */
export async function rememberGroups(personId: string, groupIds: unknown, context: OperationContext): Promise<void> {
	const memberships = await getRunMemberships(context).get(getCompanyKey(context));
	memberships?.set(personId, groupIdsSchema.parse(groupIds));
}
