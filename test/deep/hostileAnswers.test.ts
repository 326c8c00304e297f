/** Hostile input: what the service could answer. */
import fc from 'fast-check';
import { z } from 'zod';
import { MOST_RECORDS, readList } from '../../nodes/shared/answer/paging';
import { isOverLimit } from '../../nodes/shared/pickers/companies';
import { ServiceError } from '../../nodes/shared/transport/errors';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { runNode } from '../n8n-core';
import { isDeep, sample } from '../setup/depth';
import { textsIn } from '../n8n-core/texts';
import { answering, nodeFixture, hintsOf, sendJson, the } from '../n8n-core/nodeFixture';
import { cases } from '../cases';
import { operationFixture, itemWith } from '../cases/operationFixture';
import { runs, patience, OPERATIONS, junk, expectUnpolluted, endOf, expectNone, ownCompany, LONG } from './hostile';

const b = nodeFixture({ companies: 40 });
afterEach(expectUnpolluted);

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
});
