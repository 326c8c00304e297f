import assert from 'node:assert/strict';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { byId, type Visitor } from './visitor';
import { casesOf, isWord, lists, only, refusedOnce, secret, shows, the, type Case } from './case';

const CLIENTS = 'POST /api/companies/clients';
const generated = z.object({ clientId: isWord, clientSecret: isWord });

const newClient = async (visitor: Visitor) => ({
	credentials: generated.parse(await visitor.ask('GET /api/companies/clients/generate-client-credentials')),
	roles: [the((await visitor.list('GET /api/roles'))[0]).resourceId].map(String),
});

const clientById = async (visitor: Visitor): Promise<{ id: string; parameters: IDataObject }> => {
	const { credentials, roles } = await newClient(visitor);
	const body = { name: 'Old', ...credentials, statusId: 1, roleResourceIdList: roles };
	const id = await visitor.askFor('resourceId', CLIENTS, body);
	return { id, parameters: { ...visitor.scoped, apiClient: byId(id) } };
};

/** REST API clients, and the credentials that they are made with. */
export const apiClientCases: Case[] = casesOf('ApiClient', {
	generateCredentials: (visitor) => ({
		parameters: visitor.scoped,
		items: 1,
		expect: (items) => only(items, { clientId: isWord, clientSecret: isWord }),
		...secret([], (items) => [only(items, { clientSecret: isWord }).clientSecret]),
	}),
	create: async (visitor) => {
		const { credentials, roles } = await newClient(visitor);
		const restricted = { hasIpAddressRestriction: true, allowedIpAddresses: '203.0.113.7, 2001:db8::/32' };
		return {
			parameters: { ...visitor.scoped, ...credentials, name: 'n8n', roles, ...restricted },
			items: 1,
			expect: (items) => {
				const { resourceId } = only(items, { resourceId: isWord });
				const created = the(visitor.holdings.clients.find((client) => client.resourceId === resourceId));
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
	getMany: async (visitor) => refusedOnce(visitor, `${CLIENTS}/search`, await lists(visitor, `${CLIENTS}/search`)),
	get: async (visitor) => {
		const { id, parameters } = await clientById(visitor);
		const run = await shows(visitor, `GET /api/companies/clients/${id}`, parameters);
		return {
			...run,
			expect: (items) => {
				run.expect(items);
				// A live deployment shows it in the record; nobody asked for it here.
				assert.ok(!('clientSecret' in the(items[0]).json));
			},
		};
	},
	update: async (visitor) => {
		const { id, parameters } = await clientById(visitor);
		const { credentials, roles } = await newClient(visitor);
		return {
			parameters: { ...parameters, ...credentials, name: 'New', roles },
			items: 1,
			expect: () => {
				const client = the(visitor.holdings.clients.find(({ resourceId }) => resourceId === id));
				assert.deepEqual([client.name, client.clientSecret], ['New', credentials.clientSecret]);
			},
			...secret([credentials.clientSecret]),
		};
	},
	delete: async (visitor) => {
		const { id, parameters } = await clientById(visitor);
		return {
			parameters,
			items: 1,
			expect: (items) => {
				// A live deployment says which one it was.
				assert.deepEqual(items[0]?.json, visitor.isDeployed ? { deleted: true, resourceId: id } : { deleted: true });
				assert.ok(!visitor.holdings.clients.some(({ resourceId }) => resourceId === id));
			},
		};
	},
	provision: async (visitor) => ({
		parameters: { ...visitor.scoped, name: 'Provisioned', roles: (await newClient(visitor)).roles },
		items: 1,
		requests: ['GET /api/companies/clients/generate-client-credentials', CLIENTS],
		expect: (items) => {
			const { resourceId, clientId, clientSecret } = only(items, {
				resourceId: isWord,
				clientId: isWord,
				clientSecret: isWord,
			});
			const client = the(visitor.holdings.clients.find((each) => each.resourceId === resourceId));
			assert.deepEqual([client.name, client.clientId, client.clientSecret], ['Provisioned', clientId, clientSecret]);
		},
		...secret([], (items) => [only(items, { clientSecret: isWord }).clientSecret]),
	}),
});
