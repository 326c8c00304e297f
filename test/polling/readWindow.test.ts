/** How a list is read: what is asked of the service, what it brought, and whether that was all. */
import type { IDataObject } from 'n8n-workflow';
import type { PageRequest } from '../../nodes/shared/answer/paging';
import { foundIn, readWindow, type Reading, type Want } from '../../nodes/shared/polling/reading';
import { ServiceError } from '../../nodes/shared/transport/errors';
import { HOUR, START } from './ground';

const refusal = (status: number) =>
	new ServiceError({
		...{ reason: 'Refused', advice: '', cause: 'refused', mayHaveBeenApplied: false, transient: status >= 500 },
		...{ status, isInputRefused: status === 400 },
	});

/** A record, `hours` old; without a create time unless given. */
const row = (id: string, hours?: number, more: IDataObject = {}): IDataObject => ({
	...{ id, status: 'Running' },
	...(hours === undefined ? {} : { createTime: new Date(START - hours * HOUR).toISOString() }),
	...more,
});
/** So many records, one for each hour, the newest first. @param from how old the newest is, in hours */
const rows = (count: number, from = 0, name = 'r') =>
	Array.from({ length: count }, (_, index) => row(`${name}${from + index}`, from + index));
const timeless = (count: number, name = 't') => Array.from({ length: count }, (_, index) => row(`${name}${index}`));

interface How extends Partial<Omit<Want, 'pages'>> {
	/** Those that the last poll knew. */
	known?: string[];
	/** How old a record may be to be of interest, in hours. */
	hours?: number;
	/** The most rows of a page. */
	cap?: number;
	/** What the service says of its counts. */
	counts?: object;
	isReordered?: boolean;
	/** Happens before a request is answered; counted from 1. */
	before?: (request: number, page: PageRequest, list: IDataObject[]) => void;
}

/** Reads a list. @returns what was asked for, as "page/size", beside what it brought */
async function reading(list: IDataObject[], how: How = {}): Promise<Reading & { asked: string[]; ids: string }> {
	const { known = [], hours = 24, cap = Infinity, counts, isReordered = false, before, ...more } = how;
	const asked: string[] = [];
	const rowsNow = [...list];
	const want: Want = {
		pages: {
			told: { isReordered },
			ask: async (page) => {
				asked.push(`${page.pageNumber}/${page.pageSize}`);
				before?.(asked.length, page, rowsNow);
				const size = Math.min(cap, page.pageSize);
				const results = rowsNow.slice((page.pageNumber - 1) * size, page.pageNumber * size);
				const right = { totalNumberOfPages: Math.ceil(rowsNow.length / size), totalNumberOfRecords: rowsNow.length };
				return await Promise.resolve({ results, ...right, ...counts });
			},
		},
		idOf: ({ id }) => (typeof id === 'string' ? id : undefined),
		floor: () => START - hours * HOUR,
		isKnown: (id) => known.includes(id),
		remembered: new Set(),
		timeless: 'all',
		...{ expected: 0, total: null, isWhole: false, isOver: () => false },
		...more,
	};
	const read = await readWindow(want);
	return { ...read, asked, ids: read.seen.map(({ id }) => id).join(' ') };
}
const names = (list: IDataObject[]) => list.map(({ id }) => String(id));
const idsOf = (list: IDataObject[]) => names(list).join(' ');

