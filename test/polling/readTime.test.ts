/** How a list is read where there is no time for all of it, and where something stands last. */
import { HOUR, START } from './pollingFixture';
import { idsOf, names, placeAt, reading, refusal, row, rows, timeless, type How } from './readFixture';

beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(START));
afterEach(() => jest.restoreAllMocks());

/** Time is up with so many requests. @param change what happens to the list before the second */
const upAfter = (most: number, change?: How['before']): Required<Pick<How, 'before' | 'isOver'>> => {
	let requests = 0;
	return {
		before: (...args) => (++requests === 2 ? change?.(...args) : undefined),
		isOver: () => requests >= most,
	};
};
/** Time is up, and the request fails that is under way. */
const failingAt = (request: number): Required<Pick<How, 'before' | 'isOver'>> => {
	let isOver = false;
	const before = (now: number) => {
		if (now < request) return;
		isOver = true;
		throw refusal(500);
	};
	return { before, isOver: () => isOver };
};
const grow: How['before'] = (_request, _page, now) => void now.unshift(row('new', 0));

describe('where there is no time for all of it', () => {
	const list = rows(10);
	const how: How = { pageSize: 2, hours: 999 };
	const resume = placeAt(4, 2);

	test.each<[string, How & { list?: typeof list }, string[], string, object]>([
		[
			'the next reading goes on with the last page of this one',
			upAfter(2),
			['1/2', '2/2'],
			'r0 r1 r2 r3',
			{ end: 'cut', next: placeAt(2, 2, START) },
		],
		[
			'one that goes on, and stops again: the same',
			{ resume: placeAt(2, 2), ...upAfter(3) },
			['2/2', '3/2', '4/2'],
			'r2 r3 r4 r5 r6 r7',
			{ end: 'cut', next: placeAt(4, 2) },
		],
		[
			'but with a later page than it began with',
			{ resume, ...upAfter(1) },
			['4/2'],
			'r6 r7',
			{ end: 'cut', next: placeAt(5, 2) },
		],
		[
			'one that failed begins again',
			{ resume: placeAt(1, 2), ...upAfter(1) },
			['1/2'],
			'r0 r1',
			{ end: 'cut', begunAt: START, next: placeAt(2, 2, START) },
		],
		[
			'one that goes on ends with the list',
			{ resume, ...upAfter(3) },
			['4/2', '5/2', '6/2'],
			'r6 r7 r8 r9',
			{ end: 'list', begunAt: START - HOUR, next: undefined },
		],
		[
			'or behind the window',
			{ resume: placeAt(2, 20), hours: 45, list: rows(200), ...upAfter(2) },
			['2/20', '3/20'],
			idsOf(rows(200).slice(20, 60)),
			{ end: 'window', next: undefined },
		],
		[
			'with time left as well: the next one begins with the first page again, because records may have moved there',
			{ resume, known: names(list) },
			['4/2', '5/2', '6/2'],
			'r6 r7 r8 r9',
			{ end: 'list', begunAt: START - HOUR, next: undefined },
		],
		['one page at least is read', { isOver: () => true }, ['1/2'], 'r0 r1', { end: 'cut', next: placeAt(2, 2, START) }],
		[
			'which may be all, if nothing in it is new',
			{ list: rows(3), known: names(rows(3)), pageSize: undefined, isOver: () => true },
			['1/100'],
			'r0 r1 r2',
			{ end: 'list', next: undefined },
		],
		[
			'if something is, the next one looks behind it, whatever the service counts',
			{ list: rows(3), pageSize: undefined, isOver: () => true },
			['1/100'],
			'r0 r1 r2',
			{ end: 'cut', next: placeAt(2, 100, START, 3) },
		],
		[
			'and so it does at a first reading',
			{ list: rows(3), known: names(rows(3)), depth: 'unread', pageSize: 5, isOver: () => true },
			['1/5'],
			'r0 r1 r2',
			{ end: 'cut', next: placeAt(2, 5, START, 3) },
		],
		[
			'a request that fails when the time is up is asked for again the next time',
			failingAt(3),
			['1/2', '2/2', '3/2'],
			'r0 r1 r2 r3',
			{ end: 'cut', next: placeAt(2, 2, START) },
		],
		[
			'a list that was read stays so, without a second look',
			{ ...upAfter(3), pageSize: 5 },
			['1/5', '2/5', '3/5'],
			idsOf(list),
			{ end: 'list', next: undefined },
		],
		[
			'and with half of one',
			upAfter(7),
			['1/2', '2/2', '3/2', '4/2', '5/2', '6/2', '1/2'],
			idsOf(list),
			{ end: 'list', next: undefined },
		],
		[
			'but not if it changed meanwhile: the second look is gone on with',
			upAfter(8, grow),
			['1/2', '2/2', '3/2', '4/2', '5/2', '6/2', '7/2', '1/2'],
			`new ${idsOf(list)}`,
			{ end: 'cut', next: placeAt(2, 2, START) },
		],
		[
			'a page behind the counts with nothing new is the end: a service may give its last page again for ever',
			{
				known: names(list),
				depth: 'unread',
				resume,
				counts: { totalNumberOfPages: 3, totalNumberOfRecords: 6 },
				...upAfter(1),
			},
			['4/2'],
			'r6 r7',
			{ end: 'list', next: undefined },
		],
		[
			'a page that has fewer records than the largest one is judged by that',
			{
				list: rows(5),
				known: names(rows(5)),
				resume: placeAt(4, 2),
				counts: { totalNumberOfPages: 3 },
				cap: 1,
				...upAfter(1),
			},
			['4/2'],
			'r3',
			{ end: 'list', next: undefined },
		],
		[
			'but not where pages are counted as large as asked for, and hold less',
			{
				known: names(list),
				depth: 'unread',
				resume: placeAt(4, 9, START, 2),
				cap: 2,
				counts: { totalNumberOfPages: 2 },
				...upAfter(1),
			},
			['4/9'],
			'r6 r7',
			{ end: 'cut', next: { page: 5, rows: 2 } },
		],
		[
			'but not with something new',
			{
				known: ['r6'],
				depth: 'unread',
				resume,
				counts: { totalNumberOfPages: 3, totalNumberOfRecords: 6 },
				...upAfter(1),
			},
			['4/2'],
			'r6 r7',
			{ end: 'cut', next: placeAt(5, 2) },
		],
		[
			'and not the last one that is counted',
			{ known: names(list), depth: 'unread', resume, counts: { totalNumberOfPages: 4 }, ...upAfter(1) },
			['4/2'],
			'r6 r7',
			{ end: 'cut', next: placeAt(5, 2) },
		],
		[
			'a page of the usual size is enough to stop at',
			{ list: rows(300), pageSize: undefined, ...upAfter(1) },
			['1/100'],
			idsOf(rows(100)),
			{ end: 'cut', next: placeAt(2, 100, START) },
		],
	])('%s', async (_what, { list: other = list, ...more }, asked, ids, outcome) => {
		const read = await reading(other, { ...how, ...more });
		expect({ next: undefined, ...read }).toMatchObject({ asked, ids, ...outcome });
	});

	test('whatever the budget, reading on gets through the list, and tells when its first page was read', async () => {
		let now = START;
		jest.spyOn(Date, 'now').mockImplementation(() => now++);
		let resumed: How['resume'];
		const seen: string[] = [];
		for (let polls = 0; polls === 0 || (resumed && polls < 9); polls++) {
			const read = await reading(list, { ...how, resume: resumed, ...upAfter(1) });
			seen.push(...read.seen.map(({ id }) => id));
			resumed = read.next;
			expect([read.begunAt, resumed?.begunAt ?? START]).toEqual([START, START]);
		}
		expect([seen.join(' '), resumed]).toEqual([idsOf(list), undefined]);
	});

	// Fails as long as the next reading begins with page 2 of that size.
	test('a larger page that fails takes nothing back, and is asked for again the next time', async () => {
		const many = rows(300);
		const read = await reading(many, { hours: 999, ...failingAt(2) });
		expect(read).toMatchObject({ asked: ['1/100', '1/1000'], ids: idsOf(many.slice(0, 100)), end: 'cut' });
		const rest = await reading(many, { hours: 999, resume: read.next });
		expect(rest.asked[0]).toBe('1/1000');
		expect(rest.ids).toBe(idsOf(many));
	});

	test("when its first page was read is told by the polls' clock, which an answer may set back", async () => {
		let now = START;
		const before = () => void (now = START - HOUR);
		const cut = await reading(list, { ...how, before, isOver: () => now < START, now: () => now });
		expect([cut.begunAt, cut.next?.begunAt]).toEqual([START - HOUR, START - HOUR]);
		const later = { resume: cut.next, ...upAfter(3), now: () => START + 9 * HOUR };
		expect(await reading(list, { ...how, ...later })).toMatchObject({ begunAt: START - HOUR });
	});

	test('a page without records is not the end of one that goes on', async () => {
		const held: typeof list = [];
		const before: How['before'] = (request, _page, now) =>
			void (request === 1 ? held.push(...now.splice(0)) : now.push(...held.splice(0)));
		const counts = { totalNumberOfPages: 5, totalNumberOfRecords: 10 };
		const { asked } = await reading(list, { ...how, resume: placeAt(3, 2), known: names(list), counts, before });
		expect(asked.slice(0, 3)).toEqual(['3/2', '4/2', '5/2']);
	});

	test('one that goes on counts as read, even if the list changes all the time', async () => {
		let added = 0;
		const before: How['before'] = (_request, _page, now) => void now.unshift(row(`new${added++}`, 0));
		const { end, next } = await reading(list, { ...how, resume, before });
		expect([end, next]).toEqual(['list', undefined]);
	});

	test('what moves to the last page that was read, because a record was deleted, is found', async () => {
		const { ids, next } = await reading(list, { ...how, ...upAfter(2) });
		const rest = await reading(list.slice(1), { ...how, resume: next });
		expect([ids, rest.ids]).toEqual([idsOf(list.slice(0, 4)), idsOf(list.slice(3))]);
	});
});

describe('what stands last because it has no create time', () => {
	const list = [...rows(300), ...timeless(2)];
	const known = names(list);

	test('is found where the list is to be read to its end, with as many pages as there is time for', async () => {
		expect(await reading(list, { known: names(rows(300)) })).toMatchObject({ asked: ['1/100'], end: 'window' });
		const whole = { known, isWhole: true, pageSize: 100 };
		const read = await reading(list, { ...whole, ...upAfter(3) });
		expect(read).toMatchObject({ asked: ['1/100', '2/100', '3/100'], end: 'cut', next: placeAt(3, 100, START) });
		const rest = await reading(list, { ...whole, resume: read.next });
		expect(rest).toMatchObject({ asked: ['3/100', '4/100', '5/100'], end: 'list', ids: idsOf(list.slice(200)) });
	});
});
