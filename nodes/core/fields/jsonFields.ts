/** The fields that a user adds to a request as JSON, because the form doesn't have them. They never replace what the form sets. */
import { isNil, isUndefined, mapKeys, omitBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { InvalidInputError } from '../http/errors';
import { isRecord, toItemJson } from '../values';
import { rejectMaskedEmail } from './contact';

/** Returns the first part of a request field's name, in lowercase: "Tags[0]" becomes "tags". Some platforms ignore the case of names. */
export const getRootName = (name: string): string =>
	name
		.replace(/[.[].*$/, '')
		.trim()
		.toLowerCase();

interface MergeOptions {
	/** The names that lead to the form field with the JSON, for an error. */
	path?: string[];
	/** True if an empty text or list counts as entered, because it clears a value. Null never counts as entered. */
	isUpdate?: boolean;
}

/** Returns true if the form leaves a request field empty, so that the JSON may set it. */
const isUnset = (value: unknown, isUpdate: boolean): boolean =>
	isNil(value) || (!isUpdate && (value === '' || (Array.isArray(value) && value.length === 0)));

const createConflictError = (name: string, path: string[]) =>
	new InvalidInputError(
		`has '${name}', which the form already sets`,
		path,
		`Nothing was sent. Remove '${name}' from the JSON, and use the form's own field instead.`,
	);

/**
 * Checks that fields in JSON replace no other field of the request. Case is ignored, because some platforms ignore it.
 * @param formFields the fields that the operation sets
 * @throws InvalidInputError
 */
export function rejectReplacedFields(
	jsonFields: Record<string, unknown>,
	formFields: Record<string, unknown>,
	{ path = [], isUpdate = false }: MergeOptions = {},
): void {
	const setNames = new Set(
		Object.entries(formFields).flatMap(([name, value]) => (isUnset(value, isUpdate) ? [] : [getRootName(name)])),
	);
	const replacedName = Object.keys(jsonFields).find((name) => setNames.has(getRootName(name)));
	if (replacedName !== undefined) throw createConflictError(replacedName, path);
}

/**
 * Checks that the fields in JSON that a user adds to a search or an export replace no other field of its body.
 * @throws InvalidInputError
 */
export const rejectReplacedSearchFields = (
	jsonFields: Record<string, unknown> = {},
	bodyFields: Record<string, unknown> = {},
): void => rejectReplacedFields(jsonFields, bodyFields, { path: ['options', 'additionalFieldsJson'] });

/** Copies fields without those that the JSON has, too, possibly in another case. */
export function omitJsonNames<T>(fields: Record<string, T>, jsonFields: Record<string, unknown>): Record<string, T> {
	const jsonNames = new Set(Object.keys(jsonFields).map(getRootName));
	return Object.fromEntries(Object.entries(fields).filter(([name]) => !jsonNames.has(getRootName(name))));
}

/** Renames fields to the known names that differ from theirs only in case, as the names in JSON may do: "priority" for "Priority". */
export function useKnownNames<T>(fields: Record<string, T>, knownNames: readonly string[]): Record<string, T> {
	const namesByLowerCase = new Map(knownNames.map((name) => [name.toLowerCase(), name]));
	return mapKeys(fields, (_value, name) => namesByLowerCase.get(name.toLowerCase()) ?? name);
}

/**
 * Adds fields in JSON to the fields that the form sets. Objects that both have are merged.
 * @throws InvalidInputError if the JSON has a field that the form sets, or a masked email address
 */
export function addJsonFields(
	formFields: Record<string, unknown>,
	jsonFields: Record<string, unknown> = {},
	options: MergeOptions = {},
): IDataObject {
	const { path = ['additionalFields', 'additionalFieldsJson'], isUpdate = false } = options;
	const formNames = new Map(Object.keys(formFields).map((name) => [getRootName(name), name]));
	const mergedFields: Record<string, unknown> = { ...formFields };
	for (const [jsonName, jsonValue] of Object.entries(jsonFields)) {
		if (/email/i.test(jsonName)) rejectMaskedEmail(jsonValue, [...path, jsonName]);
		const formName = formNames.get(getRootName(jsonName));
		const formValue = formName === undefined ? undefined : formFields[formName];
		if (formName !== undefined && isRecord(formValue) && isRecord(jsonValue)) {
			mergedFields[formName] = addJsonFields(formValue, jsonValue, { path, isUpdate });
			continue;
		}
		if (!isUnset(formValue, isUpdate)) throw createConflictError(jsonName, path);
		if (formName !== undefined) mergedFields[formName] = undefined;
		mergedFields[jsonName] = jsonValue;
	}
	return toItemJson(omitBy(mergedFields, isUndefined));
}
