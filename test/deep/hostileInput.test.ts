/** Hostile input: what people and items could bring. LONG_RUN=1 npx jest test/deep/hostile tries much more of each kind. */
import fc from 'fast-check';
import { z } from 'zod';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessCompanyGroup } from '../../nodes/CompanyGroup/SecurityAwarenessCompanyGroup.node';
import { SecurityAwarenessScimIntegration } from '../../nodes/ScimIntegration/SecurityAwarenessScimIntegration.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { storeBinary } from '../n8n-core';
import { nodeFixture, bodyOf, failedItem, isFailed, itemsOf, the } from '../n8n-core/nodeFixture';
import { byId } from '../cases/customerFixture';
import {
	runs,
	patience,
	awkward,
	someAwkward,
	expectUnpolluted,
	endOf,
	ofItem,
	expectReadable,
	groupsOf,
	onError,
} from './hostile';
import { NEW_COMPANY } from '../cases/newCompany';

const b = nodeFixture({ companies: 40 });
const companyId = () => the(b.service.state.companies[1]).companyResourceId;
afterEach(expectUnpolluted);

describe('what people and items bring', () => {
	test(
		'an ID: refused before anything is asked, or sent as it is, in its place and nowhere else',
		async () => {
			await fc.assert(
				fc.asyncProperty(someAwkward(40), async (ids) => {
					b.service.clearLog();
					// Half of them in the path, half in the header.
					const items = itemsOf(
						...ids.map((id, index) =>
							index % 2 === 0 ? { id, company: companyId() } : { id: 'a-good-one', company: id },
						),
					);
					const result = await b.run(
						SecurityAwarenessScimIntegration,
						{
							operation: 'get',
							companyScope: 'one',
							company: byId('={{ $json.company }}'),
							scimIntegration: byId('={{ $json.id }}'),
						},
						{ items, onError },
					);
					expect(result.items).toHaveLength(ids.length);
					for (const [index, id] of ids.entries()) {
						const failed = failedItem(the(ofItem(result, index)[0]));
						expectReadable(failed.message, failed.error.description, [id, id.trim()]);
					}
					const given = new Set(['a-good-one', ...ids.map((id) => id.trim())]);
					const companies = new Set([companyId(), ...ids.map((id) => id.trim())]);
					for (const { route, path, companyId: company, query, headers } of b.asked) {
						expect(route).toBe('GET /api/scim/{resourceId}');
						expect(given).toContain(decodeURIComponent(path.slice('/api/scim/'.length)));
						expect(companies).toContain(company);
						expect(query).toEqual({});
						expect(headers).not.toHaveProperty('x-evil');
					}
				}),
				runs(3),
			);
		},
		patience,
	);

	test(
		'a name: refused, or in the body as it is',
		async () => {
			await fc.assert(
				fc.asyncProperty(someAwkward(40), async (names) => {
					b.service.clearLog();
					const result = await b.run(
						SecurityAwarenessCompanyGroup,
						{ operation: 'create', name: '={{ $json.name }}', participantsFrom: 'none' },
						{ items: itemsOf(...names.map((name) => ({ name }))), onError },
					);
					const sent = names.filter(
						(_name, index) =>
							!ofItem(result, index).some((item) => isFailed(item) && failedItem(item).error.httpCode === undefined),
					);
					expect(b.asked.map((request) => bodyOf(request).name)).toEqual(sent);
				}),
				runs(2),
			);
		},
		patience,
	);

	test(
		'names in a form, also that of its file: they open no further field',
		async () => {
			await fc.assert(
				fc.asyncProperty(someAwkward(12), async (names) => {
					b.service.clearLog();
					const breaking = [
						'a"; filename="b',
						'a"\r\nContent-Type: text/html\r\n\r\nevil',
						'a\r\n--x\r\nContent-Disposition: form-data; name="evil"\r\n\r\n1',
						...names,
					];
					const items = await Promise.all(
						breaking.map(async (name) => ({
							json: { name },
							binary: {
								data: await storeBinary(Buffer.from('logo'), { fileName: name || 'file', mimeType: 'image/png' }),
							},
						})),
					);
					await b.run(
						SecurityAwarenessCompany,
						{
							...NEW_COMPANY,
							name: '={{ $json.name }}',
							additionalFields: { logo: 'data', description: '={{ $json.name }}' },
						},
						{ items, onError },
					);
					const shape = z.object({ fields: z.record(z.unknown()), files: z.array(z.unknown()).length(1) });
					for (const { body } of b.asked) expect(Object.keys(shape.parse(body).fields)).not.toContain('evil');
					for (const { body } of b.asked)
						expect(Object.keys(shape.parse(body).fields).sort()).toEqual(
							Object.keys(shape.parse(b.asked[0]?.body).fields).sort(),
						);
					expect(b.asked.length).toBeGreaterThan(0);
				}),
				runs(2),
			);
		},
		patience,
	);

	test(
		"a name for the credential's header: refused before anything is asked, or the company arrives under it, and no other header changes",
		async () => {
			const meant = [
				'Authorization',
				'authorization',
				'Host',
				'Content-Length',
				'Content-Type',
				'Transfer-Encoding',
				'Connection',
				'Cookie',
				'Expect',
				'Upgrade',
				'Accept',
				'__proto__',
				'constructor',
				'toString',
				'Proxy-Authorization',
				'TE',
			];
			const usual = await headersUnder('X-SERVICE-Company-Id');
			await fc.assert(
				fc.asyncProperty(
					fc.oneof(fc.constantFrom(...meant), awkward, fc.stringMatching(/^[A-Za-z-]{1,20}$/)),
					async (name) => {
						const headers = await headersUnder(name);
						if (!headers) return;
						const { [name.trim().toLowerCase() || 'x-service-company-id']: company, ...others } = headers;
						expect(company).toBe(companyId());
						const { 'x-service-company-id': _company, ...same } = the(usual);
						expect(others).toEqual(same);
					},
				),
				{ ...runs(30), examples: meant.map((name): [string] => [name]) },
			);
		},
		patience,
	);

	/** What the service is sent if the credential names the header so; undefined where it is refused. */
	async function headersUnder(companyHeaderName: string): Promise<Record<string, string> | undefined> {
		b.service.clearLog();
		const run = b.run(SecurityAwarenessTargetGroup, groupsOf(companyId()), {
			store: b.newStore('reseller', { companyHeaderName }),
		});
		const ended = await endOf(run, [companyHeaderName]);
		if ('error' in ended) expect(b.service.log).toEqual([]);
		return b.asked[0]?.headers;
	}
});
