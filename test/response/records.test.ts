/** Tests the functions that read the ID, the creation time and the test flags of records, and the functions that parse pages. */
import { getCreateTime, parsePage, parseWholeList, findWrappedList } from '../../nodes/core/pagination/parsePage';
import { RequestError } from '../../nodes/core/http/errors';
import { readId } from '../../nodes/core/values';
import { isTestRecord, createTestFilter } from '../../nodes/domain/testRecords';

describe('an ID', () => {
	test('is the value of the first field with a text or a number', () => {
		expect(readId({ a: 'x', b: 'y' }, ['b', 'a'])).toBe('y');
		expect(readId({ a: '', b: null, c: {}, d: 0, e: 'x' }, ['a', 'b', 'c', 'd', 'e'])).toBe('0');
		expect(readId({ a: true, b: ['x'] }, ['a', 'b', 'missing'])).toBeUndefined();
		expect(readId({ a: 'x' }, [])).toBeUndefined();
	});
});

describe('the time when a record was created', () => {
	const TIME = '2026-01-31T09:00:00Z';
	test('is read from createTime or createdDate, in UTC if it has no time zone', () => {
		expect(getCreateTime({ createTime: TIME })).toBe(Date.parse(TIME));
		expect(getCreateTime({ createdDate: '2026-01-31T10:00:00+01:00' })).toBe(Date.parse(TIME));
		expect(getCreateTime({ createTime: '2026-01-31T09:00:00' })).toBe(Date.parse(TIME));
		expect(getCreateTime({ createdDate: '2020-01-01T00:00:00Z', createTime: TIME })).toBe(Date.parse(TIME));
		for (const record of [{}, { createTime: 'soon' }, { startDate: TIME }])
			expect(getCreateTime(record)).toBeUndefined();
	});
});

describe('a test record (contract 2.7; deployment behaviour, "Trainings, groups, enrollments")', () => {
	test.each(['excludeFromReports', 'markedAsTest', 'isTest'])(
		'is recognized by %s of the record or of its settings',
		(name) => {
			expect(isTestRecord({ [name]: true })).toBe(true);
			expect(isTestRecord({ settings: { [name]: true } })).toBe(true);
			expect(isTestRecord({ [name]: false })).toBe(false);
			expect(isTestRecord({ other: { [name]: true } })).toBe(false);
		},
	);

	test('is kept in a list unless tests are excluded', () => {
		expect(createTestFilter(false)).toEqual({});
		const { shouldKeep, createHint } = createTestFilter(true);
		expect([{ isTest: true }, { isTest: false }, {}].map((record) => shouldKeep?.(record))).toEqual([
			false,
			true,
			true,
		]);
		expect(createHint?.()).toBeUndefined();
	});

	test('could not be excluded if no record of the list has a test flag, and a hint says so', () => {
		const { shouldKeep, createHint } = createTestFilter(true);
		expect(createHint?.()).toBeUndefined();
		expect(shouldKeep?.({ name: 'a', settings: {} })).toBe(true);
		expect(createHint?.()).toMatch(/^The platform's list doesn't show which records are tests/);
		shouldKeep?.({ settings: { isTest: false } });
		expect(createHint?.()).toBeUndefined();
	});
});

describe('a page (contract 2.3)', () => {
	const readPage = (furtherFields: object) => parsePage({ results: [{ a: 1 }], ...furtherFields });

	test('shows how many pages and records there are', () => {
		expect(readPage({ totalNumberOfPages: 3, totalNumberOfRecords: 21 })).toEqual({
			records: [{ a: 1 }],
			pageCount: 3,
			totalCount: 21,
			isNull: false,
		});
		expect(readPage({ totalNumberOfPages: 0, totalNumberOfRecords: 0 })).toMatchObject({ pageCount: 0, totalCount: 0 });
	});

	test('an empty list is complete, and null instead of a list is an error', () => {
		expect(parsePage(null)).toEqual({ records: [], isNull: true });
		expect(parsePage({ results: null })).toMatchObject({ records: [], isNull: true });
		expect(parsePage({ results: [] })).toMatchObject({ records: [], isNull: false });
	});

	test('may be a bare list whose entries are the records', () => {
		expect(parsePage([{ a: 1 }, 'x'])).toEqual({ records: [{ a: 1 }, { value: 'x' }], isPlainList: true });
	});

	test('may be an object that only has results, without counts', () => {
		expect(parsePage({ results: [{ a: 1 }, 'x'] })).toEqual({
			records: [{ a: 1 }, { value: 'x' }],
			isNull: false,
		});
	});

	test('may have counts that are texts; other texts and negative numbers are no counts', () => {
		const counts = { totalNumberOfPages: '3', totalNumberOfRecords: '21', totalSandBoxActivityCount: 4 };
		expect(readPage(counts)).toMatchObject({ pageCount: 3, totalCount: 21, botActivityCount: 4 });
		const wrongCounts = { totalNumberOfPages: 'many', totalNumberOfRecords: -1 };
		expect(readPage(wrongCounts)).toMatchObject({ pageCount: undefined, totalCount: undefined });
	});

	test('may be in the field items, or be a list of users, or have its count in each record', () => {
		expect(parsePage({ items: { results: [{ a: 1 }], totalNumberOfRecords: 1 } })).toMatchObject({ totalCount: 1 });
		expect(parsePage({ users: [{ a: 1 }], totalUserCount: '3' })).toEqual({ records: [{ a: 1 }], totalCount: 3 });
		expect(parsePage([{ totalRowCount: 7 }])).toMatchObject({ totalCount: 7, isPlainList: true });
	});

	test('may be a single record only if the list is known to do that', () => {
		expect(parsePage({ a: 1 }, true)).toEqual({ records: [{ a: 1 }], isPlainList: true });
		expect(() => parsePage({ a: 1 })).toThrow(RequestError);
		for (const invalidPage of [{ results: 'x' }, 'x', 5, undefined])
			expect(() => parsePage(invalidPage, true)).toThrow(RequestError);
	});

	test('may be the only field of an object if the list has no pages', () => {
		expect(findWrappedList({ fields: [{ a: 1 }] })).toEqual([{ a: 1 }]);
		for (const invalidData of [{ a: [{}], b: 1 }, { a: 'x' }, { a: ['x'] }, [], null, 'x', {}])
			expect(findWrappedList(invalidData)).toBeUndefined();
		expect(parseWholeList({ fields: [{ a: 1 }] })).toEqual([{ a: 1 }]);
		expect(parseWholeList([{ a: 1 }])).toEqual([{ a: 1 }]);
		expect(parseWholeList({ results: [{ a: 1 }], totalNumberOfPages: 1 })).toEqual([{ a: 1 }]);
		expect(() => parseWholeList({ a: 1, b: 2 })).toThrow(RequestError);
	});
});
