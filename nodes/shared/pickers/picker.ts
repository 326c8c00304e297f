import type { ILoadOptionsFunctions, INodeListSearchItems } from 'n8n-workflow';

import { labelOf, type Label } from '../form/label';
import { parseText, parseTexts } from '../form/text';
import { isRecord } from '../form/value';
import type { Field, ListSearch, LoadOptions } from '../form/field';
import { toNodeError } from '../transport/nodeError';
import { InvalidInput, ServiceError } from '../transport/errors';
import { parseId } from '../transport/request';
import {
	entryOf,
	readPickerPage,
	readWholeListing,
	type Entry,
	type Filled,
	type Listing,
	type PickerPage,
} from './listing';
import { plainName, toldApart } from './apart';
import { BY_NAME } from './companyName';
import { filledIn } from './filled';

interface PickerRules extends Label {
	/** The search method's name, unique in the package. */
	method: string;
	/** What is chosen, for the middle of a sentence: "company". */
	thing: string;
	/** An example of an ID. */
	example?: string;
	/** What is typed instead of choosing from the list; an ID unless given. */
	typed?: string;
	/** What to do where the service refuses the list (403). */
	whenRefused?: string;
	/** The value before a person chooses one, and its name in the list if that is another. */
	default?: string;
	defaultName?: string;
	/** The fields whose change empties this one, for n8n. */
	dependsOn?: string[];
	/** An example of a name, where a name can be entered as well; see `companyName`. */
	nameExample?: string;
}

/** What a person chose: the ID, and the name if it was chosen from the list (else empty). */
export interface Picked {
	id: string;
	name: string;
}

/** What to do about a value that is no ID: people often enter a name. @param hasNames whether a name can be entered, too */
const adviceOn = (thing: string, hasNames: boolean) =>
	hasNames
		? `Choose the ${thing} 'From List', enter its name 'By Name', or its ID exactly as the service gave it 'By ID'.`
		: `Choose the ${thing} 'From List', or enter its ID exactly as the service gave it 'By ID'; a name is not accepted here.`;

/**
 * Parses a resource locator's value, or an ID as text from an expression.
 * @param advice how to put right what is no ID, for the error
 * @throws InvalidInput for an invalid ID
 */
export function parsePicked(raw: unknown, advice?: string): Picked {
	if (!isRecord(raw)) return { id: parseId(raw, advice), name: '' };
	const id = parseId(raw.value, advice);
	const name = raw.cachedResultName;
	return { id, name: typeof name === 'string' ? plainName(name, id) : '' };
}

/**
 * Parses several IDs, from a list or from text with commas between them; each once.
 * @throws InvalidInput for an invalid ID
 */
export function parseIds(raw: unknown): string[] {
	return [...new Set(parseTexts(raw).map((text) => parseId(text)))];
}

/** The typed IDs together with those chosen from a list, each once; undefined if neither field was added to the form. */
export function mergeIds(typed: string[] | undefined, chosen: string[] | undefined): string[] | undefined {
	return chosen ? [...new Set([...(typed ?? []), ...chosen])] : typed;
}

/**
 * Parses the value of a picker that is only sent in a body, so that it may have any characters; plain text from an
 * expression is accepted too. An empty picker means undefined. Empty plain text stays '', as in workflows saved before
 * the field had a list.
 * @param min the minimum number of characters
 * @throws InvalidInput for a shorter text, or anything but text
 */
export function parseTyped(raw: unknown, min = 0): string | undefined {
	if (!isRecord(raw)) return parseText(raw, { min });
	const typed = parseText(raw.value, { min });
	return typed === '' ? undefined : typed;
}

const shownName = ({ id, name, mark = '' }: Entry) => (name === undefined ? `No name (${id ?? 'no ID'})` : mark + name);

/** An entry for n8n's list; an entry without an ID is shown but cannot be used. */
const shownEntry = (entry: Entry): INodeListSearchItems =>
	entry.id === undefined
		? { name: `${entry.mark ?? ''}${entry.name ?? 'No name'} (no ID)`, value: '' }
		: { name: shownName(entry), value: entry.id };

const withArticle = (noun: string) => `${/^([aeiou]|SMTP)/i.test(noun) ? 'an' : 'a'} ${noun}`;

const listError = (context: ILoadOptionsFunctions, error: unknown, rules: PickerRules) =>
	toNodeError(context.getNode(), error, {
		purpose: `list what can be chosen as ${rules.thing}`,
		...(rules.whenRefused ? { whenRefused: rules.whenRefused } : {}),
	});

/** Whether the service refused the request itself, such as for a company that the credential does not manage. */
const isRefused = (error: unknown) =>
	error instanceof ServiceError && Math.floor((error.details.status ?? 0) / 100) === 4 && !error.details.transient;

/** Why the service refuses a list, as its only entry. */
const noteOnRefusal = ({ message, description }: ReturnType<typeof listError>) => ({
	name: message,
	value: '',
	...(description ? { description } : {}),
});

/** What is wrong with a field that a list depends on, as the list's only entry. */
const noteOn = ({ path, complaint }: InvalidInput) => ({ name: `'${path.join(' ')}' ${complaint}`, value: '' });

/** A field that chooses one existing record: from a searchable list, or by ID. */
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
				results: toldApart(entries).map(shownEntry),
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
			...(rules.dependsOn ? { typeOptions: { loadOptionsDependsOn: rules.dependsOn } } : {}),
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
		parse: (raw) => parsePicked(raw, adviceOn(thing, rules.nameExample !== undefined)),
		methods: { listSearch: { [method]: listSearch } },
	};
}

/** A picker for one of the service's lists, for the company that the node acts for. */
export function searchPicker(rules: PickerRules & { listing: Listing }): Field<Picked> {
	return picker({
		...rules,
		search: async (filled, searchText, pageNumber) =>
			await readPickerPage(rules.listing, filled(), searchText, pageNumber),
	});
}

/**
 * A field that chooses several existing records from a list; an expression may give their IDs.
 */
export function multiPicker(rules: PickerRules & { entries: (filled: Filled) => Promise<Entry[]> }): Field<string[]> {
	const { method, dependsOn, entries } = rules;
	const loadOptions: LoadOptions = async function () {
		try {
			return toldApart(await entries(filledIn(this))).flatMap((entry) =>
				entry.id === undefined ? [] : [{ name: shownName(entry), value: entry.id }],
			);
		} catch (error) {
			// n8n loads this list together with the form. What a person can put right there is told in the list: of an error
			// n8n shows only "Error fetching options".
			if (error instanceof InvalidInput) return [noteOn(error)];
			const shownError = listError(this, error, rules);
			if (!isRefused(error)) throw shownError;
			return [noteOnRefusal(shownError)];
		}
	};
	return {
		property: {
			...labelOf({
				...rules,
				description:
					'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
				builderHint: rules.builderHint ?? `IDs, each of ${withArticle(rules.thing)}`,
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

/** The fields that decide which company a list is of. */
export const COMPANY_FIELDS = ['companyScope', 'company.value'];

/** The same for one of the service's lists. */
export function searchMultiPicker(rules: PickerRules & { listing: Listing }): Field<string[]> {
	const { listing } = rules;
	return multiPicker({
		...rules,
		...(listing.scoped ? { dependsOn: COMPANY_FIELDS } : {}),
		entries: async (filled) =>
			(await readWholeListing(listing, filled, await filled.open())).records.map(entryOf(listing)),
	});
}
