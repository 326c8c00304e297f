/** What is sent for conditions, groups, sort and periods, and what is refused before anything is sent. */
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { getFieldLabels } from '../../nodes/core/fields/field';
import { isInTimeRange, timeRangeFields, readTimeRange } from '../../nodes/core/fields/period';
import { describeError } from '../../nodes/core/http/errors';
import { parseBody, catchNodeError, toItems, createNodeFixture, requireValue } from '../n8n-core/nodeFixture';
import { refusalOf } from './refusal';

const TIMEZONE = 'America/New_York';
const SEARCH = 'POST /api/companies/search';

const b = createNodeFixture({ companyCount: 3 });
const settings = { timezone: TIMEZONE };
const search = async (parameters: IDataObject, json: IDataObject = {}) =>
	b.run(SecurityAwarenessCompany, { operation: 'getMany', ...parameters }, { items: toItems(json), settings });

/** What was sent for filters. */
async function sentFor(filters: IDataObject, json: IDataObject = {}) {
	await search({ filters }, json);
	return requireValue(b.standIn.getRequests(SEARCH)[0]?.body) as IDataObject;
}

/** A condition on a field that is entered by its name. */
const row = (operator: string, value: unknown, fieldName = 'LicenseEndDate') =>
	({ field: 'other', fieldName, operator, value }) as IDataObject;
/** A condition on one of the list's own fields. */
const own = (field: string, operator: string, value: unknown) => ({ field, operator, value }) as IDataObject;
const conditions = (...rows: IDataObject[]): IDataObject => ({ fieldFilters: { rows } });

