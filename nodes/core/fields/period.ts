import { DateTime } from 'luxon';

import { InvalidInputError } from '../http/errors';
import { rejectEmptyExpression, rejectEmptyExpressions, showWhen, type Field, type FieldValues } from './field';
import { openChoiceField } from './openChoiceField';
import { choiceField, dateTimeField, parseEndDate, readLocatorValue, parseText, describeValue } from './fieldTypes';
import { calculateTimeRange, RELATIVE_PERIOD_OPTIONS, RELATIVE_PERIODS, type TimeRange } from './relativePeriods';
import { formatTime, isEmpty, normalizeText, parseTimeMs } from '../values';

/**
 * Rejects an end date before the start date. Both dates are ISO 8601 in UTC, so they can be compared as text.
 * @param path the field names on the path to the end date, for the error
 * @throws InvalidInputError
 */
export function rejectEndBeforeStart(start: string | undefined, end: string | undefined, path: string[]): void {
	if (start !== undefined && end !== undefined && end < start)
		throw new InvalidInputError('must not be before the start date', path);
}

/**
 * A start date is accepted if it has passed by no more than this time in ms. An expression may use `$now`, and some time passes until the
 * start date is checked. Clocks may differ as well.
 */
const START_TOLERANCE_MS = 5 * 60_000;

const isStartInPast = (start: string) => Date.parse(start) < Date.now() - START_TOLERANCE_MS;

function createStartInPastError(timezone: string, path: string[]): InvalidInputError {
	return new InvalidInputError(
		`must not be in the past: it is now ${formatTime(Date.now(), timezone)}`,
		path,
		'Enter a later date, or {{ $now }} to start immediately. Also check the time zone of the date.',
	);
}

/**
 * Rejects a start date that has passed.
 * @param start ISO 8601, or undefined if there is no start date
 * @param timezone the time zone in which the error shows the current time
 * @param path the field names on the path to the start date, for the error
 * @throws InvalidInputError
 */
export function rejectStartInPast(start: string | undefined, timezone: string, path: string[]): void {
	if (start !== undefined && isStartInPast(start)) throw createStartInPastError(timezone, path);
}

/**
 * Rejects a start date that has passed, unless it is the start date that the record already has.
 * @param readStoredStart reads the record's current start date; only called if `start` has passed
 * @throws InvalidInputError, and any error of `readStoredStart`
 */
export async function rejectNewStartInPast(
	start: string | undefined,
	timezone: string,
	path: string[],
	readStoredStart: () => Promise<unknown>,
): Promise<void> {
	if (start === undefined || !isStartInPast(start)) return;
	const storedStart = await readStoredStart();
	const storedTimes = ['utc', timezone].map((zone) => DateTime.fromISO(String(storedStart), { zone }).toMillis());
	if (!storedTimes.includes(Date.parse(start))) throw createStartInPastError(timezone, path);
}

/**
 * Returns true if the time is in the range. A missing or invalid time also counts as in the range.
 * @param time ISO 8601; a time without a time zone is in UTC
 */
export function isInTimeRange(time: string | undefined, { from, until }: TimeRange): boolean {
	const ms = parseTimeMs(time);
	return ms === null || (ms >= from && ms < until);
}

const LAST_DAY_DESCRIPTION = 'The last day of the period, such as 2026-03-31. That day is included.';

const CUSTOM_PERIOD_CONDITION = { period: ['custom'] };

/** The form fields for a time range that is not sent to the platform: the node itself filters the records by it. */
export const timeRangeFields = rejectEmptyExpressions({
	period: choiceField({
		displayName: 'Period',
		description: "The period to report on, in the workflow's time zone",
		default: 'lastMonth',
		options: [
			{ name: 'Custom', value: 'custom', description: 'Enter a start date, an end date, or both' },
			...RELATIVE_PERIOD_OPTIONS,
		],
	}),
	periodStart: showWhen(
		CUSTOM_PERIOD_CONDITION,
		dateTimeField({
			displayName: 'Start Date',
			description: 'The first day of the period, such as 2026-01-01',
			hint: "Leave empty to start with the oldest record. In that case, 'End Date' is required.",
		}),
	),
	periodEnd: showWhen(
		CUSTOM_PERIOD_CONDITION,
		dateTimeField(
			{
				displayName: 'End Date',
				description: LAST_DAY_DESCRIPTION,
				hint: "Leave empty to report until now. In that case, 'Start Date' is required.",
			},
			parseEndDate,
		),
	),
});

