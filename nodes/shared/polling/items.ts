import { omitBy, partition, sortBy } from 'lodash';
import { NodeOperationError, type IDataObject, type INodeExecutionData, type IPollFunctions } from 'n8n-workflow';

import { mapBounded } from '../transport/concurrency';
import { rethrow } from '../transport/errors';
import { askCompanies, idsOf, inOrder, NO_COMPANY, readList, type ListRead } from './companies';
import { deepestIn, ownerOf, tooSlow, type Given } from './kind';
import type { Kind, Poll, Row } from './trigger';

const MOST_SAMPLES = 5;

/** A record as an item: as its list shows it, what it is, whose, and what it was before. */
export function itemOf({ rules }: Poll, kind: Kind, { row, company, previousStatus }: Given): INodeExecutionData {
	const columns: IDataObject = { companyName: company.name || null, companyResourceId: company.id || null };
	return {
		json: {
			...{ kind: kind.name, ...columns },
			...(kind.output?.(row.record) ?? row.record),
			// What is not known leaves the record's own.
			...{ kind: kind.name, ...omitBy(columns, (value) => value === null) },
			...(rules.watchesStatus ? { previousStatus } : {}),
		},
	};
}

/** In the order of their creation, the oldest first. */
export const oldestFirst = <T extends { row: Row }>(all: T[]): T[] => sortBy(all, ({ row }) => row.created ?? 0);

/**
 * The newest records, as the poll would give them, for 'Fetch Test Event': those of the list without a company, and then the
 * lists of companies until it is known whose they are. What is remembered is neither read nor changed.
 * @throws NodeOperationError where there are none; ServiceError where no list could be read
 */
export async function samplesOf(context: IPollFunctions, poll: Poll, kinds: Kind[]): Promise<INodeExecutionData[]> {
	const ofAll = poll.mayCoverAll ? await listsOf(kinds, async (kind) => [await readNewest(poll, kind)]) : [];
	const newest = newestOf(ofAll.flatMap(({ kind, lists }) => wantedIn(poll, lists).map((each) => ({ ...each, kind }))));
	const asked = newest.length > 0 ? kinds.filter((kind) => newest.some((each) => each.kind === kind)) : kinds;
	const found = await listsOf(asked, async (kind) => {
		const shown = newest.filter((each) => each.kind === kind).map(({ row }) => row);
		const companies = inOrder(await poll.companies(), () => 0);
		const wanted = shown.length > 0 ? { wanted: new Set(shown.map(({ id }) => id)) } : {};
		const round = await askCompanies(poll, kind, companies, { ...reachOf(poll), ...wanted });
		const [first] = [...round.failed, ...round.refused];
		if (round.answered.length === 0 && shown.length === 0 && companies.length > 0)
			return await rethrow(first?.error ?? tooSlow(poll.rules));
		return [{ ...NOTHING_READ, rows: shown }, ...round.answered];
	});
	const samples = found.flatMap(({ kind, lists }) => wantedIn(poll, lists).map((each) => ({ ...each, kind })));
	const [owned, others] = partition(samples, ({ company }) => company.id !== '');
	if (samples.length > 0)
		return newestOf(owned.length > 0 ? owned : others).map((each) => itemOf(poll, each.kind, each));
	for (const { error } of found) if (error !== undefined) return await rethrow(error);
	throw new NodeOperationError(
		context.getNode(),
		`There are no ${kinds.map(({ things }) => things).join(' or ')} yet`,
		{
			description:
				"The service lists none for what you chose. Create one on the platform and fetch again, or check 'Company Scope' and 'Only Statuses'. Activated, the workflow starts with the first one.",
		},
	);
}

const NOTHING_READ: ListRead = { company: NO_COMPANY, rows: [], nameless: 0, unchanged: true };

const newestOf = <T extends { row: Row }>(all: T[]): T[] => oldestFirst(all).reverse().slice(0, MOST_SAMPLES);

/** How much of each list is read: more, where some may have another status. */
const reachOf = ({ rules, pageSize }: Poll) => ({
	from: () => 0,
	limit: rules.statuses.length > 0 ? pageSize : MOST_SAMPLES,
});

/** The newest of the list without a company; nothing where the service does not give it. */
const readNewest = async (poll: Poll, kind: Kind) =>
	await readList(poll, kind, NO_COMPANY, reachOf(poll)).catch(() => NOTHING_READ);

/** Reads lists of each kind. @returns no lists, and the error, where that failed */
async function listsOf(kinds: Kind[], read: (kind: Kind) => Promise<ListRead[]>) {
	const outcomes = await mapBounded(kinds, kinds.length, read);
	return kinds.map((kind, index) => {
		const outcome = outcomes[index];
		return outcome?.ok ? { kind, lists: outcome.value } : { kind, lists: [], error: outcome?.error };
	});
}

/** The records of lists that have a status that counts, and whose they are. */
function wantedIn({ rules: { statuses } }: Poll, lists: ListRead[]): Given[] {
	const done = idsOf(lists);
	return [...deepestIn(lists).values()].flatMap(({ row, company }) => {
		const owner = ownerOf(company, undefined, done) ?? NO_COMPANY;
		const isWanted = owner.isWanted && (statuses.length === 0 || statuses.includes(row.status.toLowerCase()));
		return isWanted ? [{ row, company: owner, previousStatus: null }] : [];
	});
}
