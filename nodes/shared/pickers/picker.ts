import type { IDataObject, INodeListSearchItems } from 'n8n-workflow';

import { identityOf, pageOf, type PageRequest } from '../answer/paging';
import { checkTexts, isRecord, labelOf, type Label } from '../fields/basic';
import type { Field, ListSearch, LoadOptions } from '../fields/field';
import { checkId, type ContractKey, type ServiceRequest } from '../transport/request';
import { toNodeError } from '../transport/nodeError';
import { Service } from '../transport/service';

/** One page of what can be picked. */
export interface PickerPage {
	entries: Array<{ id: string | undefined; name: string | undefined }>;
	/** Whether there is nothing after it. */
	isLast: boolean;
}

interface PickerRules extends Label {
	/** The search method's name, unique in the package. */
	method: string;
	/** What is picked, in the middle of a sentence: "company". */
	thing: string;
	/** What an ID looks like. */
	example?: string;
	/** What to do where the service refuses the list (403). */
	whenRefused?: string;
	/** @param open opens the service, for lists that come from there; @param page 1-based */
	search: (open: () => Promise<Service>, searchText: string, page: number) => Promise<PickerPage>;
}

/** What a person picked: the ID, and the name if it was picked from the list. */
export interface Picked {
	id: string;
	name: string;
}

/** Takes a resource locator's value, or an ID as text from an expression. @throws BadInput */
export function checkPicked(raw: unknown): Picked {
	if (!isRecord(raw)) return { id: checkId(raw), name: '' };
	const name = raw.cachedResultName;
	return { id: checkId(raw.value), name: typeof name === 'string' ? name : '' };
}

/** The searches that fill pickers and lists (contract 2.2), sorted by name. */
export function listRequest(
	contract: ContractKey,
	page: PageRequest,
	purpose: string,
	searchText = '',
): ServiceRequest {
	const filter = { Condition: 'AND', SearchInputTextValue: searchText, FilterGroups: [] };
	return {
		contract,
		body: { ...page, orderBy: 'Name', ascending: true, filter },
		repeatable: true,
		purpose,
	};
}

/** How an entry is shown; one without an ID can be seen but not used. */
function shownEntry({ id, name }: PickerPage['entries'][number]): INodeListSearchItems {
	if (id === undefined) return { name: `${name ?? 'No name'} (no ID)`, value: '' };
	return { name: name ?? `No name (${id})`, value: id };
}

const withArticle = (noun: string) => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;

/** A field that chooses one existing thing: from a searchable list, or by ID. */
export function picker(rules: PickerRules): Field<Picked> {
	const { method, thing, search } = rules;
	const listSearch: ListSearch = async function (filter, paginationToken) {
		const page = Number(paginationToken ?? 1);
		try {
			const open = async () => await Service.open(this);
			const { entries, isLast } = await search(open, filter?.trim() ?? '', page);
			return {
				results: entries.map(shownEntry),
				...(isLast ? {} : { paginationToken: String(page + 1) }),
			};
		} catch (error) {
			throw toNodeError(this.getNode(), error, {
				purpose: `list what can be chosen as ${thing}`,
				...(rules.whenRefused ? { whenRefused: rules.whenRefused } : {}),
			});
		}
	};
	return {
		property: {
			...labelOf({ ...rules, required: rules.required ?? true }),
			type: 'resourceLocator',
			default: { mode: 'list', value: '' },
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
		check: checkPicked,
		methods: { listSearch: { [method]: listSearch } },
	};
}

interface SearchRules extends Omit<PickerRules, 'search'> {
	/** The search that lists what can be picked. */
	contract: ContractKey;
	/** Where ID and name of a record are found; deployments differ. */
	names: { id: readonly string[]; name: readonly string[] };
	/** Turns a listed record into the records it stands for. */
	expand?: (record: IDataObject) => IDataObject[];
}

const PAGE_SIZE = 100;

/** A picker over one of the service's searches, in the service's order. */
export function searchPicker(rules: SearchRules): Field<Picked> {
	const { contract, names, thing, expand = (record: IDataObject) => [record] } = rules;
	return picker({
		...rules,
		search: async (open, searchText, pageNumber) => {
			const page = { pageNumber, pageSize: PAGE_SIZE };
			const service = await open();
			const request = listRequest(contract, page, `list what can be chosen as ${thing}`, searchText);
			const { records, pages } = pageOf((await service.json(request)).data);
			return {
				entries: records.flatMap(expand).map((record) => ({
					id: identityOf(record, names.id),
					name: identityOf(record, names.name),
				})),
				isLast: pages === undefined ? records.length < PAGE_SIZE : pageNumber >= pages,
			};
		},
	});
}

interface SeveralRules extends Label {
	/** The load method's name, unique in the package. */
	method: string;
	thing: string;
	load: (service: Service) => Promise<Array<{ id: string; name: string }>>;
}

/** A field that chooses several existing things from a list; an expression may give their IDs. */
export function severalPicker(rules: SeveralRules): Field<string[]> {
	const { method, thing, load } = rules;
	const loadOptions: LoadOptions = async function () {
		try {
			const entries = await load(await Service.open(this));
			return entries.map(({ id, name }) => ({ name: name || `No name (${id})`, value: id }));
		} catch (error) {
			throw toNodeError(this.getNode(), error, {
				purpose: `list what can be chosen as ${thing}`,
			});
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
			typeOptions: { loadOptionsMethod: method },
			default: [],
		},
		check: (raw) => checkIds(raw),
		methods: { loadOptions: { [method]: loadOptions } },
	};
}

/** Several IDs, as a list or as text with commas between them; each once. @throws BadInput */
export function checkIds(raw: unknown): string[] {
	return [...new Set(checkTexts(raw).map(checkId))];
}
