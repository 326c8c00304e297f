/** What is new in a list, by what is remembered of it. */
import { Clock } from '../../nodes/shared/polling/clock';
import { Memory, type NewsRules } from '../../nodes/shared/polling/memory';
import type { Found, Reading } from '../../nodes/shared/polling/reading';
import { MAIN, newKind, type KindState } from '../../nodes/shared/polling/state';
import { DAY, HOUR, START } from './ground';

const HOUR_NUMBER = START / HOUR;
const COMPANY = 'aaaaa';
beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(START));
afterEach(() => jest.restoreAllMocks());

/** What a trigger remembers that was activated two days ago and has read the list of all, and the companies' lists. */
const usual = (): KindState => ({
	...newKind('s', 's', START - 2 * DAY),
	...{ polledAt: START - HOUR, from: START - DAY, next: START - DAY, main: { isRead: true, total: 0 } },
	companies: new Map([[COMPANY, true]]),
});
let said: string[] = [];
beforeEach(() => (said = []));

function memoryWith(
	more: Partial<KindState> = {},
	{ isNew = false, served = START, ...rules }: Partial<NewsRules> & { isNew?: boolean; served?: number } = {},
): Memory {
	const clock = new Clock();
	clock.hear(served);
	const warn = (message: string) => said.push(message);
	const usualRules = { clock, windowMs: DAY, watchesStatus: false, alsoFirstSeen: false, warn };
	return new Memory({ ...usual(), ...more }, isNew, { ...usualRules, ...rules });
}
/** A memory of a trigger that is being activated. */
const atActivation = (rules: Partial<NewsRules> = {}) => {
	const begun = { since: START, from: 0, next: 0, main: { isRead: false, total: null }, companies: new Map() };
	return memoryWith(begun, { isNew: true, ...rules });
};

/** @param age how old it is, in ms; undefined without a create time */
const found = (id: string, age?: number, status = ''): Found => ({
	...{ id, status, record: {} },
	created: age === undefined ? undefined : START - age,
});
const read = (seen: Found[], more: Partial<Reading> = {}): Reading => ({
	...{ seen, isComplete: true, reach: -Infinity, nameless: 0, hasDuplicateIds: false },
	...more,
});
const idsOf = (news: ReturnType<Memory['judge']>) => news.map(({ found: { id } }) => id).join('');
const knownIds = ({ state }: Memory) => [...state.known.keys()].sort().join('');
const knownOf = (ids: Record<string, number>, status = '') =>
	new Map(
		Object.entries(ids).map(([id, age]) => [id, { hour: age < 0 ? 0 : Math.floor((START - age) / HOUR), status }]),
	);

