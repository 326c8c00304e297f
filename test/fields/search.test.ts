/** Tests of conditions, filter groups, sorting and periods: which values are sent, and which values are rejected before any request. */
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { SecurityAwarenessCompany } from '../../nodes/Company/SecurityAwarenessCompany.node';
import { SecurityAwarenessLeaderboard } from '../../nodes/Leaderboard/SecurityAwarenessLeaderboard.node';
import { SecurityAwarenessPhishingCampaign } from '../../nodes/PhishingCampaign/SecurityAwarenessPhishingCampaign.node';
import { getFieldLabels } from '../../nodes/core/fields/field';
import { isInTimeRange, timeRangeFields, readTimeRange } from '../../nodes/core/fields/period';
import { omitUndefined } from '../../nodes/core/values';
import { describeError } from '../../nodes/core/http/errors';
import { parseBody, catchNodeError, toItems, createNodeFixture, requireValue } from '../n8n-core/nodeFixture';
import { catchInvalidInput } from './catchInvalidInput';

const TIME_ZONE = 'America/New_York';
const SEARCH_ROUTE = 'POST /api/companies/search';

const fixture = createNodeFixture({ companyCount: 3 });
const workflowSettings = { timezone: TIME_ZONE };
const runSearch = async (parameters: IDataObject, json: IDataObject = {}) =>
	fixture.run(
		SecurityAwarenessCompany,
		{ operation: 'getMany', ...parameters },
		{ items: toItems(json), settings: workflowSettings },
	);

/** Runs a search with filters. @returns the request body that was sent */
async function runAndReadSentSearch(filters: IDataObject, json: IDataObject = {}) {
	await runSearch({ filters }, json);
	return requireValue(fixture.standIn.getRequests(SEARCH_ROUTE)[0]?.body) as IDataObject;
}

/** Creates the form values of a condition whose record field the user enters by name. */
const createConditionWithEnteredField = (operator: string, value: unknown, fieldName = 'LicenseEndDate') =>
	({ field: 'other', fieldName, operator, value }) as IDataObject;
/** Creates the form values of a condition whose record field the user selects from the list. */
const createConditionWithSelectedField = (field: string, operator: string, value: unknown) =>
	({ field, operator, value }) as IDataObject;
const buildConditions = (...rows: IDataObject[]): IDataObject => ({ fieldFilters: { rows } });

