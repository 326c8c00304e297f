/**
 * Routes for the audit log, for the SMTP settings, and for changing system users and settings (deployment beyond, "System
 * users and settings", "Audit log").
 */
import { parseWithSchema, requireFound, createBadRequestError } from '../envelope';
import {
	defineActionRoute,
	markOutsideContract,
	defineSaveRoute,
	type RouteCall,
	type Route,
	type JsonObject,
} from '../http';
import { makeGuid } from '../random';
import { listRoles } from '../routes/clients';
import { systemUserSchema } from '../routes/users-scim';
import type { ListDefinition } from '../paging';
import { defineDeployedSearchRoute } from './lists';

/**
 * Creates a handler that deletes the record whose ID is in the path.
 * @param listRecords returns the records of this kind that the company has
 */
function createRemovalHandler(recordName: string, listRecords: (call: RouteCall) => Array<{ resourceId: string }>) {
	return (call: RouteCall): string => {
		const records = listRecords(call);
		const index = records.findIndex(({ resourceId }) => resourceId === call.params.resourceId);
		const { resourceId } = requireFound(records[index], recordName);
		records.splice(index, 1);
		return resourceId;
	};
}

/** Replaces the record with the request body. Fields that the body omits become empty. */
function updateUser(call: RouteCall): string {
	const { companyResourceId: _companyId, ...userFields } = parseWithSchema(systemUserSchema, call.json);
	const user = requireFound(
		call.companyData.systemUsers.find(({ resourceId }) => resourceId === call.params.resourceId),
		'system user',
	);
	const roles = listRoles(call);
	if (userFields.roleResourceIdList?.some((id) => !roles.some(({ resourceId }) => resourceId === id)))
		throw createBadRequestError('Role is invalid');
	user.email = userFields.email;
	user.requestBody = userFields;
	return user.resourceId;
}

/** The entries of the audit log: one for each API client and each integration, and those that a test added. */
const AUDIT_LOG_LIST: ListDefinition = {
	getRows: ({ companyData: { clients, scimIntegrations, auditEntries, company } }) => [
		...[...clients, ...scimIntegrations].map(({ resourceId, name, createTime }): JsonObject => ({
			resourceId: makeGuid(`audit ${resourceId}`),
			userName: `admin@${company.companyResourceId}.example`,
			entityResourceId: resourceId,
			entityName: name,
			oldValue: null,
			newValue: JSON.stringify({ name }),
			operation: 'Create',
			ip: '198.51.100.7',
			userAgent: 'Mozilla/5.0',
			auditDescription: `${name} was created`,
			logDate: createTime,
		})),
		...auditEntries.map((entry): JsonObject => ({
			entityResourceId: null,
			oldValue: null,
			newValue: null,
			ip: '198.51.100.8',
			userAgent: 'Mozilla/5.0',
			...entry,
		})),
	],
	idField: 'resourceId',
	nameField: 'entityName',
	requiredPaging: 'none',
	filterRequirement: 'optional',
	textFields: ['userName', 'entityName', 'auditDescription'],
	extraSortNames: ['LogDate', 'UserName', 'EntityName', 'Operation', 'Ip', 'UserAgent', 'AuditDescription'],
};

/** The SMTP settings: one of the reseller's, and one of the company's own (deployment onboarding 2). */
const SMTP_SETTING_LIST: ListDefinition = {
	getRows: ({ companyData: { company } }) =>
		['Default', `${company.companyName} Mail Server`].map((name, index): JsonObject => ({
			resourceId: makeGuid(`smtp ${name} ${company.companyResourceId}`),
			name,
			companyName: company.companyName,
			serverAddress: `smtp${index + 1}.mail.example`,
			serverPort: '587',
			statusName: 'Active',
			isOwner: index === 1,
			createTime: '2025-10-01T09:00:00.000Z',
		})),
	idField: 'resourceId',
	nameField: 'name',
	requiredPaging: 'none',
	filterRequirement: 'optional',
};

/** Creates the routes for changing system users and settings, for the SMTP settings, and for the audit log. */
export function administrationRoutes(): Route[] {
	const idPlaceholder = '{resourceId}';
	const companiesPath = '/api/companies';
	return [
		defineSaveRoute(`PUT /api/system-users/${idPlaceholder}`, updateUser),
		defineActionRoute(
			`DELETE /api/system-users/${idPlaceholder}`,
			createRemovalHandler('system user', ({ companyData }) => companyData.systemUsers),
		),
		defineActionRoute(
			`DELETE /api/scim/${idPlaceholder}`,
			createRemovalHandler('SCIM integration', ({ companyData }) => companyData.scimIntegrations),
		),
		defineActionRoute(
			`DELETE ${companiesPath}/saml-settings/${idPlaceholder}`,
			createRemovalHandler('SAML setting', ({ companyData }) => companyData.samlSettings),
		),
		defineActionRoute(
			`DELETE ${companiesPath}/direct-email-settings/${idPlaceholder}`,
			createRemovalHandler('direct email setting', ({ companyData }) => companyData.emailSettings),
		),
		defineDeployedSearchRoute('POST /api/companies/smtp-settings/search', SMTP_SETTING_LIST),
		defineDeployedSearchRoute('POST /api/audit-logs/search', AUDIT_LOG_LIST),
	].map(markOutsideContract);
}
