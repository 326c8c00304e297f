import { InvalidInput } from '../http/errors';

/**
 * Refuses an update without any field: it would change nothing, and yet be sent, which may email people or reset a clock.
 * @throws InvalidInput
 */
export function checkChanges(fields: Record<string, unknown>): void {
	if (Object.values(fields).some((value) => value !== undefined)) return;
	throw new InvalidInput('has no field, so there is nothing to change', ['additionalFields'], 'Add what is to change.');
}
