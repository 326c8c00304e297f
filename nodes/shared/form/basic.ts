import { DateTime } from 'luxon';
import type { INodePropertyOptions } from 'n8n-workflow';

import { InvalidInput } from '../transport/errors';
import type { Upload } from '../transport/request';
import { propertiesOfFields, type Field, type FieldMap, type Values } from './field';
import { valuesOf } from './values';

/** What every field tells a person. */
export interface Label {
	displayName: string;
	description?: string;
	hint?: string;
	placeholder?: string;
	required?: boolean;
}

/** The parts of a property that a label gives, without those it leaves out. */
export function labelOf(label: Label): Label {
	const { displayName, description, hint, placeholder, required } = label;
	return {
		displayName,
		...(required ? { required } : {}),
		...(placeholder ? { placeholder } : {}),
		...(description ? { description } : {}),
		...(hint ? { hint } : {}),
	};
}

interface TextRules extends Label {
	default?: string;
	/** Fewest characters (contract 8); 1 makes blank text an error. */
	min?: number;
	/** Most characters (contract 8). */
	max?: number;
	rows?: number;
	password?: boolean;
}

/** Whether a value can be told as text without a doubt; an object may break on it. */
export const isScalar = (raw: unknown): raw is string | number | boolean =>
	['string', 'number', 'boolean'].includes(typeof raw);

/** A number as a service may send it, also as text; NaN for what is none. An object may break on being made a number. */
export const numberOf = (value: unknown): number => (typeof value === 'object' && value !== null ? NaN : Number(value));

const isEmpty = (raw: unknown) => raw === undefined || raw === null || raw === '';

/** Checks a text's length. @throws InvalidInput */
export function parseText(raw: unknown, rules: { min?: number; max?: number }): string {
	if (!isEmpty(raw) && !isScalar(raw)) throw new InvalidInput('must be text');
	const text = isEmpty(raw) ? '' : String(raw);
	const { min = 0, max = Infinity } = rules;
	const range = max === Infinity ? `at least ${min}` : `${min} to ${max}`;
	// Blank text is no name, whatever its length.
	const length = text.trim() === '' ? 0 : [...text].length;
	if (length < min || length > max)
		throw new InvalidInput(length === 0 ? 'must not be empty' : `must have ${range} characters, but has ${length}`);
	return text;
}

/** A text. */
export function text(rules: TextRules): Field<string> {
	const { min = rules.required ? 1 : 0, max } = rules;
	return {
		property: {
			...labelOf(rules),
			type: 'string',
			default: rules.default ?? '',
			...(rules.rows ? { typeOptions: { rows: rules.rows } } : {}),
			...(rules.password ? { typeOptions: { password: true } } : {}),
		},
		parse: (raw) => parseText(raw, { min, ...(max === undefined ? {} : { max }) }),
	};
}

interface NumberRules extends Label {
	default: number;
	min: number;
	max?: number;
}

/** A whole number. A text that is one will do, because AI agents and spreadsheets send it so. */
export function wholeNumber(rules: NumberRules): Field<number> {
	const { min, max } = rules;
	const range = max === undefined ? `of at least ${min}` : `from ${min} to ${max}`;
	return {
		property: {
			...labelOf(rules),
			type: 'number',
			typeOptions: { minValue: min, ...(max === undefined ? {} : { maxValue: max }) },
			default: rules.default,
		},
		parse: (raw) => {
			const isText = typeof raw === 'string' && raw.trim() !== '';
			const value = typeof raw === 'number' || isText ? Number(raw) : NaN;
			if (!Number.isInteger(value) || value < min || value > (max ?? Infinity))
				throw new InvalidInput(`must be a whole number ${range}, but is ${shown(raw)}`);
			return value;
		},
	};
}

/** A value as an error message can show it: short, and never an object's inside. */
export function shown(raw: unknown): string {
	if (isEmpty(raw)) return 'empty';
	if (!isScalar(raw)) return Array.isArray(raw) ? 'a list' : 'an object';
	const text = String(raw);
	return `'${text.length > 40 ? `${text.slice(0, 40)}…` : text}'`;
}

/** A yes or no. */
export function toggle(label: Label & { default: boolean }): Field<boolean> {
	return {
		property: {
			...labelOf(label),
			type: 'boolean',
			default: label.default,
		},
		parse: (raw) => {
			const word = typeof raw === 'string' ? raw.trim().toLowerCase() : raw;
			if (word === true || word === 'true') return true;
			if (word === false || word === 'false' || isEmpty(word)) return false;
			throw new InvalidInput(`must be true or false, but is ${shown(raw)}`);
		},
	};
}

interface ChoiceRules<V extends string> extends Label {
	options: Array<INodePropertyOptions & { value: V }>;
	default: V;
	noDataExpression?: boolean;
}

/** One of several values. */
export function choice<const V extends string>(rules: ChoiceRules<V>): Field<V> {
	const { options } = rules;
	return {
		property: {
			...labelOf(rules),
			type: 'options',
			options,
			default: rules.default,
			...(rules.noDataExpression ? { noDataExpression: true } : {}),
		},
		parse: (raw) => {
			// An expression or a sheet gives a number where the value is one.
			const word = typeof raw === 'number' ? String(raw) : raw;
			const found = options.find(({ value }) => value === word);
			if (!found)
				throw new InvalidInput(
					`must be one of ${options.map(({ value }) => `'${value}'`).join(', ')}, but is ${shown(raw)}`,
				);
			return found.value;
		},
	};
}

