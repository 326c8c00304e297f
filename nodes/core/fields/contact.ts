import { InvalidInputError } from '../http/errors';
import type { Field } from './field';
import { parseText, describeValue, textField, type TextFieldSettings } from './fieldTypes';

/** Invisible characters that copying leaves in a text: soft hyphens, zero-width characters, direction marks, byte order marks. */
const INVISIBLE_CHARACTERS = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

/** Removes the characters that a spreadsheet or an email program adds to a text: invisible ones, spaces at the ends, Excel's leading apostrophe. */
const cleanCell = (cell: string): string =>
	cell
		.replace(INVISIBLE_CHARACTERS, '')
		.trim()
		.replace(/^'(.*?)'?$/s, '$1')
		.trim();

/**
 * Removes the characters that copying adds to an email address (see `cleanCell`). A `mailto:` link is reduced to its address (RFC 6068).
 * Every address is cleaned by this function before it is compared and sent.
 */
export function cleanEmailAddress(raw: string): string {
	const cell = cleanCell(raw);
	return /^mailto:([^?]*)/i.exec(cell)?.[1]?.trim() ?? cell;
}

/** Normalizes an email address for comparison. Case is ignored. Accents are kept, because an address without them may be another person's. */
export const normalizeEmailAddress = (raw: string): string => cleanEmailAddress(raw).normalize('NFC').toLowerCase();

/** Removes the characters that copying adds to a phone number (see `cleanCell`). */
export const cleanPhoneNumber = cleanCell;

/** Returns true for a text without spaces that has exactly one @ and characters on both sides of it. */
export const isEmailAddress = (word: string): boolean => /^[^\s@]+@[^\s@]+$/.test(word);

/** Cleans a word if it is an email address. Names and IDs are returned unchanged. */
export function cleanIfEmailAddress(word: string): string {
	const address = cleanEmailAddress(word);
	return isEmailAddress(address) ? address : word;
}

/** Matches a phone number. The first group is the number without its extension. */
const PHONE_NUMBER = /^(\(?\+?[\d\s()./\p{Pd}]+)(?:(?:x|ext\.?)\s*\d+)?$/iu;

/** The maximum number of digits of a phone number with its country code (E.164). */
const MAX_PHONE_DIGITS = 15;

/**
 * Returns true for a phone number. The documents define no format: a system user's number has 1 to 20 characters (contract 2.12), and an
 * example is in the format of E.164 (deployment behaviour, "REST API clients, roles"). So a number can have as many digits as in E.164.
 * Spaces, a plus at the beginning, brackets, dots, slashes, hyphens, and an extension such as x12 are allowed. A short number is allowed
 * as well, because it may be an internal number.
 */
export function isPhoneNumber(phone: string): boolean {
	const digits = PHONE_NUMBER.exec(phone)?.[1]?.replace(/\D/g, '') ?? '';
	return digits.length > 0 && digits.length <= MAX_PHONE_DIGITS;
}

const PHONE_ADVICE = `A phone number has digits, at most ${MAX_PHONE_DIGITS}; a plus at the beginning, blanks, brackets, dots, slashes, hyphens and an extension such as x12 are allowed. If it is 4.91511E+12 or #N/A, a spreadsheet has changed or lost the number: correct it in the spreadsheet, and format the column as text.`;

/** Creates a field for an email address. */
export function emailField(settings: TextFieldSettings): Field<string> {
	const { min = settings.required ? 1 : 0, max } = settings;
	return { ...textField(settings), parse: (raw) => parseText(cleanEmailAddress(parseText(raw)), { min, max }) };
}

/** Creates a field for a phone number. It may be empty unless it is required. */
export function phoneField(settings: TextFieldSettings): Field<string> {
	const { min = settings.required ? 1 : 0, max } = settings;
	return {
		...textField(settings),
		parse: (raw) => {
			const phone = parseText(cleanPhoneNumber(parseText(raw)), { min, max });
			if (phone === '' || isPhoneNumber(phone)) return phone;
			throw new InvalidInputError(
				`must be a phone number such as +49 30 1234567, but is ${describeValue(phone)}`,
				[],
				PHONE_ADVICE,
			);
		},
	};
}
