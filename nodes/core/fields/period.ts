import { omit } from 'lodash';
import { DateTime } from 'luxon';

import { InvalidInputError } from '../http/errors';
import { rejectEmptyExpression, rejectEmptyExpressions, showWhen, type Field, type FieldValues } from './field';
import { choiceField, dateTimeField, readLocatorValue, parseText, describeValue } from './fieldTypes';
import { formatTime, isEmpty, normalizeText } from '../values';

/** A time range in ms since 1970. `until` is not part of it. */
export interface TimeRange {
	from: number;
	until: number;
}

type CalendarUnit = 'day' | 'week' | 'month' | 'quarter' | 'year';

/** Calculates the start and the end of a period from the current time. */
type PeriodCalculator = (now: DateTime) => { from: DateTime; until: DateTime };

/** Creates the calculator of a period of some days or months that ends now. The period starts at midnight. */
function createRollingPeriod(length: { days?: number; months?: number }): PeriodCalculator {
	return (now) => ({ from: now.minus(length).startOf('day'), until: now });
}

/** Creates the calculator of a period that starts with the current week, month, … and ends now. */
function createCurrentPeriod(unit: CalendarUnit): PeriodCalculator {
	return (now) => ({ from: now.startOf(unit), until: now });
}

/** Creates the calculator of a period that covers the whole previous week, month, … */
function createPreviousPeriod(unit: CalendarUnit): PeriodCalculator {
	return (now) => ({ from: now.startOf(unit).minus({ [unit]: 1 }), until: now.startOf(unit) });
}

/** The periods that are calculated from the current date in the workflow's time zone. Each `value` is saved in workflows. */
const PERIODS = [
	{
		name: 'Last 12 Months',
		description: 'Up to now',
		value: 'last12Months',
		calculate: createRollingPeriod({ months: 12 }),
	},
	{ name: 'Last 30 Days', value: 'last30Days', calculate: createRollingPeriod({ days: 30 }) },
	{ name: 'Last 7 Days', value: 'last7Days', calculate: createRollingPeriod({ days: 7 }) },
	{ name: 'Last 90 Days', value: 'last90Days', calculate: createRollingPeriod({ days: 90 }) },
	{ name: 'Last Month', value: 'lastMonth', calculate: createPreviousPeriod('month') },
	{ name: 'Last Quarter', value: 'lastQuarter', calculate: createPreviousPeriod('quarter') },
	{ name: 'Last Week', value: 'lastWeek', calculate: createPreviousPeriod('week') },
	{
		name: 'Last Year',
		description: 'The last calendar year',
		value: 'lastYear',
		calculate: createPreviousPeriod('year'),
	},
	{ name: 'This Month', value: 'thisMonth', calculate: createCurrentPeriod('month') },
	{ name: 'This Quarter', value: 'thisQuarter', calculate: createCurrentPeriod('quarter') },
	{ name: 'This Week', value: 'thisWeek', calculate: createCurrentPeriod('week') },
	{ name: 'This Year', value: 'thisYear', calculate: createCurrentPeriod('year') },
	{ name: 'Today', value: 'today', calculate: createCurrentPeriod('day') },
	{ name: 'Yesterday', value: 'yesterday', calculate: createPreviousPeriod('day') },
] as const;

const PERIOD_OPTIONS = PERIODS.map((period) => omit(period, 'calculate'));

/**
 * Calculates the time range of a period. Days, weeks, … start at midnight in the time zone, even on a day when its clocks change. Weeks
 * start on Monday.
 */
function calculateTimeRange(period: (typeof PERIODS)[number], timezone: string, now = Date.now()): TimeRange {
	const { from, until } = period.calculate(DateTime.fromMillis(now, { zone: timezone }));
	return { from: from.toMillis(), until: until.toMillis() };
}

/**
 * Rejects an end date before the start date. Both are ISO 8601 in UTC, so they can be compared as text.
 * @param path the names that lead to the end's field, for the error
 * @throws InvalidInputError
 */
export function rejectEndBeforeStart(start: string | undefined, end: string | undefined, path: string[]): void {
	if (start !== undefined && end !== undefined && end < start)
		throw new InvalidInputError('must not be before the start date', path);
}

