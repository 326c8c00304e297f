import { InvalidInputError } from '../http/errors';

/**
 * Rejects an update in which no field has a value. It would change no value, but sending it could still email people or reset a schedule.
 * @throws InvalidInputError
 */
export function rejectEmptyUpdate(fields: Record<string, unknown>): void {
	if (Object.values(fields).some((value) => value !== undefined)) return;
	throw new InvalidInputError(
		'must have at least one field to change',
		['additionalFields'],
		'Add the fields to change.',
	);
}
