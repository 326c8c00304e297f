import assert from 'node:assert/strict';
import { z } from 'zod';
import { toIdLocator, toListLocator, type CustomerFixture } from './customerFixture';
import {
	defineCases,
	nonEmptyTextSchema,
	createListRun,
	expectOnlyItem,
	buildSecrets,
	createRecordRun,
	requireValue,
	type Case,
	expectSentFields,
} from './case';

/** Finds the customer's seeded SCIM integration. */
const findIntegration = ({ companyData, companyParameters }: CustomerFixture) => {
	const { resourceId, name, token } = requireValue(companyData.scimIntegrations[0]);
	const parameters = { ...companyParameters, scimIntegration: toListLocator(resourceId, name) };
	return { id: resourceId, token, parameters };
};

/** The ID of a custom field. The stand-in accepts any. */
const CUSTOM_FIELD_ID = '7d0c1f5a-31be-4a7e-8f42-1c9be27d5e60';

export const scimCases: Case[] = defineCases('ScimIntegration', {
	getFields: async (customer) => createListRun(customer, 'GET /api/scim/fields'),
	create: async (customer) => {
		const [mappedField, groupField] = (await customer.fetchList('GET /api/scim/fields'))
			.slice(5, 7)
			.map(({ resourceId }) => String(resourceId));
		const groupId = requireValue(customer.companyData.targetGroups[0]).resourceId;
		return {
			parameters: {
				...customer.companyParameters,
				name: 'Entra ID',
				fieldMappings: {
					rows: [{ scimField: toIdLocator(requireValue(mappedField)), customFieldId: toIdLocator(CUSTOM_FIELD_ID) }],
				},
				additionalFields: {
					groupBy: toIdLocator(requireValue(groupField)),
					targetGroup: toIdLocator(groupId),
					syncPlatformGroup: true,
				},
			},
			itemCount: 1,
			// Live deployments return only the token, so the node finds the integration's ID by its name.
			requiredRequests: customer.isDeployed ? ['POST /api/scim', 'POST /api/scim/search'] : ['POST /api/scim'],
			checkItems: (items) => {
				const { resourceId, [customer.profile.scimTokenField]: token } = expectOnlyItem(items, {
					resourceId: nonEmptyTextSchema,
				});
				const { scimIntegrations } = customer.companyData;
				const integration = requireValue(scimIntegrations.find((entry) => entry.resourceId === resourceId));
				assert.deepEqual(
					[integration.name, integration.groupResourceId, integration.token],
					['Entra ID', groupId, token],
				);
				const { fieldMappings, groupBySCIMFieldResourceId, syncPlatformGroup } = integration.requestBody;
				assert.deepEqual(
					{ fieldMappings, groupBySCIMFieldResourceId, syncPlatformGroup },
					{
						fieldMappings: [{ customFieldResourceId: CUSTOM_FIELD_ID, scimFieldResourceId: mappedField }],
						groupBySCIMFieldResourceId: groupField,
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
				// Live deployments respond only with the ID.
				expectOnlyItem(items, { resourceId: z.literal(id) });
				if (!customer.isDeployed) expectOnlyItem(items, { name: z.literal('Renamed') });
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
				// On live deployments, the response is a page with one record, which contains only the token.
				const { [customer.profile.scimTokenField]: newToken } = expectOnlyItem(
					items,
					customer.isDeployed ? { token: nonEmptyTextSchema } : { resourceId: z.literal(id) },
				);
				const integration = requireValue(customer.companyData.scimIntegrations[0]);
				assert.deepEqual([integration.tokenVersion, integration.token], [2, newToken]);
				assert.notEqual(newToken, token);
			},
			...buildSecrets([], (items) => [token, String(items[0]?.json[customer.profile.scimTokenField])]),
		};
	},
});

/** The cases for system users, the administrators of the platform. */
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
					customer.companyData.systemUsers.map(({ resourceId: userId, requestBody }) => [userId, requestBody]),
					[[resourceId, { ...user, roleResourceIdList: roles, statusId: 1 }]],
				);
				expectSentFields(customer, 'POST /api/system-users', { nickname: 'Z' });
			},
		};
	},
});

export const roleCases: Case[] = defineCases('Role', {
	getMany: async (customer) => createListRun(customer, 'GET /api/roles'),
});
