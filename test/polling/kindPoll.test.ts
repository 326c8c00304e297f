/** A kind's lists in one poll: how far they are read, and what an identity is. */
import type { IDataObject } from 'n8n-workflow';
import { MAIN, newRound, shortId, type KindState } from '../../nodes/shared/polling/state';
import { asksEach, own, poll, remembered, type How } from './kindPollFixture';
import { HOUR, openAt, START } from './pollingFixture';
import { names, row, rows, timeless } from './readFixture';

beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(START));
afterEach(() => jest.restoreAllMocks());

const known = (count: number) => remembered(Array.from({ length: count }, (_, index) => `k${index}`));

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
		expect(state.open).toEqual(new Map([[own, { ...openAt(START - 30 * HOUR, 3, 100, START), rows: 100 }]]));
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
