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
	idsOf,
	knownOf,
	memoryWith,
	read,
} from './memoryFixture';

memoryFixture();

describe('how far a list is read', () => {
	const floor = (memory: Memory, list: string, ...ages: number[]) => {
		const floorOf = memory.floorOf(list);
		return START - (ages.map((age) => floorOf(START - age)).at(-1) ?? NaN);
	};
	const open = (list: string) => ({ open: new Map([[list, openAt(START - 5 * DAY)]]) });
	const waiting = (hour: number) =>
		new Map([
			['a', { hour, tries: 1 }],
			['b', { hour: 0, tries: 1 }],
		]);

	test.each<[string, Partial<KindState>, string, number]>([
		['to the beginning of the window', {}, MAIN, DAY],
		['to the beginning, if it was not read before', { lists: new Map() }, COMPANY, 2 * DAY],
		['to the window, if that begins before', { lists: new Map(), since: START }, COMPANY, DAY],
		['to where it stayed behind', open(COMPANY), COMPANY, 5 * DAY],
		['to where the list of all did', open(MAIN), MAIN, 5 * DAY],
		['to what waits', { waiting: waiting(HOUR_NUMBER - 60) }, MAIN, 60 * HOUR],
		['no less far because of what waits', { waiting: waiting(HOUR_NUMBER) }, MAIN, DAY],
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
		const memory = memoryWith({ from: 0 }, { isNew: true, served: START - 20 * DAY });
		expect(floor(memory, MAIN, HOUR)).toBe(3 * DAY);
	});
});

describe('what could not be read', () => {
	test.each<[string, Partial<KindState>, number]>([
		['keeps the window', {}, DAY],
		['keeps the beginning, if it was never read', { lists: new Map() }, 2 * DAY],
		['keeps where it had stayed behind', { open: new Map([[COMPANY, openAt(START - 5 * DAY, 7, 50)]]) }, 5 * DAY],
		['however old that is', { open: new Map([[COMPANY, openAt(START - 90 * DAY)]]) }, 90 * DAY],
	])('%s', (_what, state, age) => {
		const memory = memoryWith(state);
		memory.keepOpen(COMPANY);
		expect(memory.state.open.get(COMPANY)).toEqual({ ...openAt(START - age), isUnread: state.lists !== undefined });
	});

	test('keeps it for 14 days of failures', () => {
		for (const [days, age] of [[14, 90] as const, [15, 15] as const]) {
			const since = openAt(START - 90 * DAY, 1, 0, 0, false, START - days * DAY);
			const memory = memoryWith({ open: new Map([[COMPANY, since]]) });
			memory.keepOpen(COMPANY);
			expect(memory.state.open.get(COMPANY)).toEqual({ ...since, from: START - age * DAY });
		}
	});

	test('remembers whether it was never read or compared', () => {
		const memory = memoryWith({ lists: new Map() });
		memory.keepOpen(COMPANY);
		memory.state.cleanRounds = 1;
		for (const list of [COMPANY, 'other']) memory.keepOpen(list);
		expect([...memory.state.open.values()].map(({ isUnread }) => isUnread)).toEqual([true, false]);
	});

	test('at activation it keeps the activation, whatever is to be given', () => {
		const memory = atActivation();
		memory.keepOpen(COMPANY);
		expect(memory.state.open.get(COMPANY)?.from).toBe(START);
		const early = atActivation({ existingSince: START - DAY });
		early.keepOpen(COMPANY);
		expect(early.state.open.get(COMPANY)?.from).toBe(START - DAY);
	});

	test('goes on with the page where it stopped, until its end is reached; after a failure from the first', () => {
		const memory = memoryWith();
		const { open } = memory.state;
		const next = { page: 4, size: 100, begunAt: START - 5 };
		memory.judge(COMPANY, read([found('a', HOUR)], { end: 'cut', next }));
		expect(open.get(COMPANY)).toEqual(openAt(START - DAY, 4, 100, START - 5));
		memory.keepOpen(COMPANY);
		expect(open.get(COMPANY)).toEqual(openAt(START - DAY));
		memory.keepOpen(COMPANY, next);
		memory.judge(COMPANY, read([], { isResumed: true }));
		expect(open.size).toBe(0);
	});
});

describe('what could not be given now', () => {
	test('waits, and is as unknown as before', () => {
		const memory = memoryWith({ known: knownOf({ b: DAY }, 'Running') }, { watchesStatus: true });
		const former = { hour: HOUR_NUMBER - 24, status: 'Running' };
		memory.judge(MAIN, read([found('a', HOUR), found('b', DAY, 'Done')]));
		memory.hold({ found: found('a', HOUR) }, { tries: 2 });
		memory.hold({ found: found('b', DAY, 'Done'), former }, { tries: 1 });
		expect([...memory.state.known]).toEqual([['b', former]]);
		expect([...memory.state.waiting]).toEqual([
			['a', { hour: HOUR_NUMBER - 1, tries: 2 }],
			['b', { hour: HOUR_NUMBER - 24, tries: 1 }],
		]);
	});

	test('is forgotten after 20 complete readings without a sign of it', () => {
		const memory = memoryWith({
			waiting: new Map([
				['a', { hour: 1, tries: 0 }],
				['b', { hour: 1, tries: 0 }],
			]),
		});
		memory.judge(MAIN, read([found('b', HOUR)]));
		for (let readings = 0; readings < 20; readings++) memory.advance(START);
		expect([...memory.state.waiting.keys()]).toEqual(['a', 'b']);
		memory.advance(START);
		expect([...memory.state.waiting]).toEqual([['b', { hour: 1, tries: 0 }]]);
	});
});

describe('the window', () => {
	test('follows the newest record, but not one that came after the first list was read', () => {
		const memory = memoryWith({ from: START - 9 * DAY });
		memory.judge(MAIN, read([found('z', -HOUR), found('a', HOUR), found('b', 3 * HOUR)]));
		memory.advance(START - 2 * HOUR);
		expect(memory.state.from).toBe(START - DAY - 2 * HOUR);
		memory.advance(START);
		expect(memory.state.from).toBe(START - DAY - HOUR);
	});

	test('begins with the first complete reading', () => {
		const memory = atActivation();
		memory.judge(MAIN, read([found('a', 0)]));
		memory.advance(START);
		expect(memory.state.from).toBe(START - DAY);
	});

	test('is a day and two at most, where an empty list was read without a Date header', () => {
		const memory = memoryWith({ from: 0 }, { clock: new Clock() });
		memory.judge(MAIN, read([]));
		memory.advance(START);
		expect(idsOf(memory.judge(COMPANY, read([found('a', 3 * DAY), found('b', 3 * DAY + HOUR)])))).toBe('a');
	});

	test('never goes back, and is never none', () => {
		const memory = memoryWith({ from: START });
		memory.advance(START);
		expect(memory.state.from).toBe(START);
		const begun = memoryWith({ from: 0 }, { windowMs: 2 * START });
		begun.advance(START);
		expect(begun.state.from).toBe(1);
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
