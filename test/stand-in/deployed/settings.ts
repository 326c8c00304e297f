import { z } from 'zod';
import { check, found, int32, invalid, Refusal, text } from '../envelope';
import { acting, beside, reading, writing, type Call, type Route, type Row } from '../http';
import { emailSettingOf, testMailFields } from '../routes/direct-email';
import type { EmailSetting, SamlSetting } from '../holdings';
import { strictSearch, type StrictListing } from './lists';

const creation = z
	.object({
		name: text(64),
		tenantId: text(200),
		allowedDomains: z.array(text(255)).min(1),
		type: int32.min(1).max(2).nullish(),
	})
	.passthrough();

function createEmail(call: Call): string {
	const { name, tenantId, allowedDomains, type } = check(creation, call.json);
	const { emailSettings, company } = call.home;
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

/** A test mail names the setting, and must have the same tenant and type. */
function testEmail(call: Call): string {
	const { resourceId, tenantId, type } = check(testMailFields, call.json);
	const setting = emailSettingOf(call, resourceId);
	if (setting.tenantId !== tenantId) throw invalid('The TenantId field is not the one of the setting.');
	if (setting.type !== type) throw invalid('The Type field is not the one of the setting.');
	setting.testsSent++;
	return resourceId;
}

function makeDefault(call: Call): string {
	const setting = emailSettingOf(call, call.params.resourceId);
	const owner = call.world.company(setting.companyResourceId) ?? call.world.reseller;
	for (const other of call.world.of(owner).emailSettings) other.isDefault = other === setting;
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

const EMAIL_SETTINGS: StrictListing = {
	rows: (call) => call.home.emailSettings.map(shownEmail),
	id: 'resourceId',
	name: 'name',
	required: 'none',
	filter: 'optional',
	sorts: ['Name', 'TenantId', 'Type', 'Status'],
};

const samlOf = (call: Call): SamlSetting[] => call.companies.flatMap((company) => call.world.of(company).samlSettings);

const listedSaml = ({ resourceId, asked }: SamlSetting): Row => ({
	...{
		resourceId,
		name: asked.name,
		statusId: asked.statusId,
		statusName: asked.statusId === 1 ? 'Active' : 'Inactive',
	},
	createTime: '2025-10-01T09:00:00.000Z',
});

const SAML_SETTINGS: StrictListing = {
	rows: (call) => samlOf(call).map(listedSaml),
	id: 'resourceId',
	name: 'name',
	required: 'none',
	filter: 'optional',
	sorts: ['Name', 'StatusId', 'StatusName', 'CreateTime'],
};

function defaults({ baseUrl }: Call): Row {
	return {
		entityID: `${baseUrl}/saml`,
		ssoSignInUrl: `${baseUrl}/saml/acs`,
		metadataUrl: `${baseUrl}/saml/metadata`,
		bypassSSOLoginUrl: `${baseUrl}/sign-in?bypass=1`,
		defaultRoleResourceId: null,
		ssoSignInUrlWithWhitelabeling: `${baseUrl}/brand/saml/acs`,
	};
}

function recordSaml(call: Call): Row {
	const { resourceId, asked, file } = found(
		samlOf(call).find((entry) => entry.resourceId === call.params.resourceId),
		'SAML setting',
	);
	const { name, idPSSOTargetUrl, statusId, domain, idPEntityID } = asked;
	return {
		...{ resourceId, name, idPSSOTargetUrl, idPCertFingerprint: asked.idPCertFingerprint ?? null },
		...{
			idPCertFingerprintTypeId: asked.idPCertFingerprintTypeId ?? null,
			entityID: asked.entityID ?? `${call.baseUrl}/saml`,
			statusId,
			domain,
		},
		...{ idPCertificateFileUrl: `https://cdn.awareness.example/saml/${resourceId}/${file.fileName}`, idPEntityID },
		...{ idPCertificateFileContent: `sha256:${file.sha256}`, isDefaultRole: asked.isDefaultRole ?? false },
		...{
			defaultRoleResourceId: asked.defaultRoleResourceId ?? null,
			isWhiteLabelingAssertion: asked.isWhiteLabelingAssertion ?? false,
		},
	};
}

/** Direct-email and SAML settings. */
export function settingsRoutes(): Route[] {
	const email = '/api/companies/direct-email-settings';
	const saml = '/api/companies/saml-settings';
	return [
		writing(`POST ${email}`, createEmail),
		writing(`POST ${email}/test`, testEmail),
		acting(`PUT ${email}/make-default/{resourceId}`, makeDefault),
		beside(strictSearch(`POST ${email}/search`, EMAIL_SETTINGS)),
		beside(reading(`GET ${email}/{resourceId}`, (call) => shownEmail(emailSettingOf(call, call.params.resourceId)))),
		reading(`GET ${saml}/default`, defaults),
		reading(`GET ${saml}/{resourceId}`, recordSaml),
		beside(strictSearch(`POST ${saml}/search`, SAML_SETTINGS)),
	];
}
