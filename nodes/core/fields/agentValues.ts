/**
 * This file removes the values that an AI agent leaves empty. n8n requires a value for every $fromAI field without a default
 * (n8n 7), so a model sends a word such as "null" for a field that it has no value for.
 */
import { isEmpty, isNil, isPlainObject, mapValues, pickBy } from 'lodash';

import { isRecord, tryParseJson } from '../values';
import type { Field, FieldMap } from './field';

/**
 * The texts that models send instead of a value. 'Null' isn't in the list because it is a surname, and 'none' isn't because some fields
 * have that value.
 */
const BLANK_TEXTS = ['', 'null', 'NULL', 'undefined', 'n/a', 'N/A'];

/** Parses a text that is a JSON list or object. @returns undefined for any other text */
function parseIfJson(text: string): unknown {
	if (!/^\s*[[{]/.test(text)) return undefined;
	const parsed = tryParseJson(text);
	return 'value' in parsed ? parsed.value : undefined;
}

/** Returns true for null, undefined and blank texts, and for a list or an object that has nothing else. */
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
		pickBy(value, (inner) => !isBlank(inner)),
		removeBlanks,
	);
}

/**
 * The types of fields that can restrict an operation to fewer records. Without the restriction the operation may affect more people, so
 * only reads and updates may run without it.
 */
const RESTRICTING_TYPES = ['boolean', 'multiOptions', 'number', 'options', 'resourceLocator'];

interface AgentRules {
	/** True if the operation may run without the fields that restrict it. */
	canLeaveOutRestrictions: boolean;
}

/** Returns true if a raw value counts as blank in this field. */
function isBlankForField({ property: { type } }: Field<unknown>, raw: unknown): boolean {
	if (type === 'resourceLocator' && isRecord(raw)) return isBlank(raw.value);
	// An agent may send several values as one text. The text " , " has only blank ones.
	if (type === 'multiOptions' && typeof raw === 'string' && raw.split(/[,\n]/).every(isBlank)) return true;
	return isBlank(raw);
}

/**
 * Returns true if an agent must fill in the field, because the operation would affect more records without it. A field that replaces a
 * stored list is no restriction: without it, an update keeps the stored list, and a new record has no list.
 */
const isMandatoryRestriction = (field: Field<unknown>, { canLeaveOutRestrictions }: AgentRules) =>
	field.rejectsEmptyExpression === true &&
	!field.listReplacement &&
	RESTRICTING_TYPES.includes(field.property.type) &&
	!canLeaveOutRestrictions;

/** Reads the fields that the agent added to a collection. Every field of a collection is optional. */
function readCollection(fields: FieldMap, raw: Record<string, unknown>, rules: AgentRules): Record<string, unknown> {
	const values: Record<string, unknown> = {};
	for (const [name, value] of Object.entries(raw)) {
		const field = fields[name];
		const cleanValue = field
			? readValue({ ...field, property: { ...field.property, required: false } }, value, rules)
			: value;
		if (cleanValue !== undefined) values[name] = cleanValue;
	}
	return values;
}

/**
 * Reads a row or a group of fields.
 * @returns undefined if all fields are blank, or if a text field is, because an empty text would erase the stored text
 */
function readRowOrGroup(fields: FieldMap, raw: Record<string, unknown>, rules: AgentRules) {
	if (isBlank(raw)) return undefined;
	const values: Record<string, unknown> = {};
	for (const [name, value] of Object.entries(raw)) {
		const field = fields[name];
		const cleanValue = field ? readValue(field, value, rules) : value;
		// n8n fills in an empty text for a field that is not shown, which doesn't make the row incomplete.
		if (cleanValue === undefined && field?.property.type === 'string' && !field.show) return undefined;
		if (cleanValue !== undefined) values[name] = cleanValue;
	}
	return values;
}

/** Reads a fixed collection, which has a list of rows or one group. @returns undefined if none of them has values */
function readFixedCollection(fields: FieldMap, raw: Record<string, unknown>, rules: AgentRules) {
	const groups: Record<string, unknown> = {};
	for (const [name, group] of Object.entries(raw)) {
		const rows = [group].flat().map((row) => (isRecord(row) ? readRowOrGroup(fields, row, rules) : row));
		const filledRows = rows.filter((row) => row !== undefined);
		if (filledRows.length > 0) groups[name] = Array.isArray(group) ? filledRows : filledRows[0];
	}
	return isEmpty(groups) ? undefined : groups;
}

/** Reads one value. @returns undefined if the field counts as not filled in, null if a required value is missing */
function readValue(field: Field<unknown>, raw: unknown, rules: AgentRules): unknown {
	const { property, innerFields } = field;
	// An expression that returns nothing is treated in the same way as in a run without an agent.
	if (isNil(raw)) return raw;
	// A collection is read field by field, even if all of it is blank, because a field that restricts the operation must not be dropped.
	if (innerFields && property.type === 'collection' && isRecord(raw)) return readCollection(innerFields, raw, rules);
	if (isBlankForField(field, raw)) return property.required || isMandatoryRestriction(field, rules) ? null : undefined;
	if (innerFields && property.type === 'fixedCollection' && isRecord(raw))
		return readFixedCollection(innerFields, raw, rules);
	if (Array.isArray(raw)) return raw.filter((entry) => !isBlank(entry));
	if (property.type !== 'json') return raw;
	const parsed = typeof raw === 'string' ? parseIfJson(raw) : raw;
	// Text that is not JSON is rejected when the field is parsed.
	return parsed === undefined ? raw : removeBlanks(parsed);
}

/**
 * Reads the value that an AI agent sent for a field. If the value is blank, an optional field gets its default, as if it had not been added.
 * A required field gets null, which is rejected when it is parsed.
 * @param raw undefined for a field that the form doesn't have
 */
export function readAgentValue(field: Field<unknown>, raw: unknown, rules: AgentRules): unknown {
	if (raw === undefined) return undefined;
	const value = readValue(field, raw, rules);
	return value === undefined ? field.property.default : value;
}
