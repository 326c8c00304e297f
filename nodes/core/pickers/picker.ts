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
import { hasEntryInName, parseEntry, splitAfterEntries, splitIntoValues } from './entryText';
import { isChosenFromList, resolveIds, resolveLocator } from './resolveNames';
import { splitEntriesByList } from './splitEntries';
import {
	unescapeLabel,
	createNoticeEntry,
	readChosenName,
	buildMultiSelectEntries,
	buildLocatorEntries,
} from './labels';
import { formatList, isScalar, toPlural, toTitleCase, type Choice } from '../values';

/** The settings that all pickers have, whether they select one entry or several. */
interface BasePickerSettings extends FieldSettings {
	/** The name of the method that reads the list, unique in its node. */
	listMethod: string;
	/** The word for one entry, as written inside a sentence: "company". */
	noun: string;
	source: ListSource;
	/** The advice for the user if the platform forbids reading the list (403). */
	forbiddenAdvice?: string;
}

interface MultiPickerSettings extends BasePickerSettings {
	/** A phrase that describes the entries, such as "The groups of users". `listMultiPicker` appends a sentence about selecting them. */
	description: string;
	/** The advice for the user if the field is required and nothing is selected. */
	emptyAdvice?: string;
	/** Words that an expression may return although the list lacks them. Errors and notices name them. */
	additionalWords?: readonly string[];
	/** The form field in which the user enters a search text. Set it if the list can be long. */
	listSearchField?: ListSearchField;
}

/** The name and the position of the form field in which the user enters a search text to shorten a list. */
export interface ListSearchField {
	name: string;
	/** True if the field is placed in the collection 'Options'. Otherwise it is placed directly above the list. */
	isInOptions?: boolean;
}

/** The form field in which the user enters a search text to shorten a list of people. */
export const PEOPLE_SEARCH_FIELD: ListSearchField = { name: 'peopleSearch' };

interface SinglePickerSettings extends BasePickerSettings {
	/** The example in the placeholder of the mode in which the user enters an ID. Default: a GUID. */
	idExample?: string;
	/** The label of the mode in which the user enters an ID or another value. Default: 'By ID'. */
	idModeLabel?: string;
	/** The value that is selected by default. */
	default?: string;
	/** The name that the form shows for the default value. Set it if it differs from the value. */
	defaultLabel?: string;
	/**
	 * An example of a name. If it is set, the picker gets the mode 'By Name', in which the user enters a name. The name is looked up in the
	 * list of the company that the operation runs for.
	 */
	nameExample?: string;
	/** True if a text that is not in the list is used as the user entered it. */
	acceptsOtherValues?: boolean;
	/** Returns true for a text that is certainly an ID, so that it isn't looked up. A GUID is always an ID. */
	isId?: (text: string) => boolean;
	/** The label of the mode in which the user enters a name. Default: 'By Name'. */
	nameModeLabel?: string;
	/** True if the caller looks up names. The picker then only accepts IDs. */
	isNameFoundByCaller?: boolean;
	/** Further ways in which the user can fill in the picker. The caller parses and looks up their values. */
	additionalModes?: INodePropertyMode[];
}

/** The maximum number of entries that a multi-select list shows. In a longer list, users could hardly find an entry. */
const MAX_LISTED_ENTRIES = 1000;

/**
 * Parses a resource locator, or a text that an expression returned. If the picker finds names, a text that isn't from the list may be one,
 * and `id` holds it until `resolveLocator` replaces it.
 * @param advice what the error tells the user to do, for example if the user entered a name where an ID is needed
 * @throws InvalidInputError
 */
function parseLocatorChoice(raw: unknown, advice: string, canBeName: boolean): Choice {
	const value = readLocatorValue(raw);
	// A value that was selected from the list is an ID, even if it doesn't look like one.
	if (isChosenFromList(raw)) return { id: parsePathSegment(value, advice), name: readChosenName(raw) };
	return { id: canBeName ? parseIdOrName(value, advice) : parseId(value, advice), name: '' };
}

/** Checks a text that should be a name, an ID or an entry of the list, and returns it. @throws InvalidInputError */
function checkSelectionText(text: string): string {
	const entry = parseEntry(text);
	if (!entry) return parseIdOrName(text);
	parseIdOrName(entry.id);
	if (hasEntryInName(entry))
		throw new InvalidInputError(
			`has '${text}', in which entries are not separated`,
			[],
			'Write a comma or a line break after each entry.',
		);
	return text;
}

