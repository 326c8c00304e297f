/** IDs that are unique only inside a company: how the memory notices them, and what it does then. */
import type { Found, Reading } from '../../nodes/shared/polling/reading';
import { MAIN } from '../../nodes/shared/polling/state';
import { DAY, HOUR, START } from './pollingFixture';
import {
	atActivation,
	COMPANY,
	found,
	HOUR_NUMBER,
	inFirstRound,
	memoryFixture,
	memoryWith,
	read,
} from './memoryFixture';

memoryFixture();

describe('one ID for two records: from the next poll on IDs are unique only inside a company', () => {
	const twice = read([found('a', HOUR)], { hasDuplicateIds: true });
	test.each([
		['at activation: what was created since then', atActivation(), START],
		["at activation: by the service's clock", atActivation({ served: START - HOUR }), START - HOUR],
		[
			'at activation: from the time that a person chose',
			memoryWith({ since: START - 5 * DAY, from: 0, ...inFirstRound }),
			START - 5 * DAY,
		],
		['later: what was created since the last poll', memoryWith(), START - HOUR],
	])('%s', (_name, memory, since) => {
		memory.judge(MAIN, twice);
		expect(memory.startsOver).toBe(true);
		expect(memory.finish()).toMatchObject({ byCompany: true, since, from: 0, known: new Map() });
	});

	test('once', () => {
		const memory = memoryWith({ byCompany: true });
		memory.judge(MAIN, twice);
		expect(memory.startsOver).toBe(false);
		expect(memory.finish().known.size).toBe(1);
	});
});

describe('IDs that are unique only inside a company', () => {
	const judged = (lists: Array<[string, Found[], Partial<Reading>?]>) => {
		const memory = memoryWith();
		for (const [list, seen, more] of lists) memory.judge(list, read(seen, more));
		return memory.startsOver;
	};
	const a = found('a', HOUR);
	const other = found('a', 2 * HOUR);
	test.each([
		[
			'one page that has an ID twice shows them',
			[
				[MAIN, [a], { hasDuplicateIds: true }],
				[COMPANY, [a]],
			],
			true,
		],
		[
			'two companies with one ID of two times show them',
			[
				[COMPANY, [a]],
				['bbbbb', [other]],
			],
			true,
		],
		[
			'a status that changes from one list to the next is one record, if the time is the same',
			[
				[COMPANY, [found('a', HOUR, 'Running')]],
				['bbbbb', [found('a', HOUR, 'Stopped')]],
			],
			false,
		],
		[
			'a record that two companies list is one',
			[
				[COMPANY, [a]],
				['bbbbb', [a]],
			],
			false,
		],
		[
			'the list of all and a company’s may show other times',
			[
				[MAIN, [a]],
				[COMPANY, [other]],
			],
			false,
		],
		[
			'two IDs are two records',
			[
				[COMPANY, [a]],
				['bbbbb', [found('b', HOUR)]],
			],
			false,
		],
	] satisfies Array<[string, Array<[string, Found[], Partial<Reading>?]>, boolean]>)('%s', (_what, lists, isSo) => {
		expect(judged(lists)).toBe(isSo);
	});

	test('of two with one ID the younger counts, or they would take turns in being new', () => {
		const memory = memoryWith();
		memory.judge(MAIN, read([a, other]));
		expect(memory.state.known.get('a')?.hour).toBe(HOUR_NUMBER - 1);
	});
});
