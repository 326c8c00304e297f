/** What a poll makes of rows, and what it forgets: pure functions, by table. */
import {
	advanceCutoff,
	copyListState,
	DAY_MS,
	HOUR_MS,
	classifyRecord,
	parseMemory,
	createListState,
	noteUnreadCompanies,
	pruneListState,
	rememberRecord,
	serializeMemory,
	type ListState,
} from '../../nodes/core/trigger/state';
import type { WatchedRecord, TriggerRules } from '../../nodes/core/trigger/types';

const NOW = Date.parse('2026-06-10T12:00:00Z');
const hour = (ms: number) => Math.ceil(ms / HOUR_MS);
const row = (id: string, hoursAgo?: number, status = 'Running'): WatchedRecord => ({
	id,
	status,
	json: {},
	createdAt: hoursAgo === undefined ? undefined : NOW - hoursAgo * HOUR_MS,
});
const NEW: TriggerRules = {
	watchesStatus: false,
	includesFirstSeen: false,
	statuses: [],
	windowMs: DAY_MS,
	existingSince: Infinity,
};
const STATUS = { ...NEW, watchesStatus: true };
const FROM = NOW - DAY_MS;
type Seen = ListState['seen'];
const known = (id: string, status = 'Running'): Seen => new Map([[id, [hour(NOW), status, '']]]);
const none: Seen = new Map();
/** Creates the state of companies that could not be read for a day. @param from the times from which their records count */
const createUnread = (from: Record<string, number>): ListState['unread'] =>
	new Map(Object.entries(from).map(([id, at]) => [id, { from: at, since: NOW - DAY_MS }]));
const state = (more: Partial<ListState> = {}): ListState => ({
	...createListState({}),
	watchedFrom: FROM,
	newest: NOW,
	askedAt: NOW,
	...more,
});

describe('what a row means', () => {
	type Case = [
		what: string,
		row: WatchedRecord,
		seen: Seen,
		since: number,
		rules: TriggerRules,
		outcome: 'give' | 'remember' | 'nothing',
	];
	test.each<Case>([
		['an unknown one', row('a', 1), none, FROM, NEW, 'give'],
		['an unknown one of the very watchedFrom', row('a', 24), none, FROM, NEW, 'give'],
		['an unknown one below the watchedFrom', row('a', 25), none, FROM, NEW, 'nothing'],
		['a known one', row('a', 1), known('a'), FROM, NEW, 'nothing'],
		['a known one with another status', row('a', 1, 'Done'), known('a'), FROM, NEW, 'nothing'],
		['one without a create time', row('a'), none, FROM, NEW, 'give'],
		['a known one without a create time', row('a'), known('a'), FROM, NEW, 'remember'],
		['one that was there at the beginning', row('a', 1), none, Infinity, NEW, 'remember'],
		['one without a create time at the beginning', row('a'), none, Infinity, NEW, 'remember'],
		['an old one of a company that failed for long', row('a', 40), none, NOW - 50 * HOUR_MS, NEW, 'give'],
		['one from before a company failed at the beginning', row('a', 5), none, NOW - HOUR_MS, NEW, 'remember'],
		['one from after a company failed at the beginning', row('a', 0), none, NOW - HOUR_MS, NEW, 'give'],
		['an unchanged status', row('a', 1), known('a'), FROM, STATUS, 'nothing'],
		['a changed status', row('a', 1, 'Done'), known('a'), FROM, STATUS, 'give'],
		['a status that is shown now', row('a', 1), known('a', ''), FROM, STATUS, 'give'],
		['a changed status below the watchedFrom', row('a', 40, 'Done'), known('a'), FROM, STATUS, 'give'],
		['a first status', row('a', 1), none, FROM, STATUS, 'remember'],
		['a first status that counts', row('a', 1), none, FROM, { ...STATUS, includesFirstSeen: true }, 'give'],
		[
			'a first status at the beginning',
			row('a', 1),
			none,
			Infinity,
			{ ...STATUS, includesFirstSeen: true },
			'remember',
		],
		['a wanted status', row('a', 1, 'Done'), known('a'), FROM, { ...STATUS, statuses: ['done'] }, 'give'],
		['another status', row('a', 1, 'Done'), known('a'), FROM, { ...STATUS, statuses: ['error'] }, 'remember'],
	])('%s', (_, each, seen, since, rules, outcome) => {
		expect(classifyRecord(each, state({ seen }), since, rules)).toBe(outcome);
	});
});

test('IDs that every object has are records as well', () => {
	const remembered = state();
	for (const id of ['constructor', '__proto__', 'toString']) {
		expect(classifyRecord(row(id, 1), remembered, FROM, NEW)).toBe('give');
		rememberRecord(remembered, row(id, 1), '', NOW);
	}
	const stored: unknown = JSON.parse(JSON.stringify(serializeMemory({ kinds: { phishing: remembered } })));
	const again = parseMemory(stored)?.kinds.phishing ?? state();
	expect([...again.seen.keys()]).toEqual(['constructor', '__proto__', 'toString']);
	expect(classifyRecord(row('constructor', 1), again, FROM, NEW)).toBe('nothing');
});

