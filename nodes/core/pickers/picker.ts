import { get, uniq } from 'lodash';
import type { ILoadOptionsFunctions, INodePropertyMode, INodePropertyOptions } from 'n8n-workflow';

import {
	toPropertySettings,
	type Field,
	type FieldSettings,
	type ListSearchMethod,
	type LoadOptionsMethod,
} from '../fields/field';
import { cleanIfEmailAddress } from '../fields/contact';
import { readLocatorValue, parseText, parseTextList, textField } from '../fields/fieldTypes';
import { describeError, InvalidInputError, toNodeError } from '../http/errors';
import { parseId, parseIdOrName, parsePathSegment } from '../http/resourceId';
import { BY_NAME_MODE, createEditorContext, type ListSource } from './listSource';
import { hasEntryInName, readEntry, splitAfterEntries, splitTexts } from './entryText';
import { resolveChosenId, resolveIds, splitEntriesByList } from './resolveNames';
import { unescapeLabel, createNotice, removeLabelMarks, buildMultiSelectEntries, buildLocatorEntries } from './labels';
import { isRecord, isScalar, toPlural, toTitleCase, type Choice } from '../values';

/** The settings that pickers for one value and for several values share. */
interface BasePickerSettings extends FieldSettings {
	/** The name of the method that reads the list, unique in its node. */
	listMethod: string;
	/** The word for one entry, in the form that it has inside a sentence: "company". */
	noun: string;
	source: ListSource;
	/** The advice for the user if the platform forbids reading the list (403). */
	forbiddenAdvice?: string;
}

interface MultiPickerSettings extends BasePickerSettings {
	/** A phrase for the entries, such as "The groups of users". `listMultiPicker` adds a sentence to it. */
	description: string;
	/** The advice for the user if the field is required and nothing is selected. */
	emptyAdvice?: string;
	/** The field with the search text, if the list is long. */
	listSearchField?: ListSearchField;
}

/** The name and the position of the field with the search text that narrows a list. */
export interface ListSearchField {
	name: string;
	/** True if the field is one of the options. Otherwise it is placed below the list. */
	isOption?: boolean;
}

/** The field with the search text for a list of people. */
export const PEOPLE_SEARCH_FIELD: ListSearchField = { name: 'peopleSearch' };

interface SinglePickerSettings extends BasePickerSettings {
	/** An example of an ID. */
	idExample?: string;
	/** The label of the mode in which a value is typed. Default: 'By ID'. */
	idModeLabel?: string;
	/** The value before the user selects one. */
	default?: string;
	/** The name of the default value in the list, if it differs from the value. */
	defaultLabel?: string;
	/** An example of a name. If it is set, the user can also enter a name. */
	nameExample?: string;
}

/** The maximum number of entries in a multi-select list. In a longer list, users could hardly find an entry. */
const MAX_LISTED_ENTRIES = 1000;

/** Returns the platform's name of the entry that the user selected from a list, or an empty text if there is none. */
export const readChosenName = (raw: unknown): string =>
	isRecord(raw) && typeof raw.cachedResultName === 'string' ? removeLabelMarks(raw.cachedResultName) : '';

/**
 * Parses the value of a resource locator, or an ID from an expression.
 * @param advice the advice of the error, because users often enter a name where an ID is needed
 * @throws InvalidInputError
 */
function parseSelection(raw: unknown, advice?: string): Choice {
	// A value that was selected from the list is an ID, even if it doesn't look like one.
	const parse = isRecord(raw) && raw.mode === 'list' ? parsePathSegment : parseId;
	return { id: parse(readLocatorValue(raw), advice), name: readChosenName(raw) };
}

/** Checks a text that is a name, an ID or an entry of a list, and returns it. @throws InvalidInputError */
function checkSelectionText(text: string): string {
	const entry = readEntry(text);
	if (!entry) return parseIdOrName(text);
	parseIdOrName(entry.id);
	if (hasEntryInName(entry))
		throw new InvalidInputError(
			`has '${text}', in which entries are not separated`,
			[],
			'Write a comma or a line break behind each entry.',
		);
	return text;
}

/** Returns true if the values are given as one text that is not a JSON list. An entry is not a JSON list, even if its name begins like one. */
const isSingleText = (raw: unknown): raw is string =>
	typeof raw === 'string' && (!raw.trim().startsWith('[') || readEntry(raw.trim()) !== undefined);

