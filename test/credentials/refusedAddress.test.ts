/** A Base URL that is refused: the secret goes nowhere, and what n8n says has the reason in it. */
import fc from 'fast-check';
import {
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
} from 'n8n-workflow';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { baseUrlOf } from '../../nodes/shared/transport/connection';
import { InvalidInput } from '../../nodes/shared/transport/errors';
import { CredentialStore, runNode } from '../n8n-core';
import { loadCore } from '../n8n-core/core';
import { failureOf, nodeFixture, textOf } from '../n8n-core/nodeFixture';
import { workflowOf } from '../n8n-core/workflow';
import { deepOr } from '../setup/depth';
import { credential, resolved } from './resolved';
import { URL_PIECES } from './urlPieces';

const b = nodeFixture({ companies: 40 });

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
