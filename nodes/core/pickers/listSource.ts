import { get, orderBy, uniqBy } from 'lodash';
import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { parseWholeList } from '../pagination/parsePage';
import { isCompleteList } from '../pagination/listResult';
import { readAgainIfIncomplete } from '../pagination/readCompleteList';
import { readList, readPage } from '../pagination/readList';
import type { PickerContext } from '../fields/field';
import { readLocatorValue } from '../fields/fieldTypes';
import { isNotFound, InvalidInputError, toError, type RequestError } from '../http/errors';
import type { ApiRequest } from '../http/request';
import { parseId } from '../http/resourceId';
import { buildSearchFilter } from '../api/searchFilter';
import { DEFAULT_CLIENT_SETTINGS, HttpClient } from '../http/client';
import { findCompanyByName, listCompanies } from '../companies/companies';
import { getEndpoint, type EndpointKey } from '../api/endpoint';
import { readId, isRecord, isScalar, normalizeText, type Choice } from '../values';

/** One page of a picker's list. */
export interface PickerPage {
	choices: Choice[];
	isLast: boolean;
}

/** How to read a list of the platform from which the user can select: its endpoint, and how its records are converted to choices. */
export interface ChoiceListDefinition {
	endpoint: EndpointKey;
	/** The keys under which a record may have its ID (deployment facts, "Naming"). The first key that has a value is used. */
	idFields?: readonly string[];
	/** The keys under which a record may have its name. The first key that has a value is used. */
	nameFields?: readonly string[];
	/** True if each company has its own list. Otherwise there is one list for the credential. */
	isPerCompany?: boolean;
	/**
	 * Returns the values by which the list is sorted in descending order: the time of a record, and what decides between equal times. Set it if
	 * the platform can't sort the list by time. The whole list is then read at once, and this package sorts it.
	 */
	getNewestFirstKeys?: (record: IDataObject) => [time: string, tieBreaker: number];
	/** Builds the values for the placeholders in the endpoint's path from other form fields. @throws InvalidInputError, RequestError */
	buildPath?: (context: PickerContext) => Promise<Record<string, string>>;
	/** The paths of the form fields that decide which list is read, in addition to the company fields. */
	dependsOn?: readonly string[];
	/** True if only some platforms have the list (deployment beyond, "How to use this file"). On other platforms it is empty. */
	isOptional?: boolean;
	/** True if the response may be one record instead of a page (deployment shapes, "Beside the 85"). */
	mayBeSingleRecord?: boolean;
	/** Replaces a record with several records, for example a company with itself and its child companies. */
	expandRecord?: (record: IDataObject) => IDataObject[];
	/**
	 * Converts a record to a choice. Set it if `idFields` and `nameFields` are not enough.
	 * @returns undefined if the record can't be selected
	 */
	toChoice?: (record: IDataObject) => Choice | undefined;
}

const PAGE_SIZE = 100;

/** The time in ms to wait for a response. It is short, because the user has opened the list, waits for it, and can't cancel the request. */
const TIMEOUT_MS = 30_000;

/** The mode of the company field in which the user enters the company's name. */
export const BY_NAME_MODE = 'name';

/**
 * Reads the value of another form field, on which a list depends.
 * @param label the label of that field, for the error
 * @param alternative what the user can enter in that field instead of an expression, for the error
 * @throws InvalidInputError if that field is empty, or has an expression without a result
 */
export function readFormText(
	{ parameters }: PickerContext,
	fieldPath: string,
	label: string,
	alternative = 'an ID',
): string {
	const value = readLocatorValue(get(parameters, fieldPath));
	// As long as there is no input data, the editor gives null for an expression (n8n 4).
	if (value === null) {
		const message = `${label} is an expression: run the previous node once, or enter ${alternative}`;
		// A multi-select list shows only the error's advice, so the advice repeats the message.
		throw new InvalidInputError(message, [], `${message}. Then open this list again.`);
	}
	const text = isScalar(value) ? String(value).trim() : '';
	if (text === '')
		throw new InvalidInputError(
			'must be filled in first',
			[label],
			`Select '${label}' first, then open this list again.`,
		);
	return text;
}

