/** Routes for target groups (deployment beyond, "Target groups"). The list of a group's members is in target-users.ts. */
import { z } from 'zod';
import { parseWithSchema, requireFound, createBadRequestError, createTextSchema } from '../envelope';
import {
	defineActionRoute,
	markOutsideContract,
	okResponse,
	defineReadRoute,
	defineSaveRoute,
	type RouteCall,
	type Route,
	type JsonObject,
} from '../http';
import type { TargetGroup } from '../seed';

function buildGroupRecord(group: TargetGroup): JsonObject {
	const { resourceId, name, priority, createTime, isScimGroup = false } = group;
	return {
		resourceId,
		name,
		priority,
		createDate: createTime,
		isEditable: !isScimGroup,
		isScimGroup,
		isGoogleGroup: false,
	};
}

function findGroup(call: RouteCall, id: string | undefined): TargetGroup {
	return requireFound(
		call.companyData.targetGroups.find(({ resourceId }) => resourceId === id),
		'target group',
	);
}

const groupSchema = z
	.object({ name: createTextSchema(100), priority: createTextSchema(50), isActive: z.boolean().nullish() })
	.passthrough();

function createGroup(call: RouteCall): string {
	const { name, priority } = parseWithSchema(groupSchema, call.json);
	const { company, targetGroups } = call.companyData;
	const now = new Date().toISOString();
	const resourceId = call.world.createId('target group');
	targetGroups.push({
		resourceId,
		name,
		priority,
		userCount: 0,
		createTime: now,
		updateTime: now,
		userResourceIds: [],
		companyName: company.companyName,
		companyResourceId: company.companyResourceId,
	});
	return resourceId;
}

/**
 * Replaces the record with the request body. The other fields are saved as notes, because no response contains them.
 */
function updateGroup(call: RouteCall): string {
	const group = findGroup(call, call.params.resourceId);
	const { name, priority, ...otherFields } = parseWithSchema(groupSchema, call.json);
	Object.assign(group, { name, priority });
	call.world.addNote(group.resourceId, otherFields);
	return group.resourceId;
}

function removeGroup(call: RouteCall): string {
	const group = findGroup(call, call.params.resourceId);
	call.companyData.targetGroups.splice(call.companyData.targetGroups.indexOf(group), 1);
	return group.resourceId;
}

function setMembers(group: TargetGroup, ids: Iterable<string>): void {
	group.userResourceIds = [...new Set(ids)];
	group.userCount = group.userResourceIds.length;
}

const membersSchema = z.object({ targetUserResourceIds: z.array(z.string()) }).passthrough();
const additionSchema = membersSchema.extend({ targetGroupResourceIds: z.array(z.string()) });

function requireKnownUsers(call: RouteCall, ids: string[]): string[] {
	const unknownId = ids.find((id) => !call.companyData.users.some(({ resourceId }) => resourceId === id));
	if (unknownId !== undefined)
		throw createBadRequestError(`The TargetUserResourceIds has an unknown target user: ${unknownId}.`);
	return ids;
}

/**
 * Adds users to groups. Users cannot be added manually to a group that an identity provider fills (deployment behaviour,
 * "SCIM").
 */
function addMembers(call: RouteCall): JsonObject[] {
	const { targetUserResourceIds, targetGroupResourceIds } = parseWithSchema(additionSchema, call.json);
	const ids = requireKnownUsers(call, targetUserResourceIds);
	const groups = targetGroupResourceIds.map((id) => findGroup(call, id));
	const scimGroup = groups.find(({ isScimGroup }) => isScimGroup);
	if (scimGroup) throw createBadRequestError(`Users cannot be added to the SCIM group '${scimGroup.name}' manually.`);
	for (const group of groups) setMembers(group, [...group.userResourceIds, ...ids]);
	return groups.map(({ resourceId }) => ({ resourceId }));
}

function removeMembers(call: RouteCall): string {
	const group = findGroup(call, call.params.resourceId);
	const removedIds = requireKnownUsers(call, parseWithSchema(membersSchema, call.json).targetUserResourceIds);
	setMembers(
		group,
		group.userResourceIds.filter((id) => !removedIds.includes(id)),
	);
	return group.resourceId;
}

export function targetGroupRoutes(): Route[] {
	const path = '/api/target-groups';
	return [
		defineReadRoute(`GET ${path}`, (call) => call.companyData.targetGroups.map(buildGroupRecord)),
		defineSaveRoute(`POST ${path}`, createGroup),
		defineReadRoute(`GET ${path}/{resourceId}`, (call) => buildGroupRecord(findGroup(call, call.params.resourceId))),
		{ ...defineSaveRoute(`PUT ${path}/users`, () => ''), handle: (call: RouteCall) => okResponse(addMembers(call)) },
		defineSaveRoute(`PUT ${path}/{resourceId}`, updateGroup),
		defineActionRoute(`DELETE ${path}/{resourceId}`, removeGroup),
		defineSaveRoute(`DELETE ${path}/{resourceId}/users`, removeMembers),
	].map(markOutsideContract);
}
