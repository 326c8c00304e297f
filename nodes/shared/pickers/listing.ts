import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { identityOf, pageOf, readList, type PageRequest } from '../answer/paging';
import { isRecord } from '../fields/basic';
import { asError, BadInput } from '../transport/problem';
import { checkId, type Company, type ContractKey, type ServiceRequest } from '../transport/request';
import { Service } from '../transport/service';

/** One thing that can be picked; what a deployment does not send is undefined. */
export interface Entry {
	id: string | undefined;
	name: string | undefined;
}

/** One page of what can be picked. */
export interface PickerPage {
	entries: Entry[];
	/** Whether there is nothing after it. */
	isLast: boolean;
}

/** An operation that lists what can be picked, and how its records are read; deployments name things differently. */
export interface Listing {
	contract: ContractKey;
	/** Names under which ID and name of a record were seen, first match counts. */
	id: readonly string[];
	name: readonly string[];
	/** Whether it is the chosen customer's, rather than the credential's. */
	scoped?: boolean;
	orderBy?: string;
	/** Newest first, for what is known by when it was. */
	descending?: boolean;
	/** Values of the path's placeholders, from fields filled in before. */
	path?: (filled: Pick<Filled, 'id' | 'text'>) => Record<string, string>;
	/** The body of a search that is not paged (contract 4.10: the executive report's). */
	body?: (searchText: string) => IDataObject;
	/** Whether one record may come where a page is expected (deployment shapes: direct-email-settings/search). */
	lone?: boolean;
	/** Turns a listed record into the records it stands for. */
	expand?: (record: IDataObject) => IDataObject[];
	/** Reads a record where names alone do not do. */
	entry?: (record: IDataObject) => Entry;
}

/** What the person has filled in so far. */
export interface Filled {
	/** Opens the service, for lists that come from there. */
	open: () => Promise<Service>;
	/** The customer chosen in the node, if it acts for one. @throws BadInput while none is chosen */
	company: () => Company | undefined;
	/** An ID from a field that this one depends on. @throws BadInput while it is not filled in */
	id: (field: string, label: string) => string;
	/** The same for what is no ID. @throws BadInput while it is not filled in */
	text: (field: string, label: string) => string;
}

const PAGE_SIZE = 100;

const notYet = (label: string) => new BadInput('must be filled in first', [label], `Choose '${label}', then open this list again.`);

/** Reads the form around a list in the editor. */
export function filledIn(context: ILoadOptionsFunctions): Filled {
	const text = (field: string, label: string) => {
		const raw: unknown = context.getCurrentNodeParameter(field);
		const value = isRecord(raw) ? raw.value : raw;
		if (typeof value === 'string' && value.startsWith('='))
			throw new BadInput(
				'is an expression, which is only known when the workflow runs',
				[label],
				`Choose a fixed value in '${label}' to see this list, or enter the ID here.`,
			);
		if (typeof value === 'number') return String(value);
		if (typeof value === 'string' && value.trim() !== '') return value;
		throw notYet(label);
	};
	const id = (field: string, label: string) => {
		const value = text(field, label);
		try {
			return checkId(value);
		} catch (error) {
			throw error instanceof BadInput ? notYet(label) : asError(error);
		}
	};
	return {
		open: async () => await Service.open(context),
		id,
		text,
		company: () =>
			context.getCurrentNodeParameter('companyScope') === 'one'
				? { id: id('company', 'Company'), name: '' }
				: undefined,
	};
}

function requestOf(listing: Listing, filled: Pick<Filled, 'id' | 'text' | 'company'>, page: PageRequest, searchText: string): ServiceRequest {
	const { contract, path, orderBy = 'Name', descending = false } = listing;
	const filter = { Condition: 'AND', SearchInputTextValue: searchText, FilterGroups: [] };
	const company = listing.scoped ? filled.company() : undefined;
	const body = listing.body?.(searchText) ?? { ...page, orderBy, ascending: !descending, filter };
	return {
		contract,
		repeatable: true,
		purpose: 'read the list',
		...(contract.startsWith('GET ') ? {} : { body }),
		...(path ? { path: path(filled) } : {}),
		...(company ? { company } : {}),
	};
}

/** Whether the service gives a listing page by page. */
const isPaged = ({ contract, body }: Listing) => contract.startsWith('POST ') && body === undefined;

/** Reads a record of a listing as something to pick. */
export const entryOf = ({ id, name, entry }: Listing) =>
	entry ??
	((record: IDataObject): Entry => ({ id: identityOf(record, id), name: identityOf(record, name) }));

const itself = (record: IDataObject) => [record];

/** One page of a listing, in the service's order. @param pageNumber 1-based */
export async function readPickerPage(
	listing: Listing,
	filled: Filled,
	searchText: string,
	pageNumber: number,
): Promise<PickerPage> {
	const service = await filled.open();
	const request = requestOf(listing, filled, { pageNumber, pageSize: PAGE_SIZE }, searchText);
	const { data } = await service.json(request);
	const { records, pages } = pageOf(listing.lone && isRecord(data) && !('results' in data) ? [data] : data);
	const entries = records.flatMap(listing.expand ?? itself).map(entryOf(listing));
	if (!isPaged(listing)) return { entries: entries.filter(contains(searchText)), isLast: true };
	return {
		entries,
		isLast: pages === undefined ? records.length < PAGE_SIZE : pageNumber >= pages,
	};
}

/** Tells whether an entry's name contains a text, for lists that the service does not search. */
export const contains =
	(searchText: string) =>
	({ name = '' }: Entry) =>
		name.toLowerCase().includes(searchText.toLowerCase());

/** A whole listing, each record once; child records as `expand` says. */
export async function readWholeListing(
	listing: Listing,
	filled: Pick<Filled, 'id' | 'text' | 'company'>,
	service: Service,
): Promise<{ records: IDataObject[]; steady: boolean }> {
	const ask = async (page: PageRequest, signal?: AbortSignal) =>
		(await service.json({ ...requestOf(listing, filled, page, ''), ...(signal ? { signal } : {}) })).data;
	if (!isPaged(listing)) {
		const { records } = pageOf(await ask({ pageNumber: 1, pageSize: PAGE_SIZE }));
		return { records: records.flatMap(listing.expand ?? itself), steady: true };
	}
	const { id: identity, expand } = listing;
	return await readList(
		ask,
		{ limit: Infinity, pageSize: PAGE_SIZE, ahead: service.settings.concurrency * 2 },
		{ identity, ...(expand ? { expand } : {}) },
	);
}
