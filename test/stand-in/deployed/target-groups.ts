/** Groups of people (deployment beyond); the list of who is in one is in target-users. */
import { z } from 'zod';
import { check, found, invalid, text } from '../envelope';
import { acting, beside, ok, reading, writing, type Call, type Route, type Row } from '../http';
import type { TargetGroup } from '../seed';

const shown = ({ resourceId, name, priority, createTime, isScimGroup = false }: TargetGroup): Row => ({
	resourceId,
	name,
	priority,
	createDate: createTime,
	isEditable: !isScimGroup,
	isScimGroup,
	isGoogleGroup: false,
});

function groupOf(call: Call, id: string | undefined): TargetGroup {
	return found(
		call.home.targetGroups.find(({ resourceId }) => resourceId === id),
		'target group',
	);
}

const groupBody = z.object({ name: text(100), priority: text(50), isActive: z.boolean().nullish() }).passthrough();

function create(call: Call): string {
	const { name, priority } = check(groupBody, call.json);
	const { company, targetGroups } = call.home;
	const now = new Date().toISOString();
	const resourceId = call.world.newId('target group');
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

/** The record becomes what was sent; whether it is active is nowhere shown. */
function change(call: Call): string {
	const group = groupOf(call, call.params.resourceId);
	const { name, priority, ...others } = check(groupBody, call.json);
	Object.assign(group, { name, priority });
	call.world.note(group.resourceId, others);
	return group.resourceId;
}

function remove(call: Call): string {
	const group = groupOf(call, call.params.resourceId);
	call.home.targetGroups.splice(call.home.targetGroups.indexOf(group), 1);
	return group.resourceId;
}

function setMembers(group: TargetGroup, ids: Iterable<string>): void {
	group.userResourceIds = [...new Set(ids)];
	group.userCount = group.userResourceIds.length;
}

const peopleBody = z.object({ targetUserResourceIds: z.array(z.string()) }).passthrough();
const additionBody = peopleBody.extend({ targetGroupResourceIds: z.array(z.string()) });

function peopleOf(call: Call, ids: string[]): string[] {
	const stranger = ids.find((id) => !call.home.users.some(({ resourceId }) => resourceId === id));
	if (stranger !== undefined) throw invalid(`The TargetUserResourceIds has an unknown target user: ${stranger}.`);
	return ids;
}

/** A group that an identity provider fills takes nobody by hand (deployment behaviour, "SCIM"). */
function add(call: Call): Row[] {
	const { targetUserResourceIds, targetGroupResourceIds } = check(additionBody, call.json);
	const ids = peopleOf(call, targetUserResourceIds);
	const groups = targetGroupResourceIds.map((id) => groupOf(call, id));
	const filled = groups.find(({ isScimGroup }) => isScimGroup);
	if (filled) throw invalid(`Users cannot be added to the SCIM group '${filled.name}' manually.`);
	for (const group of groups) setMembers(group, [...group.userResourceIds, ...ids]);
	return groups.map(({ resourceId }) => ({ resourceId }));
}

function takeOut(call: Call): string {
	const group = groupOf(call, call.params.resourceId);
	const leaving = peopleOf(call, check(peopleBody, call.json).targetUserResourceIds);
	setMembers(
		group,
		group.userResourceIds.filter((id) => !leaving.includes(id)),
	);
	return group.resourceId;
}

export function targetGroupRoutes(): Route[] {
	const path = '/api/target-groups';
	return [
		reading(`GET ${path}`, (call) => call.home.targetGroups.map(shown)),
		writing(`POST ${path}`, create),
		reading(`GET ${path}/{resourceId}`, (call) => shown(groupOf(call, call.params.resourceId))),
		{ ...writing(`PUT ${path}/users`, () => ''), handle: (call: Call) => ok(add(call)) },
		writing(`PUT ${path}/{resourceId}`, change),
		acting(`DELETE ${path}/{resourceId}`, remove),
		writing(`DELETE ${path}/{resourceId}/users`, takeOut),
	].map(beside);
}
