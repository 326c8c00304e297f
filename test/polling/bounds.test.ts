/** What is forgotten, and what a state that is too large loses. */
import { keepWithinBounds } from '../../nodes/shared/polling/bounds';
import { MAIN, newKind, packState, shortId, type KindState } from '../../nodes/shared/polling/state';
import { DAY, HOUR, openAt, START } from './pollingFixture';

const HOUR_NUMBER = START / HOUR;
const kindWith = (more: Partial<KindState>): KindState => ({
	...{ ...newKind('s', 's', START), cleanRounds: 1 },
	// Not longer as text than what is forgotten by the tests.
	...{ forgottenTo: START - 9999 * HOUR, ...more },
});
const idsOf = (count: number, name = 't') => Array.from({ length: count }, (_, index) => shortId(`${name} ${index}`));
const knownOf = (hours: Record<string, number>) =>
	new Map(Object.entries(hours).map(([name, hour]) => [shortId(name), { hour, status: '' }]));
const stateOf = (kinds: KindState[]) => new Map(kinds.map((kind, index) => [String(index), kind]));

/** @returns what was said */
function keep(kinds: KindState[], most?: number, watchedMs = 0): string[] {
	const said: string[] = [];
	keepWithinBounds(stateOf(kinds), { warn: (message) => said.push(message), windowMs: DAY, watchedMs }, most);
	return said;
}
const sizeOf = (kinds: KindState[]) => Buffer.byteLength(JSON.stringify(packState(stateOf(kinds))));

describe('what is older than the window is forgotten', () => {
	const hours = { now: HOUR_NUMBER, edge: HOUR_NUMBER - 3, old: HOUR_NUMBER - 4, older: HOUR_NUMBER - 9 };
	const from = START - 3 * HOUR;
	const round = { at: START, begunAt: START, from, left: 0, next: '' };
	const open = (at: number) => new Map([[MAIN, openAt(at)]]);
	test.each<[string, Partial<KindState>, string[]]>([
		['all before it', {}, ['now', 'edge']],
		['not what was created in an hour that is partly in it', { from: from - 1 }, ['now', 'edge', 'old']],
		['nothing until there is a window', { from: 0, cleanRounds: 0, asksEach: true }, Object.keys(hours)],
		['all before that of the companies, where that of all is not read', { from: 0, since: from }, ['now', 'edge']],
		[
			'not what the window of a round needs that is under way',
			{ round: { ...round, from: START - 9 * HOUR, left: 1 } },
			Object.keys(hours),
		],
		['all before it, once that round is complete', { round: { ...round, from: START - 9 * HOUR } }, ['now', 'edge']],
		['not what a list needs that could not be read', { open: open(START - 9 * HOUR) }, Object.keys(hours)],
		['all before it, if such a list needs less', { open: open(START) }, ['now', 'edge']],
		["not what companies' lists still give", { since: START - 4 * HOUR }, ['now', 'edge', 'old']],
		[
			'not what waits to be given',
			{ waiting: new Map([[shortId('older'), { hour: 1, tries: 1, searches: 0 }]]) },
			['now', 'edge', 'older'],
		],
	])('%s, and nothing without a create time', (_what, more, kept) => {
		const kind = kindWith({ from, known: knownOf({ ...hours, none: 0 }), ...more });
		expect(keep([kind])).toEqual([]);
		expect(Object.keys({ ...hours, none: 0 }).filter((name) => kind.known.has(shortId(name)))).toEqual([
			...kept,
			'none',
		]);
		expect(kind.from).toBe(more.from ?? from);
	});
});

describe('a list that could not be read', () => {
	test.each([
		['for 14 days keeps what it has to give, however old', 14, 1, 90],
		['for longer has the last 14 days and a window of a day', 14.1, 1, 15],
		['for longer, but is read on in each poll, keeps all', 20, 7, 90],
	])('%s', (_what, since, page, kept) => {
		const kind = kindWith({ open: new Map([[MAIN, openAt(START - 90 * DAY, page, 50, START - since * DAY)]]) });
		expect(keep([kind])).toEqual([]);
		expect(kind.open.get(MAIN)?.from).toBe(START - kept * DAY);
	});

	test('for longer keeps a window that is shorter', () => {
		const kind = kindWith({ open: new Map([[MAIN, openAt(START - 3 * DAY, 1, 50, START - 20 * DAY)]]) });
		keep([kind]);
		expect(kind.open.get(MAIN)?.from).toBe(START - 3 * DAY);
	});
});

