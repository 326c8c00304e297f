import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { readList, type ListShape, type PageRequest } from '../../nodes/shared/answer/paging';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessTargetGroup } from '../../nodes/TargetGroup/SecurityAwarenessTargetGroup.node';
import { deepOr } from '../setup/depth';
import { nodeFixture, hintsOf, jsonOf, pageOf, textOf, type RunMore } from '../n8n-core/nodeFixture';
import { changes, FakeList, fewOrMany, service, wish, type Change, type Service } from './fakeList';
import { turnClock } from '../setup/turnedClock';

turnClock();

/** Reads the list while its answers arrive in an order of fast-check's choosing. */
async function read(
	scheduler: fc.Scheduler,
	list: FakeList,
	want: { limit: number; pageSize: number; ahead: number },
	shape: ListShape = { identity: ['id'] },
) {
	const ask = async (page: PageRequest) => {
		const answer = list.answer(page);
		// The test must not run for ever if the reading never ends.
		if (list.asked.length > 2_000) throw new Error('It never ends');
		return await scheduler.schedule(Promise.resolve(answer));
	};
	const { records, steady } = await scheduler.waitFor(readList(ask, want, shape));
	return {
		ids: records.map(({ id, text }) => (typeof id === 'number' ? id : Number(/\d+/.exec(textOf(text))?.[0]))),
		steady,
	};
}

const property = <T>(
	given: fc.Arbitrary<T>,
	holds: (scheduler: fc.Scheduler, given: T) => Promise<void>,
	numRuns = deepOr(200, 40),
) => fc.assert(fc.asyncProperty(fc.scheduler(), given, holds), { numRuns });

describe('reading a list page by page', () => {
	test('gives what is there, in order, exactly up to the limit, whatever the service says and however large its pages', async () => {
		await property(fc.tuple(service(), wish), async (scheduler, [of, want]) => {
			const list = new FakeList(of);
			const { ids, steady } = await read(scheduler, list, want);
			expect(ids).toEqual(list.stayed.slice(0, want.limit));
			expect(steady).toBe(true);
			const size = Math.min(of.largest, want.pageSize);
			expect(list.asked.length).toBeLessThanOrEqual(
				Math.ceil(Math.min(of.records, want.limit) / Math.min(size, want.limit)) + 1,
			);
		});
	});

	test('gives those that are kept, and what records stand for, with a limit that counts these', async () => {
		await property(fc.tuple(service(), wish, fc.integer({ min: 1, max: 5 })), async (scheduler, [of, want, nth]) => {
			const list = new FakeList(of);
			const expand = (record: IDataObject) => [record, { id: 1000 + Number(record.id) }];
			const { ids } = await read(scheduler, list, want, {
				identity: ['id'],
				expand,
				keep: ({ id }) => Number(id) % nth === 0,
			});
			const all = list.stayed.flatMap((id) => [id, 1000 + id]).filter((id) => id % nth === 0);
			expect(ids).toEqual(all.slice(0, want.limit));
		});
	});

	test('loses nothing that was there all the time if it says so, and gives none twice, while records appear and vanish', async () => {
		let unsteady = 0;
		await property(
			fc.tuple(service({ changes: fewOrMany(6), says: fc.constant('pages and total') }), wish),
			async (scheduler, [of, want]) => {
				const list = new FakeList(of);
				const { ids, steady } = await read(scheduler, list, want);
				if (!steady) unsteady++;
				expect(new Set(ids).size).toBe(ids.length);
				expect(ids.length).toBeLessThanOrEqual(want.limit);
				expect(ids.filter((id) => !list.everThere.has(id))).toEqual([]);
				if (steady && want.limit === Infinity) expect(list.stayed.filter((id) => !ids.includes(id))).toEqual([]);
				if (steady && list.stayed.length >= want.limit) expect(ids).toHaveLength(want.limit);
			},
			// Enough that some are among them which keep changing, whatever the seed.
			deepOr(200, 100),
		);
		// Otherwise the test would not cover lists that keep changing.
		expect(unsteady).toBeGreaterThan(0);
	});

	test('reads a list that changed once, or in two readings, again until it stands still, deleted records left out', async () => {
		await property(
			fc.tuple(service({ changes: changes(2), says: fc.constant('pages and total') }), wish),
			async (scheduler, [of, want]) => {
				const list = new FakeList(of);
				const { ids, steady } = await read(scheduler, list, { ...want, limit: Infinity });
				expect(steady).toBe(true);
				expect(list.stayed.filter((id) => !ids.includes(id))).toEqual([]);
			},
		);
	});

	test.each([true, false])('comes to an end where pages do not (records with an ID: %s)', async (identified) => {
		await property(
			fc.tuple(
				service({
					endless: fc.constant(true),
					identified: fc.constant(identified),
					says: fc.constantFrom('pages and total', 'pages'),
				}),
				wish,
			),
			async (scheduler, [of, want]) => {
				const list = new FakeList(of);
				const { ids } = await read(scheduler, list, want);
				expect(ids).toEqual(list.stayed.slice(0, want.limit));
				const pages = Math.ceil(of.records / Math.min(of.largest, want.pageSize, want.limit));
				expect(list.asked.length).toBeLessThanOrEqual(3 * (pages + want.ahead + 1));
			},
		);
	});

	test('gives no record twice where the service tells nothing and its list changes', async () => {
		await property(fc.tuple(service({ changes: changes(6) }), wish), async (scheduler, [of, want]) => {
			const { ids } = await read(scheduler, new FakeList(of), want);
			expect(new Set(ids).size).toBe(ids.length);
			expect(ids.length).toBeLessThanOrEqual(want.limit);
		});
	});

	const always = (more: Partial<Service>): FakeList =>
		new FakeList({
			records: 6,
			largest: 10,
			says: 'pages and total',
			changes: [],
			endless: false,
			identified: true,
			...more,
		});
	const atHead = (...before: number[]) => before.map((each): Change => ({ before: each, kind: 'insert', at: 0 }));
	const ids = ({ records }: { records: IDataObject[] }) => records.map(({ id }) => id);

	test('reads it again where only a record met twice tells that it moved', async () => {
		const list = always({ says: 'pages', changes: atHead(1) });
		const read = await readList(
			async (page) => list.answer(page),
			{ limit: Infinity, pageSize: 2, ahead: 1 },
			{ identity: ['id'] },
		);
		expect([ids(read), read.steady]).toEqual([[6, 0, 1, 2, 3, 4, 5], true]);
	});

	test('holds to the limit also where three readings bring more between them', async () => {
		const list = always({ changes: atHead(1, 3, 5) });
		const read = await readList(
			async (page) => list.answer(page),
			{ limit: 4, pageSize: 2, ahead: 1 },
			{ identity: ['id'] },
		);
		expect([ids(read), read.steady]).toEqual([[7, 6, 0, 1], false]);
	});

	test('hands on the failure of a page, and what comes after is not waited for', async () => {
		const list = new FakeList({
			records: 50,
			largest: 10,
			says: 'pages',
			changes: [],
			endless: false,
			identified: true,
		});
		const ask = async (page: PageRequest) =>
			page.pageNumber === 3 ? Promise.reject(new Error('page 3')) : list.answer(page);
		await expect(readList(ask, { limit: Infinity, pageSize: 10, ahead: 2 }, { identity: ['id'] })).rejects.toThrow(
			'page 3',
		);
	});
});