describe('a condition', () => {
	const EMPTY_AND_GROUP = { Condition: 'AND', FilterItems: [], FilterGroups: [] };
	const EMPTY_OR_GROUP = { Condition: 'OR', FilterItems: [], FilterGroups: [] };
	const PLATFORM_OPERATORS: Record<string, string> = {
		contains: 'Contains',
		eq: '=',
		neq: '!=',
		gt: '>',
		gte: '>=',
		lt: '<',
		lte: '<=',
		in: 'Include',
	};

	test.each<[operator: string, value: unknown, sentValue: string]>([
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
		// The start and the end of a day in New York, in winter and in summer.
		['gt', '2026-01-31', '2026-02-01T04:59:59.999Z'],
		['lt', '2026-07-31', '2026-07-31T04:00:00.000Z'],
		['lt', '2026-01-31T09:00:00+01:00', '2026-01-31T08:00:00.000Z'],
		['gt', '={{ DateTime.fromISO("2026-01-31T09:00:00Z") }}', '2026-01-31T09:00:00.000Z'],
		['gt', '={{ new Date(0) }}', '1970-01-01T00:00:00.000Z'],
		['gt', '={{ $json.end }}', '2030-01-02T04:59:59.999Z'],
	])('%s %s is sent as text %s', async (operator, value, sentValue) => {
		const { filter } = await runAndReadSentSearch(buildConditions(createConditionWithEnteredField(operator, value)), {
			end: '2030-01-01',
		});
		expect(filter).toEqual({
			Condition: 'AND',
			SearchInputTextValue: '',
			FilterGroups: [
				{
					...EMPTY_AND_GROUP,
					FilterItems: [{ FieldName: 'LicenseEndDate', Operator: PLATFORM_OPERATORS[operator], Value: sentValue }],
				},
				EMPTY_OR_GROUP,
			],
		});
	});

	test.each<[condition: IDataObject, sentItem: IDataObject]>([
		[createConditionWithSelectedField('CompanyName', 'contains', 'Bakery'), { Operator: 'Contains', Value: 'Bakery' }],
		[createConditionWithSelectedField('LicenceExpired', 'eq', '={{ true }}'), { Operator: '=', Value: 'true' }],
		[
			createConditionWithSelectedField('LicenseEndDate', 'lte', '2026-01-31'),
			{ Operator: '<=', Value: '2026-02-01T04:59:59.999Z' },
		],
		[createConditionWithSelectedField('LicenseTypeResourceId', 'in', 'a, b'), { Operator: 'Include', Value: 'a,b' }],
		[createConditionWithSelectedField('TargetUserCount', 'neq', '={{ 5 }}'), { Operator: '!=', Value: '5' }],
	])('%j, with a field that is selected from the list', async (condition, sentItem) => {
		const { filter } = await runAndReadSentSearch(buildConditions(condition));
		expect(filter).toMatchObject({
			FilterGroups: [{ FilterItems: [{ FieldName: condition.field, ...sentItem }] }, EMPTY_OR_GROUP],
		});
	});

	const NOT_A_NUMBER_OR_DATE =
		"'Value' in 'Conditions' in 'Filters' must be a number or a date such as 2026-01-31 or 2026-01-31T09:00:00Z, but is";
	test.each<[condition: IDataObject, message: string]>([
		[createConditionWithEnteredField('lt', '31.12.2024'), `${NOT_A_NUMBER_OR_DATE} '31.12.2024'`],
		[createConditionWithEnteredField('lt', 'next week'), `${NOT_A_NUMBER_OR_DATE} 'next week'`],
		[createConditionWithEnteredField('gt', '2026-02-30'), `${NOT_A_NUMBER_OR_DATE} '2026-02-30'`],
		[createConditionWithEnteredField('gt', 'Infinity'), `${NOT_A_NUMBER_OR_DATE} 'Infinity'`],
		[
			createConditionWithEnteredField('lt', '={{ DateTime.invalid("x") }}'),
			`${NOT_A_NUMBER_OR_DATE} 'Invalid DateTime'`,
		],
		[
			createConditionWithEnteredField('eq', '={{ new Date(NaN) }}'),
			"'Value' in 'Conditions' in 'Filters' must be a date such as",
		],
		[createConditionWithEnteredField('gt', ' '), "'Value' in 'Conditions' in 'Filters' must not be empty"],
		[createConditionWithEnteredField('eq', ''), "'Value' in 'Conditions' in 'Filters' must not be empty"],
		[
			createConditionWithEnteredField('eq', '={{ null }}'),
			"'Value' in 'Conditions' in 'Filters' must have a value, but has none",
		],
		[createConditionWithEnteredField('eq', '={{ [1] }}'), "'Value' in 'Conditions' in 'Filters' must be text"],
		[createConditionWithEnteredField('eq', 'x', ' '), "'Field Name' in 'Conditions' in 'Filters' must not be empty"],
		[
			createConditionWithSelectedField('Tier', 'eq', 'x'),
			"'Field' in 'Conditions' in 'Filters' must be one of 'CompanyName', ",
		],
		[
			createConditionWithSelectedField('LicenseEndDate', 'lt', '42'),
			"'Value' in 'Conditions' in 'Filters' must be a date such as 2026-01-31",
		],
		[
			createConditionWithSelectedField('LicenceExpired', 'eq', 'soon'),
			"'Value' in 'Conditions' in 'Filters' must be true or false, but is 'soon'",
		],
		[
			createConditionWithSelectedField('TargetUserCount', 'gt', 'many'),
			"'Value' in 'Conditions' in 'Filters' must be a number, but is 'many'",
		],
		[
			createConditionWithSelectedField('CompanyName', 'in', ' , '),
			"'Value' in 'Conditions' in 'Filters' must not be empty",
		],
		[
			createConditionWithSelectedField('TargetUserCount', 'contains', '4'),
			"'Operator' in 'Conditions' in 'Filters' must be one of 'eq', 'neq', 'gt', 'gte', 'lt', 'lte' for 'Target Users', but is 'contains'",
		],
		[createConditionWithEnteredField('like', 'x'), "'Operator' in 'Conditions' in 'Filters' must be one of"],
	])('%j is rejected before any request', async (condition, message) => {
		expect(
			(
				await catchNodeError(
					runSearch({ filters: buildConditions(createConditionWithEnteredField('eq', 'x'), condition) }),
				)
			).message,
		).toContain(message);
		expect(fixture.standIn.log).toEqual([]);
	});
});

/** Creates JSON of filter groups that are nested to a certain depth. */
const buildNestedGroups = (depth: number) =>
	`${'[{"Condition":"AND","FilterItems":[],"FilterGroups":'.repeat(depth)}[]${'}]'.repeat(depth)}`;

