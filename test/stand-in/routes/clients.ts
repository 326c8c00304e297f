import { z } from 'zod';
import { parseWithSchema, requireFound, int32Schema, createBadRequestError, createTextSchema } from '../envelope';
import { ROLE_NAMES, type ApiClientRecord } from '../companyData';
import {
	defineWriteRoute,
	defineReadRoute,
	defineSaveRoute,
	type RouteCall,
	type Route,
	type JsonObject,
} from '../http';
import { rejectJsonPatch, defineSearchRoute, type ListDefinition } from '../paging';
import type { PlatformProfile } from '../profile';
import { isIpAddressOrRange } from '../tokens';

/**
 * The names of client statuses. The contract has only 1, Active. 2 is presumably Inactive (deployment behaviour, "REST
 * API clients, roles").
 */
const STATUS_NAMES: Record<number, string> = { 1: 'Active', 2: 'Inactive' };

/** Lists the roles of a company. On live deployments, each company has its own roles. */
export function listRoles({
	companyData,
	world,
}: Pick<RouteCall, 'companyData' | 'world'>): Array<{ resourceId: string; name: string }> {
	return ROLE_NAMES.map((name) => ({ resourceId: world.getRoleId(companyData.company.companyResourceId, name), name }));
}

function buildClientRow(client: ApiClientRecord, { profile, isDeployed, world }: RouteCall): JsonObject {
	const { resourceId, name, clientId, statusId, createTime, roleResourceIdList } = client;
	const row = {
		resourceId,
		[profile.clientNameField]: name,
		clientId,
		statusId,
		statusName: STATUS_NAMES[statusId],
		createTime,
	};
	if (isDeployed) return row;
	const { hasIpAddressRestriction, allowedIpAddresses } = client;
	const roleNames = listRoles({ companyData: world.getCompanyData(client.companyResourceId), world })
		.filter((role) => roleResourceIdList.includes(role.resourceId))
		.map((role) => role.name);
	return { ...row, hasIpAddressRestriction, allowedIpAddresses, roleResourceIdList, roleNames };
}

/**
 * Builds the record of a client. On live deployments, it contains the secret, and the field for the client's name has
 * another name than in rows.
 */
function buildClientRecord(client: ApiClientRecord, call: RouteCall): JsonObject {
	if (!call.isDeployed) return buildClientRow(client, call);
	const { resourceId, name, clientId, clientSecret, statusId } = client;
	const { hasIpAddressRestriction, allowedIpAddresses, roleResourceIdList } = client;
	return {
		resourceId,
		name,
		clientId,
		clientSecret,
		statusId,
		statusName: STATUS_NAMES[statusId],
		hasIpAddressRestriction,
		allowedIpAddresses,
		roleResourceIdList,
	};
}

/** The fields of an API client in a request body (contract 2.11). */
const clientSchema = z
	.object({
		name: createTextSchema(64),
		clientId: createTextSchema(32),
		clientSecret: createTextSchema(100),
		statusId: int32Schema,
		hasIpAddressRestriction: z.boolean().nullish(),
		allowedIpAddresses: z.array(z.string()).nullish(),
		roleResourceIdList: z.array(z.string()).nullish(),
	})
	.passthrough();

/**
 * Parses the settings of a client from the request body.
 * @param companyResourceId the company whose roles are valid
 * @throws HttpError 400 for invalid settings
 */
