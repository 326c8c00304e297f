/** What is new in a list, by what is remembered of it. */
import type { Memory } from '../../nodes/shared/polling/memory';
import { MAIN, type KindState } from '../../nodes/shared/polling/state';
import { DAY, HOUR, openAt, START } from './pollingFixture';
import {
	memoryFixture,
	atActivation,
	COMPANY,
	found,
	HOUR_NUMBER,
	idsOf,
	knownIds,
	knownOf,
	memoryWith,
	read,
	said,
} from './memoryFixture';

memoryFixture();

const isMainRead = { lists: new Map([[MAIN, true]]) };
const openSince = (age: number, isUnread = false) => new Map([[COMPANY, openAt(START - age, 1, 0, 0, isUnread)]]);

describe('what is given', () => {
	test('what is unknown and in the window, the oldest first', () => {
		const memory = memoryWith({ known: knownOf({ a: HOUR }) });
		const seen = [found('d', -HOUR), found('c', 0), found('a', HOUR), found('b', DAY), found('x', DAY + 1)];
		expect(idsOf(memory.judge(MAIN, read(seen)))).toBe('bcd');
		expect(idsOf(memory.judge(MAIN, read(seen)))).toBe('');
		// What came too late is not known, so that it takes no room.
		expect(knownIds(memory)).toBe('abcd');
		memory.finish();
		expect(said).toEqual([]);
	});

	test("nothing at activation, and all of it is known; with 'Emit Existing Since' from that date on", () => {
		const seen = [found('a', -HOUR), found('b', 0), found('c', DAY), found('d', DAY + 1), found('e')];
		for (const [rules, given] of [[{}, ''] as const, [{ existingSince: START - DAY }, 'cba'] as const]) {
			const memory = atActivation(rules);
			expect(idsOf(memory.judge(MAIN, read(seen)))).toBe(given);
			expect(knownIds(memory)).toBe('abcde');
			memory.finish();
		}
		expect(said).toEqual([]);
	});

	test.each<[string, Partial<KindState>, string, string, number]>([
		['the window before the beginning, so long as not all lists were read', { from: 0 }, 'fdcbae', 'abcdef', 0],
		['since the beginning, in a list that begins later', isMainRead, 'ba', 'abcdefg', 3],
		[
			'and what tells nothing of its age, after a round through all',
			{ cleanRounds: 1, ...isMainRead },
			'fbae',
			'abcdefg',
			0,
		],
		[
			'but not where such were forgotten',
			{ cleanRounds: 1, hasForgotten: true, ...isMainRead },
			...(['bae', 'abcdefg', 1] as const),
		],
		[
			'since it failed first, in one that was not read before',
			{ cleanRounds: 1, open: openSince(2 * DAY, true), ...isMainRead },
			...(['ba', 'abcdefg', 3] as const),
		],
		[
			'since it failed, in one that was compared before',
			{ cleanRounds: 1, open: openSince(2 * DAY), ...isMainRead },
			...(['fbae', 'abcdefg', 0] as const),
		],
		['since it failed, in one that was', { open: openSince(2 * DAY) }, 'fbae', 'abef', 0],
	])("in a company's list: %s", (_what, state, given, known, doubtful) => {
		const memory = memoryWith({ asksEach: true, ...state });
		// Of a list that begins, what may have been there before is doubtful: 14 hours around its beginning, if it is that of the trigger, and of the future.
		const seen = [found('e', -14 * HOUR - 1), found('a', 0), found('b', 2 * DAY), found('c', 2 * DAY + 14 * HOUR)];
		seen.push(found('d', 2 * DAY + 14 * HOUR + 1), found('g', 3 * DAY + 1), found('f'));
		expect(idsOf(memory.judge(COMPANY, read(seen)))).toBe(given);
		expect(knownIds(memory)).toBe(known);
		expect([memory.state.lists.get(COMPANY), memory.state.open.size]).toEqual([true, 0]);
		expect(memory.judge(COMPANY, read(seen))).toEqual([]);
		memory.finish();
		expect(said.map((text) => parseInt(text))).toEqual(doubtful > 0 ? [doubtful] : []);
	});

	test('what waits, however old it is', () => {
		const memory = memoryWith({ waiting: new Map([['a', { hour: 1, tries: 1 }]]) });
		expect(idsOf(memory.judge(MAIN, read([found('a', 9 * DAY), found('b', 9 * DAY)])))).toBe('a');
		expect(knownIds(memory)).toBe('a');
	});

	test('with the company whose list it is in', () => {
		const company = { id: 'c', name: 'C' };
		expect(memoryWith().judge(COMPANY, read([found('a', 0)]), company)).toEqual([
			{ found: found('a', 0), former: undefined, company },
		]);
	});
});

