/** The messages when n8n tests the credential, whatever server is at the Base URL. */
import { get } from 'lodash';
import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { z } from 'zod';
import { SecurityAwarenessOAuth2Api } from '../../credentials/SecurityAwarenessOAuth2Api.credentials';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { runNode, type CredentialStore } from '../n8n-core';
import { answering, nodeFixture, sendJson } from '../n8n-core/nodeFixture';

const b = nodeFixture();
const credential = new SecurityAwarenessOAuth2Api();
const rules = z
	.array(
		z.object({
			type: z.enum(['responseCode', 'responseSuccessBody']),
			properties: z.object({ key: z.string().optional(), value: z.unknown(), message: z.string() }),
		}),
	)
	.parse(credential.test.rules);
const refusal = z.object({ httpCode: z.coerce.number() });

/**
 * Tests the credential as n8n's server does (n8n facts): the first rule for the status of an answer that is none of
 * success, else the first rule for what its body lacks. n8n words every other failure itself.
 */
async function verdict(store: CredentialStore): Promise<string> {
	let says = 'n8n never asked';
	const { url, method } = credential.test.request;
	const node: INodeType = {
		description: new SecurityAwarenessCompany().description,
		async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
			const { serverUrl } = await this.getCredentials<{ serverUrl: string }>(credential.name);
			const asked: Promise<unknown> = this.helpers.httpRequestWithAuthentication.call(this, credential.name, {
				...{ baseURL: serverUrl, url: String(url), method },
			});
			says = await asked.then(
				(body) =>
					rules.find(
						({ type, properties: { key = '', value } }) => type === 'responseSuccessBody' && get(body, key) === value,
					)?.properties.message ?? 'OK',
				(error: unknown) => {
					const { httpCode } = refusal.parse(error);
					const rule = rules.find(({ type, properties }) => type === 'responseCode' && properties.value === httpCode);
					return rule?.properties.message ?? `n8n's own words for ${httpCode}`;
				},
			);
			return [[]];
		},
	};
	await runNode({ node, parameters: {}, credential: store });
	return says;
}

/** The verdict on a place that issues tokens and answers everything else so. */
async function verdictOn(status: number, body: IDataObject | string): Promise<string> {
	const { store, requests } = await answering((_request, response) =>
		typeof body === 'string'
			? response.writeHead(status, { 'content-type': 'text/html' }).end(body)
			: sendJson(response, status, body),
	);
	const says = await verdict(store);
	expect(new Set(requests.map(({ method, url }) => `${method} ${url}`))).toEqual(
		new Set(['GET /api/enrollments/form-details']),
	);
	return says;
}

test.each(['reseller', 'companyAdmin'] as const)('the %s may do what is asked: the test succeeds', async (who) => {
	expect(await verdict(b.newStore(who))).toBe('OK');
});

test.each<[what: string, status: number, body: IDataObject | string, says: RegExp]>([
	[
		'the client may not',
		403,
		{},
		/^The service knows this client but refuses access \(403\).*IP addresses.*role lacks/,
	],
	['another server', 404, {}, /^There is a server at the Base URL, but not this API \(404\)/],
	[
		'a page in its place',
		404,
		'<html>Not Found</html>',
		/^There is a server at the Base URL, but not this API \(404\)/,
	],
	['a token of another platform', 401, {}, /^The service issued a token but does not accept it \(401\)/],
	['a web page', 200, '<html>Welcome</html>', /^Something answers at the Base URL, but it is not this API/],
	['another service', 200, { ok: true }, /^Something answers at the Base URL, but it is not this API/],
	['trouble', 500, {}, /^n8n's own words for 500$/],
])('%s (%i)', async (_what, status, body, says) => {
	expect(await verdictOn(status, body)).toMatch(says);
});

test('the client may not be used from here: says so', async () => {
	expect(await verdict(b.newStore('blocked'))).toMatch(/\(403\).*add the address of n8n's machine/);
});
