import type { Choice } from '../values';

/** The text between the name and the ID of an entry. Users hardly ever type this bracket, so a name isn't mistaken for an entry. */
const BEFORE_ID = ' ⟨ID ';
const AFTER_ID = '⟩';

/** The characters that are escaped in the ID of an entry, so that the last bracket always begins the ID. */
const ESCAPES: ReadonlyArray<[character: string, escaped: string]> = [
	['%', '%25'],
	['⟨', '%E2%9F%A8'],
];

/**
 * Writes an entry of a multi-select list as one text with name and ID: "Everybody ⟨ID 3f2a9c10⟩". The ID identifies the record at the
 * customer whose list it was selected from. The name is used to find the record of another customer.
 */
export function writeEntry({ id, name }: Choice): string {
	if (name === id) return id;
	const escapedId = ESCAPES.reduce((text, [character, escaped]) => text.replaceAll(character, escaped), id);
	return `${name}${BEFORE_ID}${escapedId}${AFTER_ID}`;
}

/** Reads a text that `writeEntry` wrote. @returns undefined for any other text, such as a name or an ID alone */
export function readEntry(text: string): Choice | undefined {
	const nameEnd = text.lastIndexOf(BEFORE_ID);
	if (nameEnd < 0 || !text.endsWith(AFTER_ID)) return undefined;
	const escapedId = text.slice(nameEnd + BEFORE_ID.length, -AFTER_ID.length);
	const id = ESCAPES.reduceRight((part, [character, escaped]) => part.replaceAll(escaped, character), escapedId);
	return id === '' ? undefined : { id, name: text.slice(0, nameEnd) };
}

/** Matches the characters that separate several values in one text. */
const SEPARATOR = /[,\n]/;

/** Splits a text behind each entry that is followed by a separator. */
export const splitAfterEntries = (text: string): string[] =>
	text
		.split(/(?<=⟩)\s*[,\n]/)
		.map((part) => part.trim())
		.filter((part) => part !== '');

/**
 * Splits one text into several values. The text before an entry's ID may contain several values as well, but it is not split here, because
 * its commas may be part of the entry's name (see `listNameSplits`).
 */
export const splitTexts = (text: string): string[] =>
	splitAfterEntries(text).flatMap((part) => (readEntry(part) ? [part] : part.split(SEPARATOR)));

/** Returns true if the text before an entry's ID may contain several values, of which only the last one is the entry's name. */
export const mayContainSeveralValues = ({ name }: Choice): boolean => SEPARATOR.test(name);

/** Returns true if what was read as the name of an entry contains another entry. There is then no separator between the two. */
export const hasEntryInName = ({ name }: Choice): boolean => name.includes(BEFORE_ID) && name.includes(AFTER_ID);

/** One way to read the text before an entry's ID: as other values, followed by the entry's name. */
export interface NameSplit {
	otherTexts: string[];
	name: string;
}

/** Lists all ways to read the text before an entry's ID. */
export function listNameSplits(text: string): NameSplit[] {
	const parts = text.split(SEPARATOR);
	return parts.map((_part, index) => {
		const partsBefore = parts.slice(0, index);
		// Each separator is one character.
		const nameStart = partsBefore.join(',').length + (index > 0 ? 1 : 0);
		return {
			otherTexts: partsBefore.map((part) => part.trim()).filter((part) => part !== ''),
			name: text.slice(nameStart).trim(),
		};
	});
}
