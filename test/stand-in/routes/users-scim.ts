import { z } from 'zod';
import { check, found, int32, invalid, Refusal, text } from '../envelope';
import { CUSTOM_FIELDS, customFieldId } from '../deployed/lists';
import type { Scim, SystemUser } from '../holdings';
import { beside, changing, isRow, reading, writing, type Call, type Route, type Row } from '../http';
import { search, type Listing } from '../paging';
import { guid } from '../random';
import { rolesOf } from './clients';

/** The fields of a system user in a request (contract 2.12). */
export const systemUserFields = z
	.object({
		firstName: text(40),
		lastName: text(40),
		email: text(320).refine((email) => /^[^\s@]+@[^\s@]+$/.test(email)),
		phoneNumber: text(20),
		statusId: int32.nullish(),
		roleResourceIdList: z.array(z.string()).nullish(),
		companyResourceId: z.string().nullish(),
	})
	.passthrough();

function createUser(call: Call): string {
	const asked = check(systemUserFields, call.json);
	const target = asked.companyResourceId;
	const company = target ? call.companies.find((entry) => entry.companyResourceId === target) : call.home.company;
	if (!company) throw new Refusal(403, ['You are not authorized to act for this company.']);
	const { world } = call;
	const home = world.of(company);
	const roles = rolesOf({ home, world });
	if (asked.roleResourceIdList?.some((id) => !roles.some((role) => role.resourceId === id)))
		throw invalid('Role is invalid');
	const resourceId = world.newId('system user');
	home.systemUsers.push({ resourceId, companyResourceId: company.companyResourceId, email: asked.email, asked });
	return resourceId;
}

function shownUser({ resourceId, companyResourceId, email, asked }: SystemUser, call: Call): Row {
	const ids: unknown[] = Array.isArray(asked.roleResourceIdList) ? asked.roleResourceIdList : [];
	const roles = rolesOf(call).filter((role) => ids.includes(role.resourceId));
	return {
		resourceId,
		firstName: asked.firstName,
		lastName: asked.lastName,
		email,
		companyResourceId,
		companyName: call.world.company(companyResourceId)?.companyName ?? null,
		roles: roles.map(({ name }) => name).join(', '),
		phoneNumber: asked.phoneNumber,
		statusId: asked.statusId ?? 1,
		statusName: 'Active',
		createTime: '2025-11-01T09:00:00.000Z',
		isEditable: true,
	};
}

const USERS: Listing = {
	rows: (call) => call.home.systemUsers.map((user) => shownUser(user, call)),
	id: 'resourceId',
	name: 'email',
	text: ['email', 'firstName', 'lastName'],
};

/** The SCIM attributes that can be mapped. */
const FIELDS = [
	'userName',
	'name.givenName',
	'name.familyName',
	'emails.work',
	'phoneNumbers.work',
	'title',
	'department',
	'division',
	'costCenter',
	'manager',
	'preferredLanguage',
	'locale',
];

const fieldId = (name: string): string => guid(`scim field ${name}`);
const fieldOf = (id: unknown): string | null => FIELDS.find((name) => fieldId(name) === id) ?? null;

function fields({ isDeployed }: Call): unknown {
	if (isDeployed) return { fields: FIELDS.map((name) => ({ resourceId: fieldId(name), name })) };
	return FIELDS.map((name) => ({ resourceId: fieldId(name), name, required: name === 'userName' }));
}

const creation = z
	.object({
		name: text(30),
		groupResourceId: z.string().nullish(),
		groupBySCIMFieldResourceId: z.string().nullish(),
		fieldMappings: z
			.array(z.object({ customFieldResourceId: text(100), scimFieldResourceId: text(100) }).passthrough())
			.nullish(),
		syncPlatformGroup: z.boolean().nullish(),
	})
	.passthrough();

const scimOf = (call: Call): Scim[] => call.companies.flatMap((company) => call.world.of(company).scim);

/** The integration that the path names. */
export const oneScim = (call: Call): Scim =>
	found(
		scimOf(call).find((scim) => scim.resourceId === call.params.resourceId),
		'SCIM integration',
	);

/** Refuses a name that another integration of the company has (deployment facts). */
function nameTaken(call: Call, companyResourceId: string, name: string, except?: Scim): void {
	const isSame = (scim: Scim) => scim.name.toLowerCase() === name.toLowerCase();
	if (call.world.of(companyResourceId).scim.some((scim) => scim !== except && isSame(scim)))
		throw new Refusal(409, [`A SCIM integration with the name '${name}' exists already.`]);
}

