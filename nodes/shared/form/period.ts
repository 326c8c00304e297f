import { InvalidInput } from '../transport/errors';
import { dateTime } from './date';
import { text } from './text';

/** The time a report covers (contract 4.10). */
export const period = {
	datePeriod: text({
		displayName: 'Date Period',
		description: "The period by the platform's name for it; leave it empty to use the dates",
		placeholder: 'e.g. Custom',
	}),
	startDate: dateTime({ displayName: 'Start Date', description: 'The first moment to report on' }),
	endDate: dateTime({ displayName: 'End Date', description: 'The last moment to report on' }),
};

/**
 * The period as the service takes it.
 * @param collection the name of the collection that the dates stand in
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

/** Refuses an end before its start; both are ISO 8601 in UTC, so they compare as text. @throws InvalidInput */
export function checkOrder(
	start: string | undefined,
	end: string | undefined,
	path: string[],
	startName: string,
): void {
	if (start !== undefined && end !== undefined && end < start)
		throw new InvalidInput(`must not be before the ${startName}`, path);
}