test('after the clock was set back no time is later than now', () => {
	const ahead = NOW + 9 * DAY_MS;
	const wrong = state({
		watchedFrom: ahead,
		newest: ahead,
		askedAt: ahead,
		unread: new Map([['c', { from: ahead, since: ahead }]]),
	});
	expect(copyListState(wrong, NOW)).toMatchObject({
		watchedFrom: NOW,
		newest: NOW,
		askedAt: 0,
		unread: new Map([['c', { from: NOW, since: NOW }]]),
	});
});

describe('watchedFrom', () => {
	test.each([
		['a window before the newest', [row('a', 3), row('b', 30)], NOW - 27 * HOUR_MS, NOW - 3 * HOUR_MS],
		['two days ago in an empty list', [], NOW - 2 * DAY_MS, 0],
		['a window before now, where the newest is dated later', [row('a', -5)], FROM, NOW],
	])('begins %s', (_, rows, watchedFrom, newest) => {
		const begun = createListState({});
		advanceCutoff(begun, rows, NEW, NOW);
		expect(begun).toMatchObject({ watchedFrom, newest });
	});

	test('lags one reading, and never falls', () => {
		const moving = state({ newest: NOW - 5 * HOUR_MS, watchedFrom: NOW - 40 * HOUR_MS });
		advanceCutoff(moving, [row('a', 1)], NEW, NOW);
		expect(moving).toMatchObject({ watchedFrom: NOW - 29 * HOUR_MS, newest: NOW - HOUR_MS });
		advanceCutoff(moving, [], NEW, NOW);
		expect(moving).toMatchObject({ watchedFrom: NOW - 25 * HOUR_MS, newest: NOW - HOUR_MS });
		advanceCutoff(moving, [row('b', 9)], NEW, NOW);
		advanceCutoff(moving, [row('b', 9)], NEW, NOW);
		expect(moving).toMatchObject({ watchedFrom: NOW - 25 * HOUR_MS, newest: NOW - 9 * HOUR_MS });
	});
});

test('companies that were not read keep their own beginning while they fail, for 15 days, those not reached first', () => {
	const asked = (...ids: string[]) => ids.map((id) => ({ company: { id } }));
	const quietFor = FROM - 40 * DAY_MS;
	const noting = state({
		unread: new Map([
			['failed', { from: quietFor, since: NOW - 14 * DAY_MS }],
			['failed for long', { from: quietFor, since: NOW - 16 * DAY_MS }],
			['read', { from: FROM, since: NOW }],
			['left', { from: quietFor, since: NOW - 14 * DAY_MS }],
			['old', { from: FROM, since: NOW - 16 * DAY_MS }],
		]),
	});
	noteUnreadCompanies(
		noting,
		{ answered: asked('read'), silent: asked('unreached', 'failed', 'failed for long') },
		FROM,
		NOW,
	);
	expect([...noting.unread]).toEqual([
		['unreached', { from: FROM, since: NOW }],
		['failed', { from: quietFor, since: NOW - 14 * DAY_MS }],
		['failed for long', { from: NOW - 15 * DAY_MS, since: NOW - 16 * DAY_MS }],
		['left', { from: quietFor, since: NOW - 14 * DAY_MS }],
	]);
});

describe('what is forgotten', () => {
	const seen = (...hoursAgo: number[]): Seen =>
		new Map(hoursAgo.map((each) => [`${each}`, [hour(NOW - each * HOUR_MS), '', '']]));

	test.each<[what: string, unread: Record<string, number>, kept: string[]]>([
		['what lies below watchedFrom', {}, ['0', '23', '24']],
		['nothing that a company which was not read may list again', { c: NOW - 30 * HOUR_MS }, ['0', '23', '24', '26']],
		['no more where a company counts from later on', { c: NOW }, ['0', '23', '24']],
	])('%s', (_, unread, kept) => {
		const pruned = state({ seen: seen(0, 23, 24, 26, 40), unread: createUnread(unread) });
		expect([pruneListState(pruned), [...pruned.seen.keys()].sort()]).toEqual([false, kept]);
	});

	test('the oldest of more than 20,000, and all beginnings rise above them', () => {
		const all: Seen = new Map();
		for (let index = 0; index < 20_010; index++) all.set(`${index}`, [hour(NOW) - (index < 10 ? 9 : 1), '', '']);
		const left = state({
			seen: all,
			unread: createUnread({ c: FROM - DAY_MS, d: NOW }),
			waiting: new Map([
				['old', { since: NOW, created: FROM }],
				['young', { since: NOW, created: NOW }],
			]),
		});
		expect([pruneListState(left), left.seen.size]).toEqual([true, 20_000]);
		const least = (hour(NOW) - 2) * HOUR_MS + 1;
		expect(left).toMatchObject({
			watchedFrom: least,
			unread: createUnread({ c: least, d: NOW }),
			waiting: new Map([['young', { since: NOW, created: NOW }]]),
		});
		// What was forgotten is not given again, and what was kept is still known.
		const again: WatchedRecord = { ...row('0'), createdAt: (hour(NOW) - 9) * HOUR_MS };
		expect(classifyRecord(again, left, left.watchedFrom, NEW)).toBe('nothing');
	});
});
