import fc from 'fast-check';
import {
	NodeHelpers,
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
	type INodeType,
} from 'n8n-workflow';
import { SecurityAwarenessOAuth2Api } from '../../credentials/SecurityAwarenessOAuth2Api.credentials';
import { baseUrlOf } from '../../nodes/shared/transport/connection';
import { InvalidInput } from '../../nodes/shared/transport/errors';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { deepOr } from '../setup/depth';
import { CredentialStore, runNode } from '../n8n-core';
import { HarnessCredentialsHelper } from '../n8n-core/credentials';
import { loadCore } from '../n8n-core/core';
import { workflowOf } from '../n8n-core/workflow';
import { nodeFixture, failureOf, jsonOf, textOf } from '../n8n-core/nodeFixture';
import { URL_PIECES } from './urlPieces';

const b = nodeFixture({ companies: 40 });
const credential = new SecurityAwarenessOAuth2Api();

type Shown = NonNullable<INodeProperties['displayOptions']>['show'];
const unless = { useDynamicClientRegistration: [false] };
const codes = { grantType: ['authorizationCode', 'pkce'], ...unless };
const inBody = { grantType: ['clientCredentials'], authentication: ['body'], ...unless };

/** n8n's own oAuth2Api in its order: what 1.123 has, and what 2.41 has besides. */
const inherited = (is241: boolean): ICredentialType => {
	const property = (
		name: string,
		value: string | boolean,
		show?: Shown,
		type: INodeProperties['type'] = 'string',
	): INodeProperties => ({
		displayName: `n8n's ${name}`,
		name,
		type,
		default: value,
		...(show ? { displayOptions: { show } } : {}),
	});
	return {
		name: 'oAuth2Api',
		displayName: 'OAuth2 API',
		properties: [
			property('useDynamicClientRegistration', false, undefined, 'hidden'),
			property('grantType', 'authorizationCode', unless, 'options'),
			property('serverUrl', '', { useDynamicClientRegistration: [true] }),
			property('authUrl', '', codes),
			property('accessTokenUrl', '', unless),
			property('clientId', '', unless),
			...(is241 ? [property('clientCredentialType', 'clientSecret', undefined, 'hidden')] : []),
			property('clientSecret', '', unless),
			...(is241
				? [property('privateKey', '', undefined, 'hidden'), property('certificate', '', undefined, 'hidden')]
				: []),
			property('scope', '', unless),
			property('authQueryParameters', '', codes),
			property('authentication', 'header', unless, 'options'),
			property('sendAdditionalBodyProperties', false, inBody, 'boolean'),
			property('additionalBodyProperties', '', { ...inBody, sendAdditionalBodyProperties: [true] }, 'json'),
			{ ...property('ignoreSSLIssues', false, undefined, 'boolean'), doNotInherit: true },
			...(is241 ? [{ ...property('tokenExpiredStatusCode', '401'), doNotInherit: true }] : []),
		],
	};
};

const helperFor = async (data: ICredentialDataDecryptedObject, is241 = true) => {
	const { core } = await loadCore();
	return new HarnessCredentialsHelper(core, new CredentialStore(data), [credential, inherited(is241)]);
};

/** The credential as a node gets it: defaults filled in, expressions worked out by n8n. */
async function resolved(data: ICredentialDataDecryptedObject) {
	const { additionalData, node } = await workflowOf(await loadCore(), {
		node: new SecurityAwarenessCompany(),
		parameters: {},
	});
	const helper = await helperFor(data);
	return await helper.getDecrypted(additionalData, { id: 'id', name: 'name' }, credential.name, 'trigger', {
		node,
		data: {},
		source: null,
	});
}

