/** Where each company is asked: what its list gives besides the list of all, and why that is so. */
import { keepWithinBounds } from '../../nodes/shared/polling/bounds';
import { listOf, newScope, shortId } from '../../nodes/shared/polling/state';
import { namesNone } from '../../nodes/shared/transport/guard/refusal';
import { asksEach, own, poll, remembered } from './kindPollFixture';
import { DAY, HOUR, openAt, START } from './pollingFixture';
import { refusal, row } from './readFixture';

const at = (hours: number) => void jest.spyOn(Date, 'now').mockReturnValue(START + hours * HOUR);
beforeEach(() => at(0));
afterEach(() => jest.restoreAllMocks());

const [a, b] = [row('a', 1), row('b', 2)];
const ids = (text: string) => [...text].map(shortId);
const each = { ...newScope(), asksEach: true };

describe('where each company is asked', () => {
	test('the list of all is read in each poll, and companies in turn', async () => {
		expect((await poll(asksEach, {})).asked).toEqual(['1/100', 'company 1/100']);
		const round = { ...newScope().round, at: START, begunAt: START };
		expect((await poll({ ...asksEach, round }, {})).asked).toEqual(['1/100']);
	});

	test.each(['New', 'Status Changed'])(
		'a record of both lists is given once, as the list of all has it: %s',
		async (on) => {
			const known = remembered(['b'], START / HOUR - 2, on === 'New' ? '' : 'Running');
			const how = {
				watchesStatus: on !== 'New',
				alsoFirstSeen: true,
				main: [a, { ...b, status: 'Done' }],
				acme: [a, b],
			};
			const first = await poll({ ...asksEach, known }, how);
			expect(first.ids).toEqual(ids(on === 'New' ? 'a' : 'ba'));
			// Whose it is, the company's list tells all the same.
			expect(new Set(first.owners)).toEqual(new Set(['c']));
			at(1);
			expect((await poll(first.state, how)).ids).toEqual([]);
		},
	);

	test('a record that is too old for the list of all is given by the list of a company that could not be read for long', async () => {
		const long = { ...asksEach, from: START - 24 * HOUR, open: new Map([[own, openAt(START - 72 * HOUR)]]) };
		expect((await poll(long, { main: [a, row('y', 48)], acme: [a, row('y', 48)] })).ids).toEqual(ids('ay'));
	});

	/** Since the activation, at START. */
	const begun = { ...each, since: START };

	test('what was there at the first reading is remembered; from then on what comes late is given, also from before', async () => {
		const first = await poll(begun, { acme: [a, b] });
		expect(first).toMatchObject({ ids: [], state: { readAt: START } });
		at(1);
		// Too late by its create time, in time, and new.
		const acme = [row('x', 73), row('y', 20), a, b, row('z', -0.5)];
		expect((await poll(first.state, { acme })).ids).toEqual(ids('zy'));
	});

	test('a list that failed at the activation begins there all the same, when the round is complete', async () => {
		const first = await poll(begun, { acme: [a], acmeFails: refusal(500) });
		expect(first.state).toMatchObject({ cleanRounds: 1, since: START - 72 * HOUR });
		expect(first.state.open).toEqual(new Map([[own, openAt(START, 1, 0, START, true)]]));
		at(1);
		const second = await poll(first.state, { acme: [row('t'), a, b, row('z', -0.5)] });
		expect(second.ids).toEqual(ids('z'));
		// All but the last, because clocks may differ.
		expect(second.said.join()).toMatch(/3 records without a create time/);
		at(2);
		expect((await poll(second.state, { acme: [row('u'), row('t'), row('y', 3), a, b] })).ids).toEqual(ids('yu'));
	});

	test('a company that is listed later gives what was created in the window, and all without a create time', async () => {
		const before = { ...asksEach, open: new Map([[listOf('other'), openAt(START)]]) };
		const acme = [row('t'), a, row('x', 47), row('y', 49)];
		expect((await poll(before, { acme })).ids).toEqual(ids('xat'));
	});

	test("its window counts back from the service's clock, if n8n's is ahead", async () => {
		const scope = { kind: 'every' as const, filter: { nameContains: 'A' } };
		const how = { scope, acme: [row('x', 99.5)], servedAt: START - 99 * HOUR };
		const { asked, state } = await poll(each, how);
		expect(asked).toEqual(['company 1/1000', 'company 2/1000']);
		expect(state.round.begunAt).toBe(START - 99 * HOUR);
		at(1);
		const late = await poll(state, { ...how, acme: [row('x', 99.5), row('y', 99.5 + 23)] });
		expect(late.ids).toEqual(ids('y'));
		// A round that an earlier poll began keeps what that had.
		const round = { at: START - HOUR, begunAt: START - 100 * HOUR, from: START - 124 * HOUR, left: 1, next: 'c' };
		expect((await poll({ ...each, round }, how)).state.since).toBe(START - 124 * HOUR);
		// But a clock that is wrong for a moment does not bring back what is forgotten.
		const forgottenTo = START - 110 * HOUR;
		expect((await poll({ ...each, round, forgottenTo }, how)).state.since).toBe(forgottenTo);
	});
});

