import { sortBy, tap } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

import { createdOf } from '../pagination/page';
import { readList } from '../pagination/readList';
import type { ReadCompanies } from '../fields/field';
import { companyOf } from '../companies/companies';
import { companiesOf, type ScopeChoice } from '../companyScope/companyScope';
import { mapBounded } from '../http/concurrency';
import { isRefused, isStop, ServiceError } from '../http/errors';
import type { Kind, ListedCompany, Poll, Reading, Row } from './types';
import { endpointOf } from '../api/endpoint';
import { identityOf } from '../values';

/** The list that a request without a company gives. */
export const NO_COMPANY: ListedCompany = { id: '', name: '', above: [], root: '', below: [], isWanted: true };

/**
 * The companies whose lists are read: those of a scope and all below them, whose records a list above may show as well.
 * @param read reads all companies
 * @throws ServiceError
 */
export async function watchedCompanies(
	scope: ScopeChoice,
	read: ReadCompanies,
	warn: (message: string) => void,
	timezone: string,
): Promise<ListedCompany[]> {
	let records: IDataObject[] = [];
	const chosen = await companiesOf(scope, async () => (records = await read()), warn, timezone);
	if (scope.kind !== 'every') return chosen.map(({ company }) => ({ ...NO_COMPANY, ...company }));
	const wanted = new Set(chosen.map(({ company }) => company?.id));
	const parents = new Map(records.map((each) => [companyOf(each).id, identityOf(each, ['parentCompanyResourceId'])]));
	const all = records.map(companyOf).flatMap((company) => {
		const above: string[] = [];
		for (let id = parents.get(company.id); id && !above.includes(id); id = parents.get(id)) above.push(id);
		above.splice(above.findLastIndex((id) => wanted.has(id)) + 1);
		const isWanted = wanted.has(company.id);
		const root = above.at(-1) ?? company.id;
		const below: ListedCompany[] = [];
		return company.id && (isWanted || above.length > 0) ? [{ ...company, above, root, below, isWanted }] : [];
	});
	const byId = new Map(all.map((company) => [company.id, company]));
	for (const company of all) for (const id of company.above) byId.get(id)?.below.push(company);
	return all;
}

/**
 * Puts companies in the order of asking: those of one tree with a place one after the other, and parents before their children.
 * @param placeOf a company's place, the lowest first; Infinity for none
 */
export function inOrder(companies: ListedCompany[], placeOf: (id: string) => number): ListedCompany[] {
	const places = new Map<string, number>();
	for (const { id, root } of companies) places.set(root, Math.min(places.get(root) ?? Infinity, placeOf(id)));
	return sortBy(companies, [({ root }) => places.get(root), ({ above }) => above.length, ({ id }) => placeOf(id)]);
}

export interface RowsRead {
	company: ListedCompany;
	rows: Row[];
	/** How many records have no ID that is known. */
	nameless: number;
	/** Whether nothing shows that the list has changed meanwhile. */
	unchanged: boolean;
	/** How many pages were read: where there are several, one may hide a record that moves to another one meanwhile. */
	pages: number;
}

/** Whether the service will not answer this request as it is, so that the same request has no other answer. */
export const isRefusedOrForbidden = (error: unknown) =>
	isRefused(error) || (error instanceof ServiceError && error.details.status === 403);

/** Waits while time is short and another list, which began earlier, takes long: one that ends is worth more than several halves. */
async function itsTurn({ underWay, now, budgetMs }: Poll, own: Reading): Promise<void> {
	const isLong = ({ since }: Reading) => Date.now() - now > budgetMs / 2 && Date.now() - since > budgetMs / 4;
	for (let [first] = underWay; first && first !== own && isLong(first); [first] = underWay) await first.ended;
}

/** A record as a row; none without a known ID. */
function rowOf({ identity }: Kind, record: IDataObject): Row[] {
	const id = identity(record);
	const status = identityOf(record, ['status']) ?? '';
	return id === undefined ? [] : [{ id, created: createdOf(record), status, record }];
}

