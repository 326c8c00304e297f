/** What is read from records, whatever a deployment calls their fields: ID, time, whether it is a test; and pages. */
import { createdOf, newestFirst } from '../../nodes/shared/answer/created';
import { identityOf, pageOf, wholeListOf, wrappedIn } from '../../nodes/shared/answer/page';
import { isTest, withoutTests } from '../../nodes/shared/answer/tests';
import { ServiceError } from '../../nodes/shared/transport/errors';

describe('an identity', () => {
	test('is the first of the names that holds a text or a number', () => {
		expect(identityOf({ a: 'x', b: 'y' }, ['b', 'a'])).toBe('y');
		expect(identityOf({ a: '', b: null, c: {}, d: 0, e: 'x' }, ['a', 'b', 'c', 'd', 'e'])).toBe('0');
		expect(identityOf({ a: true, b: ['x'] }, ['a', 'b', 'missing'])).toBeUndefined();
		expect(identityOf({ a: 'x' }, [])).toBeUndefined();
	});
});

describe('when a record was created', () => {
	const TIME = '2026-01-31T09:00:00Z';
	test.each([
		...['createTime', 'createdTime', 'creationTime', 'createDate', 'createdDate', 'createdAt', 'createdOn'],
		'creationDate',
	])('is read from %s', (name) => {
		expect(createdOf({ [name]: TIME })).toBe(Date.parse(TIME));
	});

	test.each([
		['with a distance from UTC', '2026-01-31T10:00:00+01:00'],
		['without a zone', '2026-01-31T09:00:00'],
		['without a zone, to the millisecond', '2026-01-31T09:00:00.000'],
		['in milliseconds', Date.parse(TIME)],
		['in milliseconds, as text', String(Date.parse(TIME))],
	])('%s', (_how, createTime) => {
		expect(createdOf({ createTime })).toBe(Date.parse(TIME));
	});

	test('is not known from what is no time, or the time of something else', () => {
		for (const record of [{}, { createTime: 'soon' }, { createTime: '' }, { startDate: TIME }, { updateTime: TIME }])
			expect(createdOf(record)).toBeUndefined();
		expect(createdOf({ createTime: '2026-01-31' })).toBe(Date.parse('2026-01-31'));
	});

	test('puts the newest first, and what does not say it behind, in its order', () => {
		const records = [{ id: 1 }, { id: 2, createTime: '2026-01-01' }, { id: 3 }, { id: 4, createTime: '2026-02-01' }];
		expect(newestFirst(records).map(({ id }) => id)).toEqual([4, 2, 1, 3]);
		expect(records.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
	});
});

describe('a test (contract 2.7; deployment behaviour)', () => {
	test.each(['excludeFromReports', 'markedAsTest', 'isTest'])(
		'is known by %s, of the record or of its settings',
		(name) => {
			for (const yes of [true, 'true', 'True']) {
				expect(isTest({ [name]: yes })).toBe(true);
				expect(isTest({ settings: { [name]: yes } })).toBe(true);
			}
			for (const no of [false, 'false', null, 1, {}, 'not true', 'trueish']) expect(isTest({ [name]: no })).toBe(false);
			expect(isTest({ other: { [name]: true } })).toBe(false);
		},
	);

	test('is kept in a list unless it is to be left out', () => {
		expect(withoutTests(false)).toEqual({});
		const { keep, note } = withoutTests(true);
		expect([{ isTest: true }, { isTest: false }, {}].map((record) => keep?.(record))).toEqual([false, true, true]);
		expect(note?.()).toBeUndefined();
	});

	test('is nothing that a list left out if no record of it says so: said', () => {
		const { keep, note } = withoutTests(true);
		expect(note?.()).toBeUndefined();
		expect(keep?.({ name: 'a', settings: {} })).toBe(true);
		expect(note?.()).toMatch(/^This platform's list does not show which records are tests/);
		keep?.({ settings: { isTest: false } });
		expect(note?.()).toBeUndefined();
	});
});

describe('a page (contract 2.3)', () => {
	const page = (more: object) => pageOf({ results: [{ a: 1 }], ...more });

	test('says how many pages and records there are', () => {
		expect(page({ totalNumberOfPages: 3, totalNumberOfRecords: 21 })).toEqual({
			records: [{ a: 1 }],
			pages: 3,
			total: 21,
		});
		expect(page({ totalNumberOfPages: '3', totalNumberOfRecords: '21' })).toMatchObject({ pages: 3, total: 21 });
		expect(page({ totalNumberOfPages: 0, totalNumberOfRecords: 0 })).toMatchObject({ pages: 0, total: 0 });
	});

	test.each<[unknown]>([[null], [''], [-1], [1.5], ['many'], [{}], [{ valueOf: 1 }], [undefined]])(
		'%j counts nothing, and does no harm',
		(count) => {
			const { pages, total } = page({ totalNumberOfPages: count, totalNumberOfRecords: count });
			expect([pages, total]).toEqual([undefined, undefined]);
		},
	);

	test('is empty where there is nothing', () => {
		expect(pageOf(null)).toEqual({ records: [] });
		expect(pageOf({ results: null })).toMatchObject({ records: [] });
	});

	test('may be a bare list, whose entries are records', () => {
		expect(pageOf([{ a: 1 }, 'x'])).toEqual({ records: [{ a: 1 }, { value: 'x' }], isBare: true });
	});

	test('may be a record by itself only where that is known of the list', () => {
		expect(pageOf({ a: 1 }, true)).toEqual({ records: [{ a: 1 }], isBare: true });
		expect(() => pageOf({ a: 1 })).toThrow(ServiceError);
		for (const odd of [{ results: 'x' }, 'x', 5, undefined]) expect(() => pageOf(odd, true)).toThrow(ServiceError);
	});

	test('may be the only field of an object, where the service gives a list whole', () => {
		expect(wrappedIn({ fields: [{ a: 1 }] })).toEqual([{ a: 1 }]);
		for (const other of [{ a: [{}], b: 1 }, { a: 'x' }, { a: ['x'] }, [], null, 'x', {}])
			expect(wrappedIn(other)).toBeUndefined();
		expect(wholeListOf({ fields: [{ a: 1 }] })).toEqual([{ a: 1 }]);
		expect(wholeListOf([{ a: 1 }])).toEqual([{ a: 1 }]);
		expect(wholeListOf({ results: [{ a: 1 }], totalNumberOfPages: 1 })).toEqual([{ a: 1 }]);
		expect(() => wholeListOf({ a: 1, b: 2 })).toThrow(ServiceError);
	});
});
