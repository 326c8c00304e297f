import { countBy, uniq } from 'lodash';
import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { labelOf, type Field, type Label, type ListSearch, type LoadOptions } from '../form/field';
import { locatorValue, parseText, parseTexts } from '../form/fields';
import { InvalidInput, toNodeError } from '../transport/errors';
import { parseId } from '../transport/request';
import { BY_NAME, type Source } from './listing';
import { isRecord, normalized, type Choice } from '../values';

interface PickerRules extends Label {
	/** The search method's name, unique in its node. */
	method: string;
	/** What is chosen, for the middle of a sentence: "company". */
	thing: string;
	source: Source;
	/** What to do where the service refuses the list (403). */
	whenRefused?: string;
	/** What to do where several must be chosen and none is. */
	whenEmpty?: string;
}

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

/** The mark before the name of a child company, which follows its parent in a list. */
export const CHILD_MARK = '↳ ';

const NO_BREAK_SPACE = '\u00a0';

/** How many of an ID's last characters tell entries of one name apart. */
const END_LENGTH = 8;

/** A text as a list shows it: n8n would evaluate one that begins with "=" when the workflow runs (n8n-facts 16). */
const asText = (text: string) => (text.startsWith('=') ? `${NO_BREAK_SPACE}${text}` : text);

/** The text that a list shows so. */
const fromText = (shown: string) => (shown.startsWith(`${NO_BREAK_SPACE}=`) ? shown.slice(1) : shown);

const shownChoices = (entries: Choice[]) =>
	toldApart(entries).map(({ id, name }) => ({ name: asText(name), value: asText(id) }));

/** The name as the service has it, of one that is shown in a list. n8n saves the latter. */
const plainName = (shown: string) => {
	const text = fromText(shown);
	return (text.startsWith(CHILD_MARK) ? text.slice(CHILD_MARK.length) : text).replace(/ \(…[^()]*\)$/, '');
};

/** Adds the end of its ID to each name that several entries have: "Twin Peaks (…0d9a4c6b)". */
function toldApart(entries: Choice[]): Choice[] {
	const key = ({ name }: Choice) => normalized(plainName(name));
	const counts = countBy(entries, key);
	return entries.map((entry) =>
		counts[key(entry)] === 1 ? entry : { ...entry, name: `${entry.name} (…${entry.id.slice(-END_LENGTH)})` },
	);
}

/** The name of what a person chose from a list, as the service has it; empty where there is none. */
export const chosenName = (raw: unknown): string =>
	isRecord(raw) && typeof raw.cachedResultName === 'string' ? plainName(raw.cachedResultName) : '';

/** Parses a resource locator's value, or an ID from an expression. @throws InvalidInput with advice: people often enter a name */
function parsePicked(raw: unknown, advice?: string): Choice {
	return { id: parseId(locatorValue(raw), advice), name: chosenName(raw) };
}

/** @throws InvalidInput for an ID that is none, and for no ID where one is required, as an expression without a result gives */
function parseIds(raw: unknown, { required, thing, whenEmpty }: PickerRules): string[] {
	const ids = uniq(parseTexts(raw).map((text) => parseId(text)));
	if (ids.length > 0 || !required) return ids;
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
			const { choices: entries, isLast } = await rules.source.page(this, filter?.trim() ?? '', pageNumber);
			return { results: shownChoices(entries), paginationToken: isLast ? undefined : String(pageNumber + 1) };
		} catch (error) {
			throw listError(this, error, rules);
		}
	};
	const advice = rules.nameExample
		? `Choose the ${thing} 'From List', enter its name 'By Name', or its ID exactly as the service gave it 'By ID'.`
		: `Choose the ${thing} 'From List', or enter its ID exactly as the service gave it 'By ID'; a name is not accepted here.`;
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
		methods: { listSearch: { [method]: listSearch } },
	};
}

/** A field that chooses several existing records from a list; an expression may give their IDs. */
export function multiPicker(rules: PickerRules): Field<string[]> {
	const { method, source } = rules;
	const { dependsOn } = source;
	const loadOptions: LoadOptions = async function () {
		try {
			return shownChoices(await source.all(this));
		} catch (error) {
			// n8n loads this list together with the form, before a company is chosen.
			if (error instanceof InvalidInput) return [];
			throw listError(this, error, rules);
		}
	};
	return {
		property: {
			...labelOf({
				...rules,
				description:
					'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
			}),
			type: 'multiOptions',
			typeOptions: { loadOptionsMethod: method, loadOptionsDependsOn: dependsOn && [...dependsOn] },
			default: [],
		},
		parse: (raw) => parseIds(raw, rules),
		methods: { loadOptions: { [method]: loadOptions } },
	};
}
