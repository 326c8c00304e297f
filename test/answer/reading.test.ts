/**
 * Lists of services whose counts are wrong, or whose pages are limited, incomplete or empty: no record is lost without
 * a hint, none is returned twice, and the reading ends.
 */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { readList, remarkOn, type PageRequest } from '../../nodes/shared/answer/paging';
import { deepOr } from '../setup/depth';
import { ServiceError } from '../../nodes/shared/transport/errors';
import { HONEST, LyingList, read, upTo, type Lying, type Pages, type Total } from './lyingList';

describe('what was measured', () => {
	test.each<[string, Partial<Lying>, number]>([
		['of 4 full pages', {}, 4],
		['of one short page', { records: 30 }, 1],
		['of one full page', { records: 100 }, 1],
		['without records', { records: 0 }, 1],
		['of pages capped and counted so', { records: 120, largest: 50 }, 3],
		['with its totals on page 1 only', { records: 250, total: 'on page 1 only' }, 3],
		['whose totals are null after page 1', { records: 250, total: 'null after page 1' }, 3],
	])('an honest list %s costs no more requests than it has pages', async (_name, of, requests) => {
		const found = await read(of);
		expect(found).toMatchObject({ ids: upTo(found.list.of.records), steady: true, missing: 0, requests });
		expect(remarkOn(found)).toBeUndefined();
	});

	test('pages capped at 50 but counted by 100: all 120, in as many requests as there are pages', async () => {
		const { ids, requests, steady, missing } = await read({ records: 120, largest: 50, pages: 'by the size asked' });
		expect({ ids, requests, steady, missing }).toEqual({ ids: upTo(120), requests: 3, steady: true, missing: 0 });
	});

	test('the pages behind those that are counted are read side by side', async () => {
		let now = 0;
		let most = 0;
		const list = new LyingList({ ...HONEST, records: 2000, largest: 50, pages: 'by the size asked' });
		const ask = async (page: PageRequest) => {
			most = Math.max(most, page.pageNumber > 20 ? ++now : 0);
			await new Promise((resolve) => setImmediate(resolve));
			now = Math.max(0, now - 1);
			return await list.answer(page);
		};
		const { records } = await readList(ask, { limit: Infinity, pageSize: 100, ahead: 8 }, { identity: ['id'] });
		expect([records.length, list.asked.length]).toEqual([2000, 40]);
		expect(most).toBeGreaterThan(4);
	});

	test('pages that leave out what they are too short for: read again by their own size', async () => {
		expect(await read({ records: 120, largest: 50, leavesOut: true, pages: 'by the size asked' })).toMatchObject({
			ids: upTo(120),
			steady: true,
			missing: 0,
		});
	});

	test('pages trimmed by rights: a limit is reached all the same', async () => {
		const { ids, list } = await read({ records: 400, hides: 5 }, { limit: 250 });
		expect(ids).toEqual(list.stayed.slice(0, 250));
	});

	test('pages trimmed by rights: how many records are missing is said', async () => {
		const found = await read({ records: 400, hides: 5, total: 'with hidden' });
		expect(found).toMatchObject({ ids: found.list.stayed, steady: true, missing: 80 });
		expect(found.requests).toBeLessThanOrEqual(12);
		expect(remarkOn(found, 'The list of companies')).toMatch(
			/^The list of companies is not complete: the service counts 400 records, but 80 of them are on none of its pages\. /,
		);
	});

	test('an empty page in the middle: read again by other pages', async () => {
		const found = await read({ hole: 2 });
		expect([...found.ids].sort((one, other) => one - other)).toEqual(upTo(400));
		expect(found.missing).toBe(0);
		expect(found.requests).toBeLessThanOrEqual(15);
	});

	test.each<[string, Partial<Lying>]>([
		['too many', { total: 'too many' }],
		['too few', { records: 330, total: 'too few', pages: 'one' }],
		['0 of everything', { total: 'zero', pages: 'zero' }],
		['nothing', { total: 'missing', pages: 'missing' }],
		['null', { total: 'null', pages: 'missing' }],
		['too few pages and no total', { total: 'missing', pages: 'one' }],
		['one page, and a right total', { pages: 'one' }],
		['too many pages', { pages: 'too many' }],
	])('a service that counts %s', async (_name, of) => {
		const found = await read(of);
		expect(found.ids).toEqual(upTo(found.list.of.records));
		expect(found.steady).toBe(true);
		expect(found.missing > 0).toBe(of.total === 'too many');
		expect(found.requests).toBeLessThan(45);
	});

	test('a count of records that is what one page holds, beside a higher count of pages', async () => {
		const list = new LyingList(HONEST);
		const ask = async (page: PageRequest) => Object.assign({}, await list.answer(page), { totalNumberOfRecords: 100 });
		const found = await readList(ask, { limit: Infinity, pageSize: 100, ahead: 4 }, { identity: ['id'] });
		expect(found).toMatchObject({ steady: true, missing: 0, records: upTo(400).map((id) => ({ id })) });
	});

	test('a count of records that is that of parents, beside a lower count of pages: all parents and their children', async () => {
		const list = new LyingList({ ...HONEST, records: 4, largest: 1, pages: 'one' });
		const ask = async (page: PageRequest) => await list.answer(page);
		const expand = (parent: IDataObject) => [parent, { id: `child of ${String(parent.id)}` }];
		const { records } = await readList(ask, { limit: Infinity, pageSize: 100, ahead: 4 }, { identity: ['id'], expand });
		expect(records).toEqual(upTo(4).flatMap((id) => expand({ id })));
	});

	test('a page that comes again and again, with records that have no identity among others', async () => {
		let asked = 0;
		const ask = async () => {
			if (asked++ > 200) throw new Error('It never ends');
			return { results: [{ id: 1 }, { name: 'x' }, { id: 2 }, {}], totalNumberOfPages: 1 };
		};
		const found = await readList(ask, { limit: Infinity, pageSize: 100, ahead: 4 }, { identity: ['id'] });
		expect(found).toMatchObject({ steady: true, missing: 0, records: [{ id: 1 }, { name: 'x' }, { id: 2 }, {}] });
		expect(asked).toBe(2);
	});

	test('a plain list, given page by page, or whole', async () => {
		expect(await read({ bare: true })).toMatchObject({ ids: upTo(400), steady: true });
		expect(await read({ bare: true, records: 30 })).toMatchObject({ ids: upTo(30), requests: 1, steady: true });
		const whole = async () => upTo(100).map((id) => ({ id }));
		expect(await readList(whole, { limit: Infinity, pageSize: 100, ahead: 4 }, { identity: ['id'] })).toMatchObject({
			steady: true,
			records: upTo(100).map((id) => ({ id })),
		});
	});

	test('a service that refuses a page behind the last one is not asked again, and nothing fails', async () => {
		expect(await read({ refusesBehind: true, total: 'missing', pages: 'one' })).toMatchObject({
			ids: upTo(400),
			requests: 5,
		});
		expect(await read({ refusesBehind: true, total: 'too many' })).toMatchObject({
			ids: upTo(400),
			steady: true,
			missing: 807,
		});
	});

	test('a failure of a page that is counted stays one', async () => {
		const list = new LyingList(HONEST);
		const problem = new ServiceError({
			reason: 'no',
			advice: '',
			cause: 'refused',
			status: 400,
			mayHaveBeenApplied: false,
			transient: false,
		});
		const ask = async (page: PageRequest) =>
			page.pageNumber === 3 ? Promise.reject(problem) : await list.answer(page);
		await expect(readList(ask, { limit: Infinity, pageSize: 100, ahead: 4 }, { identity: ['id'] })).rejects.toBe(
			problem,
		);
	});

	test('an endless list is given up by the records that were read, though none of them is wanted', async () => {
		let asked = 0;
		const ask = async ({ pageNumber }: PageRequest) => {
			// The test must not run for ever if the reading never ends.
			if (asked++ > 200) throw new Error('It never ends');
			return { results: upTo(100).map((index) => ({ id: pageNumber * 100 + index })) };
		};
		const want = { pageSize: 100, ahead: 1, most: 5_000 };
		for (const limit of [Infinity, 50]) {
			asked = 0;
			const problem: unknown = await readList(ask, { ...want, limit }, { identity: ['id'], keep: () => false }).catch(
				(error: unknown) => error,
			);
			if (!(problem instanceof ServiceError)) throw new Error('It was not given up');
			expect(problem.details.reason).toContain('or no end');
			expect(asked).toBe(51);
		}
	});
});

