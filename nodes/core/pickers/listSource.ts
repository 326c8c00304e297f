import { get, orderBy, uniqBy } from 'lodash';
import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { parseWholeList } from '../pagination/page';
import { isCompleteList } from '../pagination/listResult';
import { readAgainIfIncomplete } from '../pagination/readCompleteList';
import { readList, readPage } from '../pagination/readList';
import type { PickerContext } from '../fields/field';
import { readLocatorValue } from '../fields/fieldTypes';
import { isNotFound, InvalidInputError, toError } from '../http/errors';
import type { ApiRequest } from '../http/request';
import { parseId } from '../http/resourceId';
import { buildSearchFilter } from '../api/filter';
import { DEFAULT_CLIENT_SETTINGS, HttpClient } from '../http/client';
import { findCompanyByName, listCompanies } from '../companies/companies';
import { getEndpoint, type EndpointKey } from '../api/endpoint';
import { readId, isRecord, isScalar, normalizeText, type Choice } from '../values';

/** One page of the entries of a picker. */
export interface PickerPage {
	choices: Choice[];
	isLast: boolean;
}

/** A list of the platform from which the user can select: its endpoint, and how its records become entries. */
export interface ChoiceListDefinition {
	endpoint: EndpointKey;
	/** The fields that may have a record's ID (deployment facts, "Naming"). The first field with a value is used. */
	idFields?: readonly string[];
	/** The fields that may have a record's name. The first field with a value is used. */
	nameFields?: readonly string[];
	/** True if each company has its own list. Otherwise the list belongs to the credential. */
	isPerCompany?: boolean;
	/**
	 * The field with the time by which this package sorts the list, newest first. Set it if the platform cannot sort the list by time. The
	 * whole list is then read at once.
	 */
	sortNewestBy?: string;
	/** Builds the values of the path's placeholders from other fields of the form. @throws InvalidInputError */
	buildPath?: (context: PickerContext) => Record<string, string>;
	/** The form's fields that decide which list is read, in addition to the company. */
	dependsOn?: readonly string[];
	/** True if only some platforms have the list (deployment beyond, "How to use this file"). On other platforms it is empty. */
	isOptional?: boolean;
	/** True if the response may be one record instead of a page (deployment shapes, "Beside the 85"). */
	allowSingleRecord?: boolean;
	/** Turns a record into several, for example a company into itself and its child companies. */
	expandRecord?: (record: IDataObject) => IDataObject[];
	/** Reads the ID and the name of a record if the field names are not enough. @returns undefined if the record cannot be selected */
	toChoice?: (record: IDataObject) => Choice | undefined;
}

const PAGE_SIZE = 100;

/** The time in ms to wait for a response. It is short, because a user who has opened the list waits for it and cannot cancel the request. */
const TIMEOUT_MS = 30_000;

/** The mode of the company field in which the user enters the company's name. */
export const BY_NAME_MODE = 'name';

/**
 * Reads a text from another field of the form.
 * @param label the label of the other field, for the error
 * @param alternative what the user can enter instead of selecting from the list, for the error
 * @throws InvalidInputError if the other field is empty, or is an expression that has no value yet
 */
export function readFormText(
	{ parameters }: PickerContext,
	fieldPath: string,
	label: string,
	alternative = 'an ID',
): string {
	const value = readLocatorValue(get(parameters, fieldPath));
	// The editor gives null for an expression before there is input data (n8n 4).
	if (value === null) {
		const sentence = `${label} is an expression: run the previous node once, or enter ${alternative}`;
		// A multi-select list shows only the advice of an error.
		throw new InvalidInputError(sentence, [], `${sentence}. Then open this list again.`);
	}
	const text = isScalar(value) ? String(value).trim() : '';
	if (text === '')
		throw new InvalidInputError(
			'must be filled in first',
			[label],
			`Choose '${label}' first, then open this list again.`,
		);
	return text;
}

