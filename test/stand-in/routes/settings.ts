/** Routes for direct email settings (contract 4.6) and SAML settings (contract 4.2). */
import { z } from 'zod';
import {
	parseWithSchema,
	requireFound,
	int32Schema,
	createBadRequestError,
	HttpError,
	createTextSchema,
} from '../envelope';
import type { EmailSetting, SamlSetting } from '../companyData';
import {
	defineActionRoute,
	markOutsideContract,
	defineWriteRoute,
	defineReadRoute,
	defineSaveRoute,
	type RouteCall,
	type Route,
	type JsonObject,
} from '../http';
import { defineSearchRoute, type ListDefinition } from '../paging';

const providerSchema = int32Schema.refine((value) => value === 1 || value === 2, {
	message: 'The Type field is not valid: 1 is Microsoft 365, 2 is Google Workspace.',
});
const emailSettingSchema = z
	.object({
		name: createTextSchema(64),
		tenantId: createTextSchema(200),
		allowedDomains: z.array(createTextSchema(255)).min(1),
		type: providerSchema.nullish(),
	})
	.passthrough();
const testEmailSchema = z
	.object({
		resourceId: createTextSchema(100),
		from: createTextSchema(320),
		fromName: createTextSchema(200),
		to: createTextSchema(320),
		message: createTextSchema(10_000),
		tenantId: createTextSchema(200),
		type: providerSchema,
	})
	.passthrough();

function findEmailSetting(call: RouteCall, id = call.params.resourceId): EmailSetting {
	const settings = call.visibleCompanies.flatMap((company) => call.world.getCompanyData(company).emailSettings);
	return requireFound(
		settings.find((entry) => entry.resourceId === id),
		'direct email setting',
	);
}

function createEmailSetting(call: RouteCall): string {
	const { name, tenantId, allowedDomains, type } = parseWithSchema(emailSettingSchema, call.json);
	const { emailSettings, company } = call.companyData;
	// Names are unique (deployment facts, "Responses").
	if (emailSettings.some((entry) => entry.name.toLowerCase() === name.toLowerCase()))
		throw new HttpError(409, [`A direct email setting with the name '${name}' exists already.`]);
	const resourceId = call.world.createId('direct email setting');
	emailSettings.push({
		resourceId,
		companyResourceId: company.companyResourceId,
		name,
		tenantId,
		allowedDomains,
		type: type ?? 1,
		isDefault: false,
		sentTestCount: 0,
	});
	return resourceId;
}

/** Sends a test email. Live deployments require the tenant and the type of the setting in the request. */
function sendTestEmail(call: RouteCall): JsonObject {
	const { resourceId, tenantId, type, to } = parseWithSchema(testEmailSchema, call.json);
	const setting = findEmailSetting(call, resourceId);
	if (call.isDeployed && setting.tenantId !== tenantId)
		throw createBadRequestError('The TenantId field is not the one of the setting.');
	if (call.isDeployed && setting.type !== type)
		throw createBadRequestError('The Type field is not the one of the setting.');
	setting.sentTestCount++;
	return call.isDeployed ? { resourceId } : { isSent: true, to };
}

function makeDefault(call: RouteCall): string {
	const setting = findEmailSetting(call);
	for (const otherSetting of call.world.getCompanyData(setting.companyResourceId).emailSettings)
		otherSetting.isDefault = otherSetting === setting;
	return setting.resourceId;
}

function buildEmailSettingRow(setting: EmailSetting): JsonObject {
	const { resourceId, name, tenantId, allowedDomains, type } = setting;
	return { resourceId, name, tenantId, allowedDomains, type, status: 1 };
}

const EMAIL_SETTING_LIST: ListDefinition = {
	getRows: (call) => call.companyData.emailSettings.map(buildEmailSettingRow),
	idField: 'resourceId',
	nameField: 'name',
	// The interface description shows only an ID, so the other columns that the list can be sorted by are named here.
	extraSortNames: ['Name', 'TenantId', 'Type', 'Status'],
};

const BOOLEAN_BY_TEXT = { true: true, false: false } as const;
/** The schema of a boolean in a form field. Form fields are texts. */
export const formBooleanSchema = z
	.string()
	.transform((value) => value.trim().toLowerCase())
	.pipe(z.enum(['true', 'false']))
	.transform((value) => BOOLEAN_BY_TEXT[value]);

/** The schema of a whole number in a form field. Form fields are texts. */
export const formIntegerSchema = z
	.string()
	.regex(/^\s*[+-]?\d+\s*$/)
	.transform(Number)
	.pipe(int32Schema);

/**
 * Reads the fields of a form. The fields named in `listFields` become lists, all others become texts. Empty values are
 * left out.
 */
export function readFormFields({ formFields }: RouteCall, listFields: readonly string[]): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(formFields).map(([name, values]) => [
			name,
			listFields.includes(name) ? values.filter((value) => value !== '') : values[0] || undefined,
		]),
	);
}