describe('what is given', () => {
	test('what is unknown and in the window, the oldest first', () => {
		const memory = memoryWith({ known: knownOf({ a: HOUR }) });
		const seen = [found('d', -HOUR), found('c', 0), found('a', HOUR), found('b', DAY), found('x', DAY + 1)];
		expect(idsOf(memory.judge(MAIN, read(seen)))).toBe('bcd');
		expect(idsOf(memory.judge(MAIN, read(seen)))).toBe('');
		// What came too late is not known, so that it takes no room.
		expect(knownIds(memory)).toBe('abcd');
		expect(said).toEqual([]);
	});

	test('nothing at activation, and all of it is known', () => {
		const memory = atActivation();
		const seen = [found('a', -HOUR), found('b', 0), found('c', 9 * DAY), found('d')];
		expect(idsOf(memory.judge(MAIN, read(seen, { total: 4 })))).toBe('');
		expect(knownIds(memory)).toBe('abcd');
		expect(memory.state.main).toEqual({ isRead: true, total: 4 });
		expect(said).toEqual([]);
	});

	test("from a date on at activation, with 'Emit Existing Since'", () => {
		const memory = atActivation({ existingSince: START - DAY });
		const seen = [found('a', -HOUR), found('b', 0), found('c', DAY), found('d', DAY + 1), found('e')];
		expect(idsOf(memory.judge(MAIN, read(seen)))).toBe('cba');
		expect(knownIds(memory)).toBe('abcde');
	});

	test('since the activation, where the list was not read before the first complete reading of all', () => {
		const memory = memoryWith({ from: 0, next: 0 });
		const seen = [found('a', 2 * DAY), found('b', 3 * DAY), found('c', 3 * DAY + 1)];
		expect(idsOf(memory.judge(MAIN, read(seen)))).toBe('ba');
	});

	test('since the activation, where a list is read for the first time; what is dated in the future is known then', () => {
		const memory = memoryWith({ companies: new Map([[COMPANY, false]]) });
		const seen = [
			found('e', -15 * HOUR),
			found('d', -14 * HOUR),
			found('a', 0),
			found('b', 2 * DAY),
			found('c', 2 * DAY + 1),
		];
		expect(idsOf(memory.judge(COMPANY, read([...seen, found('f')])))).toBe('bad');
		expect(knownIds(memory)).toBe('abcdef');
		expect(memory.state.companies.get(COMPANY)).toBe(true);
		// One of the future, one of the hour before the beginning, one without a time.
		expect(said).toEqual([expect.stringMatching(/^3 records without a create time, or with one in the future/)]);
	});

	test('what is clearly older than the beginning is not doubtful', () => {
		const memory = memoryWith({ companies: new Map() });
		expect(idsOf(memory.judge(COMPANY, read([found('a', 2 * DAY + HOUR + 1)])))).toBe('');
		expect(said).toEqual([]);
		memory.judge('bbbbb', read([found('b', 2 * DAY + HOUR)]));
		expect(said).toEqual([expect.stringMatching(/^1 records/)]);
	});

	test('from where a list stayed behind, if it could not be read', () => {
		const open = new Map([[COMPANY, { from: START - 5 * DAY, page: 1, size: 0 }]]);
		const memory = memoryWith({ open });
		const seen = [found('a', 5 * DAY), found('b', 5 * DAY + 1)];
		expect(idsOf(memory.judge(COMPANY, read(seen)))).toBe('a');
		expect(memory.state.open.size).toBe(0);
	});

	test('what waits, however old it is', () => {
		const waiting = new Map([['a', { hour: 1, tries: 1 }]]);
		const memory = memoryWith({ waiting });
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
	const list = (ids: string, isWhole: boolean) => new Map([[MAIN, { isWhole, ids: [...ids] }]]);
	const known = knownOf({ a: -1, b: -1, c: -1 });
	const judged = (seen: string, timeless: KindState['timeless'], more: Partial<KindState> = {}) => {
		const memory = memoryWith({ known: new Map(known), timeless, ...more });
		const news = idsOf(memory.judge(MAIN, read([...seen].map((id) => found(id)))));
		return {
			news,
			said: said.splice(0).map((text) => parseInt(text)),
			remembered: memory.state.timeless.get(MAIN)?.ids.join(''),
		};
	};

	test('each unknown one is new, where all are remembered', () => {
		expect(judged('xaybcz', list('abc', true))).toEqual({ news: 'zyx', said: [], remembered: 'xaybcz' });
		expect(judged('xy', new Map(), { known: new Map() })).toEqual({ news: 'yx', said: [], remembered: 'xy' });
	});

	test('those before the first known one are, where some are remembered', () => {
		expect(judged('xyabcz', list('abc', false))).toEqual({ news: 'yx', said: [], remembered: 'xyabcz' });
		expect(judged('abcz', list('abc', false))).toEqual({ news: '', said: [], remembered: 'abcz' });
	});

	test('none is where unknown ones stand among known ones: such a list has no lasting order', () => {
		expect(judged('xaybc', list('abc', false))).toEqual({ news: '', said: [2], remembered: 'xaybc' });
		expect(judged('xabyc', list('abc', false))).toEqual({ news: '', said: [2], remembered: 'xabyc' });
	});

	test('what stands behind the last known one is old', () => {
		expect(judged('az', list('a', false))).toEqual({ news: '', said: [], remembered: 'az' });
	});

	test('what could not be told apart once is not named again', () => {
		const memory = memoryWith({ known: new Map(known), timeless: list('abc', false) });
		for (let polls = 0; polls < 2; polls++) {
			const seen = ['a', 'x', 'b', 'c'].map((id) => found(id));
			expect(memory.judge(MAIN, read(seen))).toEqual([]);
		}
		expect(said).toHaveLength(1);
	});

	test('none is in a list of which only a part was read so far', () => {
		expect(judged('xa', list('a', false), { main: { isRead: false, total: null } }).news).toBe('');
	});

	test('none is where no known one is left', () => {
		expect(judged('xy', list('abc', false))).toEqual({ news: '', said: [2], remembered: 'xyabc' });
	});

	test('one that waits shows nothing about the order', () => {
		const waiting = new Map([['a', { hour: 0, tries: 1 }]]);
		const unwaited = knownOf({ b: -1, c: -1 });
		expect(judged('xabc', list('abc', false), { waiting, known: unwaited }).news).toBe('ax');
	});

	test('records with a create time in between are no disorder', () => {
		const memory = memoryWith({ known: new Map(known), timeless: list('abc', false) });
		const seen = [found('x'), found('a'), found('y', HOUR), found('b'), found('c')];
		expect(idsOf(memory.judge(MAIN, read(seen)))).toBe('yx');
		expect(said).toEqual([]);
	});

	test('those of the list of all are not remembered for a company again', () => {
		const memory = memoryWith({ known: new Map(known), timeless: list('ab', true) });
		expect(memory.timelessOf(COMPANY)).toBe('all');
		expect(idsOf(memory.judge(COMPANY, read(['x', 'a', 'b'].map((id) => found(id)))))).toBe('x');
		expect(memory.state.timeless.get(COMPANY)).toEqual({ isWhole: true, ids: ['x'] });
		expect(memory.state.timeless.get(MAIN)).toEqual({ isWhole: true, ids: ['a', 'b'] });
	});

	test('unless each company is asked', () => {
		const memory = memoryWith({ known: new Map(known), timeless: list('ab', true), asksEach: true });
		memory.judge(COMPANY, read(['x', 'a', 'b'].map((id) => found(id))));
		expect(memory.state.timeless.get(COMPANY)).toEqual({ isWhole: true, ids: ['x', 'a', 'b'] });
	});

	test('how much of them is remembered', () => {
		expect(memoryWith().timelessOf(MAIN)).toBe('all');
		expect(memoryWith({ main: { isRead: false, total: null } }).timelessOf(MAIN)).toBe('nothing');
		expect(memoryWith({ companies: new Map([[COMPANY, false]]) }).timelessOf(COMPANY)).toBe('nothing');
		expect(memoryWith({ timeless: list('a', false) }).timelessOf(MAIN)).toBe('part');
		expect(memoryWith({ timeless: list('a', false) }).timelessOf(COMPANY)).toBe('part');
		expect(memoryWith({ timeless: new Map([[COMPANY, { isWhole: false, ids: [] }]]) }).timelessOf(COMPANY)).toBe(
			'part',
		);
		expect(memoryWith({ timeless: new Map([[COMPANY, { isWhole: false, ids: [] }]]) }).timelessOf(MAIN)).toBe('all');
	});

	test.each([
		['a list read to its end with none of them needs no note', { reach: -Infinity }, {}, [], undefined],
		[
			'one that was not says so',
			{ reach: START - DAY },
			{ main: { isRead: false, total: null } },
			[],
			{ isWhole: false, ids: [] },
		],
		['one of which all were known stays so', { reach: START - DAY }, {}, ['x'], { isWhole: true, ids: ['x'] }],
		[
			'one that was read further than before is whole now',
			{ reach: -Infinity },
			{ timeless: list('', false) },
			['x'],
			{ isWhole: true, ids: ['x'] },
		],
		[
			'one of which some were known keeps that',
			{ reach: START - DAY },
			{ timeless: list('b', false) },
			['x', 'b'],
			{ isWhole: false, ids: ['x', 'b'] },
		],
	])('%s', (_what, more, state, ids, noted) => {
		const memory = memoryWith({ known: knownOf({ b: -1 }), ...state });
		memory.judge(MAIN, read([found('t', HOUR), ...ids.map((id) => found(id))], more));
		expect(memory.state.timeless.get(MAIN)).toEqual(noted);
	});
});

describe('Status Changed', () => {
	const rules = { watchesStatus: true, windowMs: 30 * DAY };
	test('gives what has another status, with the one before', () => {
		const memory = memoryWith({ known: knownOf({ a: DAY, b: DAY }, 'Running') }, rules);
		const news = memory.judge(
			MAIN,
			read([found('c', HOUR, 'Done'), found('a', DAY, 'Done'), found('b', DAY, 'Running')]),
		);
		expect(news).toEqual([
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
		expect(
			memory.judge(MAIN, read([found('a', HOUR, 'Done'), found('b', HOUR, 'Done')])).map(({ former }) => former),
		).toEqual([undefined]);
		expect([...memory.state.known.values()].map(({ status }) => status)).toEqual(['', '']);
		memory.knows([found('c', HOUR, 'Done')]);
		expect(memory.state.known.get('c')).toEqual({ hour: HOUR_NUMBER - 1, status: '' });
	});

	test('what counts as there before keeps what is known of it', () => {
		const memory = memoryWith({ known: knownOf({ a: HOUR }, 'Running') }, rules);
		memory.knows([found('a', 2 * HOUR, 'Done'), found('b', HOUR, 'Done')]);
		expect([...memory.state.known]).toEqual([
			['a', { hour: HOUR_NUMBER - 1, status: 'Running' }],
			['b', { hour: HOUR_NUMBER - 1, status: 'Done' }],
		]);
	});
});

describe('IDs that are unique only inside a company', () => {
	const judged = (lists: Array<[string, Found[], Partial<Reading>?]>) => {
		const memory = memoryWith();
		for (const [list, seen, more] of lists) memory.judge(list, read(seen, more));
		return memory.hasDuplicateIds;
	};
	const a = found('a', HOUR);
	const other = found('a', 2 * HOUR);
	test.each([
		[
			'one page that has an ID twice shows them',
			[
				[MAIN, [a], { hasDuplicateIds: true }],
				[COMPANY, [a]],
			],
			true,
		],
		[
			'two companies with one ID of two times show them',
			[
				[COMPANY, [a]],
				['bbbbb', [other]],
			],
			true,
		],
		[
			'a record that two companies list is one',
			[
				[COMPANY, [a]],
				['bbbbb', [a]],
			],
			false,
		],
		[
			'the list of all and a company’s may show other times',
			[
				[MAIN, [a]],
				[COMPANY, [other]],
			],
			false,
		],
		[
			'two IDs are two records',
			[
				[COMPANY, [a]],
				['bbbbb', [found('b', HOUR)]],
			],
			false,
		],
	] satisfies Array<[string, Array<[string, Found[], Partial<Reading>?]>, boolean]>)('%s', (_what, lists, isSo) => {
		expect(judged(lists)).toBe(isSo);
	});

	test('of two with one ID the younger counts, or they would take turns in being new', () => {
		const memory = memoryWith();
		memory.judge(MAIN, read([a, other]));
		expect(memory.state.known.get('a')?.hour).toBe(HOUR_NUMBER - 1);
	});
});

describe('how far a list is read', () => {
	const floor = (memory: Memory, list: string, ...ages: number[]) => {
		const floorOf = memory.floorOf(list);
		return START - (ages.map((age) => floorOf(START - age)).at(-1) ?? NaN);
	};
	const open = (from: number) => new Map([[COMPANY, { from, page: 1, size: 0 }]]);
	const waiting = (hour: number) =>
		new Map([
			['a', { hour, tries: 1 }],
			['b', { hour: 0, tries: 1 }],
		]);

	test.each<[string, Partial<KindState>, string, number]>([
		['to the beginning of the window', {}, MAIN, DAY],
		['to the activation, if it was not read before', { companies: new Map() }, COMPANY, 2 * DAY],
		['to the window, if that begins before the activation', { companies: new Map(), since: START }, COMPANY, DAY],
		['to where it stayed behind', { open: open(START - 5 * DAY) }, COMPANY, 5 * DAY],
		[
			'to where the list of all did',
			{ open: new Map([['main', { from: START - 5 * DAY, page: 1, size: 0 }]]) },
			MAIN,
			5 * DAY,
		],
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
		['keeps the beginning, if it was never read', { companies: new Map() }, 2 * DAY],
		[
			'keeps where it had stayed behind',
			{ open: new Map([[COMPANY, { from: START - 5 * DAY, page: 1, size: 0 }]]) },
			5 * DAY,
		],
		['for 14 days', { open: new Map([[COMPANY, { from: START - 90 * DAY, page: 1, size: 0 }]]) }, 15 * DAY],
	])('%s', (_what, state, age) => {
		const memory = memoryWith(state);
		memory.keepOpen(COMPANY);
		expect(memory.state.open.get(COMPANY)).toEqual({ from: START - age, page: 1, size: 0 });
	});

	test('at activation it keeps the activation, whatever is to be given', () => {
		const memory = atActivation();
		memory.keepOpen(COMPANY);
		expect(memory.state.open.get(COMPANY)?.from).toBe(START);
		const early = atActivation({ existingSince: START - DAY });
		early.keepOpen(COMPANY);
		expect(early.state.open.get(COMPANY)?.from).toBe(START - DAY);
	});

	test('goes on with the page where it stopped, also after a failure', () => {
		const memory = memoryWith();
		memory.judge(
			COMPANY,
			read([found('a', HOUR)], { isComplete: false, reach: Infinity, resume: { page: 4, size: 100 } }),
		);
		expect(memory.state.open.get(COMPANY)).toEqual({ from: START - DAY, page: 4, size: 100 });
		memory.keepOpen(COMPANY);
		expect(memory.state.open.get(COMPANY)).toEqual({ from: START - DAY, page: 4, size: 100 });
		memory.keepOpen(COMPANY, { page: 7, size: 50 });
		expect(memory.state.open.get(COMPANY)).toEqual({ from: START - DAY, page: 7, size: 50 });
		memory.judge(COMPANY, read([]));
		expect(memory.state.open.size).toBe(0);
	});

	test('a list that was read in part was not read', () => {
		const memory = memoryWith({ main: { isRead: false, total: null }, companies: new Map() });
		for (const list of [MAIN, COMPANY]) memory.judge(list, read([], { isComplete: false, total: 5 }));
		expect([memory.state.main, memory.state.companies.size]).toEqual([{ isRead: false, total: null }, 0]);
		for (const list of [MAIN, COMPANY]) memory.judge(list, read([]));
		expect([memory.state.main, memory.state.companies.get(COMPANY)]).toEqual([{ isRead: true, total: null }, true]);
	});
});

describe('what is disputed', () => {
	test('is not known by the list that is read for the first time, unless it gave it', () => {
		const memory = memoryWith({ companies: new Map() });
		const seen = [found('a', HOUR), found('b', 9 * DAY), found('c', 9 * DAY)];
		expect(idsOf(memory.judge(COMPANY, read(seen), undefined, new Set(['a', 'b'])))).toBe('a');
		expect(knownIds(memory)).toBe('ac');
	});
});

describe('what could not be given now', () => {
	test('waits, and is as unknown as before', () => {
		const memory = memoryWith({ known: knownOf({ b: DAY }, 'Running') }, { watchesStatus: true });
		const former = { hour: HOUR_NUMBER - 24, status: 'Running' };
		memory.judge(MAIN, read([found('a', HOUR), found('b', DAY, 'Done')]));
		memory.hold({ found: found('a', HOUR) }, 2);
		memory.hold({ found: found('b', DAY, 'Done'), former }, 1);
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
		for (let readings = 0; readings < 20; readings++) memory.advance();
		expect([...memory.state.waiting.keys()]).toEqual(['a', 'b']);
		memory.advance();
		expect([...memory.state.waiting]).toEqual([['b', { hour: 1, tries: 0 }]]);
	});
});

describe('the window', () => {
	test('follows the newest record, one complete reading late', () => {
		const memory = memoryWith({ from: START - 9 * DAY, next: START - 8 * DAY });
		memory.judge(MAIN, read([found('z', -HOUR), found('a', HOUR), found('b', 3 * HOUR)]));
		memory.advance();
		expect([memory.state.from, memory.state.next]).toEqual([START - 8 * DAY, START - DAY - HOUR]);
		memory.advance();
		expect([memory.state.from, memory.state.next]).toEqual([START - DAY - HOUR, START - DAY - HOUR]);
	});

	test('begins with the first complete reading', () => {
		const memory = atActivation();
		memory.judge(MAIN, read([found('a', 0)]));
		memory.advance();
		expect([memory.state.from, memory.state.next]).toEqual([START - DAY, START - DAY]);
	});

	test('never goes back, and is never none', () => {
		const memory = memoryWith({ from: START, next: START });
		memory.advance();
		expect([memory.state.from, memory.state.next]).toEqual([START, START]);
		const begun = memoryWith({ from: 0, next: 0 }, { clock: new Clock() });
		begun.advance();
		expect([begun.state.from, begun.state.next]).toEqual([1, 1]);
	});
});

describe('the end of a poll', () => {
	test('notes when it was', () => {
		const memory = memoryWith({}, { served: START - HOUR });
		expect(memory.finish()).toMatchObject({ polledAt: START - HOUR, since: START - 2 * DAY });
		const open = new Map([['main', { from: START, page: 1, size: 0 }]]);
		expect(memoryWith({ open }).finish().open).toEqual(new Map([['main', { from: START, page: 1, size: 0 }]]));
	});

	test("a record that was read shows that the service's clock is wrong", () => {
		const memory = memoryWith({}, { served: START - 20 * DAY });
		memory.judge(MAIN, read([found('a', HOUR)]));
		expect(memory.finish().polledAt).toBe(START);
	});

	test("what begins now begins by the service's clock", () => {
		const open = new Map([
			['main', { from: START, page: 1, size: 0 }],
			[COMPANY, { from: START - DAY, page: 1, size: 0 }],
		]);
		const memory = memoryWith({ since: START, open }, { isNew: true, served: START - HOUR });
		expect(memory.finish()).toMatchObject({ polledAt: START - HOUR, since: START - HOUR });
		expect([...memory.state.open.values()].map(({ from }) => from)).toEqual([START - HOUR, START - DAY]);
		expect(memoryWith({ since: START - DAY }, { isNew: true }).finish().since).toBe(START - DAY);
	});
});

test('with another state it is the same, for the same poll', () => {
	const memory = atActivation({ existingSince: START - DAY });
	const other = memory.withState({ ...usual(), main: { isRead: false, total: null } });
	expect([other.isNew, other.hasDuplicateIds, other.state.since]).toEqual([true, false, START - 2 * DAY]);
	expect(idsOf(other.judge(MAIN, read([found('a', DAY), found('b', DAY + 1)])))).toBe('a');
});
