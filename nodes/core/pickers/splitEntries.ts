import type { PickerContext } from '../fields/field';
import { InvalidInputError } from '../http/errors';
import { canContainSeveralValues, formatEntry, listNameSplits, parseEntry } from './entryText';
import { removeLabelMarks } from './labels';
import { readCachedList, type LookupList } from './lookupList';
import { normalizeText, type Choice } from '../values';

/**
 * Splits texts in which other values precede an entry, as in "Sales, Everybody ⟨ID b⟩". To find out where the entry's name begins, the
 * function looks up its ID in the list: the entry's name must be the name that the list has for this ID. If the list doesn't have the ID,
 * because the entry comes from another customer's list, the entry's name may be any name in the list.
 * @param texts the results of splitting one text after each entry
 * @returns the values: names, IDs and entries
 * @throws InvalidInputError if there is no way, or more than one way, to split a text; RequestError
 */
export async function splitEntriesByList(
	texts: readonly string[],
	lookupList: LookupList,
	context: PickerContext,
): Promise<string[]> {
	const values: string[] = [];
	for (const text of texts) {
		const entry = parseEntry(text);
		if (entry && canContainSeveralValues(entry)) values.push(...(await splitEntry(entry, lookupList, context)));
		else values.push(text);
	}
	return values;
}

/** Splits one entry (see `splitEntriesByList`). @param entry its `name` is all the text before the ID */
async function splitEntry(entry: Choice, lookupList: LookupList, context: PickerContext): Promise<string[]> {
	const list = await readCachedList(lookupList, context);
	const listedEntry = list.choices.find(({ id }) => id === entry.id);
	const isListed = (name: string) => {
		if (!listedEntry) return list.findByName(name).length > 0;
		return normalizeText(removeLabelMarks(listedEntry.name)) === normalizeText(name);
	};
	const matchingSplits = listNameSplits(entry.name).filter(({ name }) => isListed(name));
	const [matchingSplit] = matchingSplits;
	if (matchingSplit && matchingSplits.length === 1) {
		return [...matchingSplit.otherValues, formatEntry({ id: entry.id, name: matchingSplit.name })];
	}
	throw new InvalidInputError(
		`has '${entry.name}', which may be one name or several`,
		[],
		'Enter a list with one entry for each, such as {{ ["Sales", "Everybody"] }}.',
	);
}
