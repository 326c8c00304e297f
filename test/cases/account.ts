import assert from 'node:assert/strict';
import { z } from 'zod';
import { loadAllOperations } from '../contract/catalogue';
import { KEYS_BEYOND_CONTRACT, CONTRACT_KEYS } from '../contract/keys';
import { toPermission as permissionOf } from '../stand-in/permissions';
import type { CustomerFixture } from './customerFixture';
import { defineCases, urlSchema, nonEmptyTextSchema, expectOnlyItem, buildSecrets, requireValue, type Case, type Item } from './case';

const beside = KEYS_BEYOND_CONTRACT.map(permissionOf);
const SESSION = 'chat-session-4711';
const readAccessToken = (items: Item[]) => [expectOnlyItem(items, { accessToken: nonEmptyTextSchema }).accessToken];

/** A live deployment has these operations at other addresses, which are tried after the contract's. */
const listAgentAuthRequests = ({ profile: names }: CustomerFixture, name: string) => [
	...(names.agentAuthPath.includes('/v2/') ? [] : ['unknown']),
	`POST /api/v2/agent-auth/${name}`,
];
const readAuthCode = (address: string) => requireValue(new URL(address).searchParams.get('authCode'));

/** Sign-in, and what the credential may do. */
export const accountCases: Case[] = defineCases('Account', {
	login: ({ state }) => ({
		parameters: { ...state.login, bypassSaml: true },
		itemCount: 1,
		checkItems: (items) => expectOnlyItem(items, { accessToken: nonEmptyTextSchema, tokenType: z.literal('Bearer') }),
		...buildSecrets([state.login.password], readAccessToken),
	}),
	logout: () => ({
		parameters: {},
		itemCount: 1,
		checkItems: (items) => assert.deepEqual(items[0]?.json, { success: true, signedOut: true }),
	}),
	getAgentLoginUrl: (customer) => ({
		parameters: { sessionId: SESSION },
		itemCount: 1,
		requiredRequests: listAgentAuthRequests(customer, 'login-url'),
		checkItems: (items) => expectOnlyItem(items, { redirectUrl: urlSchema }),
		...buildSecrets([SESSION], (items) => [readAuthCode(expectOnlyItem(items, { redirectUrl: urlSchema }).redirectUrl)]),
	}),
	exchangeAgentCode: async (customer) => {
		const authCode = readAuthCode(
			await customer.fetchText('redirectUrl', `POST ${customer.profile.agentAuthPath}/login-url`, { sessionId: 'session' }),
		);
		return {
			parameters: { authCode },
			itemCount: 1,
			requiredRequests: listAgentAuthRequests(customer, 'token'),
			checkItems: (items) => expectOnlyItem(items, { accessToken: nonEmptyTextSchema, tokenType: z.literal('Bearer') }),
			...buildSecrets([authCode], readAccessToken),
		};
	},
	checkAccess: async ({ standIn: service, state }) => ({
		parameters: {},
		itemCount: (await loadAllOperations()).filter(({ operation }) => operation.endpoint !== null).length,
		requiredRequests: ['GET /api/enrollments/form-details', 'POST /api/companies/search', 'GET /api/roles'],
		// For a company that there is not.
		rejectedRequests: ['GET /api/roles'],
		checkItems: (items) => {
			const { companyResourceId, companyName } = state.resellerCompany;
			const listed = service.routeKeys.map(permissionOf);
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
			const served = service.routeKeys.filter((key) => CONTRACT_KEYS.includes(key)).map(permissionOf);
			assert.deepEqual(
				served.filter((permission) => !permissions.includes(permission)),
				[],
			);
		},
	}),
});
