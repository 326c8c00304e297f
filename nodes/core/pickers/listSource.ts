import { get, orderBy, uniqBy } from 'lodash';
import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { wholeListOf, type Page } from '../pagination/page';
import { isCompleteList, readAgainIfIncomplete, readList, readPage } from '../pagination/readList';
import type { Asker } from '../fields/field';
import { locatorValue } from '../fields/fieldTypes';
import { isMissing, InvalidInput, rethrow } from '../http/errors';
import { parseId, type ServiceRequest } from '../http/request';
import { searchFilter } from '../http/requestVariants';
import { DEFAULT_SETTINGS, Service } from '../http/client';
import { companyNamed, listCompanies } from '../companies/companies';
import { endpointOf, type EndpointKey } from '../api/endpoint';
import { identityOf, isRecord, isScalar, normalized, type Choice } from '../values';

export interface PickerPage {
	choices: Choice[];
	isLast: boolean;
}

/** An operation that lists what can be chosen, and how to read its records. */
export interface Listing {
	endpoint: EndpointKey;
	/** The fields that may have the ID and the name of a record (deployment facts, "Naming"); the first match counts. */
	id?: readonly string[];
	name?: readonly string[];
	/** Whether the list is of the chosen customer instead of the credential. */
	scoped?: boolean;
	/** The field with the time that the list is sorted by here, the newest first, where the service cannot; it is read whole then. */
	newestBy?: string;
	/** The values for the path's placeholders, from other fields of the form. @throws InvalidInput */
	path?: (asker: Asker) => Record<string, string>;
	/** The fields on which the list depends besides the company. */
	dependsOn?: readonly string[];
	/** Whether only some platforms have it (deployment beyond); the list is empty on the others. */
	optional?: boolean;
	/** Whether the answer may be one record instead of a page (deployment shapes: direct-email-settings/search). */
	mayBeAlone?: boolean;
	/** Turns a listed record into several, for example a company into itself and its child companies. */
	flatten?: (record: IDataObject) => IDataObject[];
	/** Reads a record where the names of its fields are not enough. @returns undefined for one that cannot be chosen */
	entry?: (record: IDataObject) => Choice | undefined;
}

const PAGE_SIZE = 100;

/** How long to wait for an answer, in ms: a person looks at the open list and cannot stop the request. */
const TIMEOUT_MS = 30_000;

/** The mode of the company's field in which its name is entered. */
export const BY_NAME = 'name';

/**
 * The value of another field in the form.
 * @param instead what the user can enter in the field of the list instead, for the error
 * @throws InvalidInput while the other field is empty, or is an expression without a value
 */
export function textIn({ parameters }: Asker, field: string, label: string, instead = 'an ID'): string {
	const value = locatorValue(get(parameters, field));
	// The editor gives null for an expression before there is input data (n8n-facts 17).
	if (value === null) {
		const sentence = `${label} is an expression: run the previous node once, or enter ${instead}`;
		// A multi-select list shows only the advice of an error.
		throw new InvalidInput(sentence, [], `${sentence}. Then open this list again.`);
	}
	const text = isScalar(value) ? String(value).trim() : '';
	if (text === '')
		throw new InvalidInput('must be filled in first', [label], `Choose '${label}' first, then open this list again.`);
	return text;
}

/** The form that is open in the editor. */
export function openForm(editor: ILoadOptionsFunctions): Asker {
	const form = {
		parameters: editor.getCurrentNodeParameters() ?? {},
		service: async () => Service.open(editor, { ...DEFAULT_SETTINGS, timeoutMs: TIMEOUT_MS }),
		company: async () => companyIn(form),
	};
	return form;
}

/** The customer that is chosen in the form; undefined if the node acts for none. @throws InvalidInput while none is chosen */
async function companyIn(form: Asker): Promise<Choice | undefined> {
	const { companyScope, company: chosen } = form.parameters;
	if (companyScope !== 'one') return undefined;
	const text = textIn(form, 'company', 'Company', 'a name');
	try {
		if (!isRecord(chosen) || chosen.mode !== BY_NAME) return { id: parseId(text), name: '' };
		return companyNamed(text, (await listCompanies(await form.service())).records);
	} catch (error) {
		return await rethrow(error instanceof InvalidInput ? error.within('Company') : error);
	}
}

/** A record as an entry. @returns undefined for one without an ID, which cannot be chosen */
function choiceOf(listing: Listing, record: IDataObject): Choice | undefined {
	if (listing.entry) return listing.entry(record);
	const id = identityOf(record, listing.id ?? []);
	return id === undefined ? undefined : { id, name: identityOf(record, listing.name ?? []) ?? `No name (${id})` };
}

/** The entries of records, each ID once: a company may be listed on its own and inside its parent. */
const choicesOf = (listing: Listing, records: IDataObject[]): Choice[] =>
	uniqBy(
		(listing.flatten ? records.flatMap(listing.flatten) : records).flatMap((record) => choiceOf(listing, record) ?? []),
		'id',
	);