describe('what is asked', () => {
	const old = rows(300);
	test.each<[string, IDataObject[], How, string[]]>([
		['an idle list: one page', old, { known: names(old) }, ['1/100']],
		['one with a few new records: the same', old, { known: names(old.slice(3)) }, ['1/100']],
		['an empty one: the same', [], {}, ['1/100']],
		['one of which more is expected: a larger page', old, { known: names(old), expected: 250 }, ['1/250']],
		['at most 1,000', old, { known: names(old), expected: 2500 }, ['1/1000']],
		['as much as a person has set', old, { known: names(old), expected: 250, pageSize: 40 }, ['1/40']],
		[
			'a first time: as large as may be, and one page behind the counts',
			old,
			{ timeless: 'nothing' },
			['1/1000', '2/1000'],
		],
		['the first of many: the counts are not believed', [], { timeless: 'nothing' }, ['1/1000']],
		[
			'one whose only page has news: once more with larger pages, and one behind the counts',
			rows(4),
			{ known: ['r1', 'r2', 'r3'] },
			['1/100', '1/1000', '2/1000'],
		],
		[
			'one with more pages, some of it new: twice',
			rows(7),
			{ pageSize: 3, known: names(rows(7)).slice(1) },
			['1/3', '2/3', '3/3', '1/3', '2/3', '3/3'],
		],
		[
			'one that is read to its end, of which more was known once: one page',
			rows(50),
			{ hours: 99, known: names(rows(50)), total: 40 },
			['1/100'],
		],
		[
			'one that shows less than it counts, and counts more than before: all of it once more',
			rows(50),
			{ pageSize: 60, hours: 99, known: names(rows(50)), total: 50, counts: { totalNumberOfRecords: 55 } },
			['1/60', '2/60', '1/60', '2/60'],
		],
		[
			'one whose last reading stopped: on with the same pages, then from the first',
			rows(500),
			{ hours: 999, known: names(rows(500)), resume: { page: 2, size: 100 } },
			['2/100', '3/100', '4/100', '5/100', '6/100', '1/1000'],
		],
		[
			'one whose page ends with news: once more with larger pages, and one behind the counts',
			rows(150),
			{ hours: 999 },
			['1/100', '1/1000', '2/1000'],
		],
		[
			'one all of whose news are behind each other on small pages: until a pass brings nothing more',
			rows(7),
			{ pageSize: 3 },
			['1/3', '2/3', '3/3', '4/3', '1/3', '2/3', '3/3', '4/3'],
		],
		[
			'one of which all is known on small pages: once',
			rows(7),
			{ pageSize: 3, known: names(rows(7)) },
			['1/3', '2/3', '3/3'],
		],
	])('of %s', async (_what, list, how, asked) => {
		const read = await reading(list, how);
		expect(read.asked).toEqual(asked);
		expect(read.isComplete).toBe(true);
	});

	test('a service that takes no larger pages than the usual ones gets those', async () => {
		const list = rows(130);
		const before: How['before'] = (_request, { pageSize }) => {
			if (pageSize > 100) throw refusal(400);
		};
		const read = await reading(list, { timeless: 'nothing', before });
		expect(read.asked.slice(0, 4)).toEqual(['1/1000', '1/100', '2/100', '3/100']);
		expect(read).toMatchObject({ ids: idsOf(list), isComplete: true });
		// From the first page, wherever the last reading stopped.
		const resumed = await reading(list, { resume: { page: 2, size: 1000 }, hours: 999, before });
		expect(resumed.asked.slice(0, 4)).toEqual(['2/1000', '1/1000', '1/100', '2/100']);
		expect(resumed.ids).toBe(idsOf(list));
	});

	test.each([
		['what a person has set', { pageSize: 500 }, 400],
		['the usual ones', {}, 400],
		['any, because it is down', { timeless: 'nothing' as const }, 503],
	])('a service that does not take %s fails', async (_what, how, status) => {
		const before: How['before'] = (_request, { pageSize }) => {
			if (pageSize >= 100) throw refusal(status);
		};
		await expect(reading(rows(3), { ...how, before })).rejects.toThrow('Refused');
	});
});

