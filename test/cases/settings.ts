import assert from 'node:assert/strict';
import { z } from 'zod';
import { byId, type Visitor } from './visitor';
import { casesOf, isAddress, isWord, only, secret, sha256, shows, the, type Case, type InputFile } from './case';

const METADATA: InputFile = {
	fileName: 'metadata.xml',
	mimeType: 'application/xml',
	content: Buffer.from('<?xml version="1.0"?><EntityDescriptor entityID="https://idp.example/ü"/>'),
};

const emailSetting = { name: 'Mail', tenantId: 'tenant-1', allowedDomains: ['harbour.example'], type: 2 };
const newEmailSetting = async (visitor: Visitor) =>
	await visitor.askFor('resourceId', 'POST /api/companies/direct-email-settings', emailSetting);

/** How mails get into mailboxes. */
export const directEmailCases: Case[] = casesOf('DirectEmailSetting', {
	create: (visitor) => ({
		parameters: {
			...visitor.scoped,
			name: 'Direct',
			provider: 'googleWorkspace',
			tenantId: 'tenant-1',
			allowedDomains: 'harbour.example, bakery.example',
		},
		items: 1,
		expect: (items) => {
			const { resourceId } = only(items, { resourceId: isWord });
			const { name, tenantId, allowedDomains, type } = the(
				visitor.holdings.emailSettings.find((each) => each.resourceId === resourceId),
			);
			assert.deepEqual(
				{ name, tenantId, allowedDomains, type },
				{ name: 'Direct', tenantId: 'tenant-1', allowedDomains: ['harbour.example', 'bakery.example'], type: 2 },
			);
		},
	}),
	makeDefault: async (visitor) => ({
		parameters: { ...visitor.scoped, directEmailSettingId: await newEmailSetting(visitor) },
		items: 1,
		expect: (items) => {
			only(items, { success: z.literal(true) });
			assert.deepEqual(
				visitor.holdings.emailSettings.map(({ isDefault }) => isDefault),
				[true],
			);
		},
	}),
	test: async (visitor) => {
		const id = await newEmailSetting(visitor);
		return {
			parameters: {
				...visitor.scoped,
				...{ directEmailSettingId: id, provider: 'googleWorkspace', tenantId: 'tenant-1' },
				...{ from: 'info@harbour.example', fromName: 'Info', to: 'nathan@harbour.example', message: 'A test' },
			},
			items: 1,
			expect: (items) => {
				// A live deployment answers which setting it was.
				if (visitor.isDeployed) only(items, { resourceId: z.literal(id) });
				else assert.deepEqual(items[0]?.json, { isSent: true, to: 'nathan@harbour.example' });
				assert.deepEqual(
					visitor.holdings.emailSettings.map(({ testsSent }) => testsSent),
					[1],
				);
			},
		};
	},
});

const GOOGLE_CODE = '4/0AX4XfWh-code/of google';

/** The connection to Google. */
export const googleCases: Case[] = casesOf('GoogleOAuth', {
	getConsentUrl: (visitor) => ({
		parameters: visitor.scoped,
		items: 1,
		expect: (items) =>
			assert.equal(
				new URL(only(items, { consentUrl: isAddress }).consentUrl).searchParams.get('state'),
				visitor.companyId,
			),
	}),
	complete: (visitor) => ({
		parameters: { ...visitor.scoped, code: GOOGLE_CODE, state: visitor.companyId },
		items: 1,
		expect: (items) => {
			only(items, { resourceId: isWord });
			assert.equal(visitor.holdings.googleCode, GOOGLE_CODE);
		},
		...secret([GOOGLE_CODE]),
	}),
	revoke: async (visitor) => {
		await visitor.ask(`GET /api/googleoauth/callback?Code=old&State=${visitor.companyId}`);
		return {
			parameters: visitor.scoped,
			items: 1,
			expect: (items) => {
				assert.deepEqual(items[0]?.json, { deleted: true });
				assert.equal(visitor.holdings.googleCode, undefined);
			},
		};
	},
});

/** A SAML setting as somebody enters it without n8n. */
const samlForm = () => {
	const form = new FormData();
	const fields = {
		Name: 'Okta',
		IdPSSOTargetUrl: 'https://idp.example/sso',
		IdPEntityID: 'https://idp.example',
		StatusId: '1',
		Domain: 'harbour.example',
	};
	for (const [name, value] of Object.entries(fields)) form.append(name, value);
	form.append('File', new Blob([new Uint8Array(METADATA.content)]), METADATA.fileName);
	return form;
};

/** Single sign-on. */
export const samlCases: Case[] = casesOf('SamlSetting', {
	create: async (visitor, asTool) => {
		const role = String(the((await visitor.list('GET /api/roles'))[0]).resourceId);
		return {
			parameters: {
				...visitor.scoped,
				...{
					name: 'Entra ID',
					idpEntityId: 'https://idp.example',
					ssoTargetUrl: 'https://idp.example/sso',
					domains: 'harbour.example, bakery.example',
				},
				...(asTool
					? { metadataFrom: 'text', metadataXml: METADATA.content.toString() }
					: { metadataFrom: 'file', metadataFile: 'metadata' }),
				status: '0',
				additionalFields: { defaultRole: byId(role), isDefaultRole: true, fingerprint: 'AB:CD', fingerprintType: '2' },
			},
			files: { metadata: METADATA },
			items: 1,
			expect: (items) => {
				const { resourceId } = only(items, { resourceId: isWord });
				const { asked, file: uploaded } = the(
					visitor.holdings.samlSettings.find((each) => each.resourceId === resourceId),
				);
				assert.equal(uploaded.sha256, sha256(METADATA.content));
				const { name, statusId, domain, defaultRoleResourceId, isDefaultRole, idPCertFingerprintTypeId } = asked;
				assert.deepEqual(
					{ name, statusId, domain, defaultRoleResourceId, isDefaultRole, idPCertFingerprintTypeId },
					{
						name: 'Entra ID',
						statusId: 0,
						domain: ['harbour.example', 'bakery.example'],
						defaultRoleResourceId: role,
						isDefaultRole: true,
						idPCertFingerprintTypeId: 2,
					},
				);
			},
		};
	},
	get: async (visitor) => {
		const id = await visitor.askFor('resourceId', 'POST /api/companies/saml-settings', samlForm());
		return await shows(visitor, `GET /api/companies/saml-settings/${id}`, { samlSettingId: id });
	},
	getDefault: async (visitor) => await shows(visitor, 'GET /api/companies/saml-settings/default'),
});
