/** How a list is read: what is asked of the service, where it is left, and what it brought. */
import type { IDataObject } from 'n8n-workflow';
import { foundIn } from '../../nodes/shared/polling/reading';
import { HOUR, START } from './pollingFixture';
import { idsOf, names, placeAt, reading, refusal, row, rows, timeless, type How } from './readFixture';

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
			{ depth: 'unread' },
			['1/1000', '2/1000'],
		],
		['the first of many: the counts are not believed', [], { depth: 'unread' }, ['1/1000']],
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
			'one whose last reading stopped: on with the same pages to its end, and one behind the counts',
			rows(500),
			{ hours: 999, known: names(rows(500)).slice(0, 499), resume: placeAt(2, 100) },
			['2/100', '3/100', '4/100', '5/100', '6/100'],
		],
		[
			'one of which only the short last page is left: on to one behind it',
			rows(7),
			{ hours: 999, known: names(rows(7)), resume: placeAt(3, 3) },
			['3/3', '4/3'],
		],
		[
			'one that is to be read to its end: large pages, and one behind the counts',
			rows(300),
			{ known: names(rows(300)), isWhole: true },
			['1/1000', '2/1000'],
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
		expect(read.end).not.toBe('cut');
	});

	test('a service that takes no larger pages than the usual ones gets those', async () => {
		const list = rows(130);
		const before: How['before'] = (_request, { pageSize }) => {
			if (pageSize > 100) throw refusal(400);
		};
		const read = await reading(list, { depth: 'unread', before });
		expect(read.asked.slice(0, 4)).toEqual(['1/1000', '1/100', '2/100', '3/100']);
		expect(read).toMatchObject({ ids: idsOf(list), end: 'list' });
	});

	test.each([
		['what a person has set', { pageSize: 500 }, 400],
		['the usual ones', {}, 400],
		['any, because it is down', { depth: 'unread' as const }, 503],
	])('a service that does not take %s fails', async (_what, how, status) => {
		const before: How['before'] = (_request, { pageSize }) => {
			if (pageSize >= 100) throw refusal(status);
		};
		await expect(reading(rows(3), { ...how, before })).rejects.toThrow('Refused');
	});

	test.each([403, 404, 500])(
		'a page to go on with that answers %i is no end of the list; the next reading begins with the first page',
		async (status) => {
			const before = () => {
				throw refusal(status);
			};
			for (const isOver of [() => false, () => true]) {
				const read = await reading(rows(30), { pageSize: 10, resume: placeAt(2, 10), before, isOver });
				expect(read).toMatchObject({ ids: '', end: 'cut', failure: { message: 'Refused' } });
				expect(read.next).toBeUndefined();
			}
		},
	);

	test.each([403, 404, 500, 503])('a later page that answers %i holds back none before it', async (status) => {
		const before: How['before'] = (_request, { pageNumber }) => {
			if (pageNumber > 2) throw refusal(status);
		};
		const list = rows(50);
		const read = await reading(list, { pageSize: 10, hours: 99, before });
		expect(read).toMatchObject({ ids: idsOf(list.slice(0, 20)), end: 'cut', failure: { message: 'Refused' } });
		expect(read.next).toBeUndefined();
	});
});

