import assert from 'node:assert/strict';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { toListLocator, type CustomerFixture } from './customerFixture';
import {
	defineCases,
	nonEmptyTextSchema,
	createListRun,
	expectOnlyItem,
	allowRejection,
	buildSecrets,
	createRecordRun,
	requireValue,
	type Case,
} from './case';

const CLIENTS_ROUTE = 'POST /api/companies/clients';
const READ_CLIENT_REQUEST = 'GET /api/companies/clients/{resourceId}';
const credentialsSchema = z.object({ clientId: nonEmptyTextSchema, clientSecret: nonEmptyTextSchema });

/** Generates credentials for a new API client, and finds a role for it. */
export const prepareNewClient = async (customer: CustomerFixture) => ({
	credentials: credentialsSchema.parse(
		await customer.fetchData('GET /api/companies/clients/generate-client-credentials'),
	),
	roles: [requireValue((await customer.fetchList('GET /api/roles'))[0]).resourceId].map(String),
});

const createClient = async (customer: CustomerFixture): Promise<{ id: string; parameters: IDataObject }> => {
	const { credentials, roles } = await prepareNewClient(customer);
	const body = { name: 'Old', ...credentials, statusId: 1, roleResourceIdList: roles };
	const id = await customer.fetchText('resourceId', CLIENTS_ROUTE, body);
	return { id, parameters: { ...customer.companyParameters, apiClient: toListLocator(id, body.name) } };
};

export const apiClientCases: Case[] = defineCases('ApiClient', {
	generateCredentials: (customer) => ({
		parameters: customer.companyParameters,
		itemCount: 1,
		checkItems: (items) => expectOnlyItem(items, { clientId: nonEmptyTextSchema, clientSecret: nonEmptyTextSchema }),
		...buildSecrets([], (items) => [expectOnlyItem(items, { clientSecret: nonEmptyTextSchema }).clientSecret]),
	}),
	create: async (customer) => {
		const { credentials, roles } = await prepareNewClient(customer);
		const ipRestriction = { hasIpAddressRestriction: true, allowedIpAddresses: '203.0.113.7, 2001:db8::/32' };
		return {
			parameters: { ...customer.companyParameters, ...credentials, name: 'n8n', roles, ...ipRestriction },
			itemCount: 1,
			checkItems: (items) => {
				const { resourceId } = expectOnlyItem(items, { resourceId: nonEmptyTextSchema });
				const createdClient = requireValue(
					customer.companyData.clients.find((client) => client.resourceId === resourceId),
				);
				const { name, statusId, allowedIpAddresses, roleResourceIdList } = createdClient;
				assert.deepEqual(
					{ name, statusId, allowedIpAddresses, roleResourceIdList },
					{ name: 'n8n', statusId: 1, allowedIpAddresses: ['203.0.113.7', '2001:db8::/32'], roleResourceIdList: roles },
				);
				assert.equal(createdClient.clientSecret, credentials.clientSecret);
			},
			...buildSecrets([credentials.clientSecret]),
		};
	},
	// Live deployments require two groups in the filter, even if they are empty.
	getMany: async (customer) =>
		allowRejection(customer, `${CLIENTS_ROUTE}/search`, await createListRun(customer, `${CLIENTS_ROUTE}/search`)),
	get: async (customer) => {
		const { id, parameters } = await createClient(customer);
		const run = await createRecordRun(customer, `GET /api/companies/clients/${id}`, parameters);
		return {
			...run,
			checkItems: (items) => {
				run.checkItems(items);
				// Live deployments send the secret in the record. The operation must not return it.
				assert.ok(!('clientSecret' in requireValue(items[0]).json));
			},
		};
	},
	update: async (customer) => {
		const { id, parameters } = await createClient(customer);
		const { credentials, roles } = await prepareNewClient(customer);
		return {
			parameters: { ...parameters, ...credentials, name: 'New', roles },
			itemCount: 1,
			requiredRequests: [READ_CLIENT_REQUEST, READ_CLIENT_REQUEST.replace('GET', 'PUT'), READ_CLIENT_REQUEST],
			checkItems: () => {
				const client = requireValue(customer.companyData.clients.find(({ resourceId }) => resourceId === id));
				assert.deepEqual([client.name, client.clientSecret], ['New', credentials.clientSecret]);
			},
			...buildSecrets([credentials.clientSecret]),
		};
	},
	delete: async (customer) => {
		const { id, parameters } = await createClient(customer);
		return {
			parameters,
			itemCount: 1,
			checkItems: (items) => {
				expectOnlyItem(items, { deleted: z.literal(true), name: z.literal('Old'), resourceId: z.literal(id) });
				assert.ok(!customer.companyData.clients.some(({ resourceId }) => resourceId === id));
			},
		};
	},
	provision: async (customer) => ({
		parameters: { ...customer.companyParameters, name: 'Provisioned', roles: (await prepareNewClient(customer)).roles },
		itemCount: 1,
		requiredRequests: ['GET /api/companies/clients/generate-client-credentials', CLIENTS_ROUTE],
		checkItems: (items) => {
			const { resourceId, clientId, clientSecret } = expectOnlyItem(items, {
				resourceId: nonEmptyTextSchema,
				clientId: nonEmptyTextSchema,
				clientSecret: nonEmptyTextSchema,
			});
			const client = requireValue(customer.companyData.clients.find((entry) => entry.resourceId === resourceId));
			assert.deepEqual([client.name, client.clientId, client.clientSecret], ['Provisioned', clientId, clientSecret]);
		},
		...buildSecrets([], (items) => [expectOnlyItem(items, { clientSecret: nonEmptyTextSchema }).clientSecret]),
	}),
});
