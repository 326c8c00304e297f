import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { newestFirst } from '../answer/created';
import { wholeListOf, type Page } from '../answer/page';
import { identityOf, pageOf, type ListRead } from '../answer/paging';
import { askSearch, readSearch } from '../answer/search';
import { isRecord } from '../form/value';
import { asError, InvalidInput } from '../transport/errors';
import { parseId, type Company, type ContractKey, type ServiceRequest } from '../transport/request';
import { DEFAULT_SETTINGS, Service } from '../transport/service';

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
	mayBeAlone?: boolean;
	/** Turns a listed record into the records it stands for. */
	expand?: (record: IDataObject) => IDataObject[];
	/** Reads a record where names alone do not do. */
	entry?: (record: IDataObject) => Entry;
}

/** What the person has filled in so far. */
export interface Filled {
	/** Opens the service, for lists that come from there. */
	open: () => Promise<Service>;
	/** The customer chosen in the node, if it acts for one. @throws InvalidInput while none is chosen */
	company: () => Company | undefined;
	/** An ID from a field that this one depends on. @throws InvalidInput while it is not filled in */
	id: (field: string, label: string) => string;
	/** The same for what is no ID. @throws InvalidInput while it is not filled in */
	text: (field: string, label: string) => string;
}

const PAGE_SIZE = 100;
/** Somebody waits before an open list, and has no button to stop it. */
const PICKER_TIMEOUT_MS = 30_000;

const notYet = (label: string) =>
	new InvalidInput('must be filled in first', [label], `Choose '${label}', then open this list again.`);

/** Reads the form around a list in the editor. */
export function filledIn(context: ILoadOptionsFunctions): Filled {
	const text = (field: string, label: string) => {
		const raw: unknown = context.getCurrentNodeParameter(field);
		const value = isRecord(raw) ? raw.value : raw;
		if (typeof value === 'string' && value.startsWith('='))
			throw new InvalidInput(
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
			return parseId(value);
		} catch (error) {
			throw error instanceof InvalidInput ? notYet(label) : asError(error);
		}
	};
	return {
		open: async () => await Service.open(context, { ...DEFAULT_SETTINGS, timeoutMs: PICKER_TIMEOUT_MS }),
		id,
		text,
		company: () =>
			context.getCurrentNodeParameter('companyScope') === 'one'
				? { id: id('company', 'Company'), name: '' }
				: undefined,
	};
}

function requestOf(
	listing: Listing,
	filled: Pick<Filled, 'id' | 'text' | 'company'>,
	searchText: string,
): ServiceRequest {
	const { contract, path, orderBy = 'Name', descending = false } = listing;
	const filter = { Condition: 'AND', SearchInputTextValue: searchText, FilterGroups: [] };
	const company = listing.scoped ? filled.company() : undefined;
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

/** Whether the service gives a listing page by page. */
const isPaged = ({ contract, body }: Listing) => contract.startsWith('POST ') && body === undefined;

/** Reads a record of a listing as something to pick. */
export const entryOf = ({ id, name, entry }: Listing) =>
	entry ?? ((record: IDataObject): Entry => ({ id: identityOf(record, id), name: identityOf(record, name) }));

const itself = (record: IDataObject) => [record];

const RULES = { isOwnOrder: true };

/**
 * One page of a listing, in the service's order; all of it where the first page is shorter than the service's counts
 * have it, since nothing tells then which page is the last.
 * @param pageNumber 1-based
 */
export async function readPickerPage(
	listing: Listing,
	filled: Filled,
	searchText: string,
	pageNumber: number,
): Promise<PickerPage> {
	const service = await filled.open();
	const entry = entryOf(listing);
	const request = requestOf(listing, filled, searchText);
	if (!isPaged(listing)) {
		const { records } = await readWholeListing(listing, filled, service, searchText);
		return { entries: records.map(entry).filter(contains(searchText)), isLast: true };
	}
	const asked = { ...request, body: { ...request.body, pageNumber, pageSize: PAGE_SIZE } };
	const { answer, instead } = await askSearch(service, asked, RULES, async (way) => await service.json(way));
	const page = pageOf(answer.data, listing.mayBeAlone);
	const records = page.records.flatMap(listing.expand ?? itself);
	const { isLast, isCut } = endOf(page, records.length, pageNumber);
	if (isCut)
		return { entries: (await readWholeListing(listing, filled, service, searchText)).records.map(entry), isLast: true };
	// Only all of them can be put in order here.
	const isAll = isLast && pageNumber === 1;
	return {
		entries: eachOnce((isAll && instead && listing.descending ? newestFirst(records) : records).map(entry)),
		isLast,
	};
}

/** Entries each once: a company may stand in a list by itself, and inside its parent as well. */
function eachOnce(entries: Entry[]): Entry[] {
	const seen = new Set<string>();
	return entries.filter(({ id }) => {
		const isNew = id === undefined || !seen.has(id);
		if (id !== undefined) seen.add(id);
		return isNew;
	});
}

/**
 * Whether a page is the last one, or, as the first, shorter than a page though the service says that there are more.
 * @param expanded how many records those of the page stand for: some services count these
 */
function endOf(
	{ records, pages, total, isBare }: Page,
	expanded: number,
	pageNumber: number,
): { isLast: boolean; isCut: boolean } {
	const isFull = records.length === PAGE_SIZE;
	if (isBare) return { isLast: !isFull, isCut: false };
	const claimed = Math.max(pages ?? 0, total === undefined ? 0 : Math.ceil(total / PAGE_SIZE));
	const isCounted = total === records.length || total === expanded;
	// Smaller pages do no harm where the service counts them as it gives them.
	const isCapped =
		pages !== undefined && total !== undefined && pages === Math.ceil(total / Math.max(1, records.length));
	if (pageNumber === 1 && records.length < PAGE_SIZE && !isCapped)
		return { isLast: true, isCut: !isCounted && (claimed > 1 || (total ?? 0) > records.length) };
	// A full page that the service's count has no room for is not the last one.
	const isUncounted = isFull && total !== pageNumber * PAGE_SIZE;
	return { isLast: pageNumber >= claimed && !isUncounted, isCut: false };
}

/** Tells whether an entry's name contains a text, for lists that the service does not search. */
export const contains =
	(searchText: string) =>
	({ name = '' }: Entry) =>
		name.toLowerCase().includes(searchText.toLowerCase());

/** A whole listing, each record once; child records as `expand` says. @throws ServiceError */
export async function readWholeListing(
	listing: Listing,
	filled: Pick<Filled, 'id' | 'text' | 'company'>,
	service: Service,
	searchText = '',
): Promise<ListRead> {
	const request = requestOf(listing, filled, searchText);
	const { expand = itself, mayBeAlone = false } = listing;
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
