import { DateTime } from 'luxon';
import type { INodePropertyOptions } from 'n8n-workflow';

import { InvalidInput } from '../http/errors';
import { parseId, type Upload } from '../http/request';
import { labelOf, type Field, type Label } from './field';
import {
	isBareDay,
	isEmpty,
	isNoNumber,
	isRecord,
	isScalar,
	listOf,
	numberOf,
	readLastMoment,
	tryJson,
} from '../values';

/** A value for an error message: at most 40 characters, and never the content of an object. */
export function shown(raw: unknown): string {
	if (isEmpty(raw)) return 'empty';
	if (!isScalar(raw)) return Array.isArray(raw) ? 'a list' : 'an object';
	const text = String(raw);
	return `'${text.length > 40 ? `${text.slice(0, 40)}…` : text}'`;
}

export const notANumber = () =>
	new InvalidInput('has a number that could not be calculated', [], 'Look at its expression.');

/** The value of a resource locator, or the value itself where an expression gave it without one. */
export const locatorValue = (raw: unknown): unknown => (isRecord(raw) ? raw.value : raw);

/**
 * Parses text, a number, true or false as text; empty values and blanks alone become '', other spaces at the ends are kept.
 * @param length the allowed number of characters
 * @throws InvalidInput for anything else, or a length outside the range
 */
export function parseText(raw: unknown, { min = 0, max = Infinity }: { min?: number; max?: number } = {}): string {
	if (!isEmpty(raw) && !isScalar(raw)) throw new InvalidInput('must be text');
	const text = isEmpty(raw) ? '' : String(raw);
	const { length } = [...text];
	const range = max === Infinity ? `at least ${min}` : `${min} to ${max}`;
	if (length < min || length > max)
		throw new InvalidInput(length === 0 ? 'must not be empty' : `must have ${range} characters, but has ${length}`);
	return text;
}

export interface TextRules extends Label {
	default?: string;
	/** The minimum number of characters (contract 8); with 1 or more, text of only spaces is refused. */
	min?: number;
	max?: number;
	rows?: number;
	password?: boolean;
}

/** A field for text. */
export function text(rules: TextRules): Field<string> {
	const { min = rules.required ? 1 : 0, max = Infinity, rows, password } = rules;
	return {
		property: {
			...labelOf(rules),
			type: 'string',
			default: rules.default ?? '',
			typeOptions: { rows, password },
		},
		parse: (raw) => parseText(raw, { min, max }),
	};
}

/**
 * Parses several texts, without empty ones: a list from an expression, a JSON list, or one text with commas or line breaks
 * between them. An entry of a list may be a list itself: n8n lets an AI write an expression only inside of a list.
 * @throws InvalidInput for an entry that is no text
 */
export function parseTexts(raw: unknown): string[] {
	const value = typeof raw === 'string' && raw.trim().startsWith('[') ? parseJson(raw) : raw;
	const parts: unknown[] = Array.isArray(value)
		? value.flat()
		: typeof value === 'string'
			? value.split(/[,\n]/)
			: [value];
	return parts.map((part) => parseText(part).trim()).filter((part) => part !== '');
}

/** A field for several texts; at least one, where it is required. */
export const texts = (label: Label): Field<string[]> => ({
	...text(label),
	parse: (raw) => {
		const given = parseTexts(raw);
		if (label.required && given.length === 0) throw new InvalidInput('must not be empty');
		return given;
	},
});

/** A required field for the ID of something that the contract has no list of. */
export const idField = (label: Label): Field<string> => ({
	...text({ placeholder: 'e.g. 3f2a9c10-6b1e-4f57-9a53-0d9a4c6be111', ...label, required: true }),
	parse: (raw) =>
		parseId(
			raw,
			"Drag it from another node's output, or enter it as the service gave it; a name is not accepted here.",
		),
});

/**
 * A field for a whole number from `min` to `max`. A number as text is accepted, because AI agents and spreadsheets send
 * it so. The editor is told no minimum above 0: it would silently turn 0 into it.
 */
