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

/** The characters between texts for several things. */
const SEPARATOR = /[,\n]/;

/** Splits a text behind each entry that another text follows. */
export const splitBehindEntries = (text: string): string[] =>
	text.split(/(?<=⟩)\s*[,\n]/).flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));

/**
 * Splits one text for several. What stands before an entry's ID stays together, although it may be several texts as well: its
 * commas may be part of the entry's name (see `splitName`).
 */
export const splitTexts = (text: string): string[] =>
	splitBehindEntries(text).flatMap((part) => (readEntry(part) ? [part] : part.split(SEPARATOR)));

/** Returns true if the text before an entry's ID may be several texts, of which only the last is the entry's name. */
export const mayBeSeveral = ({ name }: Choice): boolean => SEPARATOR.test(name);

/** Whether an entry stands before an entry's ID: two of them without a comma between them. */
export const hasTwoEntries = ({ name }: Choice): boolean => name.includes(BEFORE_ID) && name.includes(AFTER_ID);

/** One way to read what stands before an entry's ID: as other texts, and the name of the entry behind them. */
export interface NameSplit {
	before: string[];
	name: string;
}

/** Lists all ways to read what stands before an entry's ID. */
export function splitName(text: string): NameSplit[] {
	const parts = text.split(SEPARATOR);
	return parts.map((_part, index) => {
		const before = parts.slice(0, index);
		// Each separator is one character.
		const begin = before.join(',').length + (index > 0 ? 1 : 0);
		return { before: before.map((part) => part.trim()).filter((part) => part !== ''), name: text.slice(begin).trim() };
	});
}