describe('20,000 records without create times are remembered', () => {
	const hour = HOUR_NUMBER;
	const timeless = (count: number) =>
		kindWith({ known: new Map(idsOf(count).map((id) => [id, { hour: 0, status: '' }])) });

	test.each([
		['all, if they are no more', [20_000], [20_000]],
		['less, if they are more', [20_001], [20_000]],
		['evenly for each kind', [10_001, 9000], [10_000, 9000]],
	])('%s; those that were listed least recently go, and it is said', (_what, counts, kept) => {
		const kinds = counts.map(timeless);
		// Those with a create time do not count.
		for (const { known } of kinds) known.set('recent', { hour, status: '' });
		const isCut = counts.join() !== kept.join();
		expect(keep(kinds)).toEqual(
			isCut ? [expect.stringContaining('More than 20,000 records without a create time')] : [],
		);
		for (const [index, kind] of kinds.entries()) {
			const [before = 0, after = 0] = [counts[index], kept[index]];
			expect([...kind.known.keys()]).toEqual([...idsOf(before).slice(before - after), 'recent']);
			expect(kind.hasForgotten).toBe(after < before);
		}
		// What was forgotten once may always be listed again.
		expect(keep(kinds)).toEqual([]);
		expect(kinds.map(({ hasForgotten }) => hasForgotten).includes(true)).toBe(isCut);
	});
});

describe('what is watched', () => {
	const hours = { now: HOUR_NUMBER, late: HOUR_NUMBER - 24, watched: HOUR_NUMBER - 48, old: HOUR_NUMBER - 100 };
	const kind = () => kindWith({ from: START - 24 * HOUR, since: START - 24 * HOUR, known: knownOf(hours) });
	const kept = ({ known }: KindState) => Object.keys(hours).filter((name) => known.has(shortId(name)));

	test('is remembered for longer than the window', () => {
		const watching = kind();
		expect(keep([watching], undefined, 24 * HOUR)).toEqual([]);
		expect(kept(watching)).toEqual(['now', 'late', 'watched']);
	});

	test('is forgotten first, for good, where there is too much; the window stays', () => {
		const watching = kind();
		const { round } = watching;
		const cut = { forgottenTo: START, round: { ...round, from: START }, known: knownOf({ now: 1, late: 1 }) };
		const most = sizeOf([kindWith({ ...kind(), ...cut })]);
		expect(keep([watching], most, 90 * HOUR)).toHaveLength(1);
		expect(kept(watching)).toEqual(['now', 'late']);
		expect(watching.from).toBe(START - 24 * HOUR);
		expect(watching.forgottenTo).toBeGreaterThan((HOUR_NUMBER - 48) * HOUR);
	});
});

describe('what the first round compares', () => {
	const days = (count: number) => HOUR_NUMBER - 24 * count;
	const known = () => knownOf({ now: HOUR_NUMBER, young: days(29), old: days(31) });
	const first = { from: START, cleanRounds: 0 };
	const kept = (kind: KindState) => ['now', 'young', 'old'].filter((name) => kind.known.has(shortId(name)));

	test('is remembered for 30 days until then', () => {
		for (const [more, names] of [
			[first, ['now', 'young']] as const,
			[{ ...first, cleanRounds: 1 }, ['now']] as const,
			[{ ...first, asksEach: true }, ['now']] as const,
		]) {
			const kind = kindWith({ ...more, known: known() });
			expect(keep([kind])).toEqual([]);
			expect(kept(kind)).toEqual(names);
		}
	});

	test('is forgotten first, without a word, where there is too much', () => {
		const kind = kindWith({ ...first, known: known() });
		expect(keep([kind], sizeOf([kindWith({ ...first, known: knownOf({ now: HOUR_NUMBER }) })]))).toEqual([]);
		expect(kept(kind)).toEqual(['now']);
	});
});

