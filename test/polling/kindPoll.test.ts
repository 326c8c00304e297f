/** A kind's lists in one poll: how far they are read, what an identity is, and what is learnt of the list of all companies. */
import type { IDataObject } from 'n8n-workflow';
import type { Choices } from '../../nodes/shared/polling/choices';
import { KindPoll } from '../../nodes/shared/polling/kindPoll';
import { Memory } from '../../nodes/shared/polling/memory';
import { listOf, MAIN, newKind, newRound, shortId, type KindState } from '../../nodes/shared/polling/state';
import type { Service } from '../../nodes/shared/transport/service';
import { HOUR, openAt, START } from './pollingFixture';
import { names, row, rows, timeless } from './readFixture';
import { company, kind, runWith } from './runFixture';

beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(START));
afterEach(() => jest.restoreAllMocks());

const own = listOf('c');
const remembered = (ids: string[], hour = START / HOUR, status = '') =>
	new Map(ids.map((id) => [shortId(id), { hour, status }]));
const known = (count: number) => remembered(Array.from({ length: count }, (_, index) => `k${index}`));
const asksEach = { asksEach: true, lists: new Map([[own, true]]) };

interface How extends Partial<Pick<Choices, 'watchesStatus' | 'alsoFirstSeen'>> {
	options?: Choices['options'];
	scope?: Choices['scope'];
	/** What the list of all companies has. */
	main?: IDataObject[];
	/** What the company's has. */
	acme?: IDataObject[];
	/** Whether there is no company. */
	isNobodyListed?: boolean;
	/** What the service's clock says. */
	servedAt?: number;
	/** For which list there is time for one page only. */
	cut?: 'main' | 'acme';
}

/** A poll in which each list is asked that is to be. @returns what was asked for, given and said, and what is remembered */
async function poll(
	more: Partial<KindState>,
	{ main = [], acme = [], isNobodyListed = false, servedAt = Date.now(), cut, ...choices }: How = {},
) {
	const asked: string[] = [];
	const json: Service['json'] = async ({ body = {}, company: whose }) => {
		const { pageNumber: page, pageSize: size } = body;
		asked.push(`${whose ? 'company ' : ''}${String(page)}/${String(size)}`);
		const records = whose ? acme : main;
		const counts = {
			totalNumberOfPages: Math.ceil(records.length / Number(size)),
			totalNumberOfRecords: records.length,
		};
		const results = records.slice((Number(page) - 1) * Number(size), Number(page) * Number(size));
		return await Promise.resolve({ data: { results, ...counts }, servedAt, messages: [], failed: false });
	};
	const settings = Object.assign(Object.create(null), { concurrency: 1 });
	const { run, said } = runWith(choices, { json, settings });
	const listed = jest.spyOn(run, 'listCompanies').mockResolvedValue(isNobodyListed ? [] : [company]);
	const since = START - 48 * HOUR;
	const lists = new Map([MAIN, own].map((list) => [list, true]));
	const state = { ...newKind('s', 's', since), from: since, lists, wholeAt: START, ...structuredClone(more) };
	const warn = (text: string) => void said.push(text);
	const rules = { clock: run.clock, windowMs: 24 * HOUR, watchesStatus: false, alsoFirstSeen: false, warn };
	const polled = new KindPoll(kind, new Memory(state, false, rules), run);
	const stage = run.stage(1);
	await polled.readMain({ ...stage, isOver: () => cut === 'main' });
	if (run.choices.scope.kind === 'every')
		await polled.visitCompanies({ ...stage, isOver: () => cut === 'acme' }, () => false);
	const isOnTheWay = listed.mock.lastCall?.[1];
	return {
		asked,
		said,
		state,
		isOnTheWay,
		ids: polled.news.all.map(({ found: { id } }) => id),
		failures: run.failures,
	};
}

describe('the size of a page', () => {
	test.each<[string, Partial<KindState>, How, string]>([
		['the usual one, for what is known is little', { known: known(50) }, {}, '1/100'],
		['as many as are known, and 50 more', { known: known(200) }, {}, '1/250'],
		['what a person has set', { known: known(200) }, { options: { pageSize: 30 } }, '1/30'],
		["in a company's list twice its share, and 50 more", { known: known(200), ...asksEach }, {}, 'company 1/250'],
		[
			'of several companies less',
			{ known: known(900), asksEach: true, lists: new Map([own, 'aaaaa', 'bbbbb'].map((list) => [list, true])) },
			...([{}, 'company 1/500'] as const),
		],
		['that of the reading that stopped, with its page', { open: new Map([[MAIN, openAt(1, 4, 70)]]) }, {}, '4/70'],
	])('%s', async (_what, state, how, first) => {
		expect((await poll(state, how)).asked[0]).toBe(first);
	});
});

describe('how far', () => {
	const options = { pageSize: 100 };
	const mainOf = ({ asked }: { asked: string[] }) => asked.filter((each) => !each.startsWith('company')).length;
	test("to the window; to the end twice in the time of 'Late Arrivals', of companies where each is asked", async () => {
		const old = rows(400, 60);
		const how = { options, main: old, acme: old };
		expect((await poll({}, how)).asked).toEqual(['1/100', 'company 1/100']);
		const due = { wholeAt: START - 12 * HOUR };
		const ended = await poll(due, how);
		expect(ended.asked).toEqual(['1/100', '2/100', '3/100', '4/100', '5/100', 'company 1/100']);
		expect(ended.state.wholeAt).toBe(START);
		const each = await poll(
			{ ...asksEach, round: { ...newRound(), at: START - 12 * HOUR, begunAt: START - 12 * HOUR }, ...due },
			how,
		);
		expect(each.asked).toEqual(['1', '2', '3', '4', '5'].map((page) => `company ${page}/100`));
	});

	test('to the end where something without a create time waits', async () => {
		const main = timeless(400);
		const state = { known: remembered(['t3'], 0), lists: new Map([[MAIN, false]]) };
		const waiting = (hour: number) => new Map([['x', { hour, tries: 1 }]]);
		expect(mainOf(await poll({ ...state, waiting: waiting(START / HOUR) }, { options, main }))).toBe(1);
		expect(mainOf(await poll({ ...state, waiting: waiting(0) }, { options, main }))).toBeGreaterThan(3);
	});
});

