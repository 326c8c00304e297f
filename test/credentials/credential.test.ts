/** Tests the fields of the credential, and the values that n8n resolves from them. */
import { NodeHelpers, type ICredentialDataDecryptedObject } from 'n8n-workflow';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessCompanyGroup } from '../../nodes/CompanyGroup/SecurityAwarenessCompanyGroup.node';
import { parseBaseUrl } from '../../nodes/core/http/credential';
import { loadCore } from '../n8n-core/loadCore';
import { catchNodeError, getJson, createNodeFixture, parseText } from '../n8n-core/nodeFixture';
import { buildWorkflow } from '../n8n-core/workflow';
import { createCredentialsHelper, credential, resolveCredential } from './credentialFixture';

const fixture = createNodeFixture({ companyCount: 40 });
const GET_OWN_COMPANY = { operation: 'getOwn' };

/** Returns the URL to which n8n sends its request when a user tests the credential. */
async function getTestUrl(fields: ICredentialDataDecryptedObject): Promise<string> {
	const { workflow, node } = await buildWorkflow(await loadCore(), {
		node: new SecurityAwarenessCompany(),
		parameters: {},
	});
	const { baseURL } = credential.test.request;
	return parseText(
		workflow.expression.getSimpleParameterValue(node, baseURL, 'trigger', { $credentials: { ...fields } }),
	);
}

describe.each([
	['1.123', false],
	['2.41', true],
])('n8n %s', (_version, isN8n241) => {
	test.each([
		[false, []],
		[true, ['Allow Plain HTTP']],
	])(
		'the user sees four fields, the limits, and a switch for all other fields (%s)',
		async (moreSettings, otherFields) => {
			const properties = (await createCredentialsHelper({}, isN8n241)).getCredentialsProperties(credential.name);
			const defaults = Object.fromEntries(
				properties.map(({ name, default: value }) => [
					name,
					value === true || value === false ? value : parseText(value),
				]),
			);
			const visibleProperties = properties.filter(
				(property) =>
					property.type !== 'hidden' &&
					NodeHelpers.displayParameter({ ...defaults, moreSettings }, property, null, null),
			);
			expect(visibleProperties.map(({ displayName }) => displayName)).toEqual([
				'Base URL',
				'Client ID',
				'Client Secret',
				'Company Header Name',
				'Read Only',
				'AI Agents May',
				'More Settings',
				...otherFields,
			]);
			expect(visibleProperties.filter(({ required }) => required)).toHaveLength(3);
		},
	);
});

test('the hidden fields have fixed values, even if the stored data of another credential differs', async () => {
	const staleData = {
		grantType: 'authorizationCode',
		authentication: 'header',
		authUrl: 'https://evil.example',
		accessTokenUrl: 'https://evil.example/token',
	};
	expect(await resolveCredential({ ...staleData, serverUrl: 'https://x.example' })).toMatchObject({
		grantType: 'clientCredentials',
		authentication: 'body',
		scope: 'api1',
		sendAdditionalBodyProperties: false,
		companyHeaderName: 'X-SERVICE-Company-Id',
		accessTokenUrl: 'https://x.example/connect/token',
	});
});

test.each(['https://x.example', ' https://x.example/ ', 'https://x.example//', '\thttps://x.example/API//\n'])(
	'the Base URL %j leads to the same address for the token, the requests and the test',
	async (serverUrl) => {
		expect((await resolveCredential({ serverUrl })).accessTokenUrl).toBe('https://x.example/connect/token');
		expect(await getTestUrl({ serverUrl })).toBe('https://x.example');
		expect(parseBaseUrl(serverUrl, false)).toBe('https://x.example');
	},
);

test.each([
	['http://localhost:5678/', false, 'http://localhost:5678'],
	['http://127.0.0.1:1', false, 'http://127.0.0.1:1'],
	['http://[::1]:8080/api', false, 'http://[::1]:8080'],
	['http://10.0.0.1', true, 'http://10.0.0.1'],
])('%s is accepted (Allow Plain HTTP: %s)', async (serverUrl, allowPlainHttp, url) => {
	const fields = { serverUrl, allowPlainHttp, moreSettings: true };
	expect((await resolveCredential(fields)).accessTokenUrl).toBe(`${url}/connect/token`);
	expect(await getTestUrl(fields)).toBe(url);
	expect(parseBaseUrl(serverUrl, allowPlainHttp)).toBe(url);
});

test.each([
	['http://x.example', /must begin with https:\/\/, because/],
	['http://127.0.0.1.evil.example', /must begin with https:\/\/, because/],
	['http://localhost@evil.example', /must contain only https/],
	['x.example', /must begin with https:\/\/$/],
	['', /is empty/],
])('without https the secret is sent nowhere: %j', async (serverUrl, message) => {
	expect((await resolveCredential({ serverUrl })).accessTokenUrl).toBe('base-url-must-begin-with-https:');
	expect(await getTestUrl({ serverUrl })).toBe('base-url-must-begin-with-https:');
	expect(() => parseBaseUrl(serverUrl, false)).toThrow(message);
});

test.each([
	['https://x.example/app', 'must contain only https:// and the host'],
	['https://x.example/?a=b', 'must contain only https:// and the host'],
	['https://user:secret@x.example', 'must contain only https:// and the host'],
	['https://x.exa mple', 'is not a web address'],
	['https://x.example\\', 'is not a web address'],
])('the nodes reject a wrong Base URL before any request: %s', async (serverUrl, complaint) => {
	const error = await catchNodeError(
		fixture.run(SecurityAwarenessCompany, GET_OWN_COMPANY, {
			credentialStore: fixture.createCredentialStore('reseller', { serverUrl }),
		}),
	);
	expect(error.message).toContain(`'Base URL' ${complaint}`);
});

test.each<[companyHeaderName: string, errorMessage: RegExp | undefined]>([
	['', undefined],
	['X Company', /must be the name of a header/],
	...['Authorization', 'Cookie', 'Host', 'Connection', 'Content-Type', 'Accept', 'Accept-Encoding', 'User-Agent'].map(
		(name): [string, RegExp] => [name, /must be the name of a header/],
	),
])('Company Header Name %j', async (companyHeaderName, errorMessage) => {
	const run = fixture.run(SecurityAwarenessCompany, GET_OWN_COMPANY, {
		credentialStore: fixture.createCredentialStore('reseller', { companyHeaderName }),
	});
	if (errorMessage) expect((await catchNodeError(run)).message).toMatch(errorMessage);
	else expect(getJson((await run).items)).toHaveLength(1);
});

test.each([true, ''])('Read Only (%j): a write is not sent, and a read works', async (readOnly) => {
	const credentialStore = fixture.createCredentialStore('reseller', { readOnly });
	const parameters = { operation: 'create', name: 'New', membersFrom: 'id', participantIds: 'a-company' };
	const error = await catchNodeError(fixture.run(SecurityAwarenessCompanyGroup, parameters, { credentialStore }));
	expect(error).toMatchObject({
		message: 'Could not create company group: the credential only allows reading, but this operation changes data',
		description: expect.stringMatching(/^Nothing was sent\. .*turn off 'Read Only'/),
	});
	expect(fixture.requests).toEqual([]);
	expect((await fixture.run(SecurityAwarenessCompany, GET_OWN_COMPANY, { credentialStore })).items).toHaveLength(1);
});
