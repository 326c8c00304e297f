/** Spans of time, and the part of a search that says what and in which order. */
import { checkOrder } from '../../nodes/shared/form/period';
import type { ItemContext } from '../../nodes/shared/form/field';
import { filters, isSortChosen, searchBody, sort } from '../../nodes/shared/form/search';
import { windowOf } from '../../nodes/shared/form/window';
import { InvalidInput } from '../../nodes/shared/transport/errors';
import { refusalOf } from './refusal';

const BERLIN = 'Europe/Berlin';
const item: ItemContext = { timezone: BERLIN, upload: () => Promise.reject(new Error('There is no file')) };
const NONE = { periodStart: undefined, periodEnd: undefined };

describe('a span of time', () => {
	const NOW = '2026-05-20T10:30:00+02:00';

	test.each([
		['last30Days', '2026-04-20T00:00:00+02:00', NOW],
		['lastMonth', '2026-04-01T00:00:00+02:00', '2026-05-01T00:00:00+02:00'],
		['lastQuarter', '2026-01-01T00:00:00+01:00', '2026-04-01T00:00:00+02:00'],
		['thisMonth', '2026-05-01T00:00:00+02:00', NOW],
		['thisQuarter', '2026-04-01T00:00:00+02:00', NOW],
		['thisYear', '2026-01-01T00:00:00+01:00', NOW],
	] as const)("%s is reckoned from today in the workflow's time zone", (period, from, until) => {
		const span = { from: Date.parse(from), until: Date.parse(until) };
		// What is left over in the fields for dates does not count.
		for (const dates of [NONE, { periodStart: '2020-01-01T00:00:00.000Z', periodEnd: '2019-01-01T00:00:00.000Z' }])
			expect(windowOf({ period, ...dates }, BERLIN, Date.parse(NOW))).toEqual(span);
	});

	test('across the turn of the year', () => {
		expect(windowOf({ period: 'lastQuarter', ...NONE }, 'UTC', Date.parse('2026-01-05T00:00:00Z'))).toEqual({
			...{ from: Date.parse('2025-10-01T00:00:00Z'), until: Date.parse('2026-01-01T00:00:00Z') },
		});
	});

	test('custom: from and to what is entered, or without a beginning, or until now', async () => {
		const now = Date.parse(NOW);
		const periodStart = '2026-01-01T00:00:00.000Z';
		const periodEnd = '2026-02-01T00:00:00.000Z';
		const span = (dates: { periodStart?: string; periodEnd?: string }) =>
			windowOf({ period: 'custom', ...NONE, ...dates }, BERLIN, now);
		expect(span({ periodStart, periodEnd })).toEqual({ from: Date.parse(periodStart), until: Date.parse(periodEnd) });
		expect(span({ periodStart })).toEqual({ from: Date.parse(periodStart), until: now });
		expect(span({ periodEnd })).toEqual({ from: -Infinity, until: Date.parse(periodEnd) });
		expect(span({ periodStart, periodEnd: periodStart })).toMatchObject({ from: Date.parse(periodStart) });
		expect(await refusalOf(() => span({ periodStart: periodEnd, periodEnd: periodStart }))).toMatchObject({
			complaint: 'must not be before the start date',
			path: ['periodEnd'],
		});
	});
});

test('an end must not be before its start', () => {
	const [startDate, endDate] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'];
	expect(() => checkOrder(startDate, startDate, [], 'start date')).not.toThrow();
	expect(() => checkOrder(endDate, startDate, ['a'], 'begin')).toThrow(
		new InvalidInput('must not be before the begin', ['a']),
	);
});

describe('a search (contract 2.2)', () => {
	const usual = { orderBy: 'CreateTime', ascending: false };
	const body = (filter = {}, order = {}) => searchBody({ filters: filter, sort: order }, usual);

	test('has no part that is null', () => {
		expect(body()).toEqual({ ...usual, filter: { Condition: 'AND', SearchInputTextValue: '', FilterGroups: [] } });
		expect(body({ condition: 'OR', searchText: 'x', filterGroups: [{ Condition: 'AND' }] })).toEqual({
			...usual,
			filter: { Condition: 'OR', SearchInputTextValue: 'x', FilterGroups: [{ Condition: 'AND' }] },
		});
	});

	test.each<[object, string, boolean]>([
		[{ by: 'Name' }, 'Name', true],
		[{ by: 'Name', direction: 'descending' }, 'Name', false],
		[{ by: 'Name', fieldName: ' Other ' }, 'Other', true],
		[{ by: 'Name', fieldName: '  ' }, 'Name', true],
		[{ fieldName: 'Other', direction: 'ascending' }, 'Other', true],
		[{ direction: 'ascending' }, 'CreateTime', true],
		[{ direction: 'descending' }, 'CreateTime', false],
		[{}, 'CreateTime', false],
	])('%j: by %s, ascending: %s', (order, orderBy, ascending) => {
		expect(body({}, order)).toMatchObject({ orderBy, ascending });
	});

	test("knows whether the order is a person's", () => {
		expect([{ by: 'a' }, { fieldName: 'a' }].map(isSortChosen)).toEqual([true, true]);
		expect([{}, { fieldName: ' ' }, { by: '' }].map(isSortChosen)).toEqual([false, false, false]);
	});

	test('is sorted by the first of the fields unless another is chosen', () => {
		const [by] = sort({ Name: 'name', Created: 'created' }).former?.property.options ?? [];
		expect(by).toMatchObject({ name: 'by', default: 'name', options: [{ value: 'name' }, { value: 'created' }] });
		expect(sort({}).former?.property.options).toEqual(
			expect.arrayContaining([expect.objectContaining({ name: 'by', default: '' })]),
		);
	});

	test.each<[unknown, unknown]>([
		['', []],
		['[]', []],
		['{ "Condition": "AND" }', [{ Condition: 'AND' }]],
		[[{ a: [{ b: 'c' }] }], [{ a: [{ b: 'c' }] }]],
	])('takes filter groups: %j', async (filterGroups, groups) => {
		expect(await filters.parse({ filterGroups }, item)).toEqual({ filterGroups: groups });
	});

	test.each<[unknown, RegExp]>([
		['[1]', /must be a list of groups/],
		['["x"]', /must be a list of groups/],
		['[[]]', /must be a list of groups/],
		['[null]', /must be a list of groups/],
		[[{ a: null }], /must not have null/],
		[[{ a: [{ b: null }] }], /must not have null/],
	])('refuses filter groups: %j', async (filterGroups, complaint) => {
		await expect(async () => await filters.parse({ filterGroups }, item)).rejects.toThrow(complaint);
	});
});