/** Creates the context for reading a list of the form that is open in the editor. */
export function createEditorContext(editor: ILoadOptionsFunctions): PickerContext {
	const context: PickerContext = {
		parameters: editor.getCurrentNodeParameters() ?? {},
		getClient: async () => HttpClient.open(editor, { ...DEFAULT_CLIENT_SETTINGS, timeoutMs: TIMEOUT_MS }),
		getCompany: async () => getSelectedCompany(context),
	};
	return context;
}

/**
 * Returns the company that is selected in the form that is open in the editor.
 * @returns undefined if the user selected another scope than one company
 * @throws InvalidInputError if no company is selected yet
 */
async function getSelectedCompany(context: PickerContext): Promise<Choice | undefined> {
	const { companyScope, company } = context.parameters;
	if (companyScope !== 'one') return undefined;
	const text = readFormText(context, 'company', 'Company', 'a name');
	try {
		if (!isRecord(company) || company.mode !== BY_NAME_MODE)
			return { id: parseId(text, "Select the company 'From List', or enter its name 'By Name'."), name: '' };
		const { records } = await listCompanies(await context.getClient());
		return findCompanyByName(text, records);
	} catch (error) {
		throw toError(error instanceof InvalidInputError ? error.prependPath('Company') : error);
	}
}

/** Converts a record to a choice. @returns undefined if the record has no ID, because it can't be selected then */
function toListChoice(definition: ChoiceListDefinition, record: IDataObject): Choice | undefined {
	if (definition.toChoice) return definition.toChoice(record);
	const id = readId(record, definition.idFields ?? []);
	if (id === undefined) return undefined;
	return { id, name: readId(record, definition.nameFields ?? []) ?? `No name (${id})` };
}

/** Converts records to choices without duplicate IDs. The platform may list a company twice: on its own and inside its parent company. */
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
		path: await definition.buildPath?.(context),
		company,
		signal: context.signal,
	};
}

/** The choices of a list that was read to its end or up to a limit. */
export interface EntryList {
	choices: Choice[];
	/** False if choices may be missing. Even a name that occurs only once may then be ambiguous, because a missing choice may have it too. */
	isComplete: boolean;
	/** True if the platform has no such list, or doesn't show it. */
	isMissingOnPlatform: boolean;
	/** The error of a 403, if the platform refused to show the list. */
	accessError?: RequestError;
}

/** A function that reads all choices of a list. It throws RequestError or InvalidInputError. */
export type ReadChoices = (context: PickerContext) => Promise<Choice[]>;

/**
 * The source of a picker's choices. Both functions throw RequestError, and throw InvalidInputError if a form field on which the list
 * depends is empty.
 */
export interface ListSource {
	/** The paths of the form fields that decide which list is read. If one of them changes, n8n loads a multi-select list again. */
	dependsOn?: readonly string[] | undefined;
	/** Reads one page of the choices whose names contain the search text. The first page is 1. */
	readPage: (context: PickerContext, searchText: string, pageNumber: number) => Promise<PickerPage>;
	/**
	 * Reads all choices or, if there is a search text, those whose names contain it.
	 * @param limit the number of choices after which reading may stop; the result may have more
	 */
	readAll: (context: PickerContext, searchText?: string, limit?: number) => Promise<EntryList>;
}

/** The paths of the form fields that decide from which company a list is read. */
export const COMPANY_DEPENDENCIES: readonly string[] = ['companyScope', 'company.value'];

/**
 * Creates a source that always reads the whole list.
 * @param isMissingIfEmpty true if an empty list means that the platform has no such list
 */
export function createWholeListSource(
	readChoices: ReadChoices,
	dependsOn?: readonly string[],
	isMissingIfEmpty = false,
): ListSource {
	const readAll: ListSource['readAll'] = async (context, searchText = '') => {
		const choices = await readChoices(context);
		return {
			choices: choices.filter(({ name }) => normalizeText(name).includes(normalizeText(searchText))),
			isComplete: true,
			isMissingOnPlatform: isMissingIfEmpty && choices.length === 0,
		};
	};
	const readPage: ListSource['readPage'] = async (context, searchText) => {
		const { choices } = await readAll(context, searchText);
		return { choices, isLast: true };
	};
	return { dependsOn, readPage, readAll };
}