/**
 * A point in time as n8n gives it: ISO text, a luxon DateTime or a Date.
 * @param timezone what a text without an offset is meant in: the workflow's, as everywhere in n8n
 * @returns ISO 8601 in UTC (contract 2)
 * @throws InvalidInput for a date that is none
 */
export function parseDate(raw: unknown, timezone: string): string {
	const date =
		raw instanceof Date || DateTime.isDateTime(raw)
			? DateTime.fromMillis(raw.valueOf())
			: typeof raw === 'string' && /^\s*\d{4}-\d{2}-\d{2}/.test(raw)
				? DateTime.fromISO(raw.trim().replace(' ', 'T'), { zone: timezone })
				: DateTime.invalid('not a date');
	if (!date.isValid)
		throw new InvalidInput(`must be a date such as 2026-01-31 or 2026-01-31T09:00:00Z, but is ${shown(raw)}`);
	return date.toUTC().toISO();
}

/** Whether a text names a time without saying where: what zone it is meant in decides which moment that is. */
export function isLocalTime(raw: unknown): boolean {
	if (typeof raw !== 'string') return false;
	const [one, other] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'].map((zone) =>
		DateTime.fromISO(raw.trim().replace(' ', 'T'), { zone }),
	);
	return one?.isValid === true && one.toMillis() !== other?.toMillis();
}

/** A point in time; empty means none. */
export function dateTime(label: Label): Field<string | undefined> {
	return {
		property: {
			...labelOf(label),
			type: 'dateTime',
			default: '',
		},
		parse: (raw, { timezone }) => (isEmpty(raw) ? undefined : parseDate(raw, timezone)),
	};
}

/** JSON as text or, from an expression, as a value. @throws InvalidInput when it cannot be read */
export function parseJson(raw: unknown): unknown {
	if (typeof raw !== 'string') return raw;
	if (raw.trim() === '') return undefined;
	const parsed = tryJson(raw);
	if ('value' in parsed) return parsed.value;
	throw new InvalidInput(
		`must be JSON, but is not: ${parsed.reason.slice(0, 120)}`,
		[],
		'Check brackets, commas and quotation marks; names and texts stand in double quotes.',
	);
}

function tryJson(text: string): { value: unknown } | { reason: string } {
	try {
		return { value: JSON.parse(text) };
	} catch (error) {
		return { reason: error instanceof Error ? error.message : 'it cannot be read' };
	}
}

/** JSON of a shape that `shape` knows. */
export function json<T>(label: Label & { default?: string; shape: (value: unknown) => T }): Field<T> {
	return {
		property: {
			...labelOf(label),
			type: 'json',
			default: label.default ?? '',
		},
		parse: (raw) => label.shape(parseJson(raw)),
	};
}

/** Several texts: a list from an expression, or one text with commas or line breaks between them. */
export function parseTexts(raw: unknown): string[] {
	const asList = typeof raw === 'string' && raw.trim().startsWith('[') ? parseJson(raw) : raw;
	const parts: unknown[] = Array.isArray(asList)
		? asList
		: typeof asList === 'string'
			? asList.split(/[,\n]/)
			: isEmpty(asList)
				? []
				: [asList];
	return parts.map((part) => parseText(part, {}).trim()).filter((part) => part !== '');
}

/** Several texts in one field. */
export function texts(label: Label): Field<string[]> {
	return { ...text(label), parse: parseTexts };
}

/** The name of a field of the item that holds a file, or by expression the file itself; empty means none. */
export function binaryInput(label: Label & { default?: string }): Field<Upload | undefined> {
	return {
		...text(label),
		parse: async (raw, item) => {
			const file = isRecord(raw) ? raw : parseText(raw, {});
			return file === '' ? undefined : await item.upload(file);
		},
	};
}

/** From this many on, n8n's lint wants the order of the alphabet. */
const MANY = 5;

/**
 * Optional fields behind an "Add" button: a few in the order given (start before end), many in that of the alphabet.
 * Those that a person did not add have no value.
 */
export function collection<F extends FieldMap>(
	label: Label & { fields: F; button?: string },
): Field<Partial<Values<F>>> {
	const { fields, button = 'Add Field' } = label;
	const inAlphabet = Object.keys(fields).length >= MANY;
	return {
		property: {
			...labelOf(label),
			type: 'collection',
			placeholder: button,
			default: {},
			// n8n would demand a required field even where it was not added, and then refuse to run the workflow.
			options: propertiesOfFields(fields)
				.map(({ required: _required, ...property }) => property)
				.sort((one, other) => (inAlphabet ? one.displayName.localeCompare(other.displayName) : 0)),
		},
		inner: fields,
		parse: async (raw, item) => {
			const given = isRecord(raw) ? raw : {};
			const added = Object.fromEntries(Object.entries(fields).filter(([name]) => name in given));
			const values: Partial<Values<F>> = await valuesOf<F>(
				// Only what was added is read; the result is partial accordingly.
				added as F,
				(name) => given[name],
				item,
			);
			return values;
		},
	};
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Any number of rows, each with the same fields; no row means none. */
export function rows<F extends FieldMap>(
	label: Label & { fields: F; button: string; row: string },
): Field<Array<Values<F>>> {
	const { fields, button, row } = label;
	return {
		property: {
			...labelOf(label),
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: button,
			default: {},
			options: [{ displayName: row, name: 'rows', values: propertiesOfFields(fields) }],
		},
		inner: fields,
		parse: async (raw, item) => {
			const given = isRecord(raw) && Array.isArray(raw.rows) ? raw.rows.filter(isRecord) : [];
			return await Promise.all(given.map(async (each) => await valuesOf<F>(fields, (name) => each[name], item)));
		},
	};
}
