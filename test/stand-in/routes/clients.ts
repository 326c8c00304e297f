import { z } from 'zod';
import { check, found, invalid, int32, text } from '../envelope';
import { ok, type Call, type Route, type Row } from '../http';
import { search, type Listing } from '../paging';
import type { Personality } from '../personality';
import { isAddress } from '../tokens';
import { roleId, ROLES, type ApiClientRecord } from '../holdings';

/** Status values: 1 is the contract's Active, the others are this service's own. */
const STATUS: Record<number, string> = { 0: 'Inactive', 1: 'Active', 2: 'Suspended' };

function shown(client: ApiClientRecord, personality: Personality): Row {
	return {
		resourceId: client.resourceId,
		[personality.clientName]: client.name,
		clientId: client.clientId,
		statusId: client.statusId,
		statusName: STATUS[client.statusId],
		hasIpAddressRestriction: client.hasIpAddressRestriction,
		allowedIpAddresses: client.allowedIpAddresses,
		roleResourceIdList: client.roleResourceIdList,
		roleNames: ROLES.filter((name) => client.roleResourceIdList.includes(roleId(name))),
		createTime: client.createTime,
	};
}

/** The fields of an API client in a request (contract 2.11). */
export const clientFields = z
	.object({
		name: text(64),
		clientId: text(32),
		clientSecret: text(100),
		statusId: int32,
		hasIpAddressRestriction: z.boolean().nullish(),
		allowedIpAddresses: z.array(z.string()).nullish(),
		roleResourceIdList: z.array(z.string()).nullish(),
	})
	.passthrough();

const clientBody = clientFields.superRefine((body, context) => {
	const wrong = (message: string) => context.addIssue({ code: 'custom', message });
	if (!(body.statusId in STATUS)) wrong('The StatusId field is not valid.');
	const roles = body.roleResourceIdList ?? [];
	if (roles.length === 0) wrong('At least one role should be selected.');
	const strangers = roles.filter((id) => !ROLES.some((name) => roleId(name) === id));
	for (const id of strangers) wrong(`The RoleResourceIdList has an unknown role: ${id}.`);
	const addresses = body.allowedIpAddresses ?? [];
	if (body.hasIpAddressRestriction === true && (addresses.length === 0 || !addresses.every(isAddress)))
		wrong('Invalid ip address');
});

/** The clients in sight. */
export function clientsOf(call: Call): ApiClientRecord[] {
	return call.companies.flatMap((company) => call.world.of(company).clients);
}

/** The client that the path names. */
export function oneClient(call: Call): ApiClientRecord {
	return found(
		clientsOf(call).find((client) => client.resourceId === call.params.resourceId),
		'client',
	);
}

function settings(call: Call): Omit<ApiClientRecord, 'resourceId' | 'companyResourceId' | 'createTime' | 'lacks'> {
	const asked = check(clientBody, call.json);
	return {
		name: asked.name,
		clientId: asked.clientId,
		clientSecret: asked.clientSecret,
		statusId: asked.statusId,
		hasIpAddressRestriction: asked.hasIpAddressRestriction ?? false,
		allowedIpAddresses: asked.allowedIpAddresses ?? [],
		roleResourceIdList: asked.roleResourceIdList ?? [],
	};
}

/** Keeps a client so that it can sign in. */
export function keepClient(
	call: Call,
	settings: Omit<ApiClientRecord, 'resourceId' | 'companyResourceId' | 'createTime' | 'lacks'>,
): ApiClientRecord {
	const client: ApiClientRecord = {
		...settings,
		resourceId: call.world.newId('client'),
		companyResourceId: call.home.company.companyResourceId,
		createTime: new Date().toISOString(),
		lacks: [],
	};
	call.home.clients.push(client);
	call.world.signIns.push(client);
	return client;
}

/** Deletes a client; it cannot sign in any more. */
export function removeClient(call: Call, client: ApiClientRecord): void {
	const holdings = [call.caller.company, ...call.companies].map((company) => call.world.of(company));
	const owner = holdings.find((entry) => entry.clients.includes(client));
	if (!owner) throw invalid('The client cannot be deleted.');
	owner.clients.splice(owner.clients.indexOf(client), 1);
	const signIn = call.world.signIns.indexOf(client);
	if (signIn >= 0) call.world.signIns.splice(signIn, 1);
}

/** Contract 4.4. A client made here can really sign in. */
export function clientRoutes(personality: Personality): Route[] {
	const listing: Listing = {
		rows: (call) => clientsOf(call).map((client) => shown(client, personality)),
		id: 'resourceId',
		name: personality.clientName,
		required: 'all',
		filter: 'required',
		nullFilterBreaks: true,
		refusesPatch: true,
	};
	const byId = 'api/companies/clients/{resourceId}';
	return [
		{
			key: 'GET /api/roles',
			access: 'any',
			takes: 'nothing',
			handle: () => ok(ROLES.map((name) => ({ resourceId: roleId(name), name }))),
		},
		{
			key: 'GET /api/companies/clients/generate-client-credentials',
			access: 'any',
			takes: 'nothing',
			// A secret that may not be shown again (contract 4.4) is made for one who takes it.
			write: true,
			handle(call) {
				const clientId = call.world.newId('client id').replaceAll('-', '');
				const clientSecret = `${call.world.newId('client secret')}${call.world.newId('client secret')}`.replaceAll(
					'-',
					'',
				);
				call.world.generated.set(clientId, clientSecret);
				return ok({ clientId, clientSecret });
			},
		},
		{
			key: 'POST /api/companies/clients',
			access: 'any',
			takes: 'json',
			write: true,
			handle: (call) => ok({ resourceId: keepClient(call, settings(call)).resourceId }),
		},
		search('POST /api/companies/clients/search', listing),
		{ key: `GET /${byId}`, access: 'any', takes: 'nothing', handle: (call) => ok(shown(oneClient(call), personality)) },
		{
			key: `PUT /${byId}`,
			access: 'any',
			takes: 'json',
			write: true,
			handle: (call) => ok({ resourceId: Object.assign(oneClient(call), settings(call)).resourceId }),
		},
		{
			key: `DELETE /${byId}`,
			access: 'any',
			takes: 'nothing',
			write: true,
			handle(call) {
				removeClient(call, oneClient(call));
				return ok(true);
			},
		},
	];
}
