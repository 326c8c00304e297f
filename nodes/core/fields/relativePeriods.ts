import { omit } from 'lodash';
import { DateTime } from 'luxon';

/** A time range in ms since 1970. It includes `from` but not `until`. */
export interface TimeRange {
	from: number;
	until: number;
}

type CalendarUnit = 'day' | 'week' | 'month' | 'quarter' | 'year';

/** Calculates the start and the end of a period from the current time. */
type PeriodCalculator = (now: DateTime) => { from: DateTime; until: DateTime };

/** Creates the calculator of a period that covers the last days or months. It starts at midnight and ends now. */
function createRollingPeriodCalculator(duration: { days?: number; months?: number }): PeriodCalculator {
	return (now) => ({ from: now.minus(duration).startOf('day'), until: now });
}

/** Creates the calculator of a period that starts at the beginning of the current day, week, … and ends now. */
function createCurrentPeriodCalculator(unit: CalendarUnit): PeriodCalculator {
	return (now) => ({ from: now.startOf(unit), until: now });
}

/** Creates the calculator of a period that covers the whole previous day, week, … */
function createPreviousPeriodCalculator(unit: CalendarUnit): PeriodCalculator {
	return (now) => ({ from: now.startOf(unit).minus({ [unit]: 1 }), until: now.startOf(unit) });
}

/** The periods that are relative to the current date in the workflow's time zone. Each `value` is saved in workflows. */
export const RELATIVE_PERIODS = [
	{
		name: 'Last 12 Months',
		description: 'The 12 months until now',
		value: 'last12Months',
		calculate: createRollingPeriodCalculator({ months: 12 }),
	},
	{
		name: 'Last 30 Days',
		description: 'The 30 days until now',
		value: 'last30Days',
		calculate: createRollingPeriodCalculator({ days: 30 }),
	},
	{
		name: 'Last 7 Days',
		description: 'The 7 days until now',
		value: 'last7Days',
		calculate: createRollingPeriodCalculator({ days: 7 }),
	},
	{
		name: 'Last 90 Days',
		description: 'The 90 days until now',
		value: 'last90Days',
		calculate: createRollingPeriodCalculator({ days: 90 }),
	},
	{
		name: 'Last Month',
		description: 'The previous calendar month',
		value: 'lastMonth',
		calculate: createPreviousPeriodCalculator('month'),
	},
	{
		name: 'Last Quarter',
		description: 'The previous calendar quarter',
		value: 'lastQuarter',
		calculate: createPreviousPeriodCalculator('quarter'),
	},
	{
		name: 'Last Week',
		description: 'Monday to Sunday of the previous week',
		value: 'lastWeek',
		calculate: createPreviousPeriodCalculator('week'),
	},
	{
		name: 'Last Year',
		description: 'The previous calendar year',
		value: 'lastYear',
		calculate: createPreviousPeriodCalculator('year'),
	},
	{ name: 'This Month', value: 'thisMonth', calculate: createCurrentPeriodCalculator('month') },
	{ name: 'This Quarter', value: 'thisQuarter', calculate: createCurrentPeriodCalculator('quarter') },
	{ name: 'This Week', value: 'thisWeek', calculate: createCurrentPeriodCalculator('week') },
	{ name: 'This Year', value: 'thisYear', calculate: createCurrentPeriodCalculator('year') },
	{ name: 'Today', value: 'today', calculate: createCurrentPeriodCalculator('day') },
	{ name: 'Yesterday', value: 'yesterday', calculate: createPreviousPeriodCalculator('day') },
] as const;

/** The relative periods as options of a form field. */
export const RELATIVE_PERIOD_OPTIONS = RELATIVE_PERIODS.map((period) => omit(period, 'calculate'));

/**
 * Calculates the time range of a period. Days, weeks, … start at midnight in the given time zone, even if clocks change on that day.
 * Weeks start on Monday.
 */
export function calculateTimeRange(
	period: (typeof RELATIVE_PERIODS)[number],
	timezone: string,
	now = Date.now(),
): TimeRange {
	const { from, until } = period.calculate(DateTime.fromMillis(now, { zone: timezone }));
	return { from: from.toMillis(), until: until.toMillis() };
}
