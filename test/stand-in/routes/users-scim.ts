import { z } from 'zod';
import { check, found, int32, invalid, Refusal, text } from '../envelope';
import { ok, type Call, type Route, type Row } from '../http';
import { search, type Listing } from '../paging';
import type { Personality } from '../personality';
import { guid } from '../random';
import { roleId, ROLES, type Scim } from '../holdings';

/** The fields of a system user in a request (contract 2.12). */
export const systemUserFields = z
	.object({
		firstName: text(40),
		lastName: text(40),
		email: text(320),
		phoneNumber: text(20),
		statusId: int32.nullish(),
		roleResourceIdList: z.array(z.string()).nullish(),
		companyResourceId: z.string().nullish(),
	})
	.passthrough();

const systemUser = systemUserFields.superRefine((body, context) => {
	if (!/^[^\s@]+@[^\s@]+$/.test(body.email))
		context.addIssue({ code: 'custom', message: 'The Email field is not a valid e-mail address.' });
	for (const id of body.roleResourceIdList ?? []) {
		if (!ROLES.some((name) => roleId(name) === id))
			context.addIssue({ code: 'custom', message: `The RoleResourceIdList has an unknown role: ${id}.` });
	}
});

/** The SCIM attributes that can be mapped. */
export const FIELDS = [
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

/** The identifier of a SCIM attribute. */
export function fieldId(name: string): string {
	return guid(`scim field ${name}`);
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

/** The integrations in sight. */
export function scimOf(call: Call): Scim[] {
	return call.companies.flatMap((company) => call.world.of(company).scim);
}

/** The one that the path names. */
export function oneScim(call: Call): Scim {
	return found(
		scimOf(call).find((scim) => scim.resourceId === call.params.resourceId),
		'SCIM integration',
	);
}

/** Refuses a name that another integration of the company has. */
export function nameTaken(call: Call, companyResourceId: string, name: string, except?: Scim): void {
	const taken = scimOf(call).some(
		(scim) =>
			scim !== except && scim.companyResourceId === companyResourceId && scim.name.toLowerCase() === name.toLowerCase(),
	);
	if (taken) throw new Refusal(409, [`A SCIM integration with the name '${name}' exists already.`]);
}

function knownField(id: string): void {
	if (!FIELDS.some((name) => fieldId(name) === id)) throw invalid(`The SCIM field is unknown: ${id}.`);
}

/** Makes the integration that was asked for. */
export function createScim(call: Call): Scim {
	const asked = check(creation, call.json);
	const company = call.home.company.companyResourceId;
	const group = asked.groupResourceId;
	if (group && !call.home.targetGroups.some((entry) => entry.resourceId === group))
		throw invalid(`The GroupResourceId is not a target group: ${group}.`);
	if (asked.groupBySCIMFieldResourceId) knownField(asked.groupBySCIMFieldResourceId);
	for (const mapping of asked.fieldMappings ?? []) knownField(mapping.scimFieldResourceId);
	nameTaken(call, company, asked.name);
	const scim: Scim = {
		resourceId: call.world.newId('scim'),
		companyResourceId: company,
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

/** Contract 4.5. */
export function userAndScimRoutes(personality: Personality): Route[] {
	const shown = ({ resourceId, name, groupResourceId, createTime, tokenVersion }: Scim): Row => ({
		resourceId,
		name,
		groupResourceId,
		createTime,
		tokenVersion,
	});
	const withToken = (scim: Scim, call: Call): Row => ({
		resourceId: scim.resourceId,
		[personality.scimToken]: scim.token,
		[personality.scimEndpoint]: `${call.baseUrl}/scim/v2/${scim.companyResourceId}`,
	});
	const listing: Listing = {
		rows: (call) => scimOf(call).map(shown),
		id: 'resourceId',
		name: 'name',
		required: 'none',
		filter: 'optional',
	};
	const byId = '/api/scim/{resourceId}';
	return [
		{
			key: 'POST /api/system-users',
			access: 'any',
			takes: 'json',
			write: true,
			handle(call) {
				const asked = check(systemUser, call.json);
				const target = asked.companyResourceId;
				const company = target ? call.companies.find((entry) => entry.companyResourceId === target) : call.home.company;
				if (!company) throw new Refusal(403, ['You are not authorized to act for this company.']);
				const resourceId = call.world.newId('system user');
				call.world
					.of(company)
					.systemUsers.push({ resourceId, companyResourceId: company.companyResourceId, email: asked.email, asked });
				return ok({ resourceId });
			},
		},
		{
			key: 'GET /api/scim/fields',
			access: 'any',
			takes: 'nothing',
			handle: () => ok(FIELDS.map((name) => ({ resourceId: fieldId(name), name, required: name === 'userName' }))),
		},
		{
			key: 'POST /api/scim',
			access: 'any',
			takes: 'json',
			write: true,
			handle: (call) => ok(withToken(createScim(call), call)),
		},
		search('POST /api/scim/search', listing),
		{
			key: `GET ${byId}`,
			access: 'any',
			takes: 'nothing',
			handle(call) {
				const scim = oneScim(call);
				return ok({
					...scim.asked,
					...shown(scim),
					[personality.scimEndpoint]: `${call.baseUrl}/scim/v2/${scim.companyResourceId}`,
				});
			},
		},
		{
			key: `PUT ${byId}`,
			access: 'any',
			takes: 'json',
			write: true,
			handle(call) {
				const scim = oneScim(call);
				const { name } = check(z.object({ name: z.string().max(30).nullish() }).passthrough(), call.json);
				if (name) {
					nameTaken(call, scim.companyResourceId, name, scim);
					scim.name = name;
				}
				return ok(shown(scim));
			},
		},
		{
			key: `POST ${byId}/revoke`,
			access: 'any',
			takes: 'nothing',
			write: true,
			handle(call) {
				const scim = oneScim(call);
				scim.tokenVersion++;
				scim.token = call.world.newId('scim token');
				return ok(withToken(scim, call));
			},
		},
	];
}
