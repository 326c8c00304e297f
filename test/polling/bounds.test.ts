/** What is forgotten, and what a state that is too large loses. */
import { keepWithinBounds } from '../../nodes/shared/polling/bounds';
import { newKind, packState, shortId, type KindState } from '../../nodes/shared/polling/state';
import { HOUR, START } from './pollingFixture';

const HOUR_NUMBER = START / HOUR;
const kindWith = (more: Partial<KindState>): KindState => ({ ...newKind('s', 's', START), ...more });
const idsOf = (name: string, count: number) => Array.from({ length: count }, (_, index) => shortId(`${name} ${index}`));
const knownOf = (hours: Record<string, number>) =>
	new Map(Object.entries(hours).map(([name, hour]) => [shortId(name), { hour, status: '' }]));
const namesIn = ({ known }: KindState, names: string[]) => names.filter((name) => known.has(shortId(name)));

/** @returns what was said */
function keep(kinds: KindState[], most?: number): string[] {
	const said: string[] = [];
	const state = new Map(kinds.map((kind, index) => [String(index), kind]));
	keepWithinBounds(state, (message) => said.push(message), ...(most === undefined ? [] : [most]));
	return said;
}
const sizeOf = (kinds: KindState[]) =>
	Buffer.byteLength(JSON.stringify(packState(new Map(kinds.map((kind, index) => [String(index), kind])))));

describe('what is older than the window is forgotten', () => {
	const hours = { now: HOUR_NUMBER, edge: HOUR_NUMBER - 3, old: HOUR_NUMBER - 4, older: HOUR_NUMBER - 9 };
	const from = START - 3 * HOUR;
	const open = (at: number) => new Map([['main', { from: at, page: 1, size: 0 }]]);
	test.each([
		['all before it', {}, ['now', 'edge']],
		['not what was created in an hour that is partly in it', { from: from - 1 }, ['now', 'edge', 'old']],
		['nothing before all lists were read once', { from: 0 }, ['now', 'edge', 'old', 'older']],
		['not what a list needs that could not be read', { open: open(START - 9 * HOUR) }, Object.keys(hours)],
		['all before it, if such a list needs less', { open: open(START) }, ['now', 'edge']],
		[
			'not what is younger than the beginning, while companies are not read',
			{ hasUnread: true, since: START - 4 * HOUR },
			['now', 'edge', 'old'],
		],
		[
			'the same while one is only listed',
			{
				companies: new Map([
					['aaaaa', true],
					['bbbbb', false],
				]),
				since: START - 4 * HOUR,
			},
			['now', 'edge', 'old'],
		],
		[
			'all before it once each was read',
			{ companies: new Map([['aaaaa', true]]), since: START - 9 * HOUR },
			['now', 'edge'],
		],
		[
			'not what waits to be given',
			{ waiting: new Map([[shortId('older'), { hour: 1, tries: 1 }]]) },
			['now', 'edge', 'older'],
		],
	])('%s', (_what, more, kept) => {
		const kind = kindWith({ from, known: knownOf(hours), ...more });
		expect(keep([kind])).toEqual([]);
		expect(namesIn(kind, Object.keys(hours))).toEqual(kept);
		expect(kind.from).toBe(Object.assign({ from }, more).from);
	});

	test('what has no create time stays as long as a list is remembered by it, or it waits', () => {
		const kind = kindWith({
			from,
			known: knownOf({ listed: 0, waits: 0, gone: 0 }),
			timeless: new Map([
				['main', { isWhole: true, ids: [] }],
				['aaaaa', { isWhole: true, ids: [shortId('listed')] }],
			]),
			waiting: new Map([[shortId('waits'), { hour: 0, tries: 1 }]]),
		});
		expect(keep([kind])).toEqual([]);
		expect(namesIn(kind, ['listed', 'waits', 'gone'])).toEqual(['listed', 'waits']);
	});
});

describe('20,000 records without create times are remembered, by all lists together', () => {
	const lists = (counts: number[], isWhole = true) =>
		kindWith({
			timeless: new Map(counts.map((count, index) => [String(index), { isWhole, ids: idsOf(String(index), count) }])),
		});
	const countsOf = (kinds: KindState[]) =>
		kinds.flatMap(({ timeless }) => [...timeless.values()].map(({ ids }) => ids.length));

	test.each([
		['all, if they are no more', [lists([15_000, 5000])], [15_000, 5000]],
		['the newest, if they are more', [lists([20_001])], [20_000]],
		['each list keeps its share', [lists([30_000, 30_000])], [10_000, 10_000]],
		['what a small one leaves, the others have', [lists([30_000, 10]), lists([25_000, 400])], [9795, 10, 9795, 400]],
	])('%s', (_what, kinds, counts) => {
		const firsts = kinds.flatMap(({ timeless }) => [...timeless.values()].map(({ ids: [id] }) => id));
		const before = countsOf(kinds);
		const isCut = before.join() !== counts.join();
		const said = keep(kinds);
		expect(countsOf(kinds)).toEqual(counts);
		expect(kinds.flatMap(({ timeless }) => [...timeless.values()].map(({ ids: [id] }) => id))).toEqual(firsts);
		expect(said).toEqual(isCut ? [expect.stringContaining('More than 20,000 records without a create time')] : []);
		const areWhole = kinds.flatMap(({ timeless }) => [...timeless.values()].map(({ isWhole }) => isWhole));
		expect(areWhole).toEqual(before.map((count, index) => count === counts[index]));
	});

	test('that is said once', () => {
		expect(keep([lists([20_001, 20_001], false)])).toEqual([]);
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
					['main', { from, page: 1, size: 0 }],
					['aaaaa', { from: START, page: 1, size: 0 }],
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
			const begins = [begin, since, open.get('main')?.from, open.get('aaaaa')?.from];
			expect(begins).toEqual([...Array.from({ length: 3 }, () => oldest * HOUR), START]);
		}
	});

	test('loses nothing as long as it is no larger than it may be', () => {
		const kind = kindWith({ from, known: many(50) });
		expect(keep([kind], sizeOf([kind]))).toEqual([]);
		expect(kind.known.size).toBe(50);
		expect(kind.from).toBe(from);
	});

	test('loses no more than a tenth at a time, and no more than it has to', () => {
		const kind = kindWith({ from, known: many(50) });
		keep([kind], sizeOf([kind]) - 1);
		expect(kind.known.size).toBe(45);
		const again = kindWith({ from, known: many(50) });
		keep([again], sizeOf([kind]));
		expect(again.known.size).toBe(45);
	});

	test('loses all records of one hour together', () => {
		const known = knownOf(Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`r${index}`, HOUR_NUMBER])));
		const kind = kindWith({ from, known });
		keep([kind], sizeOf([kind]) - 13 * 48);
		expect(kind.known.size).toBe(0);
		expect(kind.from).toBe(START + HOUR);
	});

	test('forgets which companies were read only if nothing else is left', () => {
		const companies = new Map(idsOf('c', 100).map((id) => [id.slice(0, 5), true]));
		const kind = kindWith({ from, known: many(50), companies });
		const most = sizeOf([kind]) - 13 * 40;
		keep([kind], most);
		expect(kind.companies.size).toBe(100);
		const empty = sizeOf([kindWith({ ...kind, known: new Map() })]);
		keep([kind], empty);
		expect([kind.known.size, kind.companies.size]).toEqual([0, 100]);
		keep([kind], empty - 1);
		expect(kind.companies.size).toBe(0);
	});
});
