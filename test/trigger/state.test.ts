/** Tests the functions of state.ts, which classify records and change the memory of a trigger. */
import {
	advanceCutoff,
	classifyRecord,
	copyListState,
	createListState,
	DAY_MS,
	HOUR_MS,
	updateUnreadCompanies,
	pruneListState,
	rememberRecord,
	type ListState,
} from '../../nodes/core/trigger/state';
import { parseMemory, serializeMemory } from '../../nodes/core/trigger/triggerMemory';
import type { WatchedRecord, TriggerRules } from '../../nodes/core/trigger/defineTrigger';

const NOW = Date.parse('2026-06-10T12:00:00Z');
const CUTOFF = NOW - DAY_MS;
const toHour = (ms: number) => Math.ceil(ms / HOUR_MS);

const createRecord = (id: string, hoursAgo?: number, status = 'Running'): WatchedRecord => ({
	id,
	status,
	json: {},
	createdAt: hoursAgo === undefined ? undefined : NOW - hoursAgo * HOUR_MS,
});

const NEW_RECORD_RULES: TriggerRules = {
	shouldWatchStatus: false,
	shouldEmitFirstSeenRecords: false,
	watchedStatuses: [],
	windowMs: DAY_MS,
	includeExistingSince: Infinity,
};
const STATUS_CHANGE_RULES: TriggerRules = { ...NEW_RECORD_RULES, shouldWatchStatus: true };
const FIRST_STATUS_COUNTS_RULES: TriggerRules = { ...STATUS_CHANGE_RULES, shouldEmitFirstSeenRecords: true };
const ONLY_DONE_RULES: TriggerRules = { ...STATUS_CHANGE_RULES, watchedStatuses: ['done'] };
const ONLY_ERROR_RULES: TriggerRules = { ...STATUS_CHANGE_RULES, watchedStatuses: ['error'] };

type RememberedRecords = ListState['rememberedRecords'];
const NO_RECORDS: RememberedRecords = new Map();
const rememberOneRecord = (id: string, status = 'Running'): RememberedRecords =>
	new Map([[id, [toHour(NOW), status, '']]]);

/** Creates `unreadCompanies` for companies that have been unread for a day. */
const createUnreadCompanies = (cutoffsById: Record<string, number>): ListState['unreadCompanies'] =>
	new Map(Object.entries(cutoffsById).map(([id, cutoff]) => [id, { cutoff, unreadSince: NOW - DAY_MS }]));

const createState = (changes: Partial<ListState> = {}): ListState => ({
	...createListState({}),
	cutoff: CUTOFF,
	newestCreatedAt: NOW,
	companiesReadAt: NOW,
	...changes,
});