describe('records without a create time', () => {
	const isPart = { lists: new Map([[MAIN, false]]) };
	const waiting = new Map([['a', { hour: 0, tries: 1 }]]);
	const isAWaiting = { waiting, known: knownOf({ b: -1, c: -1 }) };

	test.each<[string, string, Partial<KindState>, string, number]>([
		['each unknown one is new, where the list was read to its end', 'xaybcz', {}, 'zyx', 0],
		['those before the first known one are, where it was not', 'xyabcz', isPart, 'yx', 1],
		['the same where some were forgotten', 'xyabcz', { hasForgotten: true }, 'yx', 1],
		['what stands behind the last known one may be old', 'abcz', isPart, '', 1],
		['none is where unknown ones stand among known ones: it has no lasting order', 'xaybc', isPart, '', 2],
		['the same at its end', 'xabyc', isPart, '', 2],
		['none is where no known one is left', 'xy', isPart, '', 2],
		['none is in a list that is read for the first time', 'xay', { lists: new Map(), cleanRounds: 1 }, '', 2],
		['one that waits shows nothing about the order', 'xabc', { ...isPart, ...isAWaiting }, 'ax', 0],
		['nor does it between known ones', 'xbac', { ...isPart, ...isAWaiting }, 'ax', 0],
	])('%s', (_what, seen, state, given, doubtful) => {
		const memory = memoryWith({ known: knownOf({ a: -1, b: -1, c: -1 }), ...state });
		const list = [...seen].map((id) => found(id));
		// One with a create time is no disorder.
		list.splice(2, 0, found('t', HOUR));
		expect(idsOf(memory.judge(MAIN, read(list))).replace('t', '')).toBe(given);
		// What could not be told apart once is not named again.
		expect(memory.judge(MAIN, read(list)).filter(({ found: { id } }) => !waiting.has(id))).toEqual([]);
		memory.finish();
		expect(said.map((text) => parseInt(text))).toEqual(doubtful > 0 ? [doubtful] : []);
		// What is listed first is forgotten last.
		const known = [...memory.state.known.keys()].join('').replace('t', '');
		expect(known.endsWith([...seen].reverse().join(''))).toBe(true);
	});

	test.each<[string, Parameters<typeof read>[1], boolean | undefined, 'unread' | 'part' | 'whole']>([
		['one that was read to its end is known', {}, undefined, 'whole'],
		['one that was left behind the window is in part', { end: 'window' }, undefined, 'part'],
		['one that was read to its end in several polls is too', { isResumed: true }, undefined, 'part'],
		['it stays so', { end: 'window' }, false, 'part'],
		['until it is read to its end', {}, false, 'whole'],
		['in several polls as well', { isResumed: true }, false, 'whole'],
		['what is known of all stays so', { end: 'window' }, true, 'whole'],
		['one that was cut short was not read', { end: 'cut' }, undefined, 'unread'],
		['nor does that take anything back', { end: 'cut' }, true, 'whole'],
	])('how much of a list is known: %s', (_what, reading, isWhole, depth) => {
		for (const list of [MAIN, COMPANY]) {
			const lists = new Map(isWhole === undefined ? [] : [[list, isWhole]]);
			const memory = memoryWith({ lists, cleanRounds: 2 });
			memory.judge(list, read([found('t', HOUR)], reading));
			expect(memory.depthOf(list)).toBe(depth);
			// Where all is known of the list of all from now on, all companies' lists are to be compared with it again.
			const isMoreKnown = list === MAIN && isWhole === false && depth === 'whole';
			expect(memory.state.cleanRounds).toBe(isMoreKnown ? 0 : 2);
			memory.state.hasForgotten = true;
			expect(memory.depthOf(list)).toBe(depth === 'unread' ? 'unread' : 'part');
		}
	});
});

