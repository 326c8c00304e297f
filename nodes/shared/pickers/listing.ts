import type { IDataObject } from 'n8n-workflow';

import { newestFirst } from '../answer/created';
import { wholeListOf, type Page } from '../answer/page';
import { identityOf, pageOf, type ListRead } from '../answer/paging';
import { askSearch, readSearch } from '../answer/search';
import { searchFilter } from '../form/search';
import type { Company, ContractKey, ServiceRequest } from '../transport/request';
import type { Service } from '../transport/service';
import { detailsOf } from './apart';
import type { Entry } from './entry';

export type { Entry } from './entry';

/** One page of entries to choose from. */
export interface PickerPage {
	entries: Entry[];
	/** Whether there is no further page. */
	isLast: boolean;
}

/** An operation that lists what can be chosen, and how to read its records; deployments use different names. */
export interface Listing {
	contract: ContractKey;
	/** The fields that may have the ID and the name of a record; the first match counts. */
	id: readonly string[];
	name: readonly string[];
	/** Whether the list is of the chosen customer instead of the credential. */
	scoped?: boolean;
	orderBy?: string;
	/** Whether the newest come first, for records that people find by time. */
	descending?: boolean;
	/** The values for the path's placeholders, from other fields of the form. */
	path?: (filled: Pick<Filled, 'id' | 'text'>) => Record<string, string>;
	/** The body of a search that is not paged (contract 4.10: the executive report's). */
	body?: (searchText: string) => IDataObject;
	/** Whether the answer may be one record instead of a page (deployment shapes: direct-email-settings/search). */
	mayBeAlone?: boolean;
	/** Turns a listed record into several, for example a company into itself and its child companies. */
	expand?: (record: IDataObject) => IDataObject[];
	/** Reads a record where the names of its fields are not enough. */
	entry?: (record: IDataObject) => Entry;
}

/** The form in the editor as far as it is filled in. */
export interface Filled {
	/** Creates the HTTP client for lists that come from the service. */
	open: () => Promise<Service>;
	/** The chosen customer, if the node acts for one. @throws InvalidInput while none is chosen; ServiceError */
	company: () => Promise<Company | undefined>;
	/** What is saved in the form's fields, as it is. */
	parameters: () => Record<string, unknown>;
	/** The ID in a field that the list depends on. @throws InvalidInput while it is not filled in */
	id: (field: string, label: string) => string;
	/** The text in a field that the list depends on. @throws InvalidInput while it is not filled in */
	text: (field: string, label: string) => string;
	/** The text in another field of the same row; empty while it is not filled in, or is an expression. */
	beside: (field: string) => string;
}

const PAGE_SIZE = 100;

async function requestOf(
	listing: Listing,
	filled: Pick<Filled, 'id' | 'text' | 'company'>,
	searchText: string,
): Promise<ServiceRequest> {
	const { contract, path, orderBy = 'Name', descending = false } = listing;
	const filter = searchFilter({ searchText });
	const company = listing.scoped ? await filled.company() : undefined;
	const body = listing.body?.(searchText) ?? { orderBy, ascending: !descending, filter };
	return {
		contract,
		repeatable: true,
		purpose: 'read the list',
		...(contract.startsWith('GET ') ? {} : { body }),
		...(path ? { path: path(filled) } : {}),
		...(company ? { company } : {}),
	};
}

/** Whether the service returns the list in pages. */
const isPaged = ({ contract, body }: Listing) => contract.startsWith('POST ') && body === undefined;

/** The function that turns a record of a listing into an entry. */
export const entryOf =
	({ id, name, entry }: Listing) =>
	(record: IDataObject): Entry => ({
		...(entry?.(record) ?? { id: identityOf(record, id), name: identityOf(record, name) }),
		details: detailsOf(record),
	});

const asIs = (record: IDataObject) => [record];

const RULES = { isOwnOrder: true };

/**
 * Reads one page of a listing, in the service's order. If the first page is shorter than the service's counts say, the
 * whole list is read, because the last page cannot be recognised then.
 * @param searchText what the person typed to filter the list
 * @param pageNumber 1-based
 * @throws ServiceError; InvalidInput while a field that the list depends on is not filled in
 */
