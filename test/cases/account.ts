import assert from 'node:assert/strict';
import { z } from 'zod';
import { loadAllOperations } from '../contract/catalogue';
import { KEYS_BEYOND_CONTRACT, CONTRACT_KEYS } from '../contract/keys';
import { toPermission } from '../stand-in/permissions';
import type { CustomerFixture } from './customerFixture';
import {
	defineCases,
	urlSchema,
	nonEmptyTextSchema,
	expectOnlyItem,
	buildSecrets,
	requireValue,
	type Case,
	type Item,
} from './case';

const EXTRA_PERMISSIONS = KEYS_BEYOND_CONTRACT.map(toPermission);
const SESSION_ID = 'chat-session-4711';
const readAccessTokens = (items: Item[]) => [expectOnlyItem(items, { accessToken: nonEmptyTextSchema }).accessToken];

/**
 * Lists the expected requests of an agent-auth operation. The node first tries the path of the contract. On live
 * deployments, the log calls this request 'unknown', and the node then tries another path.
 */
function listAgentAuthRequests({ profile }: CustomerFixture, name: string): string[] {
	const contractRequest = `POST /api/v2/agent-auth/${name}`;
	return profile.agentAuthPath.includes('/v2/') ? [contractRequest] : ['unknown', contractRequest];
}

const readAuthCode = (url: string) => requireValue(new URL(url).searchParams.get('authCode'));

/** The cases for signing in, and for checking the access of the credential. */
export const accountCases: Case[] = defineCases('Account', {
	login: ({ world }) => ({
		parameters: { ...world.login, bypassSaml: true },
		itemCount: 1,
		checkItems: (items) => expectOnlyItem(items, { accessToken: nonEmptyTextSchema, tokenType: z.literal('Bearer') }),
		...buildSecrets([world.login.password], readAccessTokens),
	}),
	logout: () => ({
		parameters: {},
		itemCount: 1,
		checkItems: (items) => assert.deepEqual(items[0]?.json, { success: true, signedOut: true }),
	}),
	'agentSignIn.getLoginUrl': (customer) => ({
		parameters: { sessionId: SESSION_ID },
		itemCount: 1,
		requiredRequests: listAgentAuthRequests(customer, 'login-url'),
		checkItems: (items) => expectOnlyItem(items, { redirectUrl: urlSchema }),
		...buildSecrets([SESSION_ID], (items) => [
			readAuthCode(expectOnlyItem(items, { redirectUrl: urlSchema }).redirectUrl),
		]),
	}),
	'agentSignIn.exchangeCode': async (customer) => {
		const authCode = readAuthCode(
			await customer.fetchText('redirectUrl', `POST ${customer.profile.agentAuthPath}/login-url`, {
				sessionId: 'session',
			}),
		);
		return {
			parameters: { authCode },
			itemCount: 1,
			requiredRequests: listAgentAuthRequests(customer, 'token'),
			checkItems: (items) => expectOnlyItem(items, { accessToken: nonEmptyTextSchema, tokenType: z.literal('Bearer') }),
			...buildSecrets([authCode], readAccessTokens),
		};
	},
	checkAccess: async ({ standIn, world }) => ({
		parameters: {},
		itemCount: (await loadAllOperations()).filter(({ operation }) => operation.endpoint !== null).length,
		requiredRequests: ['GET /api/enrollments/form-details', 'POST /api/companies/search', 'GET /api/roles'],
		// To check that the platform reads the company header, the node names a company that does not exist.
		rejectedRequests: ['GET /api/roles'],
		checkItems: (items) => {
			const { companyResourceId, companyName } = world.resellerCompany;
			const servedPermissions = standIn.routeKeys.map(toPermission);
			// The credential can run every operation of the stand-in, even if a deployment has the operation at another path.
			for (const { json } of items) {
				const { node, operation, permission, allowedByCredential, ...otherFields } = json;
				assert.deepEqual(
					{ node, operation, ...otherFields },
					{
						node,
						operation,
						allowed: servedPermissions.includes(String(permission)),
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
				permissions.filter(
					(permission) => !servedPermissions.includes(permission) && !EXTRA_PERMISSIONS.includes(permission),
				),
				[],
			);
			// Each operation is listed once. If it has alternative endpoints, its permission is that of the existing endpoint.
			assert.equal(
				new Set(items.map(({ json }) => `${String(json.node)}: ${String(json.operation)}`)).size,
				items.length,
			);
			const contractPermissions = standIn.routeKeys.filter((key) => CONTRACT_KEYS.includes(key)).map(toPermission);
			assert.deepEqual(
				contractPermissions.filter((permission) => !permissions.includes(permission)),
				[],
			);
		},
	}),
});
