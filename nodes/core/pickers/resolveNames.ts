import type { PickerContext } from '../fields/field';
import { toError, InvalidInputError, isNotFoundOrForbidden } from '../http/errors';
import { isGuid } from '../http/resourceId';
import { RunCacheKey } from '../http/runCache';
import { mayContainSeveralValues, readEntry, listNameSplits, writeEntry } from './entryText';
import type { ListSource, EntryList } from './listSource';
import { removeLabelMarks } from './labels';
import { indexByName, isMasked, formatList, normalizeText, type Choice } from '../values';

/** A list of the platform whose entries the user can select by name. */
interface NamedList {
	/** The name of the method that reads the list, unique in its node. */
	listMethod: string;
	/** The word for one entry, such as "target group". */
	noun: string;
	source: ListSource;
}

/** A list that was read in this run, with the company that it belongs to. */
interface CachedList extends EntryList {
	listMethod: string;
	company: Choice | undefined;
	ids: ReadonlySet<string>;
	/** Finds the entries with exactly this name. If there are none, finds those with a similar name (see `indexByName`). */
	findByName: (name: string) => Choice[];
}

/**
 * The lists that a run has read. The key of a list consists of its list method, its company, and the values of the fields on which the list
 * depends.
 */
const CACHED_LISTS = new RunCacheKey<Promise<CachedList>>();

/** The list to use if the platform has no such list, or if the credential's role may not read it. */
const ABSENT_LIST: EntryList = { choices: [], isComplete: true, isAbsent: true };

const createCachedList = (list: EntryList, listMethod: string, company: Choice | undefined): CachedList => ({
	...list,
	listMethod,
	company,
	ids: new Set(list.choices.map(({ id }) => id)),
	findByName: indexByName(list.choices, ({ name }) => removeLabelMarks(name)),
});

/**
 * Reads a whole list once for each run and company. A 403 or 404 means that there is no such list, which is remembered. After any other
 * error, the list is requested again for the next item.
 * @throws RequestError
 */
async function readListOnce({ listMethod, source }: NamedList, context: PickerContext): Promise<CachedList> {
	const client = await context.getClient();
	const company = await context.getCompany();
	const lists = client.cache.getMap(CACHED_LISTS);
	const dependencies = (source.dependsOn ?? []).map((path) => context.parameters[getRootField(path)]);
	const key = JSON.stringify([listMethod, company?.id, dependencies]);
	let reading = lists.get(key);
	if (reading === undefined) {
		reading = source
			.readAll(context)
			.catch((error: unknown) => {
				if (isNotFoundOrForbidden(error)) return ABSENT_LIST;
				throw toError(error);
			})
			.then((list) => createCachedList(list, listMethod, company));
		lists.set(key, reading);
		reading.catch(() => lists.delete(key));
	}
	return await reading;
}

/** Finds the customer from whose list an entry was selected, if that list was read in this run. @returns the customer's name or ID */
async function findCustomerOfEntry(
	id: string,
	{ listMethod }: NamedList,
	context: PickerContext,
): Promise<string | undefined> {
	const client = await context.getClient();
	const readings = await Promise.allSettled(client.cache.getMap(CACHED_LISTS).values());
	for (const reading of readings) {
		if (reading.status !== 'fulfilled' || reading.value.listMethod !== listMethod) continue;
		const { company, ids } = reading.value;
		if (ids.has(id)) return company && (company.name || company.id);
	}
	return undefined;
}

/** Returns the name of the form's field in a path such as 'company.value'. */
const getRootField = (path: string) => path.replace(/\..*$/, '');

/**
 * Returns true if an entry may come from another customer's list. This is so if one of the fields that decide which list is read is an
 * expression.
 */
const mayBeFromOtherList = ({ source }: NamedList, { isExpression }: PickerContext): boolean =>
	(source.dependsOn ?? []).some((path) => isExpression?.(getRootField(path)) === true);

/**
 * Converts names, IDs and list entries to IDs of the company that the operation runs for. A GUID is always an ID. An entry has its own ID,
 * but an entry that may come from another customer's list is looked up: first by its ID, then by its name. Any other text is looked up
 * first as a name (see `indexByName`), then as an ID.
 * @throws InvalidInputError if a name has no match or several matches; RequestError
 */
export async function resolveIds(
	texts: readonly string[],
	namedList: NamedList,
	context: PickerContext,
): Promise<string[]> {
	const mustCheckEntries = mayBeFromOtherList(namedList, context);
	const ids: string[] = [];
	for (const text of texts) {
		const entry = readEntry(text);
		if (entry) ids.push(mustCheckEntries ? await lookUpEntry(entry, namedList, context, 'has') : entry.id);
		else ids.push(isGuid(text) ? text : await lookUpText(text, namedList, context));
	}
	return [...new Set(ids)];
}

/**
 * Splits the text before an entry's ID if it may contain several values, as in "Sales, Everybody ⟨ID b⟩". The list shows where the entry's
 * name begins: the name must be the listed name of this ID. If the list doesn't have this ID, because the entry comes from another
 * customer's list, any listed name fits.
 * @param texts the parts of one text that was split behind each entry
 * @throws InvalidInputError if the list doesn't show where the name begins; RequestError
 */
