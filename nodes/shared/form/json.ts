import { InvalidInput } from '../transport/errors';
import { tryJson } from '../transport/json';
import type { Field } from './field';
import { labelOf, type Label } from './label';

/**
 * Parses JSON from text; an expression may give the value itself.
 * @returns undefined for empty text
 * @throws InvalidInput for text that is not JSON
 */
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

/**
 * A field for JSON.
 * @param label.shape turns the parsed value into the field's value, and throws InvalidInput for a wrong one
 */
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
