import { InvalidInputError } from './errors';

/** The words that JavaScript writes into a text for a missing value. Their case matters, because Null is a surname. */
const MISSING_VALUE_WORDS = ['undefined', 'null', 'NaN', 'Invalid DateTime', '[object Object]'];

const WORDS_PATTERN = MISSING_VALUE_WORDS.map((word) => word.replace(/[[\]]/g, '\\$&')).join('|');
/** Matches a text that consists of one of these words, with or without surrounding spaces. */
const ONLY_MISSING_VALUE_WORD = new RegExp(`^\\s*(${WORDS_PATTERN})\\s*$`);
/** Matches a text that contains one of these words. */
const CONTAINED_MISSING_VALUE_WORD = new RegExp(`(?<![\\p{L}\\p{N}])(${WORDS_PATTERN})(?![\\p{L}\\p{N}])`, 'u');

/** The advice for a field whose expression probably had no value. */
export const MISSING_VALUE_ADVICE =
	'An expression probably has no value, in this field or in an earlier node that wrote the text. Check the input item, and correct the expression. To send nothing, leave the field empty or remove it.';

/** Returns the word if a text consists of a single word for a missing value, such as ' undefined '. Otherwise returns undefined. */
export const findMissingValueWord = (text: string): string | undefined => ONLY_MISSING_VALUE_WORD.exec(text)?.[1];

/**
 * Rejects a text that consists of a single word for a missing value.
 * @param isName true for a name. A name is also rejected if such a word is one of several words in it.
 * @throws InvalidInputError
 */
export function rejectMissingValue(text: string, isName: boolean): void {
	const onlyWord = findMissingValueWord(text);
	if (onlyWord !== undefined)
		throw new InvalidInputError(`must have a value, but is the word '${onlyWord}'`, [], MISSING_VALUE_ADVICE);
	const containedWord = isName ? CONTAINED_MISSING_VALUE_WORD.exec(text)?.[1] : undefined;
	if (containedWord !== undefined)
		throw new InvalidInputError(`must be a name, but has the word '${containedWord}'`, [], MISSING_VALUE_ADVICE);
}