describe('classifyRecord', () => {
	type ClassificationCase = [
		name: string,
		record: WatchedRecord,
		rememberedRecords: RememberedRecords,
		newRecordsStart: number,
		rules: TriggerRules,
		decision: 'emit' | 'remember' | 'skip',
	];
	// prettier-ignore
	test.each<ClassificationCase>([
		['an unknown record', createRecord('a', 1), NO_RECORDS, CUTOFF, NEW_RECORD_RULES, 'emit'],
		['an unknown record exactly at the cutoff', createRecord('a', 24), NO_RECORDS, CUTOFF, NEW_RECORD_RULES, 'emit'],
		['an unknown record below the cutoff', createRecord('a', 25), NO_RECORDS, CUTOFF, NEW_RECORD_RULES, 'skip'],
		['a remembered record', createRecord('a', 1), rememberOneRecord('a'), CUTOFF, NEW_RECORD_RULES, 'skip'],
		['a remembered record with another status', createRecord('a', 1, 'Done'), rememberOneRecord('a'), CUTOFF, NEW_RECORD_RULES, 'skip'],
		['a record without a create time', createRecord('a'), NO_RECORDS, CUTOFF, NEW_RECORD_RULES, 'emit'],
		['a remembered record without a create time', createRecord('a'), rememberOneRecord('a'), CUTOFF, NEW_RECORD_RULES, 'remember'],
		['a record in the first poll', createRecord('a', 1), NO_RECORDS, Infinity, NEW_RECORD_RULES, 'remember'],
		['a record without a create time in the first poll', createRecord('a'), NO_RECORDS, Infinity, NEW_RECORD_RULES, 'remember'],
		['an old record of a company that failed for long', createRecord('a', 40), NO_RECORDS, NOW - 50 * HOUR_MS, NEW_RECORD_RULES, 'emit'],
		['a record from before its company failed in the first poll', createRecord('a', 5), NO_RECORDS, NOW - HOUR_MS, NEW_RECORD_RULES, 'remember'],
		['a record from after its company failed in the first poll', createRecord('a', 0), NO_RECORDS, NOW - HOUR_MS, NEW_RECORD_RULES, 'emit'],
		['an unchanged status', createRecord('a', 1), rememberOneRecord('a'), CUTOFF, STATUS_CHANGE_RULES, 'skip'],
		['a changed status', createRecord('a', 1, 'Done'), rememberOneRecord('a'), CUTOFF, STATUS_CHANGE_RULES, 'emit'],
		['a status that was missing before', createRecord('a', 1), rememberOneRecord('a', ''), CUTOFF, STATUS_CHANGE_RULES, 'emit'],
		['a changed status of a record below the cutoff', createRecord('a', 40, 'Done'), rememberOneRecord('a'), CUTOFF, STATUS_CHANGE_RULES, 'emit'],
		['a first status', createRecord('a', 1), NO_RECORDS, CUTOFF, STATUS_CHANGE_RULES, 'remember'],
		['a first status that counts as changed', createRecord('a', 1), NO_RECORDS, CUTOFF, FIRST_STATUS_COUNTS_RULES, 'emit'],
		['a first status in the first poll', createRecord('a', 1), NO_RECORDS, Infinity, FIRST_STATUS_COUNTS_RULES, 'remember'],
		['a selected status', createRecord('a', 1, 'Done'), rememberOneRecord('a'), CUTOFF, ONLY_DONE_RULES, 'emit'],
		['a status that is not selected', createRecord('a', 1, 'Done'), rememberOneRecord('a'), CUTOFF, ONLY_ERROR_RULES, 'remember'],
	])('%s', (_, record, rememberedRecords, newRecordsStart, rules, decision) => {
		expect(classifyRecord(record, createState({ rememberedRecords }), newRecordsStart, rules)).toBe(decision);
	});
});

test('records whose IDs are property names of every object are remembered too', () => {
	const state = createState();
	for (const id of ['constructor', '__proto__', 'toString']) {
		expect(classifyRecord(createRecord(id, 1), state, CUTOFF, NEW_RECORD_RULES)).toBe('emit');
		rememberRecord(state, createRecord(id, 1), '', NOW);
	}
	const storedMemory: unknown = JSON.parse(JSON.stringify(serializeMemory({ lists: { phishing: state } })));
	const parsedState = parseMemory(storedMemory)?.lists.phishing ?? createState();
	expect([...parsedState.rememberedRecords.keys()]).toEqual(['constructor', '__proto__', 'toString']);
	expect(classifyRecord(createRecord('constructor', 1), parsedState, CUTOFF, NEW_RECORD_RULES)).toBe('skip');
});

test('after the clock was set back, no time in the state is later than now', () => {
	const futureTime = NOW + 9 * DAY_MS;
	const state = createState({
		cutoff: futureTime,
		newestCreatedAt: futureTime,
		companiesReadAt: futureTime,
		unreadCompanies: new Map([['c', { cutoff: futureTime, unreadSince: futureTime }]]),
	});
	expect(copyListState(state, NOW)).toMatchObject({
		cutoff: NOW,
		newestCreatedAt: NOW,
		companiesReadAt: 0,
		unreadCompanies: new Map([['c', { cutoff: NOW, unreadSince: NOW }]]),
	});
});

describe('the cutoff', () => {
	test.each([
		[
			'one window before the newest record',
			[createRecord('a', 3), createRecord('b', 30)],
			NOW - 27 * HOUR_MS,
			NOW - 3 * HOUR_MS,
		],
		['two days ago if the list is empty', [], NOW - 2 * DAY_MS, 0],
		['one window before now if the newest record is dated in the future', [createRecord('a', -5)], CUTOFF, NOW],
	])('starts %s', (_, records, cutoff, newestCreatedAt) => {
		const state = createListState({});
		advanceCutoff(state, records, NEW_RECORD_RULES, NOW);
		expect(state).toMatchObject({ cutoff, newestCreatedAt });
	});

	test('stays one poll behind, and never falls', () => {
		const state = createState({ newestCreatedAt: NOW - 5 * HOUR_MS, cutoff: NOW - 40 * HOUR_MS });
		advanceCutoff(state, [createRecord('a', 1)], NEW_RECORD_RULES, NOW);
		expect(state).toMatchObject({ cutoff: NOW - 29 * HOUR_MS, newestCreatedAt: NOW - HOUR_MS });
		advanceCutoff(state, [], NEW_RECORD_RULES, NOW);
		expect(state).toMatchObject({ cutoff: NOW - 25 * HOUR_MS, newestCreatedAt: NOW - HOUR_MS });
		advanceCutoff(state, [createRecord('b', 9)], NEW_RECORD_RULES, NOW);
		advanceCutoff(state, [createRecord('b', 9)], NEW_RECORD_RULES, NOW);
		expect(state).toMatchObject({ cutoff: NOW - 25 * HOUR_MS, newestCreatedAt: NOW - 9 * HOUR_MS });
	});
});