/** Creates the source for a list of the platform. A list without pages is read as a whole, and so is a list that this package sorts. */
export function createListSource(definition: ChoiceListDefinition): ListSource {
	const dependsOn = definition.isPerCompany ? [...COMPANY_DEPENDENCIES, ...(definition.dependsOn ?? [])] : undefined;
	if (getEndpoint(definition.endpoint).method === 'GET')
		return createWholeListSource(async (context) => readUnpagedChoices(definition, context), dependsOn);
	const readAll: ListSource['readAll'] = async (context, searchText, limit) =>
		readAllChoices(definition, context, searchText, limit);
	const readPage: ListSource['readPage'] = async (context, searchText, pageNumber) => {
		if (definition.getNewestFirstKeys === undefined)
			return await readPageOfChoices(definition, context, searchText, pageNumber);
		const { choices } = await readAll(context, searchText);
		return { choices, isLast: true };
	};
	return { dependsOn, readPage, readAll };
}

/** Returns true if an error means that the platform lacks an optional list. */
const isMissingListError = (definition: ChoiceListDefinition, error: unknown) =>
	definition.isOptional === true && isNotFound(error);

/** Reads one page of a paginated list. The first page is 1. */
async function readPageOfChoices(
	definition: ChoiceListDefinition,
	context: PickerContext,
	searchText: string,
	pageNumber: number,
): Promise<PickerPage> {
	const request = await buildListRequest(definition, context, searchText);
	const client = await context.getClient();
	try {
		const page = await readPage(client, request, { pageNumber, pageSize: PAGE_SIZE }, definition.mayBeSingleRecord);
		const { records, totalCount = 0, pageCount = Math.ceil(totalCount / PAGE_SIZE) } = page;
		const isLast = records.length === 0 || pageNumber >= pageCount;
		return { choices: toListChoices(definition, records), isLast };
	} catch (error) {
		if (isMissingListError(definition, error)) return { choices: [], isLast: true };
		throw toError(error);
	}
}

/** Sorts records as `getNewestFirstKeys` of a definition says. Without that function, the order stays as it is. */
function sortNewestFirst({ getNewestFirstKeys }: ChoiceListDefinition, records: IDataObject[]): IDataObject[] {
	if (!getNewestFirstKeys) return records;
	const getTime = (record: IDataObject) => getNewestFirstKeys(record)[0];
	const getTieBreaker = (record: IDataObject) => getNewestFirstKeys(record)[1];
	return orderBy(records, [getTime, getTieBreaker], ['desc', 'desc']);
}

/** Reads all pages of a paginated list, or as many pages as `limit` needs. */
async function readAllChoices(
	definition: ChoiceListDefinition,
	context: PickerContext,
	searchText?: string,
	limit?: number,
): Promise<EntryList> {
	const request = await buildListRequest(definition, context, searchText);
	const client = await context.getClient();
	const getId = (record: IDataObject) => toListChoice(definition, record)?.id;
	try {
		const { mayBeSingleRecord } = definition;
		const readRecords = () => readList(client, request, { identity: getId, limit, mayBeSingleRecord });
		// Before a write, the list must be complete, because only a complete list shows that a name is unique.
		const list = context.isWrite === true ? await readAgainIfIncomplete(readRecords) : await readRecords();
		return {
			choices: toListChoices(definition, sortNewestFirst(definition, list.records)),
			isComplete: isCompleteList(list),
			isMissingOnPlatform: false,
		};
	} catch (error) {
		if (isMissingListError(definition, error)) return { choices: [], isComplete: true, isMissingOnPlatform: true };
		throw toError(error);
	}
}

/** Reads a list that is not paginated. */
async function readUnpagedChoices(definition: ChoiceListDefinition, context: PickerContext): Promise<Choice[]> {
	const request = await buildListRequest(definition, context);
	const client = await context.getClient();
	const { data } = await client.requestJson(request);
	return toListChoices(definition, parseWholeList(data));
}
