import type { PickerContext } from '../fields/field';
import { toError, InvalidInputError, isNotFoundOrForbidden } from '../http/errors';
import { isGuid } from '../http/resourceId';
import { RunCacheKey } from '../http/runCache';
import { canContainSeveralValues, parseEntry, listNameSplits, formatEntry } from './entryText';
import type { ListSource, EntryList } from './listSource';
import { removeLabelMarks } from './labels';
import { indexByName, isMasked, formatList, normalizeText, type Choice } from '../values';

/** A list of the platform in which names are looked up to find IDs. */
interface LookupList {
	/** The name of the method that reads the list, unique in its node. */
	listMethod: string;
	/** The word for one entry, as written inside a sentence: "target group". */
	noun: string;
	source: ListSource;
}

/** A list that this run has read, with the company that it belongs to. */
interface CachedList extends EntryList {
	listMethod: string;
	company: Choice | undefined;
	ids: ReadonlySet<string>;
	/** Finds the entries with exactly this name or, if there are none, those with a similar name (see `indexByName`). */
	findByName: (name: string) => Choice[];
}

/**
 * The cache key for the lists that a run has read. Inside the cache, a list is identified by its list method, its company, and the values
 * of the form fields on which it depends.
 */
const CACHED_LISTS_KEY = new RunCacheKey<Promise<CachedList>>();

/** The result to use if the platform lacks a list, or if the credential's role may not read it. */
const MISSING_LIST: EntryList = { choices: [], isComplete: true, isMissingOnPlatform: true };

const createCachedList = (list: EntryList, listMethod: string, company: Choice | undefined): CachedList => ({
	...list,
	listMethod,
	company,
	ids: new Set(list.choices.map(({ id }) => id)),
	findByName: indexByName(list.choices, ({ name }) => removeLabelMarks(name)),
});

/**
 * Returns a whole list, which is read only once for each run and company. A 403 or 404 means that there is no such list; this is cached as
 * well. Other errors are not cached, so the list is requested again for the next item.
 * @throws RequestError
 */
async function readCachedList({ listMethod, source }: LookupList, context: PickerContext): Promise<CachedList> {
	const client = await context.getClient();
	const company = await context.getCompany();
	const listsByKey = client.cache.getMap(CACHED_LISTS_KEY);
	const dependencies = (source.dependsOn ?? []).map((path) => context.parameters[getRootFieldName(path)]);
	const key = JSON.stringify([listMethod, company?.id, dependencies]);
	let listPromise = listsByKey.get(key);
	if (listPromise === undefined) {
		listPromise = source
			.readAll(context)
			.catch((error: unknown) => {
				if (isNotFoundOrForbidden(error)) return MISSING_LIST;
				throw toError(error);
			})
			.then((list) => createCachedList(list, listMethod, company));
		listsByKey.set(key, listPromise);
		listPromise.catch(() => listsByKey.delete(key));
	}
	return await listPromise;
}

/**
 * Finds the customer from whose list an entry was selected.
 * @returns the customer's name or ID, or undefined if this run has not read that list
 */
async function findCustomerOfEntry(
	id: string,
	{ listMethod }: LookupList,
	context: PickerContext,
): Promise<string | undefined> {
	const client = await context.getClient();
	const listResults = await Promise.allSettled(client.cache.getMap(CACHED_LISTS_KEY).values());
	for (const listResult of listResults) {
		if (listResult.status !== 'fulfilled' || listResult.value.listMethod !== listMethod) continue;
		const { company, ids } = listResult.value;
		if (ids.has(id)) return company && (company.name || company.id);
	}
	return undefined;
}

/** Returns the first name in the path of a form field: 'company' for 'company.value'. */
const getRootFieldName = (path: string) => path.replace(/\..*$/, '');

/**
 * Returns true if an entry can come from the list of another customer than the one that the operation runs for. This is possible if one of
 * the form fields that decide which list is read has an expression.
 */
const canBeFromOtherList = ({ source }: LookupList, { hasExpression }: PickerContext): boolean =>
	(source.dependsOn ?? []).some((path) => hasExpression?.(getRootFieldName(path)) === true);

/**
 * Converts names, IDs and entries of a list to record IDs of the company that the operation runs for:
 * - A GUID is always used as an ID.
 * - An entry contains the ID. If it can come from another customer's list, it is looked up: first by its ID, then by its name.
 * - Any other text is looked up: first as a name (see `indexByName`), then as an ID.
 * @throws InvalidInputError if a name has no match or several matches; RequestError
 */
export async function resolveIds(
	texts: readonly string[],
	lookupList: LookupList,
	context: PickerContext,
): Promise<string[]> {
	const shouldCheckEntries = canBeFromOtherList(lookupList, context);
	const ids: string[] = [];
	for (const text of texts) {
		const entry = parseEntry(text);
		if (entry) ids.push(shouldCheckEntries ? await lookUpEntry(entry, lookupList, context, 'has') : entry.id);
		else ids.push(isGuid(text) ? text : await lookUpText(text, lookupList, context));
	}
	return [...new Set(ids)];
}

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
		'Give a list with one entry for each, such as {{ ["Sales", "Everybody"] }}.',
	);
}

