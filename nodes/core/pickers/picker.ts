import { get, uniq } from 'lodash';
import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { labelOf, type Field, type Label, type ListSearch, type LoadOptions } from '../fields/field';
import { cleanIfAddress } from '../fields/contact';
import { locatorValue, parseText, parseTexts, text } from '../fields/fieldTypes';
import { describeError, InvalidInput, toNodeError } from '../http/errors';
import { parseId, parseKey, parsePart } from '../http/request';
import { BY_NAME, openForm, type Source } from './listSource';
import { hasTwoEntries, readEntry, splitBehindEntries, splitTexts } from './entryText';
import { findChosenId, idsOf, splitByList } from './resolveNames';
import { fromText, notice, plainName, showSeveral, shownChoices } from './labels';
import { isRecord, isScalar, pluralOf, titleCase, type Choice } from '../values';

interface PickerRules extends Label {
	/** The search method's name, unique in its node. */
	method: string;
	/** What is chosen, for the middle of a sentence: "company". */
	thing: string;
	source: Source;
	/** What to do where the service refuses the list (403). */
	whenRefused?: string;
}

interface SeveralRules extends PickerRules {
	/** What is chosen, for the description: "The groups of users". */
	description: string;
	/** What to do where several must be chosen and none is. */
	whenEmpty?: string;
	/** The field that narrows the list, where it is long. */
	search?: Narrowing;
}

/** A field with a text that narrows a list: its name, and whether it is one of the options. */
export interface Narrowing {
	name: string;
	isOption?: boolean;
}

export const PEOPLE_SEARCH: Narrowing = { name: 'peopleSearch' };

interface LocatorRules extends PickerRules {
	example?: string;
	/** What is typed instead of choosing from the list; an ID unless given. */
	typed?: string;
	/** The value before a person chooses one, and its name in the list if that is another. */
	default?: string;
	defaultName?: string;
	/** An example of a name, where a name can be entered as well. */
	nameExample?: string;
}

/** How many entries a list of several has at most: with more, nobody finds one in it. */
const MOST_LISTED = 1000;

/** The name of what a person chose from a list, as the service has it; empty where there is none. */
export const chosenName = (raw: unknown): string =>
	isRecord(raw) && typeof raw.cachedResultName === 'string' ? plainName(raw.cachedResultName) : '';

/** Parses a resource locator's value, or an ID from an expression. @throws InvalidInput with advice: people often enter a name */
function parsePicked(raw: unknown, advice?: string): Choice {
	// What is chosen from the list is an ID, whatever it looks like.
	const parse = isRecord(raw) && raw.mode === 'list' ? parsePart : parseId;
	return { id: parse(locatorValue(raw), advice), name: chosenName(raw) };
}

/** Checks a text that is a name, an ID or an entry of a list. @throws InvalidInput */
function checkKey(text: string): string {
	const entry = readEntry(text);
	if (!entry) return parseKey(text);
	parseKey(entry.id);
	if (hasTwoEntries(entry))
		throw new InvalidInput(
			`has '${text}', in which entries are not separated`,
			[],
			'Write a comma or a line break behind each entry.',
		);
	return text;
}

/** Tells whether several are given as one text, not as a list, which may be JSON. An entry's name may begin like JSON. */
const isOneText = (raw: unknown): raw is string =>
	typeof raw === 'string' && (!raw.trim().startsWith('[') || readEntry(raw.trim()) !== undefined);

/**
 * Parses names, IDs and entries of the list.
 * @throws InvalidInput for a value of another kind, and for an empty value if one is required, such as an expression without a result
 */
function parseKeys(raw: unknown, { required, thing, whenEmpty }: SeveralRules): string[] {
	// An entry is not split at the commas of its name, but a list may have several entries in one text.
	const texts = isOneText(raw) ? parseTexts(splitTexts(raw)) : parseTexts(raw).flatMap(splitBehindEntries);
	const keys = uniq(texts.map((text) => checkKey(cleanIfAddress(text))));
	if (keys.length > 0 || !required) return keys;
	throw new InvalidInput(`must name at least one ${thing}`, [], whenEmpty);
}

/**
 * Parses the value of a picker that is only sent in a body, so that it may have any characters.
 * @returns undefined for an empty picker
 * @throws InvalidInput for fewer than `min` characters, or anything but text
 */
export function parseTyped(raw: unknown, min = 0): string | undefined {
	const typed = fromText(parseText(locatorValue(raw), { min }));
	return typed === '' ? undefined : typed;
}

const withArticle = (noun: string) => `${/^([aeiou]|SMTP)/i.test(noun) ? 'an' : 'a'} ${noun}`;

const listError = (editor: ILoadOptionsFunctions, error: unknown, { thing, whenRefused }: PickerRules) =>
	toNodeError(editor.getNode(), error, {
		purpose: `list what can be chosen as ${thing}`,
		whenRefused,
	});

