/** Reads the values of lists that spreadsheets, databases and HR systems write. */
import { findMissingValueWord } from '../../core/http/missingValue';
import { isEmpty, isMasked, isScalar } from '../../core/values';

/** Matches what a spreadsheet shows for a value that it can't calculate or find, in any language: #N/A, #REF!, #NAME?, #NV. */
const SPREADSHEET_ERROR = /^#(\p{Lu}[\p{Lu}\p{N}/_]*[!?]|N\/?\p{Lu}|GETTING_DATA)$/iu;

/** Matches what databases and HR systems write for a missing value. */
const NOT_AVAILABLE = /^(n\/a|\p{Pd}+)$/iu;
/** Matches what databases write for a missing value. It may also be a surname. */
const DATABASE_NULL = /^null$/i;

/** The words for yes and no, in lower case. */
const TRUE_WORDS: readonly string[] = ['true', 'yes', 'y', '1', 'active', 'enabled'];
const FALSE_WORDS: readonly string[] = ['false', 'no', 'n', '0', 'inactive', 'disabled'];

/** Reads a value as trimmed text. An object or a list counts as empty. */
export const toText = (value: unknown): string => (isScalar(value) ? String(value).trim() : '');

/**
 * Returns true for a value that stands for a missing one, that is masked, or that can't be a text: #N/A, N/A, a hyphen, NULL, a****m, an
 * object.
 * @param isName true for a person's name. Null may be a surname, so only the text "null" counts as missing then.
 */
export function isUnusable(value: unknown, isName = false): boolean {
	if (isEmpty(value)) return false;
	const text = toText(value);
	if (text === '' || SPREADSHEET_ERROR.test(text) || NOT_AVAILABLE.test(text) || isMasked(text)) return true;
	return findMissingValueWord(text) !== undefined || (!isName && DATABASE_NULL.test(text));
}

/**
 * Reads a value that means yes or no.
 * @returns undefined if it is empty, and null if it means neither
 */
export function readBoolean(value: unknown): boolean | null | undefined {
	if (isEmpty(value)) return undefined;
	const text = toText(value).toLowerCase();
	if (TRUE_WORDS.includes(text)) return true;
	return FALSE_WORDS.includes(text) ? false : null;
}

/** Reads why a person is skipped. Yes gives a general reason, and no gives none. @returns '' if the person isn't skipped */
export function readSkipReason(value: unknown): string {
	const isSkipped = readBoolean(value);
	if (isSkipped === null) return toText(value);
	return isSkipped === true ? 'is skipped in the list' : '';
}
