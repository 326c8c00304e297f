/** What a person fills in, and what n8n makes of it. */
import { NodeHelpers } from 'n8n-workflow';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { nodeFixture, textOf } from '../n8n-core/nodeFixture';
import { credential, helperFor, resolved } from './resolved';

const b = nodeFixture({ companies: 40 });

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
		['What It May Do', 'everything'],
		['Only These Companies', false],
		['Agents', 'everything'],
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

test.each([
	[{}, 'all'],
	[{ whatItMayDo: 'everything', onlyTheseCompanies: false, agents: 'everything' }, 'all'],
	[{ whatItMayDo: 'readOnly' }, 'none'],
	[{ whatItMayDo: 'something' }, 'none'],
	[{ onlyTheseCompanies: true }, 'none'],
	[{ agents: 'readOnly' }, 'none'],
	[{ agents: 'nothing' }, 'none'],
	// What somebody has chosen for that node before stays.
	[{ allowedHttpRequestDomains: 'domains', allowedDomains: 'example.com' }, 'domains'],
])("n8n's HTTP Request node, with %j: %s", async (fields, allowedHttpRequestDomains) => {
	expect(await resolved({ serverUrl: 'https://x.example', ...fields })).toMatchObject({
		allowedHttpRequestDomains,
		allowedDomains: 'allowedDomains' in fields ? fields.allowedDomains : '',
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

test('a blank Company Header Name is the usual one', async () => {
	const store = b.newStore('reseller', { companyHeaderName: '  ' });
	await b.run(SecurityAwarenessCompany, { operation: 'getOwn' }, { store });
	expect(b.asked).toHaveLength(1);
});
