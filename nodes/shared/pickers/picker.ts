import { countBy, uniq } from 'lodash';
import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { labelOf, type Field, type Label, type ListSearch, type LoadOptions } from '../form/field';
import { isRecord, locatorValue, normalized, parseText, parseTexts } from '../form/fields';
import { InvalidInput, toNodeError } from '../transport/errors';
import { parseId } from '../transport/request';
import { BY_NAME, readPickerPage, readWholeListing, type Entry, type Listing, type PickerPage } from './listing';

interface PickerRules extends Label {
	/** The search method's name, unique in its node. */
	method: string;
	/** What is chosen, for the middle of a sentence: "company". */
	thing: string;
	/** What to do where the service refuses the list (403). */
	whenRefused?: string;
	/** What to do where several must be chosen and none is. */
	whenEmpty?: string;
}

interface LocatorRules extends PickerRules {
	/** An example of an ID. */
	example?: string;
	/** What is typed instead of choosing from the list; an ID unless given. */
	typed?: string;
	/** The value before a person chooses one, and its name in the list if that is another. */
	default?: string;
	defaultName?: string;
	/** An example of a name, where a name can be entered as well. */
	nameExample?: string;
}

/** What a person chose: the ID, and the name if it was chosen from the list (else empty). */
export interface Picked {
	id: string;
	name: string;
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

/** Entries as a list shows them. */
const shownIn = (entries: Entry[]) =>
	toldApart(entries).map(({ id, name }) => ({ name: asText(name), value: asText(id) }));

/** The name as the service has it, of one that is shown in a list. n8n saves the latter. */
const plainName = (shown: string) => {
	const text = fromText(shown);
	return (text.startsWith(CHILD_MARK) ? text.slice(CHILD_MARK.length) : text).replace(/ \(…[^()]*\)$/, '');
};

/** Adds the end of its ID to each name that several entries have: "Twin Peaks (…0d9a4c6b)". */
function toldApart(entries: Entry[]): Entry[] {
	const key = ({ name }: Entry) => normalized(plainName(name));
	const counts = countBy(entries, key);
	return entries.map((entry) =>
		counts[key(entry)] === 1 ? entry : { ...entry, name: `${entry.name} (…${entry.id.slice(-END_LENGTH)})` },
	);
}

/** Parses a resource locator's value, or an ID from an expression. @throws InvalidInput with advice: people often enter a name */
function parsePicked(raw: unknown, advice?: string): Picked {
	if (!isRecord(raw)) return { id: parseId(raw, advice), name: '' };
	const name = raw.cachedResultName;
	return { id: parseId(raw.value, advice), name: typeof name === 'string' ? plainName(name) : '' };
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
		...(whenRefused ? { whenRefused } : {}),
	});

/** A field that chooses one existing record: from a searchable list, or by ID. */
export function picker(
	rules: LocatorRules & {
		/** @param pageNumber 1-based */
		search: (editor: ILoadOptionsFunctions, searchText: string, pageNumber: number) => Promise<PickerPage>;
	},
): Field<Picked> {
	const { method, thing } = rules;
	const listSearch: ListSearch = async function (filter, paginationToken) {
		const pageNumber = Number(paginationToken ?? 1);
		try {
			const { entries, isLast } = await rules.search(this, filter?.trim() ?? '', pageNumber);
			return {
				results: shownIn(entries),
				...(isLast ? {} : { paginationToken: String(pageNumber + 1) }),
			};
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
			default: {
				mode: 'list',
				value: rules.default ?? '',
				...(rules.defaultName ? { cachedResultName: rules.defaultName } : {}),
			},
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

/** A picker for one of the service's lists, for the company that the node acts for. */
export const searchPicker = (rules: LocatorRules & { listing: Listing }): Field<Picked> =>
	picker({ ...rules, search: async (...asked) => await readPickerPage(rules.listing, ...asked) });

/** The fields that decide which company a list is of. */
export const COMPANY_FIELDS = ['companyScope', 'company.value'];

/** A field that chooses several existing records from a list; an expression may give their IDs. */
export function multiPicker(
	rules: PickerRules & {
		/** The fields whose change loads the list again, for n8n. */
		dependsOn?: string[];
		entries: (editor: ILoadOptionsFunctions) => Promise<Entry[]>;
	},
): Field<string[]> {
	const { method, dependsOn, entries } = rules;
	const loadOptions: LoadOptions = async function () {
		try {
			return shownIn(await entries(this));
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
			typeOptions: { loadOptionsMethod: method, ...(dependsOn ? { loadOptionsDependsOn: dependsOn } : {}) },
			default: [],
		},
		parse: (raw) => parseIds(raw, rules),
		methods: { loadOptions: { [method]: loadOptions } },
	};
}

/** The same for one of the service's lists. @param rules.dependsOn the fields on which the list depends besides the company */
export const searchMultiPicker = ({
	listing,
	dependsOn = [],
	...rules
}: PickerRules & { listing: Listing; dependsOn?: string[] }): Field<string[]> =>
	multiPicker({
		...rules,
		...(listing.scoped ? { dependsOn: [...COMPANY_FIELDS, ...dependsOn] } : {}),
		entries: async (editor) => await readWholeListing(listing, editor),
	});
