import assert from 'node:assert/strict';
import { z } from 'zod';
import { byId, type Visitor } from './visitor';
import { casesOf, isWord, lists, only, secret, shows, the, type Case } from './case';

/** The seeded integration of the customer. */
const integration = ({ holdings, scoped }: Visitor) => {
	const { resourceId, token } = the(holdings.scim[0]);
	return { id: resourceId, token, parameters: { ...scoped, scimIntegration: byId(resourceId) } };
};

/** Provisioning of users by an identity provider. */
export const scimCases: Case[] = casesOf('ScimIntegration', {
	getFields: async (visitor) => await lists(visitor, 'GET /api/scim/fields'),
	create: async (visitor) => {
		const [one, other] = (await visitor.list('GET /api/scim/fields'))
			.slice(5, 7)
			.map(({ resourceId }) => String(resourceId));
		const group = the(visitor.holdings.targetGroups[0]).resourceId;
		return {
			parameters: {
				...visitor.scoped,
				name: 'Entra ID',
				fieldMappings: { rows: [{ scimField: byId(the(one)), customFieldId: 'custom-1' }] },
				additionalFields: { groupBy: byId(the(other)), targetGroup: byId(group), syncPlatformGroup: true },
			},
			items: 1,
			// A live deployment tells a token and nothing else: which one it is for is looked up by its name.
			requests: ['POST /api/scim', ...(visitor.isDeployed ? ['POST /api/scim/search'] : [])],
			expect: (items) => {
				const { resourceId, [visitor.names.scimToken]: token } = only(items, { resourceId: isWord });
				const made = the(visitor.holdings.scim.find((each) => each.resourceId === resourceId));
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
			...secret([], (items) => [String(items[0]?.json[visitor.names.scimToken])]),
		};
	},
	getMany: async (visitor) => await lists(visitor, 'POST /api/scim/search'),
	get: async (visitor) => {
		const { id, parameters } = integration(visitor);
		return await shows(visitor, `GET /api/scim/${id}`, parameters);
	},
	update: (visitor) => {
		const { id, parameters } = integration(visitor);
		return {
			parameters: { ...parameters, name: 'Renamed' },
			items: 1,
			expect: (items) => {
				// A live deployment answers only which one it was.
				only(items, { resourceId: z.literal(id), ...(visitor.isDeployed ? {} : { name: z.literal('Renamed') }) });
				assert.deepEqual(
					visitor.holdings.scim.map(({ name }) => name),
					['Renamed'],
				);
			},
		};
	},
	revokeToken: (visitor) => {
		const { id, token, parameters } = integration(visitor);
		return {
			parameters,
			items: 1,
			expect: (items) => {
				// A live deployment tells the token alone, in a page of one.
				const { [visitor.names.scimToken]: shown } = only(
					items,
					visitor.isDeployed ? { token: isWord } : { resourceId: z.literal(id) },
				);
				const now = the(visitor.holdings.scim[0]);
				assert.deepEqual([now.tokenVersion, now.token], [2, shown]);
				assert.notEqual(shown, token);
			},
			...secret([], (items) => [token, String(items[0]?.json[visitor.names.scimToken])]),
		};
	},
});

/** People who administer the platform. */
export const systemUserCases: Case[] = casesOf('SystemUser', {
	create: async (visitor) => {
		const user = { firstName: 'Zoë', lastName: "O'Neill", email: 'zoe@harbour.example', phoneNumber: '+49 30 1234567' };
		const roles = [String(the((await visitor.list('GET /api/roles'))[0]).resourceId)];
		return {
			parameters: {
				...visitor.scoped,
				...user,
				additionalFields: { roleResourceIdList: roles, statusId: 1, moreFields: '{"nickname":"Z"}' },
			},
			items: 1,
			expect: (items) => {
				const { resourceId } = only(items, { resourceId: isWord });
				assert.deepEqual(
					visitor.holdings.systemUsers.map((each) => [each.resourceId, each.asked]),
					[[resourceId, { ...user, roleResourceIdList: roles, statusId: 1, nickname: 'Z' }]],
				);
			},
		};
	},
});

/** What they may do. */
export const roleCases: Case[] = casesOf('Role', {
	getMany: async (visitor) => await lists(visitor, 'GET /api/roles'),
});
