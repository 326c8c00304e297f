/**
 * A redirect is an error that names the new address: nothing follows it, so that no write is repeated and neither the token, nor
 * the company's ID, nor a body goes where it does not belong.
 */
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessCompanyGroup } from '../../nodes/CompanyGroup/SecurityAwarenessCompanyGroup.node';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { answering, failureOf, nodeFixture, type NodeClass } from '../n8n-core/nodeFixture';

const b = nodeFixture();

// With its name, or that would be asked for before the file, which has it in its name.
const company = { __rl: true, mode: 'list', value: 'a-company', cachedResultName: 'A Company' };
const one = { companyScope: 'one', company };
const KINDS: Array<[kind: string, node: NodeClass, parameters: IDataObject]> = [
	['read', SecurityAwarenessCompany, { operation: 'getOwn' }],
	['write', SecurityAwarenessCompanyGroup, { operation: 'create', name: 'New', participantsFrom: 'none' }],
	['file', SecurityAwarenessLeaderboard, { operation: 'export', ...one }],
];
const PLACES: Array<[place: string, hostOf: (host: string) => string]> = [
	['the same host', (host) => host],
	['a subdomain', () => 'api.localhost'],
	['another host', () => '127.0.0.1'],
];

describe.each([301, 302, 303, 307, 308])('%i', (status) => {
	describe.each(PLACES)('to %s', (place, hostOf) => {
		test.each(KINDS)('%s', async (kind, node, parameters) => {
			const elsewhere = await answering((_request, response) => response.end('{"data":{}}'));
			const isSame = place === 'the same host';
			const odd = await answering(({ url }, response) => {
				const host = elsewhere.url.replace('127.0.0.1', hostOf('localhost'));
				const location = isSame ? '/sign-in?token=abc' : `${host}/moved?token=abc`;
				response.writeHead(url === '/sign-in' ? 200 : status, { location }).end();
			});
			const serverUrl = odd.url.replace('127.0.0.1', 'localhost');
			Object.assign(odd.store.data, { serverUrl });
			const error = await failureOf(b.run(node, parameters, { store: odd.store }));
			expect(error.message).toContain(`the service sends to another address, which is not followed (${status})`);
			const named = isSame
				? `It sends to ${serverUrl}/sign-in.`
				: `The new address is http://${hostOf('')}:${new URL(elsewhere.url).port}: if it is the platform's, enter it as 'Base URL'`;
			expect(error.description).toContain(named);
			expect(error.description).not.toContain('abc');
			expect(/may have carried it out anyway/.test(error.description ?? '')).toBe(kind === 'write');
			expect([odd.requests.length, elsewhere.requests.length, elsewhere.tokenRequests()]).toEqual([1, 0, 0]);
		});
	});
});

test.each([undefined, '', 'http://'])('a redirect to nowhere: %j', async (location) => {
	const odd = await answering((_request, response) => response.writeHead(302, location ? { location } : {}).end());
	const error = await failureOf(b.run(SecurityAwarenessCompany, { operation: 'getOwn' }, { store: odd.store }));
	expect(error.message).toContain('the service sends to another address, which is not followed (302)');
	expect(error.description).toMatch(/Check the credential's Base URL/);
	expect(odd.requests).toHaveLength(1);
});