/** Returns true for a text that isn't a JSON list. The text of an entry counts as plain text, even if the entry's name begins with "[". */
const isPlainText = (raw: unknown): raw is string =>
	typeof raw === 'string' && (!raw.trim().startsWith('[') || parseEntry(raw.trim()) !== undefined);

/**
 * Parses the raw value of a multi-select picker: names, IDs and entries of the list.
 * @returns the names, IDs and entries, without duplicates
 * @throws InvalidInputError for an invalid value, and for a required field without a value, for example if its expression returns nothing
 */
function parseMultiSelectTexts(raw: unknown, settings: MultiPickerSettings): string[] {
	// If `raw` is a list, its texts are only split after entries, because other commas may be part of names.
	const parts = isPlainText(raw) ? parseTextList(splitIntoValues(raw)) : parseTextList(raw).flatMap(splitAfterEntries);
	const texts = uniq(parts.map((part) => checkSelectionText(cleanIfEmailAddress(part))));
	if (texts.length > 0 || !settings.required) return texts;
	throw new InvalidInputError(`must name at least one ${settings.noun}`, [], settings.emptyAdvice);
}

/**
 * Parses the value of a picker that is only sent in a request body, where any characters are allowed, unlike in a path.
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
		purpose: `list the ${toPlural(settings.noun)}`,
		forbiddenAdvice: settings.forbiddenAdvice,
	});

/** Builds the modes of a resource locator, which are the ways in which the user can fill it in. */
function buildLocatorModes(settings: SinglePickerSettings): INodePropertyMode[] {
	const { noun, listMethod, nameExample, additionalModes = [] } = settings;
	// The object is needed, because n8n's lint only accepts modes as the value of a key `modes`.
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
				displayName: settings.nameModeLabel ?? 'By Name',
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
	const modes = property.modes.filter(({ name }) => name !== BY_NAME_MODE || nameExample !== undefined);
	return [...modes.slice(0, 1), ...additionalModes, ...modes.slice(1)];
}

/** Creates a field in which the user selects one existing record: from a searchable list, by ID or, if `nameExample` is set, by name. */
export function listPicker(settings: SinglePickerSettings): Field<Choice> {
	const { listMethod, noun, source, nameExample, isNameFoundByCaller = false } = settings;
	const canBeName = nameExample !== undefined && !isNameFoundByCaller;
	const listSearch: ListSearchMethod = async function (filter, paginationToken) {
		const pageNumber = Number(paginationToken ?? 1);
		const searchText = filter?.trim() ?? '';
		try {
			const { choices, isLast } = await source.readPage(createEditorContext(this), searchText, pageNumber);
			const isListEmpty = choices.length === 0 && searchText === '' && isLast && pageNumber === 1;
			if (isListEmpty) throw createEmptyListError(settings);
			const listedChoices = searchText !== '' && pageNumber === 1 ? addDefaultChoice(choices, settings) : choices;
			return {
				results: buildLocatorEntries(listedChoices),
				paginationToken: isLast ? undefined : String(pageNumber + 1),
			};
		} catch (error) {
			throw createListError(this, error, settings);
		}
	};
	const advice =
		nameExample === undefined
			? `Select the ${noun} 'From List', or drag its ID from another node's output 'By ID'. A name is not accepted here.`
			: `Select the ${noun} 'From List', enter its name 'By Name', or enter its ID 'By ID' exactly as the platform shows it.`;
	return {
		property: {
			...toPropertySettings({ ...settings, required: settings.required ?? true }),
			type: 'resourceLocator',
			default: { mode: 'list', value: settings.default ?? '', cachedResultName: settings.defaultLabel },
			modes: buildLocatorModes(settings),
		},
		parse: (raw) => parseLocatorChoice(raw, advice, canBeName),
		resolveNames: async (raw, context) =>
			isChosenFromList(raw) || canBeName ? await resolveLocator(raw, settings, context) : raw,
		listMethods: { listSearch: { [listMethod]: listSearch } },
	};
}