describe('a condition', () => {
	const [AND, OR] = ['AND', 'OR'].map((Condition) => ({ Condition, FilterItems: [], FilterGroups: [] }));
	const NAMES: Record<string, string> = {
		contains: 'Contains',
		eq: '=',
		neq: '!=',
		gt: '>',
		gte: '>=',
		lt: '<',
		lte: '<=',
		in: 'Include',
	};

	test.each<[operator: string, value: unknown, sent: string]>([
		['contains', 'Bakery', 'Bakery'],
		['in', ' Bakery, Mill\nInn ', 'Bakery,Mill,Inn'],
		['gte', '42', '42'],
		['lte', '2026-01-31', '2026-02-01T04:59:59.999Z'],
		['contains', '31.12.2024', '31.12.2024'],
		['eq', 'yes', 'yes'],
		['eq', '2026-01-31', '2026-01-31'],
		['neq', '={{ true }}', 'true'],
		['eq', '={{ 42 }}', '42'],
		['gt', '42', '42'],
		['lt', '={{ -1.5 }}', '-1.5'],
		// Midnight in New York, in summer and in winter.
		['gt', '2026-01-31', '2026-02-01T04:59:59.999Z'],
		['lt', '2026-07-31', '2026-07-31T04:00:00.000Z'],
		['lt', '2026-01-31T09:00:00+01:00', '2026-01-31T08:00:00.000Z'],
		['gt', '={{ DateTime.fromISO("2026-01-31T09:00:00Z") }}', '2026-01-31T09:00:00.000Z'],
		['gt', '={{ new Date(0) }}', '1970-01-01T00:00:00.000Z'],
		['gt', '={{ $json.end }}', '2030-01-02T04:59:59.999Z'],
	])('%s %s is sent as text %s', async (operator, value, sent) => {
		const { filter } = await sentFor(conditions(row(operator, value)), { end: '2030-01-01' });
		expect(filter).toEqual({
			Condition: 'AND',
			SearchInputTextValue: '',
			FilterGroups: [
				{ ...AND, FilterItems: [{ FieldName: 'LicenseEndDate', Operator: NAMES[operator], Value: sent }] },
				OR,
			],
		});
	});

	test.each<[IDataObject, sent: IDataObject]>([
		[own('CompanyName', 'contains', 'Bakery'), { Operator: 'Contains', Value: 'Bakery' }],
		[own('LicenceExpired', 'eq', '={{ true }}'), { Operator: '=', Value: 'true' }],
		[own('LicenseEndDate', 'lte', '2026-01-31'), { Operator: '<=', Value: '2026-02-01T04:59:59.999Z' }],
		[own('LicenseTypeResourceId', 'in', 'a, b'), { Operator: 'Include', Value: 'a,b' }],
		[own('TargetUserCount', 'neq', '={{ 5 }}'), { Operator: '!=', Value: '5' }],
	])("of the list's own fields, %j", async (each, sent) => {
		const { filter } = await sentFor(conditions(each));
		expect(filter).toMatchObject({ FilterGroups: [{ FilterItems: [{ FieldName: each.field, ...sent }] }, OR] });
	});

	const NO_DATE =
		"'Value' in 'Conditions' in 'Filters' must be a number or a date such as 2026-01-31 or 2026-01-31T09:00:00Z, but is";
	test.each<[IDataObject, string]>([
		[row('lt', '31.12.2024'), `${NO_DATE} '31.12.2024'`],
		[row('lt', 'next week'), `${NO_DATE} 'next week'`],
		[row('gt', '2026-02-30'), `${NO_DATE} '2026-02-30'`],
		[row('gt', 'Infinity'), `${NO_DATE} 'Infinity'`],
		[row('lt', '={{ DateTime.invalid("x") }}'), `${NO_DATE} 'Invalid DateTime'`],
		[row('eq', '={{ new Date(NaN) }}'), "'Value' in 'Conditions' in 'Filters' must be a date such as"],
		[row('gt', ' '), "'Value' in 'Conditions' in 'Filters' must not be empty"],
		[row('eq', ''), "'Value' in 'Conditions' in 'Filters' must not be empty"],
		[row('eq', '={{ null }}'), "'Value' in 'Conditions' in 'Filters' must have a value, but has none"],
		[row('eq', '={{ [1] }}'), "'Value' in 'Conditions' in 'Filters' must be text"],
		[row('eq', 'x', ' '), "'Field Name' in 'Conditions' in 'Filters' must not be empty"],
		[own('Tier', 'eq', 'x'), "'Field' in 'Conditions' in 'Filters' must be one of 'CompanyName', "],
		[own('LicenseEndDate', 'lt', '42'), "'Value' in 'Conditions' in 'Filters' must be a date such as 2026-01-31"],
		[own('LicenceExpired', 'eq', 'soon'), "'Value' in 'Conditions' in 'Filters' must be true or false, but is 'soon'"],
		[own('TargetUserCount', 'gt', 'many'), "'Value' in 'Conditions' in 'Filters' must be a number, but is 'many'"],
		[own('CompanyName', 'in', ' , '), "'Value' in 'Conditions' in 'Filters' must not be empty"],
		[
			own('TargetUserCount', 'contains', '4'),
			"'Operator' in 'Conditions' in 'Filters' must be one of 'eq', 'neq', 'gt', 'gte', 'lt', 'lte' for 'Target Users', but is 'contains'",
		],
		[row('like', 'x'), "'Operator' in 'Conditions' in 'Filters' must be one of"],
	])('%j is refused before any request leaves', async (each, message) => {
		expect((await catchNodeError(search({ filters: conditions(row('eq', 'x'), each) }))).message).toContain(message);
		expect(b.standIn.log).toEqual([]);
	});
});

/** A filter group inside of a filter group, so many times. */
const nestedTo = (depth: number) =>
	`${'[{"Condition":"AND","FilterItems":[],"FilterGroups":'.repeat(depth)}[]${'}]'.repeat(depth)}`;

