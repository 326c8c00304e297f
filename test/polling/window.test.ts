/** How far a list is read, and what is remembered of one that was not, of what waits, and of the window. */
import { Clock } from '../../nodes/shared/polling/clock';
import type { Memory } from '../../nodes/shared/polling/memory';
import { MAIN, type KindState } from '../../nodes/shared/polling/state';
import { DAY, HOUR, openAt, START } from './pollingFixture';
import {
	memoryFixture,
	atActivation,
	COMPANY,
	found,
	HOUR_NUMBER,
	inFirstAskingEach,
	knownOf,
	memoryWith,
	read,
	said,
	waitingAt,
} from './memoryFixture';

memoryFixture();

describe('how far a list is read', () => {
	const floor = (memory: Memory, list: string, ...ages: number[]) => {
		const floorOf = memory.floorOf(list);
		return START - (ages.map((age) => floorOf(START - age)).at(-1) ?? NaN);
	};
	const open = (list: string) => ({ open: new Map([[list, openAt(START - 5 * DAY)]]) });
	test.each<[string, Partial<KindState>, string, number]>([
		['that of all to the beginning of its window', {}, MAIN, DAY],
		["a company's to the beginning of that of the last round", { since: START - 3 * DAY }, COMPANY, 3 * DAY],
		['to the beginning, at its first reading', { ...inFirstAskingEach, since: START - 5 * DAY }, COMPANY, 5 * DAY],
		['to the window, if that begins before', { ...inFirstAskingEach, since: START }, COMPANY, 3 * DAY],
		['that of all to the beginning of the others, if it is read again after long', { from: 0 }, MAIN, 2 * DAY],
		['to where it stayed behind', open(COMPANY), COMPANY, 5 * DAY],
		['to where the list of all did', open(MAIN), MAIN, 5 * DAY],
		['to what waits', { waiting: waitingAt({ a: HOUR_NUMBER - 60, b: 0 }) }, MAIN, 60 * HOUR],
		['no less far because of what waits', { waiting: waitingAt({ a: HOUR_NUMBER, b: 0 }) }, MAIN, DAY],
		['to what it seems to lack', { doubted: knownOf({ a: 60 * HOUR }) }, MAIN, 60 * HOUR],
	])('%s', (_what, state, list, age) => {
		// However old the newest record is.
		expect(floor(memoryWith(state), list, 9 * DAY)).toBe(age);
	});

	test.each([
		['a day before the newest record', [HOUR, 2 * HOUR], DAY + HOUR],
		['a day before one of this moment', [0], DAY],
		['a day and two before the time, if there is none so new', [9 * DAY], 3 * DAY],
		['one that is dated in the future says nothing', [-HOUR], 3 * DAY],
	])('at the first reading of all: %s', (_what, ages, age) => {
		expect(floor(atActivation(), MAIN, ...ages)).toBe(age);
	});

	test("at the first reading of all: as far as 'Emit Existing Since'", () => {
		expect(floor(atActivation({ existingSince: START - 9 * DAY }), MAIN, HOUR)).toBe(9 * DAY);
		expect(floor(atActivation({ existingSince: START }), MAIN, HOUR)).toBe(DAY + HOUR);
	});

	test('records on the way show that the clock of the service is wrong', () => {
		expect(floor(atActivation({ served: START - 20 * DAY }), MAIN, HOUR)).toBe(DAY + HOUR);
	});
});

describe('what could not be read', () => {
	test.each<[string, Partial<KindState>, number]>([
		['keeps the window', {}, 2 * DAY],
		['keeps the beginning, if it was never read', inFirstAskingEach, 2 * DAY],
		['keeps where it had stayed behind', { open: new Map([[COMPANY, openAt(START - 5 * DAY, 7, 50)]]) }, 5 * DAY],
	])('%s', (_what, state, age) => {
		const memory = memoryWith(state);
		memory.keepOpen(COMPANY);
		const isUnread = state.cleanRounds === 0;
		expect(memory.state.open.get(COMPANY)).toEqual(openAt(START - age, 1, 0, state.open ? 0 : START, isUnread));
	});

	test('remembers whether it was never read, also when all others were', () => {
		const memory = memoryWith(inFirstAskingEach);
		memory.keepOpen(COMPANY);
		Object.assign(memory.state, { cleanRounds: 1, since: START - 9 * DAY });
		for (const list of [COMPANY, 'other']) memory.keepOpen(list);
		const [first, other] = [...memory.state.open.values()];
		expect([first, other]).toMatchObject([
			{ from: START - 2 * DAY, isUnread: true },
			{ from: START - 9 * DAY, isUnread: false },
		]);
	});

	test('at activation it keeps the activation, whatever is to be given', () => {
		const memory = atActivation();
		memory.keepOpen(COMPANY);
		expect(memory.state.open.get(COMPANY)?.from).toBe(START);
		const early = atActivation({ since: START - DAY, existingSince: START - DAY });
		early.keepOpen(COMPANY);
		expect(early.state.open.get(COMPANY)?.from).toBe(START - DAY);
	});

	test('goes on with the page where it stopped, until its end is reached; after a failure from the first', () => {
		const memory = memoryWith();
		const { open } = memory.state;
		const next = { page: 4, size: 100, rows: 90, begunAt: START - 5 };
		const kept = { ...next, from: START - 2 * DAY, isUnread: false };
		memory.judge(COMPANY, read([found('a', HOUR)], { end: 'cut', next }));
		expect(open.get(COMPANY)).toEqual(kept);
		memory.keepOpen(COMPANY);
		expect(open.get(COMPANY)).toEqual(openAt(START - 2 * DAY, 1, 0, next.begunAt));
		memory.keepOpen(COMPANY, next);
		memory.judge(COMPANY, read([], { begunAt: START - 5 }));
		expect(open.size).toBe(0);
	});
});

