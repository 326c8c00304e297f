/** How a list is read where there is no time for all of it, and where something stands last. */
import { idsOf, names, reading, refusal, row, rows, timeless, type How } from './readFixture';

describe('where there is no time for all of it', () => {
	/** Time is up with so many requests. */
	const upAfter = (most: number) => {
		let requests = 0;
		return { before: () => void requests++, isOver: () => requests >= most };
	};
	const list = rows(10);

	test('the next reading goes on with the page where this one stopped', async () => {
		const read = await reading(list, { pageSize: 2, hours: 999, ...upAfter(2) });
		expect(read).toMatchObject({
			ids: 'r0 r1 r2 r3',
			isComplete: false,
			reach: Infinity,
			resume: { page: 3, size: 2 },
		});
		const rest = await reading(list, { pageSize: 2, hours: 999, resume: { page: 3, size: 2 }, ...upAfter(3) });
		expect(rest.asked).toEqual(['3/2', '4/2', '5/2']);
	});

	test('a reading that began in the middle reads the pages before it as well, if there is time', async () => {
		const read = await reading(list, { pageSize: 2, hours: 999, known: names(list), resume: { page: 4, size: 2 } });
		expect(read.asked.slice(0, 4)).toEqual(['4/2', '5/2', '6/2', '1/2']);
		expect(read.seen.map(({ id }) => id).sort()).toEqual(names(list));
		expect(read).toMatchObject({ isComplete: true, reach: -Infinity });
	});

	test('a list that was read from the middle to its end is complete, if there is no time for more', async () => {
		const known = names(list);
		const read = await reading(list, { pageSize: 2, hours: 999, known, resume: { page: 4, size: 2 }, ...upAfter(3) });
		expect(read).toMatchObject({ ids: 'r6 r7 r8 r9', isComplete: true });
		expect(read).not.toHaveProperty('resume');
	});

	test('the same, if the time is up only on the way from the first page', async () => {
		const how: How = { pageSize: 2, hours: 999, resume: { page: 4, size: 2 } };
		const read = await reading(list, { ...how, ...upAfter(4) });
		expect(read.asked).toEqual(['4/2', '5/2', '6/2', '1/2']);
		expect(read).toMatchObject({ ids: 'r0 r1 r6 r7 r8 r9', isComplete: true });
		expect(read).not.toHaveProperty('resume');
	});

	test('but not if it changed meanwhile', async () => {
		const { isOver, before: count } = upAfter(4);
		const before: How['before'] = (request, _page, now) => {
			count();
			if (request === 2) now.unshift(row('new', 0));
		};
		const read = await reading(list, { pageSize: 2, hours: 999, resume: { page: 4, size: 2 }, isOver, before });
		expect(read).toMatchObject({ isComplete: false, resume: { page: expect.any(Number), size: 2 } });
		const first = upAfter(5);
		const shifting: How['before'] = (request, _page, now) => {
			first.before();
			if (request === 2) now.unshift(row('new', 0));
		};
		expect(await reading(list, { pageSize: 2, hours: 999, isOver: first.isOver, before: shifting })).toMatchObject({
			isComplete: false,
		});
	});

	test('a page of the usual size is enough to stop at', async () => {
		const read = await reading(rows(300), { hours: 999, ...upAfter(2) });
		expect(read.asked).toEqual(['1/100', '1/1000']);
		expect(read).toMatchObject({ isComplete: false, resume: { page: 2, size: 1000 } });
	});

	test('nor does a second look that fails when the time is up take anything back', async () => {
		let isOver = false;
		const before = (request: number) => {
			if (request < 2) return;
			isOver = true;
			throw refusal(500);
		};
		const read = await reading(rows(300), { hours: 999, isOver: () => isOver, before });
		expect(read.seen).toHaveLength(100);
		expect(read).toMatchObject({ isComplete: false, resume: { page: 1, size: 1000 } });
	});

	test('a whole list that there was time for is complete, though there is none for a second look', async () => {
		const read = await reading(list, { pageSize: 5, hours: 999, ...upAfter(3) });
		expect(read).toMatchObject({ isComplete: true, reach: -Infinity });
		expect(read.asked).toEqual(['1/5', '2/5', '3/5']);
	});

	test('one page at least is read', async () => {
		const read = await reading(list, { pageSize: 2, hours: 999, isOver: () => true });
		expect(read).toMatchObject({ ids: 'r0 r1', resume: { page: 2, size: 2 }, isComplete: false });
		expect(await reading(rows(3), { known: names(rows(3)), isOver: () => true })).toMatchObject({
			ids: 'r0 r1 r2',
			isComplete: true,
		});
	});

	test('a request that fails when the time is up is asked for again the next time', async () => {
		let isOver = false;
		const before = (request: number) => {
			if (request < 3) return;
			isOver = true;
			throw refusal(500);
		};
		const read = await reading(list, { pageSize: 2, hours: 999, isOver: () => isOver, before });
		expect(read).toMatchObject({ ids: 'r0 r1 r2 r3', resume: { page: 3, size: 2 }, isComplete: false });
	});
});

describe('what stands last because it has no create time', () => {
	const list = [...rows(300), ...timeless(2)];
	const known = names(list);

	test('is found at once where the service counts more than it has shown', async () => {
		const read = await reading(list, { known: names(rows(300)), total: 300 });
		expect(read.asked).toEqual(['1/100', '1/1000', '2/1000']);
		expect(read).toMatchObject({ isComplete: true, reach: -Infinity, total: 302 });
		expect(read.ids).toBe(idsOf(list));
	});

	test.each<[string, How]>([
		['where it counts as many as before', { known, total: 302 }],
		['where it counts no more than the new ones that were seen', { known: known.slice(2), total: 300 }],
		['where it counts fewer', { known, total: 400 }],
		['where it did not count before', { known, total: null }],
		['where there is no time', { known: names(rows(300)), total: 300, isOver: () => true }],
		[
			'where it does not count',
			{ known, total: 300, counts: { totalNumberOfRecords: null, totalNumberOfPages: null } },
		],
	])('is not looked for %s', async (_what, how) => {
		expect((await reading(list, how)).asked).toEqual(['1/100']);
	});

	test('is found where the list is to be read to its end', async () => {
		const read = await reading(list, { known, total: 302, isWhole: true });
		expect(read.asked).toEqual(['1/100', '1/1000', '2/1000']);
		expect(read).toMatchObject({ isComplete: true, reach: -Infinity, ids: idsOf(list) });
	});

	test('is gone on with in the next reading where there is no time for all of it', async () => {
		let requests = 0;
		const isOver = () => requests >= 3;
		const read = await reading(list, { known, isWhole: true, pageSize: 100, before: () => void requests++, isOver });
		expect(read.asked).toEqual(['1/100', '2/100', '3/100']);
		expect(read).toMatchObject({ isComplete: false, resume: { page: 4, size: 100 } });
		const rest = await reading(list, { known, isWhole: true, pageSize: 100, resume: read.resume });
		expect(rest.asked.slice(0, 2)).toEqual(['4/100', '5/100']);
		expect(rest).toMatchObject({ isComplete: true, reach: -Infinity });
	});
});