describe('where a list is left', () => {
	test('behind 20 in order, at the first that is too old', async () => {
		const list = rows(1000);
		const read = await reading(list, { pageSize: 10, hours: 24, known: names(list) });
		expect(read.asked).toEqual(['1/10', '2/10', '3/10']);
		expect(read.reach).toBe(START - 29 * HOUR);
		// 24 hours old is in the window.
		expect((await reading(list, { pageSize: 5, hours: 24, known: names(list) })).asked).toHaveLength(6);
		expect((await reading(list, { pageSize: 5, hours: 23.5, known: names(list) })).asked).toHaveLength(5);
	});

	test('not before 20 are in order', async () => {
		const list = rows(1000, 30);
		expect((await reading(list, { pageSize: 19, known: names(list) })).asked).toEqual(['1/19', '2/19']);
		expect((await reading(list, { pageSize: 20, known: names(list) })).asked).toEqual(['1/20']);
		// Equal times are in order.
		const equal = rows(1000, 30).map(({ id }) => row(String(id), 30));
		expect((await reading(equal, { pageSize: 20, known: names(equal) })).asked).toEqual(['1/20']);
	});

	test('not where one stands out of order', async () => {
		const list = rows(60);
		const [newest, ...others] = list;
		const mixed = [...others.slice(0, 9), ...(newest ? [newest] : []), ...others.slice(9)];
		const read = await reading(mixed, { pageSize: 20, hours: 10, known: names(list) });
		expect(read.asked).toEqual(['1/20', '2/20', '3/20']);
		expect(read.reach).toBe(-Infinity);
	});

	test('not where the service does not sort by create time', async () => {
		const list = rows(60);
		const read = await reading(list, { pageSize: 20, hours: 10, known: names(list), isReordered: true });
		expect(read.asked).toEqual(['1/20', '2/20', '3/20']);
		const without = timeless(60);
		const how: How = { known: names(without), timeless: 'part', remembered: new Set(names(without)), pageSize: 20 };
		expect((await reading(without, how)).asked).toEqual(['1/20']);
		expect((await reading(without, { ...how, isReordered: true })).asked).toEqual(['1/20', '2/20', '3/20']);
	});

	test('behind 5,000 in order at a first time, because what has no create time stands last', async () => {
		const read = await reading(rows(9000), { timeless: 'nothing' });
		const pages = ['1/1000', '2/1000', '3/1000', '4/1000', '5/1000'];
		// Twice, because they may have moved meanwhile.
		expect(read.asked).toEqual([...pages, ...pages]);
		expect(read).toMatchObject({ isComplete: true, reach: START - 4999 * HOUR });
	});

	test('behind 2,000 without a create time at a first time', async () => {
		const list = timeless(5000);
		const first = await reading(list, { timeless: 'nothing' });
		expect(first.seen).toHaveLength(2000);
		expect((await reading(list, { known: names(list) })).seen).toHaveLength(5000);
	});

	test('at the first known one without a create time, where some are remembered', async () => {
		const list = timeless(500);
		const how: How = { pageSize: 50, timeless: 'part', remembered: new Set(['t120']), known: names(list) };
		expect((await reading(list, how)).asked).toEqual(['1/50', '2/50', '3/50']);
		expect((await reading(list, { ...how, remembered: new Set() })).asked).toHaveLength(10);
		expect((await reading(list, { ...how, timeless: 'all' })).asked).toHaveLength(10);
	});
});

