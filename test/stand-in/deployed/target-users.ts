/** The people of a company: the list, the records, and what can be done to them (deployment beyond). */
import { z } from 'zod';
import { check, found } from '../envelope';
import { acting, beside, reading, writing, type Call, type Route, type Row } from '../http';
import type { TargetGroup, TargetUser } from '../seed';
import { customFieldValues, person, phoneNumber, strictExport, strictSearch, type StrictListing } from './lists';

/** What a record has besides a person's name and address. */
const DETAILS = {
	priority: 'Medium',
	isActive: true,
	timeZoneId: 'Europe/Istanbul',
	preferredLanguageId: null,
	managerFirstName: null,
	managerLastName: null,
	managerEmail: null,
};

const changedFields = z
	.object({
		email: z.string().regex(/^[^\s@]+@[^\s@]+$/),
		phoneNumber: z.string().min(1),
		firstName: z.string().nullish(),
		lastName: z.string().nullish(),
		department: z.string().nullish(),
		isActive: z.boolean().nullish(),
		customFields: z.array(z.object({ resourceId: z.string() }).passthrough()).nullish(),
		targetGroupResourceIds: z.array(z.string()).nullish(),
	})
	.passthrough();

/** What is known of a person beside the seeded record. */
const details = ({ world }: Call, user: TargetUser): Row => ({
	...DETAILS,
	phoneNumber: phoneNumber(user),
	customFieldValues: customFieldValues(user),
	...world.notes.get(user.resourceId),
});

function userRow(call: Call, user: TargetUser): Row {
	const { priority, isActive, phoneNumber: number, customFieldValues: values, timeZoneId } = details(call, user);
	return {
		resourceId: user.resourceId,
		...person(user),
		priority,
		status: isActive === true ? 'Active' : 'Inactive',
		customFieldValues: values,
		createTime: '2025-05-01T08:00:00.000Z',
		updateTime: '2025-06-01T08:00:00.000Z',
		isEditable: true,
		scimSettingName: null,
		ldapConfigName: null,
		phoneNumber: number,
		timeZone: timeZoneId,
		preferredLanguage: user.language,
	};
}

/** The lists of people, each sorted by the fields of its rows. */
const people = (usersOf: (call: Call) => readonly TargetUser[]): StrictListing => ({
	rows: (call) => usersOf(call).map((user) => userRow(call, user)),
	id: 'resourceId',
	name: 'email',
	required: 'none',
	filter: 'optional',
	text: ['email', 'firstName', 'lastName'],
	sorts: [
		'Email',
		'FirstName',
		'LastName',
		'Department',
		'Priority',
		'Status',
		'CreateTime',
		'UpdateTime',
		'PhoneNumber',
		'PreferredLanguage',
	],
});

const TARGET_USERS = people(({ home }) => home.users);

const userOf = ({ home, params }: Call): TargetUser =>
	found(
		home.users.find(({ resourceId }) => resourceId === params.resourceId),
		'target user',
	);

/** The groups that a person is in; their rows have the fields of people, whatever a group has of them. */
const GROUPS: StrictListing = {
	...people(() => []),
	rows: (call) => {
		const user = userOf(call);
		const groups = call.home.targetGroups.filter(({ userResourceIds }) => userResourceIds.includes(user.resourceId));
		return groups.map(({ resourceId, priority, createTime, updateTime }) => ({
			resourceId,
			email: null,
			firstName: null,
			lastName: null,
			department: null,
			priority,
			status: null,
			customFieldValues: [],
			createTime,
			updateTime,
			isEditable: true,
			scimSettingName: null,
			ldapConfigName: null,
			phoneNumber: null,
			timeZone: null,
			preferredLanguage: null,
		}));
	},
};

function record(call: Call): Row {
	const user = userOf(call);
	const { resourceId, ...named } = { resourceId: user.resourceId, ...person(user) };
	const { managerFirstName, managerLastName, ...others } = details(call, user);
	const manager = [managerFirstName, managerLastName].filter((name) => typeof name === 'string' && name !== '');
	return {
		resourceId,
		...named,
		...others,
		managerFirstName,
		managerLastName,
		managerFullName: manager.length > 0 ? manager.join(' ') : null,
	};
}

function enter(group: TargetGroup, id: string, isIn: boolean): void {
	const others = group.userResourceIds.filter((each) => each !== id);
	group.userResourceIds = isIn ? [...others, id] : others;
	group.userCount = group.userResourceIds.length;
}

/** The record becomes what was sent: what is left out is empty afterwards, groups as well. */
export function write(call: Call, user: TargetUser, asked: unknown): string {
	const { email, firstName, lastName, department, customFields, targetGroupResourceIds, ...others } = check(
		changedFields,
		asked,
	);
	Object.assign(user, { email, firstName: firstName ?? '', lastName: lastName ?? '', department: department ?? '' });
	const values = (customFields ?? []).map((each) => ({
		name: null,
		dataType: null,
		value: null,
		timestampValue: null,
		...each,
	}));
	const nothing = { ...DETAILS, priority: null, isActive: false, timeZoneId: null };
	const known = Object.fromEntries(Object.entries(others).filter(([name]) => name in nothing));
	call.world.note(user.resourceId, {
		...nothing,
		...known,
		isActive: others.isActive ?? false,
		phoneNumber: others.phoneNumber,
		customFieldValues: values,
	});
	for (const group of call.home.targetGroups)
		enter(group, user.resourceId, targetGroupResourceIds?.includes(group.resourceId) ?? false);
	return user.resourceId;
}

/** Adds somebody, active unless the request says otherwise. */
export function add(call: Call, asked: unknown): string {
	const body = check(changedFields, asked);
	const { home, world } = call;
	const { companyResourceId, companyName } = home.company;
	const user: TargetUser = {
		resourceId: world.newId('target user'),
		companyResourceId,
		companyName,
		language: 'en',
		email: '',
		firstName: '',
		lastName: '',
		department: '',
	};
	home.users.push(user);
	return write(call, user, { ...body, isActive: body.isActive ?? true });
}

function remove(call: Call): string {
	const { resourceId } = userOf(call);
	const { home } = call;
	home.users.splice(
		home.users.findIndex((each) => each.resourceId === resourceId),
		1,
	);
	for (const group of home.targetGroups) enter(group, resourceId, false);
	return resourceId;
}

const members = people(({ home, params }) => {
	const group = found(
		home.targetGroups.find(({ resourceId }) => resourceId === params.resourceId),
		'target group',
	);
	return home.users.filter(({ resourceId }) => group.userResourceIds.includes(resourceId));
});

export function targetUserRoutes(): Route[] {
	const path = '/api/target-users';
	return [
		writing(`POST ${path}`, (call) => add(call, call.json)),
		reading(`GET ${path}/count-summary`, ({ home }) => home.users.length),
		reading(`GET ${path}/{resourceId}`, record),
		writing(`PUT ${path}/{resourceId}`, (call) => write(call, userOf(call), call.json)),
		acting(`DELETE ${path}/{resourceId}`, remove),
		strictSearch(`POST ${path}/search`, TARGET_USERS),
		strictExport(`POST ${path}/search/export`, TARGET_USERS, 'target-users', false),
		strictSearch(`POST ${path}/{resourceId}/groups`, GROUPS),
		strictSearch('POST /api/target-groups/{resourceId}/users', members),
	].map(beside);
}
