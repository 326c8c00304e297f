/**
 * This file removes the values that an AI agent leaves empty. n8n requires a value for every $fromAI field without a default
 * (n8n-facts 17), so a model sends a word such as "null" for a field that it has no value for.
 */
import { isEmpty, isNil, isPlainObject, mapValues, pickBy } from 'lodash';

import { isRecord, tryJson } from '../values';
import type { Field, FieldMap } from './field';

/** The texts that models send instead of a value. 'Null' isn't one because it is a surname, nor 'none' because some fields have that value. */
const NO_VALUE = ['', 'null', 'NULL', 'undefined', 'n/a', 'N/A'];

/** Reads text as JSON if it is a list or an object. */
function parseIfJson(text: string): unknown {
	if (!/^\s*[[{]/.test(text)) return undefined;
	const parsed = tryJson(text);
	return 'value' in parsed ? parsed.value : undefined;
}

/** Returns true for a value that stands for no value, and for a list or an object that has only such values. */
function isBlank(value: unknown): boolean {
	if (isNil(value)) return true;
	if (typeof value === 'string') {
		if (NO_VALUE.includes(value.trim())) return true;
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
 * The types of fields that can restrict an operation. Without the restriction the operation may affect more people, so only reads and
 * updates may leave it out.
 */
const RESTRICTING = ['boolean', 'multiOptions', 'number', 'options', 'resourceLocator'];

/** The rules of the operation that a form belongs to. */
interface AgentForm {
	canLeaveOutRestrictions: boolean;
}

function isBlankIn({ property: { type } }: Field<unknown>, raw: unknown): boolean {
	if (type === 'resourceLocator' && isRecord(raw)) return isBlank(raw.value);
	// A text for several, such as " , ".
	if (type === 'multiOptions' && typeof raw === 'string' && raw.split(/[,\n]/).every(isBlank)) return true;
	return isBlank(raw);
}

// A list that replaces another is no restriction: without it, the stored one stays, and something new has none.
const isKeptRestriction = (
	{ mustHaveValue, replacesList, property }: Field<unknown>,
	{ canLeaveOutRestrictions }: AgentForm,
) => mustHaveValue === true && !replacesList && RESTRICTING.includes(property.type) && !canLeaveOutRestrictions;

/** Reads the fields that were added to a collection. All of them are optional there. */
function readCollection(fields: FieldMap, raw: Record<string, unknown>, form: AgentForm): Record<string, unknown> {
	const values: Record<string, unknown> = {};
	for (const [name, value] of Object.entries(raw)) {
		const field = fields[name];
		const read = field ? readValue({ ...field, property: { ...field.property, required: false } }, value, form) : value;
		if (read !== undefined) values[name] = read;
	}
	return values;
}

/** Reads a row or a group of fields. @returns undefined if a text has no value, because an empty text would erase the stored one */
function readParts(fields: FieldMap, raw: Record<string, unknown>, form: AgentForm) {
	if (isBlank(raw)) return undefined;
	const parts: Record<string, unknown> = {};
	for (const [name, value] of Object.entries(raw)) {
		const field = fields[name];
		const read = field ? readValue(field, value, form) : value;
		// n8n fills in an empty text for a field that is not shown, which doesn't make the row incomplete.
		if (read === undefined && field?.property.type === 'string' && !field.show) return undefined;
		if (read !== undefined) parts[name] = read;
	}
	return parts;
}

/** Reads a fixed collection, which has a list of rows or one group. @returns undefined if it has no value at all */
function readFixedCollection(fields: FieldMap, raw: Record<string, unknown>, form: AgentForm) {
	const groups: Record<string, unknown> = {};
	for (const [name, group] of Object.entries(raw)) {
		const parts = [group].flat().map((row) => (isRecord(row) ? readParts(fields, row, form) : row));
		const rows = parts.filter((row) => row !== undefined);
		if (rows.length > 0) groups[name] = Array.isArray(group) ? rows : rows[0];
	}
	return isEmpty(groups) ? undefined : groups;
}

/** Reads one value. @returns undefined if the field counts as not given, null if its value is missing */
function readValue(field: Field<unknown>, raw: unknown, form: AgentForm): unknown {
	const { property, inner } = field;
	// An expression without a result is treated as in any other run.
	if (isNil(raw)) return raw;
	// Each field of a collection is read, because one that restricts the operation must not be left out with the others.
	if (inner && property.type === 'collection' && isRecord(raw)) return readCollection(inner, raw, form);
	if (isBlankIn(field, raw)) return property.required || isKeptRestriction(field, form) ? null : undefined;
	if (inner && property.type === 'fixedCollection' && isRecord(raw)) return readFixedCollection(inner, raw, form);
	if (Array.isArray(raw)) return raw.filter((entry) => !isBlank(entry));
	if (property.type !== 'json') return raw;
	const parsed = typeof raw === 'string' ? parseIfJson(raw) : raw;
	// Text that is not JSON is an error where it is parsed.
	return parsed === undefined ? raw : removeBlanks(parsed);
}

/**
 * Reads the value that an AI agent sent for a field. Without a value, an optional field has its default, as if it had not been added.
 * A required field then has null, which is an error when it is parsed.
 * @param raw undefined for a field that the form doesn't have
 */
export function readAgentValue(field: Field<unknown>, raw: unknown, form: AgentForm): unknown {
	if (raw === undefined) return undefined;
	const value = readValue(field, raw, form);
	return value === undefined ? field.property.default : value;
}
