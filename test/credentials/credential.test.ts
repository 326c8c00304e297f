/** What a person fills in, and what n8n makes of it. */
import { NodeHelpers, type ICredentialDataDecryptedObject } from 'n8n-workflow';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessCompanyGroup } from '../../nodes/CompanyGroup/SecurityAwarenessCompanyGroup.node';
import { parseBaseUrl } from '../../nodes/core/http/credential';
import { loadCore } from '../n8n-core/core';
import { catchNodeError, getJson, createNodeFixture, parseText } from '../n8n-core/nodeFixture';
import { buildWorkflow } from '../n8n-core/workflow';
import { credential, helperFor, resolved } from './credentialFixture';

const b = createNodeFixture({ companyCount: 40 });
const OWN = { operation: 'getOwn' };

/** The address that n8n's test of the credential asks. */
async function testedAt(fields: ICredentialDataDecryptedObject): Promise<string> {
	const { workflow, node } = await buildWorkflow(await loadCore(), {
		node: new SecurityAwarenessCompany(),
		parameters: {},
	});
	const { baseURL } = credential.test.request;
	return parseText(workflow.expression.getSimpleParameterValue(node, baseURL, 'trigger', { $credentials: { ...fields } }));
}

describe.each([
	['1.123', false],
	['2.41', true],
])('n8n %s', (_version, is241) => {
	test.each([
		[false, []],
		[true, ['Allow Plain HTTP']],
	])(
		'a person sees four fields, the limits, which must not go unseen, and a switch for the rest (%s)',
		async (moreSettings, more) => {
			const properties = (await helperFor({}, is241)).getCredentialsProperties(credential.name);
			const defaults = Object.fromEntries(
				properties.map(({ name, default: value }) => [name, value === true || value === false ? value : parseText(value)]),
			);
			const visible = properties.filter(
				(property) =>
					property.type !== 'hidden' &&
					NodeHelpers.displayParameter({ ...defaults, moreSettings }, property, null, null),
			);
			expect(visible.map(({ displayName }) => displayName)).toEqual([
				'Base URL',
				'Client ID',
				'Client Secret',
				'Company Header Name',
				'Read Only',
				'AI Agents May',
				'More Settings',
				...more,
			]);
			expect(visible.filter(({ required }) => required)).toHaveLength(3);
		},
	);
});

test('what is hidden says: client credentials, in the body, scope api1, whatever another credential left behind', async () => {
	const stale = {
		grantType: 'authorizationCode',
		authentication: 'header',
		authUrl: 'https://evil.example',
		accessTokenUrl: 'https://evil.example/token',
	};
	expect(await resolved({ ...stale, serverUrl: 'https://x.example' })).toMatchObject({
		grantType: 'clientCredentials',
		authentication: 'body',
		scope: 'api1',
		sendAdditionalBodyProperties: false,
		companyHeaderName: 'X-SERVICE-Company-Id',
		accessTokenUrl: 'https://x.example/connect/token',
	});
});

test.each(['https://x.example', ' https://x.example/ ', 'https://x.example//', '\thttps://x.example/API//\n'])(
	'the Base URL %j leads to one address, for the token, the requests and the test',
	async (serverUrl) => {
		expect((await resolved({ serverUrl })).accessTokenUrl).toBe('https://x.example/connect/token');
		expect(await testedAt({ serverUrl })).toBe('https://x.example');
		expect(parseBaseUrl(serverUrl, false)).toBe('https://x.example');
	},
);

test.each([
	['http://localhost:5678/', false, 'http://localhost:5678'],
	['http://127.0.0.1:1', false, 'http://127.0.0.1:1'],
	['http://[::1]:8080/api', false, 'http://[::1]:8080'],
	['http://10.0.0.1', true, 'http://10.0.0.1'],
])('%s is taken (Allow Plain HTTP: %s)', async (serverUrl, allowPlainHttp, url) => {
	const fields = { serverUrl, allowPlainHttp, moreSettings: true };
	expect((await resolved(fields)).accessTokenUrl).toBe(`${url}/connect/token`);
	expect(await testedAt(fields)).toBe(url);
	expect(parseBaseUrl(serverUrl, allowPlainHttp)).toBe(url);
});

test.each([
	['http://x.example', /must begin with https:\/\/, because/],
	['http://127.0.0.1.evil.example', /must begin with https:\/\/, because/],
	['http://localhost@evil.example', /must have only https/],
	['x.example', /must begin with https:\/\/$/],
	['', /is empty/],
])('without https the secret goes nowhere: %j', async (serverUrl, says) => {
	expect((await resolved({ serverUrl })).accessTokenUrl).toBe('base-url-must-begin-with-https:');
	expect(await testedAt({ serverUrl })).toBe('base-url-must-begin-with-https:');
	expect(() => parseBaseUrl(serverUrl, false)).toThrow(says);
});

test.each([
	['https://x.example/app', 'must have only https:// and the host'],
	['https://x.example/?a=b', 'must have only https:// and the host'],
	['https://user:secret@x.example', 'must have only https:// and the host'],
	['https://x.exa mple', 'is not a web address'],
])('a Base URL that the nodes refuse, before anything is sent: %s', async (serverUrl, complaint) => {
	const error = await catchNodeError(b.run(SecurityAwarenessCompany, OWN, { store: b.createCredentialStore('reseller', { serverUrl }) }));
	expect(error.message).toContain(`'Base URL' ${complaint}`);
});

test.each([
	['', undefined],
	['X Company', /must be the name of a header/],
	['Authorization', /must be the name of a header/],
])('Company Header Name %j', async (companyHeaderName, refused) => {
	const run = b.run(SecurityAwarenessCompany, OWN, { store: b.createCredentialStore('reseller', { companyHeaderName }) });
	if (refused) expect((await catchNodeError(run)).message).toMatch(refused);
	else expect(getJson((await run).items)).toHaveLength(1);
});

test.each([true, ''])('Read Only (%j): what changes something is not sent, the rest works', async (readOnly) => {
	const store = b.createCredentialStore('reseller', { readOnly });
	const create = { operation: 'create', name: 'New', participantsFrom: 'id', participantIds: 'a-company' };
	const error = await catchNodeError(b.run(SecurityAwarenessCompanyGroup, create, { store }));
	expect(error).toMatchObject({
		message: 'Could not create company group: the credential only allows reading, and this changes something',
		description: expect.stringMatching(/^Nothing was sent\. .*'Read Only' off/),
	});
	expect(b.requests).toEqual([]);
	expect((await b.run(SecurityAwarenessCompany, OWN, { store })).items).toHaveLength(1);
});
