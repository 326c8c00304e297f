import { DateTime } from 'luxon';

import type { FieldValues } from '../core/fields/field';
import { toggleField } from '../core/fields/fieldTypes';
import { readTimeRange, type yearRangeFields } from '../core/fields/period';
import type { TimeRange } from '../core/fields/relativePeriods';
import { InvalidInputError } from '../core/http/errors';
import type { OperationContext } from '../core/response/responseHandler';

/** Finds the earliest of some times. @returns Infinity if there are none; null if one of them is unknown */
export function findEarliestMs(times: ReadonlyArray<number | null>): number | null {
	const knownTimes = times.filter((time) => time !== null);
	return knownTimes.length < times.length ? null : Math.min(...knownTimes);
}

/** Formats a time for an output field. @returns null if it is unknown */
export const formatTimeField = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** Formats a time as a day: "2026-10-03". */
export const formatDay = (ms: number, timezone: string): string =>
	DateTime.fromMillis(ms, { zone: timezone }).toFormat('yyyy-MM-dd');

const FUTURE_END_HINT = 'The period ends in the future, so its figures count until now.';

/**
 * Reads the period from the form. If it ends in the future, the returned range ends now, because nothing after that is measured. A hint says
 * so, unless the period ends today.
 * @throws InvalidInputError
 */
export function readMeasuredRange(
	period: FieldValues<typeof yearRangeFields>,
	{ timezone, addHint }: OperationContext,
): TimeRange {
	const now = Date.now();
	const { from, until } = readTimeRange(period, timezone, now);
	if (formatDay(until - 1, timezone) > formatDay(now, timezone)) addHint(FUTURE_END_HINT);
	return { from, until: Math.min(until, now) };
}

/** Formats the first and the last day of a period. The first day is null if the period has no start. */
export const formatPeriod = ({ from, until }: TimeRange, timezone: string) => ({
	periodStart: from === -Infinity ? null : formatDay(from, timezone),
	// The range doesn't include `until`.
	periodEnd: formatDay(until - 1, timezone),
});

/** Describes a period by its first and last day: "from 2026-01-01 to 2026-03-31". */
export function describePeriod(timeRange: TimeRange, timezone: string): string {
	const { periodStart, periodEnd } = formatPeriod(timeRange, timezone);
	if (periodStart === null) return `until ${periodEnd}`;
	return periodStart === periodEnd ? `on ${periodEnd}` : `from ${periodStart} to ${periodEnd}`;
}

/** Returns the period of the same length before a period. @returns undefined if the period has no start */
export const getPreviousRange = ({ from, until }: TimeRange): TimeRange | undefined =>
	from === -Infinity ? undefined : { from: from - (until - from), until: from };

/** Creates the field with which users add the percentages of the previous period. */
export const compareField = (isComparedByDefault: boolean) =>
	toggleField({
		displayName: 'Compare With Previous Period',
		default: isComparedByDefault,
		description:
			'Whether to also output the percentages of the previous period of the same length, with nearly twice the requests',
	});

export const NO_PREVIOUS_PERIOD_HINT =
	"The fields that end with 'Before' and 'Change' are empty, because the period has no start. Enter a 'Start Date'.";

/** Rejects a period that begins in the future, because its figures would look like measured ones. @throws InvalidInputError */
export function rejectFuturePeriod({ period, periodStart }: FieldValues<typeof yearRangeFields>): void {
	if (period !== 'custom' || periodStart === undefined || Date.parse(periodStart) <= Date.now()) return;
	throw new InvalidInputError(
		'must not be in the future, because nothing has been measured yet',
		['periodStart'],
		'Enter a date that has passed.',
	);
}
