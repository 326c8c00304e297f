import { DateTime } from 'luxon';
import type { INodePropertyOptions } from 'n8n-workflow';

import { InvalidInputError } from '../http/errors';
import type { FileUpload } from '../http/request';
import { parseId } from '../http/resourceId';
import { toPropertySettings, type Field, type FieldSettings } from './field';
import {
	isDateOnly,
	isEmpty,
	isNonFiniteNumber,
	isRecord,
	isScalar,
	formatList,
	parseDecimal,
	parseNumber,
	readLastMoment,
	tryParseJson,
} from '../values';

/** Describes a value for an error message. A text is shortened to 40 characters. The content of an object or a list is never shown. */
export function describeValue(raw: unknown): string {
	if (isEmpty(raw)) return 'empty';
	if (!isScalar(raw)) return Array.isArray(raw) ? 'a list' : 'an object';
	const text = String(raw);
	const shortText = text.length > 40 ? `${text.slice(0, 40)}…` : text;
	return `'${shortText}'`;
}

/** Creates the error for NaN and infinite numbers, which the calculation in an expression may return. */
export const createNotANumberError = () =>
	new InvalidInputError(
		"has a number that can't be calculated",
		[],
		'Check the expression. It may divide by zero, or calculate with a value that is not a number.',
	);

/** Returns the value inside a resource locator. If an expression returned a plain value instead of a locator, returns that value. */
export const readLocatorValue = (raw: unknown): unknown => (isRecord(raw) ? raw.value : raw);

/**
 * Converts a text, a number or a boolean to text. An empty value, or a text that consists only of spaces, becomes ''. In other texts,
 * spaces at the beginning and the end are kept.
 * @param length the allowed number of characters
 * @throws InvalidInputError for a value of another type, and for a text that is too short or too long
 */
export function parseText(raw: unknown, length: { min?: number; max?: number } = {}): string {
	const { min = 0, max = Infinity } = length;
	if (!isEmpty(raw) && !isScalar(raw)) throw new InvalidInputError('must be text');
	const text = isEmpty(raw) ? '' : String(raw);
	// The spread counts an emoji as one character; `text.length` would count two.
	const characterCount = [...text].length;
	if (characterCount >= min && characterCount <= max) return text;
	if (characterCount === 0) throw new InvalidInputError('must not be empty');
	throw new InvalidInputError(`must have ${min} to ${max} characters, but has ${characterCount}`);
}

/** The settings of a text field. */
export interface TextFieldSettings extends FieldSettings {
	default?: string;
	/** The minimum number of characters (contract 8). If it is 1 or more, a text that consists only of spaces is rejected. */
	min?: number;
	max?: number;
	/** The number of lines that the input box shows. */
	rows?: number;
	/** True if n8n must hide the entered text. */
	password?: boolean;
}

/** Creates a text field. */
export function textField(settings: TextFieldSettings): Field<string> {
	const { min = settings.required ? 1 : 0, max = Infinity, rows, password } = settings;
	return {
		property: {
			...toPropertySettings(settings),
			type: 'string',
			default: settings.default ?? '',
			typeOptions: { rows, password },
		},
		parse: (raw) => parseText(raw, { min, max }),
	};
}

/**
 * Rejects a list in which only some entries are empty, such as the email addresses of people of whom one has none. Without the empty
 * entries, the operation would do less than the user asked for. A value that isn't a list, or is empty as a whole, is not rejected.
 * @throws InvalidInputError that names the position of the first empty entry, counted from 1
 */
export function rejectEmptyEntries(value: unknown): void {
	const entries: unknown[] = Array.isArray(value) ? value : [];
	if (entries.every(isEmpty) || !entries.some(isEmpty)) return;
	throw new InvalidInputError(
		`has an empty entry at position ${entries.findIndex(isEmpty) + 1}`,
		[],
		'If the field has an expression, the input item may not have the data that the expression refers to. Enter a value, or leave out empty entries with an expression such as {{ $json.emails.filter(Boolean) }}.',
	);
}

/**
 * Parses a list of texts. The value can be a list, a JSON list, or one text in which commas or line breaks separate the entries. An entry
 * may be a list itself, because an AI agent can only write an expression as an entry of a list. Such an inner list is replaced by its own
 * entries. Empty parts of a text, and lists that are empty as a whole, are removed.
 * @throws InvalidInputError for an entry that is not text, and for a list in which only some entries are empty
 */
export function parseTextList(raw: unknown): string[] {
	const value = typeof raw === 'string' && raw.trim().startsWith('[') ? parseJson(raw) : raw;
	const entries = splitIntoEntries(value);
	if (Array.isArray(value)) rejectEmptyEntries(entries);
	return entries.map((entry) => parseText(entry).trim()).filter((entry) => entry !== '');
}

function splitIntoEntries(value: unknown): unknown[] {
	if (Array.isArray(value)) return value.flat();
	return typeof value === 'string' ? value.split(/[,\n]/) : [value];
}