/**
 * Converts an entry that the user selected from a list to a record ID of the company that the operation runs for.
 * @throws InvalidInputError if the list of this company has neither the ID nor the name; RequestError
 */
export async function resolveChosenId(entry: Choice, lookupList: LookupList, context: PickerContext): Promise<string> {
	return canBeFromOtherList(lookupList, context) ? await lookUpEntry(entry, lookupList, context, 'is') : entry.id;
}

/** Finds the record ID for a text that is a name or an ID. @throws InvalidInputError if the list has no such name or ID; RequestError */
async function lookUpText(text: string, lookupList: LookupList, context: PickerContext): Promise<string> {
	const list = await readCachedList(lookupList, context);
	// Without a list, names can't be looked up. A text that looks like an ID is therefore used as an ID.
	if (list.isMissingOnPlatform && /^[\w.-]+$/.test(text)) return text;
	const description = await describeSearch(lookupList, context);
	const id = findIdByName(text, list, description, context, 'has');
	if (id !== undefined) return id;
	if (list.ids.has(text)) return text;
	throw new InvalidInputError(`has '${text}', but no ${description} has that name`, [], createNameAdvice(list));
}

/** Finds the record ID for an entry that can come from another customer's list: first by the entry's ID, then by its name. */
async function lookUpEntry(
	entry: Choice,
	lookupList: LookupList,
	context: PickerContext,
	verb: ErrorVerb,
): Promise<string> {
	const { id, name } = entry;
	const list = await readCachedList(lookupList, context);
	if (list.isMissingOnPlatform || list.ids.has(id)) return id;
	const description = await describeSearch(lookupList, context);
	const matchingId = findIdByName(name, list, description, context, verb);
	if (matchingId !== undefined) return matchingId;
	const customer = await findCustomerOfEntry(id, lookupList, context);
	const origin = customer === undefined ? "another customer's list" : `the list of '${customer}'`;
	throw new InvalidInputError(
		`${verb} '${name}', which was chosen from ${origin}, but no ${description} has that name`,
		[],
		createNameAdvice(list),
	);
}

/** The first word of an error message after the field's label: a multi-select field "has" an entry, a resource locator "is" an entry. */
type ErrorVerb = 'has' | 'is';

/** Describes for an error what was looked up, and at which company: "target group at 'Golden Crust'". */
async function describeSearch({ noun }: LookupList, context: PickerContext): Promise<string> {
	const company = await context.getCompany();
	return company ? `${noun} at '${company.name || company.id}'` : noun;
}

/**
 * Finds the ID of the entry with a name. The name must be unique in the list.
 * @param description the result of `describeSearch`, for the error
 * @returns undefined if no entry has the name
 * @throws InvalidInputError if several entries have the name, or if the name is masked. Before a write, it is also thrown if the list is
 * incomplete, because an entry that is missing from the list may have the same name.
 */
function findIdByName(
	name: string,
	list: CachedList,
	description: string,
	context: PickerContext,
	verb: ErrorVerb,
): string | undefined {
	// Different names may look the same when they are masked.
	if (isMasked(name))
		throw new InvalidInputError(
			`${verb} '${name}', which the platform has masked, so it can't be found by name`,
			[],
			'Choose it from the list of this customer, or enter its ID.',
		);
	const matchingEntries = list.findByName(name);
	const [matchingEntry] = matchingEntries;
	if (matchingEntry === undefined) return undefined;
	if (matchingEntries.length > 1) {
		const candidates = matchingEntries.map((candidate) => `${removeLabelMarks(candidate.name)} (${candidate.id})`);
		throw new InvalidInputError(
			`${verb} '${name}', but more than one ${description} has that name`,
			[],
			`Choose one of them from the list, or enter its ID: ${formatList(candidates)}.`,
		);
	}
	if (!list.isComplete && context.isWrite === true)
		throw new InvalidInputError(
			`${verb} '${name}', but the platform did not list every ${description}, so another one may have that name`,
			[],
			"Nothing was changed. Enter the ID instead. If the credential's role may see only a part of the list, names can't be used here.",
		);
	return matchingEntry.id;
}

/** Creates the advice in the error for a name that was not found in a list. */
function createNameAdvice({ choices, isComplete, isMissingOnPlatform }: EntryList): string {
	if (isMissingOnPlatform) return "The platform doesn't list them, so names can't be looked up. Enter the ID instead.";
	if (!isComplete)
		return 'The platform did not list all of them. If you entered a name, enter the ID. If you entered the ID, run the node again, or use a credential whose role may see the whole list.';
	if (choices.length === 0) return 'Enter the name as the platform shows it, or the ID. The list is empty.';
	const names = choices.map(({ name }) => removeLabelMarks(name));
	return `Enter the name as the platform shows it, or the ID. There are: ${formatList(names, ', ', 5)}.`;
}
