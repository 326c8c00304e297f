/** What is learnt of the list of all companies: whether it has everything that the companies' own lists have. */
import type { IDataObject } from 'n8n-workflow';
import { MAIN, newRound, shortId, type KindState } from '../../nodes/shared/polling/state';
import { asksEach, own, poll, remembered, type How } from './kindPollFixture';
import { HOUR, openAt, START } from './pollingFixture';
import { names, row, rows } from './readFixture';

beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(START));
afterEach(() => jest.restoreAllMocks());

describe('whether the list of all companies has everything', () => {
	const [a, b] = [row('a', 1), row('b', 2)];
	const listed = { known: remembered(['a']) };
	const t = { id: 't' };
	test.each<[string, string, How, Partial<Record<'given' | 'doubted', string>>, Partial<KindState>]>([
		['it has what the company has', '', { acme: [a] }, {}, { cleanRounds: 1 }],
		['what is too old says nothing', '', { acme: [a, row('z', 33 * 24)] }, {}, { cleanRounds: 1 }],
		[
			'it lacks an older one, in the first round',
			'',
			{ acme: [a, row('z', 49)] },
			{ doubted: 'z' },
			{ cleanRounds: 0 },
		],
		['it lacks one, which may have come just now', '', { acme: [a, b] }, { doubted: 'b' }, { cleanRounds: 0 }],
		['it lacks it again', 'b', { acme: [a, b] }, { doubted: 'b' }, { cleanRounds: 0, asksEach: true }],
		['it lacks another one', 'z', { acme: [a, b] }, { doubted: 'b' }, {}],
		['it has it by now', 'b', { main: [a, b], acme: [a, b] }, { given: 'b' }, { cleanRounds: 1 }],
		['the company lacks it by now as well', 'b', { acme: [a] }, {}, { cleanRounds: 1 }],
		['one without a create time may stand at its end', '', { acme: [a, t] }, { doubted: 't' }, { wholeAt: 0 }],
	])('%s', async (_what, before, how, { given = '', doubted = '' }, after) => {
		const ids = (text: string) => [...text].map(shortId);
		const polled = await poll({ ...listed, doubted: remembered([...before]) }, { main: [a], ...how });
		expect(polled).toMatchObject({ ids: ids(given), failures: [] });
		expect(polled.state).toMatchObject({ asksEach: false, ...after });
		expect([...polled.state.doubted.keys()]).toEqual(ids(doubted));
		const said = after.asksEach ? [expect.stringMatching(/of all companies lacks some of 'Acme'/)] : [];
		expect(polled.said).toEqual(said);
		// What was only compared is not remembered.
		expect([...polled.state.known.keys()]).toEqual(ids(`a${given}`));
	});

	test('is no question where there is one list only; no other one comes later, so nothing is kept for it', async () => {
		const { asked, state } = await poll({ since: START - 60 * HOUR }, { scope: { kind: 'own' } });
		expect([asked, state.since]).toEqual([['1/100'], START - 48 * HOUR]);
	});

	test('is not asked until it was read to its end, in as many polls as that takes, and then once more', async () => {
		// The last one is newer than the first poll.
		const main = [a, ...Array.from({ length: 110 }, (_, index) => row(`m${index}`, 2)), row('z', -0.5)];
		const options = { pageSize: 100 };
		const cut = await poll({ known: remembered(names(main)) }, { main, acme: [a, b], cut: 'main', options });
		expect(cut.asked).toEqual(['1/100']);
		expect(cut.state).toMatchObject({ doubted: new Map(), cleanRounds: 0, from: START - 48 * HOUR });
		expect(cut.state.open).toEqual(new Map([[MAIN, { ...openAt(START - 48 * HOUR, 2, 100, START), rows: 100 }]]));
		jest.spyOn(Date, 'now').mockReturnValue(START + HOUR);
		const { asked, state } = await poll(cut.state, { main, acme: [a, b], options });
		expect(asked.slice(0, 3)).toEqual(['2/100', '3/100', '1/100']);
		expect(asked).toContain('company 1/100');
		expect(state).toMatchObject({ doubted: remembered(['b'], START / HOUR - 2, 'Running'), from: START - 23.5 * HOUR });
		expect(state.open.size).toBe(0);
	});

	test.each([true, false])(
		'it is read until each company was asked once; was it read to its end: %s',
		async (isWhole) => {
			const old = rows(30, 60);
			const lists = new Map([[MAIN, isWhole]]);
			const { asked, state } = await poll({ asksEach: true, lists }, { main: old, acme: [b, ...old] });
			expect(asked[0]).toBe('1/100');
			expect([...state.lists]).toEqual([[own, true]]);
			expect(state).toMatchObject({ cleanRounds: 1, hasForgotten: !isWhole, from: START - 26 * HOUR });
		},
	);

	test("where each is asked, the window begins with the round by the service's clock, if n8n's is ahead", async () => {
		const how = { acme: [row('x', 99.5)], servedAt: START - 99 * HOUR };
		const round = { ...newRound(), at: START - HOUR, begunAt: START - 100 * HOUR, left: 1 };
		const long = { ...asksEach, from: 0 };
		expect((await poll(long, how)).state.from).toBe(START - (99.5 + 24) * HOUR);
		expect((await poll({ ...long, round }, how)).state.from).toBe(START - 124 * HOUR);
		const begun = await poll(long, { ...how, isNobodyListed: true });
		expect(begun.state.round.begunAt).toBe(START);
		expect((await poll({ ...long, round: { ...round, begunAt: START } }, how)).state.round.begunAt).toBe(
			START - 99 * HOUR,
		);
	});

	test.each([
		['is known, so that a change since then is one', {}, 0, 'ab'],
		['is new, where such are given', { alsoFirstSeen: true }, 0, 'a'],
		['but not what was there at the beginning', { alsoFirstSeen: true }, 49, 'ab'],
	])('with Status Changed, what it lacked when they were compared %s', async (_what, more, age, ids) => {
		const how = { watchesStatus: true, ...more, main: [a], acme: [a, { ...b, status: 'Done' }] };
		const doubted = remembered(['b'], START / HOUR - age, 'Running');
		const { state } = await poll({ ...listed, doubted }, how);
		expect(state.asksEach).toBe(true);
		expect([...state.known.keys()]).toEqual([...ids].map(shortId));
		if (ids.includes('b')) expect(state.known.get(shortId('b'))?.status).toBe('Running');
	});

	test('it has what came too late, as far back as they are compared', async () => {
		const main = [...rows(100), row('late', 80)].sort((one, other) =>
			String(other.createTime).localeCompare(String(one.createTime)),
		);
		const since = { from: START - 25 * HOUR, since: START - 90 * HOUR };
		const before = { known: remembered(names(rows(100))), lists: new Map([[MAIN, true]]), ...since };
		const how = { main, acme: main, options: { pageSize: 10 } };
		const first = await poll(before, how);
		expect(first.state).toMatchObject({ asksEach: false, doubted: remembered(['late'], START / HOUR - 80, 'Running') });
		const second = await poll({ ...before, doubted: first.state.doubted }, how);
		expect(second).toMatchObject({ ids: [], state: { asksEach: false, doubted: new Map(), cleanRounds: 1 } });
	});

	test.each<[string, boolean, Partial<KindState>, IDataObject[]]>([
		['one that an earlier poll began', true, { round: { ...newRound(), left: 1 } }, []],
		['but not for a new one', false, {}, []],
		['nor where a new record may be of a new company', false, { round: { ...newRound(), left: 1 } }, [b]],
	])('the companies that were listed before will do for a round: %s', async (_what, isOnTheWay, more, news) => {
		expect(await poll({ ...listed, ...more }, { main: [a, ...news], acme: [a] })).toMatchObject({ isOnTheWay });
	});

	const round = { at: START - HOUR, begunAt: START - HOUR, from: START - 40 * HOUR, left: 1, next: 'c' };
	test.each<[string, Partial<KindState>, How, { since: number; from: number; cleanRounds: number }]>([
		['it began with', {}, {}, { since: 25, from: 25, cleanRounds: 1 }],
		['an earlier poll began it with', { round }, {}, { since: 40, from: 25, cleanRounds: 1 }],
		[
			'the same, which visits all companies once more if the one to go on with is gone',
			{ round: { ...round, left: 5, next: 'gone' } },
			{},
			{ since: 40, from: 25, cleanRounds: 1 },
		],
		['it began with, where each is asked', { ...asksEach }, {}, { since: 50, from: 25, cleanRounds: 1 }],
		['there was none before', { ...asksEach, from: 0 }, {}, { since: 60, from: 25, cleanRounds: 1 }],
		['it does not end', { round: { ...round, left: 2 } }, {}, { since: 60, from: 25, cleanRounds: 0 }],
		[
			'nobody was listed',
			{ ...asksEach, lists: new Map(), from: 0 },
			{ isNobodyListed: true },
			{ since: 60, from: START / HOUR, cleanRounds: 0 },
		],
	])('a round moves on what later lists begin with to the window: %s', async (_what, more, how, after) => {
		const at = { since: START - 60 * HOUR, from: START - 50 * HOUR };
		const { state } = await poll({ ...listed, ...at, ...more }, { main: [a], acme: [a], ...how });
		const ago = ({ since, from, cleanRounds }: KindState) => ({
			since: (START - since) / HOUR,
			from: (START - from) / HOUR,
			cleanRounds,
		});
		expect(ago(state)).toEqual(after);
	});
});