/**
 * The time in ms by which a start date may have passed without being rejected. Some time passes between `$now` in an expression and the
 * request, and clocks differ.
 */
const START_TOLERANCE_MS = 5 * 60_000;

const isPast = (start: string) => Date.parse(start) < Date.now() - START_TOLERANCE_MS;

function createPastStartError(timezone: string, path: string[]): InvalidInputError {
	return new InvalidInputError(
		`must not be in the past: it is now ${formatTime(Date.now(), timezone)}`,
		path,
		'Enter a later date, or {{ $now }} to start at once. Check in which time zone the date is read.',
	);
}

/**
 * Rejects a start date that has passed.
 * @param start ISO 8601, or undefined if there is no start date
 * @param timezone the time zone of the current time in the error
 * @param path the names that lead to the date's field, for the error
 * @throws InvalidInputError
 */
export function rejectPastStart(start: string | undefined, timezone: string, path: string[]): void {
	if (start !== undefined && isPast(start)) throw createPastStartError(timezone, path);
}

/**
 * Rejects a start date that has passed, unless the record already has that date.
 * @param readStoredStart reads the date in the record; only called if the new date has passed
 * @throws InvalidInputError, and any error of `readStoredStart`
 */
export async function rejectNewPastStart(
	start: string | undefined,
	timezone: string,
	path: string[],
	readStoredStart: () => Promise<unknown>,
): Promise<void> {
	if (start === undefined || !isPast(start)) return;
	const storedStart = await readStoredStart();
	const storedTimes = ['utc', timezone].map((zone) => DateTime.fromISO(String(storedStart), { zone }).toMillis());
	if (!storedTimes.includes(Date.parse(start))) throw createPastStartError(timezone, path);
}

/**
 * Returns true if a time is in a range, or if there is no valid time.
 * @param time ISO 8601; a time without a time zone is in UTC
 */
export function isInTimeRange(time: string | undefined, { from, until }: TimeRange): boolean {
	const ms = DateTime.fromISO(time ?? '', { zone: 'utc' }).toMillis();
	return Number.isNaN(ms) || (ms >= from && ms < until);
}

const IF_CUSTOM_PERIOD = { period: ['custom'] };

/** The fields for a time range by which the node itself filters records. */
export const timeRangeFields = rejectEmptyExpressions({
	period: choiceField({
		displayName: 'Period',
		description: "The period that the report covers, in the workflow's time zone",
		default: 'lastMonth',
		options: [{ name: 'Custom', value: 'custom', description: 'The dates that you enter below' }, ...PERIOD_OPTIONS],
	}),
	periodStart: showWhen(
		IF_CUSTOM_PERIOD,
		dateTimeField({
			displayName: 'Start Date',
			description: 'The first moment to report on; empty means from the beginning',
		}),
	),
	periodEnd: showWhen(
		IF_CUSTOM_PERIOD,
		dateTimeField({ displayName: 'End Date', description: 'The moment to report up to; empty means until now' }),
	),
});

/**
 * Reads the time range that the user selected. If there is no start date, `from` is -Infinity.
 * @throws InvalidInputError for an end before the start
 */
export function readTimeRange(
	values: FieldValues<typeof timeRangeFields>,
	timezone: string,
	now = Date.now(),
): TimeRange {
	const { period, periodStart, periodEnd } = values;
	const relativePeriod = PERIODS.find(({ value }) => value === period);
	if (relativePeriod) return calculateTimeRange(relativePeriod, timezone, now);
	rejectEndBeforeStart(periodStart, periodEnd, ['periodEnd']);
	return { from: periodStart ? Date.parse(periodStart) : -Infinity, until: periodEnd ? Date.parse(periodEnd) : now };
}

/** Describes a time range by its first and last day: " from 1 July 2026 to 30 September 2026". The text begins with a space. */
export function describeTimeRange({ from, until }: TimeRange, timezone: string): string {
	const formatDay = (ms: number) => DateTime.fromMillis(ms, { zone: timezone, locale: 'en' }).toFormat('d LLLL yyyy');
	// `until` is not part of the range: if it is midnight, the last day is the day before.
	const lastDay = formatDay(until - 1);
	return from === -Infinity ? ` until ${lastDay}` : ` from ${formatDay(from)} to ${lastDay}`;
}