describe('where a list is left', () => {
	test('behind 20 in order, at the first that is too old', async () => {
		const list = rows(1000);
		const read = await reading(list, { pageSize: 10, hours: 24, known: names(list) });
		expect(read).toMatchObject({ asked: ['1/10', '2/10', '3/10'], end: 'window' });
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
		expect(read).toMatchObject({ asked: ['1/20', '2/20', '3/20'], end: 'list' });
	});

	test('not where the service does not sort by create time', async () => {
		const list = rows(60);
		const read = await reading(list, { pageSize: 20, hours: 10, known: names(list), isReordered: true });
		expect(read.asked).toEqual(['1/20', '2/20', '3/20']);
		const without = timeless(60);
		const how: How = { known: names(without), depth: 'part', pageSize: 20 };
		expect((await reading(without, how)).asked).toEqual(['1/20']);
		expect((await reading(without, { ...how, isReordered: true })).asked).toEqual(['1/20', '2/20', '3/20']);
	});

	test('behind 5,000 in order at a first time, because what has no create time stands last', async () => {
		const read = await reading(rows(9000), { depth: 'unread' });
		const pages = ['1/1000', '2/1000', '3/1000', '4/1000', '5/1000'];
		// Twice, because they may have moved meanwhile.
		expect(read.asked).toEqual([...pages, ...pages]);
		expect(read).toMatchObject({ end: 'window', seen: { length: 5000 } });
	});

	test('behind 20,000 without a create time at a first time', async () => {
		const list = timeless(21_500);
		const first = await reading(list, { depth: 'unread' });
		expect(first.seen).toHaveLength(20_000);
		expect((await reading(list, { isKnown: () => true })).seen).toHaveLength(21_500);
	});

	test('at the first known one without a create time, where only the newest are known', async () => {
		const list = timeless(500);
		const how: How = { pageSize: 50, depth: 'part', known: names(list).slice(120) };
		const pages = ['1/50', '2/50', '3/50'];
		expect(await reading(list, how)).toMatchObject({ asked: [...pages, ...pages], end: 'window' });
		for (const more of [{ known: [] }, { depth: 'whole' as const }, { depth: 'unread' as const }, { isWhole: true }])
			expect(await reading(list, { ...how, ...more })).toMatchObject({ ids: idsOf(list), end: 'list' });
		// Known ones with a create time say nothing.
		const first = row('r', 1);
		expect(await reading([first, ...list], { ...how, known: ['r'] })).toMatchObject({ end: 'list' });
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
		expect(read.end).toBe('list');
	});

	test('what never stands still is taken as it is after six passes', async () => {
		const list = rows(9, 10);
		const read = await reading(list, {
			pageSize: 3,
			hours: 999,
			before: (request, page, now) => {
				if (page.pageNumber === 2) now.unshift(row(`n${request}`, 1));
			},
		});
		expect(read.asked.filter((each) => each.startsWith('1/'))).toHaveLength(6);
		expect(read).toMatchObject({ end: 'cut' });
		expect(read).not.toHaveProperty('next');
		for (const id of names(list)) expect(read.ids).toContain(id);
	});

	test.each([
		['until that is found, and once more', {}, 'a b c d', 4],
		['six times at most', { counts: { totalNumberOfRecords: 9 } }, 'a b c d', 6],
	])('what lacks one of those that the service counts is read again, %s', async (_what, how, ids, passes) => {
		const order = { usual: [...'abcd'], other: [...'adbc'] };
		let pass = 0;
		const read = await reading(
			[...'abcd'].map((id) => row(id, 1)),
			{
				...{ pageSize: 2, hours: 999, ...how },
				before: (_request, { pageNumber }, list) => {
					if (pageNumber === 1) pass++;
					const now = pageNumber === 1 || pass > 2 ? order.usual : order.other;
					list.sort((one, another) => now.indexOf(String(one.id)) - now.indexOf(String(another.id)));
				},
			},
		);
		expect(read).toMatchObject({ end: 'list' });
		expect(read.ids.split(' ').sort().join(' ')).toBe(ids);
		expect(pass).toBe(passes);
	});

	test('what brings more with every pass is not complete after six', async () => {
		const read = await reading(rows(9, 10), {
			pageSize: 3,
			hours: 999,
			before: (request, page, now) => {
				if (page.pageNumber === 1) now.unshift(row(`n${request}`, 1), row(`m${request}`, 1), row(`o${request}`, 1));
			},
		});
		expect(read.asked.filter((each) => each.startsWith('1/'))).toHaveLength(6);
		expect(read).toMatchObject({ end: 'cut' });
		expect(read).not.toHaveProperty('next');
	});

	test('a record that pushes others to the next page is found, though all of them are known', async () => {
		const list = rows(6);
		const counts = { totalNumberOfRecords: null, totalNumberOfPages: null };
		const before: How['before'] = (request, _page, now) => {
			if (request === 2) now.unshift(row('new', 0));
		};
		const read = await reading(list, { pageSize: 3, hours: 999, known: names(list), counts, before });
		expect(read.ids).toContain('new');
		expect(read.end).toBe('list');
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
});
