import { InvalidInput } from './errors';

/** The words that JavaScript writes where a value is missing. Capital letters count: Null is a surname. */
const WORDS = ['undefined', 'null', 'NaN', 'Invalid DateTime', '[object Object]'];

const PATTERN = WORDS.map((word) => word.replace(/[[\]]/g, '\\$&')).join('|');
const WHOLE = new RegExp(`^\\s*(${PATTERN})\\s*$`);
const AS_WORD = new RegExp(`(?<![\\p{L}\\p{N}])(${PATTERN})(?![\\p{L}\\p{N}])`, 'u');

export const NO_VALUE_ADVICE =
	'An expression probably has no value: in this field, or where the text comes from. Look at what the input item has, and correct the expression. To send nothing, leave the field empty or remove it.';

/** Returns the word that a text consists of, if it is one that stands for a missing value. */
export const findNoValue = (text: string): string | undefined => WHOLE.exec(text)?.[1];

/**
 * Rejects a text that consists of a word for a missing value.
 * @param isName true if the text must not have it as one of its words either
 * @throws InvalidInput
 */
export function rejectNoValue(text: string, isName: boolean): void {
	const whole = findNoValue(text);
	if (whole !== undefined) throw new InvalidInput(`must have a value, but is the word '${whole}'`, [], NO_VALUE_ADVICE);
	const word = isName ? AS_WORD.exec(text)?.[1] : undefined;
	if (word !== undefined) throw new InvalidInput(`must be a name, but has the word '${word}'`, [], NO_VALUE_ADVICE);
}
