import { choice } from './choice';
import { dateTime } from './date';
import { showWhen, type Values } from './field';
import { checkOrder } from './period';
import { relativePeriods, windowOfPeriod, type Window } from './relativePeriod';

export type { Window } from './relativePeriod';

/** The fields for a time span. */
export const windowFields = {
	period: choice({
		displayName: 'Period',
		description: "The period that the report covers, in the workflow's time zone",
		default: 'lastMonth',
		options: [
			{ name: 'Custom', value: 'custom' as const, description: 'The dates that you enter below' },
			...relativePeriods(),
		].sort((one, other) => one.name.localeCompare(other.name)),
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
	if (period !== 'custom') return windowOfPeriod(period, timezone, now);
	checkOrder(periodStart, periodEnd, ['periodEnd'], 'start date');
	return { from: periodStart ? Date.parse(periodStart) : -Infinity, until: periodEnd ? Date.parse(periodEnd) : now };
}
