/** What is new in a list, by what is remembered of it. */
import { MAIN, type KindState } from '../../nodes/shared/polling/state';
import { DAY, HOUR, START } from './pollingFixture';
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
		const memory = memoryWith({ from: 0 });
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
		memory.finish();
		// One of the future, one close to the beginning, one without a time.
		expect(said).toEqual([expect.stringMatching(/^3 records without a create time, or with one in the future/)]);
	});

	test('what is clearly older than the beginning is not doubtful', () => {
		const memory = memoryWith({ companies: new Map() });
		expect(idsOf(memory.judge(COMPANY, read([found('a', 2 * DAY + 14 * HOUR + 1)])))).toBe('');
		memory.judge('bbbbb', read([found('b', 2 * DAY + 14 * HOUR)]));
		memory.finish();
		expect(said).toEqual([expect.stringMatching(/^1 record /)]);
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
		memory.finish();
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
		memory.finish();
		expect(said).toEqual([expect.stringMatching(/^1 record /)]);
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
