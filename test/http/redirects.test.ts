/**
 * Tests that a redirect is not followed, but causes an error that names the new URL. If n8n followed it, a write could be repeated, and
 * the token, the company's ID and the body could be sent to a server that must not get them.
 */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessCompanyGroup } from '../../nodes/CompanyGroup/SecurityAwarenessCompanyGroup.node';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { startFakeServer, catchNodeError, createNodeFixture, type NodeClass } from '../n8n-core/nodeFixture';

const fixture = createNodeFixture();

// The name of an exported file contains the company's name. The name is given here, so that the node doesn't have to request it.
const company = { __rl: true, mode: 'list', value: 'a-company', cachedResultName: 'A Company' };
const oneCompany = { companyScope: 'one', company };
const REQUEST_KINDS: Array<[kind: string, node: NodeClass, parameters: IDataObject]> = [
	['read', SecurityAwarenessCompany, { operation: 'getOwn' }],
	['write', SecurityAwarenessCompanyGroup, { operation: 'create', name: 'New', membersFrom: 'none' }],
	['file', SecurityAwarenessLeaderboard, { operation: 'export', ...oneCompany }],
];
const REDIRECT_TARGETS: Array<[target: string, toTargetHost: (host: string) => string]> = [
	['the same host', (host) => host],
	['a subdomain', () => 'api.localhost'],
	['another host', () => '127.0.0.1'],
];

describe.each([301, 302, 303, 307, 308])('%i', (status) => {
	describe.each(REDIRECT_TARGETS)('to %s', (target, toTargetHost) => {
		test.each(REQUEST_KINDS)('%s', async (kind, node, parameters) => {
			const targetServer = await startFakeServer((_request, response) => response.end('{"data":{}}'));
			const isSameHost = target === 'the same host';
			const redirectingServer = await startFakeServer(({ url }, response) => {
				const host = targetServer.url.replace('127.0.0.1', toTargetHost('localhost'));
				const location = isSameHost ? '/sign-in?token=abc' : `${host}/moved?token=abc`;
				response.writeHead(url === '/sign-in' ? 200 : status, { location }).end();
			});
			const serverUrl = redirectingServer.url.replace('127.0.0.1', 'localhost');
			Object.assign(redirectingServer.credentialStore.data, { serverUrl });
			const error = await catchNodeError(
				fixture.run(node, parameters, { credentialStore: redirectingServer.credentialStore }),
			);
			expect(error.message).toContain(`the platform redirected the request to another address (${status})`);
			const targetText = isSameHost
				? `The new address is ${serverUrl}/sign-in.`
				: `The new address is http://${toTargetHost('')}:${new URL(targetServer.url).port}. If it is the platform's address, enter it as 'Base URL'`;
			expect(error.description).toContain(targetText);
			expect(error.description).not.toContain('abc');
			expect(/the platform may have carried it out/.test(error.description ?? '')).toBe(kind === 'write');
			expect([
				redirectingServer.requests.length,
				targetServer.requests.length,
				targetServer.getTokenRequestCount(),
			]).toEqual([1, 0, 0]);
		});
	});
});

test.each([undefined, '', 'http://'])('a redirect without a valid location: %j', async (location) => {
	const redirectingServer = await startFakeServer((_request, response) =>
		response.writeHead(302, location ? { location } : {}).end(),
	);
	const error = await catchNodeError(
		fixture.run(
			SecurityAwarenessCompany,
			{ operation: 'getOwn' },
			{ credentialStore: redirectingServer.credentialStore },
		),
	);
	expect(error.message).toContain('the platform redirected the request to another address (302)');
	expect(error.description).toMatch(/Check 'Base URL' in the credential/);
	expect(redirectingServer.requests).toHaveLength(1);
});