export async function readPickerPage(
	listing: Listing,
	filled: Filled,
	searchText: string,
	pageNumber: number,
): Promise<PickerPage> {
	const service = await filled.open();
	const entry = entryOf(listing);
	const request = await requestOf(listing, filled, searchText);
	if (!isPaged(listing)) {
		const { records } = await readWholeListing(listing, filled, service, searchText);
		return { entries: records.map(entry).filter(contains(searchText)), isLast: true };
	}
	const pageRequest = { ...request, body: { ...request.body, pageNumber, pageSize: PAGE_SIZE } };
	const { answer, instead } = await askSearch(service, pageRequest, RULES, async (way) => await service.json(way));
	const page = pageOf(answer.data, listing.mayBeAlone);
	const records = page.records.flatMap(listing.expand ?? asIs);
	const { isLast, isCut } = pageEnd(page, records.length, pageNumber);
	// A page of which companies were left out may be empty, and the editor would not ask for the next one.
	if (isCut || page.before)
		return { entries: (await readWholeListing(listing, filled, service, searchText)).records.map(entry), isLast: true };
	// Only a complete list can be sorted here.
	const isAll = isLast && pageNumber === 1;
	return {
		entries: uniqueEntries((isAll && instead && listing.descending ? newestFirst(records) : records).map(entry)),
		isLast,
	};
}

/** Removes entries with the same ID: a company may be listed on its own and inside its parent. */
function uniqueEntries(entries: Entry[]): Entry[] {
	const seen = new Set<string>();
	return entries.filter(({ id }) => {
		const isNew = id === undefined || !seen.has(id);
		if (id !== undefined) seen.add(id);
		return isNew;
	});
}

/**
 * Whether a page is the last one (`isLast`), or a first page that is short although the service counts more records
 * (`isCut`).
 * @param expandedCount the number of records after `expand`, which some services count instead
 */
function pageEnd(
	{ records, pages, total, isBare }: Page,
	expandedCount: number,
	pageNumber: number,
): { isLast: boolean; isCut: boolean } {
	const isFull = records.length === PAGE_SIZE;
	if (isBare) return { isLast: !isFull, isCut: false };
	const pageCount = Math.max(pages ?? 0, total === undefined ? 0 : Math.ceil(total / PAGE_SIZE));
	const isCounted = total === records.length || total === expandedCount;
	// Pages smaller than requested are fine if the service counts its pages by that size.
	const isCapped =
		pages !== undefined && total !== undefined && pages === Math.ceil(total / Math.max(1, records.length));
	if (pageNumber === 1 && records.length < PAGE_SIZE && !isCapped)
		return { isLast: true, isCut: !isCounted && (pageCount > 1 || (total ?? 0) > records.length) };
	// A full page that does not fit the service's count is not the last one.
	const isUncounted = isFull && total !== pageNumber * PAGE_SIZE;
	return { isLast: pageNumber >= pageCount && !isUncounted, isCut: false };
}

/** Whether an entry's name contains a text, for lists that the service does not filter. */
export const contains =
	(searchText: string) =>
	({ name = '' }: Entry) =>
		name.toLowerCase().includes(searchText.toLowerCase());

/**
 * Reads a whole listing, each record once, after `expand`.
 * @throws ServiceError; InvalidInput while a needed field is not filled in
 */
export async function readWholeListing(
	listing: Listing,
	filled: Pick<Filled, 'id' | 'text' | 'company'>,
	service: Service,
	searchText = '',
	signal?: AbortSignal,
): Promise<ListRead> {
	const request = { ...(await requestOf(listing, filled, searchText)), ...(signal ? { signal } : {}) };
	const { expand = asIs, mayBeAlone = false } = listing;
	if (!isPaged(listing)) {
		const records = wholeListOf((await service.json(request)).data);
		return { records: records.flatMap(expand), steady: true, missing: 0 };
	}
	const entry = entryOf(listing);
	const identity = (record: IDataObject) => entry(record).id;
	return await readSearch(
		service,
		request,
		{ limit: Infinity, pageSize: PAGE_SIZE },
		{ identity, expand, mayBeAlone },
		RULES,
	);
}
