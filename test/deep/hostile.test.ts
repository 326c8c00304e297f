/**
 * Hostile input: what people, items, credentials and services could send that is meant to break something.
 * LONG_RUN=1 npx jest test/deep/hostile runs many more of each kind.
 */
import fc from 'fast-check';
import { NodeApiError, NodeOperationError, type IDataObject, type INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';
import { MOST_RECORDS, readList } from '../../nodes/shared/answer/paging';
import { fileNameOf } from '../../nodes/shared/answer/fileName';
import { isOverLimit } from '../../nodes/shared/pickers/company';
import { baseUrlOf } from '../../nodes/shared/transport/connection';
import { MAX_RETRY_AFTER_MS, retryAfterMs } from '../../nodes/shared/transport/responseError';
import { InvalidInput, ServiceError } from '../../nodes/shared/transport/errors';
import { SecurityAwarenessApiClient } from '../../nodes/ApiClient/SecurityAwarenessApiClient.node';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessCompanyGroup } from '../../nodes/CompanyGroup/SecurityAwarenessCompanyGroup.node';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { SecurityAwarenessScimIntegration } from '../../nodes/ScimIntegration/SecurityAwarenessScimIntegration.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { runNode, storeBinary, type RunResult } from '../n8n-core';
import { deepOr, isDeep, sample } from '../setup/depth';
import { textsIn } from '../n8n-core/texts';
import {
	answering,
	nodeFixture,
	bodyOf,
	failedItem,
	failureOf,
	hintsOf,
	isFailed,
	itemsOf,
	sendJson,
	the,
	TOKEN,
	type NodeClass,
} from '../n8n-core/nodeFixture';
import { cases } from '../cases';
import { operationFixture, itemWith } from '../cases/operationFixture';
import { byId } from '../cases/customerFixture';

/** How many times as much is tried when there is time. */
const LONG = process.env.LONG_RUN === '1' ? 20 : 1;
const runs = (count: number) => ({ numRuns: deepOr(count * LONG, Math.ceil(count / 5)) });
/** How many operations a sample tries of each kind. */
const OPERATIONS = 8;
const patience = 60_000 * LONG;

const AWKWARD = [
	...[
		'',
		' ',
		'.',
		'..',
		'../../x',
		'..\\..\\x',
		'/etc/passwd',
		'C:\\x',
		'%2e%2e%2f',
		'a%0d%0ab',
		'?a=b',
		'#x',
		'a/b',
		';',
		'&a=b',
		'"',
		"'",
	],
	...[
		'a\u0000b',
		'a\r\nX-Evil: 1',
		'a\nb',
		'\u2028',
		'\u202Egnp.exe',
		'\ufeff',
		'\ud800',
		'🚀',
		'株式会社',
		'x'.repeat(10_000),
		'🚀'.repeat(2_500),
	],
	...[
		'__proto__',
		'constructor',
		'toString',
		'null',
		'undefined',
		'NaN',
		'{{ 1 }}',
		'={{ 1 }}',
		'${1}',
		'<script>',
		'CON',
		'nul.csv',
	],
];
const awkward = fc.oneof(
	fc.constantFrom(...AWKWARD),
	fc.string({ unit: 'binary', maxLength: 300 }),
	fc.string({ maxLength: 40 }),
);
const someAwkward = (count: number) => fc.array(awkward, { minLength: count, maxLength: count });