/** Creates a field for a list of texts. A required field needs at least one text. */
export const textListField = (settings: FieldSettings): Field<string[]> => ({
	...textField(settings),
	parse: (raw) => {
		const entries = parseTextList(raw);
		if (settings.required && entries.length === 0) throw new InvalidInputError('must not be empty');
		return entries;
	},
});

/**
 * Creates a required field for a record's ID. Use it for records that the user can't select from a list, because the contract has no list
 * of them.
 */
export const idField = (settings: FieldSettings): Field<string> => ({
	...textField({ placeholder: 'e.g. 3f2a9c10-6b1e-4f57-9a53-0d9a4c6be111', ...settings, required: true }),
	parse: (raw) => parseId(raw, "Drag the ID from another node's output, or enter it. A name isn't accepted here."),
});

/**
 * Creates a field for a whole number from `min` to `max`. Text that is a number is accepted, because AI agents and spreadsheets send
 * numbers as text. If `min` is above 0, the n8n property gets no minimum, because the editor would silently replace an entered 0 with
 * the minimum. The number is then only checked when the operation runs.
 */
export function wholeNumberField(
	settings: FieldSettings & { default: number; min: number; max?: number },
): Field<number> {
	const { min, max = Infinity } = settings;
	const range = max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`;
	return {
		property: {
			...toPropertySettings(settings),
			type: 'number',
			typeOptions: { minValue: min > 0 ? undefined : min, maxValue: max === Infinity ? undefined : max },
			default: settings.default,
		},
		parse: (raw) => {
			const value = parseNumber(raw);
			if (!Number.isInteger(value) || value < min || value > max)
				throw new InvalidInputError(`must be a whole number ${range}, but is ${describeValue(raw)}`);
			return value;
		},
	};
}

/** Creates a field for a boolean. The texts 'true' and 'false' are accepted too, in upper or lower case. */
export function toggleField(settings: FieldSettings & { default: boolean }): Field<boolean> {
	return {
		property: { ...toPropertySettings(settings), type: 'boolean', default: settings.default },
		parse: (raw) => {
			const value = typeof raw === 'string' ? raw.trim().toLowerCase() : raw;
			if (value === true || value === 'true') return true;
			if (value === false || value === 'false') return false;
			throw new InvalidInputError(`must be true or false, but is ${describeValue(raw)}`);
		},
	};
}

type ChoiceOptions<V extends string> = Array<INodePropertyOptions & { value: V }>;

/**
 * Creates a field in which the user selects one of several fixed values. If the values are numbers as text, a number is accepted too,
 * because an expression or a spreadsheet may return the number 1 for the value '1'.
 */
export function choiceField<const V extends string>(
	settings: FieldSettings & { options: ChoiceOptions<V>; default: V; noDataExpression?: boolean },
): Field<V> {
	const { options, noDataExpression } = settings;
	const hasNumbers = options.some(({ value }) => !Number.isNaN(parseDecimal(value)));
	return {
		property: {
			...toPropertySettings(settings),
			type: 'options',
			options,
			allowArbitraryValues: hasNumbers || undefined,
			default: settings.default,
			noDataExpression: noDataExpression || undefined,
		},
		parse: (raw) => {
			const selectedValue = typeof raw === 'number' ? String(raw) : raw;
			const option = options.find(({ value }) => value === selectedValue);
			if (option) return option.value;
			const allowedTexts = options.map(({ value }) => `'${value}'`).join(', ');
			throw new InvalidInputError(`must be one of ${allowedTexts}, but is ${describeValue(raw)}`);
		},
	};
}

/**
 * Creates a field in which the user selects one or more of several fixed values. An unknown value is rejected, not ignored, because the
 * operation would then do less than the user asked for.
 */
export function multiChoiceField<const V extends string>(
	settings: FieldSettings & { options: ChoiceOptions<V>; default: V[] },
): Field<V[]> {
	const { options } = settings;
	return {
		property: { ...toPropertySettings(settings), type: 'multiOptions', options, default: settings.default },
		parse: (raw) => {
			const selection: unknown[] = Array.isArray(raw) ? raw : [];
			rejectEmptyEntries(selection);
			const allowedValues = options.map(({ value }) => value);
			const unknownValue = selection.find((entry) => !allowedValues.some((value) => value === entry));
			if (unknownValue !== undefined)
				throw new InvalidInputError(
					`has ${describeValue(unknownValue)}, but accepts only these values: ${formatList(allowedValues.map(describeValue))}`,
				);
			if (selection.length > 0) return allowedValues.filter((value) => selection.includes(value));
			throw new InvalidInputError('must have at least one choice', [], 'Select at least one entry of the list.');
		},
	};
}

/** The maximum depth of nested lists and objects. A value that is nested much deeper would cause a stack overflow when it is sent. */
const MAX_DEPTH = 100;

/** Checks a value and returns it. @throws InvalidInputError if the value is nested too deeply, or contains NaN or an infinite number */
function checkNesting(value: unknown): unknown {
	let level = [value];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > MAX_DEPTH)
			throw new InvalidInputError(`must not have lists and objects that are nested more than ${MAX_DEPTH} levels deep`);
		if (level.some(isNonFiniteNumber)) throw createNotANumberError();
		level = level.flatMap((part): unknown[] => (typeof part === 'object' && part !== null ? Object.values(part) : []));
	}
	return value;
}

/**
 * Parses JSON text. Any other value is checked and returned unchanged, because an expression may return a list or an object.
 * @returns undefined for text that is empty or consists only of spaces
 * @throws InvalidInputError for text that is not JSON, and for a value that is nested too deeply or contains NaN or an infinite number
 */
function parseJson(raw: unknown): unknown {
	if (typeof raw !== 'string') return checkNesting(raw);
	if (raw.trim() === '') return undefined;
	const parsed = tryParseJson(raw);
	if ('value' in parsed) return checkNesting(parsed.value);
	throw new InvalidInputError(
		`must be JSON, but isn't valid: ${parsed.reason.slice(0, 120)}`,
		[],
		'Check brackets, commas and quotation marks. Names and texts need double quotes.',
	);
}