describe('over HTTP', () => {
	const b = nodeFixture({ companies: 120 });
	const SEARCH = 'POST /api/companies/search';
	const run = async (parameters: IDataObject = {}, more?: RunMore) =>
		await b.run(
			SecurityAwarenessCompany,
			{ operation: 'getMany', returnAll: true, options: { pageSize: 10 }, ...parameters },
			more,
		);
	const seeded = () => b.service.state.companies.map(({ companyResourceId }) => companyResourceId);
	const idsOf = (items: IDataObject[]) => items.map(({ companyResourceId }) => companyResourceId);

	test.each(['insert', 'remove'] as const)(
		'%s before page 2: read again, nothing lost, none twice, nothing to tell',
		async (kind) => {
			b.service.fault({ route: SEARCH, kind, page: 2 });
			const result = await run();
			const ids = idsOf(jsonOf(result.items));
			expect(new Set(ids).size).toBe(ids.length);
			const missing = seeded().filter((id) => !ids.includes(id));
			// Of a list that lost its first entry, that one and its children are gone.
			if (kind === 'insert') expect([missing.length, ids.length]).toEqual([0, seeded().length + 1]);
			else expect(missing.length).toBe(seeded().length - ids.length);
			expect(ids.length).toBeGreaterThanOrEqual(seeded().length - 5);
			expect(b.asked.map(pageOf).filter((page) => page === 1)).toHaveLength(2);
			expect(hintsOf(result)).toEqual([]);
		},
	);

	test('a list that changes at every reading: said', async () => {
		b.service.fault({ route: SEARCH, kind: 'insert', page: 2, times: Infinity });
		const result = await run();
		const ids = idsOf(jsonOf(result.items));
		expect(new Set(ids).size).toBe(ids.length);
		expect(seeded().filter((id) => !ids.includes(id))).toEqual([]);
		expect(hintsOf(result)).toEqual([expect.stringContaining('changed again and again while it was read')]);
	});

	test.each([
		[
			'the total of every company',
			SecurityAwarenessCompany,
			{ operation: 'getTotalActiveUsers' },
			'So the total may be wrong.',
		],
		[
			'Every Company',
			SecurityAwarenessTargetGroup,
			{ operation: 'getMany', companyScope: 'every', companyFilter: { nameContains: 'bakery' } },
			'Nothing was done for companies that are not listed.',
		],
	])('%s: that the list of companies changed at every reading is said', async (_what, node, parameters, so) => {
		b.service.setOptions({ maxPageSize: 20 });
		b.service.fault({ route: SEARCH, kind: 'insert', page: 2, times: Infinity });
		const hints = hintsOf(await b.run(node, parameters)).filter((hint) => hint.startsWith('The list of companies'));
		expect(hints).toEqual([expect.stringMatching(/ changed again and again while it was read, so records /)]);
		expect(hints[0]).toContain(so);
	});

	test('a service that never says where its list ends', async () => {
		b.service.fault({ route: SEARCH, kind: 'endless', times: Infinity });
		const { items } = await run();
		expect([...idsOf(jsonOf(items))].sort()).toEqual(seeded().sort());
		expect(b.asked.length).toBeLessThan(3 * (12 + 11));
	});

	test('a limit asks for no more pages than it needs', async () => {
		const { items } = await run({ returnAll: false, limit: 10, splitChildren: false });
		expect(items).toHaveLength(10);
		expect(b.asked).toHaveLength(1);
	});
});
