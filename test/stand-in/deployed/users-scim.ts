import { z } from 'zod';
import { check, invalid, Refusal } from '../envelope';
import { beside, isRow, ok, reading, writing, type Call, type Route, type Row } from '../http';
import { createScim, FIELDS, fieldId, nameTaken, oneScim, scimOf, systemUserFields } from '../routes/users-scim';
import type { Scim, SystemUser } from '../holdings';
import { CUSTOM_FIELDS, customFieldId, strictSearch, type StrictListing } from './lists';
import { rolesOf } from './clients';

function createUser(call: Call): string {
	const asked = check(systemUserFields, call.json);
	if (!/^[^\s@]+@[^\s@]+$/.test(asked.email)) throw invalid('The Email field is not a valid e-mail address.');
	const target = asked.companyResourceId;
	const company = target ? call.companies.find((entry) => entry.companyResourceId === target) : call.home.company;
	if (!company) throw new Refusal(403, ['You are not authorized to act for this company.']);
	const roles = rolesOf({ ...call, home: call.world.of(company) });
	if (asked.roleResourceIdList?.some((id) => !roles.some((role) => role.resourceId === id)))
		throw invalid('Role is invalid');
	const resourceId = call.world.newId('system user');
	call.world
		.of(company)
		.systemUsers.push({ resourceId, companyResourceId: company.companyResourceId, email: asked.email, asked });
	return resourceId;
}

function shownUser({ resourceId, companyResourceId, email, asked }: SystemUser, call: Call): Row {
	const roles = rolesOf(call).filter(
		(role) => Array.isArray(asked.roleResourceIdList) && asked.roleResourceIdList.includes(role.resourceId),
	);
	return {
		...{ resourceId, firstName: asked.firstName, lastName: asked.lastName },
		...{ companyName: call.world.company(companyResourceId)?.companyName ?? null, companyResourceId },
		...{
			roles: roles.map(({ name }) => String(name)).join(', '),
			phoneNumber: asked.phoneNumber,
			statusId: asked.statusId ?? 1,
			statusName: 'Active',
		},
		...{ createTime: '2025-11-01T09:00:00.000Z', email, isEditable: true },
	};
}

const USERS: StrictListing = {
	rows: (call) => call.home.systemUsers.map((user) => shownUser(user, call)),
	id: 'resourceId',
	name: 'email',
	required: 'none',
	filter: 'optional',
	text: ['email', 'firstName', 'lastName'],
	sorts: [
		'FirstName',
		'LastName',
		'CompanyName',
		'Roles',
		'PhoneNumber',
		'StatusId',
		'StatusName',
		'CreateTime',
		'Email',
	],
};

const groupName = (scim: Scim, { world }: Call): string | null => {
	const company = world.company(scim.companyResourceId) ?? world.reseller;
	return world.of(company).targetGroups.find(({ resourceId }) => resourceId === scim.groupResourceId)?.name ?? null;
};

const groupedBy = ({ asked }: Scim): string | null =>
	FIELDS.find((name) => fieldId(name) === asked.groupBySCIMFieldResourceId) ?? null;

const listed = (scim: Scim, call: Call): Row => ({
	...{ resourceId: scim.resourceId, name: scim.name, groupName: groupName(scim, call) },
	...{ groupByCustomFieldName: groupedBy(scim), createTime: scim.createTime },
});

function record(scim: Scim, call: Call): Row {
	const { createTime: _time, ...shown } = listed(scim, call);
	const mappings = Array.isArray(scim.asked.fieldMappings) ? scim.asked.fieldMappings.filter(isRow) : [];
	return {
		...shown,
		mappingDetails: mappings.map(({ scimFieldResourceId, customFieldResourceId }) => ({
			scimPath: FIELDS.find((name) => fieldId(name) === scimFieldResourceId) ?? null,
			customFieldName: CUSTOM_FIELDS.find((name) => customFieldId(name) === customFieldResourceId) ?? null,
		})),
		syncPlatformGroup: scim.asked.syncPlatformGroup === true,
	};
}

const INTEGRATIONS: StrictListing = {
	rows: (call) => scimOf(call).map((scim) => listed(scim, call)),
	id: 'resourceId',
	name: 'name',
	required: 'none',
	filter: 'optional',
	sorts: ['Name', 'GroupName', 'GroupByCustomFieldName', 'CreateTime'],
};

function rename(call: Call): string {
	const scim = oneScim(call);
	const { name } = check(z.object({ name: z.string().max(30).nullish() }).passthrough(), call.json);
	if (name) nameTaken(call, scim.companyResourceId, name, scim);
	scim.name = name ?? scim.name;
	return scim.resourceId;
}

/** A new token, in a page of one, as the deployment answers it. */
function revoke(call: Call): Row {
	const scim = oneScim(call);
	scim.tokenVersion++;
	scim.token = call.world.newId('scim token');
	return {
		pageNumber: 1,
		pageSize: 1,
		totalNumberOfPages: 1,
		totalNumberOfRecords: 1,
		results: [{ token: scim.token }],
	};
}

/**
 * System users, and SCIM: a token is returned only at creation and at revocation, without an ID and without an address.
 */
export function userAndScimRoutes(): Route[] {
	const path = '/api/scim';
	const write = { access: 'any', write: true } as const;
	return [
		writing('POST /api/system-users', createUser),
		beside(strictSearch('POST /api/system-users/search', USERS)),
		reading(`GET ${path}/fields`, () => ({ fields: FIELDS.map((name) => ({ resourceId: fieldId(name), name })) })),
		{ ...write, key: `POST ${path}`, takes: 'json', handle: (call) => ok({ token: createScim(call).token }) },
		strictSearch(`POST ${path}/search`, INTEGRATIONS),
		reading(`GET ${path}/{resourceId}`, (call) => record(oneScim(call), call)),
		writing(`PUT ${path}/{resourceId}`, rename),
		{ ...write, key: `POST ${path}/{resourceId}/revoke`, takes: 'nothing', handle: (call) => ok(revoke(call)) },
	];
}