/** Values that JSON can have, of every kind, some of them meant ill. */
const DEEP = `${'['.repeat(1000)}${']'.repeat(1000)}`;
const DEEP_OBJECT = `${'{"children":'.repeat(1000)}{}${'}'.repeat(1000)}`;
const POLLUTING = [
	'{"__proto__":{"polluted":true}}',
	'{"constructor":{"prototype":{"polluted":true}}}',
	'[{"__proto__":{"polluted":true}}]',
];
const jsonText = fc.oneof(
	fc.constantFrom(
		'null',
		'true',
		'false',
		'0',
		'-1',
		'1e308',
		'1e400',
		'""',
		'"text"',
		'[]',
		'{}',
		'[null]',
		'[[[]]]',
		'[1,"a",null]',
		'{"a":{"b":[{}]}}',
		DEEP,
		DEEP_OBJECT,
		...POLLUTING,
	),
	fc.json(),
	fc.json({ maxDepth: 3 }).map((inner) => `{"__proto__":${inner},"constructor":${inner},"name":${inner}}`),
);
const junk = jsonText.map((text): unknown => JSON.parse(text));

const untouched = () =>
	[Object.prototype, Array.prototype, Function.prototype].map((prototype) => Reflect.ownKeys(prototype).map(String));
const before = untouched();
const expectUnpolluted = () => {
	expect(untouched()).toEqual(before);
	expect({}).not.toHaveProperty('polluted');
};
afterEach(expectUnpolluted);