test.each([
	['1.123', false],
	['2.41', true],
])('a person sees these fields, in this order (n8n %s)', async (_version, is241) => {
	const properties = (await helperFor({}, is241)).getCredentialsProperties(credential.name);
	const defaults = Object.fromEntries(
		properties.map(({ name, default: value }) => [name, value === true || value === false ? value : textOf(value)]),
	);
	const visible = properties.filter(
		(property) => property.type !== 'hidden' && NodeHelpers.displayParameter(defaults, property, null, null),
	);
	expect(
		visible.filter(({ type }) => type !== 'notice').map(({ displayName, default: value }) => [displayName, value]),
	).toEqual([
		['Base URL', ''],
		['Client ID', ''],
		['Client Secret', ''],
		['Company Header Name', 'X-SERVICE-Company-Id'],
		['More Settings', false],
		['Allow Plain HTTP', false],
	]);
	expect(visible.find(({ name }) => name === 'clientSecret')?.typeOptions).toEqual({ password: true });
	expect(visible.filter(({ required }) => required).map(({ name }) => name)).toEqual([
		'serverUrl',
		'clientId',
		'clientSecret',
	]);
	expect(
		properties.filter(({ name }, index) => properties.findIndex((other) => other.name === name) !== index),
	).toEqual([]);
});

test('what is hidden says: client credentials, in the body, scope api1', async () => {
	expect(await resolved({ serverUrl: 'https://x.example', clientId: 'i', clientSecret: 's' })).toMatchObject({
		...{ grantType: 'clientCredentials', authentication: 'body', scope: 'api1', sendAdditionalBodyProperties: false },
		...{ companyHeaderName: 'X-SERVICE-Company-Id', allowPlainHttp: false, clientId: 'i', clientSecret: 's' },
	});
});

test('values that some other credential left behind do not turn it into another kind', async () => {
	const stale = {
		grantType: 'authorizationCode',
		authentication: 'header',
		accessTokenUrl: 'https://evil.example/token',
		authUrl: 'https://evil.example',
	};
	expect(await resolved({ ...stale, serverUrl: 'https://x.example' })).toMatchObject({
		...{
			grantType: 'clientCredentials',
			authentication: 'body',
			accessTokenUrl: 'https://x.example/connect/token',
			authUrl: '',
		},
	});
});

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

