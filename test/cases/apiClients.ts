import assert from 'node:assert/strict';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { byId, type CustomerFixture } from './customerFixture';
import { casesOf, isWord, lists, only, refusedOnce, secret, sentIn, shows, the, type Case } from './case';

const CLIENTS = 'POST /api/companies/clients';
const CLIENT = 'GET /api/companies/clients/{resourceId}';
const generated = z.object({ clientId: isWord, clientSecret: isWord });

/** What a new client is made with. */
export const newClient = async (customer: CustomerFixture) => ({
	credentials: generated.parse(await customer.ask('GET /api/companies/clients/generate-client-credentials')),
	roles: [the((await customer.list('GET /api/roles'))[0]).resourceId].map(String),
});

const clientById = async (customer: CustomerFixture): Promise<{ id: string; parameters: IDataObject }> => {
	const { credentials, roles } = await newClient(customer);
	const body = { name: 'Old', ...credentials, statusId: 1, roleResourceIdList: roles };
	const id = await customer.askFor('resourceId', CLIENTS, body);
	return { id, parameters: { ...customer.scoped, apiClient: byId(id) } };
};

/** REST API clients, and the credentials that they are made with. */
export const apiClientCases: Case[] = casesOf('ApiClient', {
	generateCredentials: (customer) => ({
		parameters: customer.scoped,
		items: 1,
		expect: (items) => only(items, { clientId: isWord, clientSecret: isWord }),
		...secret([], (items) => [only(items, { clientSecret: isWord }).clientSecret]),
	}),
	create: async (customer) => {
		const { credentials, roles } = await newClient(customer);
		const restricted = { hasIpAddressRestriction: true, allowedIpAddresses: '203.0.113.7, 2001:db8::/32' };
		return {
			parameters: { ...customer.scoped, ...credentials, name: 'n8n', roles, ...restricted },
			items: 1,
			expect: (items) => {
				const { resourceId } = only(items, { resourceId: isWord });
				const created = the(customer.holdings.clients.find((client) => client.resourceId === resourceId));
				const { name, statusId, allowedIpAddresses, roleResourceIdList } = created;
				assert.deepEqual(
					{ name, statusId, allowedIpAddresses, roleResourceIdList },
					{ name: 'n8n', statusId: 1, allowedIpAddresses: ['203.0.113.7', '2001:db8::/32'], roleResourceIdList: roles },
				);
				assert.equal(created.clientSecret, credentials.clientSecret);
			},
			...secret([credentials.clientSecret]),
		};
	},
	// A live deployment wants two groups in the filter, even if they are empty.
	getMany: async (customer) => refusedOnce(customer, `${CLIENTS}/search`, await lists(customer, `${CLIENTS}/search`)),
	get: async (customer) => {
		const { id, parameters } = await clientById(customer);
		const run = await shows(customer, `GET /api/companies/clients/${id}`, parameters);
		return {
			...run,
			expect: (items) => {
				run.expect(items);
				// A live deployment shows it in the record; nobody asked for it here.
				assert.ok(!('clientSecret' in the(items[0]).json));
			},
		};
	},
	update: async (customer) => {
		const { id, parameters } = await clientById(customer);
		const { credentials, roles } = await newClient(customer);
		return {
			parameters: { ...parameters, ...credentials, name: 'New', roles },
			items: 1,
			requests: [CLIENT, CLIENT.replace('GET', 'PUT'), CLIENT],
			expect: () => {
				const client = the(customer.holdings.clients.find(({ resourceId }) => resourceId === id));
				assert.deepEqual([client.name, client.clientSecret], ['New', credentials.clientSecret]);
			},
			...secret([credentials.clientSecret]),
		};
	},
	delete: async (customer) => {
		const { id, parameters } = await clientById(customer);
		return {
			parameters,
			items: 1,
			expect: (items) => {
				assert.deepEqual(sentIn(the(items[0])), { deleted: true, resourceId: id });
				assert.ok(!customer.holdings.clients.some(({ resourceId }) => resourceId === id));
			},
		};
	},
	provision: async (customer) => ({
		parameters: { ...customer.scoped, name: 'Provisioned', roles: (await newClient(customer)).roles },
		items: 1,
		requests: ['GET /api/companies/clients/generate-client-credentials', CLIENTS],
		expect: (items) => {
			const { resourceId, clientId, clientSecret } = only(items, {
				resourceId: isWord,
				clientId: isWord,
				clientSecret: isWord,
			});
			const client = the(customer.holdings.clients.find((each) => each.resourceId === resourceId));
			assert.deepEqual([client.name, client.clientId, client.clientSecret], ['Provisioned', clientId, clientSecret]);
		},
		...secret([], (items) => [only(items, { clientSecret: isWord }).clientSecret]),
	}),
});
