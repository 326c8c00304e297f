import { z } from 'zod';
import { check, found, int32, invalid, text } from '../envelope';
import { ROLES, type ApiClientRecord } from '../holdings';
import { changing, reading, writing, type Call, type Route, type Row } from '../http';
import { refusePatch, search, type Listing } from '../paging';
import type { Personality } from '../personality';
import { isAddress } from '../tokens';

/** 1 is the contract's Active; 2 is presumably Inactive (deployment behaviour). */
const STATUS: Record<number, string> = { 1: 'Active', 2: 'Inactive' };

/** The roles of the company that is acted for; a live deployment's belong to the company. */
export const rolesOf = ({ home, world }: Pick<Call, 'home' | 'world'>): Array<{ resourceId: string; name: string }> =>
	ROLES.map((name) => ({ resourceId: world.roleIdOf(home.company.companyResourceId, name), name }));

function shown(client: ApiClientRecord, { personality, isDeployed, world }: Call): Row {
	const { resourceId, name, clientId, statusId, createTime, roleResourceIdList } = client;
	const row = {
		resourceId,
		[personality.clientName]: name,
		clientId,
		statusId,
		statusName: STATUS[statusId],
		createTime,
	};
	if (isDeployed) return row;
	const { hasIpAddressRestriction, allowedIpAddresses } = client;
	const roleNames = rolesOf({ home: world.of(client.companyResourceId), world })
		.filter((role) => roleResourceIdList.includes(role.resourceId))
		.map((role) => role.name);
	return { ...row, hasIpAddressRestriction, allowedIpAddresses, roleResourceIdList, roleNames };
}

/** A live deployment's record has the secret, and the name under another name than its list. */
function record(client: ApiClientRecord, call: Call): Row {
	if (!call.isDeployed) return shown(client, call);
	const { resourceId, name, clientId, clientSecret, statusId } = client;
	const { hasIpAddressRestriction, allowedIpAddresses, roleResourceIdList } = client;
	return {
		resourceId,
		name,
		clientId,
		clientSecret,
		statusId,
		statusName: STATUS[statusId],
		hasIpAddressRestriction,
		allowedIpAddresses,
		roleResourceIdList,
	};
}

/** The fields of an API client in a request (contract 2.11). */
const clientFields = z
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

/** What was asked for, checked. @param companyResourceId whose roles it may have */
function settings(call: Call, companyResourceId: string) {
	if (call.isDeployed) refusePatch(call);
	const known = rolesOf({ home: call.world.of(companyResourceId), world: call.world });
	const rules = clientFields.superRefine((asked, context) => {
		const wrong = (message: string) => context.addIssue({ code: 'custom', message });
		if (!(asked.statusId in STATUS)) wrong('Status Id is invalid');
		const roles = asked.roleResourceIdList ?? [];
		if (roles.length === 0) wrong('A role should be selected');
		if (roles.some((id) => !known.some(({ resourceId }) => resourceId === id))) wrong('Role is invalid');
		const addresses = asked.allowedIpAddresses ?? [];
		if (asked.hasIpAddressRestriction === true && (addresses.length === 0 || !addresses.every(isAddress)))
			wrong('Invalid ip address');
	});
	const { name, clientId, clientSecret, statusId, ...asked } = check(rules, call.json);
	return {
		name,
		clientId,
		clientSecret,
		statusId,
		hasIpAddressRestriction: asked.hasIpAddressRestriction ?? false,
		allowedIpAddresses: asked.allowedIpAddresses ?? [],
		roleResourceIdList: asked.roleResourceIdList ?? [],
	};
}

/** The clients in sight. */
const clientsOf = (call: Call): ApiClientRecord[] =>
	call.companies.flatMap((company) => call.world.of(company).clients);

/** The client that the path names. */
const oneClient = (call: Call): ApiClientRecord =>
	found(
		clientsOf(call).find((client) => client.resourceId === call.params.resourceId),
		'client',
	);

/** Keeps a client so that it can sign in. */
function create(call: Call): string {
	const { companyResourceId } = call.home.company;
	const client: ApiClientRecord = {
		...settings(call, companyResourceId),
		resourceId: call.world.newId('client'),
		companyResourceId,
		createTime: new Date().toISOString(),
		lacks: [],
	};
	call.home.clients.push(client);
	call.world.signIns.push(client);
	return client.resourceId;
}

/** Deletes a client; it cannot sign in any more. */
function remove(call: Call): unknown {
	const client = oneClient(call);
	const { clients } = call.world.of(client.companyResourceId);
	if (!clients.includes(client)) throw invalid('The client cannot be deleted.');
	clients.splice(clients.indexOf(client), 1);
	const signIn = call.world.signIns.indexOf(client);
	if (signIn >= 0) call.world.signIns.splice(signIn, 1);
	return call.isDeployed ? { resourceId: client.resourceId } : true;
}

/** A pair that is told once, and kept nowhere. */
function generate({ world }: Call): Row {
	const made = (kind: string) => world.newId(kind).replaceAll('-', '');
	return { clientId: made('client id'), clientSecret: made('client secret') + made('client secret') };
}

/** Contract 4.4. A client made here can really sign in. */
export function clientRoutes({ clientName }: Personality): Route[] {
	const listing: Listing = {
		rows: (call) => clientsOf(call).map((client) => shown(client, call)),
		id: 'resourceId',
		name: clientName,
		required: 'all',
		filter: 'required',
		isFragile: true,
		needsGroups: true,
	};
	const path = '/api/companies/clients';
	return [
		reading('GET /api/roles', rolesOf),
		// A secret that may not be shown again (contract 4.4) is made for one who takes it.
		{ ...reading(`GET ${path}/generate-client-credentials`, generate), write: true },
		writing(`POST ${path}`, create),
		search(`POST ${path}/search`, listing),
		reading(`GET ${path}/{resourceId}`, (call) => record(oneClient(call), call)),
		writing(`PUT ${path}/{resourceId}`, (call) => {
			const client = oneClient(call);
			return Object.assign(client, settings(call, client.companyResourceId)).resourceId;
		}),
		changing(`DELETE ${path}/{resourceId}`, remove, { takes: 'nothing' }),
	];
}