/**
 * Creates a field for JSON.
 * @param settings.convert converts the parsed JSON to the field's value, or throws InvalidInputError if the JSON has the wrong content
 */
export function jsonField<T>(settings: FieldSettings & { default?: string; convert: (value: unknown) => T }): Field<T> {
	return {
		property: { ...toPropertySettings(settings), type: 'json', default: settings.default ?? '' },
		parse: (raw) => settings.convert(parseJson(raw)),
	};
}

/** An example of an expression that returns a date after today. */
export const TWO_WEEKS_EXAMPLE = '{{ $now.plus({ weeks: 2 }) }} is in two weeks';

/**
 * Parses a point in time in any form that n8n provides: ISO 8601 text, a luxon DateTime or a Date.
 * @param timezone the IANA name of the time zone in which text without an offset is read
 * @param expectedInput describes what the field accepts; used in the error message
 * @returns ISO 8601 in UTC (contract 2)
 * @throws InvalidInputError for any other value
 */
export function parseDate(raw: unknown, timezone: string, expectedInput = 'a date'): string {
	const date = readDateTime(raw, timezone);
	if (date.isValid) return date.toUTC().toISO();
	const message = `must be ${expectedInput} such as 2026-01-31 or 2026-01-31T09:00:00Z, but is ${describeValue(raw)}`;
	throw new InvalidInputError(
		message,
		[],
		`As an expression, ${TWO_WEEKS_EXAMPLE}, and {{ $now.minus({ weeks: 2 }) }} was two weeks ago.`,
	);
}

/** Converts a value to a point in time. @returns an invalid DateTime if the value is not a date */
function readDateTime(raw: unknown, timezone: string) {
	if (raw instanceof Date || DateTime.isDateTime(raw)) return DateTime.fromMillis(raw.valueOf());
	if (typeof raw === 'string' && /^\s*\d{4}-\d{2}-\d{2}/.test(raw))
		return DateTime.fromISO(raw.trim().replace(' ', 'T'), { zone: timezone });
	return DateTime.invalid('not a date');
}

/**
 * Parses the date on which something ends. Differs from `parseDate` in that a date without a time means the end of that day. So does
 * midnight as a DateTime, such as n8n's `$today`.
 * @throws InvalidInputError
 */
export function parseEndDate(raw: unknown, timezone: string, expectedInput?: string): string {
	const moment = parseDate(raw, timezone, expectedInput);
	if (DateTime.isDateTime(raw) && raw.equals(raw.startOf('day'))) return raw.endOf('day').toJSDate().toISOString();
	return isDateOnly(raw) ? readLastMoment(raw, timezone).toJSDate().toISOString() : moment;
}

/**
 * Creates a field for a point in time. If the field is empty, its parsed value is undefined. A required field must not be empty.
 * @param parse use `parseEndDate` if the field is for the time at which something ends
 */
export function dateTimeField(settings: FieldSettings, parse: typeof parseDate = parseDate): Field<string | undefined> {
	return {
		property: { ...toPropertySettings(settings), type: 'dateTime', default: '' },
		parse: (raw, { timezone }) => {
			if (!isEmpty(raw)) return parse(raw, timezone);
			if (settings.required) throw new InvalidInputError('must not be empty', [], 'Enter a date, or remove the field.');
			return undefined;
		},
	};
}

/**
 * Creates a field for a file. Its raw value is the name of the item's binary field, or a file object that an expression returned. If the
 * field is empty, its parsed value is undefined.
 */
export function fileField(settings: FieldSettings & { default?: string }): Field<FileUpload | undefined> {
	return {
		...textField(settings),
		parse: async (raw, item) => {
			const file = isRecord(raw) ? raw : parseText(raw, { min: settings.required ? 1 : 0 });
			return file === '' ? undefined : await item.readUpload(file);
		},
	};
}

/** Returns a copy of a field that may be empty. The parsed value of an empty field or an empty resource locator is then undefined. */
export const makeOptional = <T>(field: Field<T>): Field<T | undefined> => ({
	...field,
	parse: async (raw, item) => (isEmpty(readLocatorValue(raw)) ? undefined : await field.parse(raw, item)),
});
