/** What a poll makes of rows, and what it forgets: pure functions, by table. */
import {
	advance,
	begin,
	DAY_MS,
	HOUR_MS,
	judge,
	prune,
	remember,
	type KindState,
	type Seen,
} from '../../nodes/shared/polling/state';
import type { Row, Rules } from '../../nodes/shared/polling/trigger';

const NOW = Date.parse('2026-06-10T12:00:00Z');
const hour = (ms: number) => Math.ceil(ms / HOUR_MS);
const row = (id: string, hoursAgo?: number, status = 'Running'): Row => ({
	...{ id, status, record: {} },
	created: hoursAgo === undefined ? undefined : NOW - hoursAgo * HOUR_MS,
});
const NEW: Rules = {
	...{ watchesStatus: false, alsoFirstSeen: false, statuses: [] },
	...{ windowMs: DAY_MS, existingSince: Infinity },
};
const STATUS = { ...NEW, watchesStatus: true };
const known = (id: string, status = 'Running'): Seen => ({ [id]: [hour(NOW), status, ''] });
const FLOOR = NOW - DAY_MS;

describe('what a row means', () => {
	type Case = [
		what: string,
		row: Row,
		seen: Seen,
		since: number,
		rules: Rules,
		outcome: 'given' | 'remembered' | 'nothing',
	];
	test.each<Case>([
		['an unknown one', row('a', 1), {}, FLOOR, NEW, 'given'],
		['an unknown one of the very floor', row('a', 24), {}, FLOOR, NEW, 'given'],
		['an unknown one below the floor', row('a', 25), {}, FLOOR, NEW, 'nothing'],
		['a known one', row('a', 1), known('a'), FLOOR, NEW, 'nothing'],
		['a known one with another status', row('a', 1, 'Done'), known('a'), FLOOR, NEW, 'nothing'],
		['one without a create time', row('a'), {}, FLOOR, NEW, 'given'],
		['a known one without a create time', row('a'), known('a'), FLOOR, NEW, 'remembered'],
		['one that was there at the beginning', row('a', 1), {}, Infinity, NEW, 'remembered'],
		['one without a create time at the beginning', row('a'), {}, Infinity, NEW, 'remembered'],
		['an old one of a company that failed for long', row('a', 40), {}, NOW - 50 * HOUR_MS, NEW, 'given'],
		['one from before a company failed at the beginning', row('a', 5), {}, NOW - HOUR_MS, NEW, 'remembered'],
		['one from after a company failed at the beginning', row('a', 0), {}, NOW - HOUR_MS, NEW, 'given'],
		['an unchanged status', row('a', 1), known('a'), FLOOR, STATUS, 'nothing'],
		['a changed status', row('a', 1, 'Done'), known('a'), FLOOR, STATUS, 'given'],
		['a status that is shown now', row('a', 1), known('a', ''), FLOOR, STATUS, 'given'],
		['a changed status below the floor', row('a', 40, 'Done'), known('a'), FLOOR, STATUS, 'given'],
		['a first status', row('a', 1), {}, FLOOR, STATUS, 'remembered'],
		['a first status that counts', row('a', 1), {}, FLOOR, { ...STATUS, alsoFirstSeen: true }, 'given'],
		['a first status at the beginning', row('a', 1), {}, Infinity, { ...STATUS, alsoFirstSeen: true }, 'remembered'],
		['a wanted status', row('a', 1, 'Done'), known('a'), FLOOR, { ...STATUS, statuses: ['done'] }, 'given'],
		['another status', row('a', 1, 'Done'), known('a'), FLOOR, { ...STATUS, statuses: ['error'] }, 'remembered'],
	])('%s', (_, each, seen, since, rules, outcome) => {
		const { news, settled } = judge([each], seen, FLOOR, since, rules);
		expect({ news: news.length, settled: settled.length }).toEqual({
			news: outcome === 'given' ? 1 : 0,
			settled: outcome === 'remembered' ? 1 : 0,
		});
	});

	test('a change says what the status was', () => {
		const seen = known('a', 'Idle');
		const { news } = judge([row('a', 1), row('b', 1)], seen, FLOOR, FLOOR, { ...STATUS, alsoFirstSeen: true });
		expect(news.map(({ previousStatus }) => previousStatus)).toEqual(['Idle', null]);
	});
});

