/** A kind's lists in one poll: how far they are read, and what an identity is. */
import type { IDataObject } from 'n8n-workflow';
import { MAIN, newScope, shortId, type KindState } from '../../nodes/shared/polling/state';
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
		['that of the reading that stopped, with its page', { open: new Map([[MAIN, openAt(1, 4, 70)]]) }, {}, '4/70'],
	])('%s', async (_what, state, how, first) => {
		expect((await poll(state, how)).asked[0]).toBe(first);
	});

	test("in a company's list it is the usual one, however many are known of all", async () => {
		expect((await poll({ known: known(900), ...asksEach })).asked).toEqual(['1/950', 'company 1/100']);
	});
});

describe('how far', () => {
	const options = { pageSize: 100 };
	const mainOf = ({ asked }: { asked: string[] }) => asked.filter((each) => !each.startsWith('company')).length;
	const old = rows(400, 60);
	const how = { options, main: old, acme: old };
	const whole = ['1/100', '2/100', '3/100', '4/100', '5/100'];
	const dueAt = (ago: number) => ({ wholeAt: START - ago });

	test.each([
		['not before half of it', 12 * HOUR - 1, false],
		['after half of it', 12 * HOUR, true],
		["not if n8n's clock was set back a little", -HOUR, false],
		["if n8n's clock was set back by more", -12 * HOUR, true],
	])("to the window; to the end twice in the time of 'Late Arrivals': %s", async (_what, ago, isWhole) => {
		const { asked, state } = await poll(dueAt(ago), how);
		expect(asked).toEqual([...(isWhole ? whole : ['1/100']), 'company 1/100']);
		expect(state.wholeAt).toBe(isWhole ? START : START - ago);
		// Not while somebody waits for the activation.
		expect((await poll(dueAt(ago), { ...how, isNew: true })).asked).toEqual(['1/100']);
	});

	test.each([
		['in a round that begins', {}, 12 * HOUR, true],
		['in none that began before it was due', { at: START - HOUR, left: 1, next: 'c' }, 12 * HOUR, false],
		['in one that began then', { at: START - HOUR, left: 1, next: 'c' }, 13 * HOUR, true],
	])('where each is asked, all companies to the end or none: %s', async (_what, round, ago, isWhole) => {
		const before = { ...asksEach, ...dueAt(ago), hasForgotten: true, round: { ...newScope().round, ...round } };
		const { asked, state } = await poll(before, how);
		expect(asked).toEqual(['1/100', ...(isWhole ? whole : ['1/100']).map((page) => `company ${page}`)]);
		expect(state).toMatchObject({ wholeAt: isWhole ? state.round.at : START - ago, hasForgotten: !isWhole });
	});

	test('to the end where something without a create time waits', async () => {
		const main = timeless(400);
		const state = { known: remembered(['t3'], 0), hasForgotten: true };
		const waiting = (hour: number) => new Map([['x', { hour, tries: 1, searches: 0 }]]);
		expect(mainOf(await poll({ ...state, waiting: waiting(START / HOUR) }, { options, main }))).toBe(1);
		expect(mainOf(await poll({ ...state, waiting: waiting(0) }, { options, main }))).toBeGreaterThan(3);
	});
});

describe("a company's list that there was no time for", () => {
	const acme = Array.from({ length: 210 }, (_, index) => row(`m${index}`, 2));
	const ofAcme = (asked: string[]) => asked.filter((each) => each.startsWith('company'));
	const options = { pageSize: 100 };
	const known = remembered(names(acme));

	test('is gone on with, where each is asked, and the round waits for it; then it is read from its first page', async () => {
		const how = { options, acme };
		const open = new Map([[own, openAt(START - 30 * HOUR, 2, 100, START)]]);
		const first = await poll({ ...asksEach, known, open }, { ...how, cut: 'acme' });
		expect(ofAcme(first.asked)).toEqual(['company 2/100']);
		expect(first.state).toMatchObject({ round: { left: 1 }, cleanRounds: 1 });
		expect(first.state.open).toEqual(new Map([[own, { ...openAt(START - 30 * HOUR, 3, 100, START), rows: 100 }]]));
		const second = await poll(first.state, how);
		expect(ofAcme(second.asked)[0]).toBe('company 3/100');
		expect(second.state).toMatchObject({ round: { left: 0 }, cleanRounds: 2, open: new Map() });
		jest.spyOn(Date, 'now').mockReturnValue(START + HOUR);
		expect(ofAcme((await poll(second.state, how)).asked)[0]).toBe('company 1/100');
	});

	test.each<[string, IDataObject[], number]>([
		['not where it is only compared', [], 0],
		['where it may tell whose a new record is', [row('new', 1)], 1],
	])('the round waits for it: %s', async (_what, news, left) => {
		const { state } = await poll({ known }, { options, main: [...news, ...acme], acme, cut: 'acme' });
		expect(state).toMatchObject({ round: { left }, cleanRounds: 1 - left });
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
		expect(state).toMatchObject({ refusals: 2, cleanRounds: 1 });
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