/** Words of JavaScript, which say nothing to a person. */
const RAW =
	/undefined|is not a function|not iterable|Cannot (read|set|convert)|is not valid JSON|Maximum call stack|\[object|Invalid (time value|array length|string length)|Unexpected (token|end)|ZodError|invalid_type/;
/** What a person reads must be for a person. */
function expectReadable(message: string, description: string | null | undefined, given: string[] = []): void {
	expect(message).toMatch(/^(Could not |')/);
	const words = given.reduce(
		(text, each) => (each === '' ? text : text.split(each).join('')),
		`${message}\n${description ?? ''}`,
	);
	expect(words).not.toMatch(RAW);
	expect(description ?? '').toMatch(/\w/);
}

type Ended = { result: RunResult } | { error: NodeApiError | NodeOperationError };
/** However a run ends: with items that are objects, or with an error for a person. */
async function endOf(run: Promise<RunResult>, given: string[] = []): Promise<Ended> {
	const ended = await run.then(
		(result) => ({ result }),
		(error: unknown) => ({ error }),
	);
	if ('error' in ended) {
		const { error } = ended;
		if (!(error instanceof NodeApiError || error instanceof NodeOperationError)) throw error;
		expectReadable(error.message, error.description, given);
		return { error };
	}
	for (const { json } of ended.result.items) {
		expect(Object.prototype.toString.call(json)).toBe('[object Object]');
		expect(() => JSON.stringify(json)).not.toThrow();
	}
	return ended;
}

const ofItem = ({ items }: RunResult, index: number): INodeExecutionData[] =>
	items.filter(({ pairedItem }) => JSON.stringify(pairedItem) === JSON.stringify({ item: index }));

/** Nothing of a credential is in any of these. */
function expectNone(values: unknown[], secrets: string[]): void {
	const texts = textsIn(values);
	expect(texts.length).toBeGreaterThan(0);
	expect(
		texts
			.filter((text) => secrets.some((secret) => secret !== '' && text.includes(secret)))
			.map((text) => text.slice(0, 200)),
	).toEqual([]);
}

const b = nodeFixture({ companies: 40 });
const companyId = () => the(b.service.state.companies[1]).companyResourceId;
const ownCompany = { companyScope: 'own' };
const groupsOf = (company: string) => ({ operation: 'getMany', companyScope: 'one', company: byId(company) });
const onError = 'continueRegularOutput' as const;

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
							...{
								operation: 'create',
								name: '={{ $json.name }}',
								country: 'c',
								licensePeriodType: 'p',
								timeZone: byId('UTC'),
								industry: byId('i'),
								licenseType: byId('l'),
							},
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

	test('a base URL: an origin, or refused', () => {
		const piece = fc.oneof(
			fc.constantFrom(
				'https://',
				'http://',
				'HTTPS://',
				'//',
				'@',
				':',
				'/',
				'\\',
				'?',
				'#',
				'..',
				'/api',
				'user:pass@',
				'localhost',
				'127.0.0.1',
				'[::1]',
				'example.com',
				'ex\u00e4mple.com',
				':443',
				':0',
				':99999',
				'\t',
				'\n',
				' ',
				'\u0000',
				'%00',
				'%2f',
			),
			awkward,
		);
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

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

describe('what the service answers', () => {
	const g = operationFixture('contract');
	const someGarbling = fc.array(fc.record({ whole: fc.nat(4).map((dice) => dice === 0), at: fc.nat(), junk }), {
		minLength: 2,
		maxLength: 2,
	});

	/** Every place in a value. */
	const placesIn = (value: unknown, path: string[] = []): string[][] =>
		typeof value === 'object' && value !== null
			? [path, ...Object.entries(value).flatMap(([key, each]) => placesIn(each, [...path, key]))]
			: [path];
	/** The value with something else in one place. */
	const put = (value: unknown, [key, ...path]: string[], other: unknown): unknown => {
		if (key === undefined) return other;
		if (Array.isArray(value))
			return value.map((each: unknown, index) => (String(index) === key ? put(each, path, other) : each));
		return Object.fromEntries(
			Object.entries(z.record(z.unknown()).catch({}).parse(value)).map(([name, each]) => [
				name,
				name === key ? put(each, path, other) : each,
			]),
		);
	};

	test.each(sample(cases, OPERATIONS))(
		'$node: $operation takes an answer of any shape',
		async ({ node, operation, prepare }) => {
			await fc.assert(
				fc.asyncProperty(someGarbling, async (garblings) => {
					for (const { whole, at, junk: other } of garblings) {
						g.service.setOptions({ garble: undefined });
						g.service.reset();
						const { parameters, files } = await prepare(g.customer);
						const item = await itemWith(files);
						g.service.clearLog();
						g.service.setOptions({
							garble: (envelope) => {
								const places = placesIn(envelope);
								return put(envelope, whole ? [] : the(places[at % places.length]), other);
							},
						});
						const ended = await endOf(
							runNode({
								node: g.node(node),
								parameters: { operation, ...parameters },
								credential: g.credential,
								items: [item],
							}),
							textsIn(other),
						);
						expect(g.asked.length).toBeLessThan(100);
						if ('error' in ended) expectNone([ended.error], [g.customer.credential().clientSecret]);
						expectUnpolluted();
					}
				}),
				runs(1),
			);
		},
		patience,
	);

	/** Text, number and comparison all break on such a value. */
	const BREAKS = { toString: 0, valueOf: 0 };
	/** The same value with every text and number of its records replaced, those that tell how many pages there are aside. */
	const broken = (value: unknown, name = ''): unknown => {
		if (Array.isArray(value)) return value.map((each: unknown) => broken(each));
		if (typeof value === 'object' && value !== null)
			return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, broken(each, key)]));
		return /^(page|total)/.test(name) ? value : BREAKS;
	};

	test.each(sample(cases, OPERATIONS, OPERATIONS))(
		'$node: $operation takes records of values that break on being read',
		async ({ node, operation, prepare }) => {
			g.service.setOptions({ garble: undefined });
			g.service.reset();
			const { parameters, files } = await prepare(g.customer);
			const item = await itemWith(files);
			g.service.setOptions({
				garble: (envelope) =>
					isObject(envelope) && 'data' in envelope ? { ...envelope, data: broken(envelope.data) } : envelope,
			});
			for (const more of [{}, { companyScope: 'every', companyFilter: { tags: 'gold' } }, { show: 'overLimit' }])
				await endOf(
					runNode({
						node: g.node(node),
						parameters: { operation, ...parameters, ...more },
						credential: g.credential,
						items: [item],
					}),
				);
		},
	);

	test('figures of a child company that break on being compared are none', () => {
		expect(isOverLimit({ isNumberOfUsersLimited: true, numberOfUsers: BREAKS, targetUserCount: BREAKS })).toBe(false);
		expect(isOverLimit({ isNumberOfUsersLimited: true, numberOfUsers: '5', targetUserCount: 6 })).toBe(true);
	});
	afterAll(() => g.service.setOptions({ garble: undefined }));

	const page = (number: number, size: number, more: object = {}) => ({
		results: Array.from({ length: size }, (_, index) => ({ resourceId: `${number}-${index}`, name: 'x' })),
		...more,
	});
	const endlessLists: Array<[string, (number: number, size: number) => object]> = [
		[
			'says there are ever more',
			(number, size) =>
				page(number, size, { totalNumberOfPages: number + 1_000, totalNumberOfRecords: (number + 1_000) * size }),
		],
		[
			'says there are more than anybody has',
			(number, size) => page(number, size, { totalNumberOfPages: 2 ** 31 - 1, totalNumberOfRecords: 2 ** 31 - 1 }),
		],
		['says nothing', (number, size) => page(number, size)],
	];

	// A million records take their time, so a sample is content with the limit below.
	if (isDeep) {
		test.each(endlessLists.slice(0, LONG))(
			'a list that has new records for ever, and %s, is given up with clear words',
			async (_name, answer) => {
				const reading = readList(
					async ({ pageNumber, pageSize }) => answer(pageNumber, pageSize),
					{ limit: Infinity, pageSize: 1000, ahead: 10 },
					{ identity: ['resourceId'] },
				);
				const problem: unknown = await reading.catch((error: unknown) => error);
				if (!(problem instanceof ServiceError)) throw new Error('It was not given up');
				expect(problem.details.reason).toBe(
					`the list has more than ${MOST_RECORDS.toLocaleString('en')} records, or no end`,
				);
				expect(problem.details.advice).toContain("'Limit'");
			},
			patience,
		);
	}

	test.each(endlessLists)(
		'a list that has new records for ever, and %s, is read to the limit and no further',
		async (_name, answer) => {
			let asked = 0;
			const ask = async ({ pageNumber, pageSize }: { pageNumber: number; pageSize: number }) => {
				asked++;
				return answer(pageNumber, pageSize);
			};
			const { records } = await readList(ask, { limit: 250, pageSize: 100, ahead: 10 }, { identity: ['resourceId'] });
			expect(records).toHaveLength(250);
			expect(asked).toBe(3);
		},
	);

	test.each<[string, (number: number) => object]>([
		['the same page for ever', () => page(1, 10, { totalNumberOfPages: 1_000_000, totalNumberOfRecords: 10_000_000 })],
		[
			'the same records without an ID for ever',
			() => ({ results: [{ text: 'a' }, { text: 'b' }], totalNumberOfPages: 1_000_000 }),
		],
		['empty pages for ever', () => ({ results: [], totalNumberOfPages: 1_000_000, totalNumberOfRecords: 5 })],
	])('%s: a few requests, and the person is told', async (_name, data) => {
		const odd = await answering((_request, response) => sendJson(response, 200, { data: data(1), status: 'success' }));
		const result = await b.run(
			SecurityAwarenessTargetGroup,
			{ operation: 'getMany', ...ownCompany, returnAll: true },
			{ store: odd.store },
		);
		expect(odd.requests.length).toBeLessThan(50);
		expect(result.items.length).toBeLessThanOrEqual(10);
		expect(hintsOf(result).length).toBeLessThanOrEqual(1);
	});

	test('a wish to wait: never longer than two minutes, never into the past', () => {
		const header = fc.oneof(
			awkward,
			fc.integer().map(String),
			fc.double().map(String),
			fc.date().map((date) => (Number.isNaN(date.getTime()) ? 'Invalid Date' : date.toUTCString())),
		);
		fc.assert(
			fc.property(header, (text) => {
				const ms = retryAfterMs(text);
				if (ms === undefined) return;
				expect(ms).toBeGreaterThanOrEqual(0);
				expect(ms).toBeLessThanOrEqual(MAX_RETRY_AFTER_MS);
			}),
			{ ...runs(1000), examples: [['315360000'], ['-5'], ['NaN'], ['1e99'], ['Infinity'], ['9'.repeat(400)]] },
		);
		expect(retryAfterMs('315360000')).toBe(MAX_RETRY_AFTER_MS);
	});

	test.each(['-5', 'NaN', 'soon', '', '0x10', 'Thu, 01 Jan 1970 00:00:00 GMT', 'Invalid Date'])(
		'a wish to wait for %j is no wait',
		async (retryAfter) => {
			b.service.fault({ kind: 'status-429', retryAfter });
			const at = Date.now();
			await b.run(SecurityAwarenessCompany, { operation: 'getOwn' });
			expect(Date.now() - at).toBeLessThan(5000);
			expect(b.asked.map(({ status }) => status)).toEqual([429, 200]);
		},
	);

	test('a wish to wait ten years, four times over: eight minutes at most, in pieces of a second', async () => {
		const real = setTimeout;
		const waited: number[] = [];
		jest.spyOn(globalThis, 'setTimeout').mockImplementation((work: () => void, ms = 0) => {
			// Only n8n's sleep is asked for a second at a time.
			if (ms === 1000) waited.push(ms);
			return real(work, ms === 1000 ? 0 : ms);
		});
		b.service.fault({ kind: 'status-429', retryAfter: String(10 * 365 * 86_400), times: Infinity });
		const error = await failureOf(b.run(SecurityAwarenessCompany, { operation: 'getOwn' }));
		expect(error.message).toContain('(429)');
		expect(waited.length).toBeGreaterThan(0);
		expect(waited.length * 1000).toBeLessThanOrEqual(4 * MAX_RETRY_AFTER_MS);
	});

	test('a name for a file is a name and no more, and none that Windows keeps for itself', () => {
		const devices = ['CON', 'nul.csv', 'Com1.x.csv', 'LPT9', 'aux', 'PRN .csv', 'com¹.csv'];
		fc.assert(
			fc.property(
				fc.oneof(
					awkward,
					fc.constantFrom(...devices),
					awkward.map((text) => `../${text}`),
				),
				fc.option(awkward, { nil: undefined }),
				(text, company) => {
					for (const header of [
						`attachment; filename="${text}"`,
						`attachment; filename*=UTF-8''${encodeURIComponent(text.replace(/\p{Surrogate}/gu, ''))}`,
						text,
					]) {
						const name = fileNameOf(
							{ status: 200, headers: { 'content-disposition': header }, body: undefined },
							'leaderboard',
							'csv',
							company === undefined ? undefined : 'Company',
						);
						expect(name).toMatch(
							/^[^/\\<>:"|?*\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+\.[A-Za-z0-9]{1,8}$/,
						);
						expect(name).not.toMatch(/^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])\s*\./i);
						expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
					}
				},
			),
			{ ...runs(500), examples: devices.map((name): [string, undefined] => [name, undefined]) },
		);
	});

	test.each([
		'../../../evil.csv',
		'..%2F..%2Fevil.csv',
		'a%00.csv',
		'x%0d%0aSet-Cookie: a=b.csv',
		'%E2%80%AEcod.csv',
		'CON.csv',
		`${'x'.repeat(10_000)}.csv`,
	])('a file called %s is stored under a harmless name', async (given) => {
		const odd = await answering((_request, response) =>
			response
				.writeHead(200, {
					'content-type': 'text/csv',
					'content-disposition': given.includes('%')
						? `attachment; filename*=UTF-8''${given}`
						: `attachment; filename="${given}"`,
				})
				.end('a,b'),
		);
		const { items } = await b.run(
			SecurityAwarenessLeaderboard,
			{ operation: 'export', ...ownCompany },
			{ store: odd.store },
		);
		const name = z.string().parse(items[0]?.json.fileName);
		expect(items[0]?.binary?.data?.fileName).toBe(name);
		expect(name).not.toMatch(/[/\\\u0000-\u001f\u202e]|^\.|^CON\./);
		expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
		// n8n's own place for it, below its own folder.
		expect(items[0]?.binary?.data?.directory ?? '').toBe('');
	});
});

describe('a redirect to another host', () => {
	const newClient = (clientSecret: string): IDataObject => ({
		operation: 'create',
		...ownCompany,
		name: 'n8n',
		clientId: 'id',
		clientSecret,
		roles: ['role'],
	});
	/** n8n itself shows a node's parameters, so the secret comes with the item. */
	const items = itemsOf({ secret: 'the-secret-in-the-body' });
	const doings: Array<[string, NodeClass, IDataObject]> = [
		['a read', SecurityAwarenessCompany, { operation: 'getOwn' }],
		['a search', SecurityAwarenessTargetGroup, { operation: 'getMany', ...ownCompany }],
		['a write with a secret', SecurityAwarenessApiClient, newClient('={{ $json.secret }}')],
		['a file', SecurityAwarenessLeaderboard, { operation: 'export', ...ownCompany }],
	];

	test.each(
		[301, 302, 303, 307, 308].flatMap((status) =>
			doings.map(([name, node, parameters]) => ({ status, name, node, parameters })),
		),
	)('$status, $name: no token goes there, and no secret', async ({ status, name, node, parameters }) => {
		const bodies: string[] = [];
		const other = await answering((request, response) => {
			request.on('data', (chunk: Buffer) => bodies.push(chunk.toString()));
			response.writeHead(200, { 'content-type': 'text/csv' }).end('a,b');
		});
		for (const to of [other.url, other.url.replace('127.0.0.1', 'localhost')]) {
			const odd = await answering((_request, response) =>
				response.writeHead(status, { location: `${to}/elsewhere` }).end(),
			);
			const ended = await endOf(b.run(node, parameters, { store: odd.store, items }));
			expectNone(
				[ended],
				[
					'the-token-of-the-odd-service',
					'the-secret-of-the-odd-service',
					...('error' in ended ? ['the-secret-in-the-body'] : []),
				],
			);
			// What is asked in JSON is for the service alone, so it is not followed at all.
			if (name !== 'a file')
				expect('error' in ended && ended.error.message).toMatch(
					new RegExp(`: the service answered with status ${status}$`),
				);
		}
		expect(JSON.stringify(other.requests.map(({ headers }) => headers))).not.toMatch(/authorization|bearer|the-token/i);
		expect(bodies.join('')).not.toContain('the-secret');
		if (name !== 'a file') expect(other.requests).toEqual([]);
	});
});

describe('what the token endpoint answers', () => {
	const EVER = 10_000;
	const good = { access_token: 'a-good-token-1234', token_type: 'Bearer', expires_in: 3600 };
	const answers: Array<[string, (secret: string) => { body: string; type?: string; status?: number }]> = [
		['a web page', () => ({ body: '<!DOCTYPE html><html><body>Sign in</body></html>', type: 'text/html' })],
		['5 MB of a web page', () => ({ body: `<html>${'x'.repeat(5_000_000)}</html>`, type: 'text/html' })],
		['5 MB of JSON', () => ({ body: JSON.stringify({ ...good, rest: 'x'.repeat(5_000_000) }) })],
		['a token of 5 MB', () => ({ body: JSON.stringify({ ...good, access_token: 'x'.repeat(5_000_000) }) })],
		[
			'a token with line breaks',
			() => ({ body: JSON.stringify({ ...good, access_token: 'secret-token-part\r\nX-Evil: 1' }) }),
		],
		[
			'a token with a line break at its end',
			() => ({ body: JSON.stringify({ ...good, access_token: 'secret-token-part\n' }) }),
		],
		[
			'a token with letters that a header cannot carry',
			() => ({ body: JSON.stringify({ ...good, access_token: 'secret-token-part-株' }) }),
		],
		['an empty token', () => ({ body: JSON.stringify({ ...good, access_token: '' }) })],
		['no token', () => ({ body: '{}' })],
		['a token that is a number', () => ({ body: JSON.stringify({ ...good, access_token: 5 }) })],
		[
			'a token that is an object',
			() => ({ body: JSON.stringify({ ...good, access_token: { a: 'secret-token-part' } }) }),
		],
		...['-1', '0', '"soon"', '1e308', 'null', '{}', '[]', 'true'].map((expires): [string, () => { body: string }] => [
			`a life of ${expires}`,
			() => ({ body: `{"access_token":"a-good-token-1234","token_type":"Bearer","expires_in":${expires}}` }),
		]),
		['another kind of token', () => ({ body: JSON.stringify({ ...good, token_type: 'Mac\r\nX: 1' }) })],
		['null', () => ({ body: 'null' })],
		['a list', () => ({ body: '[]' })],
		['a text', () => ({ body: '"secret-token-part"' })],
		['cut JSON', () => ({ body: '{"access_token":"secret-token-part' })],
		[
			'what would pollute',
			() => ({ body: '{"__proto__":{"polluted":true},"access_token":"a-good-token-1234","token_type":"Bearer"}' }),
		],
		['permissions that are none', () => ({ body: JSON.stringify({ ...good, permissions: { a: 1 } }) })],
		[
			'the secret in an error',
			(secret) => ({
				status: 400,
				body: JSON.stringify({ error: 'invalid_client', error_description: `You sent ${secret}` }),
			}),
		],
		['a redirect to nowhere', () => ({ status: 302, body: '' })],
	];

	test.each(answers)(
		'%s: ends soon, with the data or an error for a person, and shows no secret',
		async (_name, answer) => {
			const secret = 'the-secret-of-the-odd-service';
			const results: unknown[] = [];
			for (const mode of ['stopWorkflow', onError] as const) {
				const odd = await answering(
					(_request, response) => sendJson(response, 200, { data: { name: 'there' }, status: 'success' }),
					(response) => {
						const { body, type = 'application/json', status = 200 } = answer(secret);
						response.writeHead(status, { 'content-type': type }).end(body);
					},
				);
				const at = Date.now();
				const ended = await endOf(
					b.run(SecurityAwarenessCompany, { operation: 'getOwn' }, { store: odd.store, onError: mode }),
				);
				expect(Date.now() - at).toBeLessThan(EVER);
				if ('result' in ended)
					for (const item of ended.result.items.filter(isFailed))
						expectReadable(failedItem(item).message, failedItem(item).error.description);
				results.push(ended);
				for (const { headers } of odd.requests) expect(headers).not.toHaveProperty('x-evil');
				expect(odd.tokenRequests()).toBeLessThanOrEqual(6);
				expectUnpolluted();
			}
			expectNone(results, [secret, 'secret-token-part', 'a-good-token-1234', 'x'.repeat(1000)]);
		},
		patience,
	);

	test.each([301, 302, 303])('a redirect (%d) of the token request takes no secret to another host', async (status) => {
		const bodies: string[] = [];
		const other = await answering((request, response) => {
			request.on('data', (chunk: Buffer) => bodies.push(chunk.toString()));
			sendJson(response, 200, good);
		});
		const odd = await answering(
			(_request, response) => sendJson(response, 200, { data: {} }),
			(response) => response.writeHead(status, { location: `${other.url}/elsewhere` }).end(),
		);
		await endOf(b.run(SecurityAwarenessCompany, { operation: 'getOwn' }, { store: odd.store }));
		expect(bodies.join('') + JSON.stringify(other.requests)).not.toContain('the-secret');
		expect(b.service.requests(TOKEN)).toEqual([]);
	});
});