describe('what it brought', () => {
	test('a record that moves between two pages while they are read is found', async () => {
		const list = rows(6);
		const read = await reading(list, {
			pageSize: 3,
			hours: 999,
			// The first goes, so that the fourth moves up to the page that was read.
			before: (request, _page, now) => (request === 2 ? void now.splice(0, 1, ...[]) : undefined),
		});
		expect(read.seen.map(({ id }) => id).sort()).toEqual(names(list));
		expect(read.isComplete).toBe(true);
	});

	test('what never stands still is taken as it is after four passes', async () => {
		const list = rows(9, 10);
		const read = await reading(list, {
			pageSize: 3,
			hours: 999,
			before: (request, page, now) => {
				if (page.pageNumber === 2) now.unshift(row(`n${request}`, 1));
			},
		});
		expect(read.asked.filter((each) => each.startsWith('1/'))).toHaveLength(4);
		expect(read).toMatchObject({ isComplete: false, reach: Infinity });
		for (const id of names(list)) expect(read.ids).toContain(id);
	});

	test('what brings more with every pass is not complete after four', async () => {
		const read = await reading(rows(9, 10), {
			pageSize: 3,
			hours: 999,
			before: (request, page, now) => {
				if (page.pageNumber === 1) now.unshift(row(`n${request}`, 1), row(`m${request}`, 1), row(`o${request}`, 1));
			},
		});
		expect(read.asked.filter((each) => each.startsWith('1/'))).toHaveLength(4);
		expect(read).toMatchObject({ isComplete: false, reach: Infinity });
	});

	test('a record that pushes others to the next page is found, though all of them are known', async () => {
		const list = rows(6);
		const counts = { totalNumberOfRecords: null, totalNumberOfPages: null };
		const before: How['before'] = (request, _page, now) => {
			if (request === 2) now.unshift(row('new', 0));
		};
		const read = await reading(list, { pageSize: 3, hours: 999, known: names(list), counts, before });
		expect(read.ids).toContain('new');
		expect(read.isComplete).toBe(true);
	});

	test('each record is told as the polling sees it', async () => {
		const [first, second, third] = (
			await reading([row('a', 1), { id: 'b', statusName: 'Done' }, { id: 'c', statusId: 5 }])
		).seen;
		expect(first).toEqual({ id: 'a', created: START - HOUR, status: 'Running', record: row('a', 1) });
		expect(second).toMatchObject({ created: undefined, status: 'Done' });
		expect(third).toMatchObject({ status: '5' });
		expect(foundIn({}, 'd')).toEqual([{ id: 'd', created: undefined, status: '', record: {} }]);
		expect(foundIn({}, undefined)).toEqual([]);
	});

	test('records without an ID are counted', async () => {
		const read = await reading([row('a', 1), { name: 'x' }, { name: 'y' }, row('b', 2)]);
		expect(read).toMatchObject({ ids: 'a b', nameless: 2, hasDuplicateIds: false });
		expect((await reading([row('a', 1)])).nameless).toBe(0);
	});

	test('one ID twice on a page is two records, and told', async () => {
		const twice = [row('a', 1, { companyId: 'c' }), row('a', 1, { companyId: 'd' }), row('b', 3)];
		expect(await reading(twice)).toMatchObject({ ids: 'a a b', hasDuplicateIds: true });
		const times = [row('a', 1), row('a', 2)];
		expect(await reading(times)).toMatchObject({ ids: 'a a', hasDuplicateIds: true });
		// On two pages it may be one record that has moved.
		expect(await reading([row('a', 1), row('b', 2), row('a', 1)], { pageSize: 2 })).toMatchObject({
			hasDuplicateIds: false,
		});
	});

	test('how far it reached, and what the service counts', async () => {
		const list = rows(200);
		expect(await reading(list, { known: names(list) })).toMatchObject({ reach: START - 99 * HOUR, total: 200 });
		expect(await reading(rows(20), { known: names(list) })).toMatchObject({ reach: -Infinity, total: 20 });
		// Left at a known one without a create time.
		const how: How = { timeless: 'part', remembered: new Set(['t0']), known: [...names(list), 't0', 't1'] };
		expect((await reading([...rows(98), ...timeless(20)], how)).reach).toBe(START - 97 * HOUR);
		expect((await reading(timeless(200), how)).reach).toBe(Infinity);
	});
});

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

	test('waits where there is no time for all of it', async () => {
		let requests = 0;
		const isOver = () => requests >= 3;
		const read = await reading(list, { known, isWhole: true, pageSize: 100, before: () => void requests++, isOver });
		expect(read.asked).toEqual(['1/100', '1/100', '2/100']);
		expect(read).toMatchObject({ isComplete: true, reach: START - 99 * HOUR });
	});
});