const samlSchema = z
	.object({
		name: createTextSchema(64),
		idPSSOTargetUrl: createTextSchema(2000),
		idPEntityID: createTextSchema(2000),
		statusId: formIntegerSchema.refine((value) => value === 0 || value === 1),
		domain: z.array(createTextSchema(255)).min(1),
		idPCertFingerprint: z.string().optional(),
		// The value 1 means SHA-1, and 2 means SHA-256.
		idPCertFingerprintTypeId: formIntegerSchema.refine((value) => value === 1 || value === 2).optional(),
		entityID: z.string().optional(),
		isDefaultRole: formBooleanSchema.optional(),
		defaultRoleResourceId: z.string().optional(),
		isWhiteLabelingAssertion: formBooleanSchema.optional(),
	})
	.passthrough();

function createSamlSetting(call: RouteCall): string {
	const formData = parseWithSchema(samlSchema, { domain: [], ...readFormFields(call, ['domain']) });
	const part = call.files.find((file) => file.field.toLowerCase() === 'file');
	if (!part || part.bytes === 0) throw createBadRequestError('The File field is required.');
	const { field: _field, ...file } = part;
	const resourceId = call.world.createId('saml setting');
	call.companyData.samlSettings.push({
		resourceId,
		companyResourceId: call.companyData.company.companyResourceId,
		requestBody: formData,
		file,
	});
	return resourceId;
}

function buildSamlDefaults({ baseUrl, isDeployed }: RouteCall): JsonObject {
	const metadataUrl = `${baseUrl}/saml/metadata`;
	if (!isDeployed)
		return { entityId: `${baseUrl}/saml`, assertionConsumerServiceUrl: `${baseUrl}/saml/acs`, metadataUrl };
	return {
		entityID: `${baseUrl}/saml`,
		ssoSignInUrl: `${baseUrl}/saml/acs`,
		metadataUrl,
		bypassSSOLoginUrl: `${baseUrl}/sign-in?bypass=1`,
		ssoSignInUrlWithWhitelabeling: `${baseUrl}/brand/saml/acs`,
	};
}

function listSamlSettings(call: RouteCall): SamlSetting[] {
	return call.visibleCompanies.flatMap((company) => call.world.getCompanyData(company).samlSettings);
}

function buildSamlRecord(call: RouteCall): JsonObject {
	const setting = listSamlSettings(call).find((entry) => entry.resourceId === call.params.resourceId);
	const { resourceId, requestBody, file } = requireFound(setting, 'SAML setting');
	if (!call.isDeployed)
		return { resourceId, ...requestBody, metadataFileName: file.fileName, ...buildSamlDefaults(call) };
	return {
		resourceId,
		...requestBody,
		entityID: requestBody.entityID ?? `${call.baseUrl}/saml`,
		idPCertFingerprintTypeId: requestBody.idPCertFingerprintTypeId ?? null,
		idPCertificateFileUrl: `https://cdn.awareness.example/saml/${resourceId}/${file.fileName}`,
		idPCertificateFileContent: `sha256:${file.sha256}`,
	};
}

const SAML_SETTING_LIST: ListDefinition = {
	getRows: (call) =>
		listSamlSettings(call).map(({ resourceId, requestBody: { name, statusId } }) => ({
			resourceId,
			name,
			statusId,
			statusName: statusId === 1 ? 'Active' : 'Inactive',
			createTime: '2025-10-01T09:00:00.000Z',
		})),
	idField: 'resourceId',
	nameField: 'name',
};

/** Creates the routes of direct email settings and SAML settings. */
export function settingsRoutes(): Route[] {
	const emailPath = '/api/companies/direct-email-settings';
	const samlPath = '/api/companies/saml-settings';
	return [
		defineWriteRoute(`POST ${samlPath}`, (call) => ({ resourceId: createSamlSetting(call) }), {
			bodyType: 'multipart',
		}),
		defineReadRoute(`GET ${samlPath}/default`, buildSamlDefaults),
		defineReadRoute(`GET ${samlPath}/{resourceId}`, buildSamlRecord),
		markOutsideContract(defineSearchRoute(`POST ${samlPath}/search`, SAML_SETTING_LIST)),
		defineSaveRoute(`POST ${emailPath}`, createEmailSetting),
		defineWriteRoute(`POST ${emailPath}/test`, sendTestEmail),
		defineActionRoute(`PUT ${emailPath}/make-default/{resourceId}`, makeDefault),
		markOutsideContract(defineSearchRoute(`POST ${emailPath}/search`, EMAIL_SETTING_LIST)),
		markOutsideContract(
			defineReadRoute(`GET ${emailPath}/{resourceId}`, (call) => buildEmailSettingRow(findEmailSetting(call))),
		),
	];
}
