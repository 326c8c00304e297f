/** Routes for target users: lists, records and changes (deployment beyond, "People"). */
import { z } from 'zod';
import { parseWithSchema, requireFound } from '../envelope';
import {
	defineActionRoute,
	markOutsideContract,
	defineReadRoute,
	defineSaveRoute,
	type RouteCall,
	type Route,
	type JsonObject,
} from '../http';
import type { ListDefinition } from '../paging';
import type { TargetGroup, TargetUser } from '../seed';
import {
	buildCustomFieldValues,
	getPersonFields,
	getPhoneNumber,
	defineDeployedExportRoute,
	defineDeployedSearchRoute,
} from './lists';

/** The fields that a user's record has in addition to the name and the email address, with their default values. */
const DEFAULT_DETAILS = {
	priority: 'Medium',
	isActive: true,
	timeZoneId: 'Europe/Istanbul',
	preferredLanguageId: null,
	managerFirstName: null,
	managerLastName: null,
	managerEmail: null,
};

const userSchema = z
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

/** Returns the fields of a user that are not part of the seeded record. */
function getUserDetails({ world }: RouteCall, user: TargetUser): JsonObject {
	return {
		...DEFAULT_DETAILS,
		phoneNumber: getPhoneNumber(user),
		customFieldValues: buildCustomFieldValues(user),
		// A test adds a note with one of these names for a user whom an identity provider keeps (deployment onboarding 4).
		scimSettingName: null,
		ldapConfigName: null,
		...world.notes.get(user.resourceId),
	};
}

function buildUserRow(call: RouteCall, user: TargetUser): JsonObject {
	const { priority, isActive, phoneNumber, customFieldValues, timeZoneId, scimSettingName, ldapConfigName } =
		getUserDetails(call, user);
	return {
		resourceId: user.resourceId,
		...getPersonFields(user),
		priority,
		status: isActive === true ? 'Active' : 'Inactive',
		customFieldValues,
		createTime: '2025-05-01T08:00:00.000Z',
		updateTime: '2025-06-01T08:00:00.000Z',
		isEditable: scimSettingName === null && ldapConfigName === null,
		scimSettingName,
		ldapConfigName,
		phoneNumber,
		timeZone: timeZoneId,
		preferredLanguage: user.language,
	};
}

