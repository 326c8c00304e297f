/** The Base URL: every way of typing it leads to one address, for the token, for the requests and for n8n's test. */
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { baseUrlOf } from '../../nodes/shared/transport/connection';
import { InvalidInput } from '../../nodes/shared/transport/errors';
import { loadCore } from '../n8n-core/core';
import { failureOf, jsonOf, nodeFixture } from '../n8n-core/nodeFixture';
import { workflowOf } from '../n8n-core/workflow';
import { credential, resolved } from './resolved';

const b = nodeFixture({ companies: 40 });

const FORGIVEN = [
	'https://x.example',
	'https://x.example/',
	' https://x.example/ ',
	'https://x.example//',
	'https://x.example/api',
	'https://x.example/api/',
	'\thttps://x.example/API//\n',
];

describe.each(FORGIVEN)('the Base URL %j', (serverUrl) => {
	test('leads to the same token and the same service', async () => {
		const { accessTokenUrl } = await resolved({ serverUrl });
		expect(accessTokenUrl).toBe('https://x.example/connect/token');
		expect(baseUrlOf(serverUrl, false)).toBe('https://x.example');
	});

	test('is tested at the same address', async () => {
		const { workflow, node } = await workflowOf(await loadCore(), {
			node: new SecurityAwarenessCompany(),
			parameters: {},
		});
		const { baseURL } = credential.test.request;
		expect(workflow.expression.getSimpleParameterValue(node, baseURL, 'trigger', { $credentials: { serverUrl } })).toBe(
			'https://x.example',
		);
	});
});

test.each<[string, boolean, string]>([
	['http://localhost:5678/', false, 'http://localhost:5678'],
	['http://127.0.0.1:1', false, 'http://127.0.0.1:1'],
	['http://[::1]:8080/api', false, 'http://[::1]:8080'],
	['http://10.0.0.1', true, 'http://10.0.0.1'],
	['HTTPS://X.Example:443', false, 'https://x.example'],
	['https://münchen.example', false, 'https://xn--mnchen-3ya.example'],
])('%s is taken (Allow Plain HTTP: %s)', (typed, allowPlainHttp, url) => {
	expect(baseUrlOf(typed, allowPlainHttp)).toBe(url);
});

test('a path that n8n would ask for a token is never one that requests do not go to', async () => {
	for (const path of ['', '/', '/api', '/api/', '/Api', '/app', '/api/v1', '/api?x', '/#/api', '/api/api', '//api']) {
		const serverUrl = `https://x.example${path}`;
		const { accessTokenUrl } = await resolved({ serverUrl });
		try {
			expect(accessTokenUrl).toBe(`${baseUrlOf(serverUrl, false)}/connect/token`);
		} catch (error) {
			expect(error).toBeInstanceOf(InvalidInput);
		}
	}
});

test.each(['', '/', '/api', '/api/'])('a pasted address works from end to end: …%s', async (path) => {
	const store = b.newStore('reseller', { serverUrl: ` ${b.service.url}${path} ` });
	const { items } = await b.run(SecurityAwarenessCompany, { operation: 'getOwn' }, { store });
	expect(jsonOf(items)).toMatchObject([{ companyResourceId: b.service.state.reseller.companyResourceId }]);
});

test('plain HTTP to another host only where it is allowed', async () => {
	// The same machine by an address that does not say so.
	const serverUrl = b.service.url.replace('127.0.0.1', '0.0.0.0');
	const refused = await failureOf(
		b.run(SecurityAwarenessCompany, { operation: 'getOwn' }, { store: b.newStore('reseller', { serverUrl }) }),
	);
	expect(refused.message).toContain("'Base URL' must begin with https://");
	const allowed = await b.run(
		SecurityAwarenessCompany,
		{ operation: 'getOwn' },
		{ store: b.newStore('reseller', { serverUrl, allowPlainHttp: true }) },
	);
	expect(allowed.items).toHaveLength(1);
});