/** The form fields for a time range that is the last 12 months by default. */
export const yearRangeFields = {
	...timeRangeFields,
	period: {
		...timeRangeFields.period,
		property: { ...timeRangeFields.period.property, default: 'last12Months' },
	},
};

/**
 * Returns the time range that the user selected. If the user entered no start date, `from` is -Infinity.
 * @throws InvalidInputError if the user entered neither of the two dates, or an end date before the start date
 */
export function readTimeRange(
	values: FieldValues<typeof timeRangeFields>,
	timezone: string,
	now = Date.now(),
): TimeRange {
	const { period, periodStart, periodEnd } = values;
	const relativePeriod = RELATIVE_PERIODS.find(({ value }) => value === period);
	if (relativePeriod) return calculateTimeRange(relativePeriod, timezone, now);
	// Without a date, the report would have everything since the beginning, which hardly anybody wants.
	if (periodStart === undefined && periodEnd === undefined)
		throw new InvalidInputError(
			"must not be empty if 'End Date' is empty too",
			['periodStart'],
			"Enter a start date, an end date, or both. You can also select another 'Period'.",
		);
	rejectEndBeforeStart(periodStart, periodEnd, ['periodEnd']);
	return {
		from: periodStart ? Date.parse(periodStart) : -Infinity,
		// The entered date is the last moment of the period, but a time range doesn't include `until`.
		until: periodEnd ? Date.parse(periodEnd) + 1 : now,
	};
}

/** Describes a time range by its first and last day, with a leading space: " from 1 July 2026 to 30 September 2026", or " on 1 July 2026". */
export function describeTimeRange({ from, until }: TimeRange, timezone: string): string {
	const formatDay = (ms: number) => DateTime.fromMillis(ms, { zone: timezone, locale: 'en' }).toFormat('d LLLL yyyy');
	// The range doesn't include `until`, so if `until` is midnight, the last day is the day before.
	const lastDay = formatDay(until - 1);
	if (from === -Infinity) return ` until ${lastDay}`;
	const firstDay = formatDay(from);
	return firstDay === lastDay ? ` on ${lastDay}` : ` from ${firstDay} to ${lastDay}`;
}

/** Checks that a text is a month and returns it as YYYY-MM. @throws InvalidInputError */
export function parseMonth(raw: unknown): string {
	const month = parseText(raw).trim();
	if (/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) return month;
	throw new InvalidInputError(`must be a month such as 2026-01, but is ${describeValue(raw)}`);
}

/**
 * The keys of a request body that set a report's period (contract 4.10): two dates as ISO 8601 in UTC, or the platform's own word for a
 * period.
 */
type PeriodBody = { datePeriod?: string | number; startDate: string | null; endDate: string | null };

interface PlatformPeriod {
	name: string;
	value: string;
	description?: string;
}

/** The platform's number for a period that the two dates of the request set (deployment activity 3). */
const CUSTOM_PLATFORM_PERIOD = 5;

const PLATFORM_PERIOD_DESCRIPTION = 'The platform decides which days this period includes';

/**
 * The periods of an executive report that the platform itself calculates. Each `value` is the platform's number for the period (deployment
 * activity 3).
 */
const EXECUTIVE_REPORT_PERIODS: PlatformPeriod[] = [
	{ name: 'Last Month (Platform)', value: '0', description: PLATFORM_PERIOD_DESCRIPTION },
	{ name: 'Last 3 Months (Platform)', value: '1', description: PLATFORM_PERIOD_DESCRIPTION },
	{ name: 'Last 6 Months (Platform)', value: '2', description: PLATFORM_PERIOD_DESCRIPTION },
	{ name: 'Last Year (Platform)', value: '3', description: PLATFORM_PERIOD_DESCRIPTION },
	{ name: 'This Year (Platform)', value: '4', description: PLATFORM_PERIOD_DESCRIPTION },
	{
		name: 'Custom (Platform)',
		value: String(CUSTOM_PLATFORM_PERIOD),
		description: "The dates that you enter in 'Start Date' and 'End Date'",
	},
];