describe('what could not be given now', () => {
	test('waits, and is as unknown as before', () => {
		const memory = memoryWith({ known: knownOf({ b: DAY }, 'Running') }, { watchesStatus: true });
		const former = { hour: HOUR_NUMBER - 24, status: 'Running' };
		memory.judge(MAIN, read([found('a', HOUR), found('b', DAY, 'Done')]));
		memory.hold({ found: found('a', HOUR) }, 'tries', 2);
		memory.hold({ found: found('b', DAY, 'Done'), former }, 'searches', 1);
		expect([...memory.state.known]).toEqual([['b', former]]);
		expect([...memory.state.waiting]).toEqual([
			['a', { hour: HOUR_NUMBER - 1, tries: 2, searches: 0 }],
			['b', { hour: HOUR_NUMBER - 24, tries: 0, searches: 1 }],
		]);
	});

	test.each(['tries', 'searches'] as const)('has waited long enough after nine polls: %s', (what) => {
		const memory = memoryWith();
		const other = what === 'tries' ? 'searches' : 'tries';
		const each = { found: found('a', HOUR) };
		for (const polls of [3, 0, 3, 2]) memory.hold(each, what, polls);
		memory.hold(each, other, 8);
		expect(memory.hasWaited('a', what)).toBe(false);
		memory.hold(each, what, 1);
		expect([memory.hasWaited('a', what), memory.hasWaited('a', other)]).toEqual([true, false]);
		expect(memory.hasWaited('b', what)).toBe(false);
	});

	test('is forgotten after 20 complete readings without a sign of it, and that is said', () => {
		const memory = memoryWith({ waiting: waitingAt({ a: 1, b: 1, c: 1 }, 0) });
		memory.judge(MAIN, read([found('b', HOUR)]));
		memory.judge(COMPANY, read([found('c', HOUR)]));
		for (let readings = 0; readings < 20; readings++) memory.advance(START);
		expect([[...memory.state.waiting.keys()], said]).toEqual([['a', 'b', 'c'], []]);
		memory.advance(START);
		expect(memory.state.waiting).toEqual(waitingAt({ b: 1, c: 1 }, 0));
		expect(said).toEqual([expect.stringMatching(/^1 record that waited .* will not be given/)]);
	});
});

describe('the window', () => {
	const age = (memory: Memory, begunAt = START) => START - memory.windowFrom(begunAt);
	test('begins before the newest record, but not after one that came since the first list was read', () => {
		const memory = memoryWith();
		memory.judge(MAIN, read([found('z', -HOUR), found('a', HOUR), found('b', 3 * HOUR)]));
		expect(age(memory, START - 2 * HOUR)).toBe(DAY + 2 * HOUR);
		expect(age(memory)).toBe(DAY + HOUR);
	});

	test('begins before the newest record of all polls', () => {
		const memory = memoryWith({ newest: START - HOUR });
		memory.judge(COMPANY, read([found('a', 3 * HOUR)]));
		expect(age(memory)).toBe(DAY + HOUR);
	});

	test('is a day and two at most, where nothing was created lately, or an empty list was read without a Date header', () => {
		for (const memory of [memoryWith({ newest: START - 9 * DAY }), memoryWith({ from: 0 }, { clock: new Clock() })]) {
			memory.judge(MAIN, read([]));
			expect(age(memory)).toBe(3 * DAY);
		}
	});

	test('is never none', () => {
		expect(memoryWith({}, { windowMs: 2 * START }).windowFrom(START)).toBe(1);
	});
});

describe('the end of a poll', () => {
	test('notes when it was', () => {
		const memory = memoryWith({}, { served: START - HOUR });
		expect(memory.finish()).toMatchObject({ polledAt: START - HOUR, since: START - 2 * DAY });
		const open = () => new Map([[MAIN, openAt(START)]]);
		expect(memoryWith({ open: open() }).finish().open).toEqual(open());
	});

	test("a record that was read shows that the service's clock is wrong", () => {
		const memory = memoryWith({}, { served: START - 20 * DAY });
		memory.judge(MAIN, read([found('a', HOUR)]));
		expect(memory.finish().polledAt).toBe(START);
	});

	test("what begins now begins by the service's clock", () => {
		const open = new Map([
			[MAIN, openAt(START)],
			[COMPANY, openAt(START - DAY)],
		]);
		const memory = memoryWith({ since: START, open }, { isNew: true, served: START - HOUR });
		expect(memory.finish()).toMatchObject({ polledAt: START - HOUR, since: START - HOUR });
		expect([...memory.state.open.values()].map(({ from }) => from)).toEqual([START - HOUR, START - DAY]);
		expect(memoryWith({ since: START - DAY }, { isNew: true }).finish().since).toBe(START - DAY);
	});
});