/**
 * Adds the picker's default value to the results of a search, if they lack it. n8n shows the selected entry above the results, but saves its
 * name only if the results contain it (n8n 4). Otherwise a user who selects it again would see the value instead of the name.
 */
function addDefaultChoice(choices: Choice[], { default: id, defaultLabel: name }: SinglePickerSettings): Choice[] {
	if (id === undefined || name === undefined || choices.some((choice) => choice.id === id)) return choices;
	return [{ id, name }, ...choices];
}

/**
 * Creates the error that a resource locator shows if its list is empty. An entry with a notice would be worse, because the user could
 * select it by mistake.
 */
const createEmptyListError = ({ noun, idModeLabel = 'By ID' }: SinglePickerSettings) =>
	new InvalidInputError(
		`There is no ${noun} to select`,
		[],
		`None exists yet, or your platform does not list them. If you know it, select '${idModeLabel}' and enter it.`,
	);

/** Creates the form field in which the user enters a search text for a multi-select list. @returns undefined if the list has no such field */
function createListSearchField(settings: MultiPickerSettings): Field<string[]>['listSearchField'] {
	const { noun, listSearchField } = settings;
	if (!listSearchField) return undefined;
	const { name, isInOptions: isInOptions = false } = listSearchField;
	const listName = isInOptions ? `list of ${toPlural(noun)}` : 'list below';
	const field = textField({
		displayName: isInOptions ? `Search ${toTitleCase(toPlural(noun))}` : 'Search',
		description: `Enter part of a name to shorten the ${listName}`,
		hint: 'This text only shortens the list in the editor. It has no effect on executions.',
	});
	return {
		name,
		isInOptions: isInOptions,
		field: { ...field, property: { ...field.property, noDataExpression: true } },
	};
}

/**
 * Builds the entries of a multi-select list. If the list is empty or too long, an additional entry says so, because n8n doesn't show the
 * text of an error in such a list.
 */
function buildEntriesOrNotice(
	choices: Choice[],
	searchText: string,
	settings: MultiPickerSettings,
): INodePropertyOptions[] {
	const { noun, listSearchField, additionalWords = [] } = settings;
	if (choices.length > MAX_LISTED_ENTRIES) {
		const advice = listSearchField
			? 'To shorten the list, enter a part of the name in Search'
			: 'To select another one, enter its name or ID in an expression';
		const entries = buildMultiSelectEntries(choices.slice(0, MAX_LISTED_ENTRIES));
		return [...entries, createNoticeEntry(`The list has more entries. ${advice}.`)];
	}
	if (choices.length > 0) return buildMultiSelectEntries(choices);
	if (searchText !== '') return [createNoticeEntry(`There is no ${noun} with this text in its name`)];
	const advice =
		additionalWords.length > 0
			? `In an expression, enter ${formatList(additionalWords)}, or an ID.`
			: 'If you know the IDs, enter them in an expression.';
	return [createNoticeEntry(`There is no ${noun} yet, or your platform does not list them. ${advice}`)];
}

/** Returns the path of the form field with the search text, or undefined if the list has no such field. */
function getSearchTextPath({ listSearchField }: MultiPickerSettings): string | undefined {
	if (!listSearchField) return undefined;
	return listSearchField.isInOptions ? `options.${listSearchField.name}` : listSearchField.name;
}

/** Creates a field in which the user selects several existing records from a list. An expression may return their names or IDs. */
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
			// n8n loads this list together with the form, so a company may not be selected yet. An entry then tells the user what to do.
			if (error instanceof InvalidInputError)
				return [createNoticeEntry(describeError(error, { purpose: '' }).description)];
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
			// The editor must accept values that aren't in the list: a renamed record's saved entry, or names from an expression (n8n 4).
			allowArbitraryValues: true,
			default: [],
		},
		parse: (raw) => parseMultiSelectTexts(raw, settings),
		resolveNames: async (raw, context) => {
			const selections = parseMultiSelectTexts(raw, settings);
			const plainTexts = isPlainText(raw) ? await splitEntriesByList(selections, settings, context) : selections;
			return plainTexts.length > 0 ? await resolveIds(plainTexts, settings, context) : raw;
		},
		listMethods: { loadOptions: { [listMethod]: loadOptions } },
		listSearchField: createListSearchField(settings),
	};
}
