import type { Choice } from '../values';

/** The text between name and ID. Its bracket is hardly ever typed, so that a name isn't mistaken for an entry. */
const BEFORE_ID = ' ⟨ID ';
const AFTER_ID = '⟩';

/** The characters that are escaped in the ID of an entry, so that the last bracket always begins the ID. */
const ESCAPES: ReadonlyArray<[character: string, escaped: string]> = [
	['%', '%25'],
	['⟨', '%E2%9F%A8'],
];

/**
 * Writes an entry of a multi-select list as one text with name and ID: "Everybody ⟨ID 3f2a9c10⟩". The ID finds the entry at the customer
 * that it was chosen for, the name finds it at another customer.
 */
export function writeEntry({ id, name }: Choice): string {
	if (name === id) return id;
	const escapedId = ESCAPES.reduce((text, [character, escaped]) => text.replaceAll(character, escaped), id);
	return `${name}${BEFORE_ID}${escapedId}${AFTER_ID}`;
}

/** Reads a text that `writeEntry` wrote. @returns undefined for any other text, such as a name or an ID alone */
export function readEntry(text: string): Choice | undefined {
	const end = text.lastIndexOf(BEFORE_ID);
	if (end < 0 || !text.endsWith(AFTER_ID)) return undefined;
	const escapedId = text.slice(end + BEFORE_ID.length, -AFTER_ID.length);
	const id = ESCAPES.reduceRight((part, [character, escaped]) => part.replaceAll(escaped, character), escapedId);
	return id === '' ? undefined : { id, name: text.slice(0, end) };
}