/**
 * Parses names, IDs and entries of the list.
 * @throws InvalidInputError for any other value, and for a required field without a value, for example if its expression returns nothing
 */
function parseSelections(raw: unknown, settings: MultiPickerSettings): string[] {
	// A text of a list is only split behind entries, because the commas in it may be part of names.
	const parts = isSingleText(raw) ? parseTextList(splitTexts(raw)) : parseTextList(raw).flatMap(splitAfterEntries);
	const texts = uniq(parts.map((part) => checkSelectionText(cleanIfEmailAddress(part))));
	if (texts.length > 0 || !settings.required) return texts;
	throw new InvalidInputError(`must name at least one ${settings.noun}`, [], settings.emptyAdvice);
}

/**
 * Parses the value of a picker whose value is only sent in a body. Any characters are allowed there.
 * @param min the minimum number of characters
 * @returns undefined for an empty picker
 * @throws InvalidInputError for a text that is too short, and for a value that is not text
 */
export function parseTypedValue(raw: unknown, min = 0): string | undefined {
	const value = unescapeLabel(parseText(readLocatorValue(raw), { min }));
	return value === '' ? undefined : value;
}

const addArticle = (noun: string) => `${/^([aeiou]|SMTP)/i.test(noun) ? 'an' : 'a'} ${noun}`;

const createListError = (editor: ILoadOptionsFunctions, error: unknown, settings: BasePickerSettings) =>
	toNodeError(editor.getNode(), error, {
		purpose: `list what can be chosen as ${settings.noun}`,
		forbiddenAdvice: settings.forbiddenAdvice,
	});

