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
		newest: START - 9,
		refusals: 2,
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
	open: new Map([[MAIN, openAt(START - HOUR, 3, 100, START - 7)]]),
	waiting: new Map([
		[third, { hour: HOUR_NUMBER - 1, tries: 2, searches: 1 }],
		[second, { hour: 0, tries: 1, searches: 0 }],
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

test('a record takes thirteen letters, and each status is stored once', () => {
	const known = { Running: expect.stringMatching(/^[\w-]{39}$/), '': `${second}0000` };
	expect(packState(new Map([['p', full()]]))).toMatchObject({ version: 3, kinds: { p: { known } } });
});

test('one of an earlier release is read, without what is not used any more', () => {
	const { newest: _newest, refusals: _refusals, ...kind } = full();
	const { known, doubted } = Object(Reflect.get(Object(packState(new Map([['p', full()]])).kinds), 'p'));
	const former = {
		...{ ...kind, known, doubted, lists: [`${MAIN}aaaaa`, 'bbbbb'], twins: [first] },
		open: { [MAIN]: { from: START - HOUR, page: 3, size: 100, begunAt: START - 7, at: START, isUnread: false } },
		waiting: { [third]: { hour: HOUR_NUMBER - 1, tries: 2, searches: 1 }, [second]: { hour: 0, tries: 1 } },
	};
	const state = unpackState(JSON.parse(JSON.stringify({ version: 3, kinds: { p: former } })));
	expect(state).toEqual(new Map([['p', { ...full(), newest: 0, refusals: 0 }]]));
});

/** Something else in place of what was stored of a kind. */
const changed = (more: object): unknown => {
	const kind: unknown = Reflect.get(Object(Reflect.get(Object(stored(new Map([['p', full()]]))), 'kinds')), 'p');
	return { version: 3, kinds: { p: { ...Object(kind), ...more } } };
};

test.each([
	['with a time that is none', { from: null }],
	['with a time as text', { polledAt: '5' }],
	['with identities that are cut', { known: { '': first.slice(1) } }],
	['with something behind the identities', { known: { '': `${first}0000!` } }],
	['with a page that is none', { open: { [MAIN]: openAt(1, -1, 1) } }],
	['with a page whose time is not known', { open: { [MAIN]: { from: 1, page: 1, size: 1 } } }],
	['with half a try', { waiting: { [first]: { hour: 1, tries: 0.5 } } }],
	['without what is known', { known: undefined }],
])('nothing is taken from a state %s', (_what, more) => {
	expect(unpackState(changed({}))?.get('p')).toEqual(full());
	expect(unpackState(changed(more))).toBeUndefined();
});

test.each([[{ version: 2, kinds: {} }], [{ version: 3 }], [null], ['text']])('nothing is taken from %j', (other) => {
	expect(unpackState(other)).toBeUndefined();
});

test('a new kind begins with nothing', () => {
	expect(newKind('settings', 'scope', 5)).toEqual({
		...{ settings: 'settings', scope: 'scope', since: 5, polledAt: 5, readAt: 5, from: 0, newest: 0, byCompany: false },
		...{ known: new Map(), waiting: new Map(), open: new Map(), hasForgotten: false, isUnsorted: false },
		forgottenTo: 0,
		...{
			asksEach: false,
			refusals: 0,
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
