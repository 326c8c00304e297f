/** Direct-email settings (contract 4.6) and SAML settings (contract 4.2). */
import { z } from 'zod';
import { check, found, int32, invalid, Refusal, text } from '../envelope';
import type { EmailSetting, SamlSetting } from '../holdings';
import { acting, beside, changing, reading, writing, type Call, type Route, type Row } from '../http';
import { search, type Listing } from '../paging';

const provider = int32.refine((value) => value === 1 || value === 2, {
	message: 'The Type field is not valid: 1 is Microsoft 365, 2 is Google Workspace.',
});
const emailBody = z
	.object({ name: text(64), tenantId: text(200), allowedDomains: z.array(text(255)).min(1), type: provider.nullish() })
	.passthrough();
const testMail = z
	.object({
		resourceId: text(100),
		from: text(320),
		fromName: text(200),
		to: text(320),
		message: text(10_000),
		tenantId: text(200),
		type: provider,
	})
	.passthrough();

function emailSettingOf(call: Call, id = call.params.resourceId): EmailSetting {
	const settings = call.companies.flatMap((company) => call.world.of(company).emailSettings);
	return found(
		settings.find((entry) => entry.resourceId === id),
		'direct email setting',
	);
}

function createEmail(call: Call): string {
	const { name, tenantId, allowedDomains, type } = check(emailBody, call.json);
	const { emailSettings, company } = call.home;
	// Deployment facts.
	if (emailSettings.some((entry) => entry.name.toLowerCase() === name.toLowerCase()))
		throw new Refusal(409, [`A direct email setting with the name '${name}' exists already.`]);
	const resourceId = call.world.newId('direct email setting');
	emailSettings.push({
		resourceId,
		companyResourceId: company.companyResourceId,
		name,
		tenantId,
		allowedDomains,
		type: type ?? 1,
		isDefault: false,
		testsSent: 0,
	});
	return resourceId;
}

/** A live deployment's test repeats the tenant and the type of the setting. */
function testEmail(call: Call): Row {
	const { resourceId, tenantId, type, to } = check(testMail, call.json);
	const setting = emailSettingOf(call, resourceId);
	if (call.isDeployed && setting.tenantId !== tenantId)
		throw invalid('The TenantId field is not the one of the setting.');
	if (call.isDeployed && setting.type !== type) throw invalid('The Type field is not the one of the setting.');
	setting.testsSent++;
	return call.isDeployed ? { resourceId } : { isSent: true, to };
}

function makeDefault(call: Call): string {
	const setting = emailSettingOf(call);
	for (const other of call.world.of(setting.companyResourceId).emailSettings) other.isDefault = other === setting;
	return setting.resourceId;
}

const shownEmail = ({ resourceId, name, tenantId, allowedDomains, type }: EmailSetting): Row => ({
	resourceId,
	name,
	tenantId,
	allowedDomains,
	type,
	status: 1,
});

const EMAIL_SETTINGS: Listing = {
	rows: (call) => call.home.emailSettings.map(shownEmail),
	id: 'resourceId',
	name: 'name',
	// The description shows only an identifier.
	sorts: ['Name', 'TenantId', 'Type', 'Status'],
};

/** A form has only texts: true and false, and whole numbers, are written. */
const written = { true: true, false: false } as const;
export const formBoolean = z
	.string()
	.transform((value) => value.trim().toLowerCase())
	.pipe(z.enum(['true', 'false']))
	.transform((value) => written[value]);
export const formInteger = z
	.string()
	.regex(/^\s*[+-]?\d+\s*$/)
	.transform(Number)
	.pipe(int32);

/** A form's fields, each as one text but for the lists; what is empty was not sent. */
export function fieldsOf({ form }: Call, lists: readonly string[]): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(form).map(([name, values]) => [
			name,
			lists.includes(name) ? values.filter((value) => value !== '') : values[0] || undefined,
		]),
	);
}

const saml = z
	.object({
		name: text(64),
		idPSSOTargetUrl: text(2000),
		idPEntityID: text(2000),
		statusId: formInteger.refine((value) => value === 0 || value === 1),
		domain: z.array(text(255)).min(1),
		idPCertFingerprint: z.string().optional(),
		// 1 is SHA1, 2 is SHA256.
		idPCertFingerprintTypeId: formInteger.refine((value) => value === 1 || value === 2).optional(),
		entityID: z.string().optional(),
		isDefaultRole: formBoolean.optional(),
		defaultRoleResourceId: z.string().optional(),
		isWhiteLabelingAssertion: formBoolean.optional(),
	})
	.passthrough();

function createSaml(call: Call): string {
	const asked = check(saml, { domain: [], ...fieldsOf(call, ['domain']) });
	const part = call.files.find((file) => file.field.toLowerCase() === 'file');
	if (!part || part.bytes === 0) throw invalid('The File field is required.');
	const { field: _field, ...file } = part;
	const resourceId = call.world.newId('saml setting');
	call.home.samlSettings.push({ resourceId, companyResourceId: call.home.company.companyResourceId, asked, file });
	return resourceId;
}

function defaults({ baseUrl, isDeployed }: Call): Row {
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

const samlOf = (call: Call): SamlSetting[] => call.companies.flatMap((company) => call.world.of(company).samlSettings);

function recordSaml(call: Call): Row {
	const setting = samlOf(call).find((entry) => entry.resourceId === call.params.resourceId);
	const { resourceId, asked, file } = found(setting, 'SAML setting');
	if (!call.isDeployed) return { resourceId, ...asked, metadataFileName: file.fileName, ...defaults(call) };
	return {
		resourceId,
		...asked,
		entityID: asked.entityID ?? `${call.baseUrl}/saml`,
		idPCertFingerprintTypeId: asked.idPCertFingerprintTypeId ?? null,
		idPCertificateFileUrl: `https://cdn.awareness.example/saml/${resourceId}/${file.fileName}`,
		idPCertificateFileContent: `sha256:${file.sha256}`,
	};
}

const SAML_SETTINGS: Listing = {
	rows: (call) =>
		samlOf(call).map(({ resourceId, asked: { name, statusId } }) => ({
			resourceId,
			name,
			statusId,
			statusName: statusId === 1 ? 'Active' : 'Inactive',
			createTime: '2025-10-01T09:00:00.000Z',
		})),
	id: 'resourceId',
	name: 'name',
};

export function settingsRoutes(): Route[] {
	const email = '/api/companies/direct-email-settings';
	const samlSettings = '/api/companies/saml-settings';
	return [
		changing(`POST ${samlSettings}`, (call) => ({ resourceId: createSaml(call) }), { takes: 'multipart' }),
		reading(`GET ${samlSettings}/default`, defaults),
		reading(`GET ${samlSettings}/{resourceId}`, recordSaml),
		beside(search(`POST ${samlSettings}/search`, SAML_SETTINGS)),
		writing(`POST ${email}`, createEmail),
		changing(`POST ${email}/test`, testEmail),
		acting(`PUT ${email}/make-default/{resourceId}`, makeDefault),
		beside(search(`POST ${email}/search`, EMAIL_SETTINGS)),
		beside(reading(`GET ${email}/{resourceId}`, (call) => shownEmail(emailSettingOf(call)))),
	];
}