describe('the list of all that is refused', () => {
	const refused = { mainFails: refusal(403), acme: [a, b] };
	const told = expect.stringMatching(/of all companies refuses to be asked without a company.*each company is asked/);
	const known = remembered(['a']);

	test('once: it may be a mistake; it is read as far back as before', async () => {
		const first = await poll({ known, from: START - 5 * HOUR }, refused);
		expect(first).toMatchObject({ asked: ['1/100'], ids: [], said: [], state: { refusals: 1, asksEach: false } });
		at(3);
		const second = await poll(first.state, { main: [a, b, row('x', 5.5)], acme: [a, b] });
		expect(second).toMatchObject({ ids: ids('b'), said: [], state: { refusals: 0, asksEach: false } });
		expect((await poll(second.state, refused)).state.refusals).toBe(1);
	});

	test('twice in a row: each company is asked, and that is said once', async () => {
		const first = await poll({ known }, refused);
		const second = await poll(first.state, refused);
		expect(second).toMatchObject({ ids: ids('b'), said: [told], state: { refusals: 2, cleanRounds: 1 } });
		expect(second.state.open).toEqual(new Map());
		expect(second.asked[0]).toBe('1/100');
		at(1);
		const third = await poll(second.state, { ...refused, acme: [row('x', 0), a, b] });
		expect(third).toMatchObject({ ids: ids('x'), said: [], state: { refusals: 2 } });
		expect(third.asked.slice(0, 2)).toEqual(['1/100', 'company 1/100']);
	});

	test('twice in a row: what was remembered for it alone is forgotten', async () => {
		const before = new Map([...known, ...remembered(['o'], START / HOUR - 40)]);
		const { state } = await poll({ known: before, newest: START - HOUR, refusals: 1 }, refused);
		keepWithinBounds(new Map([['e', state]]), { warn: () => {}, windowMs: DAY, watchedMs: 0 });
		expect([...state.known.keys()].sort()).toEqual(ids('ab').sort());
	});

	test('until it is not refused any more: then it goes on, and companies are only compared', async () => {
		const second = await poll({ known, refusals: 1 }, refused);
		at(1);
		const acme = [row('x', 0), a, b];
		const how = { main: [...acme, row('z', 90)], acme };
		const third = await poll(second.state, how);
		expect(third).toMatchObject({ ids: ids('x'), said: [], state: { refusals: 0, asksEach: false } });
		expect((await poll(third.state, { ...how, acme: [...acme, row('y', 0)] })).ids).toEqual([]);
	});

	test.each([
		['by the credential: at once', { mainFails: namesNone() }, 2],
		['where the companies cannot be listed either: that says nothing of it', { cannotList: true }, 0],
		['in an answer that says nothing of it', { mainFails: refusal(500) }, 0],
		['where there is one list only', { scope: { kind: 'own' as const } }, 0],
	])('%s', async (_what, how, refusals) => {
		const { state, said } = await poll({ known }, { ...refused, ...how });
		expect(state.refusals).toBe(refusals);
		expect(said).toEqual(refusals > 0 ? [told] : []);
		if (refusals === 0) expect((await poll(state, { ...refused, ...how })).state.refusals).toBe(0);
	});
});
