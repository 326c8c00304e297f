/** The cases for changing system users and settings, and for the audit log, which only live deployments have. */
import assert from 'node:assert/strict';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import {
	defineCases,
	createListRun,
	expectOnlyItem,
	createRecordRun,
	requireValue,
	type Case,
	type CaseRun,
} from './case';
import { toIdLocator, toListLocator, type CustomerFixture } from './customerFixture';
import { createEmailSetting, buildSamlForm } from './settings';

/** Creates the run of an operation that deletes a record. All other records must stay. */
function createDeletionRun(
	listRecords: () => Array<{ resourceId: string }>,
	id: string,
	parameters: IDataObject,
): CaseRun {
	const otherRecords = listRecords().filter(({ resourceId }) => resourceId !== id);
	assert.ok(
		otherRecords.length > 0 && otherRecords.length < listRecords().length,
		'There must be one record to delete, and at least one other record',
	);
	return {
		parameters,
		itemCount: 1,
		checkItems: (items) => {
			expectOnlyItem(items, { deleted: z.literal(true) });
			assert.deepEqual(listRecords(), otherRecords);
		},
	};
}

/**
 * Creates a record for the customer and for some other companies, so that the test fails if an operation lists the
 * records of all companies.
 */
async function createForSeveralCompanies(
	customer: CustomerFixture,
	createRecord: (customer: CustomerFixture) => Promise<unknown>,
): Promise<void> {
	for (const company of customer.world.companies.filter(({ companyName }) => companyName?.includes('Bakery')))
		await createRecord(customer.switchToCompany(company));
}

const USER = { firstName: 'Zoë', lastName: "O'Neill", email: 'zoe@harbour.example', phoneNumber: '+49 30 1234567' };

/**
 * Creates two system users.
 * @returns the ID of the first user, and the ID of the role that both users have
 */
async function createSystemUsers(customer: CustomerFixture) {
	const roleId = String(requireValue((await customer.fetchList('GET /api/roles'))[0]).resourceId);
	const body = { ...USER, roleResourceIdList: [roleId], statusId: 1 };
	const id = await customer.fetchText('resourceId', 'POST /api/system-users', body);
	await customer.fetchData('POST /api/system-users', { ...body, email: 'other@harbour.example' });
	return { id, roleId };
}

const USER_SEARCH = 'POST /api/system-users/search';

const systemUserChangeCases = defineCases(
	'SystemUser',
	{
		getMany: async (customer) => {
			await createForSeveralCompanies(customer, createSystemUsers);
			return await createListRun(customer, USER_SEARCH);
		},
		update: async (customer) => {
			const { id, roleId } = await createSystemUsers(customer);
			return {
				parameters: {
					...customer.companyParameters,
					systemUser: toListLocator(id, USER.email),
					roles: [roleId],
					additionalFields: { lastName: 'Changed' },
				},
				itemCount: 1,
				requiredRequests: [USER_SEARCH, 'PUT /api/system-users/{resourceId}', USER_SEARCH],
				checkItems: (items) => {
					expectOnlyItem(items, { email: z.literal(USER.email), resourceId: z.literal(id) });
					assert.deepEqual(requireValue(customer.companyData.systemUsers[0]).requestBody, {
						...USER,
						lastName: 'Changed',
						statusId: 1,
						roleResourceIdList: [roleId],
					});
				},
			};
		},
		delete: async (customer) => {
			const { id } = await createSystemUsers(customer);
			return createDeletionRun(() => customer.companyData.systemUsers, id, {
				...customer.companyParameters,
				systemUser: toListLocator(id, USER.email),
			});
		},
	},
	{ isOutsideContract: true },
);

const scimDeletionCases = defineCases(
	'ScimIntegration',
	{
		delete: async (customer) => {
			await customer.fetchData('POST /api/scim', { name: 'Another' });
			const { resourceId, name } = requireValue(customer.companyData.scimIntegrations[0]);
			return createDeletionRun(() => customer.companyData.scimIntegrations, resourceId, {
				...customer.companyParameters,
				scimIntegration: toListLocator(resourceId, name),
			});
		},
	},
	{ isOutsideContract: true },
);

const createSamlSetting = async (customer: CustomerFixture) =>
	customer.fetchText('resourceId', 'POST /api/companies/saml-settings', buildSamlForm());

const samlChangeCases = defineCases(
	'SamlSetting',
	{
		getMany: async (customer) => {
			await createForSeveralCompanies(customer, createSamlSetting);
			return await createListRun(customer, 'POST /api/companies/saml-settings/search');
		},
		delete: async (customer) => {
			const id = await createSamlSetting(customer);
			await createSamlSetting(customer);
			return createDeletionRun(() => customer.companyData.samlSettings, id, {
				...customer.companyParameters,
				samlSettingId: toListLocator(id, 'Okta'),
			});
		},
	},
	{ isOutsideContract: true },
);

const directEmailChangeCases = defineCases(
	'DirectEmailSetting',
	{
		get: async (customer) => {
			const id = await createEmailSetting(customer);
			const parameters = { directEmailSettingId: toIdLocator(id) };
			return await createRecordRun(customer, `GET /api/companies/direct-email-settings/${id}`, parameters);
		},
		getMany: async (customer) => {
			await createForSeveralCompanies(customer, (otherCustomer) => createEmailSetting(otherCustomer));
			return await createListRun(customer, 'POST /api/companies/direct-email-settings/search');
		},
		delete: async (customer) => {
			const id = await createEmailSetting(customer);
			await createEmailSetting(customer, 'Another');
			return createDeletionRun(() => customer.companyData.emailSettings, id, {
				...customer.companyParameters,
				directEmailSettingId: toListLocator(id, 'Mail'),
			});
		},
		'smtpSetting.getMany': async (customer) => createListRun(customer, 'POST /api/companies/smtp-settings/search'),
	},
	{ isOutsideContract: true },
);

const auditLogCases = defineCases(
	'Account',
	{ 'auditLog.getMany': async (customer) => createListRun(customer, 'POST /api/audit-logs/search') },
	{ isOutsideContract: true },
);

/** The cases for operations that change system users and settings, and for the audit log. */
export const administrationCases: Case[] = [
	...systemUserChangeCases,
	...scimDeletionCases,
	...samlChangeCases,
	...directEmailChangeCases,
	...auditLogCases,
];