/** Defines a list of users, which can be sorted by the fields of its rows. */
function defineUserList(listUsers: (call: RouteCall) => readonly TargetUser[]): ListDefinition {
	return {
		getRows: (call) => listUsers(call).map((user) => buildUserRow(call, user)),
		idField: 'resourceId',
		nameField: 'email',
		requiredPaging: 'none',
		filterRequirement: 'optional',
		textFields: ['email', 'firstName', 'lastName'],
		extraSortNames: [
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
	};
}

const TARGET_USER_LIST = defineUserList(({ companyData }) => companyData.users);

const findUser = ({ companyData, params }: RouteCall): TargetUser =>
	requireFound(
		companyData.users.find(({ resourceId }) => resourceId === params.resourceId),
		'target user',
	);

/** The list of a user's target groups. According to the documents, its rows have the same fields as rows of users. */
const GROUPS_OF_USER_LIST: ListDefinition = {
	...defineUserList(() => []),
	getRows: (call) => {
		const user = findUser(call);
		const groups = call.companyData.targetGroups.filter(({ userResourceIds }) =>
			userResourceIds.includes(user.resourceId),
		);
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

function buildUserRecord(call: RouteCall): JsonObject {
	const user = findUser(call);
	const { resourceId } = user;
	const {
		managerFirstName,
		managerLastName,
		scimSettingName: _scimSettingName,
		ldapConfigName: _ldapConfigName,
		...otherDetails
	} = getUserDetails(call, user);
	const managerNames = [managerFirstName, managerLastName].filter((name) => typeof name === 'string' && name !== '');
	return {
		resourceId,
		...getPersonFields(user),
		...otherDetails,
		managerFirstName,
		managerLastName,
		managerFullName: managerNames.length > 0 ? managerNames.join(' ') : null,
	};
}

function setMembership(group: TargetGroup, id: string, isMember: boolean): void {
	const otherIds = group.userResourceIds.filter((memberId) => memberId !== id);
	group.userResourceIds = isMember ? [...otherIds, id] : otherIds;
	group.userCount = group.userResourceIds.length;
}

/** Replaces the record with the request body. Fields that the body omits become empty, including the target groups. */
export function replaceUser(call: RouteCall, user: TargetUser, requestBody: unknown): string {
	const { email, firstName, lastName, department, customFields, targetGroupResourceIds, ...otherFields } =
		parseWithSchema(userSchema, requestBody);
	Object.assign(user, { email, firstName: firstName ?? '', lastName: lastName ?? '', department: department ?? '' });
	const customFieldValues = (customFields ?? []).map((customField) => ({
		name: null,
		dataType: null,
		value: null,
		timestampValue: null,
		...customField,
	}));
	const emptyDetails = { ...DEFAULT_DETAILS, priority: null, isActive: false, timeZoneId: null };
	const knownDetails = Object.fromEntries(Object.entries(otherFields).filter(([name]) => name in emptyDetails));
	call.world.addNote(user.resourceId, {
		...emptyDetails,
		...knownDetails,
		isActive: otherFields.isActive ?? false,
		phoneNumber: otherFields.phoneNumber,
		customFieldValues,
	});
	for (const group of call.companyData.targetGroups)
		setMembership(group, user.resourceId, targetGroupResourceIds?.includes(group.resourceId) ?? false);
	return user.resourceId;
}

/** Adds a user, who is active unless the request says otherwise. */
export function addUser(call: RouteCall, requestBody: unknown): string {
	const body = parseWithSchema(userSchema, requestBody);
	const { companyData, world } = call;
	const { companyResourceId, companyName } = companyData.company;
	const user: TargetUser = {
		resourceId: world.createId('target user'),
		companyResourceId,
		companyName,
		language: 'en',
		email: '',
		firstName: '',
		lastName: '',
		department: '',
	};
	companyData.users.push(user);
	return replaceUser(call, user, { ...body, isActive: body.isActive ?? true });
}

function removeUser(call: RouteCall): string {
	const { resourceId } = findUser(call);
	const { companyData } = call;
	companyData.users.splice(
		companyData.users.findIndex((user) => user.resourceId === resourceId),
		1,
	);
	for (const group of companyData.targetGroups) setMembership(group, resourceId, false);
	return resourceId;
}

const MEMBER_LIST = defineUserList(({ companyData, params }) => {
	const group = requireFound(
		companyData.targetGroups.find(({ resourceId }) => resourceId === params.resourceId),
		'target group',
	);
	return companyData.users.filter(({ resourceId }) => group.userResourceIds.includes(resourceId));
});

export function targetUserRoutes(): Route[] {
	const path = '/api/target-users';
	return [
		defineSaveRoute(`POST ${path}`, (call) => addUser(call, call.json)),
		defineReadRoute(`GET ${path}/count-summary`, ({ companyData }) => companyData.users.length),
		defineReadRoute(`GET ${path}/{resourceId}`, buildUserRecord),
		defineSaveRoute(`PUT ${path}/{resourceId}`, (call) => replaceUser(call, findUser(call), call.json)),
		defineActionRoute(`DELETE ${path}/{resourceId}`, removeUser),
		defineDeployedSearchRoute(`POST ${path}/search`, TARGET_USER_LIST),
		defineDeployedExportRoute(`POST ${path}/search/export`, TARGET_USER_LIST, 'target-users', false),
		defineDeployedSearchRoute(`POST ${path}/{resourceId}/groups`, GROUPS_OF_USER_LIST),
		defineDeployedSearchRoute('POST /api/target-groups/{resourceId}/users', MEMBER_LIST),
	].map(markOutsideContract);
}
