import type { PickerContext } from '../fields/field';
import { isForbidden, isNotFound, toError } from '../http/errors';
import { RunCacheKey } from '../http/runCache';
import { removeLabelMarks } from './labels';
import type { EntryList, ListSource } from './listSource';
import { indexByName, type Choice } from '../values';

/** A list of the platform in which names are looked up to find IDs. */
export interface LookupList {
	/** The name of the method that reads the list, unique in its node. */
	listMethod: string;
	/** The word for one entry, as written inside a sentence: "target group". */
	noun: string;
	source: ListSource;
	/** True if a text that is not in the list is used as the user entered it, because the platform may accept more values than it lists. */
	acceptsOtherValues?: boolean;
	/** Words that are used as the user entered them if the list lacks them. Errors and notices name them. */
	additionalWords?: readonly string[];
	/** Returns true for a text that is certainly an ID, so that it isn't looked up. A GUID is always an ID. */
	isId?: (text: string) => boolean;
	/** Returns the name by which users look up an entry. By default, it is the platform's name for the entry. */
	getName?: (entry: Choice) => string;
}

/** A list that this run has read, with the company that it belongs to. */
export interface CachedList extends EntryList {
	listMethod: string;
	company: Choice | undefined;
	entriesById: ReadonlyMap<string, Choice>;
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

/** Returns the platform's name for an entry, without what the node added to it. */
export const getPlatformName = ({ name }: Choice) => removeLabelMarks(name);

const createCachedList = (list: EntryList, lookupList: LookupList, company: Choice | undefined): CachedList => ({
	...list,
	listMethod: lookupList.listMethod,
	company,
	entriesById: new Map(list.choices.map((entry) => [entry.id, entry])),
	findByName: indexByName(list.choices, lookupList.getName ?? getPlatformName),
});

/**
 * Returns a whole list, which is read only once for each run and company. A 403 or 404 means that there is no such list; this is cached as
 * well. Other errors are not cached, so the list is requested again for the next item.
 * @param searchText if it isn't empty, only the entries that the platform finds for this text are read
 * @throws RequestError
 */
export async function readCachedList(
	lookupList: LookupList,
	context: PickerContext,
	searchText = '',
): Promise<CachedList> {
	const { listMethod, source } = lookupList;
	const client = await context.getClient();
	const company = await context.getCompany();
	const listsByKey = client.cache.getMap(CACHED_LISTS_KEY);
	const dependencies = (source.dependsOn ?? []).map((path) => context.parameters[getRootFieldName(path)]);
	const key = JSON.stringify([listMethod, company?.id, dependencies, searchText]);
	let listPromise = listsByKey.get(key);
	if (listPromise === undefined) {
		listPromise = source
			.readAll(context, searchText)
			.catch((error: unknown): EntryList => {
				if (isForbidden(error)) return { ...MISSING_LIST, accessError: error };
				if (isNotFound(error)) return MISSING_LIST;
				throw toError(error);
			})
			.then((list) => createCachedList(list, lookupList, company));
		listsByKey.set(key, listPromise);
		listPromise.catch(() => listsByKey.delete(key));
	}
	return await listPromise;
}

/**
 * Finds the customer from whose list an entry was selected.
 * @returns the customer's name or ID, or undefined if this run has not read that list
 */
export async function findCustomerOfEntry(
	id: string,
	{ listMethod }: LookupList,
	context: PickerContext,
): Promise<string | undefined> {
	const client = await context.getClient();
	const listResults = await Promise.allSettled(client.cache.getMap(CACHED_LISTS_KEY).values());
	for (const listResult of listResults) {
		if (listResult.status !== 'fulfilled' || listResult.value.listMethod !== listMethod) continue;
		const { company, entriesById } = listResult.value;
		if (entriesById.has(id)) return company && (company.name || company.id);
	}
	return undefined;
}

/** Returns the first name in the path of a form field: 'company' for 'company.value'. */
export const getRootFieldName = (path: string) => path.replace(/\..*$/, '');