function parseSettings(call: RouteCall, companyResourceId: string) {
	if (call.isDeployed) rejectJsonPatch(call);
	const companyRoles = listRoles({ companyData: call.world.getCompanyData(companyResourceId), world: call.world });
	const clientRules = clientSchema.superRefine((clientSettings, context) => {
		const addIssue = (message: string) => context.addIssue({ code: 'custom', message });
		if (!(clientSettings.statusId in STATUS_NAMES)) addIssue('Status Id is invalid');
		const roles = clientSettings.roleResourceIdList ?? [];
		if (roles.length === 0) addIssue('A role should be selected');
		if (roles.some((id) => !companyRoles.some(({ resourceId }) => resourceId === id))) addIssue('Role is invalid');
		const allowedIps = clientSettings.allowedIpAddresses ?? [];
		if (
			clientSettings.hasIpAddressRestriction === true &&
			(allowedIps.length === 0 || !allowedIps.every(isIpAddressOrRange))
		)
			addIssue('Invalid ip address');
	});
	const { name, clientId, clientSecret, statusId, ...otherSettings } = parseWithSchema(clientRules, call.json);
	return {
		name,
		clientId,
		clientSecret,
		statusId,
		hasIpAddressRestriction: otherSettings.hasIpAddressRestriction ?? false,
		allowedIpAddresses: otherSettings.allowedIpAddresses ?? [],
		roleResourceIdList: otherSettings.roleResourceIdList ?? [],
	};
}

/** Lists the clients that a call can see. */
function listClients(call: RouteCall): ApiClientRecord[] {
	return call.visibleCompanies.flatMap((company) => call.world.getCompanyData(company).clients);
}

/**
 * Finds the client whose ID is in the path.
 * @throws HttpError 404
 */
function findClient(call: RouteCall): ApiClientRecord {
	const client = listClients(call).find(({ resourceId }) => resourceId === call.params.resourceId);
	return requireFound(client, 'client');
}

/** Creates a client that can sign in at once. */
function createClient(call: RouteCall): string {
	const { companyResourceId } = call.companyData.company;
	const client: ApiClientRecord = {
		...parseSettings(call, companyResourceId),
		resourceId: call.world.createId('client'),
		companyResourceId,
		createTime: new Date().toISOString(),
		missingPermissions: [],
	};
	call.companyData.clients.push(client);
	call.world.signInClients.push(client);
	return client.resourceId;
}

/** Deletes a client, so that it can no longer sign in. */
function removeClient(call: RouteCall): unknown {
	const client = findClient(call);
	const { clients } = call.world.getCompanyData(client.companyResourceId);
	if (!clients.includes(client)) throw createBadRequestError('The client cannot be deleted.');
	clients.splice(clients.indexOf(client), 1);
	const signInIndex = call.world.signInClients.indexOf(client);
	if (signInIndex >= 0) call.world.signInClients.splice(signInIndex, 1);
	return call.isDeployed ? { resourceId: client.resourceId } : true;
}

/** Generates a client ID and a secret. They are returned once and not saved. */
function generateCredentials({ world }: RouteCall): JsonObject {
	const createPart = (kind: string) => world.createId(kind).replaceAll('-', '');
	return { clientId: createPart('client id'), clientSecret: createPart('client secret') + createPart('client secret') };
}

/** Creates the routes of contract 4.4. A client created here can sign in. */
export function clientRoutes({ clientNameField }: PlatformProfile): Route[] {
	const clientList: ListDefinition = {
		getRows: (call) => listClients(call).map((client) => buildClientRow(client, call)),
		idField: 'resourceId',
		nameField: clientNameField,
		requiredPaging: 'all',
		filterRequirement: 'required',
		shouldFailWithoutFilter: true,
		shouldRequireFilterGroups: true,
	};
	const path = '/api/companies/clients';
	return [
		defineReadRoute('GET /api/roles', listRoles),
		// The response can contain a secret that is never shown again (contract 4.4), so the request counts as a write.
		{ ...defineReadRoute(`GET ${path}/generate-client-credentials`, generateCredentials), isWrite: true },
		defineSaveRoute(`POST ${path}`, createClient),
		defineSearchRoute(`POST ${path}/search`, clientList),
		defineReadRoute(`GET ${path}/{resourceId}`, (call) => buildClientRecord(findClient(call), call)),
		defineSaveRoute(`PUT ${path}/{resourceId}`, (call) => {
			const client = findClient(call);
			return Object.assign(client, parseSettings(call, client.companyResourceId)).resourceId;
		}),
		defineWriteRoute(`DELETE ${path}/{resourceId}`, removeClient, { bodyType: 'nothing' }),
	];
}
