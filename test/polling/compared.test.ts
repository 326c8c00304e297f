/** What is learnt of the list of all companies: whether it has everything that the companies' own lists have. */
import type { IDataObject } from 'n8n-workflow';
import { MAIN, newScope, shortId, type KindState } from '../../nodes/shared/polling/state';
import { asksEach, poll, remembered, type How } from './kindPollFixture';
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
		['it lacks it again', 'b', { acme: [a, b] }, {}, { cleanRounds: 0, asksEach: true }],
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

	test('is not asked until it was read to its end, in as many polls as that takes; then it is read from its first page', async () => {
		// The last one is newer than the first poll.
		const main = [a, ...Array.from({ length: 110 }, (_, index) => row(`m${index}`, 2)), row('z', -0.5)];
		const how = { main, acme: [a, b], options: { pageSize: 100 } };
		const cut = await poll({ known: remembered(names(main)) }, { ...how, cut: 'main' });
		expect(cut.asked).toEqual(['1/100']);
		expect(cut.state).toMatchObject({ doubted: new Map(), cleanRounds: 0, from: START - 48 * HOUR });
		expect(cut.state.open).toEqual(new Map([[MAIN, { ...openAt(START - 48 * HOUR, 2, 100, START), rows: 100 }]]));
		jest.spyOn(Date, 'now').mockReturnValue(START + HOUR);
		const { asked, state } = await poll(cut.state, how);
		expect(asked.slice(0, 3)).toEqual(['2/100', '3/100', 'company 1/100']);
		// As the first page was read an hour ago.
		expect(state).toMatchObject({ doubted: remembered(['b'], START / HOUR - 2, 'Running'), from: START - 24 * HOUR });
		expect(state.open.size).toBe(0);
		const next = await poll(state, how);
		expect([next.asked[0], next.state.from]).toEqual(['1/100', START - 23.5 * HOUR]);
	});

	test('what it has too late is given, if only a company had it before', async () => {
		const main = [...rows(100), row('late', 80)].sort((one, other) =>
			String(other.createTime).localeCompare(String(one.createTime)),
		);
		const since = { from: START - 25 * HOUR, since: START - 90 * HOUR };
		const before = { known: remembered(names(rows(100))), ...since };
		const how = { main, acme: main, options: { pageSize: 10 } };
		const first = await poll(before, how);
		expect(first.state).toMatchObject({ asksEach: false, doubted: remembered(['late'], START / HOUR - 80, 'Running') });
		const second = await poll({ ...before, doubted: first.state.doubted }, how);
		expect(second).toMatchObject({
			ids: [shortId('late')],
			state: { asksEach: false, doubted: new Map(), cleanRounds: 1 },
		});
	});

	test.each<[string, boolean, Partial<KindState>, IDataObject[]]>([
		['one that an earlier poll began', true, { round: { ...newScope().round, left: 1 } }, []],
		['but not for a new one', false, {}, []],
		['nor where a new record may be of a new company', false, { round: { ...newScope().round, left: 1 } }, [b]],
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
		['it does not end', { round: { ...round, left: 2 } }, {}, { since: 60, from: 25, cleanRounds: 0 }],
		['it began with, where each is asked', { ...asksEach }, {}, { since: 25, from: 25, cleanRounds: 2 }],
		[
			'it began with, where each was asked for the first time, though they began later',
			{ asksEach: true, since: START },
			...([{}, { since: 25, from: 25, cleanRounds: 1 }] as const),
		],
		['nobody was listed', { asksEach: true }, { isNobodyListed: true }, { since: 60, from: 25, cleanRounds: 0 }],
	])("a round moves on what companies' lists give to the window: %s", async (_what, more, how, after) => {
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
