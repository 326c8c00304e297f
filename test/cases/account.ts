import assert from 'node:assert/strict';
import { z } from 'zod';
import { allOperations } from '../contract/catalogue';
import { BESIDE_KEYS, CONTRACT_KEYS } from '../contract/keys';
import { permission as permissionOf } from '../stand-in/permissions';
import type { CustomerFixture } from './customerFixture';
import { casesOf, isAddress, isWord, only, secret, the, type Case, type Item } from './case';

const beside = BESIDE_KEYS.map(permissionOf);
const SESSION = 'chat-session-4711';
const accessToken = (items: Item[]) => [only(items, { accessToken: isWord }).accessToken];

/** A live deployment has these operations at other addresses, which are tried after the contract's. */
const agentAuth = ({ names }: CustomerFixture, name: string) => [
	...(names.agentAuthPath.includes('/v2/') ? [] : ['unknown']),
	`POST /api/v2/agent-auth/${name}`,
];
const codeOf = (address: string) => the(new URL(address).searchParams.get('authCode'));

/** Sign-in, and what the credential may do. */
export const accountCases: Case[] = casesOf('Account', {
	login: ({ state }) => ({
		parameters: { ...state.login, bypassSaml: true },
		items: 1,
		expect: (items) => only(items, { accessToken: isWord, tokenType: z.literal('Bearer') }),
		...secret([state.login.password], accessToken),
	}),
	logout: () => ({
		parameters: {},
		items: 1,
		expect: (items) => assert.deepEqual(items[0]?.json, { success: true, signedOut: true }),
	}),
	getAgentLoginUrl: (customer) => ({
		parameters: { sessionId: SESSION },
		items: 1,
		requests: agentAuth(customer, 'login-url'),
		expect: (items) => only(items, { redirectUrl: isAddress }),
		...secret([SESSION], (items) => [codeOf(only(items, { redirectUrl: isAddress }).redirectUrl)]),
	}),
	exchangeAgentCode: async (customer) => {
		const authCode = codeOf(
			await customer.askFor('redirectUrl', `POST ${customer.names.agentAuthPath}/login-url`, { sessionId: 'session' }),
		);
		return {
			parameters: { authCode },
			items: 1,
			requests: agentAuth(customer, 'token'),
			expect: (items) => only(items, { accessToken: isWord, tokenType: z.literal('Bearer') }),
			...secret([authCode], accessToken),
		};
	},
	checkAccess: async ({ service, state }) => ({
		parameters: {},
		items: (await allOperations()).filter(({ operation }) => operation.endpoint !== null).length,
		requests: ['GET /api/enrollments/form-details', 'POST /api/companies/search', 'GET /api/roles'],
		// For a company that there is not.
		again: ['GET /api/roles'],
		expect: (items) => {
			const { companyResourceId, companyName } = state.reseller;
			const listed = service.routes.map(permissionOf);
			// All that there is can be done by this credential, also what a deployment has under another address.
			for (const { json } of items) {
				const { node, operation, permission, allowedByCredential, ...rest } = json;
				assert.deepEqual(
					{ node, operation, ...rest },
					{
						node,
						operation,
						allowed: listed.includes(String(permission)),
						role: 'Reseller',
						companyResourceId,
						companyName,
						companyHeaderIsRead: true,
					},
				);
				assert.ok(node && operation);
				assert.equal(allowedByCredential, true);
				assert.match(String(permission), /^[\w/{}-]+\|(GET|POST|PUT|PATCH|DELETE)$/);
			}
			const permissions = items.map(({ json }) => String(json.permission));
			assert.deepEqual(
				permissions.filter((permission) => !listed.includes(permission) && !beside.includes(permission)),
				[],
			);
			// Each operation once; where one is found in another's address, that one's permission counts for both.
			assert.equal(
				new Set(items.map(({ json }) => `${String(json.node)}: ${String(json.operation)}`)).size,
				items.length,
			);
			const served = service.routes.filter((key) => CONTRACT_KEYS.includes(key)).map(permissionOf);
			assert.deepEqual(
				served.filter((permission) => !permissions.includes(permission)),
				[],
			);
		},
	}),
});
