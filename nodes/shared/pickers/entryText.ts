import type { Choice } from '../values';

/** The text between name and ID. The bracket is one that nobody types, so that a name is not taken for an entry. */
const BEFORE_ID = ' ⟨ID ';
const AFTER_ID = '⟩';

/** The signs that an ID has in another form inside an entry, so that the last bracket always begins the ID. */
const SIGNS: ReadonlyArray<[sign: string, written: string]> = [
	['%', '%25'],
	['⟨', '%E2%9F%A8'],
];

/**
 * Writes an entry of a list of several as one text with name and ID: "Everybody ⟨ID 3f2a9c10⟩". The ID is the entry at its own
 * customer, the name finds it at another one.
 */
export function writeEntry({ id, name }: Choice): string {
	if (name === id) return id;
	const writtenId = SIGNS.reduce((text, [sign, written]) => text.replaceAll(sign, written), id);
	return `${name}${BEFORE_ID}${writtenId}${AFTER_ID}`;
}

/** Reads a text of `writeEntry`. @returns undefined for any other text, such as a name or an ID alone */
export function readEntry(text: string): Choice | undefined {
	const end = text.lastIndexOf(BEFORE_ID);
	if (end < 0 || !text.endsWith(AFTER_ID)) return undefined;
	const writtenId = text.slice(end + BEFORE_ID.length, -AFTER_ID.length);
	const id = SIGNS.reduceRight((part, [sign, written]) => part.replaceAll(written, sign), writtenId);
	return id === '' ? undefined : { id, name: text.slice(0, end) };
}