export function wholeNumber(rules: Label & { default: number; min: number; max?: number }): Field<number> {
	const { min, max = Infinity } = rules;
	const range = max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`;
	return {
		property: {
			...labelOf(rules),
			type: 'number',
			typeOptions: { minValue: min > 0 ? undefined : min, maxValue: max === Infinity ? undefined : max },
			default: rules.default,
		},
		parse: (raw) => {
			const value = numberOf(raw);
			if (!Number.isInteger(value) || value < min || value > max)
				throw new InvalidInput(`must be a whole number ${range}, but is ${shown(raw)}`);
			return value;
		},
	};
}

/** A field for true or false; the same words as text are accepted. */
export function toggle(label: Label & { default: boolean }): Field<boolean> {
	return {
		property: { ...labelOf(label), type: 'boolean', default: label.default },
		parse: (raw) => {
			const word = typeof raw === 'string' ? raw.trim().toLowerCase() : raw;
			if (word === true || word === 'true') return true;
			if (word === false || word === 'false') return false;
			throw new InvalidInput(`must be true or false, but is ${shown(raw)}`);
		},
	};
}

type Options<V extends string> = Array<INodePropertyOptions & { value: V }>;

/** A field for one of several values. */
export function choice<const V extends string>(
	rules: Label & { options: Options<V>; default: V; noDataExpression?: boolean },
): Field<V> {
	const { options, noDataExpression } = rules;
	return {
		property: {
			...labelOf(rules),
			type: 'options',
			options,
			default: rules.default,
			noDataExpression: noDataExpression || undefined,
		},
		parse: (raw) => {
			// An expression or a spreadsheet may give a number where the value is a digit.
			const word = typeof raw === 'number' ? String(raw) : raw;
			const found = options.find(({ value }) => value === word);
			if (found) return found.value;
			throw new InvalidInput(
				`must be one of ${options.map(({ value }) => `'${value}'`).join(', ')}, but is ${shown(raw)}`,
			);
		},
	};
}

/** Several of a few values; at least one. An unknown one is refused: without it, less would be done than was asked for. */
export function choices<const V extends string>(rules: Label & { options: Options<V>; default: V[] }): Field<V[]> {
	const { options } = rules;
	return {
		property: { ...labelOf(rules), type: 'multiOptions', options, default: rules.default },
		parse: (raw) => {
			const given: unknown[] = Array.isArray(raw) ? raw : [];
			const values = options.map(({ value }) => value);
			const unknown = given.find((each) => !values.some((value) => value === each));
			if (unknown !== undefined)
				throw new InvalidInput(`must have only ${listOf(values.map(shown))}, but has ${shown(unknown)}`);
			if (given.length > 0) return values.filter((value) => given.includes(value));
			throw new InvalidInput('must have at least one choice', [], 'Choose one or several entries of the list.');
		},
	};
}

/** How many lists and objects may be inside of each other: what is deeper ends in a stack overflow when it is sent. */
const MAX_DEPTH = 100;

/** @returns the same value @throws InvalidInput for one that is nested too deep */
function shallow(value: unknown): unknown {
	let level = [value];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > MAX_DEPTH)
			throw new InvalidInput(`must have at most ${MAX_DEPTH} lists and objects inside of each other, but has more`);
		if (level.some(isNoNumber)) throw notANumber();
		level = level.flatMap((each): unknown[] => (typeof each === 'object' && each !== null ? Object.values(each) : []));
	}
	return value;
}

/**
 * Parses JSON; an expression may give the value itself, and empty text is none.
 * @throws InvalidInput for text that is not JSON, and what is nested too deep
 */
export function parseJson(raw: unknown): unknown {
	if (typeof raw !== 'string') return shallow(raw);
	if (raw.trim() === '') return undefined;
	const parsed = tryJson(raw);
	if ('value' in parsed) return shallow(parsed.value);
	throw new InvalidInput(
		`must be JSON, but is not: ${parsed.reason.slice(0, 120)}`,
		[],
		'Check brackets, commas and quotation marks; names and texts stand in double quotes.',
	);
}

/** A field for JSON. @param label.shape makes the field's value of the parsed one, and throws InvalidInput for a wrong one */
export function json<T>(label: Label & { default?: string; shape: (value: unknown) => T }): Field<T> {
	return {
		property: { ...labelOf(label), type: 'json', default: label.default ?? '' },
		parse: (raw) => label.shape(parseJson(raw)),
	};
}

/** How a date that depends on the day is entered, for those who do not code. */
export const IN_TWO_WEEKS = '{{ $now.plus({ weeks: 2 }) }} is in two weeks';

/**
 * Parses a point in time as n8n gives it: ISO 8601 text, a luxon DateTime or a Date.
 * @param timezone the IANA name of the time zone for text without an offset: the workflow's, as everywhere in n8n
 * @param wanted what the field takes, for the error
 * @returns ISO 8601 in UTC (contract 2)
 * @throws InvalidInput for anything else
 */
export function parseDate(raw: unknown, timezone: string, wanted = 'a date'): string {
	const date =
		raw instanceof Date || DateTime.isDateTime(raw)
			? DateTime.fromMillis(raw.valueOf())
			: typeof raw === 'string' && /^\s*\d{4}-\d{2}-\d{2}/.test(raw)
				? DateTime.fromISO(raw.trim().replace(' ', 'T'), { zone: timezone })
				: DateTime.invalid('not a date');
	if (date.isValid) return date.toUTC().toISO();
	const reason = `must be ${wanted} such as 2026-01-31 or 2026-01-31T09:00:00Z, but is ${shown(raw)}`;
	throw new InvalidInput(reason, [], `As an expression: ${IN_TWO_WEEKS}.`);
}

/** Parses a date up to which something lasts, as `parseDate` does: a day without a time means its end. @throws InvalidInput */
export function parseEndDate(raw: unknown, timezone: string, wanted?: string): string {
	const moment = parseDate(raw, timezone, wanted);
	return isBareDay(raw) ? readLastMoment(raw, timezone).toJSDate().toISOString() : moment;
}

/** A field for a point in time; empty means none, unless it is required. @param parse reads it: `parseEndDate` for the end of something */
export function dateTime(label: Label, parse: typeof parseDate = parseDate): Field<string | undefined> {
	return {
		property: { ...labelOf(label), type: 'dateTime', default: '' },
		parse: (raw, { timezone }) => {
			if (!isEmpty(raw)) return parse(raw, timezone);
			if (label.required) throw new InvalidInput('must not be empty', [], 'Enter a date, or remove the field.');
			return undefined;
		},
	};
}

/** A field for a file: the name of the item's binary field, or the file itself from an expression; empty means none. */
export function binaryInput(label: Label & { default?: string }): Field<Upload | undefined> {
	return {
		...text(label),
		parse: async (raw, item) => {
			const file = isRecord(raw) ? raw : parseText(raw, { min: label.required ? 1 : 0 });
			return file === '' ? undefined : await item.upload(file);
		},
	};
}

/** The same field, not required: an empty resource locator or expression means undefined. */
export const optional = <T>(field: Field<T>): Field<T | undefined> => ({
	...field,
	parse: async (raw, item) => (isEmpty(locatorValue(raw)) ? undefined : await field.parse(raw, item)),
});
