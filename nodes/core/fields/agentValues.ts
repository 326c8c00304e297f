/**
 * This file removes the blank values that an AI agent sends. n8n requires a value for every $fromAI field without a default (n8n 7). For a
 * field that the agent doesn't want to fill in, its AI model therefore sends a word such as "null".
 */
import { isEmpty, isNil, isPlainObject, mapValues, pickBy } from 'lodash';

import { isRecord, tryParseJson } from '../values';
import type { Field, FieldMap } from './field';

/**
 * The texts that AI models send instead of a value. 'Null' isn't in the list because it is a surname. 'none' isn't in the list because it
 * is a valid value of some fields.
 */
const BLANK_TEXTS = ['', 'null', 'NULL', 'undefined', 'n/a', 'N/A'];

/** Parses a text that contains a JSON list or object. @returns undefined for any other text */
function parseIfJson(text: string): unknown {
	if (!/^\s*[[{]/.test(text)) return undefined;
	const parsed = tryParseJson(text);
	return 'value' in parsed ? parsed.value : undefined;
}

/** Returns true for null, undefined and the texts in `BLANK_TEXTS`, and for a list or an object in which all values are blank. */
function isBlank(value: unknown): boolean {
	if (isNil(value)) return true;
	if (typeof value === 'string') {
		if (BLANK_TEXTS.includes(value.trim())) return true;
		const parsed = parseIfJson(value);
		return parsed !== undefined && isBlank(parsed);
	}
	if (Array.isArray(value)) return value.every(isBlank);
	return isRecord(value) && isPlainObject(value) && Object.values(value).every(isBlank);
}

/** Removes blank values from lists and objects, at any depth. */
function removeBlanks(value: unknown): unknown {
	if (Array.isArray(value)) return value.filter((entry) => !isBlank(entry)).map(removeBlanks);
	if (!isRecord(value) || !isPlainObject(value)) return value;
	return mapValues(
		pickBy(value, (innerValue) => !isBlank(innerValue)),
		removeBlanks,
	);
}

/**
 * The types of fields that can restrict an operation to fewer records or people. If an agent doesn't fill in such a field, the operation
 * affects more of them, so only reads and updates may run without it.
 */
const RESTRICTING_TYPES = ['boolean', 'multiOptions', 'number', 'options', 'resourceLocator'];

interface AgentRules {
	/** True if the operation may run although the agent didn't fill in a field that restricts it to fewer records. */
	canLeaveOutRestrictions: boolean;
}

/** Returns true if a raw value counts as blank in a field of this type. */
function isBlankForField({ property: { type } }: Field<unknown>, raw: unknown): boolean {
	if (type === 'resourceLocator' && isRecord(raw)) return isBlank(raw.value);
	// An agent may send several values as one text. In the text " , ", all of them are blank.
	if (type === 'multiOptions' && typeof raw === 'string' && raw.split(/[,\n]/).every(isBlank)) return true;
	return isBlank(raw);
}

/**
 * Returns true if an agent must fill in the field, because the operation would affect more records without its value. A field that
 * replaces a stored list restricts nothing: without its value, an update keeps the stored list, and a new record has no list.
 */
const isMandatoryRestriction = (field: Field<unknown>, { canLeaveOutRestrictions }: AgentRules) =>
	field.shouldRejectEmptyExpression === true &&
	!field.listReplacement &&
	RESTRICTING_TYPES.includes(field.property.type) &&
	!canLeaveOutRestrictions;

/** Removes blank values from a collection. Every field of a collection is optional. */
function cleanCollection(fields: FieldMap, raw: Record<string, unknown>, rules: AgentRules): Record<string, unknown> {
	const values: Record<string, unknown> = {};
	for (const [name, value] of Object.entries(raw)) {
		const field = fields[name];
		const cleanValue = field
			? cleanRawValue({ ...field, property: { ...field.property, required: false } }, value, rules)
			: value;
		if (cleanValue !== undefined) values[name] = cleanValue;
	}
	return values;
}

/**
 * Removes blank values from a row or a group of fields.
 * @returns undefined if all fields are blank, or if a text field is blank: its empty text would erase the stored text
 */
function cleanRowOrGroup(fields: FieldMap, raw: Record<string, unknown>, rules: AgentRules) {
	if (isBlank(raw)) return undefined;
	const values: Record<string, unknown> = {};
	for (const [name, value] of Object.entries(raw)) {
		const field = fields[name];
		const cleanValue = field ? cleanRawValue(field, value, rules) : value;
		// n8n gives an empty text for a field that isn't shown, so such a field may be blank.
		if (cleanValue === undefined && field?.property.type === 'string' && !field.displayConditions) return undefined;
		if (cleanValue !== undefined) values[name] = cleanValue;
	}
	return values;
}

/** Removes blank values from a fixed collection, which has a list of rows or one group. @returns undefined if nothing is left */
function cleanFixedCollection(fields: FieldMap, raw: Record<string, unknown>, rules: AgentRules) {
	const groups: Record<string, unknown> = {};
	for (const [name, group] of Object.entries(raw)) {
		const rows = [group].flat().map((row) => (isRecord(row) ? cleanRowOrGroup(fields, row, rules) : row));
		const filledRows = rows.filter((row) => row !== undefined);
		if (filledRows.length > 0) groups[name] = Array.isArray(group) ? filledRows : filledRows[0];
	}
	return isEmpty(groups) ? undefined : groups;
}

/**
 * Removes blank values from a field's raw value.
 * @returns undefined if the agent didn't fill in the field, null if the agent had to fill it in
 */
function cleanRawValue(field: Field<unknown>, raw: unknown, rules: AgentRules): unknown {
	const { property, innerFields } = field;
	// An expression that returned nothing gives null or undefined. Both are treated in the same way as in a run without an agent.
	if (isNil(raw)) return raw;
	// A collection is read field by field even if all values are blank, because one of its fields may be a mandatory restriction.
	if (innerFields && property.type === 'collection' && isRecord(raw)) return cleanCollection(innerFields, raw, rules);
	if (isBlankForField(field, raw)) return property.required || isMandatoryRestriction(field, rules) ? null : undefined;
	if (innerFields && property.type === 'fixedCollection' && isRecord(raw))
		return cleanFixedCollection(innerFields, raw, rules);
	if (Array.isArray(raw)) return raw.filter((entry) => !isBlank(entry));
	if (property.type !== 'json') return raw;
	const parsed = typeof raw === 'string' ? parseIfJson(raw) : raw;
	// A text that is not JSON is returned unchanged, and rejected later when the field is parsed.
	return parsed === undefined ? raw : removeBlanks(parsed);
}

/**
 * Returns the raw value that an AI agent sent for a field, without blank values. If nothing is left, an optional field gets its default, as
 * if it had not been added. A field that the agent must fill in gets null, which is rejected later when the field is parsed.
 * @param raw undefined if the field was not added
 */
export function readAgentValue(field: Field<unknown>, raw: unknown, rules: AgentRules): unknown {
	if (raw === undefined) return undefined;
	const value = cleanRawValue(field, raw, rules);
	return value === undefined ? field.property.default : value;
}
