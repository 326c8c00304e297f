/**
 * Values that an AI agent leaves empty. n8n requires every $fromAI field without a default (n8n-facts 17), so a model has to send
 * something for a field that it has no value for.
 */
import { isEmpty, isNil, isPlainObject, mapValues, pickBy } from 'lodash';

import { isRecord, tryJson } from '../values';
import type { Field, FieldMap } from './field';

/** The words for no value, as models and programs write them. 'Null' is a surname, and 'none' is a value of some fields. */
const NO_VALUE = ['', 'null', 'NULL', 'undefined', 'n/a', 'N/A'];

/** Reads text as JSON if it is a list or an object. */
function parseIfJson(text: string): unknown {
	if (!/^\s*[[{]/.test(text)) return undefined;
	const parsed = tryJson(text);
	return 'value' in parsed ? parsed.value : undefined;
}

/** Tells whether a value is none: a word for it, or a list or an object in which every value is none. */
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

/** Removes the values that are none from lists and objects, at any depth. */
function removeBlanks(value: unknown): unknown {
	if (Array.isArray(value)) return value.filter((entry) => !isBlank(entry)).map(removeBlanks);
	if (!isRecord(value) || !isPlainObject(value)) return value;
	return mapValues(
		pickBy(value, (inner) => !isBlank(inner)),
		removeBlanks,
	);
}

/** The types of restrictions: without a value an operation may do more, so only a restriction of a read or an update is left out. */
const RESTRICTING = ['boolean', 'multiOptions', 'number', 'options', 'resourceLocator'];

/** How the operation that the fields belong to treats them. */
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

/** Reads the fields that were added to a collection, all of which are optional there. */
function readCollection(fields: FieldMap, raw: Record<string, unknown>, form: AgentForm): Record<string, unknown> {
	const values: Record<string, unknown> = {};
	for (const [name, value] of Object.entries(raw)) {
		const field = fields[name];
		const read = field ? readValue({ ...field, property: { ...field.property, required: false } }, value, form) : value;
		if (read !== undefined) values[name] = read;
	}
	return values;
}

/** Reads a row, or fields that are added together. @returns undefined if a text has no value, because an empty one would erase */
function readParts(fields: FieldMap, raw: Record<string, unknown>, form: AgentForm) {
	if (isBlank(raw)) return undefined;
	const parts: Record<string, unknown> = {};
	for (const [name, value] of Object.entries(raw)) {
		const field = fields[name];
		const read = field ? readValue(field, value, form) : value;
		// n8n fills in the text of a field that is not shown: it says nothing about the row.
		if (read === undefined && field?.property.type === 'string' && !field.show) return undefined;
		if (read !== undefined) parts[name] = read;
	}
	return parts;
}

/** Reads a fixed collection, which has a list of rows or one group. @returns undefined if all of it is without a value */
function readFixedCollection(fields: FieldMap, raw: Record<string, unknown>, form: AgentForm) {
	const groups: Record<string, unknown> = {};
	for (const [name, group] of Object.entries(raw)) {
		const parts = [group].flat().map((row) => (isRecord(row) ? readParts(fields, row, form) : row));
		const left = parts.filter((row) => row !== undefined);
		if (left.length > 0) groups[name] = Array.isArray(group) ? left : left[0];
	}
	return isEmpty(groups) ? undefined : groups;
}

/** Reads one value. @returns undefined if the field counts as not given, null if its value is missing */
function readValue(field: Field<unknown>, raw: unknown, form: AgentForm): unknown {
	const { property, inner } = field;
	// An expression without a result is treated as in any other run.
	if (isNil(raw)) return raw;
	if (isBlankIn(field, raw)) return property.required || isKeptRestriction(field, form) ? null : undefined;
	if (inner && property.type === 'collection' && isRecord(raw)) return readCollection(inner, raw, form);
	if (inner && property.type === 'fixedCollection' && isRecord(raw)) return readFixedCollection(inner, raw, form);
	if (Array.isArray(raw)) return raw.filter((entry) => !isBlank(entry));
	if (property.type !== 'json') return raw;
	const parsed = typeof raw === 'string' ? parseIfJson(raw) : raw;
	// Text that is not JSON is an error where it is parsed.
	return parsed === undefined ? raw : removeBlanks(parsed);
}

/**
 * Reads what an AI agent gave for a field. Without a value, an optional field has its default, as if it had not been added; of a
 * required one it is an error where it is parsed.
 * @param raw undefined for a field that is not there
 */
export function readAgentValue(field: Field<unknown>, raw: unknown, form: AgentForm): unknown {
	if (raw === undefined) return undefined;
	const value = readValue(field, raw, form);
	return value === undefined ? field.property.default : value;
}