test('unread companies keep their own cutoff while they fail, for 15 days; those not reached come first', () => {
	const toEntries = (...ids: string[]) => ids.map((id) => ({ company: { id } }));
	const oldCutoff = CUTOFF - 40 * DAY_MS;
	const state = createState({
		unreadCompanies: new Map([
			['failed', { cutoff: oldCutoff, unreadSince: NOW - 14 * DAY_MS }],
			['failed for long', { cutoff: oldCutoff, unreadSince: NOW - 16 * DAY_MS }],
			['read', { cutoff: CUTOFF, unreadSince: NOW }],
			['not requested', { cutoff: oldCutoff, unreadSince: NOW - 14 * DAY_MS }],
			['expired', { cutoff: CUTOFF, unreadSince: NOW - 16 * DAY_MS }],
		]),
	});
	const reads = { lists: toEntries('read'), unreadCompanies: toEntries('not reached', 'failed', 'failed for long') };
	updateUnreadCompanies(state, reads, CUTOFF, NOW);
	expect([...state.unreadCompanies]).toEqual([
		['not reached', { cutoff: CUTOFF, unreadSince: NOW }],
		['failed', { cutoff: oldCutoff, unreadSince: NOW - 14 * DAY_MS }],
		['failed for long', { cutoff: NOW - 15 * DAY_MS, unreadSince: NOW - 16 * DAY_MS }],
		['not requested', { cutoff: oldCutoff, unreadSince: NOW - 14 * DAY_MS }],
	]);
});

describe('pruneListState', () => {
	const rememberHours = (...hoursAgo: number[]): RememberedRecords =>
		new Map(hoursAgo.map((hours) => [`${hours}`, [toHour(NOW - hours * HOUR_MS), '', '']]));

	test.each<[name: string, unreadCutoffs: Record<string, number>, keptIds: string[]]>([
		['forgets the records below the cutoff', {}, ['0', '23', '24']],
		['keeps the records that an unread company may list again', { c: NOW - 30 * HOUR_MS }, ['0', '23', '24', '26']],
		['forgets no more records if an unread company has a later cutoff', { c: NOW }, ['0', '23', '24']],
	])('%s', (_, unreadCutoffs, keptIds) => {
		const state = createState({
			rememberedRecords: rememberHours(0, 23, 24, 26, 40),
			unreadCompanies: createUnreadCompanies(unreadCutoffs),
		});
		expect([pruneListState(state), [...state.rememberedRecords.keys()].sort()]).toEqual([false, keptIds]);
	});

	test('forgets the oldest of more than 20,000 records, and raises every cutoff above them', () => {
		const rememberedRecords: RememberedRecords = new Map();
		for (let index = 0; index < 20_010; index++)
			rememberedRecords.set(`${index}`, [toHour(NOW) - (index < 10 ? 9 : 1), '', '']);
		const state = createState({
			rememberedRecords,
			unreadCompanies: createUnreadCompanies({ c: CUTOFF - DAY_MS, d: NOW }),
			waitingRecords: new Map([
				['old', { firstSeenAt: NOW, createdAt: CUTOFF }],
				['young', { firstSeenAt: NOW, createdAt: NOW }],
			]),
		});
		expect([pruneListState(state), state.rememberedRecords.size]).toEqual([true, 20_000]);
		const raisedCutoff = (toHour(NOW) - 2) * HOUR_MS + 1;
		expect(state).toMatchObject({
			cutoff: raisedCutoff,
			unreadCompanies: createUnreadCompanies({ c: raisedCutoff, d: NOW }),
			waitingRecords: new Map([['young', { firstSeenAt: NOW, createdAt: NOW }]]),
		});
		// A forgotten record must not be emitted again.
		const forgottenRecord: WatchedRecord = { ...createRecord('0'), createdAt: (toHour(NOW) - 9) * HOUR_MS };
		expect(classifyRecord(forgottenRecord, state, state.cutoff, NEW_RECORD_RULES)).toBe('skip');
	});
});
