import assert from 'node:assert/strict';
import { z } from 'zod';
import { toIdLocator, toListLocator, type CustomerFixture } from './customerFixture';
import {
	defineCases,
	urlSchema,
	nonEmptyTextSchema,
	expectOnlyItem,
	buildSecrets,
	omitAddedFields,
	hashSha256,
	createRecordRun,
	requireValue,
	type Case,
	type InputFile,
} from './case';

const METADATA_FILE: InputFile = {
	fileName: 'metadata.xml',
	mimeType: 'application/xml',
	content: Buffer.from('<?xml version="1.0"?><EntityDescriptor entityID="https://idp.example/ü"/>'),
};

const EMAIL_SETTING = { name: 'Mail', tenantId: 'tenant-1', allowedDomains: ['harbour.example'], type: 2 };
/**
 * Creates a direct email setting.
 * @returns its ID
 */
export const createEmailSetting = async (customer: CustomerFixture, name = EMAIL_SETTING.name) =>
	customer.fetchText('resourceId', 'POST /api/companies/direct-email-settings', { ...EMAIL_SETTING, name });

export const directEmailCases: Case[] = defineCases('DirectEmailSetting', {
	create: (customer) => ({
		parameters: {
			...customer.companyParameters,
			name: 'Direct',
			provider: 'googleWorkspace',
			tenantId: 'tenant-1',
			allowedDomains: 'harbour.example, bakery.example',
		},
		itemCount: 1,
		checkItems: (items) => {
			const { resourceId } = expectOnlyItem(items, { resourceId: nonEmptyTextSchema });
			const { name, tenantId, allowedDomains, type } = requireValue(
				customer.companyData.emailSettings.find((setting) => setting.resourceId === resourceId),
			);
			assert.deepEqual(
				{ name, tenantId, allowedDomains, type },
				{ name: 'Direct', tenantId: 'tenant-1', allowedDomains: ['harbour.example', 'bakery.example'], type: 2 },
			);
		},
	}),
	makeDefault: async (customer) => ({
		parameters: {
			...customer.companyParameters,
			directEmailSettingId: toListLocator(await createEmailSetting(customer), EMAIL_SETTING.name),
		},
		itemCount: 1,
		checkItems: (items) => {
			expectOnlyItem(items, { success: z.literal(true) });
			assert.deepEqual(
				customer.companyData.emailSettings.map(({ isDefault }) => isDefault),
				[true],
			);
		},
	}),
	test: async (customer) => {
		const id = await createEmailSetting(customer);
		return {
			parameters: {
				...customer.companyParameters,
				directEmailSettingId: toIdLocator(id),
				provider: 'googleWorkspace',
				tenantId: 'tenant-1',
				from: 'info@harbour.example',
				fromName: 'Info',
				to: 'nathan@harbour.example',
				message: 'A test',
			},
			itemCount: 1,
			checkItems: (items) => {
				// Live deployments respond with the ID of the setting.
				if (customer.isDeployed) expectOnlyItem(items, { resourceId: z.literal(id) });
				else assert.deepEqual(omitAddedFields(requireValue(items[0])), { isSent: true, to: 'nathan@harbour.example' });
				assert.deepEqual(
					customer.companyData.emailSettings.map(({ sentTestCount }) => sentTestCount),
					[1],
				);
			},
		};
	},
});

const GOOGLE_CODE = '4/0AX4XfWh-code/of google';

export const googleCases: Case[] = defineCases('GoogleOAuth', {
	getConsentUrl: (customer) => ({
		parameters: customer.companyParameters,
		itemCount: 1,
		checkItems: (items) =>
			assert.equal(
				new URL(expectOnlyItem(items, { consentUrl: urlSchema }).consentUrl).searchParams.get('state'),
				customer.companyId,
			),
	}),
	complete: (customer) => ({
		parameters: { ...customer.companyParameters, code: GOOGLE_CODE, state: customer.companyId },
		itemCount: 1,
		checkItems: (items) => {
			expectOnlyItem(items, { resourceId: nonEmptyTextSchema });
			assert.equal(customer.companyData.googleCode, GOOGLE_CODE);
		},
		...buildSecrets([GOOGLE_CODE]),
	}),
	revoke: async (customer) => {
		await customer.fetchData(`GET /api/googleoauth/callback?Code=old&State=${customer.companyId}`);
		return {
			parameters: customer.companyParameters,
			itemCount: 1,
			checkItems: (items) => {
				assert.deepEqual(omitAddedFields(requireValue(items[0])), { deleted: true });
				assert.equal(customer.companyData.googleCode, undefined);
			},
		};
	},
});

/** Builds the form that creates a SAML setting without n8n. */
export const buildSamlForm = () => {
	const form = new FormData();
	const fields = {
		Name: 'Okta',
		IdPSSOTargetUrl: 'https://idp.example/sso',
		IdPEntityID: 'https://idp.example',
		StatusId: '1',
		Domain: 'harbour.example',
	};
	for (const [name, value] of Object.entries(fields)) form.append(name, value);
	form.append('File', new Blob([new Uint8Array(METADATA_FILE.content)]), METADATA_FILE.fileName);
	return form;
};

export const samlCases: Case[] = defineCases('SamlSetting', {
	create: async (customer, isTool) => {
		const roleId = String(requireValue((await customer.fetchList('GET /api/roles'))[0]).resourceId);
		const metadata = isTool
			? { metadataFrom: 'text', metadataXml: METADATA_FILE.content.toString() }
			: { metadataFrom: 'file', metadataFile: 'metadata' };
		return {
			parameters: {
				...customer.companyParameters,
				name: 'Entra ID',
				idpEntityId: 'https://idp.example',
				ssoTargetUrl: 'https://idp.example/sso',
				domains: 'harbour.example, bakery.example',
				...metadata,
				status: '0',
				additionalFields: {
					defaultRole: toIdLocator(roleId),
					isDefaultRole: true,
					fingerprint: 'AB:CD',
					fingerprintType: '2',
					entityId: 'https://sp.example',
					isWhiteLabelingAssertion: true,
				},
			},
			inputFiles: { metadata: METADATA_FILE },
			itemCount: 1,
			checkItems: (items) => {
				const { resourceId } = expectOnlyItem(items, { resourceId: nonEmptyTextSchema });
				const { requestBody, file } = requireValue(
					customer.companyData.samlSettings.find((setting) => setting.resourceId === resourceId),
				);
				assert.equal(file.sha256, hashSha256(METADATA_FILE.content));
				const expectedFields = {
					name: 'Entra ID',
					statusId: 0,
					idPEntityID: 'https://idp.example',
					idPSSOTargetUrl: 'https://idp.example/sso',
					idPCertFingerprint: 'AB:CD',
					idPCertFingerprintTypeId: 2,
					domain: ['harbour.example', 'bakery.example'],
					defaultRoleResourceId: roleId,
					isDefaultRole: true,
					entityID: 'https://sp.example',
					isWhiteLabelingAssertion: true,
				};
				assert.deepEqual(requestBody, expectedFields);
			},
		};
	},
	get: async (customer) => {
		const id = await customer.fetchText('resourceId', 'POST /api/companies/saml-settings', buildSamlForm());
		return await createRecordRun(customer, `GET /api/companies/saml-settings/${id}`, {
			samlSettingId: toIdLocator(id),
		});
	},
	getDefault: async (customer) => createRecordRun(customer, 'GET /api/companies/saml-settings/default'),
});