describe('a filter', () => {
	const filterGroups = [
		{ Condition: 'OR', FilterItems: [{ FieldName: 'companyName', Operator: 'neq', Value: '' }], FilterGroups: [] },
	];

	test('Or combines the conditions with each other and with the groups; the search text must match in any case', async () => {
		const { filter } = await runAndReadSentSearch({
			...buildConditions(
				createConditionWithEnteredField('contains', 'b', ' companyName '),
				createConditionWithEnteredField('gt', '3'),
			),
			condition: 'OR',
			filterGroups: JSON.stringify(filterGroups),
			searchText: 'Bakery',
		});
		const FilterItems = [
			{ FieldName: 'companyName', Operator: 'Contains', Value: 'b' },
			{ FieldName: 'LicenseEndDate', Operator: '>', Value: '3' },
		];
		expect(filter).toEqual({
			Condition: 'OR',
			SearchInputTextValue: 'Bakery',
			FilterGroups: [{ Condition: 'OR', FilterItems, FilterGroups: [] }, ...filterGroups],
		});
	});

	test('groups may be nested', async () => {
		const { filter } = await runAndReadSentSearch({ filterGroups: buildNestedGroups(20) });
		expect(JSON.stringify(filter)).toContain(buildNestedGroups(20));
	});

	test('other JSON fields have the same limit of nesting', async () => {
		const additionalFieldsJson = `{"a":${'['.repeat(6000)}${']'.repeat(6000)}}`;
		const error = await catchNodeError(runSearch({ options: { additionalFieldsJson } }));
		expect(error.message).toContain(
			"'Additional Fields (JSON)' in 'Options' must not have lists and objects that are nested",
		);
		expect(fixture.standIn.log).toEqual([]);
	});

	test('a single group needs no list, and an expression may return it', async () => {
		const { filter } = await runAndReadSentSearch(
			{ filterGroups: '={{ $json.group }}' },
			{ group: filterGroups[0] as IDataObject },
		);
		expect(filter).toMatchObject({ Condition: 'AND', FilterGroups: filterGroups });
	});

	test.each([
		['[{ "Condition": "AND" ', "must be JSON, but isn't valid"],
		['["Name"]', 'must be a list of objects'],
		['"Name"', 'must be a list of objects'],
		['[{ "FilterItems": [{ "Value": null }] }]', 'must not contain null, because the platform rejects it'],
		// These groups are nested so deeply that a recursive function would cause a stack overflow.
		[buildNestedGroups(6000), 'must not have lists and objects that are nested more than 100 levels deep'],
		[buildNestedGroups(60), 'must not have lists and objects that are nested more than 100 levels deep'],
	])('groups %.40s are rejected before any request', async (filterGroups, message) => {
		const error = await catchNodeError(runSearch({ filters: { filterGroups } }));
		expect(error.message).toContain(`'Filter Groups (JSON)' in 'Filters' ${message}`);
		expect(fixture.standIn.log).toEqual([]);
	});
});

describe('sort', () => {
	test.each<[order: string, fields: IDataObject | undefined, sentOrder: [string, boolean]]>([
		['by the newest record by default', undefined, ['CreateTime', false]],
		['by a field of the list', { by: 'Name' }, ['Name', true]],
		['in descending order', { by: 'Name', direction: 'descending' }, ['Name', false]],
		[
			'by a field that is entered by name',
			{ by: 'other', fieldName: ' Tier ', direction: 'descending' },
			['Tier', false],
		],
	])('%s', async (_order, fields, [orderBy, ascending]) => {
		await runSearch(fields ? { sort: { fields } } : {}).catch(() => undefined);
		expect(parseBody(fixture.standIn.getRequests(SEARCH_ROUTE)[0])).toMatchObject({ orderBy, ascending });
	});

	test('another field without its name is rejected before any request', async () => {
		const error = await catchNodeError(runSearch({ sort: { fields: { by: 'other', fieldName: ' ' } } }));
		expect(error.message).toBe("'Field Name' in 'Sort' must not be empty");
		expect(fixture.standIn.log).toEqual([]);
	});
});

/** A time at which it is still March in New York, but already April in UTC and in Berlin, where a new quarter has therefore begun. */
const NOW = Date.parse('2026-04-01T02:30:00Z');

