import assert from 'node:assert/strict';
import { z } from 'zod';
import { toIdLocator, type CustomerFixture } from './customerFixture';
import { defineCases, nonEmptyTextSchema, createListRun, expectOnlyItem, buildSecrets, createRecordRun, requireValue, type Case, expectSentFields } from './case';

/** The seeded integration of the customer. */
const findIntegration = ({ companyData: holdings, companyParameters: scoped }: CustomerFixture) => {
	const { resourceId, token } = requireValue(holdings.scimIntegrations[0]);
	return { id: resourceId, token, parameters: { ...scoped, scimIntegration: toIdLocator(resourceId) } };
};

/** Provisioning of users by an identity provider. */
export const scimCases: Case[] = defineCases('ScimIntegration', {
	getFields: async (customer) => createListRun(customer, 'GET /api/scim/fields'),
	create: async (customer) => {
		const [one, other] = (await customer.fetchList('GET /api/scim/fields'))
			.slice(5, 7)
			.map(({ resourceId }) => String(resourceId));
		const group = requireValue(customer.companyData.targetGroups[0]).resourceId;
		return {
			parameters: {
				...customer.companyParameters,
				name: 'Entra ID',
				fieldMappings: { rows: [{ scimField: toIdLocator(requireValue(one)), customFieldId: 'custom-1' }] },
				additionalFields: { groupBy: toIdLocator(requireValue(other)), targetGroup: toIdLocator(group), syncPlatformGroup: true },
			},
			itemCount: 1,
			// A live deployment tells a token and nothing else: which one it is for is looked up by its name.
			requiredRequests: ['POST /api/scim', ...(customer.isDeployed ? ['POST /api/scim/search'] : [])],
			checkItems: (items) => {
				const { resourceId, [customer.profile.scimTokenField]: token } = expectOnlyItem(items, { resourceId: nonEmptyTextSchema });
				const made = requireValue(customer.companyData.scimIntegrations.find((each) => each.resourceId === resourceId));
				assert.deepEqual([made.name, made.groupResourceId, made.token], ['Entra ID', group, token]);
				const { fieldMappings, groupBySCIMFieldResourceId, syncPlatformGroup } = made.requestBody;
				assert.deepEqual(
					{ fieldMappings, groupBySCIMFieldResourceId, syncPlatformGroup },
					{
						fieldMappings: [{ customFieldResourceId: 'custom-1', scimFieldResourceId: one }],
						groupBySCIMFieldResourceId: other,
						syncPlatformGroup: true,
					},
				);
			},
			...buildSecrets([], (items) => [String(items[0]?.json[customer.profile.scimTokenField])]),
		};
	},
	getMany: async (customer) => createListRun(customer, 'POST /api/scim/search'),
	get: async (customer) => {
		const { id, parameters } = findIntegration(customer);
		return await createRecordRun(customer, `GET /api/scim/${id}`, parameters);
	},
	update: (customer) => {
		const { id, parameters } = findIntegration(customer);
		return {
			parameters: { ...parameters, name: 'Renamed' },
			itemCount: 1,
			checkItems: (items) => {
				// A live deployment answers only which one it was.
				expectOnlyItem(items, { resourceId: z.literal(id), ...(customer.isDeployed ? {} : { name: z.literal('Renamed') }) });
				assert.deepEqual(
					customer.companyData.scimIntegrations.map(({ name }) => name),
					['Renamed'],
				);
			},
		};
	},
	revokeToken: (customer) => {
		const { id, token, parameters } = findIntegration(customer);
		return {
			parameters,
			itemCount: 1,
			checkItems: (items) => {
				// A live deployment tells the token alone, in a page of one.
				const { [customer.profile.scimTokenField]: shown } = expectOnlyItem(
					items,
					customer.isDeployed ? { token: nonEmptyTextSchema } : { resourceId: z.literal(id) },
				);
				const now = requireValue(customer.companyData.scimIntegrations[0]);
				assert.deepEqual([now.tokenVersion, now.token], [2, shown]);
				assert.notEqual(shown, token);
			},
			...buildSecrets([], (items) => [token, String(items[0]?.json[customer.profile.scimTokenField])]),
		};
	},
});

/** People who administer the platform. */
export const systemUserCases: Case[] = defineCases('SystemUser', {
	create: async (customer) => {
		const user = { firstName: 'Zoë', lastName: "O'Neill", email: 'zoe@harbour.example', phoneNumber: '+49 30 1234567' };
		const roles = [String(requireValue((await customer.fetchList('GET /api/roles'))[0]).resourceId)];
		return {
			parameters: {
				...customer.companyParameters,
				...user,
				roles,
				additionalFields: { statusId: 1, additionalFieldsJson: '{"nickname":"Z"}' },
			},
			itemCount: 1,
			checkItems: (items) => {
				const { resourceId } = expectOnlyItem(items, { resourceId: nonEmptyTextSchema });
				assert.deepEqual(
					customer.companyData.systemUsers.map((each) => [each.resourceId, each.requestBody]),
					[[resourceId, { ...user, roleResourceIdList: roles, statusId: 1 }]],
				);
				expectSentFields(customer, 'POST /api/system-users', { nickname: 'Z' });
			},
		};
	},
});

/** What they may do. */
export const roleCases: Case[] = defineCases('Role', {
	getMany: async (customer) => createListRun(customer, 'GET /api/roles'),
});