/** Creates the context of the form that is open in the editor. */
export function createEditorContext(editor: ILoadOptionsFunctions): PickerContext {
	const context: PickerContext = {
		parameters: editor.getCurrentNodeParameters() ?? {},
		getClient: async () => HttpClient.open(editor, { ...DEFAULT_CLIENT_SETTINGS, timeoutMs: TIMEOUT_MS }),
		getCompany: async () => getSelectedCompany(context),
	};
	return context;
}

/**
 * Returns the company that is selected in the open form.
 * @returns undefined if the operation isn't for one selected company
 * @throws InvalidInputError if no company is selected yet
 */
async function getSelectedCompany(context: PickerContext): Promise<Choice | undefined> {
	const { companyScope, company } = context.parameters;
	if (companyScope !== 'one') return undefined;
	const text = readFormText(context, 'company', 'Company', 'a name');
	try {
		if (!isRecord(company) || company.mode !== BY_NAME_MODE) return { id: parseId(text), name: '' };
		const { records } = await listCompanies(await context.getClient());
		return findCompanyByName(text, records);
	} catch (error) {
		throw toError(error instanceof InvalidInputError ? error.prependPath('Company') : error);
	}
}

/** Converts a record to an entry. @returns undefined for a record without an ID, which cannot be selected */
function toListChoice(definition: ChoiceListDefinition, record: IDataObject): Choice | undefined {
	if (definition.toChoice) return definition.toChoice(record);
	const id = readId(record, definition.idFields ?? []);
	if (id === undefined) return undefined;
	return { id, name: readId(record, definition.nameFields ?? []) ?? `No name (${id})` };
}

/** Converts records to entries and removes duplicate IDs. A company may be listed twice: on its own and inside its parent. */
function toListChoices(definition: ChoiceListDefinition, records: IDataObject[]): Choice[] {
	const expandedRecords = definition.expandRecord ? records.flatMap(definition.expandRecord) : records;
	const choices = expandedRecords.flatMap((record) => toListChoice(definition, record) ?? []);
	return uniqBy(choices, 'id');
}

async function buildListRequest(
	definition: ChoiceListDefinition,
	context: PickerContext,
	searchText = '',
): Promise<ApiRequest> {
	const { endpoint } = definition;
	const company = definition.isPerCompany ? await context.getCompany() : undefined;
	const body = { filter: buildSearchFilter({ searchText }) };
	return {
		endpoint,
		purpose: 'read the list',
		body: getEndpoint(endpoint).method === 'GET' ? undefined : body,
		path: definition.buildPath?.(context),
		company,
		signal: context.signal,
	};
}

/** The entries of a list that was read to its end or to a limit. */
export interface EntryList {
	choices: Choice[];
	/** False if entries may be missing. A name that occurs only once may then still be ambiguous. */
	isComplete: boolean;
	/** True if the platform has no such list. */
	isAbsent: boolean;
}

/** A function that reads the entries that the user can select. It throws RequestError or InvalidInputError. */
export type ReadChoices = (context: PickerContext) => Promise<Choice[]>;

/**
 * The source of a picker's entries. Both functions throw RequestError. They throw InvalidInputError if a field that the list depends on is
 * empty.
 */
export interface ListSource {
	/** The form's fields that decide which list is read. If one of them changes, n8n loads a multi-select list again. */
	dependsOn?: readonly string[] | undefined;
	/** Reads one page of the entries whose names contain a text. The first page is 1. */
	readPage: (context: PickerContext, searchText: string, pageNumber: number) => Promise<PickerPage>;
	/**
	 * Reads all entries, or those whose names contain a text.
	 * @param limit the number of entries after which reading may stop; the result may have more
	 */
	readAll: (context: PickerContext, searchText?: string, limit?: number) => Promise<EntryList>;
}

/** The form's fields that decide which company a list belongs to. */
export const COMPANY_DEPENDENCIES: readonly string[] = ['companyScope', 'company.value'];

/**
 * Creates a source that always reads the whole list.
 * @param mayBeAbsent true if an empty list means that the platform has no such list
 */
