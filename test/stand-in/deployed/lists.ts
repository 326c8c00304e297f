/** Shared functions for the lists of live deployments. */
import type { Route, JsonObject } from '../http';
import { defineExportRoute, defineSearchRoute, type ExportFileOptions, type ListDefinition } from '../paging';
import { makeGuid, makeShortId } from '../random';
import type { TargetUser } from '../seed';

/** Defines the search of a list that is outside the contract. Its required fields come from the interface description. */
export function defineDeployedSearchRoute(key: string, list: ListDefinition): Route {
	return defineSearchRoute(key, removeBodyRequirements(list));
}

/**
 * Defines the export of a list that is outside the contract.
 * @param isTypeRequired true if requests must contain exportType
 */
export function defineDeployedExportRoute(
	key: string,
	list: ListDefinition,
	fileName: string,
	isTypeRequired: boolean,
	fileOptions?: ExportFileOptions,
): Route {
	return defineExportRoute(key, removeBodyRequirements(list), fileName, isTypeRequired, fileOptions);
}

function removeBodyRequirements(list: ListDefinition): ListDefinition {
	return { ...list, requiredPaging: 'none', filterRequirement: 'optional' };
}

/** The custom fields that a company has defined for its users. */
export const CUSTOM_FIELD_NAMES = ['Cost Center', 'Site'] as const;

/** Returns the ID of a custom field. */
export function getCustomFieldId(name: string): string {
	return makeShortId(`custom field ${name}`);
}

/** Builds the values of a user's custom fields. */
export function buildCustomFieldValues({ resourceId }: TargetUser): JsonObject[] {
	return CUSTOM_FIELD_NAMES.map((name) => ({
		resourceId: getCustomFieldId(name),
		name,
		dataType: 'Text',
		value: `${name} ${resourceId.slice(0, 2).toUpperCase()}`,
		timestampValue: null,
	}));
}

/** Returns the fields of a user that every report contains. */
export function getPersonFields({ firstName, lastName, email, department }: TargetUser): JsonObject {
	return { firstName, lastName, email, department };
}

/** Returns a phone number for a user. The same user always gets the same number. */
export function getPhoneNumber({ resourceId }: TargetUser): string {
	const digits = Number.parseInt(makeGuid(`phone ${resourceId}`).slice(0, 6), 16) % 10_000_000;
	return `+1555${String(digits).padStart(7, '0')}`;
}
