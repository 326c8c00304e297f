import { check } from '../envelope';
import { acting, reading, writing, type Call, type Route, type Row } from '../http';
import { clientFields, clientsOf, keepClient, oneClient, removeClient } from '../routes/clients';
import { isAddress } from '../tokens';
import { companyRoleId, ROLES, type ApiClientRecord } from '../holdings';
import { noPatch, strictSearch, type StrictListing } from './lists';

const STATUS: Record<number, string> = { 1: 'Active', 2: 'Inactive' };

/** The roles of the company that is acted for. */
export const rolesOf = ({ home }: Call): Row[] =>
	ROLES.map((name) => ({ resourceId: companyRoleId(home.company.companyResourceId, name), name }));

function settings(call: Call, companyResourceId: string) {
	noPatch(call);
	const rules = clientFields.superRefine((asked, context) => {
		const wrong = (message: string) => context.addIssue({ code: 'custom', message });
		if (!(asked.statusId in STATUS)) wrong('Status Id is invalid');
		const roles = asked.roleResourceIdList ?? [];
		if (roles.length === 0) wrong('A role should be selected');
		if (roles.some((id) => !ROLES.some((name) => companyRoleId(companyResourceId, name) === id)))
			wrong('Role is invalid');
		const addresses = asked.allowedIpAddresses ?? [];
		if (asked.hasIpAddressRestriction === true && (addresses.length === 0 || !addresses.every(isAddress)))
			wrong('Invalid ip address');
	});
	const { name, clientId, clientSecret, statusId, hasIpAddressRestriction, allowedIpAddresses, roleResourceIdList } =
		check(rules, call.json);
	return {
		...{ name, clientId, clientSecret, statusId },
		hasIpAddressRestriction: hasIpAddressRestriction ?? false,
		allowedIpAddresses: allowedIpAddresses ?? [],
		roleResourceIdList: roleResourceIdList ?? [],
	};
}

const shown = ({ resourceId, clientId, statusId }: ApiClientRecord): Row => ({
	resourceId,
	clientId,
	statusId,
	statusName: STATUS[statusId],
});

function record(client: ApiClientRecord): Row {
	const { name, clientSecret, hasIpAddressRestriction, allowedIpAddresses, roleResourceIdList } = client;
	return { ...shown(client), name, clientSecret, hasIpAddressRestriction, allowedIpAddresses, roleResourceIdList };
}

const CLIENTS: StrictListing = {
	rows: (call) =>
		clientsOf(call).map((client) => ({ ...shown(client), clientName: client.name, createTime: client.createTime })),
	id: 'resourceId',
	name: 'clientName',
	required: 'none',
	filter: 'required',
	nullFilterBreaks: true,
	needsGroups: true,
	sorts: ['ClientName', 'ClientId', 'CreateTime', 'StatusId', 'StatusName'],
	before: (_sent, call) => noPatch(call),
};

/** The roles and the clients of a company. */
export function clientRoutes(): Route[] {
	const path = '/api/companies/clients';
	return [
		reading('GET /api/roles', rolesOf),
		writing(`POST ${path}`, (call) => keepClient(call, settings(call, call.home.company.companyResourceId)).resourceId),
		strictSearch(`POST ${path}/search`, CLIENTS),
		reading(`GET ${path}/{resourceId}`, (call) => record(oneClient(call))),
		writing(`PUT ${path}/{resourceId}`, (call) => {
			const client = oneClient(call);
			return Object.assign(client, settings(call, client.companyResourceId)).resourceId;
		}),
		acting(`DELETE ${path}/{resourceId}`, (call) => {
			const client = oneClient(call);
			removeClient(call, client);
			return client.resourceId;
		}),
	];
}
