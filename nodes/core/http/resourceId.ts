import { InvalidInputError } from './errors';
import { findMissingValueWord, MISSING_VALUE_ADVICE } from './missingValue';

const MAX_ID_LENGTH = 256;

const ID_ADVICE =
	"Select an entry from the list, or drag the ID from another node's output. A name is not accepted here.";

/** Returns true for a GUID. Such a text is certainly an ID, because no name has this format. */
export const isGuid = (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

/**
 * Returns true for a text in one of the known formats of IDs: a GUID, or about twelve letters and digits (deployment
 * behaviour, "Trainings, groups, enrollments"). IDs of other formats exist. A name such as Standort2024 doesn't match,
 * because its digits are at the end.
 */
export const isLikelyId = (text: string) => isGuid(text) || /^(?=[a-z]*\d+[a-z])[a-z\d]{11,13}$/i.test(text);

/** Matches the text of a number that could not be calculated. */
const FAILED_CALCULATION = /^[+-]?(NaN|Infinity)$/;

/** Returns true if a text has a line break or another control character. */
export const hasControlCharacter = (text: string) => /[\p{Cc}\u2028\u2029]/u.test(text);

/**
 * Parses an ID that the user entered. IDs are opaque (contract 2), but the known formats contain neither spaces nor an @
 * (deployment behaviour, "Trainings, groups, enrollments"). An input with one of these is a name or an email address. It is
 * rejected here, because the platform would only answer with a 403 or a 404.
 * @param advice says how to correct the input, for the error
 * @throws InvalidInputError
 */
export function parseId(input: unknown, advice = ID_ADVICE): string {
	const id = parsePathSegment(input, advice);
	if (!/[\s@]/.test(id)) return id;
	const shortenedId = id.length > 40 ? `${id.slice(0, 40)}…` : id;
	throw new InvalidInputError(`must be an ID, but '${shortenedId}' looks like a name`, [], advice);
}

/**
 * Parses an ID or a word that is inserted into a path, and trims it. Only characters that could change the meaning of the path
 * are rejected.
 * @throws InvalidInputError
 */
export function parsePathSegment(input: unknown, advice = ID_ADVICE): string {
	const segment = parseIdOrName(input, advice);
	if (/[/\\?#]/.test(segment) || segment === '.' || segment === '..')
		throw new InvalidInputError('is not an ID: it must not contain / \\ ? # or consist only of dots', [], advice);
	return segment;
}

/** Parses an ID or a name that the user entered, and trims it. @throws InvalidInputError if the input can be neither */
export function parseIdOrName(input: unknown, advice = ID_ADVICE): string {
	const text = toTrimmedText(input);
	if (input === undefined || input === null || text === '')
		throw new InvalidInputError('must not be empty', [], advice);
	if (text === undefined) throw new InvalidInputError('must be an ID', [], advice);
	if (FAILED_CALCULATION.test(text) || findMissingValueWord(text) !== undefined)
		throw new InvalidInputError(`must be an ID, but is ${text}`, [], MISSING_VALUE_ADVICE);
	if (typeof input === 'number' && Math.abs(input) > Number.MAX_SAFE_INTEGER)
		throw new InvalidInputError('has too many digits for a number', [], 'Enter the ID as text.');
	// The input is checked before trimming, because trimming removes a line break at the end.
	if (typeof input === 'string' && hasControlCharacter(input))
		throw new InvalidInputError('must not contain line breaks or control characters', [], advice);
	if (text.length > MAX_ID_LENGTH)
		throw new InvalidInputError(`must have at most ${MAX_ID_LENGTH} characters, but has ${text.length}`, [], advice);
	return text;
}

/** Converts a text or a number to trimmed text. @returns undefined for any other input */
function toTrimmedText(input: unknown): string | undefined {
	if (typeof input === 'string') return input.trim();
	return typeof input === 'number' ? String(input) : undefined;
}
