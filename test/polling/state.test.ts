/** What is remembered, as it is stored. */
import {
	fingerprint,
	hourOf,
	listOf,
	newKind,
	packState,
	shortId,
	unpackState,
	type KindState,
} from '../../nodes/shared/polling/state';
import { HOUR, START } from './pollingFixture';

afterEach(() => jest.restoreAllMocks());

const HOUR_NUMBER = START / HOUR;
const ids = Array.from({ length: 5 }, (_, index) => shortId(String(index)));
const [first = '', second = '', third = '', fourth = '', fifth = ''] = ids;

/** A kind that has everything that can be remembered. */
const full = (): KindState => ({
	...newKind('settings', 'scope', START),
	...{ polledAt: START + 2, from: START - HOUR, byCompany: true, hasUnread: true, asksEach: true },
	...{ cleanRounds: 3, wholeAt: START - 5, active: ['a', 'b'], main: { isRead: true, total: 7 } },
	round: { at: START, left: 2, next: 'company' },
	known: new Map([
		[first, { hour: HOUR_NUMBER, status: 'Running' }],
		[second, { hour: 0, status: '' }],
		[third, { hour: HOUR_NUMBER - 1, status: 'Running' }],
		[fourth, { hour: 0, status: 'Running' }],
	]),
	companies: new Map([
		[listOf('one'), true],
		[listOf('two'), false],
		[listOf('three'), true],
		[listOf('four'), false],
	]),
	open: new Map([['main', { from: START - HOUR, page: 3, size: 100 }]]),
	timeless: new Map([
		['main', { isWhole: true, ids: [second, fourth, fifth] }],
		[listOf('one'), { isWhole: false, ids: [] }],
	]),
	waiting: new Map([
		[third, { hour: HOUR_NUMBER - 1, tries: 2 }],
		[fifth, { hour: 0, tries: 1 }],
	]),
});
const stored = (state: KindState): unknown => JSON.parse(JSON.stringify(packState(new Map([['p', state]]))));

test('what was stored is what is read again, for each kind', () => {
	jest.spyOn(Date, 'now').mockReturnValue(START);
	const state = new Map([
		['p', full()],
		['q', newKind('other', 'scope', 5)],
	]);
	expect(unpackState(JSON.parse(JSON.stringify(packState(state))))).toEqual(state);
	expect(unpackState(JSON.parse(JSON.stringify(packState(new Map()))))).toEqual(new Map());
});

test('a record takes thirteen letters, nine without a create time, and each status is stored once', () => {
	expect(packState(new Map([['p', full()]]))).toMatchObject({
		version: 2,
		kinds: {
			p: {
				known: { Running: expect.stringMatching(/^[\w-]{39}$/) },
				timeless: { main: [true, second + fourth + fifth] },
			},
		},
	});
});

/** Something else in place of what was stored of a kind. */
const changed = (more: object): unknown => {
	const kind: unknown = Reflect.get(Object(Reflect.get(Object(stored(full())), 'kinds')), 'p');
	return { version: 2, kinds: { p: { ...Object(kind), ...more } } };
};

test.each([
	['with a field of another version', { more: 1 }],
	['with a time that is none', { from: null }],
	['with a time as text', { polledAt: '5' }],
	['with identities that are cut', { known: { '': first.slice(1) } }],
	['with something behind the identities', { known: { '': `${first}0000!` } }],
	['with a company that is cut', { companies: ['abcd', ''] }],
	['with half a company more', { companies: ['', 'abcdefg'] }],
	['with identities without times that are cut', { timeless: { main: [true, first.slice(2)] } }],
	['with a page that is none', { open: { main: { from: 1, page: -1, size: 1 } } }],
	['with half a try', { waiting: { [first]: { hour: 1, tries: 0.5 } } }],
	['with a negative count', { main: { isRead: true, total: -1 } }],
	['without what was listed', { main: undefined }],
])('nothing is taken from a state %s', (_what, more) => {
	expect(unpackState(changed({}))?.get('p')).toEqual(full());
	expect(unpackState(changed(more))).toBeUndefined();
});

test.each([[{ version: 3, kinds: {} }], [{ version: 2, kinds: {}, more: 1 }], [{ version: 2 }], [null], ['text']])(
	'nothing is taken from %j',
	(other) => {
		expect(unpackState(other)).toBeUndefined();
	},
);

test('a new kind begins with nothing', () => {
	jest.spyOn(Date, 'now').mockReturnValue(START);
	expect(newKind('settings', 'scope', 5)).toEqual({
		...{ settings: 'settings', scope: 'scope', since: 5, polledAt: 5, from: 0, byCompany: false },
		...{ known: new Map(), waiting: new Map(), companies: new Map(), open: new Map(), timeless: new Map() },
		...{ hasUnread: false, asksEach: false, cleanRounds: 0, wholeAt: START, active: [] },
		...{ main: { isRead: false, total: null }, round: { at: 0, left: 0, next: '' } },
	});
});

test('what stands for something else is short, and the same for the same', () => {
	expect(shortId('one')).toMatch(/^[\w-]{9}$/);
	expect(listOf('one')).toMatch(/^[\w-]{5}$/);
	expect(fingerprint({ a: [1] })).toMatch(/^[\w-]{16}$/);
	expect(fingerprint({ a: [1] })).toBe(fingerprint({ a: [1] }));
	expect(fingerprint({ a: [2] })).not.toBe(fingerprint({ a: [1] }));
	expect(new Set([shortId('one'), shortId('two'), listOf('one'), listOf('two')]).size).toBe(4);
});

test('create times are kept in whole hours, the last of which is far away', () => {
	expect(hourOf(undefined)).toBe(0);
	expect(hourOf(START)).toBe(HOUR_NUMBER);
	expect(hourOf(START + HOUR - 1)).toBe(HOUR_NUMBER);
	expect(hourOf(Number.MAX_SAFE_INTEGER)).toBe(36 ** 4 - 1);
	const far = new Map([[first, { hour: hourOf(Number.MAX_SAFE_INTEGER), status: '' }]]);
	const kind = { ...full(), known: far, timeless: new Map() };
	expect(unpackState(stored(kind))?.get('p')?.known).toEqual(far);
});
