/** What is new in a list, by what is remembered of it. */
import type { Memory } from '../../nodes/shared/polling/memory';
import type { Reading } from '../../nodes/shared/polling/reading';
import { MAIN, type KindState } from '../../nodes/shared/polling/state';
import { DAY, HOUR, openAt, START } from './pollingFixture';
import {
	memoryFixture,
	atActivation,
	COMPANY,
	found,
	HOUR_NUMBER,
	idsOf,
	inFirstAskingEach,
	inFirstRound,
	knownIds,
	knownOf,
	memoryWith,
	read,
	said,
	waitingAt,
} from './memoryFixture';

memoryFixture();

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
		['since the activation, at its first reading; all of it is known then', inFirstAskingEach, 'ba', 'abcdefg', 3],
		['since the window before the last round, once one is complete', { cleanRounds: 1 }, 'fbae', 'abef', 0],
		['but not what tells nothing of its age, where such were forgotten', { hasForgotten: true }, 'bae', 'abef', 1],
		[
			'since it failed first, in one that was not read before, though a round is complete now',
			{ since: START - 9 * DAY, open: openSince(2 * DAY, true) },
			...(['ba', 'abcdefg', 3] as const),
		],
		[
			'since it failed, in one that was read or compared before',
			{ since: START, open: openSince(2 * DAY) },
			...(['fbae', 'abef', 0] as const),
		],
	])("in a company's list: %s", (_what, state, given, known, doubtful) => {
		const memory = memoryWith({ asksEach: true, ...state });
		// Of a list that begins, what may have been there before is doubtful: 14 hours around its beginning, and of the future.
		const seen = [found('e', -14 * HOUR - 1), found('a', 0), found('b', 2 * DAY), found('c', 2 * DAY + 14 * HOUR)];
		seen.push(found('d', 2 * DAY + 14 * HOUR + 1), found('g', 3 * DAY + 1), found('f'));
		expect(idsOf(memory.judge(COMPANY, read(seen)))).toBe(given);
		expect(knownIds(memory)).toBe(known);
		expect(memory.state.open.size).toBe(0);
		expect(memory.judge(COMPANY, read(seen))).toEqual([]);
		memory.finish();
		expect(said.map((text) => parseInt(text))).toEqual(doubtful > 0 ? [doubtful] : []);
	});

	test.each<[string, boolean, string]>([
		['New', false, 'x'],
		['Status Changed', true, ''],
	])("in a company's list not what that of all showed in the same poll: %s", (_what, watchesStatus, given) => {
		const memory = memoryWith({ asksEach: true, known: knownOf({ s: HOUR }, 'Running') }, { watchesStatus });
		const seen = [found('n', HOUR, 'Running'), found('s', HOUR, 'Running'), found('o', 9 * DAY, 'Running')];
		memory.judge(MAIN, read(seen));
		const known = new Map(memory.state.known);
		// There their statuses are not those of now.
		const other = seen.map((each) => ({ ...each, status: 'Done' }));
		expect(idsOf(memory.judge(COMPANY, read([...other, found('x', HOUR)])))).toBe(given);
		known.set('x', { hour: HOUR_NUMBER - 1, status: '' });
		expect(memory.state.known).toEqual(known);
		// Where the list of all does not show it any more, its company's list counts.
		const later = memoryWith({ asksEach: true, known }, { watchesStatus });
		expect(idsOf(later.judge(COMPANY, read(other)))).toBe(watchesStatus ? 'sn' : '');
	});

	test('what waits, however old it is', () => {
		const memory = memoryWith({ waiting: waitingAt({ a: 1 }) });
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
	const isPart = { hasForgotten: true };
	const waiting = waitingAt({ a: 0 });
	const first = { from: 0, ...inFirstRound };
	const isAWaiting = { waiting, known: knownOf({ b: -1, c: -1 }) };

	test.each<[string, string, Partial<KindState>, string, number]>([
		['each unknown one is new, where all lists were read to their ends', 'xaybcz', {}, 'zyx', 0],
		['those before the first known one are, where some are not known', 'xyabcz', isPart, 'yx', 1],
		['what stands behind the last known one may be old', 'abcz', isPart, '', 1],
		['none is where unknown ones stand among known ones: it has no lasting order', 'xaybc', isPart, '', 2],
		['the same at its end', 'xabyc', isPart, '', 2],
		['none is where no known one is left', 'xy', isPart, '', 2],
		['none is in a list that is read for the first time', 'xay', { from: 0, ...inFirstRound }, '', 2],
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

	test.each<[string, Partial<KindState>, Partial<Reading>, 'unread' | 'part' | 'whole']>([
		['what was read to its end is known', first, {}, 'whole'],
		['what was left behind the window is in part', first, { end: 'window' }, 'part'],
		['what was cut short was not read', first, { end: 'cut' }, 'unread'],
		['what is known in part stays so', isPart, { end: 'window' }, 'part'],
		['also if it is cut short', isPart, { end: 'cut' }, 'part'],
		['until it is read to its end', isPart, {}, 'whole'],
		['what is known of all stays so', {}, { end: 'window' }, 'whole'],
		['also if it is cut short', {}, { end: 'cut' }, 'whole'],
		[
			'one of many lists that is read to its end does not make up for others',
			{ ...isPart, asksEach: true },
			{},
			'part',
		],
	])('how much is known: %s', (_what, state, reading, depth) => {
		const memory = memoryWith(state);
		memory.judge(MAIN, read([found('t', HOUR)], reading));
		// As kindPoll.ts does.
		if (reading.end !== 'cut') memory.state.from = START - DAY;
		expect(memory.depthOf(MAIN)).toBe(depth);
		memory.state.cleanRounds = 1;
		memory.state.hasForgotten = true;
		expect(memory.depthOf(MAIN)).toBe(depth === 'unread' ? 'unread' : 'part');
	});

	test("one company's list that is left behind the window makes all known in part, until all are read to their ends", () => {
		const memory = memoryWith(inFirstAskingEach);
		memory.judge(COMPANY, read([found('t', HOUR)], { end: 'window' }));
		memory.state.cleanRounds = 1;
		expect([MAIN, COMPANY, 'bbbbb'].map((list) => memory.depthOf(list))).toEqual(['part', 'part', 'part']);
		memory.judge('bbbbb', read([found('t', HOUR)]));
		expect(memory.depthOf(COMPANY)).toBe('part');
	});
});

describe("a company's list that is only compared", () => {
	const known = knownOf({ a: HOUR });
	const waiting = waitingAt({ w: HOUR_NUMBER });
	const seen = [
		found('a', HOUR),
		found('w', 0),
		found('n', DAY),
		found('o', DAY + 1),
		found('p', 2 * DAY + 1),
		found('t'),
	];
	const lacking = (memory: Memory) => idsOf(memory.lackingIn(COMPANY, read(seen)).map((each) => ({ found: each })));

	test.each<[string, Partial<KindState>, string]>([
		['what is unknown and was created since the window of the last round', {}, 'not'],
		['what is in the window of the list of all', { since: START }, 'nt'],
		['what was created since it failed', { since: START, open: openSince(3 * DAY) }, 'nopt'],
		['nothing without a time where some of that are not known', { hasForgotten: true }, 'no'],
	])('should have had: %s; nothing of it is remembered', (_what, state, ids) => {
		const memory = memoryWith({ known, waiting, ...state });
		expect(lacking(memory)).toBe(ids);
		expect(memory.state.known).toEqual(known);
		memory.finish();
		expect(said).toEqual([]);
	});

	test('not what the list of all showed in the same poll, however old it is', () => {
		const memory = memoryWith({ known, waiting, ...inFirstRound, polledAt: START });
		memory.judge(MAIN, read([found('n', DAY), found('p', 2 * DAY + 1)]));
		expect(lacking(memory)).toBe('ot');
	});

	test.each<[string, Partial<KindState>, string]>([
		['30 days back, so that a company is noticed before it has news', {}, 'nopt'],
		['but not where some without a time are not known', { hasForgotten: true }, 'no'],
	])('in the first round %s', (_what, state, ids) => {
		const memory = memoryWith({ ...inFirstRound, known, waiting, polledAt: START, ...state });
		const all = [...seen, found('x', 30 * DAY + HOUR)];
		expect(idsOf(memory.lackingIn(COMPANY, read(all)).map((each) => ({ found: each })))).toBe(ids);
	});

	test('counts as not read until the list of all lacks nothing, and it was read to its end', () => {
		const memory = memoryWith({ known, waiting, open: openSince(2 * DAY) });
		for (const each of 'not') {
			expect(lacking(memory)).toContain(each);
			expect(memory.state.open).toEqual(openSince(2 * DAY));
			memory.state.known.set(each, { hour: 0, status: '' });
		}
		expect(memory.lackingIn(COMPANY, read(seen, { end: 'cut' }))).toEqual([]);
		expect(memory.state.open.size).toBe(1);
		expect(lacking(memory)).toBe('');
		expect(memory.state.open.size).toBe(0);
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

	describe('what is older than late records, and younger than the watched days,', () => {
		const begun = { newest: START - HOUR, since: START - DAY };
		const watching = { watchesStatus: true, windowMs: DAY, watchedMs: 29 * DAY };
		const seen = (status: string) => read([found('a', 2 * DAY, status), found('b', 40 * DAY, status)]);

		test.each([true, false])('counts as existing, and is given when it changes (first seen: %s)', (alsoFirstSeen) => {
			const memory = memoryWith(begun, { ...watching, alsoFirstSeen });
			expect(memory.floorOf(MAIN)(START)).toBe(START - 30 * DAY);
			expect(memory.judge(MAIN, seen('Running'))).toEqual([]);
			expect(knownIds(memory)).toBe('a');
			const next = memoryWith({ known: memory.state.known }, { ...watching, alsoFirstSeen });
			expect(idsOf(next.judge(MAIN, seen('Done')))).toBe('a');
		});

		test('stays unknown where another list may still give it, unless what is first seen is not given', () => {
			const open = new Map([[COMPANY, openAt(START - 3 * DAY)]]);
			const first = memoryWith({ ...begun, open }, { ...watching, alsoFirstSeen: true });
			expect(first.judge(MAIN, seen('Running'))).toEqual([]);
			expect(knownIds(first)).toBe('');
			const changes = memoryWith({ ...begun, open }, watching);
			expect(changes.judge(MAIN, seen('Running'))).toEqual([]);
			expect(knownIds(changes)).toBe('a');
		});

		test('is not watched any more where there was too much to remember', () => {
			const memory = memoryWith(
				{ ...begun, forgottenTo: START - 2 * DAY + HOUR },
				{ ...watching, alsoFirstSeen: true },
			);
			expect(memory.floorOf(MAIN)(START)).toBe(START - 2 * DAY + HOUR);
			expect(memory.judge(MAIN, seen('Running'))).toEqual([]);
			expect(knownIds(memory)).toBe('');
		});
	});

	test('a status is nothing to New', () => {
		const memory = memoryWith({ known: knownOf({ a: HOUR }) });
		const news = memory.judge(MAIN, read([found('a', HOUR, 'Done'), found('b', HOUR, 'Done')]));
		expect(news.map(({ former }) => former)).toEqual([undefined]);
		expect([...memory.state.known.values()].map(({ status }) => status)).toEqual(['', '']);
	});
});
