import assert from 'node:assert/strict';
import { z } from 'zod';
import { byId, type CustomerFixture } from './customerFixture';
import {
	casesOf,
	isAddress,
	isWord,
	only,
	secret,
	sentIn,
	sha256,
	shows,
	the,
	type Case,
	type InputFile,
} from './case';

const METADATA: InputFile = {
	fileName: 'metadata.xml',
	mimeType: 'application/xml',
	content: Buffer.from('<?xml version="1.0"?><EntityDescriptor entityID="https://idp.example/ü"/>'),
};

const emailSetting = { name: 'Mail', tenantId: 'tenant-1', allowedDomains: ['harbour.example'], type: 2 };
/** Makes a setting. @returns its ID */
export const newEmailSetting = async (customer: CustomerFixture, name = emailSetting.name) =>
	customer.askFor('resourceId', 'POST /api/companies/direct-email-settings', { ...emailSetting, name });

/** How mails get into mailboxes. */
export const directEmailCases: Case[] = casesOf('DirectEmailSetting', {
	create: (customer) => ({
		parameters: {
			...customer.scoped,
			name: 'Direct',
			provider: 'googleWorkspace',
			tenantId: 'tenant-1',
			allowedDomains: 'harbour.example, bakery.example',
		},
		items: 1,
		expect: (items) => {
			const { resourceId } = only(items, { resourceId: isWord });
			const { name, tenantId, allowedDomains, type } = the(
				customer.holdings.emailSettings.find((each) => each.resourceId === resourceId),
			);
			assert.deepEqual(
				{ name, tenantId, allowedDomains, type },
				{ name: 'Direct', tenantId: 'tenant-1', allowedDomains: ['harbour.example', 'bakery.example'], type: 2 },
			);
		},
	}),
	makeDefault: async (customer) => ({
		parameters: { ...customer.scoped, directEmailSettingId: await newEmailSetting(customer) },
		items: 1,
		expect: (items) => {
			only(items, { success: z.literal(true) });
			assert.deepEqual(
				customer.holdings.emailSettings.map(({ isDefault }) => isDefault),
				[true],
			);
		},
	}),
	test: async (customer) => {
		const id = await newEmailSetting(customer);
		return {
			parameters: {
				...customer.scoped,
				directEmailSettingId: id,
				provider: 'googleWorkspace',
				tenantId: 'tenant-1',
				from: 'info@harbour.example',
				fromName: 'Info',
				to: 'nathan@harbour.example',
				message: 'A test',
			},
			items: 1,
			expect: (items) => {
				// A live deployment answers which setting it was.
				if (customer.isDeployed) only(items, { resourceId: z.literal(id) });
				else assert.deepEqual(sentIn(the(items[0])), { isSent: true, to: 'nathan@harbour.example' });
				assert.deepEqual(
					customer.holdings.emailSettings.map(({ testsSent }) => testsSent),
					[1],
				);
			},
		};
	},
});

const GOOGLE_CODE = '4/0AX4XfWh-code/of google';

/** The connection to Google. */
export const googleCases: Case[] = casesOf('GoogleOAuth', {
	getConsentUrl: (customer) => ({
		parameters: customer.scoped,
		items: 1,
		expect: (items) =>
			assert.equal(
				new URL(only(items, { consentUrl: isAddress }).consentUrl).searchParams.get('state'),
				customer.companyId,
			),
	}),
	complete: (customer) => ({
		parameters: { ...customer.scoped, code: GOOGLE_CODE, state: customer.companyId },
		items: 1,
		expect: (items) => {
			only(items, { resourceId: isWord });
			assert.equal(customer.holdings.googleCode, GOOGLE_CODE);
		},
		...secret([GOOGLE_CODE]),
	}),
	revoke: async (customer) => {
		await customer.ask(`GET /api/googleoauth/callback?Code=old&State=${customer.companyId}`);
		return {
			parameters: customer.scoped,
			items: 1,
			expect: (items) => {
				assert.deepEqual(sentIn(the(items[0])), { deleted: true });
				assert.equal(customer.holdings.googleCode, undefined);
			},
		};
	},
});

/** The request body that creates a SAML setting without n8n. */
export const samlForm = () => {
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
	create: async (customer, asTool) => {
		const role = String(the((await customer.list('GET /api/roles'))[0]).resourceId);
		return {
			parameters: {
				...customer.scoped,
				name: 'Entra ID',
				idpEntityId: 'https://idp.example',
				ssoTargetUrl: 'https://idp.example/sso',
				domains: 'harbour.example, bakery.example',
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
					customer.holdings.samlSettings.find((each) => each.resourceId === resourceId),
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
	get: async (customer) => {
		const id = await customer.askFor('resourceId', 'POST /api/companies/saml-settings', samlForm());
		return await shows(customer, `GET /api/companies/saml-settings/${id}`, { samlSettingId: id });
	},
	getDefault: async (customer) => shows(customer, 'GET /api/companies/saml-settings/default'),
});
