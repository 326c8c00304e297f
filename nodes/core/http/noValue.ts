import { InvalidInput } from './errors';

/** The words that JavaScript writes for a missing value. Case matters, because Null is a surname. */
const WORDS = ['undefined', 'null', 'NaN', 'Invalid DateTime', '[object Object]'];

const PATTERN = WORDS.map((word) => word.replace(/[[\]]/g, '\\$&')).join('|');
const WHOLE = new RegExp(`^\\s*(${PATTERN})\\s*$`);
const AS_WORD = new RegExp(`(?<![\\p{L}\\p{N}])(${PATTERN})(?![\\p{L}\\p{N}])`, 'u');

export const NO_VALUE_ADVICE =
	'An expression probably has no value, in this field or in an earlier node that wrote the text. Check the input item, and correct the expression. To send nothing, leave the field empty or remove it.';

/** Returns the text if it is only a word for a missing value, without blanks around it; otherwise undefined. */
export const findNoValue = (text: string): string | undefined => WHOLE.exec(text)?.[1];

/**
 * Rejects a text that is only a word for a missing value.
 * @param isName true to also reject a text that has such a word among others
 * @throws InvalidInput
 */
export function rejectNoValue(text: string, isName: boolean): void {
	const whole = findNoValue(text);
	if (whole !== undefined) throw new InvalidInput(`must have a value, but is the word '${whole}'`, [], NO_VALUE_ADVICE);
	const word = isName ? AS_WORD.exec(text)?.[1] : undefined;
	if (word !== undefined) throw new InvalidInput(`must be a name, but has the word '${word}'`, [], NO_VALUE_ADVICE);
}