describe('an address that the nodes refuse', () => {
	const REFUSED: Array<[string, RegExp]> = [
		['http://x.example', /^base-url-must-begin-with-https-or-allow-plain-http-be-on:$/],
		['HTTP://10.0.0.1:8080/api/', /^base-url-must-begin-with-https-or-allow-plain-http-be-on:$/],
		['http://127.0.0.1.evil.example', /plain-http/],
		['http://localhost.evil.example', /plain-http/],
		['https://x.example/app', /^base-url-must-not-have-a-path:$/],
		['https://x.example/?a=b', /^base-url-must-not-have-a-path:$/],
		['https://x.example#a', /^base-url-must-not-have-a-path:$/],
		['http://127.0.0.1/app', /^base-url-must-not-have-a-path:$/],
		['https://user:secret@x.example', /^base-url-must-be-https-and-a-host:$/],
		['http://localhost@evil.example', /(plain-http|and-a-host)/],
		['https://x.example\\@evil.example', /and-a-host/],
		['https://x.exa mple', /and-a-host/],
		['https://', /and-a-host/],
		['x.example', /and-a-host/],
		['ftp://x.example', /and-a-host/],
		['file:///etc/passwd', /and-a-host/],
		['', /and-a-host/],
	];
	const testedAt = async (data: Record<string, string | boolean>) => {
		const { workflow, node } = await workflowOf(await loadCore(), {
			node: new SecurityAwarenessCompany(),
			parameters: {},
		});
		return textOf(
			workflow.expression.getSimpleParameterValue(node, credential.test.request.baseURL, 'trigger', {
				$credentials: data,
			}),
		);
	};

	test.each(REFUSED)('%s: n8n has no usable address either, and its name says why', async (serverUrl, says) => {
		expect(() => baseUrlOf(serverUrl, false)).toThrow(InvalidInput);
		const { accessTokenUrl } = await resolved({ serverUrl, allowPlainHttp: false });
		expect(accessTokenUrl).toMatch(says);
		expect(await testedAt({ serverUrl, allowPlainHttp: false })).toMatch(says);
	});

	test('plain http where it is allowed is a usable one', async () => {
		for (const serverUrl of ['http://x.example', 'http://10.0.0.1:8080/api']) {
			const { accessTokenUrl } = await resolved({ serverUrl, allowPlainHttp: true });
			expect(accessTokenUrl).toBe(`${baseUrlOf(serverUrl, true)}/connect/token`);
			expect(await testedAt({ serverUrl, allowPlainHttp: true })).toBe(baseUrlOf(serverUrl, true));
		}
	});

	test('whatever was typed: an address that n8n would use is one that the nodes use, and the same', async () => {
		const { workflow, node } = await workflowOf(await loadCore(), {
			node: new SecurityAwarenessCompany(),
			parameters: {},
		});
		const { baseURL } = credential.test.request;
		fc.assert(
			fc.property(fc.array(fc.constantFrom(...URL_PIECES), { maxLength: 5 }), fc.boolean(), (parts, allowPlainHttp) => {
				const serverUrl = parts.join('');
				const used = textOf(
					workflow.expression.getSimpleParameterValue(node, baseURL, 'trigger', {
						$credentials: { serverUrl, allowPlainHttp },
					}),
				);
				if (!/^https?:/i.test(used) || !URL.canParse(used)) return;
				expect(baseUrlOf(serverUrl, allowPlainHttp)).toBe(new URL(used).origin);
			}),
			{ numRuns: deepOr(300, 60) },
		);
	});

	test.each(['', '/app'])(
		'the secret goes nowhere: neither for a first token, nor for a further one (%j)',
		async (path) => {
			// The same machine by an address that does not say so.
			const serverUrl = path === '' ? b.service.url.replace('127.0.0.1', '0.0.0.0') : b.service.url + path;
			const tokens: ICredentialDataDecryptedObject[] = [
				{},
				{ oauthTokenData: { access_token: 'the-stored-token', token_type: 'Bearer' } },
			];
			for (const more of tokens) {
				const store = new CredentialStore({ ...b.newStore('reseller', { serverUrl }).data, ...more });
				const said = await askedByN8n(store);
				expect(said).toMatch(/Unsupported protocol base-url-must/);
				expect(b.service.log).toEqual([]);
			}
		},
	);

	test('an address that only the nodes understand is told by them', async () => {
		const error = await failureOf(
			b.run(
				SecurityAwarenessCompany,
				{ operation: 'getOwn' },
				{ store: b.newStore('reseller', { serverUrl: b.service.url.replace('127.0.0.1', '127.1') }) },
			),
		);
		expect(error.message).toContain('that address does not issue tokens for this service');
		expect(b.service.log).toEqual([]);
	});

	/** What n8n says that asks as its test of the credential does. */
	async function askedByN8n(store: CredentialStore): Promise<string> {
		const said: string[] = [];
		const node: INodeType = {
			description: new SecurityAwarenessCompany().description,
			async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
				const { serverUrl, allowPlainHttp } = await this.getCredentials(credential.name);
				const baseURL = await testedAt({ serverUrl: textOf(serverUrl), allowPlainHttp: allowPlainHttp === true });
				const { url, method } = credential.test.request;
				for (const ask of [
					async (): Promise<unknown> =>
						await this.helpers.httpRequestWithAuthentication.call(this, credential.name, {
							baseURL,
							url: textOf(url),
							method,
						}),
					...(store.token
						? [async (): Promise<unknown> => await this.helpers.refreshOAuth2Token.call(this, credential.name)]
						: []),
				])
					said.push(
						await ask().then(
							() => 'it worked',
							(error: unknown) => (error instanceof Error ? error.message : String(error)),
						),
					);
				return [[]];
			},
		};
		await runNode({ node, parameters: {}, credential: store });
		return said.join(' ');
	}
});

test.each(['', '/', '/api', '/api/'])('a pasted address works from end to end: …%s', async (path) => {
	const store = b.newStore('reseller', { serverUrl: ` ${b.service.url}${path} ` });
	const { items } = await b.run(SecurityAwarenessCompany, { operation: 'getOwn' }, { store });
	expect(jsonOf(items)).toMatchObject([{ companyResourceId: b.service.state.reseller.companyResourceId }]);
});

test('a blank Company Header Name is the usual one', async () => {
	const store = b.newStore('reseller', { companyHeaderName: '  ' });
	await b.run(SecurityAwarenessCompany, { operation: 'getOwn' }, { store });
	expect(b.asked).toHaveLength(1);
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
