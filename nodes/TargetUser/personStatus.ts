import type { IDataObject } from 'n8n-workflow';

/** The words of the list (deployment beyond); others are not known. */
const IS_ACTIVE: Readonly<Record<string, boolean>> = { active: true, inactive: false };

/**
 * Reads whether a person is active: a record has `isActive`, a row of the list `status` (deployment beyond).
 * @returns undefined if neither says so
 */
export function readIsActive({ isActive, status }: IDataObject): boolean | undefined {
	if (typeof isActive === 'boolean') return isActive;
	return typeof status === 'string' ? IS_ACTIVE[status.trim().toLowerCase()] : undefined;
}

/** Names the status as the list of people does; null if it is not known. */
export function nameStatus(isActive: boolean | undefined): string | null {
	if (isActive === undefined) return null;
	return isActive ? 'Active' : 'Inactive';
}
