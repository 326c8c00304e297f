/** The turn of the companies: who is asked in a poll, when the next round begins, when lists are read to their ends. */
import { isWholeDue, lateMsOf, pauseMsOf } from '../../nodes/shared/polling/rounds';
import { inTurn } from '../../nodes/shared/polling/rounds';
import { newKind, newRound } from '../../nodes/shared/polling/state';
import { DAY, HOUR, START } from './pollingFixture';
import { choicesWith } from './runFixture';

const companies = ['a', 'b', 'c', 'd'].map((id) => ({ id, name: id }));
const those = (ids: string) => companies.filter(({ id }) => ids.includes(id));

/** A poll's share of a round. @param most how many may be begun; @param again whose list is not read to its end */
async function turn({
	first = '',
	from = '',
	isDue = false,
	most = Infinity,
	again = '',
	broken = '',
	of = companies,
	width = 1,
}) {
	const visited: string[] = [];
	const { asked, next } = await inTurn(of, {
		first: those(first),
		from,
		isDue,
		width,
		visit: async ({ id }) => {
			visited.push(id);
			if (id === broken) throw new Error('broken');
			return await Promise.resolve(id !== again);
		},
		goOn: (started) => started < most,
	});
	return { visited: visited.join(''), asked, next };
}

describe('a round', () => {
	test.each([
		['begins with the first', {}, { visited: 'abcd', asked: 4, next: 'a' }],
		['goes on with the one where the last poll stopped', { from: 'c' }, { visited: 'cdab', asked: 4, next: 'c' }],
		['begins anew where that one is gone', { from: 'gone' }, { visited: 'abcd', asked: 4, next: 'a' }],
		['stops when it may not go on', { most: 2 }, { visited: 'ab', asked: 2, next: 'c' }],
		['stops in the middle and goes round', { from: 'c', most: 3 }, { visited: 'cda', asked: 3, next: 'b' }],
		['asks some first, and each once', { first: 'cd', most: 3 }, { visited: 'cda', asked: 1, next: 'b' }],
		[
			'counts those that were asked first when it comes to them',
			{ first: 'b', from: 'b', most: 3 },
			{ visited: 'bcd', asked: 3, next: 'a' },
		],
		[
			'asks the one whose turn it is before all, if a round goes on',
			{ first: 'cd', isDue: true, most: 2 },
			{ visited: 'ac', asked: 1, next: 'b' },
		],
		['counts none where only the first were asked', { first: 'cd', most: 2 }, { visited: 'cd', asked: 0, next: 'a' }],
		['goes on with a list that was not read to its end', { again: 'b' }, { visited: 'abcd', asked: 1, next: 'b' }],
		[
			'goes on with such a list if it was asked first',
			{ first: 'b', again: 'b' },
			{ visited: 'bacd', asked: 1, next: 'b' },
		],
		['goes on with a company where something broke', { broken: 'c' }, { visited: 'abcd', asked: 2, next: 'c' }],
		['has nothing to ask without companies', { of: [], from: 'a' }, { visited: '', asked: 0, next: '' }],
	])('%s', async (_what, how, outcome) => {
		expect(await turn(how)).toEqual(outcome);
	});
});

const kindWith = (more: Partial<ReturnType<typeof newKind>>) => ({ ...newKind('s', 's', START), ...more });

describe('the pause between two rounds', () => {
	test.each([
		['15 minutes at first', {}, {}, 15],
		['what a person has set', {}, { askEachEvery: 40 }, 40],
		['a minute at least, while it only compares', {}, { askEachEvery: 0 }, 1],
		['eight times as long after a clean round', { cleanRounds: 1 }, {}, 120],
		['64 times as long after two', { cleanRounds: 2 }, { askEachEvery: 0 }, 64],
		["no longer than half of 'Late Arrivals'", { cleanRounds: 2 }, {}, 720],
		['the same with other ones', { cleanRounds: 16 }, { lateArrivals: 6 }, 180],
		['what a person has set, where each is asked', { asksEach: true, cleanRounds: 3 }, { askEachEvery: 7 }, 7],
		['none, where each is asked at every poll', { asksEach: true }, { askEachEvery: 0 }, 0],
	])('%s', (_what, state, options, minutes) => {
		expect(pauseMsOf(kindWith(state), choicesWith({ options }))).toBe(minutes * 60_000);
	});

	test("'Late Arrivals' is a day unless set", () => {
		expect(lateMsOf(choicesWith())).toBe(DAY);
		expect(lateMsOf(choicesWith({ options: { lateArrivals: 3 } }))).toBe(3 * HOUR);
	});
});

describe("lists are read to their ends twice in the time of 'Late Arrivals'", () => {
	afterEach(() => jest.restoreAllMocks());
	test.each([
		['not before half of it', 12 * HOUR - 1, false],
		['after half of it', 12 * HOUR, true],
		["not if n8n's clock was set back a little", -HOUR, false],
		["if n8n's clock was set back by more", -12 * HOUR, true],
	])('%s', (_what, ago, isDue) => {
		const round = { ...newRound(), at: START, begunAt: START };
		const other = { ...round, at: START + 100 * DAY };
		jest.spyOn(Date, 'now').mockReturnValue(START);
		expect(isWholeDue(kindWith({ wholeAt: START - ago, round: other }), DAY)).toBe(isDue);
		// Where each is asked, all lists of a round are read to their ends or none.
		jest.spyOn(Date, 'now').mockReturnValue(START + 50 * DAY);
		expect(isWholeDue(kindWith({ asksEach: true, wholeAt: START - ago, round }), DAY)).toBe(isDue);
	});
});
