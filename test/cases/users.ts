import assert from 'node:assert/strict';
import { z } from 'zod';
import { byId, type CustomerFixture } from './customerFixture';
import { casesOf, isWord, lists, only, secret, shows, the, type Case, checkSent } from './case';

/** The seeded integration of the customer. */
const integration = ({ holdings, scoped }: CustomerFixture) => {
	const { resourceId, token } = the(holdings.scim[0]);
	return { id: resourceId, token, parameters: { ...scoped, scimIntegration: byId(resourceId) } };
};

/** Provisioning of users by an identity provider. */
export const scimCases: Case[] = casesOf('ScimIntegration', {
	getFields: async (customer) => lists(customer, 'GET /api/scim/fields'),
	create: async (customer) => {
		const [one, other] = (await customer.list('GET /api/scim/fields'))
			.slice(5, 7)
			.map(({ resourceId }) => String(resourceId));
		const group = the(customer.holdings.targetGroups[0]).resourceId;
		return {
			parameters: {
				...customer.scoped,
				name: 'Entra ID',
				fieldMappings: { rows: [{ scimField: byId(the(one)), customFieldId: 'custom-1' }] },
				additionalFields: { groupBy: byId(the(other)), targetGroup: byId(group), syncPlatformGroup: true },
			},
			items: 1,
			// A live deployment tells a token and nothing else: which one it is for is looked up by its name.
			requests: ['POST /api/scim', ...(customer.isDeployed ? ['POST /api/scim/search'] : [])],
			expect: (items) => {
				const { resourceId, [customer.names.scimToken]: token } = only(items, { resourceId: isWord });
				const made = the(customer.holdings.scim.find((each) => each.resourceId === resourceId));
				assert.deepEqual([made.name, made.groupResourceId, made.token], ['Entra ID', group, token]);
				const { fieldMappings, groupBySCIMFieldResourceId, syncPlatformGroup } = made.asked;
				assert.deepEqual(
					{ fieldMappings, groupBySCIMFieldResourceId, syncPlatformGroup },
					{
						fieldMappings: [{ customFieldResourceId: 'custom-1', scimFieldResourceId: one }],
						groupBySCIMFieldResourceId: other,
						syncPlatformGroup: true,
					},
				);
			},
			...secret([], (items) => [String(items[0]?.json[customer.names.scimToken])]),
		};
	},
	getMany: async (customer) => lists(customer, 'POST /api/scim/search'),
	get: async (customer) => {
		const { id, parameters } = integration(customer);
		return await shows(customer, `GET /api/scim/${id}`, parameters);
	},
	update: (customer) => {
		const { id, parameters } = integration(customer);
		return {
			parameters: { ...parameters, name: 'Renamed' },
			items: 1,
			expect: (items) => {
				// A live deployment answers only which one it was.
				only(items, { resourceId: z.literal(id), ...(customer.isDeployed ? {} : { name: z.literal('Renamed') }) });
				assert.deepEqual(
					customer.holdings.scim.map(({ name }) => name),
					['Renamed'],
				);
			},
		};
	},
	revokeToken: (customer) => {
		const { id, token, parameters } = integration(customer);
		return {
			parameters,
			items: 1,
			expect: (items) => {
				// A live deployment tells the token alone, in a page of one.
				const { [customer.names.scimToken]: shown } = only(
					items,
					customer.isDeployed ? { token: isWord } : { resourceId: z.literal(id) },
				);
				const now = the(customer.holdings.scim[0]);
				assert.deepEqual([now.tokenVersion, now.token], [2, shown]);
				assert.notEqual(shown, token);
			},
			...secret([], (items) => [token, String(items[0]?.json[customer.names.scimToken])]),
		};
	},
});

/** People who administer the platform. */
export const systemUserCases: Case[] = casesOf('SystemUser', {
	create: async (customer) => {
		const user = { firstName: 'Zoë', lastName: "O'Neill", email: 'zoe@harbour.example', phoneNumber: '+49 30 1234567' };
		const roles = [String(the((await customer.list('GET /api/roles'))[0]).resourceId)];
		return {
			parameters: {
				...customer.scoped,
				...user,
				roles,
				additionalFields: { statusId: 1, additionalFieldsJson: '{"nickname":"Z"}' },
			},
			items: 1,
			expect: (items) => {
				const { resourceId } = only(items, { resourceId: isWord });
				assert.deepEqual(
					customer.holdings.systemUsers.map((each) => [each.resourceId, each.asked]),
					[[resourceId, { ...user, roleResourceIdList: roles, statusId: 1 }]],
				);
				checkSent(customer, 'POST /api/system-users', { nickname: 'Z' });
			},
		};
	},
});

/** What they may do. */
export const roleCases: Case[] = casesOf('Role', {
	getMany: async (customer) => lists(customer, 'GET /api/roles'),
});
