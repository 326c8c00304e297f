/** The turn of the companies: who is asked in a poll, and when the next round begins. */
import { inTurn, isRoundDue, lateMsOf, paceOf } from '../../nodes/shared/polling/rounds';
import { newKind } from '../../nodes/shared/polling/state';
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

describe('the next round', () => {
	afterEach(() => jest.restoreAllMocks());
	const begun = { at: START, begunAt: START, from: START - DAY, left: 0, next: '' };
	const isDue = (ms: number, left: number, cleanRounds: number, options: object, isCompared: boolean) => {
		jest.spyOn(Date, 'now').mockReturnValue(START + ms);
		const state = { ...newKind('s', 's', START), cleanRounds, round: { ...begun, left } };
		return isRoundDue(state, choicesWith({ options }), isCompared);
	};

	test.each([
		['15 minutes at first', 0, {}, true, 15],
		['what a person has set', 0, { askEachEvery: 40 }, true, 40],
		['a minute at least, while it only compares', 0, { askEachEvery: 0 }, true, 1],
		['eight times as long after a clean round', 1, {}, true, 120],
		['64 times as long after two', 2, { askEachEvery: 0 }, true, 64],
		["no longer than half of 'Late Arrivals'", 2, {}, true, 720],
		['the same with other ones', 16, { lateArrivals: 6 }, true, 180],
		['what a person has set, where each is asked', 3, { askEachEvery: 7 }, false, 7],
	])('begins so many minutes after the last: %s', (_what, cleanRounds, options, isCompared, minutes) => {
		const due = [minutes * 60_000 - 1, minutes * 60_000].map((ms) => isDue(ms, 0, cleanRounds, options, isCompared));
		expect(due).toEqual([false, true]);
	});

	test('begins at once, where each is asked at every poll', () => {
		expect(isDue(0, 0, 3, { askEachEvery: 0 }, false)).toBe(true);
	});

	test("begins at once, if n8n's clock was set back; one that is under way goes on", () => {
		for (const isCompared of [true, false]) {
			expect(isDue(-1, 0, 3, {}, isCompared)).toBe(true);
			expect(isDue(0, 0, 3, {}, isCompared)).toBe(false);
			expect(isDue(0, 1, 3, {}, isCompared)).toBe(true);
		}
	});

	test("'Late Arrivals' is a day unless set", () => {
		expect(lateMsOf(choicesWith())).toBe(DAY);
		expect(lateMsOf(choicesWith({ options: { lateArrivals: 3 } }))).toBe(3 * HOUR);
	});

	test('how often is said', () => {
		const told = [{}, { askEachEvery: 1 }, { askEachEvery: 0 }].map((options) => paceOf(choicesWith({ options })));
		expect(told).toEqual(['every 15 minutes', 'every 1 minute', 'in every poll']);
	});
});
