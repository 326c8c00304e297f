import { dateTime, text } from '../../shared/fields/basic';
import { BadInput } from '../../shared/transport/problem';

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

/** The period as the service takes it. @throws BadInput for an end before the start */
export function periodOf(chosen: {
	datePeriod?: string;
	startDate?: string | undefined;
	endDate?: string | undefined;
}) {
	const { datePeriod, startDate, endDate } = chosen;
	// Both are ISO 8601 in UTC, so they compare as text.
	if (startDate !== undefined && endDate !== undefined && endDate < startDate)
		throw new BadInput('must not be before the start date', ['reportOptions', 'endDate']);
	return {
		...(datePeriod ? { datePeriod } : {}),
		startDate: startDate ?? null,
		endDate: endDate ?? null,
	};
}

/** The leaderboard's exports take their page in an object of its own (deployment facts). */
export const inPagination = <P>(pagination: P) => ({ pagination });

export const USER_SORT = { Email: 'Email', 'First Name': 'FirstName', 'Last Name': 'LastName' };