describe('a state that is too large', () => {
	const hours = (count: number) => Array.from({ length: count }, (_, index) => HOUR_NUMBER - index);
	const many = (count: number) => knownOf(Object.fromEntries(hours(count).map((hour) => [`r${hour}`, hour])));
	const from = START - 1000 * HOUR;

	test('loses the oldest records of all kinds, with the windows that they were kept for, and says so', () => {
		const kinds = [many(400), many(200)].map((known) =>
			kindWith({
				...{ from, since: from, known },
				open: new Map([
					[MAIN, openAt(from)],
					['aaaaa', openAt(START)],
				]),
			}),
		);
		const most = sizeOf(kinds) / 2;
		expect(keep(kinds, most)).toEqual([expect.stringContaining('More recent records than can be remembered')]);
		expect(sizeOf(kinds)).toBeLessThanOrEqual(most);
		expect(sizeOf(kinds)).toBeGreaterThan(most * 0.8);
		const [one, other] = kinds.map(({ known }) => [...known.values()].map(({ hour }) => hour));
		const oldest = Math.min(...(one ?? []), ...(other ?? []));
		expect(one).toEqual(hours(400).filter((hour) => hour >= oldest));
		expect(other).toEqual(hours(200).filter((hour) => hour >= oldest));
		for (const { from: begin, since, open } of kinds) {
			const begins = [begin, since, open.get(MAIN)?.from, open.get('aaaaa')?.from];
			expect(begins).toEqual([...Array.from({ length: 3 }, () => oldest * HOUR), START]);
		}
	});

	test('loses nothing as long as it is no larger than it may be; else no more than a tenth at a time', () => {
		const kind = kindWith({ from, known: many(50) });
		expect(keep([kind], sizeOf([kind]))).toEqual([]);
		expect([kind.known.size, kind.from]).toEqual([50, from]);
		keep([kind], sizeOf([kind]) - 1);
		expect(kind.known.size).toBe(45);
	});

	test('loses all records of one hour together', () => {
		const known = knownOf(Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`r${index}`, HOUR_NUMBER])));
		const kind = kindWith({ from, known });
		keep([kind], sizeOf([kind]) - 13 * 48);
		expect(kind.known.size).toBe(0);
		expect(kind.from).toBe(START + HOUR);
	});

	test('keeps what has no create time', () => {
		const kind = kindWith({ from, known: new Map([...many(50), ...knownOf({ none: 0 })]) });
		keep([kind], sizeOf([kindWith({ ...kind, known: knownOf({ none: 0 }) })]));
		expect([...kind.known.keys()]).toEqual([shortId('none')]);
	});

	test('loses the oldest also where there is no window yet, and what it begins with goes up with them', () => {
		const round = { at: START, begunAt: START, from, left: 9, next: '' };
		const kind = kindWith({ from: 0, cleanRounds: 0, since: from, round, asksEach: true, known: many(400) });
		const most = sizeOf([kind]) / 2;
		expect(keep([kind], most)).toHaveLength(1);
		expect(sizeOf([kind])).toBeLessThanOrEqual(most);
		const oldest = Math.min(...[...kind.known.values()].map(({ hour }) => hour)) * HOUR;
		expect([kind.since, kind.round.from]).toEqual([oldest, oldest]);
		// The list of all counts as unread as before.
		expect(kind.from).toBe(0);
	});

	test('keeps the windows of 3,000 lists that failed, evenly for each kind, and all records', () => {
		const open = () => new Map(idsOf(7000, 'list').map((list) => [list, openAt(from)]));
		const kinds = [kindWith({ from, open: open(), known: many(100) }), kindWith({ from, open: open() })];
		expect(keep(kinds)).toEqual([]);
		expect(kinds.map(({ open: kept, known }) => [kept.size, known.size])).toEqual([
			[1500, 100],
			[1500, 0],
		]);
		expect(sizeOf(kinds)).toBeLessThanOrEqual(512 * 1024);
	});
});
