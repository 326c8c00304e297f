import type { IDataObject } from 'n8n-workflow';

/**
 * Maps each documented status in the list of people, in lower case, to true if the status means that the person is active
 * (deployment beyond, "People").
 */
const IS_ACTIVE_BY_STATUS: Readonly<Record<string, boolean>> = { active: true, inactive: false };

/**
 * Returns true if a person is active. A person's record has the field `isActive`, an entry in the list of people has `status` (deployment
 * beyond, "People").
 * @returns undefined if neither field has a known value
 */
export function isActivePerson({ isActive, status }: IDataObject): boolean | undefined {
	if (typeof isActive === 'boolean') return isActive;
	return typeof status === 'string' ? IS_ACTIVE_BY_STATUS[status.trim().toLowerCase()] : undefined;
}

/** Returns the status as the list of people shows it: 'Active' or 'Inactive'. @returns null if it is unknown */
export function formatActiveStatus(isActive: boolean | undefined): string | null {
	if (isActive === undefined) return null;
	return isActive ? 'Active' : 'Inactive';
}