export async function splitEntriesByList(
	texts: readonly string[],
	namedList: NamedList,
	context: PickerContext,
): Promise<string[]> {
	const parts: string[] = [];
	for (const text of texts) {
		const entry = readEntry(text);
		if (entry && mayContainSeveralValues(entry)) parts.push(...(await splitEntry(entry, namedList, context)));
		else parts.push(text);
	}
	return parts;
}

/** Splits one entry as `splitEntriesByList` does. */
async function splitEntry(entry: Choice, namedList: NamedList, context: PickerContext): Promise<string[]> {
	const list = await readListOnce(namedList, context);
	const listedEntry = list.choices.find(({ id }) => id === entry.id);
	const isListed = (name: string) => {
		if (!listedEntry) return list.findByName(name).length > 0;
		return normalizeText(removeLabelMarks(listedEntry.name)) === normalizeText(name);
	};
	const splits = listNameSplits(entry.name).filter(({ name }) => isListed(name));
	const [split] = splits;
	if (split && splits.length === 1) {
		return [...split.otherTexts, writeEntry({ id: entry.id, name: split.name })];
	}
	throw new InvalidInputError(
		`has '${entry.name}', which may be one name or several`,
		[],
		'Give a list with one entry for each, such as {{ ["Sales", "Everybody"] }}.',
	);
}

/**
 * Converts an entry that was selected from a list to an ID of the company that the operation runs for.
 * @throws InvalidInputError if this company doesn't have the entry; RequestError
 */
export async function resolveChosenId(entry: Choice, namedList: NamedList, context: PickerContext): Promise<string> {
	return mayBeFromOtherList(namedList, context) ? await lookUpEntry(entry, namedList, context, 'is') : entry.id;
}

/** Finds the ID of a text that is a name or an ID. @throws InvalidInputError if it is neither; RequestError */
async function lookUpText(text: string, namedList: NamedList, context: PickerContext): Promise<string> {
	const list = await readListOnce(namedList, context);
	// Without a list, an ID cannot be distinguished from a name.
	if (list.isAbsent && /^[\w.-]+$/.test(text)) return text;
	const description = await describeSearch(namedList, context);
	const id = findIdByName(text, list, description, context, 'has');
	if (id !== undefined) return id;
	if (list.ids.has(text)) return text;
	throw new InvalidInputError(`has '${text}', but no ${description} has that name`, [], createNameAdvice(list));
}

/** Finds the ID of an entry that may come from another customer's list: by the entry's ID, then by its name. */
async function lookUpEntry(
	entry: Choice,
	namedList: NamedList,
	context: PickerContext,
	verb: ErrorVerb,
): Promise<string> {
	const { id, name } = entry;
	const list = await readListOnce(namedList, context);
	if (list.isAbsent || list.ids.has(id)) return id;
	const description = await describeSearch(namedList, context);
	const matchingId = findIdByName(name, list, description, context, verb);
	if (matchingId !== undefined) return matchingId;
	const customer = await findCustomerOfEntry(id, namedList, context);
	const origin = customer === undefined ? "another customer's list" : `the list of '${customer}'`;
	throw new InvalidInputError(
		`${verb} '${name}', which was chosen from ${origin}, but no ${description} has that name`,
		[],
		createNameAdvice(list),
	);
}

/** The verb of an error after the field's name: a field with several values "has" an entry, a field with one value "is" it. */
type ErrorVerb = 'has' | 'is';

/** Describes what was looked up at which company, for an error: "target group at 'Golden Crust'". */
async function describeSearch({ noun }: NamedList, context: PickerContext): Promise<string> {
	const company = await context.getCompany();
	return company ? `${noun} at '${company.name || company.id}'` : noun;
}

/**
 * Finds the ID of the only entry with a name.
 * @param description the result of `describeSearch`, for the error
 * @returns undefined if no entry has the name
 * @throws InvalidInputError if several entries have the name, or if the name is masked; before a write, also if the list is incomplete,
 * because an entry that is missing from it may have the same name
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
	const matches = list.findByName(name);
	const [match] = matches;
	if (match === undefined) return undefined;
	if (matches.length > 1) {
		const candidates = matches.map((candidate) => `${removeLabelMarks(candidate.name)} (${candidate.id})`);
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
	return match.id;
}

/** Creates the advice for a name that is not in a list. */
function createNameAdvice({ choices, isComplete, isAbsent }: EntryList): string {
	if (isAbsent) return "The platform doesn't list them, so names can't be looked up. Enter the ID instead.";
	if (!isComplete)
		return 'The platform did not list all of them. If you entered a name, enter the ID. If you entered the ID, run the node again, or use a credential whose role may see the whole list.';
	if (choices.length === 0) return 'Enter the name as the platform shows it, or the ID. The list is empty.';
	const names = choices.map(({ name }) => removeLabelMarks(name));
	return `Enter the name as the platform shows it, or the ID. There are: ${formatList(names, ', ', 5)}.`;
}
