/** What live deployments can do to system users and settings besides, and the audit log. */
import assert from 'node:assert/strict';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { casesOf, lists, only, shows, the, type Case, type Run } from './case';
import { byId, type CustomerFixture } from './customerFixture';
import { newEmailSetting, samlForm } from './settings';

/** The deletion of one of two, which takes away exactly that one. */
const deletes = (left: () => Array<{ resourceId: string }>, id: string, parameters: IDataObject): Run => {
	const others = left().filter(({ resourceId }) => resourceId !== id);
	assert.ok(others.length > 0 && others.length < left().length, 'There must be one to delete, and another');
	return {
		parameters,
		items: 1,
		expect: (items) => {
			only(items, { deleted: z.literal(true) });
			assert.deepEqual(left(), others);
		},
	};
};

/** Makes something for the customer and for others, so that a list of every company has more than the customer's. */
async function everywhere(customer: CustomerFixture, make: (each: CustomerFixture) => Promise<unknown>): Promise<void> {
	for (const company of customer.state.companies.filter(({ companyName }) => companyName?.includes('Bakery')))
		await make(customer.of(company));
}

const user = { firstName: 'Zoë', lastName: "O'Neill", email: 'zoe@harbour.example', phoneNumber: '+49 30 1234567' };

/** Two system users. @returns the first, and a role that there is */
async function systemUsers(customer: CustomerFixture) {
	const role = String(the((await customer.list('GET /api/roles'))[0]).resourceId);
	const sent = { ...user, roleResourceIdList: [role], statusId: 1 };
	const id = await customer.askFor('resourceId', 'POST /api/system-users', sent);
	await customer.ask('POST /api/system-users', { ...sent, email: 'other@harbour.example' });
	return { id, role };
}

const SEARCH_USERS = 'POST /api/system-users/search';

const systemUserCases = casesOf(
	'SystemUser',
	{
		getMany: async (customer) => {
			await everywhere(customer, systemUsers);
			return await lists(customer, SEARCH_USERS);
		},
		update: async (customer) => {
			const { id, role } = await systemUsers(customer);
			return {
				parameters: {
					...customer.scoped,
					systemUser: byId(id),
					roles: [role],
					additionalFields: { lastName: 'Changed' },
				},
				items: 1,
				requests: [SEARCH_USERS, 'PUT /api/system-users/{resourceId}', SEARCH_USERS],
				expect: (items) => {
					only(items, { resourceId: z.literal(id) });
					assert.deepEqual(the(customer.holdings.systemUsers[0]).asked, {
						...user,
						lastName: 'Changed',
						statusId: 1,
						roleResourceIdList: [role],
					});
				},
			};
		},
		delete: async (customer) => {
			const { id } = await systemUsers(customer);
			return deletes(() => customer.holdings.systemUsers, id, { ...customer.scoped, systemUser: byId(id) });
		},
	},
	{ isBeside: true },
);

const scimCases = casesOf(
	'ScimIntegration',
	{
		delete: async (customer) => {
			await customer.ask('POST /api/scim', { name: 'Another' });
			const { resourceId } = the(customer.holdings.scim[0]);
			return deletes(() => customer.holdings.scim, resourceId, {
				...customer.scoped,
				scimIntegration: byId(resourceId),
			});
		},
	},
	{ isBeside: true },
);

const newSaml = async (customer: CustomerFixture) =>
	customer.askFor('resourceId', 'POST /api/companies/saml-settings', samlForm());

const samlCases = casesOf(
	'SamlSetting',
	{
		getMany: async (customer) => {
			await everywhere(customer, newSaml);
			return await lists(customer, 'POST /api/companies/saml-settings/search');
		},
		delete: async (customer) => {
			const id = await newSaml(customer);
			await newSaml(customer);
			return deletes(() => customer.holdings.samlSettings, id, { ...customer.scoped, samlSettingId: byId(id) });
		},
	},
	{ isBeside: true },
);

const directEmailCases = casesOf(
	'DirectEmailSetting',
	{
		get: async (customer) => {
			const id = await newEmailSetting(customer);
			const parameters = { directEmailSettingId: byId(id) };
			return await shows(customer, `GET /api/companies/direct-email-settings/${id}`, parameters);
		},
		getMany: async (customer) => {
			await everywhere(customer, async (each) => newEmailSetting(each));
			return await lists(customer, 'POST /api/companies/direct-email-settings/search');
		},
		delete: async (customer) => {
			const id = await newEmailSetting(customer);
			await newEmailSetting(customer, 'Another');
			return deletes(() => customer.holdings.emailSettings, id, {
				...customer.scoped,
				directEmailSettingId: byId(id),
			});
		},
	},
	{ isBeside: true },
);

const auditCases = casesOf(
	'Account',
	{ getAuditLogs: async (customer) => lists(customer, 'POST /api/audit-logs/search') },
	{ isBeside: true },
);

export const administrationCases: Case[] = [
	...systemUserCases,
	...scimCases,
	...samlCases,
	...directEmailCases,
	...auditCases,
];
