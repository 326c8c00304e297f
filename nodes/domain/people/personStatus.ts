import type { IDataObject } from 'n8n-workflow';

/** The status texts in the list of people (deployment beyond). No others are documented. */
const IS_ACTIVE: Readonly<Record<string, boolean>> = { active: true, inactive: false };

/**
 * Reads whether a person is active. A record has the field `isActive`, a row of the list has `status` (deployment beyond).
 * @returns undefined if neither field has a known value
 */
export function readIsActive({ isActive, status }: IDataObject): boolean | undefined {
	if (typeof isActive === 'boolean') return isActive;
	return typeof status === 'string' ? IS_ACTIVE[status.trim().toLowerCase()] : undefined;
}

/** Returns the status as text, as in the list of people. @returns null if it is not known */
export function nameStatus(isActive: boolean | undefined): string | null {
	if (isActive === undefined) return null;
	return isActive ? 'Active' : 'Inactive';
}