/** Builds the modes in which the user can fill in a resource locator. */
function buildLocatorModes(settings: SinglePickerSettings): INodePropertyMode[] {
	const { noun, listMethod, nameExample } = settings;
	// n8n's lint accepts modes only as the value of a property with this name.
	const property: { modes: INodePropertyMode[] } = {
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select ${addArticle(noun)}...`,
				typeOptions: { searchListMethod: listMethod, searchable: true },
			},
			{
				displayName: 'By Name',
				name: BY_NAME_MODE,
				type: 'string',
				placeholder: `e.g. ${nameExample}`,
			},
			{
				displayName: settings.idModeLabel ?? 'By ID',
				name: 'id',
				type: 'string',
				placeholder: `e.g. ${settings.idExample ?? '3f2a9c10-6b1e-4f57-9a53-0d9a4c6be111'}`,
			},
		],
	};
	return property.modes.filter(({ name }) => name !== BY_NAME_MODE || nameExample !== undefined);
}

/** Creates a field that selects one existing record: from a searchable list, by ID or, if `nameExample` is set, by name. */
export function listPicker(settings: SinglePickerSettings): Field<Choice> {
	const { listMethod, noun, source } = settings;
	const listSearch: ListSearchMethod = async function (filter, paginationToken) {
		const pageNumber = Number(paginationToken ?? 1);
		const searchText = filter?.trim() ?? '';
		try {
			const { choices, isLast } = await source.readPage(createEditorContext(this), searchText, pageNumber);
			const isListEmpty = choices.length === 0 && searchText === '' && isLast && pageNumber === 1;
			if (isListEmpty) throw createEmptyListError(settings);
			return { results: buildLocatorEntries(choices), paginationToken: isLast ? undefined : String(pageNumber + 1) };
		} catch (error) {
			throw createListError(this, error, settings);
		}
	};
	const advice = settings.nameExample
		? `Choose the ${noun} 'From List', enter its name 'By Name', or its ID exactly as the service gave it 'By ID'.`
		: `Choose the ${noun} 'From List', or drag its ID from another node's output 'By ID'; a name is not accepted here.`;
	return {
		property: {
			...toPropertySettings({ ...settings, required: settings.required ?? true }),
			type: 'resourceLocator',
			default: { mode: 'list', value: settings.default ?? '', cachedResultName: settings.defaultLabel },
			modes: buildLocatorModes(settings),
		},
		parse: (raw) => parseSelection(raw, advice),
		resolveNames: async (raw, context) => {
			const name = readChosenName(raw);
			if (!isRecord(raw) || raw.mode !== 'list' || typeof raw.value !== 'string' || name === '') return raw;
			const chosenId = unescapeLabel(raw.value);
			const id = await resolveChosenId({ id: chosenId, name }, settings, context);
			return id === chosenId ? raw : { ...raw, value: id };
		},
		listMethods: { listSearch: { [listMethod]: listSearch } },
	};
}

/** Creates the error that an empty list shows. It is not a notice in the list, because the user could select a notice by mistake. */
const createEmptyListError = ({ noun, idModeLabel = 'By ID' }: SinglePickerSettings) =>
	new InvalidInputError(
		`There is no ${noun} to choose`,
		[],
		`There is none yet, or your platform does not list them: then choose '${idModeLabel}' and enter it.`,
	);

/** Creates the field with the search text for a multi-select list. @returns undefined if the list has no such field */
function createListSearchField(settings: MultiPickerSettings): Field<string[]>['listSearchField'] {
	const { noun, listSearchField } = settings;
	if (!listSearchField) return undefined;
	const { name, isOption = false } = listSearchField;
	const field = textField({
		displayName: isOption ? `Search ${toTitleCase(toPlural(noun))}` : 'Search',
		description: 'Only list those with this text in their name; it changes the list in the form, nothing else',
	});
	return { name, isOption, field: { ...field, property: { ...field.property, noDataExpression: true } } };
}

/**
 * Builds the entries of a multi-select list. A list that is empty or too long gets an entry that says so, because n8n doesn't show the
 * text of an error there.
 */
function buildEntriesOrNotice(
	choices: Choice[],
	searchText: string,
	settings: MultiPickerSettings,
): INodePropertyOptions[] {
	const { noun, listSearchField } = settings;
	if (choices.length > MAX_LISTED_ENTRIES) {
		const advice = listSearchField
			? 'Narrow the list with the field Search'
			: 'Give their names or IDs by an expression';
		const entries = buildMultiSelectEntries(choices.slice(0, MAX_LISTED_ENTRIES));
		return [...entries, createNotice(`There are more. ${advice}.`)];
	}
	if (choices.length > 0) return buildMultiSelectEntries(choices);
	if (searchText !== '') return [createNotice(`There is no ${noun} with this text in its name`)];
	return [
		createNotice(`There is no ${noun} yet, or your platform does not list them: then give the IDs by an expression`),
	];
}

/** Returns the path of the search text in the form, or undefined if the list has no field for a search text. */
function getSearchTextPath({ listSearchField }: MultiPickerSettings): string | undefined {
	if (!listSearchField) return undefined;
	return listSearchField.isOption ? `options.${listSearchField.name}` : listSearchField.name;
}

/** Creates a field that selects several existing records from a list. An expression may return their names or IDs. */
export function listMultiPicker(settings: MultiPickerSettings): Field<string[]> {
	const { listMethod, source, description } = settings;
	const searchTextPath = getSearchTextPath(settings);
	const dependsOn = [...(source.dependsOn ?? [])];
	if (searchTextPath !== undefined) dependsOn.push(searchTextPath);
	const loadOptions: LoadOptionsMethod = async function () {
		try {
			const context = createEditorContext(this);
			const rawSearchText: unknown = searchTextPath && get(context.parameters, searchTextPath);
			const searchText = isScalar(rawSearchText) ? String(rawSearchText).trim() : '';
			const { choices } = await source.readAll(context, searchText, MAX_LISTED_ENTRIES + 1);
			return buildEntriesOrNotice(choices, searchText, settings);
		} catch (error) {
			// n8n loads this list together with the form, before a company is selected.
			if (error instanceof InvalidInputError) return [createNotice(describeError(error, { purpose: '' }).description)];
			throw createListError(this, error, settings);
		}
	};
	return {
		property: {
			...toPropertySettings({
				...settings,
				description: `${description}. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.`,
			}),
			type: 'multiOptions',
			typeOptions: {
				loadOptionsMethod: listMethod,
				loadOptionsDependsOn: dependsOn.length > 0 ? dependsOn : undefined,
			},
			// After a rename the saved entry is no longer in the list, and an expression may give plain names (n8n 4).
			allowArbitraryValues: true,
			default: [],
		},
		parse: (raw) => parseSelections(raw, settings),
		resolveNames: async (raw, context) => {
			const selections = parseSelections(raw, settings);
			const texts = isSingleText(raw) ? await splitEntriesByList(selections, settings, context) : selections;
			return texts.length > 0 ? await resolveIds(texts, settings, context) : raw;
		},
		listMethods: { loadOptions: { [listMethod]: loadOptions } },
		listSearchField: createListSearchField(settings),
	};
}