async function listRequest(listing: Listing, asker: Asker, searchText = ''): Promise<ServiceRequest> {
	const { endpoint, path } = listing;
	const company = listing.scoped ? await asker.company() : undefined;
	const body = { filter: searchFilter({ searchText }) };
	return {
		endpoint,
		purpose: 'read the list',
		body: endpointOf(endpoint).method === 'GET' ? undefined : body,
		path: path?.(asker),
		company,
		signal: asker.signal,
	};
}

/** The entries of a list that was read to its end or to a limit. */
export interface WholeList {
	choices: Choice[];
	/** False if entries may be missing, so that the same name may occur once more. */
	isComplete: boolean;
	/** True if the platform has no such list. */
	isAbsent: boolean;
}

/**
 * Where the entries of a picker come from. Both throw ServiceError, and InvalidInput while a field that the list depends on is
 * not filled in.
 */
export interface Source {
	/** The fields of the form whose change loads the list again, for n8n. */
	dependsOn?: readonly string[] | undefined;
	/** One page, counted from 1, of the entries with a text in their name. */
	page: (asker: Asker, searchText: string, pageNumber: number) => Promise<PickerPage>;
	/** All entries, or those with a text in their name. @param most how many are enough; it may give more */
	all: (asker: Asker, searchText?: string, most?: number) => Promise<WholeList>;
}

/** The fields that decide which company a list is of. */
export const COMPANY_FIELDS: readonly string[] = ['companyScope', 'company.value'];

/** Creates a source that is always read to its end. @param mayBeAbsent true if an empty list means that the platform has no such list */
export function wholeSource(
	read: (asker: Asker) => Promise<Choice[]>,
	dependsOn?: readonly string[],
	mayBeAbsent = false,
): Source {
	const all: Source['all'] = async (asker, searchText = '') => {
		const choices = await read(asker);
		return {
			choices: choices.filter(({ name }) => normalized(name).includes(normalized(searchText))),
			isComplete: true,
			isAbsent: mayBeAbsent && choices.length === 0,
		};
	};
	return {
		dependsOn,
		all,
		page: async (asker, searchText) => ({ choices: (await all(asker, searchText)).choices, isLast: true }),
	};
}

/** One of the service's lists as a source; one that has no pages, or that is sorted here, is read whole. */
export function sourceOf(listing: Listing): Source {
	const dependsOn = listing.scoped ? [...COMPANY_FIELDS, ...(listing.dependsOn ?? [])] : undefined;
	if (endpointOf(listing.endpoint).method === 'GET')
		return wholeSource(async (asker) => choicesOfGet(listing, asker), dependsOn);
	return {
		dependsOn,
		all: async (asker, searchText, most) => allChoices(listing, asker, searchText, most),
		page: async (asker, searchText, pageNumber) =>
			listing.newestBy === undefined
				? await choicesOn(listing, asker, searchText, pageNumber)
				: { choices: (await allChoices(listing, asker, searchText)).choices, isLast: true },
	};
}

async function choicesOn(listing: Listing, asker: Asker, searchText: string, pageNumber: number): Promise<PickerPage> {
	const request = await listRequest(listing, asker, searchText);
	const service = await asker.service();
	const page = await readPage(service, request, { pageNumber, pageSize: PAGE_SIZE }, listing.mayBeAlone).catch(
		emptyIfMissing(listing),
	);
	const { records, total = 0, pages = Math.ceil(total / PAGE_SIZE) } = page;
	return { choices: choicesOf(listing, records), isLast: records.length === 0 || pageNumber >= pages };
}

async function allChoices(listing: Listing, asker: Asker, searchText?: string, most?: number): Promise<WholeList> {
	const { newestBy } = listing;
	const request = await listRequest(listing, asker, searchText);
	const identity = (record: IDataObject) => choiceOf(listing, record)?.id;
	const service = await asker.service();
	try {
		const read = () => readList(service, request, { identity, limit: most });
		// A write must know that a name occurs only once.
		const list = asker.isWrite === true ? await readAgainIfIncomplete(read) : await read();
		const sorted = newestBy === undefined ? list.records : orderBy(list.records, [newestBy], ['desc']);
		return { choices: choicesOf(listing, sorted), isComplete: isCompleteList(list), isAbsent: false };
	} catch (error) {
		if (listing.optional && isMissing(error)) return { choices: [], isComplete: true, isAbsent: true };
		return await rethrow(error);
	}
}

async function choicesOfGet(listing: Listing, asker: Asker): Promise<Choice[]> {
	const request = await listRequest(listing, asker);
	return choicesOf(listing, wholeListOf((await (await asker.service()).json(request)).data));
}

/** An empty list instead of the error, where a platform may lack it. @throws any other error */
const emptyIfMissing =
	(listing: Listing) =>
	async (error: unknown): Promise<Page> =>
		listing.optional && isMissing(error) ? { records: [] } : await rethrow(error);
