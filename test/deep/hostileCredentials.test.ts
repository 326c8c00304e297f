/** Hostile input: base URLs that could be read as others, and JSON. */
import fc from 'fast-check';
import { type IDataObject } from 'n8n-workflow';
import { baseUrlOf } from '../../nodes/shared/transport/connection';
import { InvalidInput } from '../../nodes/shared/transport/errors';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessCompanyGroup } from '../../nodes/CompanyGroup/SecurityAwarenessCompanyGroup.node';
import {
	answering,
	nodeFixture,
	failedItem,
	isFailed,
	itemsOf,
	sendJson,
	type NodeClass,
} from '../n8n-core/nodeFixture';
import { URL_PIECES } from '../credentials/urlPieces';
import { runs, patience, awkward, jsonText, expectUnpolluted, endOf, ofItem, expectReadable, onError } from './hostile';

const b = nodeFixture({ companies: 40 });
afterEach(expectUnpolluted);

describe('what people and items bring', () => {
	test('a base URL: an origin, or refused', () => {
		const piece = fc.oneof(fc.constantFrom(...URL_PIECES), awkward);
		fc.assert(
			fc.property(fc.array(piece, { maxLength: 6 }), fc.boolean(), (pieces, allowPlainHttp) => {
				const typed = pieces.join('');
				try {
					const origin = baseUrlOf(typed, allowPlainHttp);
					const url = new URL(origin);
					expect(url.origin).toBe(origin);
					expect(url.username + url.password).toBe('');
					if (url.protocol !== 'https:' && !allowPlainHttp)
						expect(url.hostname).toMatch(/^(localhost|127\.[\d.]+|\[::1\])$/);
				} catch (error) {
					if (!(error instanceof InvalidInput)) throw error;
				}
			}),
			{
				...runs(2000),
				examples: [
					[['https://', 'good.example', '@', 'evil.example'], false],
					[['http://', '127.0.0.1', '.evil.example'], false],
				],
			},
		);
	});

	test(
		'a base URL that could be read as another: the secret and the token go to the service, or nowhere',
		async () => {
			const evil = await answering((_request, response, token) => sendJson(response, 200, { data: { token } }));
			const [good, bad] = [new URL(b.service.url).host, new URL(evil.url).host];
			const typed = [
				...[
					'',
					'/',
					'//',
					'/api',
					'/api/',
					'/API',
					'/api/api',
					'/..',
					'/%2e%2e',
					'/./api',
					'/api/.',
					'\\',
					' ',
					'\n',
					'?',
					'#',
					`@${bad}`,
					`/@${bad}`,
					`\\@${bad}`,
					`?@${bad}`,
					`#@${bad}`,
					'.evil.example',
				].map((after) => `http://${good}${after}`),
				...[
					`HTTP://${good}`,
					` http://${good} `,
					`http:\\\\${good}`,
					`http:/${good}`,
					`http:${good}`,
					`http://${good}@${bad}`,
					`http://a:b@${good}`,
					`http://${bad}\\@${good}/..`,
					`http://${good}/../..//${bad}`,
					`//${good}`,
				],
			];
			for (const serverUrl of typed) {
				b.service.clearLog();
				await endOf(
					b.run(SecurityAwarenessCompany, { operation: 'getOwn' }, { store: b.newStore('reseller', { serverUrl }) }),
					[serverUrl],
				);
			}
			expect(evil.requests).toEqual([]);
			expect(evil.tokenRequests()).toBe(0);
		},
		patience,
	);

	test(
		'JSON: refused, or in the body as it is; nothing of it becomes part of every object',
		async () => {
			await fc.assert(
				fc.asyncProperty(fc.array(fc.oneof(jsonText, awkward), { minLength: 25, maxLength: 25 }), async (texts) => {
					for (const [node, parameters] of [
						[
							SecurityAwarenessCompanyGroup,
							{
								operation: 'create',
								name: 'New',
								participantsFrom: 'none',
								additionalFields: { moreFields: '={{ $json.text }}' },
							},
						],
						[SecurityAwarenessCompany, { operation: 'getMany', filters: { filterGroups: '={{ $json.text }}' } }],
					] as Array<[NodeClass, IDataObject]>) {
						b.service.clearLog();
						const result = await b.run(node, parameters, {
							items: itemsOf(...texts.map((text) => ({ text }))),
							onError,
						});
						for (const [index, text] of texts.entries()) {
							const failed = ofItem(result, index).find(isFailed);
							// Where the mistake is, the JSON parser says best.
							if (failed)
								expectReadable(
									failedItem(failed).message.replace(/(but is not: ).*/s, '$1'),
									failedItem(failed).error.description,
									[text],
								);
						}
						expectUnpolluted();
					}
				}),
				runs(3),
			);
		},
		patience,
	);
});
