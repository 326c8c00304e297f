import { InvalidInput } from '../transport/errors';
import type { Field } from './field';
import { parseJson } from './json';
import { labelOf, type Label } from './label';
import { isEmpty, isScalar } from './value';

interface TextRules extends Label {
	default?: string;
	/** Fewest characters (contract 8); 1 makes blank text an error. */
	min?: number;
	/** Most characters (contract 8). */
	max?: number;
	rows?: number;
	password?: boolean;
}

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
