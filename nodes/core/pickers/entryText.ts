import type { Choice } from '../values';

/**
 * The text between the name and the ID in the text of an entry. Users hardly ever type this bracket, so a name isn't mistaken for an entry.
 */
const ID_PREFIX = ' ⟨ID ';
const ID_SUFFIX = '⟩';

/** The characters that are escaped in the ID of an entry. Without escaping, a bracket in an ID could be mistaken for its beginning. */
const ESCAPES: ReadonlyArray<[character: string, escaped: string]> = [
	['%', '%25'],
	['⟨', '%E2%9F%A8'],
];

/**
 * Formats an entry of a multi-select list as one text with name and ID: "Everybody ⟨ID 3f2a9c10⟩". The ID identifies the record at the
 * customer from whose list the entry was selected. If the node runs for another customer, it finds that customer's record by the name.
 */
export function formatEntry({ id, name }: Choice): string {
	if (name === id) return id;
	const escapedId = ESCAPES.reduce((text, [character, escaped]) => text.replaceAll(character, escaped), id);
	return `${name}${ID_PREFIX}${escapedId}${ID_SUFFIX}`;
}

/** Reads the ID and the name from a text that `formatEntry` created. @returns undefined for any other text, such as a plain name or ID */
export function parseEntry(text: string): Choice | undefined {
	const nameEnd = text.lastIndexOf(ID_PREFIX);
	if (nameEnd < 0 || !text.endsWith(ID_SUFFIX)) return undefined;
	const escapedId = text.slice(nameEnd + ID_PREFIX.length, -ID_SUFFIX.length);
	const id = ESCAPES.reduceRight((part, [character, escaped]) => part.replaceAll(escaped, character), escapedId);
	return id === '' ? undefined : { id, name: text.slice(0, nameEnd) };
}

/** Matches the characters that separate several values in one text. */
const SEPARATOR = /[,\n]/;

/** Splits a text that may contain several entries. It is split after each entry that is followed by a comma or a line break. */
export const splitAfterEntries = (text: string): string[] =>
	text
		.split(/(?<=⟩)\s*[,\n]/)
		.map((part) => part.trim())
		.filter((part) => part !== '');

/**
 * Splits one text into several values: names, IDs and entries. The text before an entry's ID is not split here. It may contain several
 * values as well, but its commas may also be part of the entry's name (see `listNameSplits`).
 */
export const splitIntoValues = (text: string): string[] =>
	splitAfterEntries(text)
		.flatMap((part) => (parseEntry(part) ? [part] : part.split(SEPARATOR)))
		.filter((value) => value.trim() !== '');

/** Returns true if the text before an entry's ID can contain several values. Only the last of them is then the entry's name. */
export const canContainSeveralValues = ({ name }: Choice): boolean => SEPARATOR.test(name);

/**
 * Returns true if the text before an entry's ID contains another entry. The two entries are then not separated by a comma or a line break.
 */
export const hasEntryInName = ({ name }: Choice): boolean => name.includes(ID_PREFIX) && name.includes(ID_SUFFIX);

/** One way to split the text before an entry's ID: the other values, followed by the entry's name. */
export interface NameSplit {
	otherValues: string[];
	name: string;
}

/** Lists all ways to split the text before an entry's ID. */
export function listNameSplits(text: string): NameSplit[] {
	const parts = text.split(SEPARATOR);
	return parts.map((_part, index) => {
		const partsBefore = parts.slice(0, index);
		// The joined length is right, because each separator is one character.
		const nameStart = partsBefore.join(',').length + (index > 0 ? 1 : 0);
		return {
			otherValues: partsBefore.map((part) => part.trim()).filter((part) => part !== ''),
			name: text.slice(nameStart).trim(),
		};
	});
}