test('the first company of a record stays, unless there was none', () => {
	const seen: Seen = {};
	for (const company of ['', 'child', 'parent']) remember(seen, row('a', 1), company, NOW);
	expect(seen.a).toEqual([hour(NOW) - 1, 'Running', 'child']);
	remember(seen, row('b'), '', NOW);
	expect(seen.b).toEqual([hour(NOW), 'Running', '']);
});

const state = (more: Partial<KindState> = {}): KindState => ({
	...{ key: '', floor: FLOOR, newest: NOW, seen: {}, behind: {}, sought: {}, askedAt: 0 },
	...more,
});

describe('the floor', () => {
	test.each([
		['a window before the newest', [row('a', 3), row('b', 30)], NOW - 27 * HOUR_MS, NOW - 3 * HOUR_MS],
		['two days ago in an empty list', [], NOW - 2 * DAY_MS, 0],
		['a window before now, where the newest is dated later', [row('a', -5)], FLOOR, NOW],
	])('begins %s', (_, rows, floor, newest) => {
		const begun = state({ floor: 0, newest: 0 });
		begin(begun, rows, DAY_MS, NOW);
		expect(begun).toMatchObject({ floor, newest });
	});

	test('lags one reading, and never falls', () => {
		const moving = state({ newest: NOW - 5 * HOUR_MS, floor: NOW - 40 * HOUR_MS });
		advance(moving, [row('a', 1)], DAY_MS, NOW);
		expect(moving).toMatchObject({ floor: NOW - 29 * HOUR_MS, newest: NOW - HOUR_MS });
		advance(moving, [], DAY_MS, NOW);
		expect(moving).toMatchObject({ floor: NOW - 25 * HOUR_MS, newest: NOW - HOUR_MS });
		advance(moving, [row('b', 9)], DAY_MS, NOW);
		advance(moving, [row('b', 9)], DAY_MS, NOW);
		expect(moving).toMatchObject({ floor: NOW - 25 * HOUR_MS, newest: NOW - 9 * HOUR_MS });
	});
});

describe('what is forgotten', () => {
	const seen = (...hoursAgo: number[]): Seen =>
		Object.fromEntries(hoursAgo.map((each) => [`${each}`, [hour(NOW - each * HOUR_MS), '', '']]));

	test.each([
		['what lies below the floor', {}, ['0', '23', '24']],
		['nothing that a company which is behind may list again', { c: NOW - 30 * HOUR_MS }, ['0', '23', '24', '26']],
		['no more where a company is ahead of the floor', { c: NOW }, ['0', '23', '24']],
	])('%s', (_, behind, kept) => {
		const { state: left, isCut } = prune(state({ seen: seen(0, 23, 24, 26, 40), behind }));
		expect([Object.keys(left.seen).sort(), isCut]).toEqual([kept, false]);
	});

	test('the oldest of more than 20,000, and all floors rise above them', () => {
		const all: Seen = {};
		for (let index = 0; index < 20_010; index++) all[index] = [hour(NOW) - (index < 10 ? 9 : 1), '', ''];
		const { state: left, isCut } = prune(state({ seen: all, behind: { c: FLOOR - DAY_MS, d: NOW } }));
		expect([Object.keys(left.seen).length, isCut]).toEqual([20_000, true]);
		const floor = (hour(NOW) - 2) * HOUR_MS + 1;
		expect(left).toMatchObject({ floor, behind: { c: floor, d: NOW } });
		// What was forgotten is not given again, and what was kept is still known.
		const again: Row = { ...row('0'), created: (hour(NOW) - 9) * HOUR_MS };
		expect(judge([again], left.seen, left.floor, left.floor, NEW).news).toEqual([]);
	});
});
