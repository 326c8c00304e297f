import { z } from 'zod';
import {
	parseWithSchema,
	requireFound,
	int32Schema,
	createBadRequestError,
	HttpError,
	createTextSchema,
} from '../envelope';
import { CUSTOM_FIELD_NAMES, getCustomFieldId } from '../deployed/lists';
import type { ScimIntegration, SystemUser } from '../companyData';
import {
	markOutsideContract,
	defineWriteRoute,
	isJsonObject,
	defineReadRoute,
	defineSaveRoute,
	type RouteCall,
	type Route,
	type JsonObject,
} from '../http';
import { defineSearchRoute, type ListDefinition } from '../paging';
import { makeGuid } from '../random';
import { listRoles } from './clients';

/** The fields of a system user in a request body (contract 2.12). */
export const systemUserSchema = z
	.object({
		firstName: createTextSchema(40),
		lastName: createTextSchema(40),
		email: createTextSchema(320).refine((email) => /^[^\s@]+@[^\s@]+$/.test(email)),
		phoneNumber: createTextSchema(20),
		statusId: int32Schema.nullish(),
		roleResourceIdList: z.array(z.string()).nullish(),
		companyResourceId: z.string().nullish(),
	})
	.passthrough();

function createSystemUser(call: RouteCall): string {
	const userFields = parseWithSchema(systemUserSchema, call.json);
	const companyId = userFields.companyResourceId;
	const company = companyId
		? call.visibleCompanies.find((entry) => entry.companyResourceId === companyId)
		: call.companyData.company;
	if (!company) throw new HttpError(403, ['You are not authorized to act for this company.']);
	const { world } = call;
	const companyData = world.getCompanyData(company);
	const roles = listRoles({ companyData, world });
	if (userFields.roleResourceIdList?.some((id) => !roles.some((role) => role.resourceId === id)))
		throw createBadRequestError('Role is invalid');
	const resourceId = world.createId('system user');
	// The domain of a company's first system user is added and verified by the platform (deployment onboarding 2).
	if (call.isDeployed && companyData.systemUsers.length === 0) companyData.addVerifiedDomain(userFields.email);
	companyData.systemUsers.push({
		resourceId,
		companyResourceId: company.companyResourceId,
		email: userFields.email,
		requestBody: userFields,
	});
	return resourceId;
}

function buildUserRow(user: SystemUser, call: RouteCall): JsonObject {
	const { resourceId, companyResourceId, email, requestBody } = user;
	const roleIds: unknown[] = Array.isArray(requestBody.roleResourceIdList) ? requestBody.roleResourceIdList : [];
	const roles = listRoles(call).filter((role) => roleIds.includes(role.resourceId));
	return {
		resourceId,
		firstName: requestBody.firstName,
		lastName: requestBody.lastName,
		email,
		companyResourceId,
		companyName: call.world.findCompany(companyResourceId)?.companyName ?? null,
		roles: roles.map(({ name }) => name).join(', '),
		phoneNumber: requestBody.phoneNumber,
		statusId: requestBody.statusId ?? 1,
		statusName: 'Active',
		createTime: '2025-11-01T09:00:00.000Z',
		isEditable: true,
	};
}

const SYSTEM_USER_LIST: ListDefinition = {
	getRows: (call) => call.companyData.systemUsers.map((user) => buildUserRow(user, call)),
	idField: 'resourceId',
	nameField: 'email',
	textFields: ['email', 'firstName', 'lastName'],
};

