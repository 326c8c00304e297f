import { InvalidInputError } from '../http/errors';
import { isMasked } from '../values';
import type { Field } from './field';
import { parseText, describeValue, textField, type TextFieldSettings } from './fieldTypes';

/** Matches invisible characters that a copied text may contain: soft hyphens, zero-width characters, direction marks, byte order marks. */
const INVISIBLE_CHARACTERS = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

/**
 * Removes the characters that a spreadsheet or an email program adds to a copied text: invisible characters, spaces at the beginning and
 * the end, and the apostrophe with which Excel marks a cell as text.
 */
const removeCopyArtifacts = (text: string): string =>
	text
		.replace(INVISIBLE_CHARACTERS, '')
		.trim()
		.replace(/^'(.*?)'?$/s, '$1')
		.trim();

/**
 * Removes the characters that copying adds to an email address (see `removeCopyArtifacts`). From a `mailto:` link, only the email address
 * is kept (RFC 6068). Every email address is cleaned by this function before it is compared or sent.
 */
export function cleanEmailAddress(raw: string): string {
	const text = removeCopyArtifacts(raw);
	return /^mailto:([^?]*)/i.exec(text)?.[1]?.trim() ?? text;
}

/**
 * Normalizes an email address for comparison. Case is ignored. Accents are kept, because the email address without them may belong to
 * another person.
 */
export const normalizeEmailAddress = (raw: string): string => cleanEmailAddress(raw).normalize('NFC').toLowerCase();

/**
 * Normalizes a domain for comparison. Case, a dot at the end, and the two spellings of other letters than a to z are ignored:
 * "Bäckerei.example." and "xn--bckerei-5wa.example" are the same domain.
 */
export function normalizeDomain(domain: string): string {
	const name = domain.trim().toLowerCase().normalize('NFC').replace(/\.$/, '');
	const url = `https://${name}`;
	return URL.canParse(url) ? new URL(url).hostname : name;
}

/** Removes the characters that copying adds to a phone number. */
export const cleanPhoneNumber = removeCopyArtifacts;

/** Matches an email address. Its domain has at least two parts with a dot between them, and no part is empty. */
const EMAIL_ADDRESS = /^[^\s@<>,;]+@[\p{L}\p{M}\p{N}_-]+(\.[\p{L}\p{M}\p{N}_-]+)+$/u;

/**
 * Returns true for a text that may be an email address. No document defines which addresses the platform accepts, so only what is certainly
 * none is excluded: a text with spaces, angle brackets, commas or semicolons, without exactly one @, or without a complete domain. Email
 * reaches people only on domains with a TXT record (deployment onboarding 2), which a single word such as "x" can't have.
 */
export const isEmailAddress = (text: string): boolean => EMAIL_ADDRESS.test(text);

/** Cleans a text if it is an email address. Other texts, such as names and IDs, are returned unchanged. */
export function cleanIfEmailAddress(text: string): string {
	const address = cleanEmailAddress(text);
	return isEmailAddress(address) ? address : text;
}

/** Matches a phone number. The first capturing group contains the phone number without its extension. */
const PHONE_NUMBER = /^(\(?\+?[\d\s()./\p{Pd}]+)(?:(?:x|ext\.?)\s*\d+)?$/iu;

/** The maximum number of digits of a phone number with its country code (E.164). */
const MAX_PHONE_DIGITS = 15;

/**
 * Returns true for a phone number. No document defines the format. A system user's phone number has 1 to 20 characters (contract 2.12),
 * and an example has the E.164 format (deployment behaviour, "REST API clients, roles"). The number of digits is therefore limited as in
 * E.164. Spaces, a plus at the beginning, brackets, dots, slashes, hyphens, and an extension such as x12 are allowed. There is no minimum
 * number of digits, because short phone numbers may be internal ones.
 */
export function isPhoneNumber(phone: string): boolean {
	const digits = PHONE_NUMBER.exec(phone)?.[1]?.replace(/\D/g, '') ?? '';
	return digits.length > 0 && digits.length <= MAX_PHONE_DIGITS;
}

const PHONE_ADVICE = `Enter at most ${MAX_PHONE_DIGITS} digits. Spaces, a plus at the beginning, brackets, dots, slashes, hyphens and an extension such as x12 are allowed. If the value is 4.91511E+12 or #N/A, a spreadsheet has changed or lost the number: correct it in the spreadsheet, and format the column as text.`;

/**
 * @param path the names that lead from the field to the value, for the error
 * @throws InvalidInputError if the platform has masked the email address (deployment activity 5)
 */
export function rejectMaskedEmail(email: unknown, path: string[] = []): void {
	if (!isMasked(email)) return;
	throw new InvalidInputError(
		`must not have masked email addresses, but has ${describeValue(email)}`,
		path,
		'The platform masks the personal data of this customer. Enter the complete email address.',
	);
}

/** Creates a field for one email address. It must not be masked. Otherwise the format is not checked. */
export function emailField(settings: TextFieldSettings): Field<string> {
	const { min = settings.required ? 1 : 0, max } = settings;
	return {
		...textField(settings),
		parse: (raw) => {
			const email = parseText(cleanEmailAddress(parseText(raw)), { min, max });
			rejectMaskedEmail(email);
			return email;
		},
	};
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
