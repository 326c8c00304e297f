import type { ILoadOptionsFunctions, INodeListSearchItems } from 'n8n-workflow';

import { labelOf, type Label } from '../form/label';
import { parseText, parseTexts } from '../form/text';
import { isRecord } from '../form/value';
import type { Field, ListSearch, LoadOptions } from '../form/field';
import { toNodeError } from '../transport/nodeError';
import { InvalidInput } from '../transport/errors';
import { parseId } from '../transport/request';
import {
	entryOf,
	filledIn,
	readPickerPage,
	readWholeListing,
	type Entry,
	type Filled,
	type Listing,
	type PickerPage,
} from './listing';

interface PickerRules extends Label {
	/** The search method's name, unique in the package. */
	method: string;
	/** What is picked, in the middle of a sentence: "company". */
	thing: string;
	/** What an ID looks like. */
	example?: string;
	/** What to do where the service refuses the list (403). */
	whenRefused?: string;
	/** What it has before anybody chose. */
	default?: string;
}

/** What a person picked: the ID, and the name if it was picked from the list. */
export interface Picked {
	id: string;
	name: string;
}

/** Takes a resource locator's value, or an ID as text from an expression. @throws InvalidInput */
export function parsePicked(raw: unknown): Picked {
	if (!isRecord(raw)) return { id: parseId(raw), name: '' };
	const name = raw.cachedResultName;
	return { id: parseId(raw.value), name: typeof name === 'string' ? name : '' };
}

/** Several IDs, as a list or as text with commas between them; each once. @throws InvalidInput */
export function parseIds(raw: unknown): string[] {
	return [...new Set(parseTexts(raw).map(parseId))];
}

/** What was typed, with what was chosen from the list beside it; undefined where neither was added to the form. */
export function mergeIds(typed: string[] | undefined, chosen: string[] | undefined): string[] | undefined {
	return chosen ? [...new Set([...(typed ?? []), ...chosen])] : typed;
}

/**
 * A picker's value that stands in no path and no header, or the same as plain text: by whatever letters a platform calls
 * it. A choice that was left open is none; an empty text is one, as it was where fields had no list yet.
 * @throws InvalidInput
 */
export function parseTyped(raw: unknown, min = 0): string | undefined {
	if (!isRecord(raw)) return parseText(raw, { min });
	const typed = parseText(raw.value, { min });
	return typed === '' ? undefined : typed;
}

const shownName = ({ id, name }: Entry) => name ?? `No name (${id ?? 'no ID'})`;

/** How an entry is shown; one without an ID can be seen but not used. */
const shownEntry = (entry: Entry): INodeListSearchItems =>
	entry.id === undefined
		? { name: `${entry.name ?? 'No name'} (no ID)`, value: '' }
		: { name: shownName(entry), value: entry.id };

const withArticle = (noun: string) => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;

const listError = (context: ILoadOptionsFunctions, error: unknown, rules: PickerRules) =>
	toNodeError(context.getNode(), error, {
		purpose: `list what can be chosen as ${rules.thing}`,
		...(rules.whenRefused ? { whenRefused: rules.whenRefused } : {}),
	});

/** A field that chooses one existing thing: from a searchable list, or by ID. */
export function picker(
	rules: PickerRules & {
		/** @param pageNumber 1-based */
		search: (filled: () => Filled, searchText: string, pageNumber: number) => Promise<PickerPage>;
	},
): Field<Picked> {
	const { method, thing, search } = rules;
	const listSearch: ListSearch = async function (filter, paginationToken) {
		const pageNumber = Number(paginationToken ?? 1);
		try {
			const { entries, isLast } = await search(() => filledIn(this), filter?.trim() ?? '', pageNumber);
			return {
				results: entries.map(shownEntry),
				...(isLast ? {} : { paginationToken: String(pageNumber + 1) }),
			};
		} catch (error) {
			throw listError(this, error, rules);
		}
	};
	return {
		property: {
			...labelOf({ ...rules, required: rules.required ?? true }),
			type: 'resourceLocator',
			default: { mode: 'list', value: rules.default ?? '' },
			modes: [
				{
					displayName: 'From List',
					name: 'list',
					type: 'list',
					placeholder: `Select ${withArticle(thing)}...`,
					typeOptions: { searchListMethod: method, searchable: true },
				},
				{
					displayName: 'By ID',
					name: 'id',
					type: 'string',
					placeholder: `e.g. ${rules.example ?? '3f2a9c10-6b1e-4f57-9a53-0d9a4c6be111'}`,
				},
			],
		},
		parse: parsePicked,
		methods: { listSearch: { [method]: listSearch } },
	};
}

/** A picker over one of the service's lists, for the company that the node acts for. */
export function searchPicker(rules: PickerRules & { listing: Listing }): Field<Picked> {
	return picker({
		...rules,
		search: async (filled, searchText, pageNumber) =>
			await readPickerPage(rules.listing, filled(), searchText, pageNumber),
	});
}

/**
 * A field that chooses several existing things from a list; an expression may give their IDs.
 * @param rules.dependsOn the fields that decide what is listed, as n8n names them
 */
export function severalOf(
	rules: PickerRules & { dependsOn?: string[]; entries: (filled: Filled) => Promise<Entry[]> },
): Field<string[]> {
	const { method, dependsOn, entries } = rules;
	const loadOptions: LoadOptions = async function () {
		try {
			return (await entries(filledIn(this))).flatMap((entry) =>
				entry.id === undefined ? [] : [{ name: shownName(entry), value: entry.id }],
			);
		} catch (error) {
			// n8n opens this list with the form; what is still to be filled in is said in the list, not as an error.
			if (error instanceof InvalidInput) return [{ name: `'${error.path.join(' ')}' ${error.complaint}`, value: '' }];
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
			typeOptions: {
				loadOptionsMethod: method,
				...(dependsOn ? { loadOptionsDependsOn: dependsOn } : {}),
			},
			default: [],
		},
		parse: parseIds,
		methods: { loadOptions: { [method]: loadOptions } },
	};
}

/** What decides whose list it is. */
export const OF_COMPANY = ['companyScope', 'company.value'];

/** The same over one of the service's lists. */
export function severalPicker(rules: PickerRules & { listing: Listing }): Field<string[]> {
	const { listing } = rules;
	return severalOf({
		...rules,
		...(listing.scoped ? { dependsOn: OF_COMPANY } : {}),
		entries: async (filled) =>
			(await readWholeListing(listing, filled, await filled.open())).records.map(entryOf(listing)),
	});
}
