/** What is remembered, as it is stored. */
import {
	fingerprint,
	hourOf,
	listOf,
	MAIN,
	newKind,
	packState,
	shortId,
	unpackState,
	type KindState,
} from '../../nodes/shared/polling/state';
import { HOUR, openAt, START } from './pollingFixture';

beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(START));
afterEach(() => jest.restoreAllMocks());

const HOUR_NUMBER = START / HOUR;
const [first = '', second = '', third = '', fourth = ''] = ['1', '2', '3', '4'].map(shortId);
const far = hourOf(Number.MAX_SAFE_INTEGER);

/** A kind that has everything that can be remembered. */
const full = (): KindState => ({
	...newKind('settings', 'scope', START),
	...{
		polledAt: START + 2,
		readAt: START + 1,
		from: START - HOUR,
		byCompany: true,
		hasForgotten: true,
		asksEach: true,
	},
	...{
		cleanRounds: 3,
		wholeAt: START - 5,
		active: ['a', 'b'],
		doubted: new Map([[fourth, { hour: 5, status: 'Running' }]]),
		round: { at: START, begunAt: START - 1, from: START - 3, left: 2, next: 'company' },
	},
	known: new Map([
		[first, { hour: HOUR_NUMBER, status: 'Running' }],
		[second, { hour: 0, status: '' }],
		[third, { hour: far, status: 'Running' }],
		[fourth, { hour: 0, status: 'Running' }],
	]),
	lists: new Map([
		[listOf('one'), true],
		[MAIN, false],
		[listOf('three'), true],
		[listOf('four'), false],
	]),
	open: new Map([[MAIN, openAt(START - HOUR, 3, 100, START - 7)]]),
	waiting: new Map([
		[third, { hour: HOUR_NUMBER - 1, tries: 2 }],
		[second, { hour: 0, tries: 1 }],
	]),
});
const stored = (state: Map<string, KindState>): unknown => JSON.parse(JSON.stringify(packState(state)));

test('what was stored is what is read again, for each kind, and records in the order in which they are forgotten', () => {
	const state = new Map([
		['p', full()],
		['q', newKind('other', 'scope', 5)],
	]);
	expect(unpackState(stored(state))).toEqual(state);
	expect(unpackState(stored(new Map()))).toEqual(new Map());
	const known = new Map([third, first, second].map((id) => [id, { hour: 0, status: '' }]));
	const again = unpackState(stored(new Map([['p', { ...full(), known }]])))?.get('p');
	expect([...(again?.known.keys() ?? [])]).toEqual([third, first, second]);
});

test('a record takes thirteen letters, a list five, and each status is stored once', () => {
	const known = { Running: expect.stringMatching(/^[\w-]{39}$/), '': `${second}0000` };
	const lists = [listOf('one') + listOf('three'), MAIN + listOf('four')];
	expect(packState(new Map([['p', full()]]))).toMatchObject({ version: 3, kinds: { p: { known, lists } } });
});

/** Something else in place of what was stored of a kind. */
const changed = (more: object): unknown => {
	const kind: unknown = Reflect.get(Object(Reflect.get(Object(stored(new Map([['p', full()]]))), 'kinds')), 'p');
	return { version: 3, kinds: { p: { ...Object(kind), ...more } } };
};

test.each([
	['with a field of another version', { more: 1 }],
	['with a time that is none', { from: null }],
	['with a time as text', { polledAt: '5' }],
	['with identities that are cut', { known: { '': first.slice(1) } }],
	['with something behind the identities', { known: { '': `${first}0000!` } }],
	['with a list that is cut', { lists: ['abcd', ''] }],
	['with half a list more', { lists: ['', 'abcdefg'] }],
	['with a page that is none', { open: { [MAIN]: openAt(1, -1, 1) } }],
	['with a page whose time is not known', { open: { [MAIN]: { from: 1, page: 1, size: 1 } } }],
	['with half a try', { waiting: { [first]: { hour: 1, tries: 0.5 } } }],
	['without what was listed', { lists: undefined }],
])('nothing is taken from a state %s', (_what, more) => {
	expect(unpackState(changed({}))?.get('p')).toEqual(full());
	expect(unpackState(changed(more))).toBeUndefined();
});

test.each([[{ version: 2, kinds: {} }], [{ version: 3, kinds: {}, more: 1 }], [{ version: 3 }], [null], ['text']])(
	'nothing is taken from %j',
	(other) => {
		expect(unpackState(other)).toBeUndefined();
	},
);

test('a new kind begins with nothing', () => {
	expect(newKind('settings', 'scope', 5)).toEqual({
		...{ settings: 'settings', scope: 'scope', since: 5, polledAt: 5, readAt: 5, from: 0, byCompany: false },
		...{ known: new Map(), waiting: new Map(), lists: new Map(), open: new Map(), hasForgotten: false },
		...{
			asksEach: false,
			doubted: new Map(),
			cleanRounds: 0,
			wholeAt: START,
			active: [],
			round: { at: 0, begunAt: 0, from: 0, left: 0, next: '' },
		},
	});
});

test('what stands for something else is short, and the same for the same', () => {
	expect(shortId('one')).toMatch(/^[\w-]{9}$/);
	expect(listOf('one')).toMatch(/^[\w-]{5}$/);
	expect(fingerprint({ a: [1] })).toMatch(/^[\w-]{16}$/);
	expect(fingerprint({ a: [1] })).toBe(fingerprint({ a: [1] }));
	expect(fingerprint({ a: [2] })).not.toBe(fingerprint({ a: [1] }));
	expect(new Set([shortId('one'), shortId('two'), listOf('one'), listOf('two'), MAIN]).size).toBe(5);
});

test('create times are kept in whole hours, the last of which is far away', () => {
	expect([undefined, START, START + HOUR - 1].map(hourOf)).toEqual([0, HOUR_NUMBER, HOUR_NUMBER]);
	expect(far).toBe(36 ** 4 - 1);
});