describe('whatever the service says of its list', () => {
	const size = fc.record({
		limit: fc.constant(Infinity),
		pageSize: fc.integer({ min: 1, max: 30 }),
		ahead: fc.integer({ min: 1, max: 12 }),
	});
	const lies = (more: Partial<{ [K in keyof Lying]: fc.Arbitrary<Lying[K]> }> = {}): fc.Arbitrary<Lying> =>
		fc.record({
			...{
				records: fc.nat(60),
				hides: fc.constant(0),
				largest: fc.integer({ min: 1, max: 40 }),
				leavesOut: fc.constant(false),
			},
			total: fc.constantFrom<Total[]>(
				'right',
				'with hidden',
				'too many',
				'too few',
				'zero',
				'missing',
				'null',
				'on page 1 only',
			),
			pages: fc.constantFrom<Pages[]>('right', 'by the size asked', 'too many', 'one', 'zero', 'missing'),
			...{
				hole: fc.constant(undefined),
				changes: fc.constant([]),
				refusesBehind: fc.constant(false),
				bare: fc.constant(false),
			},
			...more,
		});
	const trouble = {
		...{
			hides: fc.constantFrom(0, 0, 2, 3, 7),
			leavesOut: fc.boolean(),
			hole: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
			bare: fc.constantFrom(false, false, true),
		},
		changes: fc.uniqueArray(
			fc.record({
				before: fc.integer({ min: 1, max: 12 }),
				kind: fc.constantFrom('insert' as const, 'remove' as const),
			}),
			{ selector: ({ before }) => before, maxLength: 4 },
		),
	};
	const property = <T extends readonly unknown[]>(given: fc.Arbitrary<T>, holds: (...given: [...T]) => Promise<void>) =>
		fc.assert(
			fc.asyncProperty(given, async (each) => await holds(...each)),
			{ numRuns: Number(process.env.RUNS ?? deepOr(500, 100)) },
		);

	test('it comes to an end, gives nothing twice and nothing that is not there, and no more than was asked for', async () => {
		const want = fc.record({
			limit: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 70 })),
			pageSize: fc.integer({ min: 1, max: 30 }),
			ahead: fc.integer({ min: 1, max: 12 }),
		});
		await property(fc.tuple(lies(trouble), want), async (of, wanted) => {
			const { ids, list, requests } = await read(of, wanted);
			expect(new Set(ids).size).toBe(ids.length);
			expect(ids.length).toBeLessThanOrEqual(wanted.limit);
			expect(ids.filter((id) => !list.everThere.has(id))).toEqual([]);
			// Three passes, at worst over pages as short as the shortest that the service gives all the time; where a page is
			// empty, the last and shortest one may be the only one that was seen.
			const shortest = of.hole === undefined ? Math.min(of.largest, wanted.pageSize, wanted.limit) : 1;
			const pages = Math.ceil((of.records + of.changes.length) / Math.max(1, Math.floor(shortest / 4)));
			expect(requests).toBeLessThanOrEqual(3 * (pages + 12 + wanted.ahead));
		});
	});

	test('a list that stands still is given whole, whether its pages are capped and however they are counted, if its records are counted right or not at all', async () => {
		const total = fc.constantFrom<Total[]>('right', 'zero', 'missing', 'null', 'on page 1 only', 'null after page 1');
		await property(fc.tuple(lies({ total }), size), async (of, want) => {
			const { ids, steady, missing } = await read(of, want);
			expect(ids).toEqual(upTo(of.records));
			expect([steady, missing]).toEqual([true, 0]);
		});
	});

	test('where records are counted right, pages that leave some out are read again by their own size', async () => {
		await property(
			fc.tuple(lies({ total: fc.constant('right'), leavesOut: fc.constant(true) }), size),
			async (of, want) => {
				const { ids, missing } = await read(of, want);
				expect([...ids].sort((one, other) => one - other)).toEqual(upTo(of.records));
				expect(missing).toBe(0);
			},
		);
	});

	test('what is trimmed, left out or on an empty page is given, or said to be missing, where the count of records has it', async () => {
		const total = fc.constantFrom<Total[]>('right', 'with hidden', 'too many', 'on page 1 only');
		await property(
			fc.tuple(lies({ ...trouble, total, changes: fc.constant([]), bare: fc.constant(false) }), size),
			async (of, want) => {
				const { ids, list, missing, steady } = await read(of, want);
				const lost = list.stayed.filter((id) => !ids.includes(id));
				expect(steady).toBe(true);
				expect(missing).toBeGreaterThanOrEqual(lost.length);
			},
		);
	});

	test('while records appear and go: nothing that stands still is lost without a word, however pages are counted and capped', async () => {
		const total = fc.constant<Total>('right');
		await property(fc.tuple(lies({ total, changes: trouble.changes }), size), async (of, want) => {
			const { ids, list, missing, steady } = await read(of, want);
			const lost = list.stayed.filter((id) => !ids.includes(id));
			if (steady && missing === 0) expect(lost).toEqual([]);
		});
	});
});
