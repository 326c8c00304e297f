import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { InvalidInputError } from '../core/http/errors';
import { toItemJson } from '../core/values';

/**
 * Returns true if an end date is before a start date. If either is missing or isn't a date, returns false. A date without a time zone may be
 * one in UTC or in `timezone`, so it is only before the other one if it is in both.
 */
const isEndBeforeStart = (start: unknown, end: unknown, timezone: string): boolean =>
	['utc', timezone].every((zone) => {
		const [startMs = NaN, endMs = NaN] = [start, end].map((date) =>
			DateTime.fromISO(String(date), { zone }).toMillis(),
		);
		return endMs < startMs;
	});

/**
 * Checks that the due date of an enrollment isn't before its start date. One of the two may be the stored one.
 * @param changedField the field that the error names
 * @throws InvalidInputError
 */
export function checkEnrollmentDates(
	{ enrollmentScheduler }: IDataObject,
	timezone: string,
	changedField: 'scheduledDate' | 'dueDate',
): void {
	const { scheduledDate, dueDate } = toItemJson(enrollmentScheduler ?? {});
	if (!isEndBeforeStart(scheduledDate, dueDate, timezone)) return;
	const message = changedField === 'dueDate' ? 'must not be before the start date' : 'must not be after the due date';
	throw new InvalidInputError(
		message,
		['additionalFields', changedField],
		'Nothing was changed. Change both dates, or enter another one.',
	);
}