describe("a company's list that is only compared", () => {
	const known = knownOf({ a: HOUR });
	const waiting = new Map([['w', { hour: HOUR_NUMBER, tries: 1 }]]);
	const seen = [
		found('a', HOUR),
		found('w', 0),
		found('n', DAY),
		found('o', DAY + 1),
		found('p', 2 * DAY + 1),
		found('t'),
	];
	const lacking = (memory: Memory) => idsOf(memory.lackingIn(COMPANY, read(seen)).map((each) => ({ found: each })));
	const since = START;

	test.each<[string, Partial<KindState>, string]>([
		['what is unknown and in the window', { since }, 'nt'],
		['what was created since the window of the round before', {}, 'not'],
		[
			'nothing without a time, where that of all was not read to its end',
			{ since, lists: new Map([[MAIN, false]]) },
			'n',
		],
		['nor where such were forgotten', { since, hasForgotten: true }, 'n'],
		['what was created since it failed', { since, open: openSince(2 * DAY) }, 'not'],
	])('should have had: %s; nothing of it is remembered', (_what, state, ids) => {
		const memory = memoryWith({ ...isMainRead, cleanRounds: 1, known, waiting, ...state });
		expect(lacking(memory)).toBe(ids);
		expect(memory.state.known).toEqual(known);
		expect(memory.state.lists.has(COMPANY)).toBe(false);
		memory.finish();
		expect(said).toEqual([]);
	});

	test.each<[string, Partial<KindState>, string]>([
		['30 days back, so that a company is noticed before it has news', {}, 'nopt'],
		['but not where that of all was not read to its end', { lists: new Map([[MAIN, false]]) }, 'no'],
		['nor where each company is asked', { asksEach: true }, 'not'],
	])('in the first round %s', (_what, state, ids) => {
		const memory = memoryWith({ ...isMainRead, known, waiting, polledAt: START, ...state });
		const all = [...seen, found('x', 30 * DAY + HOUR)];
		expect(idsOf(memory.lackingIn(COMPANY, read(all)).map((each) => ({ found: each })))).toBe(ids);
	});

	test('is compared as far back until the list of all lacks nothing', () => {
		const memory = memoryWith({ ...isMainRead, cleanRounds: 1, known, waiting, open: openSince(2 * DAY) });
		for (const each of 'not') {
			expect(lacking(memory)).toContain(each);
			expect(memory.state.open).toEqual(openSince(2 * DAY));
			memory.state.known.set(each, { hour: 0, status: '' });
		}
		expect(lacking(memory)).toBe('');
		expect(memory.state.open.size).toBe(0);
	});

	test('tells what a part of it shows, and is then read from its first page as far back', () => {
		const next = { page: 3, size: 100, begunAt: START - 5 };
		for (const part of [{ end: 'cut', next } as const, { isResumed: true }]) {
			const memory = memoryWith({ ...isMainRead, cleanRounds: 1, known, waiting });
			expect(idsOf(memory.lackingIn(COMPANY, read(seen, part)).map((each) => ({ found: each })))).toBe('not');
			expect(memory.state.open.get(COMPANY)).toMatchObject({ page: 1, size: 0 });
		}
	});

	test('is gone on with where a part of it shows nothing, then read from its first page as far back', () => {
		const next = { page: 3, size: 100, begunAt: START - 5 };
		const memory = memoryWith({
			...isMainRead,
			cleanRounds: 1,
			known: new Map(seen.map(({ id }) => [id, { hour: 0, status: '' }])),
		});
		expect(memory.lackingIn(COMPANY, read(seen, { end: 'cut', next }))).toEqual([]);
		expect(memory.state.open.get(COMPANY)).toMatchObject(next);
		expect(memory.lackingIn(COMPANY, read(seen, { isResumed: true }))).toEqual([]);
		expect(memory.state.open.get(COMPANY)).toMatchObject({ page: 1, size: 0 });
	});
});

describe('Status Changed', () => {
	const rules = { watchesStatus: true, windowMs: 30 * DAY };
	test('gives what has another status, with the one before', () => {
		const memory = memoryWith({ known: knownOf({ a: DAY, b: DAY }, 'Running') }, rules);
		const seen = [found('c', HOUR, 'Done'), found('a', DAY, 'Done'), found('b', DAY, 'Running')];
		expect(memory.judge(MAIN, read(seen))).toEqual([
			{ found: found('a', DAY, 'Done'), former: { hour: HOUR_NUMBER - 24, status: 'Running' }, company: undefined },
		]);
		expect([...memory.state.known.values()].map(({ status }) => status)).toEqual(['Done', 'Running', 'Done']);
	});

	test('gives what is seen for the first time, if that counts as changed', () => {
		const memory = memoryWith({ from: START - 30 * DAY }, { ...rules, alsoFirstSeen: true });
		const seen = [found('a', HOUR, 'Running'), found('b', 31 * DAY, 'Running')];
		expect(idsOf(memory.judge(MAIN, read(seen)))).toBe('a');
		expect(memory.judge(MAIN, read(seen))).toEqual([]);
	});

	test('a status is nothing to New', () => {
		const memory = memoryWith({ known: knownOf({ a: HOUR }) });
		const news = memory.judge(MAIN, read([found('a', HOUR, 'Done'), found('b', HOUR, 'Done')]));
		expect(news.map(({ former }) => former)).toEqual([undefined]);
		expect([...memory.state.known.values()].map(({ status }) => status)).toEqual(['', '']);
	});
});