/** The SCIM attributes that can be mapped to fields of users. */
const SCIM_FIELDS = [
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

function getScimFieldId(name: string): string {
	return makeGuid(`scim field ${name}`);
}

function findScimFieldName(id: unknown): string | null {
	return SCIM_FIELDS.find((name) => getScimFieldId(name) === id) ?? null;
}

function listScimFields({ isDeployed }: RouteCall): unknown {
	if (isDeployed) return { fields: SCIM_FIELDS.map((name) => ({ resourceId: getScimFieldId(name), name })) };
	return SCIM_FIELDS.map((name) => ({ resourceId: getScimFieldId(name), name, required: name === 'userName' }));
}

const integrationSchema = z
	.object({
		name: createTextSchema(30),
		groupResourceId: z.string().nullish(),
		groupBySCIMFieldResourceId: z.string().nullish(),
		fieldMappings: z
			.array(
				z
					.object({ customFieldResourceId: createTextSchema(100), scimFieldResourceId: createTextSchema(100) })
					.passthrough(),
			)
			.nullish(),
		syncPlatformGroup: z.boolean().nullish(),
	})
	.passthrough();

function listIntegrations(call: RouteCall): ScimIntegration[] {
	return call.visibleCompanies.flatMap((company) => call.world.getCompanyData(company).scimIntegrations);
}

/**
 * Finds the integration whose ID is in the path.
 * @throws HttpError 404
 */
export function findIntegration(call: RouteCall): ScimIntegration {
	const integration = listIntegrations(call).find(({ resourceId }) => resourceId === call.params.resourceId);
	return requireFound(integration, 'SCIM integration');
}

/**
 * Rejects a name that another integration of the company already has (deployment facts, "Responses").
 * @throws HttpError 409
 */
function rejectTakenName(
	call: RouteCall,
	companyResourceId: string,
	name: string,
	ignoredIntegration?: ScimIntegration,
): void {
	const hasSameName = (integration: ScimIntegration) => integration.name.toLowerCase() === name.toLowerCase();
	const { scimIntegrations } = call.world.getCompanyData(companyResourceId);
	if (scimIntegrations.some((integration) => integration !== ignoredIntegration && hasSameName(integration)))
		throw new HttpError(409, [`A SCIM integration with the name '${name}' exists already.`]);
}

function createIntegration(call: RouteCall): ScimIntegration {
	const form = parseWithSchema(integrationSchema, call.json);
	const { companyResourceId } = call.companyData.company;
	const groupId = form.groupResourceId;
	if (groupId && !call.companyData.targetGroups.some(({ resourceId }) => resourceId === groupId))
		throw createBadRequestError(`The GroupResourceId is not a target group: ${groupId}.`);
	const fieldIds = [
		form.groupBySCIMFieldResourceId,
		...(form.fieldMappings ?? []).map((mapping) => mapping.scimFieldResourceId),
	];
	for (const id of fieldIds)
		if (id && findScimFieldName(id) === null) throw createBadRequestError(`The SCIM field is unknown: ${id}.`);
	rejectTakenName(call, companyResourceId, form.name);
	const integration: ScimIntegration = {
		resourceId: call.world.createId('scim'),
		companyResourceId,
		name: form.name,
		token: call.world.createId('scim token'),
		tokenVersion: 1,
		groupResourceId: groupId ?? null,
		createTime: new Date().toISOString(),
		requestBody: form,
	};
	call.companyData.scimIntegrations.push(integration);
	return integration;
}

function buildIntegrationRow(integration: ScimIntegration, { isDeployed, world }: RouteCall): JsonObject {
	const { resourceId, name, groupResourceId, createTime, tokenVersion } = integration;
	if (!isDeployed) return { resourceId, name, groupResourceId, createTime, tokenVersion };
	const group = world
		.getCompanyData(integration.companyResourceId)
		.targetGroups.find((entry) => entry.resourceId === groupResourceId);
	const groupByCustomFieldName = findScimFieldName(integration.requestBody.groupBySCIMFieldResourceId);
	return { resourceId, name, groupName: group?.name ?? null, groupByCustomFieldName, createTime };
}

function buildEndpointUrl({ companyResourceId }: ScimIntegration, { baseUrl }: RouteCall): string {
	return `${baseUrl}/scim/v2/${companyResourceId}`;
}

function buildIntegrationRecord(call: RouteCall): JsonObject {
	const integration = findIntegration(call);
	const { requestBody } = integration;
	const allFields = buildIntegrationRow(integration, call);
	if (!call.isDeployed) return { ...requestBody, ...allFields, scimEndpointUrl: buildEndpointUrl(integration, call) };
	const { createTime: _time, ...row } = allFields;
	const mappings = Array.isArray(requestBody.fieldMappings) ? requestBody.fieldMappings.filter(isJsonObject) : [];
	const mappingDetails = mappings.map(({ scimFieldResourceId, customFieldResourceId }) => ({
		scimPath: findScimFieldName(scimFieldResourceId),
		customFieldName: CUSTOM_FIELD_NAMES.find((name) => getCustomFieldId(name) === customFieldResourceId) ?? null,
	}));
	return { ...row, mappingDetails, syncPlatformGroup: requestBody.syncPlatformGroup === true };
}

/**
 * Builds the response that contains a new token. On the contract's platform, it also contains the ID of the integration
 * and the URL of its endpoint (deployment behaviour, "SCIM").
 */
function buildTokenResult(integration: ScimIntegration, call: RouteCall): JsonObject {
	const { resourceId, token } = integration;
	if (call.isDeployed) return { token };
	return { resourceId, scimToken: token, scimEndpointUrl: buildEndpointUrl(integration, call) };
}

function revokeToken(call: RouteCall): JsonObject {
	const integration = findIntegration(call);
	integration.tokenVersion++;
	integration.token = call.world.createId('scim token');
	const tokenResult = buildTokenResult(integration, call);
	if (!call.isDeployed) return tokenResult;
	return { pageNumber: 1, pageSize: 1, totalNumberOfPages: 1, totalNumberOfRecords: 1, results: [tokenResult] };
}

function renameIntegration(call: RouteCall): JsonObject {
	const integration = findIntegration(call);
	const { name } = parseWithSchema(z.object({ name: z.string().max(30).nullish() }).passthrough(), call.json);
	if (name) rejectTakenName(call, integration.companyResourceId, name, integration);
	integration.name = name ?? integration.name;
	return call.isDeployed ? { resourceId: integration.resourceId } : buildIntegrationRow(integration, call);
}

const INTEGRATION_LIST: ListDefinition = {
	getRows: (call) => listIntegrations(call).map((integration) => buildIntegrationRow(integration, call)),
	idField: 'resourceId',
	nameField: 'name',
};

/**
 * Creates the routes of contract 4.5. When an integration is created or its token is revoked, live deployments return
 * only the new token.
 */
export function userAndScimRoutes(): Route[] {
	const path = '/api/scim';
	return [
		defineSaveRoute('POST /api/system-users', createSystemUser),
		markOutsideContract(defineSearchRoute('POST /api/system-users/search', SYSTEM_USER_LIST)),
		defineReadRoute(`GET ${path}/fields`, listScimFields),
		defineWriteRoute(`POST ${path}`, (call) => buildTokenResult(createIntegration(call), call)),
		defineSearchRoute(`POST ${path}/search`, INTEGRATION_LIST),
		defineReadRoute(`GET ${path}/{resourceId}`, buildIntegrationRecord),
		defineWriteRoute(`PUT ${path}/{resourceId}`, renameIntegration),
		defineWriteRoute(`POST ${path}/{resourceId}/revoke`, revokeToken, { bodyType: 'nothing' }),
	];
}
