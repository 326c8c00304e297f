import type { IDataObject } from 'n8n-workflow';

import type { ReadCompanies } from '../form/field';
import { mapBounded } from '../transport/concurrency';
import { asError, isStop } from '../transport/errors';
import type { Company } from '../transport/request';
import { companiesOf as companiesOfScope, type ScopeChoice } from '../scope/scope';
import { readRows } from './rows';
import { judge, noteBehind, remember, type KindState, type News } from './state';
import type { Asked, Kind, ListedCompany, Poll, Row } from './trigger';

/**
 * The companies of a scope, children before their parents; for the credential's own one without an ID.
 * @param read reads all companies
 * @throws ServiceError
 */
export async function companiesOf(
	scope: ScopeChoice,
	read: ReadCompanies,
	warn: (message: string) => void,
): Promise<ListedCompany[]> {
	let records: IDataObject[] = [];
	const ofScope = await companiesOfScope(scope, async () => (records = await read()), warn);
	const chosen = ofScope.map(({ company }) => company ?? { id: '', name: '' });
	const parents = new Set(records.map(({ parentCompanyResourceId }) => parentCompanyResourceId));
	return chosen.reverse().map((company, rank) => ({ ...company, rank, isParent: parents.has(company.id) }));
}

/** Why a company did not answer, for the end of a sentence; empty where there was only no time. */
export const reasonOf = ({ failed: [first] }: Asked): string =>
	first ? ` (${first.company.name || first.company.id}: ${asError(first.error).message})` : '';

/** How companies are asked. */
interface Asking {
	/** How far back a list is read; see readRows. */
	floorOf: (company: Company) => (newest: number) => number;
	/** How many of the newest records of each are needed. */
	limit?: number;
	/** Told of each answer; after true, no further company is needed. */
	isEnough?: (rows: Row[], company: ListedCompany) => boolean;
}

/** Asks companies for their records in the order given, several at once, until the poll's time is up. */
export async function askCompanies(
	poll: Poll,
	kind: Kind,
	order: ListedCompany[],
	{ floorOf, limit, isEnough = () => false }: Asking,
): Promise<Asked> {
	const enough = new AbortController();
	const signal = AbortSignal.any([poll.signal, enough.signal]);
	const outcomes = await mapBounded(
		order,
		poll.service.settings.concurrency,
		async (company) => {
			const read = await readRows({ ...poll, signal }, kind, company, floorOf(company), limit);
			if (isEnough(read.rows, company)) enough.abort();
			return read;
		},
		() => !signal.aborted,
	);
	const asked: Asked = { answered: [], failed: [], unreached: [] };
	for (const [index, company] of order.entries()) {
		const outcome = outcomes[index];
		if (outcome?.ok) asked.answered.push({ ...outcome.value, company });
		// Its time was up before it was asked, or before it answered.
		else if (!outcome || isStop(outcome.error)) asked.unreached.push(company);
		else asked.failed.push({ company, error: outcome.error });
	}
	asked.answered.sort((one, other) => one.company.rank - other.company.rank);
	return asked;
}

/** A record to give, and its company; without an ID where it is not known. */
export interface Given extends News {
	company: Company;
}

/**
 * Asks companies, gives what is new in their lists, and notes who is to be asked again. A record that a child company and its
 * parent list is the child's.
 * @param state its `seen` and `behind` are written
 * @param how.since in ms: what was created before is not given; Infinity for all, as at the beginning
 * @param how.windowMs how far back a list is read at the beginning, before its newest record; else to the floor
 */
export async function takeFrom(
	poll: Poll,
	kind: Kind,
	state: KindState,
	order: ListedCompany[],
	{ since, windowMs, isEnough }: { since: number; windowMs?: number } & Pick<Asking, 'isEnough'>,
): Promise<{ given: Given[]; asked: Asked }> {
	const { seen, floor, behind } = state;
	const sinceOf = ({ id }: Company) => behind[id] ?? since;
	const asked = await askCompanies(poll, kind, order, {
		floorOf: (company) => (newest) => Math.min(sinceOf(company), windowMs ? newest - windowMs : floor),
		...(isEnough ? { isEnough } : {}),
	});
	const listed = new Set<string>();
	const given = asked.answered.flatMap(({ company, rows }) => {
		const own = rows.filter(({ id }) => !listed.has(id));
		for (const { id } of own) listed.add(id);
		const { news, settled } = judge(own, seen, floor, sinceOf(company), poll.rules);
		for (const row of [...settled, ...news.map((each) => each.row)]) remember(seen, row, company.id, poll.now);
		return news.map((each): Given => ({ ...each, company }));
	});
	noteBehind(state, asked, Math.min(since, poll.now), poll.now);
	return { given, asked };
}