/**
 * Creates the form field for the period of a report. The node converts a period in `RELATIVE_PERIODS` to dates before it is sent, because
 * no document names the words for periods that the leaderboard accepts.
 * @param platformPeriods the periods that the platform itself calculates
 */
const datePeriodField = (platformPeriods: PlatformPeriod[]): Field<PeriodBody | undefined> =>
	openChoiceField({
		displayName: 'Date Period',
		description: "The period to report on, in the workflow's time zone",
		options: [...RELATIVE_PERIOD_OPTIONS, ...platformPeriods].sort((first, second) =>
			first.name.localeCompare(second.name),
		),
		default: 'lastMonth',
		parse: (raw, { timezone }) => {
			const enteredPeriod = parseText(readLocatorValue(raw)).trim();
			if (isEmpty(enteredPeriod)) return undefined;
			const isEnteredPeriod = ({ name, value }: { name: string; value: string }) =>
				[name, value].some((ownText) => normalizeText(ownText) === normalizeText(enteredPeriod));
			const period = RELATIVE_PERIODS.find(isEnteredPeriod);
			if (!period) {
				const platformPeriod = platformPeriods.find(isEnteredPeriod);
				const datePeriod = platformPeriod ? Number(platformPeriod.value) : enteredPeriod;
				return { datePeriod, startDate: null, endDate: null };
			}
			const { from, until } = calculateTimeRange(period, timezone);
			// `endDate` is the last moment to report on. If the period is over, that is 1 ms before `until`, where the next period starts.
			const endMs = until < Date.now() ? until - 1 : until;
			return { startDate: new Date(from).toISOString(), endDate: new Date(endMs).toISOString() };
		},
	});

/** The form fields for the period of a report that the platform creates. They are sent to the platform. */
export const reportPeriodFields = rejectEmptyExpressions({
	datePeriod: datePeriodField([]),
	startDate: dateTimeField({
		displayName: 'Start Date',
		description: 'The first day of the period, such as 2026-01-01',
	}),
	endDate: dateTimeField({ displayName: 'End Date', description: LAST_DAY_DESCRIPTION }, parseEndDate),
});

/**
 * The form fields for the period of an executive report. The user can also select a period that the platform itself calculates.
 */
export const executivePeriodFields = {
	...reportPeriodFields,
	datePeriod: rejectEmptyExpression(datePeriodField(EXECUTIVE_REPORT_PERIODS)),
};

/**
 * Builds the keys of a request body that set a report's period.
 * @param blockName the name of the collection that contains the form fields, for the error
 * @throws InvalidInputError if the end date is before the start date, if the user entered dates as well as a relative period, or if a custom
 * period has no date
 */
export function buildPeriodBody(
	values: Partial<FieldValues<typeof reportPeriodFields>>,
	blockName = 'options',
): PeriodBody {
	const { datePeriod: period, startDate, endDate } = values;
	rejectEndBeforeStart(startDate, endDate, [blockName, 'endDate']);
	const enteredDates = { startDate: startDate ?? null, endDate: endDate ?? null };
	if (!period) return enteredDates;
	const hasDate = startDate !== undefined || endDate !== undefined;
	if (!hasDate && period.datePeriod === CUSTOM_PLATFORM_PERIOD)
		throw new InvalidInputError(
			"is 'Custom (Platform)', which needs a date",
			[blockName, 'datePeriod'],
			"Add 'Start Date', 'End Date', or both. You can also select another 'Date Period'.",
		);
	if (!hasDate) return period;
	if (period.datePeriod !== undefined) return { ...period, ...enteredDates };
	throw new InvalidInputError(
		"already sets the dates, so you can't enter other dates",
		[blockName, 'datePeriod'],
		"Remove 'Start Date' and 'End Date', or remove 'Date Period'.",
	);
}
