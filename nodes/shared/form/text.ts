import { InvalidInput } from '../transport/errors';
import type { Field } from './field';
import { parseJson } from './json';
import { labelOf, type Label } from './label';
import { isEmpty, isScalar } from './value';

interface TextRules extends Label {
	default?: string;
	/** The minimum number of characters (contract 8); with 1 or more, text of only spaces is refused. */
	min?: number;
	/** The maximum number of characters (contract 8). */
	max?: number;
	rows?: number;
	password?: boolean;
}

/**
 * Parses a text.
 * @param raw text, a number, true or false; empty values become ''
 * @param rules the allowed number of characters; text of only spaces counts as 0
 * @returns the text, with surrounding spaces kept
 * @throws InvalidInput for anything else, or a length outside the range
 */
export function parseText(raw: unknown, rules: { min?: number; max?: number }): string {
	if (!isEmpty(raw) && !isScalar(raw)) throw new InvalidInput('must be text');
	const text = isEmpty(raw) ? '' : String(raw);
	const { min = 0, max = Infinity } = rules;
	const range = max === Infinity ? `at least ${min}` : `${min} to ${max}`;
	// Text of only spaces counts as empty.
	const length = text.trim() === '' ? 0 : [...text].length;
	if (length < min || length > max)
		throw new InvalidInput(length === 0 ? 'must not be empty' : `must have ${range} characters, but has ${length}`);
	return text;
}

/** A field for text. */
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

/**
 * Parses several texts: a list from an expression, a JSON list, or one text with commas or line breaks between them. An
 * entry of a list may be a list itself: n8n lets an AI write an expression only inside of a list.
 * @returns the texts that are not empty, without surrounding spaces
 * @throws InvalidInput for an entry that is no text
 */
export function parseTexts(raw: unknown): string[] {
	const asList = typeof raw === 'string' && raw.trim().startsWith('[') ? parseJson(raw) : raw;
	const parts: unknown[] = Array.isArray(asList)
		? asList.flat()
		: typeof asList === 'string'
			? asList.split(/[,\n]/)
			: isEmpty(asList)
				? []
				: [asList];
	return parts.map((part) => parseText(part, {}).trim()).filter((part) => part !== '');
}

/** A field for several texts. */
export function texts(label: Label): Field<string[]> {
	return { ...text(label), parse: parseTexts };
}
