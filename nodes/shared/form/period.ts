import { InvalidInput } from '../transport/errors';

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