/** A field that chooses one existing record: from a searchable list, or by ID. */
export function picker(rules: LocatorRules): Field<Choice> {
	const { method, thing } = rules;
	const listSearch: ListSearch = async function (filter, paginationToken) {
		const pageNumber = Number(paginationToken ?? 1);
		try {
			const searchText = filter?.trim() ?? '';
			const { choices: entries, isLast } = await rules.source.page(openForm(this), searchText, pageNumber);
			if (entries.length === 0 && searchText === '' && isLast && pageNumber === 1) throw nothingIn(rules);
			return { results: shownChoices(entries), paginationToken: isLast ? undefined : String(pageNumber + 1) };
		} catch (error) {
			throw listError(this, error, rules);
		}
	};
	const advice = rules.nameExample
		? `Choose the ${thing} 'From List', enter its name 'By Name', or its ID exactly as the service gave it 'By ID'.`
		: `Choose the ${thing} 'From List', or drag its ID from another node's output 'By ID'; a name is not accepted here.`;
	return {
		property: {
			...labelOf({ ...rules, required: rules.required ?? true }),
			type: 'resourceLocator',
			default: { mode: 'list', value: rules.default ?? '', cachedResultName: rules.defaultName },
			modes: [
				{
					displayName: 'From List',
					name: 'list',
					type: 'list',
					placeholder: `Select ${withArticle(thing)}...`,
					typeOptions: { searchListMethod: method, searchable: true },
				},
				...(rules.nameExample
					? [
							{
								displayName: 'By Name',
								name: BY_NAME,
								type: 'string' as const,
								placeholder: `e.g. ${rules.nameExample}`,
							},
						]
					: []),
				{
					displayName: rules.typed ?? 'By ID',
					name: 'id',
					type: 'string',
					placeholder: `e.g. ${rules.example ?? '3f2a9c10-6b1e-4f57-9a53-0d9a4c6be111'}`,
				},
			],
		},
		parse: (raw) => parsePicked(raw, advice),
		lookUp: async (raw, asker) => {
			const name = chosenName(raw);
			if (!isRecord(raw) || raw.mode !== 'list' || typeof raw.value !== 'string' || name === '') return raw;
			const chosenId = fromText(raw.value);
			const id = await findChosenId({ id: chosenId, name }, rules, asker);
			return id === chosenId ? raw : { ...raw, value: id };
		},
		methods: { listSearch: { [method]: listSearch } },
	};
}

/** What a list says that is empty. An entry with this text could be chosen by mistake. */
const nothingIn = ({ thing, typed = 'By ID' }: LocatorRules) =>
	new InvalidInput(
		`There is no ${thing} to choose`,
		[],
		`There is none yet, or your platform does not list them: then choose '${typed}' and enter it.`,
	);

/** The field with a text that narrows a long list of several, where the list has one. */
function narrowedBy({ thing, search }: SeveralRules): Pick<Field<string[]>, 'narrowedBy'> {
	if (!search) return {};
	const { name, isOption = false } = search;
	const field = text({
		displayName: isOption ? `Search ${titleCase(pluralOf(thing))}` : 'Search',
		description: 'Only list those with this text in their name; it changes the list in the form, nothing else',
	});
	return {
		narrowedBy: { name, isOption, field: { ...field, property: { ...field.property, noDataExpression: true } } },
	};
}

/** The entries of a list of several, or one that says why there is none: n8n does not show the words of an error there. */
function shownSeveral(entries: Choice[], searchText: string, { thing, search }: SeveralRules): INodePropertyOptions[] {
	const more = search ? 'Narrow the list with the field Search' : 'Give their names or IDs by an expression';
	if (entries.length > MOST_LISTED)
		return [...showSeveral(entries.slice(0, MOST_LISTED)), notice(`There are more. ${more}.`)];
	if (entries.length > 0) return showSeveral(entries);
	return [
		notice(
			searchText === ''
				? `There is no ${thing} yet, or your platform does not list them: then give the IDs by an expression`
				: `There is no ${thing} with this text in its name`,
		),
	];
}

/** A field that chooses several existing records from a list; an expression may give their names or IDs. */
export function multiPicker(rules: SeveralRules): Field<string[]> {
	const { method, source, search, description } = rules;
	const searchPath = search && `${search.isOption ? 'options.' : ''}${search.name}`;
	const dependsOn = [...(source.dependsOn ?? []), ...(searchPath === undefined ? [] : [searchPath])];
	const loadOptions: LoadOptions = async function () {
		try {
			const form = openForm(this);
			const given: unknown = get(form.parameters, searchPath ?? []);
			const searchText = isScalar(given) ? String(given).trim() : '';
			const { choices } = await source.all(form, searchText, MOST_LISTED + 1);
			return shownSeveral(choices, searchText, rules);
		} catch (error) {
			// n8n loads this list together with the form, before a company is chosen.
			if (error instanceof InvalidInput) return [notice(describeError(error, { purpose: '' }).description)];
			throw listError(this, error, rules);
		}
	};
	return {
		property: {
			...labelOf({
				...rules,
				description: `${description}. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.`,
			}),
			type: 'multiOptions',
			typeOptions: { loadOptionsMethod: method, loadOptionsDependsOn: dependsOn.length > 0 ? dependsOn : undefined },
			// After a rename the saved entry is no longer in the list, and an expression may give plain names (n8n-facts 17).
			allowArbitraryValues: true,
			default: [],
		},
		parse: (raw) => parseKeys(raw, rules),
		lookUp: async (raw, asker) => {
			const keys = parseKeys(raw, rules);
			const texts = isOneText(raw) ? await splitByList(keys, rules, asker) : keys;
			return texts.length > 0 ? await idsOf(texts, rules, asker) : raw;
		},
		methods: { loadOptions: { [method]: loadOptions } },
		...narrowedBy(rules),
	};
}