describe('together', () => {
	const groups = [
		{ Condition: 'OR', FilterItems: [{ FieldName: 'companyName', Operator: 'neq', Value: '' }], FilterGroups: [] },
	];

	test('Or combines the conditions with each other and with the groups; the text is searched for besides', async () => {
		const { filter } = await sentFor({
			...conditions(row('contains', 'b', ' companyName '), row('gt', '3')),
			condition: 'OR',
			filterGroups: JSON.stringify(groups),
			searchText: 'Bakery',
		});
		const FilterItems = [
			{ FieldName: 'companyName', Operator: 'Contains', Value: 'b' },
			{ FieldName: 'LicenseEndDate', Operator: '>', Value: '3' },
		];
		expect(filter).toEqual({
			Condition: 'OR',
			SearchInputTextValue: 'Bakery',
			FilterGroups: [{ Condition: 'OR', FilterItems, FilterGroups: [] }, ...groups],
		});
	});

	test('groups may be nested', async () => {
		const { filter } = await sentFor({ filterGroups: nestedTo(20) });
		expect(JSON.stringify(filter)).toContain(nestedTo(20));
	});

	test('other JSON that a person types is not nested deeper either', async () => {
		const additionalFieldsJson = `{"a":${'['.repeat(6000)}${']'.repeat(6000)}}`;
		const error = await catchNodeError(search({ options: { additionalFieldsJson } }));
		expect(error.message).toContain("'Additional Fields (JSON)' in 'Options' must have at most 100 lists and objects");
		expect(b.standIn.log).toEqual([]);
	});

	test('one group may stand alone, and an expression may give it', async () => {
		const { filter } = await sentFor({ filterGroups: '={{ $json.group }}' }, { group: groups[0] as IDataObject });
		expect(filter).toMatchObject({ Condition: 'AND', FilterGroups: groups });
	});

	test.each([
		['[{ "Condition": "AND" ', 'must be JSON, but is not'],
		['["Name"]', 'must be a list of groups, each an object'],
		['"Name"', 'must be a list of groups, each an object'],
		['[{ "FilterItems": [{ "Value": null }] }]', 'must not have null in it, because the service refuses it'],
		// So deep that reading it would end in a stack overflow.
		[nestedTo(6000), 'must have at most 100 lists and objects inside of each other'],
		[nestedTo(60), 'must have at most 100 lists and objects inside of each other'],
	])('groups %.40s are refused before any request leaves', async (filterGroups, message) => {
		const error = await catchNodeError(search({ filters: { filterGroups } }));
		expect(error.message).toContain(`'Filter Groups (JSON)' in 'Filters' ${message}`);
		expect(b.standIn.log).toEqual([]);
	});
});

describe('sort', () => {
	test.each<[what: string, fields: IDataObject | undefined, sent: [string, boolean]]>([
		['none: the newest first', undefined, ['CreateTime', false]],
		['a field of the list', { by: 'Name' }, ['Name', true]],
		['descending', { by: 'Name', direction: 'descending' }, ['Name', false]],
		['a field by its name', { by: 'other', fieldName: ' Tier ', direction: 'descending' }, ['Tier', false]],
	])('%s', async (_what, fields, [orderBy, ascending]) => {
		await search(fields ? { sort: { fields } } : {}).catch(() => undefined);
		expect(parseBody(b.standIn.getRequests(SEARCH)[0])).toMatchObject({ orderBy, ascending });
	});

	test('another field without its name is refused before any request leaves', async () => {
		const error = await catchNodeError(search({ sort: { fields: { by: 'other', fieldName: ' ' } } }));
		expect(error.message).toBe("'Field Name' in 'Sort' must not be empty");
		expect(b.standIn.log).toEqual([]);
	});
});

/** An evening in New York, where it is still March; in UTC and Berlin April and a new quarter have begun. */
const NOW = Date.parse('2026-04-01T02:30:00Z');

