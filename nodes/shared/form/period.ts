import { InvalidInput } from '../transport/errors';
import { dateTime } from './date';
import { text } from './text';

/** The fields for the period of a report (contract 4.10). */
export const period = {
	datePeriod: text({
		displayName: 'Date Period',
		description: "The platform's name of the period; leave it empty to use the dates",
		placeholder: 'e.g. Custom',
	}),
	startDate: dateTime({ displayName: 'Start Date', description: 'The first moment to report on' }),
	endDate: dateTime({ displayName: 'End Date', description: 'The last moment to report on' }),
};

/**
 * The period in the form of the request body; a date that was not entered is null.
 * @param collection the name of the collection with these fields, for the error
 * @throws InvalidInput for an end before the start
 */
export function periodOf(
	chosen: { datePeriod?: string; startDate?: string | undefined; endDate?: string | undefined },
	collection = 'reportOptions',
) {
	const { datePeriod, startDate, endDate } = chosen;
	checkOrder(startDate, endDate, [collection, 'endDate'], 'start date');
	return {
		...(datePeriod ? { datePeriod } : {}),
		startDate: startDate ?? null,
		endDate: endDate ?? null,
	};
}

/**
 * Refuses an end before its start. Both are ISO 8601 in UTC, so they can be compared as text.
 * @param path the names that lead to the end's field in the form, for the error
 * @param startName what the start is called in the message
 * @throws InvalidInput
 */
export function checkOrder(
	start: string | undefined,
	end: string | undefined,
	path: string[],
	startName: string,
): void {
	if (start !== undefined && end !== undefined && end < start)
		throw new InvalidInput(`must not be before the ${startName}`, path);
}
