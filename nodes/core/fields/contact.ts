import { InvalidInput } from '../http/errors';
import type { Field } from './field';
import { parseText, shown, text, type TextRules } from './fieldTypes';

/** Invisible characters that copying leaves in a text: soft hyphens, zero-width characters, direction marks, byte order marks. */
const INVISIBLE = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

/** Removes what a spreadsheet or an email program adds to a text: invisible characters, blanks at the ends, Excel's leading apostrophe. */
const cleanCell = (cell: string): string =>
	cell
		.replace(INVISIBLE, '')
		.trim()
		.replace(/^'(.*?)'?$/s, '$1')
		.trim();

/**
 * Removes what copying adds to an email address: see `cleanCell`. Of a `mailto:` link only the address is kept (RFC 6068).
 * Every address is cleaned by this function before it is compared and sent.
 */
export function cleanAddress(raw: string): string {
	const cell = cleanCell(raw);
	return /^mailto:([^?]*)/i.exec(cell)?.[1]?.trim() ?? cell;
}

/** Returns an email address for comparison. Capital letters don't count; accents do, because with others it is somebody else's. */
export const normalizeAddress = (raw: string): string => cleanAddress(raw).normalize('NFC').toLowerCase();

/** Removes what copying adds to a phone number. */
export const cleanPhone = cleanCell;

export const isAddress = (word: string): boolean => /^[^\s@]+@[^\s@]+$/.test(word);

/** Cleans a word if it is an email address. Names and IDs are returned unchanged. */
export function cleanIfAddress(word: string): string {
	const address = cleanAddress(word);
	return isAddress(address) ? address : word;
}

/** Matches a phone number. The first group is the number without its extension. */
const PHONE = /^(\(?\+?[\d\s()./\p{Pd}]+)(?:(?:x|ext\.?)\s*\d+)?$/iu;

/** A number with its country code has up to 15 digits (E.164). */
const MAX_DIGITS = 15;

/**
 * Returns true for a phone number. The documents define no format: a system user's number has 1 to 20 characters (contract 2.12), and an
 * example is in the format of E.164 (deployment behaviour, "REST API clients, roles"). So a number can have as many digits as in E.164.
 * Blanks, a plus at the beginning, brackets, dots, slashes, hyphens, and an extension such as x12 are allowed. A short number may be an
 * internal one.
 */
export function isPhone(phone: string): boolean {
	const digits = PHONE.exec(phone)?.[1]?.replace(/\D/g, '') ?? '';
	return digits.length > 0 && digits.length <= MAX_DIGITS;
}

const PHONE_ADVICE = `A phone number has digits, at most ${MAX_DIGITS}; a plus at the beginning, blanks, brackets, dots, slashes, hyphens and an extension such as x12 are allowed. If it is 4.91511E+12 or #N/A, a spreadsheet has changed or lost the number: correct it in the spreadsheet, and format the column as text.`;

/** Creates a field for an email address. */
export function emailField(rules: TextRules): Field<string> {
	const { min = rules.required ? 1 : 0, max } = rules;
	return { ...text(rules), parse: (raw) => parseText(cleanAddress(parseText(raw)), { min, max }) };
}

/** Creates a field for a phone number. It may be empty unless it is required. */
export function phoneField(rules: TextRules): Field<string> {
	const { min = rules.required ? 1 : 0, max } = rules;
	return {
		...text(rules),
		parse: (raw) => {
			const phone = parseText(cleanPhone(parseText(raw)), { min, max });
			if (phone === '' || isPhone(phone)) return phone;
			throw new InvalidInput(`must be a phone number such as +49 30 1234567, but is ${shown(phone)}`, [], PHONE_ADVICE);
		},
	};
}