describe('a period', () => {
	test.each<[Parameters<typeof readTimeRange>[0]['period'], zone: string, from: string, until: string]>([
		['lastMonth', TIMEZONE, '2026-02-01T00:00', '2026-03-01T00:00'],
		['lastMonth', 'Europe/Berlin', '2026-03-01T00:00', '2026-04-01T00:00'],
		['last30Days', TIMEZONE, '2026-03-01T00:00', '2026-03-31T22:30'],
		['last30Days', 'Europe/Berlin', '2026-03-02T00:00', '2026-04-01T04:30'],
		['thisQuarter', TIMEZONE, '2026-01-01T00:00', '2026-03-31T22:30'],
		['thisQuarter', 'Europe/Berlin', '2026-04-01T00:00', '2026-04-01T04:30'],
		['lastQuarter', TIMEZONE, '2025-10-01T00:00', '2026-01-01T00:00'],
		['lastWeek', TIMEZONE, '2026-03-23T00:00', '2026-03-30T00:00'],
		['yesterday', 'Europe/Berlin', '2026-03-31T00:00', '2026-04-01T00:00'],
		['last12Months', TIMEZONE, '2025-03-31T00:00', '2026-03-31T22:30'],
	])('%s in %s: from %s until %s there', (period, zone, from, until) => {
		const inZone = (ms: number) => DateTime.fromMillis(ms, { zone }).toFormat("yyyy-MM-dd'T'HH:mm");
		const window = readTimeRange({ period, periodStart: undefined, periodEnd: undefined }, zone, NOW);
		expect([inZone(window.from), inZone(window.until)]).toEqual([from, until]);
	});

	test('of dates that a person enters: open at either end, and never backwards', async () => {
		const custom = (periodStart?: string, periodEnd?: string) =>
			readTimeRange({ period: 'custom', periodStart, periodEnd }, TIMEZONE, NOW);
		const [one, other] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'] as const;
		expect(custom()).toEqual({ from: -Infinity, until: NOW });
		expect(custom(one, other)).toEqual({ from: Date.parse(one), until: Date.parse(other) });
		const told = describeError(await refusalOf(() => custom(other, one)), {
			purpose: 'test',
			getLabels: (path: string[]) => getFieldLabels(timeRangeFields, path),
		});
		expect(told.message).toBe("'End Date' must not be before the start date");
	});

	const report = async (options: IDataObject) => {
		const parameters = { operation: 'export', companyScope: 'own', options };
		await b.run(SecurityAwarenessLeaderboard, parameters, { settings });
		return parseBody(b.requests[0]);
	};

	test.each<[options: IDataObject, sent: IDataObject]>([
		// It ends before the next one begins.
		[{ datePeriod: 'lastMonth' }, { startDate: '2026-02-01T05:00:00.000Z', endDate: '2026-03-01T04:59:59.999Z' }],
		[{ datePeriod: 'This Quarter' }, { startDate: '2026-01-01T05:00:00.000Z', endDate: '2026-04-01T02:30:00.000Z' }],
		[{ datePeriod: 'Last45' }, { datePeriod: 'Last45', startDate: null, endDate: null }],
		[{ startDate: '2026-01-01' }, { startDate: '2026-01-01T05:00:00.000Z', endDate: null }],
	])("the platform's report: %j in the workflow's time zone", async (options, sent) => {
		jest.spyOn(Date, 'now').mockReturnValue(NOW);
		const { datePeriod, startDate, endDate } = await report(options);
		expect({ ...(datePeriod === undefined ? {} : { datePeriod }), startDate, endDate }).toEqual(sent);
	});

	test.each<[options: IDataObject, message: string]>([
		[{ datePeriod: 'lastMonth', endDate: '2026-01-01' }, "'Date Period' in 'Options' has dates of its own"],
		[{ startDate: '2026-02-01', endDate: '2026-01-01' }, "'End Date' in 'Options' must not be before the start date"],
		[{ startDate: '01/02/2026' }, "'Start Date' in 'Options' must be a date such as"],
	])("the platform's report: %j is refused before any request leaves", async (options, message) => {
		expect((await catchNodeError(report(options))).message).toContain(message);
		expect(b.standIn.log).toEqual([]);
	});
});

test.each([
	[0, true],
	[9, true],
	[10, false],
	[-1, false],
])('a period from 0 to 10 ms has %i: %s', (at, isIn) => {
	expect(isInTimeRange(new Date(at).toISOString(), { from: 0, until: 10 })).toBe(isIn);
});