function create(call: Call): Scim {
	const asked = check(creation, call.json);
	const { companyResourceId } = call.home.company;
	const group = asked.groupResourceId;
	if (group && !call.home.targetGroups.some((entry) => entry.resourceId === group))
		throw invalid(`The GroupResourceId is not a target group: ${group}.`);
	const ids = [
		asked.groupBySCIMFieldResourceId,
		...(asked.fieldMappings ?? []).map((each) => each.scimFieldResourceId),
	];
	for (const id of ids) if (id && fieldOf(id) === null) throw invalid(`The SCIM field is unknown: ${id}.`);
	nameTaken(call, companyResourceId, asked.name);
	const scim: Scim = {
		resourceId: call.world.newId('scim'),
		companyResourceId,
		name: asked.name,
		token: call.world.newId('scim token'),
		tokenVersion: 1,
		groupResourceId: group ?? null,
		createTime: new Date().toISOString(),
		asked,
	};
	call.home.scim.push(scim);
	return scim;
}

function shown(scim: Scim, { isDeployed, world }: Call): Row {
	const { resourceId, name, groupResourceId, createTime, tokenVersion } = scim;
	if (!isDeployed) return { resourceId, name, groupResourceId, createTime, tokenVersion };
	const group = world.of(scim.companyResourceId).targetGroups.find((each) => each.resourceId === groupResourceId);
	const groupByCustomFieldName = fieldOf(scim.asked.groupBySCIMFieldResourceId);
	return { resourceId, name, groupName: group?.name ?? null, groupByCustomFieldName, createTime };
}

const endpoint = ({ companyResourceId }: Scim, { baseUrl }: Call) => `${baseUrl}/scim/v2/${companyResourceId}`;

function record(call: Call): Row {
	const scim = oneScim(call);
	if (!call.isDeployed) return { ...scim.asked, ...shown(scim, call), scimEndpointUrl: endpoint(scim, call) };
	const { createTime: _time, ...row } = shown(scim, call);
	const mappings = Array.isArray(scim.asked.fieldMappings) ? scim.asked.fieldMappings.filter(isRow) : [];
	const mappingDetails = mappings.map(({ scimFieldResourceId, customFieldResourceId }) => ({
		scimPath: fieldOf(scimFieldResourceId),
		customFieldName: CUSTOM_FIELDS.find((name) => customFieldId(name) === customFieldResourceId) ?? null,
	}));
	return { ...row, mappingDetails, syncPlatformGroup: scim.asked.syncPlatformGroup === true };
}

/** A new token: with its address, or alone (deployment behaviour, "SCIM"). */
const withToken = (scim: Scim, call: Call): Row =>
	call.isDeployed
		? { token: scim.token }
		: { resourceId: scim.resourceId, scimToken: scim.token, scimEndpointUrl: endpoint(scim, call) };

function revoke(call: Call): Row {
	const scim = oneScim(call);
	scim.tokenVersion++;
	scim.token = call.world.newId('scim token');
	const made = withToken(scim, call);
	if (!call.isDeployed) return made;
	return { pageNumber: 1, pageSize: 1, totalNumberOfPages: 1, totalNumberOfRecords: 1, results: [made] };
}

function rename(call: Call): Row {
	const scim = oneScim(call);
	const { name } = check(z.object({ name: z.string().max(30).nullish() }).passthrough(), call.json);
	if (name) nameTaken(call, scim.companyResourceId, name, scim);
	scim.name = name ?? scim.name;
	return call.isDeployed ? { resourceId: scim.resourceId } : shown(scim, call);
}

const INTEGRATIONS: Listing = {
	rows: (call) => scimOf(call).map((scim) => shown(scim, call)),
	id: 'resourceId',
	name: 'name',
};

/** Contract 4.5. A live deployment tells a token at creation and at revocation, without an ID and without an address. */
export function userAndScimRoutes(): Route[] {
	const path = '/api/scim';
	return [
		writing('POST /api/system-users', createUser),
		beside(search('POST /api/system-users/search', USERS)),
		reading(`GET ${path}/fields`, fields),
		changing(`POST ${path}`, (call) => withToken(create(call), call)),
		search(`POST ${path}/search`, INTEGRATIONS),
		reading(`GET ${path}/{resourceId}`, record),
		changing(`PUT ${path}/{resourceId}`, rename),
		changing(`POST ${path}/{resourceId}/revoke`, revoke, { takes: 'nothing' }),
	];
}