describe("a company's list that there was no time for", () => {
	const acme = Array.from({ length: 210 }, (_, index) => row(`m${index}`, 2));
	const open = new Map([[own, openAt(START - 30 * HOUR, 2, 100, START)]]);
	test.each<[string, Partial<KindState>, IDataObject[], number]>([
		['where each is asked', asksEach, [], 1],
		['where it is only compared; the round does not wait for it', {}, [], 0],
		['the same, but the round waits, where it may tell whose a new record is', {}, [row('new', 1)], 1],
	])('is gone on with, and with time left read once more: %s', async (_what, more, news, left) => {
		const how = { options: { pageSize: 100 }, main: [...news, ...acme], acme };
		const before = { known: remembered(names(acme)), open, ...more };
		const { asked, state } = await poll(before, { ...how, cut: 'acme' });
		expect(asked.filter((each) => each.startsWith('company'))).toEqual(['company 2/100']);
		expect(state).toMatchObject({ round: { left }, cleanRounds: 1 - left });
		expect(state.open).toEqual(new Map([[own, openAt(START - 30 * HOUR, 3, 100, START)]]));
		expect((await poll(before, how)).state.open.size).toBe(0);
	});

	test('is compared from its first page on as far back as before', async () => {
		const older = [...acme, row('z', 29)];
		const before = {
			known: remembered(names(acme)),
			open: new Map([[own, openAt(START - 30 * HOUR)]]),
			from: START - 20 * HOUR,
			since: START - 20 * HOUR,
		};
		const { state } = await poll(before, { main: acme, acme: older });
		expect([...state.doubted.keys()]).toEqual([shortId('z')]);
	});
});

describe('an identity', () => {
	const records = [row('a', 0, { companyId: 'd' }), row('b', 1), row('', 2)];
	test('is what the record says', async () => {
		expect((await poll({}, { main: records, acme: records })).ids).toEqual(['', 'b', 'a'].map(shortId));
	});

	test('has the company as well, where it is unique only in that; each is asked, where the list of all does not name it', async () => {
		const how = { main: records, acme: records };
		const { ids, said, state } = await poll({ byCompany: true }, how);
		expect(ids).toEqual(['c ', 'c b', 'd a'].map(shortId));
		expect(said).toEqual([expect.stringMatching(/of the same ID and does not say whose they are.*each company is/)]);
		expect(state.asksEach).toBe(true);
		expect(await poll({ byCompany: true, ...asksEach }, how)).toMatchObject({ ids, said: [] });
		const main = records.slice(0, 1);
		expect(await poll({ byCompany: true }, { main, acme: main })).toMatchObject({ ids: [shortId('d a')], said: [] });
	});

	test('that is missing is named', async () => {
		const main = [row('a', 1), { name: 'x' }, { name: 'y' }];
		const { ids, said } = await poll({}, { main, acme: main });
		expect(ids).toEqual([shortId('a')]);
		expect(said[0]).toMatch(/Of the enrollments, 2 records without an ID/);
	});
});

describe('whether the list of all companies has everything', () => {
	const [a, b] = [row('a', 1), row('b', 2)];
	const listed = { known: remembered(['a']) };
	const t = { id: 't' };
	test.each<[string, string, How, Partial<Record<'given' | 'doubted', string>>, Partial<KindState>]>([
		['it has what the company has', '', { acme: [a] }, {}, { cleanRounds: 1 }],
		['what is too old says nothing', '', { acme: [a, row('z', 49)] }, {}, { cleanRounds: 1 }],
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
		expect(cut.state.open).toEqual(new Map([[MAIN, openAt(START - 48 * HOUR, 2, 100, START)]]));
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
		['is known, so that a change since then is one', {}, 'ab'],
		['is new, where such are given', { alsoFirstSeen: true }, 'a'],
	])('with Status Changed, what it lacked when they were compared %s', async (_what, more, known) => {
		const how = { watchesStatus: true, ...more, main: [a], acme: [a, { ...b, status: 'Done' }] };
		const doubted = remembered(['b'], START / HOUR - 2, 'Running');
		const { state } = await poll({ ...listed, doubted }, how);
		expect(state.asksEach).toBe(true);
		expect([...state.known.keys()]).toEqual([...known].map(shortId));
		if (known.includes('b')) expect(state.known.get(shortId('b'))?.status).toBe('Running');
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

	const round = { at: START - HOUR, begunAt: START - HOUR, from: START - 40 * HOUR, left: 1, next: '' };
	test.each<[string, Partial<KindState>, How, { since: number; from: number; cleanRounds: number }]>([
		['it began with', {}, {}, { since: 25, from: 25, cleanRounds: 1 }],
		['an earlier poll began it with', { round }, {}, { since: 40, from: 25, cleanRounds: 1 }],
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