/** Parses a month. @returns YYYY-MM @throws InvalidInputError */
export function parseMonth(raw: unknown): string {
	const month = parseText(raw).trim();
	if (/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) return month;
	throw new InvalidInputError(`must be a month such as 2026-01, but is ${describeValue(raw)}`);
}

/** A period in a request body (contract 4.10): either dates as ISO 8601 in UTC, or the platform's own word for the period. */
type PeriodBody = { datePeriod?: string | number; startDate: string | null; endDate: string | null };

interface PlatformPeriod {
	name: string;
	value: string;
	description?: string;
}

/** The periods of an executive report that the platform itself defines. Each `value` is the platform's number (deployment activity 3). */
const EXECUTIVE_REPORT_PERIODS: PlatformPeriod[] = [
	{ name: 'Last Month (Platform)', value: '0' },
	{ name: 'Last 3 Months (Platform)', value: '1' },
	{ name: 'Last 6 Months (Platform)', value: '2' },
	{ name: 'Last Year (Platform)', value: '3' },
	{ name: 'This Year (Platform)', value: '4' },
	{ name: 'Custom (Platform)', value: '5', description: 'The dates that you enter besides' },
];

/**
 * Creates the field for the period of a report. The periods in `PERIODS` are sent as dates, because no document names the words that the
 * leaderboard accepts.
 * @param platformPeriods the periods that the platform itself defines
 */
const datePeriodField = (platformPeriods: PlatformPeriod[]): Field<PeriodBody | undefined> => ({
	property: {
		displayName: 'Date Period',
		description:
			"A period up to today, in the workflow's time zone. An expression may give the platform's own word for one.",
		type: 'options',
		options: [...PERIOD_OPTIONS, ...platformPeriods].sort((first, second) => first.name.localeCompare(second.name)),
		default: 'lastMonth',
	},
	parse: (raw, { timezone }) => {
		const word = parseText(readLocatorValue(raw)).trim();
		if (isEmpty(word)) return undefined;
		const isEnteredPeriod = ({ name, value }: { name: string; value: string }) =>
			[name, value].some((text) => normalizeText(text) === normalizeText(word));
		const period = PERIODS.find(isEnteredPeriod);
		if (!period) {
			const isPlatformPeriod = platformPeriods.some(({ value }) => value === word);
			return { datePeriod: isPlatformPeriod ? Number(word) : word, startDate: null, endDate: null };
		}
		const { from, until } = calculateTimeRange(period, timezone);
		// `until` is the start of the next period, which a period that is over must not include.
		const end = until < Date.now() ? until - 1 : until;
		return { startDate: new Date(from).toISOString(), endDate: new Date(end).toISOString() };
	},
});

/** The fields for the period of a report that the platform creates. */
export const reportPeriodFields = rejectEmptyExpressions({
	datePeriod: datePeriodField([]),
	startDate: dateTimeField({ displayName: 'Start Date', description: 'The first moment to report on' }),
	endDate: dateTimeField({ displayName: 'End Date', description: 'The last moment to report on' }),
});

/** The fields for the period of an executive report. */
export const executivePeriodFields = {
	...reportPeriodFields,
	datePeriod: rejectEmptyExpression(datePeriodField(EXECUTIVE_REPORT_PERIODS)),
};

/**
 * Builds the period of a request body.
 * @param blockName the name of the collection with these fields, for the error
 * @throws InvalidInputError for an end before the start, and if the user entered dates in addition to a period that has dates of its own
 */
export function buildPeriodBody(
	values: Partial<FieldValues<typeof reportPeriodFields>>,
	blockName = 'options',
): PeriodBody {
	const { datePeriod: period, startDate, endDate } = values;
	rejectEndBeforeStart(startDate, endDate, [blockName, 'endDate']);
	const enteredDates = { startDate: startDate ?? null, endDate: endDate ?? null };
	if (!period) return enteredDates;
	if (startDate === undefined && endDate === undefined) return period;
	if (period.datePeriod !== undefined) return { ...period, ...enteredDates };
	throw new InvalidInputError(
		'has dates of its own, so there can be no others',
		[blockName, 'datePeriod'],
		"Remove 'Start Date' and 'End Date', or remove 'Date Period'.",
	);
}
