import { DateTime } from 'luxon';

import { choice } from './choice';
import { dateTime } from './date';
import { showWhen, type Values } from './field';
import { checkOrder } from './period';

/** A span of time in ms; its end is not part of it. */
export interface Window {
	from: number;
	until: number;
}

type PeriodOf = (now: DateTime) => { from: DateTime; until: DateTime };

/** The periods that depend on the current date in the workflow's time zone. */
const PERIODS: Record<'last30Days' | 'lastMonth' | 'lastQuarter' | 'thisMonth' | 'thisQuarter' | 'thisYear', PeriodOf> =
	{
		last30Days: (now) => ({ from: now.minus({ days: 30 }).startOf('day'), until: now }),
		lastMonth: (now) => ({ from: now.minus({ months: 1 }).startOf('month'), until: now.startOf('month') }),
		lastQuarter: (now) => ({ from: now.minus({ quarters: 1 }).startOf('quarter'), until: now.startOf('quarter') }),
		thisMonth: (now) => ({ from: now.startOf('month'), until: now }),
		thisQuarter: (now) => ({ from: now.startOf('quarter'), until: now }),
		thisYear: (now) => ({ from: now.startOf('year'), until: now }),
	};

const isRelativePeriod = (period: string): period is keyof typeof PERIODS => period in PERIODS;

/** The fields for a time span. */
export const windowFields = {
	period: choice({
		displayName: 'Period',
		description: "The period that the report covers, in the workflow's time zone",
		default: 'lastMonth',
		options: [
			{ name: 'Custom', value: 'custom', description: 'The dates that you enter below' },
			{ name: 'Last 30 Days', value: 'last30Days' },
			{ name: 'Last Month', value: 'lastMonth', description: 'The whole calendar month before this one' },
			{ name: 'Last Quarter', value: 'lastQuarter' },
			{ name: 'This Month', value: 'thisMonth', description: 'From its first day until now' },
			{ name: 'This Quarter', value: 'thisQuarter' },
			{ name: 'This Year', value: 'thisYear' },
		],
	}),
	periodStart: showWhen(
		{ period: ['custom'] },
		dateTime({
			displayName: 'Start Date',
			description: 'The first moment to report on; empty means from the beginning',
		}),
	),
	periodEnd: showWhen(
		{ period: ['custom'] },
		dateTime({ displayName: 'End Date', description: 'The moment to report up to; empty means until now' }),
	),
};

/**
 * The time span that was chosen in these fields.
 * @param timezone the IANA name of the workflow's time zone
 * @param now the current time, in ms since 1970
 * @returns ms since 1970; without a start date, from is -Infinity
 * @throws InvalidInput for an end before the start
 */
export function windowOf(
	{ period, periodStart, periodEnd }: Values<typeof windowFields>,
	timezone: string,
	now = Date.now(),
): Window {
	if (isRelativePeriod(period)) {
		const { from, until } = PERIODS[period](DateTime.fromMillis(now, { zone: timezone }));
		return { from: from.toMillis(), until: until.toMillis() };
	}
	checkOrder(periodStart, periodEnd, ['periodEnd'], 'start date');
	return { from: periodStart ? Date.parse(periodStart) : -Infinity, until: periodEnd ? Date.parse(periodEnd) : now };
}