export interface Reach {
	/** How far back: what was created before is of no interest, in ms; it gets the newest create time read so far that is not in the future. */
	from: (company: ListedCompany, newest: number) => number;
	limit?: number;
}

/**
 * Reads a list, the newest records first; one that is not sorted by create time is read whole.
 * @throws ServiceError
 */
export async function readRows(poll: Poll, kind: Kind, company: ListedCompany, reach: Reach): Promise<RowsRead> {
	const { service, pageSize, signal, now, underWay } = poll;
	const isByTime = endpointOf(kind.endpoint).order.orderBy === 'CreateTime';
	const request = {
		endpoint: kind.endpoint,
		purpose: `look for ${kind.things}`,
		signal,
		company: company.id ? company : undefined,
		body: kind.body,
	};
	let end = () => {};
	const own = { since: Date.now(), ended: new Promise<void>((resolve) => (end = resolve)) };
	let newest = 0;
	let pages = 0;
	const beforePage = async () => {
		pages++;
		await itsTurn(poll, own);
	};
	const isPast = (record: IDataObject) => {
		const created = createdOf(record);
		if (created === undefined || !isByTime) return false;
		newest = Math.max(newest, Math.min(created, now));
		return created < reach.from(company, newest);
	};
	underWay.add(own);
	try {
		const { records, unchanged } = await readList(service, request, {
			limit: isByTime ? reach.limit : undefined,
			pageSize,
			beforePage,
			// Behind its end no page is asked for.
			ahead: isByTime ? 1 : service.settings.concurrency,
			identity: kind.identity,
			isPast,
		});
		const rows = records.flatMap((record) => rowOf(kind, record));
		return { company, rows, nameless: records.length - rows.length, unchanged, pages };
	} finally {
		underWay.delete(own);
		end();
	}
}

/** What became of asking companies. */
export interface Round {
	answered: RowsRead[];
	/** Those that were not read, and why; those first that there was no time for. */
	silent: Array<{ company: ListedCompany; error?: unknown }>;
}

/**
 * Reads the lists of companies, several at once, until the poll's time is up. A company's list is read after its parent's, so
 * that it shows whatever of its own the parent's has shown.
 * @param order parents before their children
 * @param reach.wanted the IDs of records; when each was listed by a company without children, no further company is asked
 */
export async function askCompanies(
	poll: Poll,
	kind: Kind,
	order: ListedCompany[],
	{ wanted, ...reach }: Reach & { wanted?: Set<string> },
): Promise<Round> {
	const enough = new AbortController();
	const asking = { ...poll, signal: AbortSignal.any([poll.signal, enough.signal]) };
	const reads = new Map<string, Promise<unknown>>();
	const read = async (company: ListedCompany) => {
		await reads.get(company.above[0] ?? '')?.catch(() => undefined);
		const list = await readRows(asking, kind, company, reach);
		if (wanted && company.below.length === 0) for (const { id } of list.rows) wanted.delete(id);
		if (wanted?.size === 0) enough.abort();
		return list;
	};
	const begin = (company: ListedCompany) => tap(read(company), (reading) => reads.set(company.id, reading));
	const { concurrency } = poll.service.settings;
	const outcomes = await mapBounded(order, concurrency, begin, () => !asking.signal.aborted);
	const answered = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value] : []));
	const silent = order.flatMap((company, index): Round['silent'] => {
		const outcome = outcomes[index];
		// Its time was up before it was asked, or before it answered.
		if (!outcome || (!outcome.ok && isStop(outcome.error))) return enough.signal.aborted ? [] : [{ company }];
		return outcome.ok ? [] : [{ company, error: outcome.error }];
	});
	return { answered, silent: sortBy(silent, ({ error }) => error !== undefined) };
}