export function createWholeListSource(
	readChoices: ReadChoices,
	dependsOn?: readonly string[],
	mayBeAbsent = false,
): ListSource {
	const readAll: ListSource['readAll'] = async (context, searchText = '') => {
		const choices = await readChoices(context);
		return {
			choices: choices.filter(({ name }) => normalizeText(name).includes(normalizeText(searchText))),
			isComplete: true,
			isAbsent: mayBeAbsent && choices.length === 0,
		};
	};
	const readPage: ListSource['readPage'] = async (context, searchText) => {
		const { choices } = await readAll(context, searchText);
		return { choices, isLast: true };
	};
	return { dependsOn, readPage, readAll };
}

/** Creates a source from a list of the platform. A list without pages, or one that this package sorts, is read as a whole. */
export function createListSource(definition: ChoiceListDefinition): ListSource {
	const dependsOn = definition.isPerCompany ? [...COMPANY_DEPENDENCIES, ...(definition.dependsOn ?? [])] : undefined;
	if (getEndpoint(definition.endpoint).method === 'GET')
		return createWholeListSource(async (context) => readUnpagedChoices(definition, context), dependsOn);
	const readAll: ListSource['readAll'] = async (context, searchText, limit) =>
		readAllChoices(definition, context, searchText, limit);
	const readPage: ListSource['readPage'] = async (context, searchText, pageNumber) => {
		if (definition.sortNewestBy === undefined)
			return await readPageOfChoices(definition, context, searchText, pageNumber);
		const { choices } = await readAll(context, searchText);
		return { choices, isLast: true };
	};
	return { dependsOn, readPage, readAll };
}

/** Returns true if an error means that the platform lacks an optional list. */
const isAbsentList = (definition: ChoiceListDefinition, error: unknown) =>
	definition.isOptional === true && isNotFound(error);

/** Reads one page of a list with pages. The first page is 1. */
async function readPageOfChoices(
	definition: ChoiceListDefinition,
	context: PickerContext,
	searchText: string,
	pageNumber: number,
): Promise<PickerPage> {
	const request = await buildListRequest(definition, context, searchText);
	const client = await context.getClient();
	try {
		const page = await readPage(client, request, { pageNumber, pageSize: PAGE_SIZE }, definition.allowSingleRecord);
		const { records, totalCount = 0, pageCount = Math.ceil(totalCount / PAGE_SIZE) } = page;
		const isLast = records.length === 0 || pageNumber >= pageCount;
		return { choices: toListChoices(definition, records), isLast };
	} catch (error) {
		if (isAbsentList(definition, error)) return { choices: [], isLast: true };
		throw toError(error);
	}
}

/** Reads all pages of a list with pages, or as many as `limit` needs. */
async function readAllChoices(
	definition: ChoiceListDefinition,
	context: PickerContext,
	searchText?: string,
	limit?: number,
): Promise<EntryList> {
	const { sortNewestBy } = definition;
	const request = await buildListRequest(definition, context, searchText);
	const client = await context.getClient();
	const getId = (record: IDataObject) => toListChoice(definition, record)?.id;
	try {
		const readRecords = () => readList(client, request, { identity: getId, limit });
		// Before a write, the list must be complete. Only a complete list shows that a name occurs only once.
		const list = context.isWrite === true ? await readAgainIfIncomplete(readRecords) : await readRecords();
		const records = sortNewestBy === undefined ? list.records : orderBy(list.records, [sortNewestBy], ['desc']);
		return { choices: toListChoices(definition, records), isComplete: isCompleteList(list), isAbsent: false };
	} catch (error) {
		if (isAbsentList(definition, error)) return { choices: [], isComplete: true, isAbsent: true };
		throw toError(error);
	}
}

/** Reads a list without pages. */
async function readUnpagedChoices(definition: ChoiceListDefinition, context: PickerContext): Promise<Choice[]> {
	const request = await buildListRequest(definition, context);
	const client = await context.getClient();
	const { data } = await client.requestJson(request);
	return toListChoices(definition, parseWholeList(data));
}