describe('a period', () => {
	test.each<[Parameters<typeof readTimeRange>[0]['period'], zone: string, from: string, until: string]>([
		['lastMonth', TIME_ZONE, '2026-02-01T00:00', '2026-03-01T00:00'],
		['lastMonth', 'Europe/Berlin', '2026-03-01T00:00', '2026-04-01T00:00'],
		['last30Days', TIME_ZONE, '2026-03-01T00:00', '2026-03-31T22:30'],
		['last30Days', 'Europe/Berlin', '2026-03-02T00:00', '2026-04-01T04:30'],
		['thisQuarter', TIME_ZONE, '2026-01-01T00:00', '2026-03-31T22:30'],
		['thisQuarter', 'Europe/Berlin', '2026-04-01T00:00', '2026-04-01T04:30'],
		['lastQuarter', TIME_ZONE, '2025-10-01T00:00', '2026-01-01T00:00'],
		['lastWeek', TIME_ZONE, '2026-03-23T00:00', '2026-03-30T00:00'],
		['yesterday', 'Europe/Berlin', '2026-03-31T00:00', '2026-04-01T00:00'],
		['last12Months', TIME_ZONE, '2025-03-31T00:00', '2026-03-31T22:30'],
	])('%s in %s is from %s until %s in that time zone', (period, zone, from, until) => {
		const formatInZone = (ms: number) => DateTime.fromMillis(ms, { zone }).toFormat("yyyy-MM-dd'T'HH:mm");
		const range = readTimeRange({ period, periodStart: undefined, periodEnd: undefined }, zone, NOW);
		expect([formatInZone(range.from), formatInZone(range.until)]).toEqual([from, until]);
	});

	test('with entered dates may be open at either end, but must not end before it starts', async () => {
		const readCustomRange = (periodStart?: string, periodEnd?: string) =>
			readTimeRange({ period: 'custom', periodStart, periodEnd }, TIME_ZONE, NOW);
		const earlier = '2026-01-01T00:00:00.000Z';
		const later = '2026-02-01T00:00:00.000Z';
		expect(readCustomRange(undefined, later)).toEqual({ from: -Infinity, until: Date.parse(later) + 1 });
		expect(readCustomRange(earlier)).toEqual({ from: Date.parse(earlier), until: NOW });
		expect(readCustomRange(earlier, later)).toEqual({ from: Date.parse(earlier), until: Date.parse(later) + 1 });
		const text = describeError(await catchInvalidInput(() => readCustomRange(later, earlier)), {
			purpose: 'test',
			getLabels: (path: string[]) => getFieldLabels(timeRangeFields, path),
		});
		expect(text.message).toBe("'End Date' must not be before the start date");
	});

	test("must have a date if 'Custom' is selected, and nothing is requested without one", async () => {
		fixture.standIn.clearLog();
		const parameters = { resource: 'result', operation: 'getManyByPeriod', companyScope: 'own', period: 'custom' };
		const error = await catchNodeError(fixture.run(SecurityAwarenessPhishingCampaign, parameters));
		expect(error.message).toBe("'Start Date' must not be empty if 'End Date' is empty too");
		expect(error.description).toContain('Enter a start date, an end date, or both.');
		expect(fixture.requests).toEqual([]);
	});

	const exportReport = async (options: IDataObject) => {
		const parameters = { operation: 'export', companyScope: 'own', options };
		await fixture.run(SecurityAwarenessLeaderboard, parameters, { settings: workflowSettings });
		return parseBody(fixture.requests[0]);
	};

	test.each<[options: IDataObject, sentPeriod: IDataObject]>([
		// The period ends 1 ms before the next month starts.
		[{ datePeriod: 'lastMonth' }, { startDate: '2026-02-01T05:00:00.000Z', endDate: '2026-03-01T04:59:59.999Z' }],
		[{ datePeriod: 'This Quarter' }, { startDate: '2026-01-01T05:00:00.000Z', endDate: '2026-04-01T02:30:00.000Z' }],
		[{ datePeriod: 'Last45' }, { datePeriod: 'Last45', startDate: null, endDate: null }],
		[{ startDate: '2026-01-01' }, { startDate: '2026-01-01T05:00:00.000Z', endDate: null }],
	])("is sent with the request for a report: %j, in the workflow's time zone", async (options, sentPeriod) => {
		jest.spyOn(Date, 'now').mockReturnValue(NOW);
		const { datePeriod, startDate, endDate } = await exportReport(options);
		expect(omitUndefined({ datePeriod, startDate, endDate })).toEqual(sentPeriod);
	});

	test.each<[options: IDataObject, message: string]>([
		[{ datePeriod: 'lastMonth', endDate: '2026-01-01' }, "'Date Period' in 'Options' already sets the dates"],
		[{ startDate: '2026-02-01', endDate: '2026-01-01' }, "'End Date' in 'Options' must not be before the start date"],
		[{ startDate: '01/02/2026' }, "'Start Date' in 'Options' must be a date such as"],
	])('is rejected before the request for a report: %j', async (options, message) => {
		expect((await catchNodeError(exportReport(options))).message).toContain(message);
		expect(fixture.standIn.log).toEqual([]);
	});
});

test.each([
	[0, true],
	[9, true],
	[10, false],
	[-1, false],
])('whether a range from 0 to 10 ms contains %i: %s', (time, isInRange) => {
	expect(isInTimeRange(new Date(time).toISOString(), { from: 0, until: 10 })).toBe(isInRange);
});
